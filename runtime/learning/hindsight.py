"""What comes after a case was made: a call that recovers from its error, and somebody who says what works."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from casebook.case import LoadedCase
from casebook.forking import guarded
from casebook.policy import Policy
from casebook.runtime.answer.isolation import Principal, within
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.backtest import Figures
from casebook.runtime.learning.claims import ACTIONS, Claim, Ledger, claiming
from casebook.runtime.learning.counting import Group, kept, members
from casebook.runtime.learning.finishing import Desk, finish, finish_all, is_ours, queued
from casebook.runtime.learning.identifying import arguments_of
from casebook.runtime.learning.learnt import NOTHING, Learnt
from casebook.runtime.learning.past import JournalCalls
from casebook.runtime.learning.recovery import Recovery, recovery_of

_LAST_CALLS = 10
"""Calls of a tool in a session, the newest, among which errors without a success are looked for."""
_SESSIONS = 512
"""Tools of sessions whose errors are kept in memory, those looked at last."""

_RANK = {"caution": 0, "mined": 1, "agent": 2, "person": 3}
"""Whose correction takes the place of whose: a person's of all but a person's, an agent's of what nobody said."""

_Key = tuple[str, str | None, str]


@dataclass(frozen=True, slots=True)
class _Known:
    """A learnt case that a user may know of: its newest claim, and how it stands."""

    claim: Claim
    loaded: LoadedCase


class Hindsight:
    """Watches for recoveries, and takes corrections in. `failed` and `awaits` are safe from many threads."""

    def __init__(self, desk: Desk) -> None:
        """Take where the detector reads and writes."""
        self._desk = desk
        self._waiting: OrderedDict[_Key, list[EventRecord]] = OrderedDict()
        self._lock = guarded(self, rank=1)

    # -- recoveries ----------------------------------------------------------------------------------------------------------

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
            known = self._known(self._ledger(signature), event.principal)
            if known is None or _RANK[known.loaded.case.correction_by] >= _RANK["agent"]:
                continue
            recovery = self._recovery([each for each in errors if each.signature == signature], event)
            if recovery is None:
                continue
            names = sorted(recovery.names)
            proposal = self._mined(known, policy, now)
            body = {
                "names": names,
                "error": recovery.occurrence,
                "event": event.id,
                **({"proposal": proposal} if proposal else {}),
            }
            entry = queued(known.claim, now, "recovery", body, key=f"recovery:{_digest(names)}")
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

    def _mined(self, known: _Known, policy: Policy, now: datetime) -> dict[str, Any] | None:
        """Give the case with the correction that the recoveries tell by now; None where it would be the same."""
        from casebook.runtime.learning.proposal import propose  # see the detector

        held = known.loaded.case.to_json()
        events = self._events(known.claim, policy, now)
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
        return {**held, "correction": made.correction, "correction_by": made.correction_by}

    def _events(self, claim: Claim, policy: Policy, now: datetime) -> tuple[EventRecord, ...]:
        """Read the occurrences that a case is made of."""
        rules = policy.detector
        found = self._desk.journal.events(signature=claim.signature, counted=True, limit=kept(rules))
        return members(found, Group(claim.user, claim.shared, 0), rules, now)

    # -- corrections ---------------------------------------------------------------------------------------------------------

    def corrected(self, event: EventRecord, policy: Policy, now: datetime) -> Learnt:
        """Take in what somebody says works instead.

        It becomes the case's correction where the case is this user's own and still says what the detector wrote: a person's
        word takes the place of all but a person's, an agent's of what nobody had said. Else it waits in the review queue: what
        one user says is told to nobody else before a person has agreed to it.
        """
        text = event.body.get("correction")
        signature = self._signature_of(event)
        if signature is None or not isinstance(text, str) or not text.strip():
            return NOTHING
        ledger = self._ledger(signature)
        if finish_all(self._desk, ledger, now):
            ledger = self._ledger(signature)
        known = self._known(ledger, event.principal)
        if known is None:
            return NOTHING
        claim, loaded = known.claim, known.loaded
        by = "person" if event.body.get("correction_by") == "person" else "agent"
        held = loaded.case.to_json()
        form = corrected_form(held, event, self._events(claim, policy, now), policy)
        if form["correction_by"] != by or form == held:
            return Learnt(signature, 0, claim.case_id)
        own = not claim.shared and claim.user == event.principal.user and is_ours(self._desk, ledger, loaded)
        if not own or _RANK[by] <= _RANK[loaded.case.correction_by]:
            offer = {"kind": "correction", "by": by, "event": event.id, "proposal": form}
            entry = queued(claim, now, "recovery", offer, key=f"correction:{_digest([by, form['correction']])}")
            self._desk.journal.append((entry,))
            return Learnt(signature, 0, claim.case_id)
        body = {"case": form, "user": claim.user, "shared": False, "by": event.principal.user, "event": event.id}
        generation = ledger.following(claim.case_id)
        self._desk.journal.append(
            (claiming("correct", claim.case_id, generation, now, signature=signature, body=body),)
        )
        self._desk.passed("claimed")
        again = self._ledger(signature)
        newest = again.newest(claim.case_id)
        if newest is not None:
            finish(self._desk, again, newest, now)
        return Learnt(signature, 0, claim.case_id)

    def made_up_for(self, event: EventRecord, policy: Policy, now: datetime) -> None:
        """Take in a correction that a process was killed over; one that was dealt with, or that the case was made of, is not."""
        signature = self._signature_of(event)
        if signature is None:
            return
        for each in self._desk.journal.entries(signature=signature):
            if each.body.get("event") == event.id or (each.action in ("promote", "share") and each.at >= event.at):
                return
        self.corrected(event, policy, now)

    def _signature_of(self, event: EventRecord) -> str | None:
        """Give the signature of the error that a correction is about.

        That is its own; that of the case that it names; that of its activation's error, or its session's last one (of its tool,
        where it names one); that of the one learnt case that its activation was given.
        """
        if event.signature is not None:
            return event.signature
        journal = self._desk.journal
        if isinstance(named := event.body.get("case"), str):
            return self._answered_by((named,))
        about: list[EventRecord] = []
        if event.activation is not None:
            about += journal.events(activation=event.activation, counted=True)
        if event.session is not None and not _of_tool(about, event.tool):
            about += journal.events(
                session=event.session,
                user=event.principal.user,
                counted=True,
                limit=_LAST_CALLS,
                kinds=("tool", "error"),
            )
        if found := _of_tool(about, event.tool):
            return found[-1].signature
        activation = journal.activation(event.activation) if event.activation is not None else None
        fired = activation.firings if activation is not None else ()
        return self._answered_by(tuple(each.case_id for each in fired if each.how == "selected"))

    def _answered_by(self, cases: Sequence[str]) -> str | None:
        """Give the signature that the one learnt case among some answers; None where there is none, or several."""
        journal = self._desk.journal
        found = {
            entry.signature for case_id in cases for entry in journal.entries(subject=case_id, actions=ACTIONS, limit=1)
        }
        return found.pop() if len(found) == 1 else None

    def _ledger(self, signature: str) -> Ledger:
        return Ledger.of(signature, self._desk.journal.entries(signature=signature))

    def _known(self, ledger: Ledger, principal: Principal) -> _Known | None:
        """Give the learnt case of a signature that a user has, the user's own one first."""
        found: list[_Known] = []
        for case_id, claims in ledger.claims.items():
            loaded = self._desk.case(case_id)
            own = not claims[-1].shared and claims[-1].user == principal.user
            if loaded is not None and (own or within(loaded.case.scope, principal)):
                found.append(_Known(claims[-1], loaded))
        found.sort(key=lambda each: each.claim.shared or each.claim.user != principal.user)
        return found[0] if found else None


