"""From counted errors to a case: which case answers a group, and what has to be done so that one does (DESIGN section 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from casebook.case import Case, LoadedCase
from casebook.policy import Policy
from casebook.runtime.answer.isolation import Principal, within
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.claims import Action, Claim, Ledger, case_id_of, claiming, text_alone
from casebook.runtime.learning.counting import Group, Occurrence, count_since, kept, members
from casebook.runtime.learning.finishing import Desk, finish, finish_all, merge, queue_entry, queued
from casebook.runtime.learning.learnt import Learnt
from casebook.runtime.learning.limits_a_day import DayLimits, day_of
from casebook.runtime.learning.past import JournalCalls
from casebook.runtime.learning.proposal import Proposal, propose
from casebook.runtime.learning.scope import shared_scope
from casebook.runtime.learning.standing import Standing, at_fault, comes_up
from casebook.runtime.learning.tombstones import tombstone_of
from casebook.runtime.learning.widening import widened

_UNHELPED = frozenset({"mined", "caution"})
"""Corrections that nobody has said."""


@dataclass(frozen=True, slots=True)
class Matter:
    """One group of one signature that has occurred often enough, as it stands now.

    Attributes:
        desk: where the detector writes.
        standing: finds the cases of a signature.
        limits: what each user has made the detector do today.
        policy: the casebook's.
        now: the present instant, aware, UTC.
        group: whose occurrences are counted together.
        tally: the occurrences of the signature, of all groups.
        ledger: what the audit log says of the signature.
        principal: whose occurrence brought the matter up.
        at: when that was.
        event: that occurrence; None where what was left undone is made up for.
    """

    desk: Desk
    standing: Standing
    limits: DayLimits
    policy: Policy
    now: datetime
    group: Group
    tally: Sequence[Occurrence]
    ledger: Ledger
    principal: Principal
    at: datetime
    event: EventRecord | None

    @property
    def signature(self) -> str:
        """Give the signature."""
        return self.ledger.signature

    def events(self) -> tuple[EventRecord, ...]:
        """Read the events of the group that count now."""
        most = kept(self.policy.detector)
        found = self.desk.journal.events(signature=self.signature, counted=True, limit=most)
        return members(found, self.group, self.policy.detector, self.now)

    def calls(self) -> JournalCalls:
        """Give the past that a case is tested on."""
        return JournalCalls(self.desk.journal)

    def enough_since(self, begin: datetime, *, included: bool = False) -> bool:
        """Say whether the group has had it often enough since an instant."""
        rules = self.policy.detector
        return count_since(self.tally, self.group, rules, begin, included=included) >= rules.threshold

    def learnt(self, case_id: str | None = None, **more: Any) -> Learnt:
        """Make the answer."""
        return Learnt(self.signature, self.group.count, case_id, **more)


def settle(matter: Matter) -> Learnt | None:
    """See to it that a case answers the group, and comes up at the event; None where another process was first: look again.

    Raises:
        StoreError: something cannot be read or written; what was claimed is finished later.
    """
    claim = covering(matter)
    if finish_all(matter.desk, matter.ledger, matter.now, but="" if claim is None else claim.case_id):
        return None
    if claim is None:
        return _new_case(matter)
    if not claim.written:
        return _finished(matter, claim)
    if matter.group.shared and not claim.shared:
        return _share(matter, claim)
    if matter.group.shared:
        merge(matter.desk, matter.ledger, claim, _others(matter, claim), matter.now)
    loaded = matter.desk.case(claim.case_id)
    if loaded is None:
        return _gone(matter, claim)
    if loaded.expires is not None and loaded.expires <= matter.now:
        return _expired(matter, claim, loaded)
    if matter.event is None or loaded.case.status != "active" or comes_up(loaded, matter.event, matter.calls()):
        return matter.learnt(claim.case_id, draft=loaded.case.status == "draft")
    return _widen(matter, claim, loaded, matter.event)


def covering(matter: Matter) -> Claim | None:
    """Give the newest text of the case that is the group's, whether it is written or not; None where the group has none.

    It is the signature's first case, where that is everyone's or the group's user's own; else the one made for the user. What
    a person rejected, or upkeep archived, is nobody's any more.
    """
    ledger, group = matter.ledger, matter.group
    own = case_id_of(ledger.signature, group.user or "")
    for case_id in (case_id_of(ledger.signature), *(() if group.shared else (own,))):
        claim = ledger.newest(case_id)
        if claim is None or _is_void(ledger, claim):
            continue
        names_user = "user" in claim.form.get("scope", {})
        if group.shared or claim.shared or not names_user or claim.user == group.user:
            return claim
    return None


def _is_void(ledger: Ledger, claim: Claim) -> bool:
    """Say whether a new case may take the place of one: a person's archiving is a decision, upkeep's is none."""
    gone = ledger.withdrawn(claim)
    return gone is not None and (gone.action == "reject" or not gone.actor.startswith("person"))


def _finished(matter: Matter, claim: Claim) -> Learnt | None:
    """Finish a claim, whoever made it."""
    ending = finish(matter.desk, matter.ledger, claim, matter.now)
    if ending == "again":
        return None
    first = ending == "first"
    loaded = matter.desk.case(claim.case_id)
    draft = loaded is not None and loaded.case.status == "draft"
    made = first and claim.entry.action == "promote"
    ask = made and loaded is not None and loaded.case.correction_by in _UNHELPED
    widens = first and claim.entry.action in ("widen", "share")
    return matter.learnt(claim.case_id, made=made, draft=draft, ask=ask, widened=widens)


# -- a new case --------------------------------------------------------------------------------------------------------


def _new_case(matter: Matter) -> Learnt | None:
    """Claim a case for a group that has none, unless a person, an author or a limit speaks against it."""
    rules = matter.policy.detector
    tombstone = tombstone_of(matter.ledger.log, rules)
    if tombstone is not None and (matter.now < tombstone.until or not matter.enough_since(tombstone.at)):
        return matter.learnt()
    authored = _authored(matter)
    if authored is not None:
        return _answered(matter, authored)
    case_id = _free_id(matter)
    if case_id is None:
        return matter.learnt()
    day = day_of(matter.at)
    user = matter.principal.user
    limit = matter.limits.reached(matter.policy.limits, matter.signature, (day, user), matter.tally)
    if limit is not None:
        matter.limits.note(matter.policy.limits, limit, (day, user), matter.now, first=matter.signature)
        return matter.learnt()
    made = _proposed(matter, case_id, "" if tombstone is None else tombstone.note(matter.policy))
    if made is None:
        return matter.learnt()
    _claim(matter, "promote", case_id, made.case.to_json(), made, tombstone=tombstone is not None)
    return None


def _proposed(matter: Matter, case_id: str, note: str = "") -> Proposal | None:
    """Propose a case of all that the group has lived through; None where that was forgotten meanwhile."""
    events, rules = matter.events(), matter.policy.detector
    if not events:
        return None
    return propose(
        case_id,
        matter.signature,
        events,
        matter.calls(),
        matter.policy,
        matter.now,
        scope=shared_scope(events, rules.users),
        shared=matter.group.shared,
        note=note,
        draft=bool(note),
    )


def _claim(
    matter: Matter,
    action: Action,
    case_id: str,
    form: dict[str, Any],
    made: Proposal | None = None,
    **more: Any,
) -> bool:
    """Claim a text of a case; of many processes one does."""
    told: dict[str, Any] = {}
    if made is not None:
        told = {"figures": made.figures.to_json(), "reasons": list(made.reasons)}
    body = {
        "case": form,
        "user": matter.group.user,
        "shared": matter.group.shared,
        "by": matter.principal.user,
        "event": None if matter.event is None else matter.event.id,
        "occurrences": matter.group.count,
        "told": told,
        **{name: value for name, value in more.items() if value},
    }
    generation = matter.ledger.following(case_id)
    entry = claiming(action, case_id, generation, matter.now, signature=matter.signature, body=body)
    (won,) = matter.desk.journal.append((entry,))
    matter.desk.passed("claimed")
    return won


def _free_id(matter: Matter) -> str | None:
    """Give the id for a group's first case; None where a case that the detector did not make has it (that is told once)."""
    ledger, group = matter.ledger, matter.group
    base = case_id_of(ledger.signature)
    claim = ledger.newest(base)
    taken = claim is not None and not _is_void(ledger, claim)
    case_id = case_id_of(ledger.signature, group.user or "") if taken else base
    snapshot = matter.desk.store.snapshot()
    loaded = snapshot.cases.get(case_id)
    if loaded is None and not at_fault(snapshot, case_id):
        return case_id
    if loaded is not None:
        _propose_once(matter, case_id, "another")
    return None


