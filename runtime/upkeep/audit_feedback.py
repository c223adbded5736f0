"""What people have said about which case or memory, as the journal knows it."""

from __future__ import annotations

from collections.abc import Mapping

from casebook.instants import ago
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.upkeep.audit_asking import AGAIN
from casebook.runtime.upkeep.protocol import Desk

_ABOUT = ("case", "memory")
"""Where the body of an event names what it is about."""


def feedback_about(desk: Desk) -> Mapping[str, tuple[str, ...]]:
    """Give by the id of a case or memory the ids of the events in which people spoke of it, in order.

    Those of the last `AGAIN` that no judgment has answered since: older words were asked about then. Raises StoreError.
    """
    found: dict[str, tuple[str, ...]] = {}
    for event in desk.journal.events(kinds=("feedback", "correction"), since=ago(desk.now, AGAIN)):
        about = next((event.body[name] for name in _ABOUT if isinstance(event.body.get(name), str)), None)
        if about is not None and _is_persons(event):
            found[about] = (*found.get(about, ()), event.id)
    return found


def _is_persons(event: EventRecord) -> bool:
    return event.kind == "feedback" or event.body.get("correction_by") == "person"