def corrected_form(
    held: Mapping[str, Any], said: EventRecord, occurrences: Sequence[EventRecord], policy: Policy
) -> dict[str, Any]:
    """Give a case with the correction that an event says: a person's as it stands, an agent's quoted and without what is private.

    Args:
        held: the case as it is.
        said: the event, `body["correction"]` and `body["correction_by"]`.
        occurrences: of the error: their ids, names and amounts are taken out of an agent's words.
        policy: for the language, and what is never kept.
    """
    from casebook.runtime.learning.correction import correction_for
    from casebook.runtime.learning.learnt_texts import Story

    silent = [replace(each, body={**each.body, "correction": None}) for each in occurrences]
    story = Story(policy.language, "", 0, 0, said.at.date(), said.at.date(), "nothing", (), Figures(0, 0, 0))
    made = correction_for(story, silent, (said,), (), users=policy.detector.users, shared=False, patterns=policy.redact)
    return {**held, "correction": made.text, "correction_by": made.by}


def _of_tool(events: Sequence[EventRecord], tool: str | None) -> list[EventRecord]:
    """Give those of a tool; all of them where none is named."""
    return [each for each in events if tool in (None, each.tool)]


def _key(event: EventRecord) -> _Key | None:
    if event.session is None or event.tool is None:
        return None
    return event.session, event.principal.user, event.tool


def _digest(told: Any) -> str:
    return hashlib.sha256(json.dumps(told, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()[:12]
