"""As a session begins its person is told how much waits for them; no model is told of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from casebook import Outcome
from casebook.adapters.cli.main import main
from casebook.adapters.hooks.answering import Served, answer
from casebook.adapters.trust.opening import open_found
from casebook.runtime import Runtime

WORDS = "casebook: 1 remark waits for you: `casebook review`"


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Runtime]:
    with closing(Runtime.open(tmp_path)) as opened:
        yield opened


def said(
    runtime: Runtime, host: str, event: str = "SessionStart", source: str = "startup"
) -> tuple[dict[str, Any], str]:
    raw = json.dumps({"hook_event_name": event, "session_id": "s1", "source": source, "prompt": "hello"}).encode()
    reply = answer(host, raw, lambda _: Served(runtime, {}))
    return json.loads(reply.stdout or "{}"), reply.stderr


def remark(runtime: Runtime) -> None:
    runtime.after_task({"tool": "Bash", "args": {"command": "ls"}, "user": "ann"}, Outcome.feedback("not like this"))


@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini"])
def test_a_host_that_has_words_for_its_person_shows_it_as_a_session_begins(runtime: Runtime, host: str) -> None:
    remark(runtime)
    assert said(runtime, host) == ({"systemMessage": WORDS}, f"{WORDS}\n")


def test_another_has_it_on_stderr_alone(runtime: Runtime) -> None:
    remark(runtime)
    assert said(runtime, "opencode") == ({}, f"{WORDS}\n")


@pytest.mark.parametrize(("event", "source"), [("UserPromptSubmit", ""), ("SessionStart", "compact")])
def test_it_is_told_once_a_session(runtime: Runtime, event: str, source: str) -> None:
    remark(runtime)
    assert said(runtime, "claude-code", event, source) == ({}, "")


def test_where_nothing_waits_nothing_is_told(runtime: Runtime) -> None:
    assert said(runtime, "claude-code") == ({}, "")


BROKEN = "casebook: 1 file of the casebook is at fault, and what is wrong there does not serve: `casebook check`"
GUARD = {"id": "guard", "trigger_conditions": ["always"], "correction": "Ask first.", "effect": "block"}


@pytest.mark.parametrize(
    "torn",
    [b'[{"id":', json.dumps([GUARD, {"id": "worse", "trigger_conditions": ["nonsense here"]}]).encode()],
    ids=["a file", "a case in it"],
)
def test_what_of_a_casebook_does_not_serve_is_told_to_the_person_as_a_session_begins(
    torn: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "long_term" / "cases.json"
    file.parent.mkdir()
    file.write_bytes(torn)
    with closing(Runtime.open(tmp_path)) as runtime:
        for host in ("claude-code", "opencode"):
            assert said(runtime, host)[1] == f"{BROKEN}\n"
        assert said(runtime, "claude-code", "UserPromptSubmit")[1] == ""
        file.write_text("[]", encoding="utf-8")
        assert said(runtime, "claude-code") == ({}, "")


def test_a_file_whose_last_good_version_serves_is_not_told(tmp_path: Path) -> None:
    file = tmp_path / "long_term" / "cases.json"
    file.parent.mkdir()
    file.write_text(json.dumps([GUARD]), encoding="utf-8")
    with closing(Runtime.open(tmp_path)) as runtime:
        runtime.match({"text": "x"})
    file.write_bytes(b'[{"id":')
    with closing(Runtime.open(tmp_path)) as runtime:
        assert runtime.match({"text": "x"}).verdict == "block"
        assert said(runtime, "opencode")[1] == ""


def test_what_is_broken_is_told_beside_what_waits(runtime: Runtime, tmp_path: Path) -> None:
    remark(runtime)
    (tmp_path / "long_term").mkdir(exist_ok=True)
    for name in ("a", "b"):
        (tmp_path / "long_term" / f"{name}.json").write_text("[", encoding="utf-8")
    _, told = said(runtime, "opencode")
    assert told == (
        "casebook: 2 files of the casebook are at fault, and what is wrong there does not serve: `casebook check`; "
        "1 remark waits for you: `casebook review`\n"
    )


def test_how_much_waits_for_approval_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CASEBOOK_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    assert main(["init", "memory"]) == 0
    (tmp_path / "memory" / "long_term" / "cases.json").write_text(json.dumps([GUARD]), encoding="utf-8")
    found = open_found(tmp_path).runtime
    assert found is not None
    with closing(found) as runtime:
        told = "casebook: 1 case or key of the policy waits for your approval, and until then cannot block or ask: `casebook approve`\n"
        assert said(runtime, "opencode") == ({}, told)
        assert main(["approve", "--all", "--yes"]) == 0
    found = open_found(tmp_path).runtime
    assert found is not None
    with closing(found) as runtime:
        assert said(runtime, "opencode") == ({}, "")