def _propose_once(matter: Matter, case_id: str, key: str) -> None:
    """Queue what the detector would write for a case that a person has a hand in, once."""
    if matter.desk.journal.entry(f"queue:{case_id}:{key}") is not None:
        return
    made = _proposed(matter, case_id)
    if made is None:
        return
    body = {"proposal": made.case.to_json(), "figures": made.figures.to_json(), "reasons": list(made.reasons)}
    entry = queue_entry(case_id, matter.signature, matter.now, "hand-edited", body, key=key)
    matter.desk.journal.append((entry,))


def _authored(matter: Matter) -> LoadedCase | None:
    """Give a case of somebody's that names the signature and is within reach of the group."""
    mine = matter.ledger.claims
    for loaded in matter.standing.answering(matter.desk.store.snapshot(), matter.signature):
        if loaded.id not in mine and loaded.id != case_id_of(matter.signature) and _reaches(loaded, matter):
            return loaded
    return None


def _reaches(loaded: LoadedCase, matter: Matter) -> bool:
    """Say whether a case is for the group: for everyone's it has to name no user."""
    if matter.group.shared and loaded.case.scope.user is not None:
        return False
    return within(loaded.case.scope, matter.principal)


def _answered(matter: Matter, loaded: LoadedCase) -> Learnt:
    """An author has answered this error already; where that case does not come up at it, a person is told once."""
    event = matter.event
    silent = loaded.case.status == "active" and event is not None and not comes_up(loaded, event, matter.calls())
    if silent and event is not None:
        body = {"note": "it does not come up at this error", "event": event.id}
        entry = queue_entry(loaded.id, matter.signature, matter.now, "hand-edited", body, key="silent")
        matter.desk.journal.append((entry,))
    return matter.learnt(loaded.id)


