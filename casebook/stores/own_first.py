"""A project's memories beside the user's own: one that has the id of a memory of the user's never takes its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from casebook.faults import Fault
from casebook.stores.memory_store import Became, Change, Forgetting, MemorySnapshot, MemoryStore, Placed, Retired

_MESSAGE = "it has the id of a memory of your own casebook, which stands; this one is left out"
_CURE = "give it another id"


@dataclass(frozen=True, slots=True)
class _Seen:
    """A snapshot, and what it was made of; the same parts make the same one."""

    theirs: MemorySnapshot
    own: MemorySnapshot
    made: MemorySnapshot


class OwnFirst:
    """The store of a casebook that is served before the user's own. Safe from many threads; what it writes goes to its files as ever.

    Who can write a project's files knows the id that the user's own words have, for it is made of them. So a memory with such an id is
    left out, whatever it says, and is told as a fault; also where the user's own is muted, waits or has expired.

    Attributes:
        layer: the name that its memories bear.
    """

    def __init__(self, memories: MemoryStore, own: MemoryStore) -> None:
        """Take the memories of a project and those of the user's own casebook."""
        self.layer = memories.layer
        self._memories = memories
        self._own = own
        self._seen: _Seen | None = None

    def snapshot(self, wait: bool = True) -> MemorySnapshot:  # noqa: FBT001, FBT002 - as every store has it
        """Give what stands now and is not the user's own; the same object while nothing has changed in either."""
        theirs, own, seen = self._memories.snapshot(wait), self._own.snapshot(wait), self._seen
        if seen is not None and seen.theirs is theirs and seen.own is own:
            return seen.made
        made = without_own(theirs, own)
        if seen is not None:  # it may change where only the user's own has
            made = replace(made, generation=max(theirs.generation, seen.made.generation + 1))
        self._seen = _Seen(theirs, own, made)
        return made

    def stands(self, snapshot: MemorySnapshot) -> bool:
        """Say whether a snapshot is the last one, and nothing has changed since in either. Never waits."""
        seen = self._seen
        is_last = seen is not None and seen.made is snapshot
        return is_last and seen is not None and self._memories.stands(seen.theirs) and self._own.stands(seen.own)

    def unread_bytes(self) -> int:
        """Give how many bytes the next snapshot of its own files has to read; the user's are told by their store."""
        return self._memories.unread_bytes()

    def change(self, changes: Sequence[Change], now: datetime) -> tuple[Became, ...]:
        """Make changes, as the project's store does. Raises StoreError."""
        return self._memories.change(changes, now)

    def archived(self, *, text: str | None = None, memory_id: str | None = None) -> Iterable[Retired]:
        """Give what is in the project's archive, the newest first. Raises StoreError."""
        return self._memories.archived(text=text, memory_id=memory_id)

    def restore(self, memory_id: str, now: datetime) -> Placed:
        """Bring a memory back from the project's archive. Raises NotFoundError, StoreError."""
        return self._memories.restore(memory_id, now)

    def pack(self, before: datetime, now: datetime) -> tuple[str, ...]:
        """Pack the project's archive. Raises StoreError."""
        return self._memories.pack(before, now)

    def purge(self, before: datetime, *, dry: bool = False) -> tuple[str, ...]:
        """Purge the project's archive. Raises StoreError."""
        return self._memories.purge(before, dry=dry)

    def forget(self, what: Forgetting, *, dry: bool = False) -> Mapping[str, int]:
        """Forget in the project's files, what is left out included. Raises StoreError."""
        return self._memories.forget(what, dry=dry)


def without_own(theirs: MemorySnapshot, own: MemorySnapshot) -> MemorySnapshot:
    """Give a project's memories without those that have the id of one of the user's own, each of which is a fault."""
    taken = theirs.memories.keys() & own.memories.keys()
    if not taken:
        return theirs
    left_out = [placed for name, placed in theirs.memories.items() if name in taken]
    faults = tuple(
        Fault(each.path, _MESSAGE, case=each.memory.id, field="id", suggestion=_CURE, layer=each.layer)
        for each in left_out
    )
    kept = {name: placed for name, placed in theirs.memories.items() if name not in taken}
    return replace(theirs, memories=kept, faults=(*theirs.faults, *faults))
