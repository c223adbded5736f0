"""Finishing a claim: the case is written, its text kept, and the log told. Anybody may do it, and do it again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from casebook.case import Case, LoadedCase
from casebook.faults import NotFoundError, StoreError
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import Entry
from casebook.runtime.journal.versions import state, version_of
from casebook.runtime.learning.claims import ACTOR, Claim, Ledger, text_alone, written_id
from casebook.runtime.learning.standing import at_fault, changed_fields
from casebook.stores.protocol import Store

FILE = "learnt.json"
"""Where learnt cases stand, below `long_term/`."""

Ending = Literal["first", "again", "dropped"]
"""first: it is written, and it was this call that finished it · again: another had finished it · dropped: a person had decided
otherwise, and nothing was written."""

_KEPT_FIELDS = ("status", "mode", "last_triggered")
"""What a rewriting leaves as it stands: whether the case serves is for people to say once it is there."""


@dataclass(frozen=True, slots=True)
class Desk:
    """Where the detector writes.

    Attributes:
        journal: what happened, and the audit log.
        store: the cases.
        passed: called with a name after each step that was written; tests stop a process there.
    """

    journal: Journal
    store: Store
    passed: Callable[[str], None]

    def case(self, case_id: str) -> LoadedCase | None:
        """Give a case as it serves, or None."""
        return self.store.snapshot().cases.get(case_id)

    def ledger(self, signature: str) -> Ledger:
        """Read what the audit log says of a signature."""
        return Ledger.of(signature, self.journal.entries(signature=signature))


def finish(desk: Desk, ledger: Ledger, claim: Claim, now: datetime) -> Ending:
    """Write what a claim holds, as far as it is not written yet.

    A new case is put where none of its id is; a text that a person has edited, or a case that a person took away, stays so,
    and the new text waits in the review queue instead.

    Args:
        desk: where.
        ledger: what the log says of the signature.
        claim: its newest one of this case.
        now: dates the entries.

    Raises:
        StoreError: the store or the journal cannot be written: the claim stays, to be finished later.
    """
    if claim.written:
        return "again"
    try:
        is_brought = ledger.withdrawn(claim) is None and _brought(desk, ledger, claim)
    except StoreError:
        if desk.journal.entry(written_id(claim.case_id, claim.generation)) is not None:
            return "again"  # it was finished, and overtaken, in between
        raise
    if not is_brought:
        (first,) = desk.journal.append((_written(claim, now, dropped=True),))
        if first and desk.ledger(ledger.signature).withdrawn(claim) is None:
            proposal = {"proposal": dict(claim.form)}
            desk.journal.append((queued(claim, now, "hand-edited", proposal, key="hand-edited"),))
        return "dropped" if first else "again"
    desk.passed("case written")
    loaded = desk.case(claim.case_id)
    if loaded is not None:
        desk.journal.keep((version_of(loaded, now, ACTOR),))
        desk.passed("version kept")
    merge(desk, ledger, claim, claim.merged, now)
    waiting = queued(claim, now, _reason(claim), claim.entry.body.get("told", {}), key=str(claim.generation))
    entries = (_written(claim, now), *((waiting,) if claim.entry.action in ("promote", "share") else ()))
    done = desk.journal.append(entries)
    desk.passed("said")
    return "first" if done[0] else "again"


def is_ours(desk: Desk, ledger: Ledger, loaded: LoadedCase) -> bool:
    """Say whether a case says what the detector gave it, by the log as it is after the case was read: a claim comes first."""
    form = loaded.case.to_json()
    if ledger.wrote(loaded.id, form):
        return True
    return desk.ledger(ledger.signature).wrote(loaded.id, form)


def _brought(desk: Desk, ledger: Ledger, claim: Claim) -> bool:
    """Bring the case to the text of the claim; False where a person has decided otherwise."""
    snapshot = desk.store.snapshot()
    loaded = snapshot.cases.get(claim.case_id)
    if loaded is None:
        if claim.entry.action not in ("promote", "revive") or at_fault(snapshot, claim.case_id):
            return False
        desk.store.put(Case.from_json(dict(claim.form)), file=FILE)
        if desk.ledger(ledger.signature).withdrawn(claim) is None:
            return True
        _archive(desk, claim.case_id, "taken out of service while it was written")
        return False
    held = loaded.case.to_json()
    if text_alone(held) == text_alone(claim.form):
        return True
    if claim.entry.action == "promote" or not is_ours(desk, ledger, loaded):
        return False
    wanted = {**claim.form, **{name: held[name] for name in _KEPT_FIELDS if name in held}}
    for name in _KEPT_FIELDS:
        if name not in held:
            wanted.pop(name, None)
    changes, remove = changed_fields(held, wanted)
    try:
        desk.store.edit(claim.case_id, changes, remove=remove, if_version=loaded.version)
    except StoreError:
        done = desk.case(claim.case_id)  # another process may be finishing the same claim
        if done is None or text_alone(done.case.to_json()) != text_alone(claim.form):
            raise
    return True


def finish_all(desk: Desk, ledger: Ledger, now: datetime, *, but: Collection[str] = ()) -> bool:
    """Finish what is claimed of a signature and not written, of all cases but some; say whether there was any."""
    found = [claim for claim in ledger.unwritten if claim.case_id not in but]
    for claim in found:
        finish(desk, ledger, claim, now)
    return bool(found)


def merge(desk: Desk, ledger: Ledger, claim: Claim, others: Iterable[str], now: datetime) -> None:
    """Archive the cases that one takes the place of; one that a person has edited stays, and waits in review."""
    for case_id in others:
        loaded = desk.case(case_id)
        other = ledger.newest(case_id)
        if other is None or (loaded is None and not other.written):
            continue  # not there yet: whoever finishes it, or comes next, sees to it
        if loaded is not None and not is_ours(desk, ledger, loaded):
            note = {"merged": claim.case_id, "proposal": loaded.case.to_json()}
            desk.journal.append((queued(other, now, "hand-edited", note, key="merged"),))
            continue
        reason = f"merged into {claim.case_id}"
        if loaded is not None:
            _archive(desk, case_id, reason)
            desk.passed("archived")
        before = state(loaded) or {"version": "", "place": FILE, "case": dict(other.form)}
        entry_id = f"archive:{case_id}:{other.generation}:{claim.case_id}"
        body = {"reason": reason, "before": before, "after": None}
        desk.journal.append((Entry(entry_id, now, ACTOR, "archive", case_id, ledger.signature, body),))
        desk.passed("merged")
        back = desk.case(case_id)
        if back is not None and is_ours(desk, ledger, back):  # who finished it at the same time has put it again
            _archive(desk, case_id, reason)


def _archive(desk: Desk, case_id: str, reason: str) -> None:
    """Archive a case; another process may have done so."""
    with suppress(NotFoundError):
        desk.store.archive(case_id, reason=reason)


def _written(claim: Claim, now: datetime, *, dropped: bool = False) -> Entry:
    body: dict[str, Any] = {"claim": claim.entry.id, "generation": claim.generation}
    if dropped:
        body["dropped"] = True
    entry = written_id(claim.case_id, claim.generation)
    return Entry(entry, now, ACTOR, "written", claim.case_id, claim.entry.signature, body)


def _reason(claim: Claim) -> str:
    told = claim.entry.body
    return "tombstone" if told.get("tombstone") else "draft" if claim.form.get("status") == "draft" else "learnt"


def queued(claim: Claim, now: datetime, reason: str, body: Mapping[str, Any], *, key: str) -> Entry:
    """Make the entry that puts a case to review, once for each key."""
    return queue_entry(claim.case_id, claim.entry.signature, now, reason, body, key=key)


def queue_entry(
    case_id: str, signature: str | None, now: datetime, reason: str, body: Mapping[str, Any], *, key: str
) -> Entry:
    """Make the entry that puts a case, or a signature without one, to review, once for each key."""
    return Entry(f"queue:{case_id}:{key}", now, ACTOR, "queue", case_id, signature, {"reason": reason, **body})
