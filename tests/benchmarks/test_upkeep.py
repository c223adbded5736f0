"""Upkeep of 10,000 memories while agents go on asking; `python -m tests.benchmarks.upkeep` does the same over 100,000."""

from __future__ import annotations

import pytest

from tests.benchmarks.recall import Taken
from tests.benchmarks.remembered import beside_upkeep, recall_rows, upkeep_row
from tests.benchmarks.upkeep import ALONE

MEMORIES = 10_000
"""More than are kept up in a thread of the asking process (`casebook.runtime.upkeep.apart`)."""
SHARE = 0.005
"""Of the answers beside upkeep that may be late on a machine that does other things too; in a thread beside `reflect` 15 in 1,000 are."""


def test_no_task_is_held_up_while_memories_are_kept_up() -> None:
    found = beside_upkeep(MEMORIES, ("expire", "reflect"))
    assert set(found) == {ALONE, "expire", "reflect"}
    alone = found[ALONE]["over"] / found[ALONE]["asks"]  # what else the machine does
    beside = [found["expire"], found["reflect"]]
    asks, over = (sum(each[name] for each in beside) for name in ("asks", "over"))
    assert asks > 200
    assert over / asks <= SHARE + 3 * alone


@pytest.mark.parametrize(("longest", "reached"), [(49.9, True), (50.1, False)])
def test_the_row_of_upkeep_is_of_the_longest_answer_beside_any_job(longest: float, reached: bool) -> None:
    beside = {"asks": 100, "over": 0 if reached else 1, "p50": 1.0, "longest": longest}
    quick = {"asks": 50, "over": 0, "p50": 1.0, "longest": 5.0}
    row = upkeep_row(20_000, {ALONE: {**quick, "longest": 70.0}, "expire": quick, "reflect": beside})
    assert (row.reached, row.wanted) == (reached, "50 ms")
    for what in ("beside reflect", "150 answers", "alone at most 70 ms"):
        assert what in row.got


@pytest.mark.parametrize(("ours", "reached"), [(1.0, [True, True]), (1.9, [True, False]), (2.1, [False, False])])
def test_the_rows_of_recall_are_of_a_message_of_some_sentences(ours: float, reached: list[bool]) -> None:
    rows = recall_rows(10_000, [Taken(10, 9.0, 9.0), Taken(50, ours, 20.0), Taken(500, 9.0, 9.0)])
    assert [each.reached for each in rows] == reached
