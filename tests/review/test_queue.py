"""The queue is what the audit log says: queued, and not judged since."""

from __future__ import annotations

import pytest

from casebook.runtime.review.judging import approve, edit, reject
from casebook.runtime.review.muting import wrong
from casebook.runtime.review.queue import queue
from casebook.runtime.review.undoing import undo
from tests.review.conftest import LEARNT, Desk


def waiting(desk: Desk) -> dict[str, tuple[str, ...]]:
    """Give the reasons of all that waits."""
    return {each.subject: each.reasons for each in queue(desk.review)}


def test_what_was_queued_waits_with_its_reason_its_figures_and_since_when(desk: Desk) -> None:
    figures = {"matching": 20, "failing": 3, "clean": 17}
    first = desk.queue("err-1", "learnt", figures=figures, reasons=["the tool of every occurrence"])
    desk.hands.later(hours=1)
    desk.queue("err-1", "recovery")
    (item,) = queue(desk.review)
    assert item.reasons == ("learnt", "recovery")
    assert item.since == first.at
    assert item.figures == {**figures, "precision": 0.15}
    assert item.notes == ("the tool of every occurrence",)
    assert item.loaded is not None
    assert item.signature == "user-not-found"


@pytest.mark.parametrize("judge", [approve, reject, lambda review, name: edit(review, name, {"priority": 9})])
def test_a_judgment_takes_it_out_and_its_undoing_brings_it_back(desk: Desk, judge) -> None:
    desk.queue("err-1", "learnt")
    judge(desk.review, "err-1")
    assert waiting(desk) == {}
    undo(desk.review)
    assert waiting(desk) == {"err-1": ("learnt",)}


def test_what_is_queued_after_a_judgment_waits_for_another(desk: Desk) -> None:
    desk.queue("err-1", "learnt")
    approve(desk.review, "err-1")
    desk.queue("err-1", "effect")
    assert waiting(desk) == {"err-1": ("effect",)}
    everything = queue(desk.review, everything=True)
    assert [(each.reasons, each.answer is not None) for each in everything] == [
        (("learnt",), True),
        (("effect",), False),
    ]


def test_wrong_is_in_the_queue_until_it_is_taken_back(desk: Desk) -> None:
    wrong(desk.review, "err-1", because="it is fast now")
    assert waiting(desk) == {"err-1": ("wrong",)}
    undo(desk.review)
    assert waiting(desk) == {"err-1": ("unseen",)}


def test_a_case_that_is_gone_waits_no_longer_unless_one_is_proposed(desk: Desk) -> None:
    desk.queue("err-1", "learnt")
    desk.rewrite()
    assert waiting(desk) == {}
    desk.queue("err-1", "hand-edited", proposal=LEARNT)
    assert waiting(desk) == {"err-1": ("learnt", "hand-edited")}


def test_a_plain_edit_is_no_judgment(desk: Desk) -> None:
    desk.queue("err-1", "draft")
    desk.review.written(desk.review.line("edit", "err-1", None, {"before": None, "after": None}))
    assert waiting(desk) == {"err-1": ("draft",)}
