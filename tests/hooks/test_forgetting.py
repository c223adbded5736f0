"""`casebook forget` reaches what hooks remember in the user's state folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from casebook.adapters.cli import front
from casebook.adapters.hooks.answering import Served, answer
from casebook.adapters.identity import system_user
from casebook.runtime import Runtime


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CASEBOOK_STATE_DIR", str(tmp_path / "state"))
    folder = tmp_path / "memory"
    (folder / "long_term").mkdir(parents=True)
    (folder / "memory-policy.yaml").write_text("format: 1\n", encoding="utf-8")
    with Runtime.open(folder) as runtime:
        for session, command in (("s1", "deploy Bluebird"), ("s2", "echo 李雷"), ("s3", "ls")):
            for event in (
                {"hook_event_name": "UserPromptSubmit", "prompt": "go on"},
                {"hook_event_name": "PreToolUse", "tool_name": "Bash"},
            ):
                payload = {**event, "session_id": session, "tool_input": {"command": command}}
                answer("claude-code", json.dumps(payload).encode(), lambda _: Served(runtime, {"user": system_user()}))
    return folder


def memos(tmp_path: Path) -> set[str]:
    """Give which of the three commands hooks remember."""
    written = [json.loads(each.read_text()) for each in (tmp_path / "state/hooks").glob("*.json")]
    return {call["args"]["command"] for each in written for call in each["calls"]}


@pytest.mark.parametrize(
    ("what", "stays"),
    [
        (("--text", "bluebird"), {"echo 李雷", "ls"}),
        (("--text", "李雷"), {"deploy Bluebird", "ls"}),
        (("--session", "s3"), {"deploy Bluebird", "echo 李雷"}),
        (("--user", system_user()), set()),
        (("--user", "somebody-else"), {"deploy Bluebird", "echo 李雷", "ls"}),
        (("--text", "never said"), {"deploy Bluebird", "echo 李雷", "ls"}),
    ],
)  # fmt: skip
def test_what_hooks_remember_is_forgotten_with_the_rest(
    book: Path, tmp_path: Path, what: tuple[str, str], stays: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert memos(tmp_path) == {"deploy Bluebird", "echo 李雷", "ls"}
    front.run_line(["forget", *what, "--dir", str(book)])
    assert ("note" in capsys.readouterr().out) == (len(stays) < 3)
    assert len(memos(tmp_path)) == 3
    assert front.run_line(["forget", *what, "--yes", "--dir", str(book)]) == 0
    assert memos(tmp_path) == stays


def test_a_memo_that_was_torn_as_it_was_written_is_looked_through_too(book: Path, tmp_path: Path) -> None:
    torn = tmp_path / "state/hooks/.memo-torn"
    torn.write_text('{"calls": [{"args": {"command": "deploy \\u674e\\u96f7')
    assert front.run_line(["forget", "--text", "李雷", "--yes", "--dir", str(book)]) == 0
    assert not torn.exists()
