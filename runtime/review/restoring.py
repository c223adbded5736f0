"""Bringing a memory back from the archive, also where its id is another memory's by now."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from casebook.faults import StoreError
from casebook.memory import Memory
from casebook.runtime.review.review import Review
from casebook.stores.memory_merging import is_left_by_move
from casebook.stores.memory_store import Change, MemoryStore, Placed

_TRIES = 100
"""So many ids are tried (ours)."""


def restored(review: Review, store: MemoryStore, memory_id: str) -> tuple[Placed, bool]:
    """Bring the newest archived memory of an id back into its tier, where its time begins anew.

    Where another memory stands under its id, made of the same words, say, it comes back under the next that is free (`m-1-2`), and
    the archive keeps what it has. Doing it again brings no second one.

    Returns:
        The memory as it stands, and whether anything was done: not where it stands already.

    Raises:
        NotFoundError: there is none of this id.
        StoreError: it cannot be written.
    """
    stands = store.snapshot().memories.get(memory_id)
    if stands is None:
        return store.restore(memory_id, review.clock()), True
    retired = next(iter(store.archived(memory_id=memory_id)), None)
    if retired is None or is_left_by_move(stands.memory, retired.memory):
        return stands, False
    return beside(review, store, retired.memory)


def beside(review: Review, store: MemoryStore, memory: Memory) -> tuple[Placed, bool]:
    """Let a memory whose id is another's stand under the next id that is free; gives it, and whether it did not yet. Raises StoreError."""
    changes: dict[str, object] = {"tier_since": review.clock().isoformat(timespec="milliseconds")}
    if memory.status == "archived":
        changes["status"] = "active"
    for name in _ids(memory.id):
        made = memory.with_changes(id=name, **changes)
        there = store.snapshot().memories.get(name)
        if there is not None and is_left_by_move(there.memory, made):
            return there, False
        if there is not None or next(iter(store.archived(memory_id=name)), None) is not None:
            continue
        if store.change((Change(None, made),), review.clock()) != ("conflict",):
            return store.snapshot().memories[name], True
    raise StoreError(f"{memory.id} is another memory's id, and no other is free")


def _ids(memory_id: str) -> Iterator[str]:
    return (f"{memory_id}-{number}" for number, _ in zip(count(2), range(_TRIES), strict=False))
