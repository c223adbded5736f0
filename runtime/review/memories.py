"""What a person does to a memory by its id: edit, archive, restore, mute, say that it is wrong; each a line that can be undone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from casebook.faults import NotFoundError, StoreError, nearest
from casebook.memory import Memory, Step
from casebook.memory_facts import Telling
from casebook.runtime.journal.records import Entry
from casebook.runtime.review.judging import because_in
from casebook.runtime.review.restoring import restored
from casebook.runtime.review.review import Review, memories_of
from casebook.stores.memory_store import Change, Placed, Retired

TOLD_ACTIONS = (
    "remember",
    "move",
    "edit",
    "archive",
    "restore",
    "revert",
    "mute",
    "unmute",
    "wrong",
    "approve",
    "reject",
    "undo",
    "queue",
    "confirm",
)
"""Actions of the audit log that a memory's story tells."""


@dataclass(frozen=True, slots=True)
class MemoryStory:
    """How a memory came to stand where it does.

    Attributes:
        memory_id: which.
        placed: where it stands, or None.
        retired: how it stands in the archive, where it is in no tier; else None.
        chain: the rules that decided, in order.
        entries: the lines of the audit log about it, in order.
        tellings: when it was told, in order.
    """

    memory_id: str
    placed: Placed | None
    retired: Retired | None
    chain: tuple[Step, ...]
    entries: tuple[Entry, ...]
    tellings: tuple[Telling, ...]


def why_memory(review: Review, memory_id: str) -> MemoryStory | None:
    """Give how a memory came to stand where it does; None where nothing is known of one of this id. Raises StoreError."""
    placed = review.memory(memory_id)
    retired = None if placed is not None else _retired(review, memory_id)
    entries = tuple(each for each in entries_of(review, memory_id) if each.action in TOLD_ACTIONS)
    memory = placed.memory if placed is not None else retired.memory if retired is not None else None
    if memory is None:
        return None
    merged = (memory_id, *memory.merged)
    told = review.journal.tellings(merged)
    tellings = sorted((each for name in merged for each in told.get(name, ())), key=lambda each: each.at)
    return MemoryStory(memory_id, placed, retired, memory.rule_chain, entries, tuple(tellings))


def entries_of(review: Review, memory_id: str) -> tuple[Entry, ...]:
    """Give the lines of the audit log about a memory, in order: its own, and judgments of another that changed it, too."""
    own = review.journal.entries(subject=memory_id)
    judged = (
        each
        for each in review.journal.entries(actions=("approve", "reject", "undo"))
        if each.subject != memory_id and any(one.get("id") == memory_id for one in each.body.get("memories") or ())
    )
    return tuple(sorted([*own, *judged], key=lambda each: each.seq))


def edit_memory(
    review: Review,
    memory_id: str,
    changes: Mapping[str, Any],
    remove: Iterable[str] = (),
    *,
    action: str = "edit",
    because: str = "",
) -> tuple[Placed, Entry | None]:
    """Change fields of a memory.

    Args:
        review: the desk.
        memory_id: which.
        changes: fields to their new JSON values.
        remove: fields to take out.
        action: what the log calls it.
        because: the person's reason.

    Returns:
        The memory as it stands, and the line of the log; None where nothing was changed.

    Raises:
        NotFoundError: there is no such memory.
        UnfitMemoryError: it would be none.
        StoreError: it cannot be written.
    """
    placed = found(review, memory_id)
    gone = set(remove)
    form = {name: value for name, value in {**placed.memory.to_json(), **changes}.items() if name not in gone}
    if form.get("id") != memory_id:
        raise StoreError(f"{memory_id}: the id of a memory stays as it is")
    if "tier" in changes and changes["tier"] != placed.memory.tier:
        form["tier_since"] = review.clock().isoformat(timespec="milliseconds")
    after = Memory.from_json(form)
    if after == placed.memory:
        return placed, None
    entry = _change(review, action, placed.memory, after, because)
    return found(review, memory_id), entry


