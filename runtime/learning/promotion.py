"""From counted errors to a case: see to it that one answers a group, and comes up at its errors (DESIGN section 6)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from casebook.case import LoadedCase
from casebook.runtime.answer.isolation import within
from casebook.runtime.learning.claims import Claim, case_id_of
from casebook.runtime.learning.counting import own_group
from casebook.runtime.learning.finishing import finish, finish_all, merge, queue_entry
from casebook.runtime.learning.learnt import Learnt
from casebook.runtime.learning.limits_a_day import day_of, limit_told
from casebook.runtime.learning.matter import Matter, claim_text, covering, is_void, others, propose_once, proposed
from casebook.runtime.learning.reworking import expired, gone, share, widen
from casebook.runtime.learning.standing import at_fault, comes_up
from casebook.runtime.learning.tombstones import tombstone_of

_UNHELPED = frozenset({"mined", "caution"})
"""Corrections that nobody has said."""


def settle(matter: Matter) -> Learnt | None:
    """See to it that a case answers the group, and comes up at the event; None where another process was first: look again.

    Raises:
        StoreError: something cannot be read or written; what was claimed is finished later.
    """
    claim = covering(matter)
    own = case_id_of(matter.signature, matter.principal.user or "")
    if finish_all(matter.desk, matter.ledger, matter.now, but=() if claim is None else (claim.case_id, own)):
        return None
    if claim is None:
        return new_case(matter)
    if not claim.written:
        return _finished(matter, claim)
    if matter.group.shared and not claim.shared:
        learnt = share(matter, claim)
        return learnt if learnt is None else _apart(matter, claim, learnt)
    if matter.group.shared:
        merge(matter.desk, matter.ledger, claim, others(matter, claim), matter.now)
    loaded = matter.desk.case(claim.case_id)
    if loaded is None:
        return gone(matter, claim)
    if loaded.expires is not None and loaded.expires <= matter.now:
        return expired(matter, claim, loaded)
    if matter.event is None or loaded.case.status != "active" or comes_up(loaded, matter.event, matter.calls()):
        return matter.learnt(claim.case_id, draft=loaded.case.status == "draft")
    return widen(matter, claim, loaded, matter.event)


def _apart(matter: Matter, claim: Claim, learnt: Learnt) -> Learnt | None:
    """A case that has not become everyone's, by its user's will or a person's, keeps nobody else from one of their own."""
    user = matter.principal.user
    loaded = matter.desk.case(claim.case_id)
    if claim.user == user or loaded is None or (loaded.expires is not None and loaded.expires <= matter.now):
        return learnt
    own = own_group(matter.tally, user, matter.policy.detector, matter.now)
    if own.count < matter.policy.detector.threshold:
        return learnt
    return settle(replace(matter, group=own))


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
    widens = first and claim.entry.action != "promote"
    return matter.learnt(claim.case_id, made=made, draft=draft, ask=ask, widened=widens)


# -- a new case --------------------------------------------------------------------------------------------------------


def new_case(matter: Matter) -> Learnt | None:
    """Claim a case for a group that has none, unless a person, an author or a limit speaks against it."""
    rules = matter.policy.detector
    tombstone = tombstone_of(matter.ledger.log, rules)
    if tombstone is not None and (matter.now < tombstone.until or not matter.enough_since(tombstone.at)):
        return matter.learnt()
    if not all(matter.enough_since(each) for each in _retired(matter)):
        return matter.learnt()
    answer = _answer(matter)
    if answer is not None:
        return _answered(matter, answer)
    case_id = _free_id(matter)
    if case_id is None:
        return matter.learnt()
    day = day_of(matter.at)
    user = matter.principal.user
    limit = matter.limits.reached(matter.policy.limits, matter.signature, (day, user), matter.tally)
    if limit is not None:
        matter.limits.note(matter.policy.limits, limit, (day, user), matter.now, first=matter.signature)
        return matter.learnt(trouble=limit_told(matter.policy.limits, limit) if matter.event is not None else "")
    made = proposed(matter, case_id, "" if tombstone is None else tombstone.note(matter.policy))
    if made is None:
        return matter.learnt()
    claim_text(matter, "promote", case_id, made.case.to_json(), made, tombstone=tombstone is not None)
    return None


def _retired(matter: Matter) -> list[datetime]:
    """Give when upkeep archived cases of the group: only what happened since makes one again."""
    found = []
    for claims in matter.ledger.claims.values():
        gone = matter.ledger.withdrawn(claims[-1])
        if gone is not None and gone.action == "archive" and matter.group.holds(claims[-1].user):
            found.append(gone.at)
    return found


def _free_id(matter: Matter) -> str | None:
    """Give the id for a group's first case: the signature's own, else, where that is another user's case, one of the group's.

    None where a case that has nothing to do with the signature bears the id (a person is told once), or one that is at fault.
    """
    ledger = matter.ledger
    snapshot = matter.desk.store.snapshot()
    for case_id in (case_id_of(ledger.signature), case_id_of(ledger.signature, matter.group.user or "")):
        claim = ledger.newest(case_id)
        if claim is not None and not is_void(ledger, claim):
            continue
        loaded = snapshot.cases.get(case_id)
        if loaded is None:
            return None if at_fault(snapshot, case_id) else case_id
        source = loaded.case.source
        if source is None or source.signature != ledger.signature:
            propose_once(matter, case_id, "another")
            return None
    return None


def _answer(matter: Matter) -> LoadedCase | None:
    """Give a case that names the signature, is within reach of the group, and was not made here: by a person, or elsewhere.

    A folder may come without its journal: what was learnt before is then a case like any other.
    """
    for loaded in matter.standing.answering(matter.desk.store.snapshot(), matter.signature):
        claim = matter.ledger.newest(loaded.id)
        if (claim is None or is_void(matter.ledger, claim)) and _reaches(loaded, matter):
            return loaded
    return None


def _reaches(loaded: LoadedCase, matter: Matter) -> bool:
    """Say whether a case is for the group: for everyone's it has to name no user."""
    if matter.group.shared and loaded.case.scope.user is not None:
        return False
    return within(loaded.case.scope, matter.principal)


def _answered(matter: Matter, loaded: LoadedCase) -> Learnt:
    """Somebody has answered this error already; where that case does not come up at it, a person is told once."""
    event = matter.event
    silent = loaded.case.status == "active" and event is not None and not comes_up(loaded, event, matter.calls())
    if silent and event is not None:
        body = {"note": "it does not come up at this error", "event": event.id}
        entry = queue_entry(loaded.id, matter.signature, matter.now, "hand-edited", body, key="silent")
        matter.desk.journal.append((entry,))
    return matter.learnt(loaded.id)
