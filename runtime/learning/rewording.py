"""Somebody says what works: the words become a learnt case's correction, or wait in the review queue (DESIGN section 6)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from casebook.case import Case, LoadedCase
from casebook.policy import Policy
from casebook.runtime.answer.isolation import Principal, within
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.backtest import Figures
from casebook.runtime.learning.claims import ACTIONS, Claim, Ledger, claiming, is_approved
from casebook.runtime.learning.counting import Group, kept, members
from casebook.runtime.learning.finishing import Desk, finish_all, is_ours, queue_entry
from casebook.runtime.learning.learnt import NOTHING, Learnt
from casebook.runtime.learning.past import JournalCalls
from casebook.runtime.learning.standing import Standing

_LAST_CALLS = 10
"""Errors of a session, the newest, among which the one that a correction is about is looked for."""
_OCCURRENCES = 50
"""Occurrences, the newest, whose ids, names and amounts are taken out of an agent's words."""
_LOOKS = 4
"""How often a correction is taken up again because another process was first."""

RANK = {"caution": 0, "mined": 1, "agent": 2, "person": 3}
"""Whose correction takes the place of whose: a person's of all but a person's, an agent's of what nobody said."""


@dataclass(frozen=True, slots=True)
class Known:
    """A learnt case that a user may know of: its newest claim, and how it stands."""

    claim: Claim
    loaded: LoadedCase


class Rewording:
    """Takes corrections in."""

    def __init__(self, desk: Desk, standing: Standing) -> None:
        """Take where the detector reads and writes, and what finds the cases of a signature."""
        self._desk = desk
        self._standing = standing

    def corrected(self, event: EventRecord, policy: Policy, now: datetime) -> Learnt:
        """Take in what somebody says works instead.

        It becomes the case's correction where the case is this user's own and still says what the detector wrote: a person's
        word takes the place of all but a person's, an agent's of what nobody had said. Else it waits in the review queue: what
        one user says is told to nobody else before a person has agreed to it, and what is held to nobody at all.
        """
        for _ in range(_LOOKS):
            learnt = self._corrected(event, policy, now)
            if learnt is not None:
                return learnt
        return Learnt(
            event.signature, trouble="a correction was overtaken by others again and again, and is not taken in"
        )

    def _corrected(self, event: EventRecord, policy: Policy, now: datetime) -> Learnt | None:
        """Take a correction in; None where another process was first: look again."""
        text = event.body.get("correction")
        signature = self._signature_of(event)
        if signature is None or not isinstance(text, str) or not text.strip():
            return NOTHING
        ledger = self._desk.ledger(signature)
        if finish_all(self._desk, ledger, now):
            ledger = self._desk.ledger(signature)
        known = known_case(self._desk, ledger, event.principal)
        if known is None:
            return self._brought_along(signature, event, policy, now)
        claim, loaded = known.claim, known.loaded
        by = _whose(event)
        held = loaded.case.to_json()
        form = self._form(held, event, made_of(self._desk, claim, policy, now), policy)
        if form["correction_by"] != by or form == held:
            return Learnt(signature, 0, claim.case_id)
        own = not claim.shared and claim.user == event.principal.user and is_ours(self._desk, ledger, loaded)
        stands = loaded.case.correction_by
        if by == "person" and is_approved(
            held, claim
        ):  # a person's own words are better than what a person has let pass
            stands = Case.from_json(dict(claim.form)).correction_by
        if not own or event.body.get("held") or RANK[by] <= RANK[stands]:
            return self._offered(claim.case_id, signature, form, event, now)
        body = {"case": form, "user": claim.user, "shared": False, "by": event.principal.user, "event": event.id}
        generation = ledger.following(claim.case_id)
        claimed = claiming("correct", claim.case_id, generation, now, signature=signature, body=body)
        (won,) = self._desk.journal.append((claimed,))
        self._desk.passed("claimed")
        finish_all(self._desk, self._desk.ledger(signature), now)
        return Learnt(signature, 0, claim.case_id, widened=True) if won else None

    def _brought_along(self, signature: str, event: EventRecord, policy: Policy, now: datetime) -> Learnt:
        """Offer a correction for a case that was not made here: a person wrote it, or it came with the folder."""
        loaded = self._standing.serving(self._desk.store.snapshot(), signature, event.principal, now)
        if loaded is None:
            return NOTHING
        held = loaded.case.to_json()
        found = self._desk.journal.events(signature=signature, counted=True, limit=_OCCURRENCES)
        form = self._form(held, event, [each for each in found if within(loaded.case.scope, each.principal)], policy)
        if form["correction_by"] != _whose(event) or form["correction"] == held["correction"]:
            return Learnt(signature, 0, loaded.id)
        return self._offered(loaded.id, signature, form, event, now)

    def _offered(
        self, case_id: str, signature: str, form: Mapping[str, Any], event: EventRecord, now: datetime
    ) -> Learnt:
        """Put a case with another correction to review, once for each wording."""
        by = _whose(event)
        offer = {"kind": "correction", "by": by, "event": event.id, "proposal": form}
        key = f"correction:{digest([by, form['correction']])}"
        self._desk.journal.append((queue_entry(case_id, signature, now, "recovery", offer, key=key),))
        return Learnt(signature, 0, case_id)

    def _form(
        self, held: Mapping[str, Any], said: EventRecord, occurrences: Sequence[EventRecord], policy: Policy
    ) -> dict[str, Any]:
        """Give a case with the correction that an event says: a person's as it stands, an agent's without what is private.

        That are the ids, names and amounts of the newest occurrences, and of their sessions and its own.
        """
        from casebook.runtime.learning.correction import correction_for, sessions_of
        from casebook.runtime.learning.learnt_texts import Story

        newest = occurrences[-_OCCURRENCES:]
        around = sessions_of((*newest, said), JournalCalls(self._desk.journal))
        silent = [replace(each, body={**each.body, "correction": None}) for each in newest]
        story = Story(policy.language, "", 0, 0, said.at.date(), said.at.date(), "nothing", (), Figures(0, 0, 0))
        offered = replace(said, body={**said.body, "held": None})
        made = correction_for(
            story,
            silent,
            (offered,),
            (),
            around=around,
            users=policy.detector.users,
            shared=False,
            patterns=policy.redact,
        )
        return {**held, "correction": made.text, "correction_by": made.by}

    def made_up_for(self, event: EventRecord, policy: Policy, now: datetime) -> None:
        """Take in a correction that a process was killed over; one that was dealt with, or that the case was made of, is not."""
        signature = self._signature_of(event)
        if signature is None:
            return
        for each in self._desk.journal.entries(signature=signature):
            of_it = each.action in ("promote", "share") and each.at >= event.at and not event.body.get("held")
            if each.body.get("event") == event.id or of_it:
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
        """Give the signature that the one learnt case among some answers, else that one of them names; None for several."""
        journal = self._desk.journal
        found = {
            entry.signature for case_id in cases for entry in journal.entries(subject=case_id, actions=ACTIONS, limit=1)
        }
        if not found:
            held = self._desk.store.snapshot().cases
            sources = [held[each].case.source for each in cases if each in held]
            found = {each.signature for each in sources if each is not None and each.signature is not None}
        return found.pop() if len(found) == 1 else None


