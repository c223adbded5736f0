"""A learnt case that is there: it becomes everyone's, lives again, or is widened (DESIGN section 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from casebook.case import Case, LoadedCase
from casebook.runtime.answer.isolation import within
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.claims import Claim, is_approved, text_alone
from casebook.runtime.learning.finishing import is_ours, queued
from casebook.runtime.learning.learnt import Learnt
from casebook.runtime.learning.matter import Matter, claim_text, others, propose_once, proposed
from casebook.runtime.learning.scope import shared_scope
from casebook.runtime.learning.standing import at_fault
from casebook.runtime.learning.widening import widened


def share(matter: Matter, claim: Claim) -> Learnt | None:
    """Make one user's case everyone's: of what all said, and in the place of the others' own ones."""
    loaded = matter.desk.case(claim.case_id)
    if loaded is None:
        return gone(matter, claim)
    if loaded.expires is not None and loaded.expires <= matter.now and not matter.enough_since(loaded.expires):
        return matter.learnt()
    known = within(loaded.case.scope, matter.principal)
    told = claim.case_id if known else None
    if loaded.case.status != "active":  # silenced, or waiting for a person: not a text that takes the place of others
        return matter.learnt(told)
    if not is_ours(matter.desk, matter.ledger, loaded) or is_approved(loaded.case.to_json(), claim):
        propose_once(matter, claim.case_id, "hand-edited")
        return matter.learnt(told)
    event = matter.event
    if event is not None and matter.standing.refused(loaded, event, matter.group.count):
        return matter.learnt(told)
    made = proposed(matter, claim.case_id)
    if made is None or made.draft:  # too many calls of all users would be warned: each keeps their own
        if event is not None:
            matter.standing.refuse(loaded, event, matter.group.count)
        return matter.learnt(told)
    claim_text(matter, "share", claim.case_id, made.case.to_json(), made, merged=others(matter, claim))
    return None


def gone(matter: Matter, claim: Claim) -> Learnt | None:
    """The case is not in the store: one that had expired may live again, any other was a person's decision, which is told once."""
    snapshot = matter.desk.store.snapshot()
    if at_fault(snapshot, claim.case_id):
        return matter.learnt()
    case = Case.from_json(dict(claim.form))
    ended = _end_of(case)
    if ended is not None and ended <= matter.now and matter.ledger.withdrawn(claim) is None:
        if matter.enough_since(ended, included=True):
            claim_text(matter, "revive", claim.case_id, _revived(claim.form, matter.now), of=claim)
            return None
        return matter.learnt()
    if matter.ledger.withdrawn(claim) is None:
        entry = queued(claim, matter.now, "hand-edited", {"proposal": dict(claim.form)}, key="gone")
        matter.desk.journal.append((entry,))
    return matter.learnt()


def expired(matter: Matter, claim: Claim, loaded: LoadedCase) -> Learnt | None:
    """A passing failure's case has had its time: it lives again where the failure came back often enough since."""
    held = loaded.case.to_json()
    serves = loaded.case.status in ("active", "draft")
    if (
        loaded.expires is None
        or not serves
        or loaded.case.ttl is None
        or not is_ours(matter.desk, matter.ledger, loaded)
        or not matter.enough_since(loaded.expires, included=True)
    ):
        return matter.learnt()
    claim_text(matter, "revive", claim.case_id, _revived(held, matter.now), of=claim)
    return None


def _revived(form: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    return {**form, "created_at": now.isoformat()}


def _end_of(case: Case) -> datetime | None:
    """Give the instant at which a learnt case ends, or None; its `created_at` bears an offset."""
    if case.ttl_length is None or case.created_at is None:
        return None
    try:
        return datetime.fromisoformat(case.created_at) + case.ttl_length
    except (ValueError, OverflowError, TypeError):
        return None


def widen(matter: Matter, claim: Claim, loaded: LoadedCase, event: EventRecord) -> Learnt | None:
    """Change a case that did not come up at an occurrence so that it does."""
    if matter.standing.refused(loaded, event, matter.group.count):
        return matter.learnt(claim.case_id)
    events = matter.events(claim)
    case = loaded.case
    if not within(case.scope, event.principal):
        case = Case.from_json({**case.to_json(), "scope": _wider(matter, claim, case, events)})
    made = widened(case, event, events, matter.calls(), matter.policy, matter.now, shared=claim.shared)
    form = (case if made is None else made.case).to_json()
    if text_alone(form) == text_alone(loaded.case.to_json()):
        matter.standing.refuse(loaded, event, matter.group.count)
        return matter.learnt(claim.case_id)
    if not is_ours(matter.desk, matter.ledger, loaded):
        body: dict[str, Any] = {"proposal": form, "event": event.id}
        matter.desk.journal.append((queued(claim, matter.now, "hand-edited", body, key="hand-edited"),))
        return matter.learnt(claim.case_id)
    claim_text(matter, "widen", claim.case_id, form, made, of=claim)
    return None


def _wider(matter: Matter, claim: Claim, case: Case, events: Sequence[EventRecord]) -> dict[str, str]:
    """Give what a scope and the occurrences still share: a key is only ever taken out, and the user's never for one user."""
    shared = shared_scope(events, matter.policy.detector.users).named
    own = {} if claim.shared else {"user": claim.user}
    return {key: name for key, name in case.scope.named.items() if {**shared, **own}.get(key) == name}
