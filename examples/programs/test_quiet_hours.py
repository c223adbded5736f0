"""A test of a time-based trigger: freezegun moves the one clock, and both sides of each boundary are asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest
from freezegun import freeze_time

from casebook import Task
from casebook.runtime import Runtime

PACK = Path(__file__).parents[1] / "night_push"


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Runtime]:
    """The night pack, opened with the system's clock."""
    with Runtime.open(copytree(PACK, tmp_path / "memory")) as opened:
        yield opened


@pytest.mark.parametrize(
    ("instant", "fires"),
    [
        ("2026-03-20T15:59:59Z", False),  # 23:59:59 in Shanghai
        ("2026-03-20T16:00:00Z", True),  # 00:00:00
        ("2026-03-20T21:59:59Z", True),  # 05:59:59
        ("2026-03-20T22:00:00Z", False),  # 06:00:00
    ],
)
def test_the_seed_case_keeps_the_hours_of_shanghai(runtime: Runtime, instant: str, *, fires: bool) -> None:
    """On from 00:00:00, off at 06:00:00."""
    with freeze_time(instant):
        activation = runtime.match(Task(intent="主动推送"))
    assert ("case_001" in [case.id for case in activation.cases]) is fires
