"""An event is answered by the service as by the hook's own process, and dealt with once."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from casebook import __version__
from casebook.adapters.hooks.in_process import answer_here
from casebook.adapters.http import hook_service
from casebook.adapters.http.hook_service import HookService
from casebook.adapters.http.pool import Pool
from casebook.clock import elapsed, system_clock
from casebook.runtime import Runtime
from tests.http.service import CASES, book

PUSH = {
    "id": "no_force", "situation": "x", "trigger_conditions": ['action is "git push"', 'args.command contains "--force"'],
    "correction": "Push with --force-with-lease.", "effect": "block", "on": ["tool"],
}  # fmt: skip


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    book(folder / ".casebook", [*CASES, PUSH])
    return folder


@pytest.fixture
def service() -> Iterator[HookService]:
    pool = Pool(system_clock)
    yield HookService(pool, system_clock, lambda: {"release": __version__}, lambda: None)
    pool.close()


def request_of(payload: Mapping[str, Any] | str, cwd: Path, host: str = "claude-code") -> dict[str, Any]:
    raw = payload if isinstance(payload, str) else json.dumps(payload)
    return {"protocol": 1, "release": __version__, "hook": host, "raw": raw, "cwd": str(cwd)}


def events(session: str, cwd: Path) -> list[dict[str, Any]]:
    whole = {"session_id": session, "cwd": str(cwd), "prompt_id": "p1"}
    push = {"tool_name": "Bash", "tool_input": {"command": "git push --force"}, "tool_use_id": "t1"}
    listing = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t2"}
    return [
        {**whole, "hook_event_name": "SessionStart", "source": "startup"},
        {**whole, "hook_event_name": "UserPromptSubmit", "prompt": "deploy the shop"},
        {**whole, "hook_event_name": "PreToolUse", **push},
        {**whole, "hook_event_name": "PreToolUse", **listing},
        {**whole, "hook_event_name": "PostToolUseFailure", **listing, "error": "Exit code 2\nls: no such file"},
        {**whole, "hook_event_name": "UserPromptSubmit", "prompt": "deploy again", "prompt_id": "p2"},
        {**whole, "hook_event_name": "Unheard"},
        {**whole, "hook_event_name": "SessionEnd"},
    ]


def test_a_session_is_answered_word_for_word_as_in_its_own_process(service: HookService, home: Path) -> None:
    told = []
    for alone, served in zip(events("a", home), events("b", home), strict=True):
        here = answer_here("claude-code", json.dumps(alone).encode(), Namespace(dir=None, engine="auto"), system_clock)
        there = service.answered(request_of(served, home), elapsed())
        assert (there["stdout"], there["stderr"], there["code"]) == (here.stdout, here.stderr, here.code)
        told.append(here.stdout)
    assert "Deploy on Monday" in told[1]
    assert "Push with --force-with-lease." in told[2]
    assert told[3] == ""
    assert told[5] == ""


@pytest.mark.parametrize("raw", ["", "{", "[]", "{}", "\x00", "9" * 5000, "[" * 100_000, '{"hook_event_name": 1}'])
def test_a_host_that_sends_garbage_goes_on(service: HookService, home: Path, raw: str) -> None:
    here = answer_here("claude-code", raw.encode(), Namespace(dir=None, engine="auto"), system_clock)
    there = service.answered(request_of(raw, home), elapsed())
    assert (there["stdout"], there["stderr"], there["code"]) == (here.stdout, here.stderr, here.code)


@pytest.mark.parametrize(("waited", "is_dealt"), [(0.0, True), (hook_service.WAITS + 60, False)])
def test_an_event_whose_hook_waits_no_more_is_left_to_it(
    service: HookService, home: Path, waited: float, is_dealt: bool
) -> None:
    with service._pool.borrowed(home) as warm:
        assert warm.runtime is not None
    told = service.answered(request_of(events("s", home)[1], home), elapsed() - waited)
    assert ("code" in told) == is_dealt
    with Runtime.open(home / ".casebook") as runtime:
        service._pool.close()
        assert len(runtime.journal.activations(session="s")) == is_dealt


def test_an_event_that_waits_too_long_for_its_sessions_last_is_left_to_its_hook(
    service: HookService, home: Path
) -> None:
    whole = events("s", home)[1]
    assert service.answered(request_of(whole, home), elapsed())["code"] == 0
    with service._turns[hash(("claude-code", "s")) % len(service._turns)]:
        assert "code" not in service.answered(request_of({**whole, "prompt_id": "p9"}, home), elapsed())
        other = next(
            name
            for name in map(str, range(99))
            if hash(("claude-code", name)) % 256 != hash(("claude-code", "s")) % 256
        )
        assert service.answered(request_of({**whole, "session_id": other}, home), elapsed())["code"] == 0
    assert service.answered(request_of({**whole, "prompt_id": "p9"}, home), elapsed())["code"] == 0


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ({"protocol": 99, "hook": "codex", "raw": "{}", "cwd": "/"}, "another release"),
        ({"protocol": 1, "release": "0.0.1", "hook": "codex", "raw": "{}", "cwd": "/"}, "another release"),
        ({"protocol": 1, "hook": "nohost", "raw": "{}", "cwd": "/"}, "no request"),
        ({"protocol": 1, "hook": ["codex"], "raw": "{}", "cwd": "/"}, "no request"),
        ({"protocol": 1, "hook": "codex", "raw": 1, "cwd": "/"}, "no request"),
        ({"protocol": 1}, "no request"),
        ({}, "another release"),
    ],
)
def test_what_is_no_request_of_this_release_has_no_answer(
    service: HookService, form: dict[str, object], why: str
) -> None:
    told = service.answered(form, elapsed())
    assert (told["error"], "code" in told) == (why, False)


def test_a_successor_ends_it(home: Path) -> None:
    asked: list[bool] = []
    service = HookService(Pool(system_clock), system_clock, lambda: {"pid": 7}, lambda: asked.append(True))
    assert service.answered({"ask": "who"}, elapsed()) == {"pid": 7}
    assert asked == []
    assert service.answered({"ask": "stop"}, elapsed()) == {"pid": 7}
    assert asked == [True]
