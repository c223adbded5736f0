"""A learnt case is tested anew while it serves: what it is found to need is claimed and written, or waits in review."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from casebook.case import LoadedCase
from casebook.policy import Policy
from casebook.runtime.answer.isolation import within
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.claims import Claim, Ledger, claiming, is_approved
from casebook.runtime.learning.counting import Group, kept
from casebook.runtime.learning.finishing import Desk, finish_all, is_ours, queue_entry
from casebook.runtime.learning.learnt import NOTHING, Learnt
from casebook.runtime.learning.past import JournalCalls
from casebook.runtime.learning.scope import users_of
from casebook.runtime.learning.tightening import Tightened, tightened


def retest(desk: Desk, case_id: str, policy: Policy, now: datetime, *, helps: bool = False) -> Learnt:
    """Test the case of an error anew, and narrow it where it is still the detector's own text and no person approved it.

    Of any other a narrower text waits in the review queue, once. A case of the detector's that comes up too often however it
    is narrowed waits there once, with its figures, and serves on.

    Args:
        desk: where the detector reads and writes.
        case_id: of a case that serves; of one that does not, or that answers no error, nothing comes.
        policy: the casebook's.
        now: the present instant, aware.
        helps: as in `tightened`.

    Raises:
        StoreError: something cannot be read or written; what was claimed is finished later.
    """
    loaded = _serving(desk, case_id, now)
    signature = None if loaded is None else _signature_of(loaded)
    if signature is None:
        return NOTHING
    ledger = desk.ledger(signature)
    if finish_all(desk, ledger, now):
        ledger = desk.ledger(signature)
    loaded = _serving(desk, case_id, now)
    if loaded is None or _signature_of(loaded) != signature:
        return NOTHING
    claim = ledger.newest(case_id)
    occurrences, shared = _occurrences(desk, loaded, claim, policy)
    if len(occurrences) < (policy.detector.threshold if claim is None else 1):
        return NOTHING
    found = tightened(loaded.case, occurrences, JournalCalls(desk.journal), policy, now, shared=shared, helps=helps)
    if found is None:
        return NOTHING
    if claim is None or not _may_rewrite(desk, ledger, claim, loaded):
        _propose(desk, loaded, signature, found, now)
        return Learnt(signature, 0, case_id)
    won = found.narrower is not None and _claimed(desk, claim, found, ledger.following(case_id), now)
    if found.low:
        body = {"figures": found.figures.to_json()}
        desk.journal.append((queue_entry(case_id, signature, now, "needless", body, key="needless"),))
    return Learnt(signature, 0, case_id, widened=won)


def _serving(desk: Desk, case_id: str, now: datetime) -> LoadedCase | None:
    loaded = desk.case(case_id)
    if loaded is None or loaded.case.status != "active" or (loaded.expires is not None and loaded.expires <= now):
        return None
    return loaded


def _signature_of(loaded: LoadedCase) -> str | None:
    return None if loaded.case.source is None else loaded.case.source.signature


def _occurrences(
    desk: Desk, loaded: LoadedCase, claim: Claim | None, policy: Policy
) -> tuple[Sequence[EventRecord], bool]:
    """Give the errors that a case is about, however long ago, and whether they are everyone's."""
    found = desk.journal.events(signature=_signature_of(loaded), counted=True, limit=kept(policy.detector))
    if claim is not None:
        group = Group(claim.user, claim.shared, 0)
        return [each for each in found if group.holds(each.principal.user)], claim.shared
    reached = [each for each in found if within(loaded.case.scope, each.principal)]
    return reached, len(users_of(reached)) >= policy.detector.users


def _may_rewrite(desk: Desk, ledger: Ledger, claim: Claim, loaded: LoadedCase) -> bool:
    if ledger.approved(loaded.id) or is_approved(loaded.case.to_json(), claim):
        return False
    return loaded.case.effect == "advise" and is_ours(desk, ledger, loaded)


def _propose(desk: Desk, loaded: LoadedCase, signature: str, found: Tightened, now: datetime) -> None:
    if found.narrower is None:
        return
    body: dict[str, Any] = {"proposal": found.narrower.case.to_json(), **_told(found)}
    desk.journal.append((queue_entry(loaded.id, signature, now, "hand-edited", body, key="narrower"),))


def _claimed(desk: Desk, claim: Claim, found: Tightened, generation: int, now: datetime) -> bool:
    """Claim the narrower text, and write it; False where another process was first with a text of its own."""
    if found.narrower is None:
        return False
    body = {
        "case": found.narrower.case.to_json(), "user": claim.user, "shared": claim.shared, "told": _told(found),
    }  # fmt: skip
    entry = claiming("narrow", claim.case_id, generation, now, signature=claim.signature, body=body)
    (won,) = desk.journal.append((entry,))
    desk.passed("claimed")
    finish_all(desk, desk.ledger(claim.signature), now)
    return won


def _told(found: Tightened) -> dict[str, Any]:
    made = found.narrower
    return {} if made is None else {"figures": made.figures.to_json(), "reasons": list(made.reasons)}
