"""A case silenced by a person, one that may speak again, and one that was said to be wrong."""

from __future__ import annotations

from casebook.case import LoadedCase
from casebook.runtime.journal.records import Entry
from casebook.runtime.review.judging import Judged, because_in, note
from casebook.runtime.review.queue import undone_in
from casebook.runtime.review.review import Review, signature_of


def mute(review: Review, case_id: str, *, because: str = "") -> Judged | None:
    """Silence a case, whatever its effect: its status becomes `disabled`.

    Args:
        review: the desk.
        case_id: which.
        because: the person's reason.

    Returns:
        What was done; None where it was silenced already.

    Raises:
        NotFoundError: there is no such case.
        StoreError: it cannot be written.
    """
    before = review.found(case_id)
    if before.case.status == "disabled":
        return None
    review.store.edit(case_id, {"status": "disabled"}, if_version=before.version)
    return note(review, "mute", case_id, before, review.case(case_id), because=because)


def unmute(review: Review, case_id: str, *, because: str = "") -> Judged | None:
    """Let a silenced case speak again: it gets the status that it had before it was muted, else `active`.

    Args:
        review: the desk.
        case_id: which.
        because: the person's reason.

    Returns:
        What was done; None where it is not silenced.

    Raises:
        NotFoundError: there is no such case.
        StoreError: it cannot be written.
    """
    before = review.found(case_id)
    if before.case.status != "disabled":
        return None
    former = _before_muting(review, case_id)
    if former is None:
        review.store.edit(case_id, {}, remove=("status",), if_version=before.version)
    else:
        review.store.edit(case_id, {"status": former}, if_version=before.version)
    return note(review, "unmute", case_id, before, review.case(case_id), because=because)


def _before_muting(review: Review, case_id: str) -> str | None:
    """Give the status that a case said before it was muted; None where it said none, or nobody knows."""
    entries = review.journal.entries(subject=case_id, actions=("mute", "undo"))
    undone = undone_in(entries)
    last = next((each for each in reversed(entries) if each.action == "mute" and each.id not in undone), None)
    case = ((last.body.get("before") or {}) if last is not None else {}).get("case", {})
    status = case.get("status")
    return status if isinstance(status, str) and status != "disabled" else None


def wrong(review: Review, case_id: str, *, because: str = "") -> Judged:
    """Take somebody's word that a case is wrong: it goes to review, and advice is held back until a person has looked.

    A case that blocks or asks for confirmation stays in force: whom it stops must not be the one to lift it.

    Args:
        review: the desk.
        case_id: which.
        because: what is wrong about it.

    Raises:
        NotFoundError: there is no such case.
        StoreError: it cannot be written.
    """
    before = review.found(case_id)
    after: LoadedCase | None = before
    if before.case.effect == "advise" and before.case.status == "active":
        review.store.edit(case_id, {"status": "draft"}, if_version=before.version)
        after = review.case(case_id)
    judged = note(review, "wrong", case_id, before, after, because=because)
    review.written(_queued(review, judged.entry, before, because))
    return judged


def _queued(review: Review, said: Entry, loaded: LoadedCase, because: str) -> Entry:
    """Make the entry that puts a case to review; it names the one that it comes from, with which it is undone."""
    body = {"reason": "wrong", "wrong": said.id, **because_in(review, because)}
    return review.line("queue", loaded.id, signature_of(loaded), body)