def archive_memory(review: Review, memory_id: str, *, reason: str, because: str = "") -> Entry:
    """Move a memory to the archive. Raises NotFoundError, StoreError."""
    return _change(review, "archive", found(review, memory_id).memory, None, because or reason, reason=reason)


def restore_memory(review: Review, memory_id: str) -> tuple[Placed, Entry | None]:
    """Bring a memory back from the archive, to the tier that it had; its time there begins anew.

    Returns:
        The memory, under another id where its own is another's by now, and the line of the log; None where it stands already.

    Raises:
        NotFoundError: there is none in the archive.
        StoreError: it cannot be written.
    """
    store = memories_of(review.store)
    if store is None:
        raise NotFoundError(f"no memory called {memory_id} is in the archive")
    placed, is_done = restored(review, store, memory_id)
    if not is_done:
        return placed, None
    name = placed.memory.id
    body = {"memories": [{"id": name, "before": None, "after": placed.memory.to_json()}]}
    return placed, review.written(review.line("restore", name, None, body))


def set_status(review: Review, memory_id: str, *, muted: bool, because: str = "") -> tuple[Placed, Entry | None]:
    """Silence a memory, or let it be recalled again; None for the line where nothing was changed. Raises NotFoundError, StoreError."""
    placed = _judged(found(review, memory_id))
    if (placed.memory.status == "disabled") == muted:
        return placed, None
    after = placed.memory.with_changes(status="disabled" if muted else "active")
    entry = _change(review, "mute" if muted else "unmute", placed.memory, after, because)
    return found(review, memory_id), entry


def wrong_memory(review: Review, memory_id: str, *, because: str = "") -> Entry:
    """Take somebody's word that a memory is wrong: it is not recalled until a person has looked. Raises NotFoundError, StoreError."""
    placed = _judged(found(review, memory_id))
    after = placed.memory.with_changes(status="to_judge")
    entry = _change(review, "wrong", placed.memory, after, because)
    place = {"file": placed.path, "kind": placed.memory.kind}
    body = {
        "reason": "wrong",
        **because_in(review, because),
        "memory": place,
        "proposal": {"do": "archive"},
        "others": [],
    }
    ask = Entry(
        f"ask:wrong:{memory_id}:{entry.id}",
        review.clock(),
        review.actor,
        "queue",
        memory_id,
        body={**body, "wrong": entry.id},
    )
    review.written(ask)
    return entry


def found(review: Review, memory_id: str) -> Placed:
    """Give a memory as it stands now. Raises NotFoundError, which names the nearest."""
    placed = review.memory(memory_id)
    if placed is None:
        store = memories_of(review.store)
        if store is not None and _retired(review, memory_id) is not None:
            raise NotFoundError(f"{memory_id} is in the archive; `casebook restore {memory_id}` brings it back")
        near = nearest(memory_id, store.snapshot().memories) if store is not None else None
        raise NotFoundError(f"there is no memory {memory_id!r} here" + (f"; did you mean {near}?" if near else ""))
    return placed


def _judged(placed: Placed) -> Placed:
    """Give a memory back; raise NotFoundError for one that waits: what it is to be, its judgment says."""
    if placed.memory.status == "to_judge":
        raise NotFoundError(
            f"{placed.memory.id} waits for a person: `casebook review approve` or `casebook review reject` judges it"
        )
    return placed


def _change(review: Review, action: str, before: Memory, after: Memory | None, because: str, **said: Any) -> Entry:
    """Change a memory and write the line that can undo it. Raises StoreError where somebody has changed it in this moment."""
    store = memories_of(review.store)
    assert store is not None
    reason = str(said.get("reason") or because or action)
    (became,) = store.change((Change(before, after, reason),), review.clock())
    if became in ("conflict", "missing"):
        raise StoreError(f"{before.id} has just been changed by somebody else; look at it again")
    memory = {"id": before.id, "before": before.to_json(), "after": after.to_json() if after is not None else None}
    body = {**because_in(review, because), **said, "memories": [memory]}
    return review.written(review.line(action, before.id, None, body))


def _retired(review: Review, memory_id: str) -> Retired | None:
    store = memories_of(review.store)
    return None if store is None else next(iter(store.archived(memory_id=memory_id)), None)
