"""A person looks at what upkeep has moved: the digest is shown, its moves are confirmed, or one is undone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any

from casebook.clock import Clock
from casebook.faults import CasebookError, NotFoundError
from casebook.memory import Memory, UnfitMemoryError
from casebook.memory_facts import expires
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import Entry
from casebook.runtime.upkeep.applying import ARCHIVE, memory_in
from casebook.runtime.upkeep.digest import ALL, Digest, digest, standing
from casebook.runtime.upkeep.facts import UNDONE, extra, is_aged_path, iso
from casebook.runtime.upkeep.protocol import Desk
from casebook.stores.memory_store import Change, Placed

_KEPT = frozenset({"counters", "last_used", "rule_chain", "tier", "tier_since", "confirmed"})
"""Fields that an undoing sets itself, or that count on."""

_SINCE = ("move", "restore", "remember", "archive", "approve", "reject", "edit")
"""What shows that an undoing was whole: somebody has done something with the memory since."""


class ReconcileError(CasebookError):
    """A move that cannot be confirmed or undone; the message says what to do instead."""


def show(desk: Desk, actor: str, shown: Digest | None = None) -> Digest:
    """Give the digest, and write down that a person has seen it: the grace of what aged ends with that (P2).

    It is for the moment in which somebody looks; who only counts the moves calls `digest`.

    Args:
        desk: the casebook.
        actor: who looks, `person:NAME`.
        shown: what they were shown; default all that stands.

    Raises:
        StoreError: the journal cannot be read or written.
    """
    found = digest(desk.journal, patterns=desk.policy.redact) if shown is None else shown
    if found.moves:
        ids = [each.entry for each in found.moves]
        aged = sorted({each.subject for each in found.moves if each.kind == "demote"})
        name = f"digest:{sha256(repr((actor, iso(desk.now), ids)).encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
        desk.journal.append((Entry(name, desk.now, actor, "digest", body={"entries": ids, "aged": aged}),))
    return found


def confirm(journal: Journal, numbers: Iterable[int] | None, actor: str, clock: Clock) -> tuple[int, ...]:
    """Confirm moves: they are shown no more, and stay.

    Args:
        journal: the casebook's.
        numbers: of their entries; None is all that stand.
        actor: who confirms, `person:NAME`.
        clock: dates it.

    Returns:
        The numbers of the moves that were confirmed, in order.

    Raises:
        ReconcileError: one of them stands for no move that waits; nothing is confirmed then.
        StoreError: the journal cannot be read or written.
    """
    moves = {each.seq: each for each in standing(journal)}
    wanted = sorted(moves) if numbers is None else sorted(set(numbers))
    for number in wanted:
        if number not in moves:
            raise _none_such(journal, number)
    now = clock()
    entries = [_confirmed(moves[number], actor, now) for number in wanted]
    if numbers is None and wanted:
        last = wanted[-1]
        entries.append(Entry(f"confirm:all:{last}", now, actor, "confirm", ALL, body={"upto": last}))
    if entries:
        journal.append(entries)
    return tuple(wanted)


def undo(desk: Desk, number: int, actor: str) -> Placed | None:
    """Take a move back: the memory comes to the tier and content that it had, from the archive too; what came after it falls with it.

    What aged starts its time in L2 anew. The memory counts as confirmed, and the same move is not made again for the same reason.
    Undoing again completes an undoing that was cut short.

    Args:
        desk: the casebook.
        number: of the move's entry.
        actor: who undoes it, `person:NAME`.

    Returns:
        The memory where it stands now; None for a case, which is in service again.

    Raises:
        ReconcileError: it is no move, was undone or not made, or somebody has changed the memory since.
        NotFoundError: the memory is neither in a tier nor in the archive.
        StoreError: the journal or a store cannot be read or written.
    """
    entry = _move(desk.journal, number)
    known = desk.journal.entry(_undo_id(entry))
    if known is not None and not _is_cut_short(desk, entry, known):
        raise ReconcileError(f"#{number} was undone already")
    if known is None and desk.journal.entry(f"skip:{entry.id}") is not None:
        raise ReconcileError(f"#{number} was not made: somebody had changed {entry.subject}, and it was left as it was")
    if entry.body.get("kind") == "archive_case":
        _undo_case(desk, entry, actor)
        return None
    if memory_in(entry.body, "before") is None:
        raise ReconcileError(f"#{number} changed no memory, and there is nothing to undo")
    return _bring(desk, entry, actor, known)


def _bring(desk: Desk, entry: Entry, actor: str, known: Entry | None) -> Placed:
    """Bring a memory of the tiers or of the archive to what it was before a move."""
    later = _later(desk.journal, entry, known)
    at = desk.now if known is None else known.at
    held = desk.store.snapshot().memories.get(entry.subject)
    if held is None:
        retired = next(iter(desk.store.archived(memory_id=entry.subject)), None)
        if retired is None:
            raise NotFoundError(
                f"{entry.subject} is neither in a tier nor in the archive; it was purged, or taken away"
            )
        moved = retired.memory
    else:
        moved = held.memory
        if known is None:
            _refuse_changed(entry, later, held)
    target, path = _target(desk, entry, later, moved, actor=actor, at=at)
    if known is None:
        desk.journal.append([_undone(desk, each, actor, target) for each in (entry, *later)])
    if held is None:
        held = desk.store.restore(entry.subject, desk.now)
        if held.memory.to_json() != moved.to_json():
            target, path = _target(desk, entry, later, held.memory, actor=actor, at=at)
    if held.memory.to_json() != target.to_json():
        (became,) = desk.store.change((Change(held.memory, target, path=path),), desk.now)
        if became not in ("done", "same"):
            raise _changed(entry, "it")
    found = desk.store.snapshot().memories.get(entry.subject)
    return found if found is not None else Placed(target, path or held.path, desk.layer)


def _target(
    desk: Desk, entry: Entry, later: list[Entry], moved: Memory, *, actor: str, at: datetime
) -> tuple[Memory, str | None]:
    """Give the memory as it is to be after an undoing, and the file for it (None: that of its tier and kind).

    Args:
        desk: the casebook.
        entry: the move.
        later: the moves after it, which fall with it.
        moved: the memory as it is now, or as it lies in the archive.
        actor: who undoes it.
        at: when.
    """
    before = memory_in(entry.body, "before")
    assert before is not None
    former, is_aged = before.to_json(), is_aged_path(str(entry.body.get("from", "")))
    changes: dict[str, Any] = {}
    for each in (*reversed(later), entry):  # the content that the moves changed, the last first
        first, then = _form(each, "before"), _form(each, "after")
        if then:
            changes |= {name: first.get(name) for name in {**first, **then} if first.get(name) != then.get(name)}
    changes = {name: value for name, value in changes.items() if name not in _KEPT}
    tier = "L2" if is_aged and former["tier"] == "L1" else former["tier"]
    end = expires(before, desk.policy.timezone)
    if end is not None and end <= at:
        changes["expires_at"] = None
    kind = str(entry.body.get("kind"))
    kinds = dict.fromkeys((kind, *(str(each.body.get("kind")) for each in later), *(("demote",) if is_aged else ())))
    steps = [step.model_dump(mode="json") for step in moved.rule_chain]
    steps += [
        {
            "rule": UNDONE,
            "why": f"#{entry.seq}: {each} of {entry.body.get('job')} was taken back by {actor}",
            "at": iso(at),
            "move": each,
            "pinned": moved.pinned,
        }
        for each in kinds
    ]
    path = None if tier != former["tier"] else str(entry.body.get("from") or "") or None
    changes |= {"tier": tier, "tier_since": iso(at), "confirmed": True, "rule_chain": steps}
    try:
        return moved.with_changes(**changes), path
    except UnfitMemoryError as error:
        raise ReconcileError(f"#{entry.seq} {entry.subject} cannot be brought back: {error}") from None


def _refuse_changed(entry: Entry, later: list[Entry], held: Placed) -> None:
    """Raise ReconcileError where somebody has changed, since the moves that are undone, what they changed, or brought it back."""
    last = later[-1] if later else entry
    before, after = _form(last, "before"), _form(last, "after")
    now = held.memory.to_json()
    if not after:
        raise ReconcileError(
            f"#{entry.seq} {entry.subject} is in {held.path} again: somebody has brought it back, and there is nothing to undo"
        )
    for name in sorted({*before, *after} - {"counters", "last_used", "rule_chain", "confirmed"}):
        if before.get(name) != after.get(name) and now.get(name) not in (after.get(name), before.get(name)):
            raise _changed(entry, name)


def _is_cut_short(desk: Desk, entry: Entry, known: Entry) -> bool:
    """Say whether an undoing was written down and not done: nothing of it is to be seen, and nothing was done after it."""
    if entry.body.get("kind") == "archive_case":
        return entry.subject not in desk.cases.snapshot().cases
    later = desk.journal.entries(subject=entry.subject, actions=_SINCE, after=known.seq)
    if later:
        return False
    held = desk.store.snapshot().memories.get(entry.subject)
    if held is None:
        return True
    at = iso(known.at)
    return not any(step.rule == UNDONE and extra(step).get("at") == at for step in held.memory.rule_chain)


def _undo_case(desk: Desk, entry: Entry, actor: str) -> None:
    desk.journal.append((_undone(desk, entry, actor, None),))
    if entry.subject not in desk.cases.snapshot().cases:
        desk.cases.restore(entry.subject)


def _later(journal: Journal, entry: Entry, known: Entry | None) -> list[Entry]:
    """Give the moves of a subject after one, confirmed ones too, that were made and not undone, or undone with it, in order."""
    entries = journal.entries(subject=entry.subject, actions=("move", "skip", "undo"), after=entry.seq)
    gone = {
        str(each.body.get("entry"))
        for each in entries
        if each.action == "skip" or (each.action == "undo" and (known is None or each.at != known.at))
    }
    return [each for each in entries if each.action == "move" and each.id not in gone]


def _move(journal: Journal, number: int) -> Entry:
    """Give the entry of a move by its number. Raises ReconcileError."""
    for entry in journal.entries(actions=("move",), after=max(number - 1, 0)):
        if entry.seq == number:
            return entry
        break
    raise _none_such(journal, number)


def _none_such(journal: Journal, number: int) -> ReconcileError:
    """Give the error for a number that stands for no move that waits, with what it stands for."""
    found = next(iter(journal.entries(after=max(number - 1, 0))), None)
    if found is None or found.seq != number:
        return ReconcileError(f"#{number} is no entry of the audit log; `casebook reconcile` shows the moves that wait")
    if found.action != "move":
        return ReconcileError(
            f"#{number} is no move of upkeep but {found.action} {found.subject}; `casebook review undo {number}` may take it back"
        )
    return ReconcileError(f"#{number} {found.subject} was confirmed, undone or not made already")


def _changed(entry: Entry, name: str) -> ReconcileError:
    return ReconcileError(
        f"#{entry.seq} {entry.subject}: {name} has been changed since, and is left as it is; `casebook show {entry.subject}` shows it, "
        f"`casebook edit {entry.subject}` changes it"
    )


def _undo_id(entry: Entry) -> str:
    return f"undo:{entry.id}"


def _undone(desk: Desk, entry: Entry, actor: str, target: Memory | None) -> Entry:
    body = {
        "entry": entry.id, "undone": "move", "number": entry.seq, "kind": entry.body.get("kind"),
        "job": entry.body.get("job"), "before": entry.body.get("after"), "after": None if target is None else target.to_json(),
        "from": entry.body.get("to", ARCHIVE), "to": entry.body.get("from", ""),
    }  # fmt: skip
    return Entry(_undo_id(entry), desk.now, actor, "undo", entry.subject, body=body)


def _confirmed(entry: Entry, actor: str, now: datetime) -> Entry:
    kind = entry.body.get("kind")
    body = {
        "entry": entry.id, "number": entry.seq, "kind": kind, "aged": [entry.subject] if kind == "demote" else [],
    }  # fmt: skip
    return Entry(f"confirm:{entry.id}", now, actor, "confirm", entry.subject, body=body)


def _form(entry: Entry, name: str) -> Mapping[str, Any]:
    found = entry.body.get(name)
    return found if isinstance(found, Mapping) else {}
