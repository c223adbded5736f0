"""A person corrects an agent in its own host: it is feedback about that call, and the second time a draft."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path

import pytest

from tests.adapters.rig import Call
from tests.adapters.rigs.hook_rig import HookRig

HOSTS = {
    "claude-code": "claude_code",
    "codex": "codex",
    "gemini": "gemini",
    "opencode": "opencode",
    "openclaw": "openclaw",
}


@pytest.fixture(params=HOSTS)
def host(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HookRig]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    folder = tmp_path / "memory"
    (folder / "long_term").mkdir(parents=True)
    rig = import_module(f"tests.adapters.rigs.{HOSTS[request.param]}").rig(request.param, folder)
    if not isinstance(rig, HookRig):
        pytest.skip(f"{request.param} is played otherwise")
    with closing(rig):
        yield rig


def npm(host: HookRig) -> Call:
    return Call(host.shell, {"command": "npm install left-pad"})


def drafts(host: HookRig) -> list[tuple[object, ...]]:
    cases = host._runtime.snapshot().cases.values()
    return [each.case.trigger_conditions for each in cases if each.case.status == "draft"]


@pytest.mark.parametrize("words", ["no, use pnpm, not npm", "不对，不要用 npm，用 pnpm"])
def test_the_second_correction_right_after_a_call_makes_a_draft(host: HookRig, words: str) -> None:
    host.run("install left-pad", [npm(host)], user="ann")
    host.run(words, [npm(host)], user="ann")
    assert drafts(host) == []
    (said,) = host._runtime.journal.events(kinds=("feedback",))
    assert (said.tool, said.body["action"], said.body["text"], said.session) == ("shell", "npm install", words, "s1")
    host.run(words, user="ann")
    assert drafts(host) == [('program is "npm"',)]


def test_a_prompt_that_corrects_nothing_or_comes_turns_later_is_about_no_call(host: HookRig) -> None:
    for prompt in ("install left-pad", "thanks", "now the tests please", "no problem, go on", "好的，继续"):
        host.run(prompt, [npm(host)], user="ann")
    host.run("what does left-pad do?", user="ann")
    host.run("no, use pnpm, not npm", user="ann")
    assert host._runtime.journal.events(kinds=("feedback",)) == ()


def test_a_call_that_was_not_allowed_and_words_about_another_of_its_kind_are_two(host: HookRig) -> None:
    host.run("install left-pad", [npm(host)], session="a", user="ann")
    host.run("no, ask me before you install", session="a", user="ann")
    host._hook(host.prompt("b", "t1", "install it", None), "ann")
    host._hook(host.before("b", "t1", "call", npm(host)), "ann")
    if told := host.denied("b", "t1", "call", npm(host)):
        host._hook(told, "ann")
    host._hook(host.prompt("b", "t2", "what now?", None), "ann")
    (refused,) = [each for each in host._runtime.journal.events(kinds=("tool",)) if each.failed]
    assert (refused.body["ignored"], refused.body["action"]) == ("denied-by-person", "npm install")
    assert drafts(host) == [('action is "npm install"',)]