# -- a case that is there ------------------------------------------------------------------------------------------------


def _share(matter: Matter, claim: Claim) -> Learnt | None:
    """Make one user's case everyone's: of what all said, and in the place of the others' own ones."""
    loaded = matter.desk.case(claim.case_id)
    if loaded is None:
        return _gone(matter, claim)
    if loaded.expires is not None and loaded.expires <= matter.now and not matter.enough_since(loaded.expires):
        return matter.learnt()
    known = within(loaded.case.scope, matter.principal)
    told = claim.case_id if known else None
    if loaded.case.status != "active":  # silenced, or waiting for a person: not a text that takes the place of others
        return matter.learnt(told)
    if not matter.ledger.wrote(claim.case_id, loaded.case.to_json()):
        _propose_once(matter, claim.case_id, "hand-edited")
        return matter.learnt(told)
    event = matter.event
    if event is not None and matter.standing.refused(loaded, event, matter.group.count):
        return matter.learnt(told)
    made = _proposed(matter, claim.case_id)
    if made is None or made.draft:  # too many calls of all users would be warned: each keeps their own
        if event is not None:
            matter.standing.refuse(loaded, event, matter.group.count)
        return matter.learnt(told)
    _claim(matter, "share", claim.case_id, made.case.to_json(), made, merged=_others(matter, claim))
    return None


