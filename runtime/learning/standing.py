"""The cases that stand in the store as the detector sees them: which answer a signature, and whether one comes up at a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from casebook.case import LoadedCase
from casebook.conditions.evaluate import Reading, holds
from casebook.runtime.answer.isolation import Principal, within
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.backtest import Calls, reads_session
from casebook.runtime.session.events import facts_of_call
from casebook.stores.protocol import Snapshot

_AGAIN = 1.25
"""By how much the occurrences have to grow until it is tried again to widen a case: a trial reads thousands of calls."""
_REFUSALS = 4_096


class Standing:
    """Finds the cases of a signature, and knows which could not be widened; all of it can be worked out again."""

    def __init__(self) -> None:
        """Begin with nothing gathered."""
        self._gathered: tuple[Snapshot | None, dict[str, list[LoadedCase]]] = (None, {})
        self._refused: dict[tuple[str, ...], int] = {}

    def refuse(self, loaded: LoadedCase, event: EventRecord, count: int) -> None:
        """Take note that a case, as it stands, cannot be made to come up at such a call; there were so many occurrences."""
        if len(self._refused) >= _REFUSALS:
            self._refused.clear()
        self._refused[_shape(loaded, event)] = count

    def refused(self, loaded: LoadedCase, event: EventRecord, count: int) -> bool:
        """Say whether it was found lately that a case cannot be made to come up at such a call."""
        found = self._refused.get(_shape(loaded, event))
        return found is not None and count < found * _AGAIN

    def answering(self, snapshot: Snapshot, signature: str) -> Sequence[LoadedCase]:
        """Give the cases whose source names a signature; archived ones answer nothing. Safe from many threads."""
        of, found = self._gathered
        if snapshot is not of:
            found = {}
            for loaded in snapshot.cases.values():
                source = loaded.case.source
                if source is not None and source.signature is not None and loaded.case.status != "archived":
                    found.setdefault(source.signature, []).append(loaded)
            self._gathered = (snapshot, found)
        return found.get(signature, ())

    def serving(self, snapshot: Snapshot, signature: str, principal: Principal, now: datetime) -> LoadedCase | None:
        """Give the case that answers an error of somebody now; of several the one that is for the fewest, then by its id."""
        found = [
            each
            for each in self.answering(snapshot, signature)
            if each.case.status == "active"
            and (each.expires is None or each.expires > now)
            and within(each.case.scope, principal)
        ]
        return min(found, key=lambda each: (-len(each.case.scope.named), each.id), default=None)


def _shape(loaded: LoadedCase, event: EventRecord) -> tuple[str, ...]:
    """Give what a case may be bound to in an event."""
    bound = (repr(event.body.get(name)) for name in ("action", "intent"))
    within_reach = within(loaded.case.scope, event.principal)
    return loaded.id, loaded.version, str(event.tool), *bound, str(within_reach)


def comes_up(loaded: LoadedCase, event: EventRecord, calls: Calls) -> bool:
    """Say whether an active case comes up at a call, by its scope and its conditions; what it was created for is no question.

    Args:
        loaded: the case.
        event: the call, or the task that failed.
        calls: tells what came before it in its session, where a condition asks for that.
    """
    if not within(loaded.case.scope, event.principal):
        return False
    whole = any(reads_session(node) for node in loaded.conditions)
    reading = Reading(facts_of_call(event, calls.earlier(event) if whole else ()))
    return all(holds(node, reading, loaded.zone) for node in loaded.conditions)


def at_fault(snapshot: Snapshot, case_id: str) -> bool:
    """Say whether a case of this id is there and does not serve: somebody is at work on it."""
    return any(fault.case == case_id and fault.severity == "error" for fault in snapshot.faults)


def changed_fields(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Give what makes one text of a case the other: the fields to set, and those to take out."""
    changes = {name: value for name, value in new.items() if name not in old or old[name] != value}
    return changes, tuple(name for name in old if name not in new)
