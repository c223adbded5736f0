"""What a killed process has left is completed as a casebook is opened; a process that lives for one question leaves it to the next outcome."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from casebook import Outcome
from casebook.clock import system_clock
from casebook.runtime import Runtime
from casebook.runtime.matching.engines import matcher
from casebook.runtime.opening import store_of
from casebook.runtime.teaching.twice import SecondTime

PUSH = {"tool": "Bash", "args": {"command": "git push origin main"}, "user": "ann"}


def opened(folder: Path, *, completes: bool) -> Runtime:
    return Runtime(store_of([folder], system_clock), matcher("auto"), system_clock, completes=completes)


@pytest.fixture
def left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A casebook whose process was killed when it had claimed a draft and not written it."""
    with monkeypatch.context() as patch, closing(opened(tmp_path, completes=True)) as killed:
        patch.setattr(SecondTime, "_finish", lambda *_: False)
        for session in ("s1", "s2"):
            killed.after_task({**PUSH, "session": session}, Outcome.feedback("ask me before you push"))
        assert not killed.snapshot().cases
    return tmp_path


def test_a_runtime_completes_it_before_its_first_answer(left_behind: Path) -> None:
    with closing(opened(left_behind, completes=True)) as runtime:
        runtime.before_task({"text": "hello"})
        assert len(runtime.snapshot().cases) == 1


def test_one_that_lives_for_a_question_completes_it_before_its_first_outcome(left_behind: Path) -> None:
    with closing(opened(left_behind, completes=False)) as runtime:
        runtime.before_task({"text": "hello"})
        assert not runtime.snapshot().cases
        runtime.after_task(None, Outcome.success(tool="Bash", args={"command": "ls"}))
        assert len(runtime.snapshot().cases) == 1


@pytest.mark.parametrize(("event", "loads"), [("PreToolUse", "False"), ("PostToolUse", "True")])
def test_a_hook_loads_what_learns_of_outcomes_with_an_outcome_alone(tmp_path: Path, event: str, loads: str) -> None:
    called = {
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
        "tool_use_id": "c1",
        "tool_response": {"exit_code": 0},
    }
    told = json.dumps({"hook_event_name": event, "session_id": "s1", "prompt_id": "p1", **called})
    (tmp_path / "memory").mkdir()
    program = (
        "import sys\n"
        "from argparse import Namespace\n"
        "from casebook.adapters.hooks.in_process import answer_here\n"
        "from casebook.clock import system_clock\n"
        f"answer_here('claude-code', {told.encode()!r}, Namespace(dir=['memory'], engine='auto'), system_clock)\n"
        "print('casebook.runtime.learning.learner' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, check=True, capture_output=True, text=True,
        env={**os.environ, "CASEBOOK_STATE_DIR": str(tmp_path / "state")},
    )  # fmt: skip
    assert done.stdout.strip() == loads
