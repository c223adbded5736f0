"""A short soak: matches, edits and evictions leave memory flat and answers right, also where freed memory is overwritten."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from casebook.runtime.matching.engines import load_engine
from tests.soak import Soaked, soak_engine, soak_file

ROOT = Path(__file__).resolve().parents[1]
needs_engine = pytest.mark.skipif(load_engine()[0] is None, reason="durable_rules cannot be imported here")


def test_matches_and_edits_with_too_little_room_give_right_answers_and_leave_memory_flat() -> None:
    soaked = soak_engine(8_000, 400, cases=600, resident_rules=300)
    assert soaked.faults == []


def test_edits_of_a_file_are_each_seen_by_the_next_task_and_leave_memory_flat() -> None:
    assert soak_file(250, cases=60).faults == []


def test_growth_and_wrong_answers_are_told() -> None:
    faults = Soaked("engine", "", 100.0, 150.0, ("engine, match 3: wrong",)).faults
    assert faults == ["engine, match 3: wrong", "engine: memory grew by 50.0 MB, expected at most 12"]


@needs_engine
def test_nothing_reads_freed_memory_while_rulesets_are_made_and_freed() -> None:
    """glibc fills freed and fresh memory with MALLOC_PERTURB_; a use of either is a crash or a wrong answer."""
    arguments = ["--matches", "3000", "--edits", "300", "--cases", "300", "--resident-rules", "100"]
    done = subprocess.run(
        [sys.executable, "-m", "tests.soak", "--engine", "durable_rules", *arguments],
        env={**os.environ, "MALLOC_PERTURB_": "165"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "rulesets_evicted 0" not in done.stdout
