"""The call that a person has in mind: the last one of the journal that failed, or that somebody did not allow."""

from __future__ import annotations

from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import EventRecord

READ = 500
"""Failures that are looked at, the newest (ours)."""


def last_failed(
    journal: Journal, *, user: str | None = None, session: str | None = None, project: str | None = None
) -> EventRecord | None:
    """Give the last call that failed or was not allowed, or None. What a case of ours blocked is neither.

    Args:
        journal: where.
        user: of this user alone; None of all.
        session: of this session alone; likewise.
        project: of this project alone; likewise.

    Raises:
        StoreError: it cannot be read.
    """
    for each in reversed(journal.events(kinds=("tool", "error"), limit=20 * READ)):
        whose = each.principal
        if not each.failed or each.body.get("ignored") in ("casebook", "our-block"):
            continue
        if all(
            named in (None, held)
            for named, held in ((user, whose.user), (session, each.session), (project, whose.project))
        ):
            return each
    return None


def was_denied(call: EventRecord) -> bool:
    """Say whether a call was not allowed by a person."""
    return call.failed and call.body.get("ignored") == "denied-by-person"