def _others(matter: Matter, claim: Claim) -> list[str]:
    """Give the ids of the users' own cases beside the one that is, or is to be, everyone's."""
    found = matter.ledger.claims.items()
    return [each for each, claims in found if each != claim.case_id and not _is_void(matter.ledger, claims[-1])]


def _gone(matter: Matter, claim: Claim) -> Learnt | None:
    """The case is not in the store: one that had expired may live again, any other was a person's decision, which is told once."""
    snapshot = matter.desk.store.snapshot()
    if at_fault(snapshot, claim.case_id):
        return matter.learnt()
    case = Case.from_json(dict(claim.form))
    ended = _end_of(case)
    if ended is not None and ended <= matter.now and matter.ledger.withdrawn(claim) is None:
        if matter.enough_since(ended, included=True):
            _claim(matter, "revive", claim.case_id, _revived(claim.form, matter.now))
            return None
        return matter.learnt()
    if matter.ledger.withdrawn(claim) is None:
        entry = queued(claim, matter.now, "hand-edited", {"proposal": dict(claim.form)}, key="gone")
        matter.desk.journal.append((entry,))
    return matter.learnt()


def _expired(matter: Matter, claim: Claim, loaded: LoadedCase) -> Learnt | None:
    """A passing failure's case has had its time: it lives again where the failure came back often enough since."""
    held = loaded.case.to_json()
    serves = loaded.case.status in ("active", "draft")
    if (
        loaded.expires is None
        or not serves
        or loaded.case.ttl is None
        or not matter.ledger.wrote(claim.case_id, held)
        or not matter.enough_since(loaded.expires, included=True)
    ):
        return matter.learnt()
    _claim(matter, "revive", claim.case_id, _revived(held, matter.now))
    return None


def _revived(form: Any, now: datetime) -> dict[str, Any]:
    return {**form, "created_at": now.isoformat()}


def _end_of(case: Case) -> datetime | None:
    """Give the instant at which a learnt case ends, or None; its `created_at` bears an offset."""
    if case.ttl_length is None or case.created_at is None:
        return None
    try:
        return datetime.fromisoformat(case.created_at) + case.ttl_length
    except (ValueError, OverflowError, TypeError):
        return None


def _widen(matter: Matter, claim: Claim, loaded: LoadedCase, event: EventRecord) -> Learnt | None:
    """Change a case that did not come up at an occurrence so that it does."""
    if matter.standing.refused(loaded, event, matter.group.count):
        return matter.learnt(claim.case_id)
    events = matter.events()
    case = loaded.case
    if not within(case.scope, event.principal):
        case = Case.from_json({**case.to_json(), "scope": _wider(matter, case, events)})
    made = widened(case, event, events, matter.calls(), matter.policy, matter.now, shared=matter.group.shared)
    form = (case if made is None else made.case).to_json()
    if text_alone(form) == text_alone(loaded.case.to_json()):
        matter.standing.refuse(loaded, event, matter.group.count)
        return matter.learnt(claim.case_id)
    if not matter.ledger.wrote(claim.case_id, loaded.case.to_json()):
        body: dict[str, Any] = {"proposal": form, "event": event.id}
        matter.desk.journal.append((queued(claim, matter.now, "hand-edited", body, key="hand-edited"),))
        return matter.learnt(claim.case_id)
    _claim(matter, "widen", claim.case_id, form, made)
    return None


def _wider(matter: Matter, case: Case, events: Sequence[EventRecord]) -> dict[str, str]:
    """Give what a scope and the occurrences still share: a key is only ever taken out, and the user's never for one user."""
    shared = shared_scope(events, matter.policy.detector.users).named
    own = {} if matter.group.shared else {"user": matter.group.user}
    return {key: name for key, name in case.scope.named.items() if {**shared, **own}.get(key) == name}
