"""What waits for a person in the casebook of a session that begins; told to the person, and to no model."""

from __future__ import annotations

from casebook.adapters.protocol import Asked
from casebook.clock import Clock
from casebook.faults import CasebookError
from casebook.runtime.runtime import Runtime


def what_waits(casebook: Asked, clock: Clock) -> str:
    """Say how much waits in the review queue of a casebook; "" where nothing does, or where its queue cannot be read.

    Args:
        casebook: in service.
        clock: gives the present instant, aware.
    """
    if not isinstance(casebook, Runtime):
        return ""
    from casebook.adapters.cli.review_texts import waits_words  # late: one event of a session needs them
    from casebook.runtime.review.queue import queue
    from casebook.runtime.review.review import Review

    try:
        waiting = queue(Review(casebook.journal, casebook.store, clock, "person:"))
    except CasebookError:
        return ""
    return f"{waits_words(waiting)} for you: `casebook review`" if waiting else ""
