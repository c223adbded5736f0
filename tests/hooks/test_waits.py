"""As a session begins its person is told how much waits for them; no model is told of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from casebook import Outcome
from casebook.adapters.hooks.answering import Served, answer
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
