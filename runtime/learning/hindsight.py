"""A call that recovers from an error whose case is made already: it is offered in the review queue (DESIGN section 6)."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from casebook.forking import guarded
from casebook.policy import Policy
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.finishing import Desk, queued
from casebook.runtime.learning.identifying import arguments_of
from casebook.runtime.learning.learnt import NOTHING, Learnt
from casebook.runtime.learning.past import JournalCalls
from casebook.runtime.learning.recovery import Recovery, recovery_of
from casebook.runtime.learning.rewording import RANK, Known, digest, known_case, made_of

_LAST_CALLS = 10
"""Calls of a tool in a session, the newest, among which errors without a success are looked for."""
_SESSIONS = 512
"""Tools of sessions whose errors are kept in memory, those looked at last."""

_Key = tuple[str, str | None, str]


class Hindsight:
    """Watches for recoveries. `failed` and `awaits` are safe from many threads."""

    def __init__(self, desk: Desk) -> None:
        """Take where the detector reads and writes."""
        self._desk = desk
        self._waiting: OrderedDict[_Key, list[EventRecord]] = OrderedDict()
        self._lock = guarded(self, rank=1)

    def failed(self, event: EventRecord) -> None:
        """Take note of an error, so that a success of the same tool is looked at."""
        key = _key(event)
        if key is None:
            return
        with self._lock:
            waiting = self._waiting.get(key)
            if waiting is not None and all(each.id != event.id for each in waiting):
                waiting.append(event)
                del waiting[:-_LAST_CALLS]

    def awaits(self, event: EventRecord) -> bool:
        """Say whether a success comes after an error of its tool in its session; the journal is asked once for each such tool."""
        key = _key(event)
        if key is None:
            return False
        waiting = self._waiting.get(key)
        if waiting is None:
            waiting = self._read(event, key)
        return bool(waiting)

    def _read(self, event: EventRecord, key: _Key) -> list[EventRecord]:
        """Read the errors since the last success of a tool in a session."""
        calls = self._desk.journal.events(
            session=key[0], user=key[1], tools=(key[2],), kinds=("tool",), limit=_LAST_CALLS
        )
        found: list[EventRecord] = []
        for each in calls:
            if each.id == event.id:
                break
            if each.ok is True:
                found.clear()
            elif each.counted and each.signature is not None:
                found.append(each)
        with self._lock:
            self._waiting[key] = found
            while len(self._waiting) > _SESSIONS:
                self._waiting.popitem(last=False)
        return found

    def succeeded(self, event: EventRecord, policy: Policy, now: datetime) -> Learnt:
        """Offer what was changed in a call that succeeded after an error: in the review queue, once a case and set of names."""
        key = _key(event)
        if key is None:
            return NOTHING
        with self._lock:
            errors, self._waiting[key] = self._waiting.get(key, []), []
        offered = NOTHING
        for signature in dict.fromkeys(each.signature for each in errors if each.signature is not None):
            known = known_case(self._desk, self._desk.ledger(signature), event.principal)
            if known is None or RANK[known.loaded.case.correction_by] >= RANK["agent"]:
                continue
            recovery = self._recovery([each for each in errors if each.signature == signature], event)
            if recovery is None or _is_told(recovery, known):
                continue
            names = sorted(recovery.told)
            proposal = self._mined(known, policy, now)
            body = {
                "names": names,
                "error": recovery.occurrence,
                "event": event.id,
                **({"proposal": proposal} if proposal else {}),
            }
            entry = queued(known.claim, now, "recovery", body, key=f"recovery:{digest(names)}")
            if self._desk.journal.append((entry,))[0]:
                offered = Learnt(signature, 0, known.claim.case_id)
        return offered

    def _recovery(self, errors: Sequence[EventRecord], event: EventRecord) -> Recovery | None:
        """Give what was changed after the newest error that a call is like; a call that changed nothing recovers from none."""
        calls = JournalCalls(self._desk.journal)
        for each in reversed(errors):
            if arguments_of(each) == arguments_of(event):
                return None
            found = recovery_of(each, calls.later(each))
            if found is not None and found.call == event.id:
                return found
        return None

    def _mined(self, known: Known, policy: Policy, now: datetime) -> dict[str, Any] | None:
        """Give the case with the correction that the recoveries tell by now; None where it would be the same."""
        from casebook.runtime.learning.proposal import propose  # see the detector
        from casebook.runtime.learning.typed_name import is_typed_condition
        from casebook.runtime.learning.widening import conditions_in

        held = known.loaded.case.to_json()
        events = made_of(self._desk, known.claim, policy, now)
        made = propose(
            known.claim.case_id,
            known.claim.signature,
            events,
            JournalCalls(self._desk.journal),
            policy,
            now,
            scope=known.loaded.case.scope,
            shared=known.claim.shared,
        ).case
        if made.correction_by != "mined" or made.correction == held["correction"]:
            return None
        conditions = [*held["trigger_conditions"]]
        typed = zip(made.to_json()["trigger_conditions"], conditions_in(made, policy) or (), strict=False)
        conditions += [form for form, node in typed if is_typed_condition(node) and form not in conditions]
        return {
            **held, "trigger_conditions": conditions, "correction": made.correction, "correction_by": made.correction_by,
        }  # fmt: skip


def _is_told(recovery: Recovery, known: Known) -> bool:
    """Say whether a case tells already what was changed: once more of the same is nothing to read for a person."""
    case = known.loaded.case
    words = (rf"(?<![\w.-]){re.escape(name)}(?![\w-])" for name in recovery.told)
    return case.correction_by == "mined" and all(re.search(each, case.correction) for each in words)


def _key(event: EventRecord) -> _Key | None:
    if event.session is None or event.tool is None:
        return None
    return event.session, event.principal.user, event.tool
