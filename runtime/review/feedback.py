"""A user's words that wait to be judged: a memory of L2, which becomes one that is recalled, or one that is not.

Words of which a draft was made are judged with it: what they say is told by the case from then on, or by nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from casebook.faults import NotFoundError
from casebook.runtime.journal.records import Entry
from casebook.runtime.learning.claims import DRAFT, feedback_id
from casebook.runtime.opening import folder_of
from casebook.runtime.review.queue import Item, waiting
from casebook.runtime.review.review import Review

WAITS = "to_judge"
"""The status of a memory that waits."""


def judge_memory(review: Review, item: Item | None, status: str) -> Mapping[str, Any]:
    """Give a memory that waits the status that it was judged to have.

    Args:
        review: the desk.
        item: what waits.
        status: the new status: `active` or `disabled`.

    Returns:
        What an entry's body has to hold so that it can be undone; nothing where no memory was changed.

    Raises:
        StoreError: its file cannot be written.
    """
    path = next((each.body["file"] for each in reversed(item.queued) if "file" in each.body), None) if item else None
    if item is None or item.loaded is not None or not isinstance(path, str):
        return {}
    return _set(review, path, item.subject, WAITS, status)


def judge_remarks(review: Review, case_id: str) -> list[Mapping[str, Any]]:
    """Let the remarks that a draft was made of be recalled by themselves no more, for the draft has been judged.

    Args:
        review: the desk.
        case_id: of the draft; nothing is done for another case.

    Returns:
        Of each remark that was changed what an entry's body has to hold so that it can be undone: its `id`, and as `judge_memory`.

    Raises:
        StoreError: a file cannot be written.
    """
    events = [
        str(event)
        for entry in review.journal.entries(subject=case_id, actions=(DRAFT,))
        for event in entry.body.get("events", ())
    ]
    remarks = [queued.subject for event in events if (queued := review.journal.entry(feedback_id(event))) is not None]
    judged = ((each, judge_memory(review, waiting(review, each), "disabled")) for each in remarks)
    return [{"id": remark, **changed} for remark, changed in judged if changed]


def unjudge_memory(review: Review, memory: Mapping[str, Any], subject: str) -> None:
    """Let a memory wait again, as before a judgment. Raises StoreError."""
    _set(review, str(memory["file"]), subject, str(memory["after"]), str(memory["before"]))


def _set(review: Review, path: str, memory_id: str, before: str, after: str) -> Mapping[str, Any]:
    from casebook.stores.memories import Memories

    root = folder_of(review.store)
    if root is None:
        return {}
    try:
        Memories(root).edit(path, memory_id, {"status": after})
    except NotFoundError:  # somebody has taken it out of the file: there is nothing left to change
        return {}
    return {"file": path, "before": before, "after": after}


def words_of(review: Review, queued: Iterable[Entry]) -> str:
    """Give the words that were put to review, as the journal has them; nothing where it was no words."""
    for entry in reversed(tuple(queued)):
        if entry.body.get("reason") != "feedback":
            continue
        event = review.journal.event(str(entry.body.get("event", "")))
        text = (event.body.get("text") or event.body.get("correction")) if event is not None else None
        if isinstance(text, str):
            return text
    return ""