def _whose(event: EventRecord) -> Literal["person", "agent"]:
    """Give whose words a correction is."""
    return "person" if event.body.get("correction_by") == "person" else "agent"


def known_case(desk: Desk, ledger: Ledger, principal: Principal) -> Known | None:
    """Give the learnt case of a signature that a user has, the user's own one first."""
    found: list[Known] = []
    for case_id, claims in ledger.claims.items():
        loaded = desk.case(case_id)
        own = not claims[-1].shared and claims[-1].user == principal.user
        if loaded is not None and (own or within(loaded.case.scope, principal)):
            found.append(Known(claims[-1], loaded))
    found.sort(key=lambda each: each.claim.shared or each.claim.user != principal.user)
    return found[0] if found else None


def made_of(desk: Desk, claim: Claim, policy: Policy, now: datetime) -> tuple[EventRecord, ...]:
    """Read the occurrences that a case is made of."""
    rules = policy.detector
    found = desk.journal.events(signature=claim.signature, counted=True, limit=kept(rules))
    return members(found, Group(claim.user, claim.shared, 0), rules, now)


def _of_tool(events: Sequence[EventRecord], tool: str | None) -> list[EventRecord]:
    """Give those of a tool; all of them where none is named."""
    return [each for each in events if tool in (None, each.tool)]


def digest(told: Any) -> str:
    """Give a short name of a JSON value, the same everywhere: 12 digits of base 16."""
    return hashlib.sha256(json.dumps(told, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()[:12]
