"""The memories of all layers as they stand for questions, by whose they are; made anew, as far as something has changed."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from casebook.runtime.memory.entry import Entry, Reach, entry_of, reach_of
from casebook.stores.memory_store import MemorySnapshot, Placed
from casebook.uncollected import FEW, uncollected
from casebook.yielding import let_in

T = TypeVar("T")
GroupKey = tuple[int, Reach]
"""The rank of a layer, and a scope."""

_NEWCOMERS = 512
"""Memories that came lately and that an older index can be completed by; with more the index is made anew."""
_STRETCH, _REST = 40, 0.002
"""Memories that are read between two rests, about a millisecond, and seconds of a rest: whoever asks shares the interpreter."""

_LOOKED_AT = 2_000
"""Memories that are compared between two looks whether somebody answers an agent: under a millisecond."""


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """The active memories of one layer and one scope.

    Attributes:
        entries: by id.
        number: of the standing in which a text of it last came or went.
    """

    entries: Mapping[str, Entry]
    number: int


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """What stands. It never changes; the next one shares with it what has not changed.

    Attributes:
        number: grows with every change, from 1.
        snapshots: of the stores, in the order of the layers.
        layers: for each layer its active memories, by id.
        groups: the same, by whose they are.
        newcomers: the entries whose text is new to their group, each with the number of the standing that brought it, in order.
        since: the number from which on `newcomers` is whole.
    """

    number: int
    snapshots: tuple[MemorySnapshot, ...]
    layers: tuple[Mapping[str, Entry], ...]
    groups: Mapping[GroupKey, Group]
    newcomers: tuple[tuple[int, Entry], ...] = ()
    since: int = 0

    def keys(self, reaches: Iterable[Reach]) -> tuple[GroupKey, ...]:
        """Give the groups that there are of some scopes, the first layer first."""
        scopes = tuple(reaches)
        return tuple(
            (rank, scope) for rank in range(len(self.layers)) for scope in scopes if (rank, scope) in self.groups
        )

    def count(self, keys: Sequence[GroupKey]) -> int:
        """Give how many memories some groups have; one that two layers have counts twice."""
        return sum(len(self.groups[key].entries) for key in keys)

    def entries(self, keys: Sequence[GroupKey]) -> Mapping[str, Entry]:
        """Give the memories of some groups by id; of equal ids that of the first layer."""
        found: dict[str, Entry] = {}
        for key in reversed(keys):
            found.update(self.groups[key].entries)
        return found

    def entry(self, memory_id: str, keys: Sequence[GroupKey]) -> Entry | None:
        """Give the memory of an id within some groups, or None."""
        for key in keys:
            if (found := self.groups[key].entries.get(memory_id)) is not None:
                return found
        return None


class TooManyError(Exception):
    """More has changed than may be taken in while somebody waits."""


def taken(
    before: Standing | None, snapshots: tuple[MemorySnapshot, ...], *, most: int | None = None, paced: bool = False
) -> tuple[Standing, list[object]]:
    """Give what stands by the snapshots of the layers, and the entries that it no longer has.

    Args:
        before: what stood.
        snapshots: of the stores, in the order of the layers.
        most: so many memories of a layer may have changed; None: any number.
        paced: whether to rest every millisecond, so that nobody is held up.

    Returns:
        What stood before, where nothing has changed.

    Raises:
        TooManyError: more has changed.
    """
    if before is not None and all(map(_is, before.snapshots, snapshots)):
        return before, []
    growing = _Growing(before, len(snapshots), paced=paced)
    for rank, snapshot in enumerate(snapshots):
        if before is None or before.snapshots[rank] is not snapshot:
            growing.take(rank, snapshot, most)
    return growing.finished(snapshots), growing.outdated


def _is(first: object, second: object) -> bool:
    return first is second


def _let_in(items: Iterable[T]) -> Iterator[T]:
    """Give some items, and let those in who answer agents meanwhile."""
    rest = iter(items)
    while piece := list(islice(rest, _LOOKED_AT)):
        yield from piece
        let_in()


class _Growing:
    """The next standing in the making: what changes is copied first."""

    def __init__(self, before: Standing | None, layers: int, *, paced: bool) -> None:
        self._number = 1 if before is None else before.number + 1
        self._layers = list(before.layers) if before else [{} for _ in range(layers)]
        self._groups: dict[GroupKey, Group] = dict(before.groups) if before else {}
        self._changing: dict[GroupKey, dict[str, Entry]] = {}
        self._stirred: set[GroupKey] = set()
        self._newcomers = list(before.newcomers) if before else []
        self._since = before.since if before else self._number
        self._is_first = before is None
        self._is_paced = paced
        self.outdated: list[object] = []

    def take(self, rank: int, snapshot: MemorySnapshot, most: int | None) -> None:
        """Take what a layer holds now. Raises TooManyError."""
        old = self._layers[rank]
        there = snapshot.memories
        new = [
            placed
            for memory_id, placed in _let_in(there.items())
            if (
                placed.memory.status == "active"
                if (known := old.get(memory_id)) is None
                else known.placed is not placed
            )
        ]
        gone = [memory_id for memory_id in _let_in(old) if memory_id not in there]
        if not new and not gone:
            return
        if most is not None and len(new) + len(gone) > most:
            raise TooManyError
        entries, is_large = dict(old), len(there) > FEW
        for memory_id in gone:
            self.outdated.append(entries[memory_id])
            self._remove(rank, entries.pop(memory_id))
        for placed in self._slowly(new):
            known = entries.get(placed.memory.id)
            if known is not None:
                self.outdated.append(known)
            if known is not None and placed.memory.status != "active":
                self._remove(rank, entries.pop(placed.memory.id))
                continue
            entry = entries[placed.memory.id] = self._add(entry_of(placed, rank, known), known)
            if is_large:
                uncollected(entry)
        if is_large:
            uncollected(entries)
        self._layers[rank] = entries

    def _slowly(self, new: Sequence[Placed]) -> Iterator[Placed]:
        """Give some memories, and rest in between."""
        for place, placed in enumerate(new, 1):
            yield placed
            if not place % _STRETCH:
                let_in()
                if self._is_paced:
                    time.sleep(_REST)

    def finished(self, snapshots: tuple[MemorySnapshot, ...]) -> Standing:
        """Give the standing."""
        for key, entries in self._changing.items():
            number = self._number if key in self._stirred else self._groups[key].number
            if entries:
                if len(entries) > FEW:
                    uncollected(entries)
                self._groups[key] = Group(entries, number)
            else:
                self._groups.pop(key, None)
        if len(self._newcomers) > _NEWCOMERS:
            self._newcomers, self._since = [], self._number
        return Standing(self._number, snapshots, tuple(self._layers), self._groups, tuple(self._newcomers), self._since)

    def _group(self, key: GroupKey) -> dict[str, Entry]:
        if key not in self._changing:
            self._changing[key] = dict(self._groups[key].entries) if key in self._groups else {}
        return self._changing[key]

    def _add(self, entry: Entry, known: Entry | None) -> Entry:
        key = (entry.rank, reach_of(entry.memory.scope))
        if known is not None and (entry.rank, reach_of(known.memory.scope)) != key:
            self._remove(entry.rank, known)
            known = None
        self._group(key)[entry.memory.id] = entry
        if known is None or known.terms != entry.terms:
            self._stirred.add(key)
            if not self._is_first and len(self._newcomers) <= _NEWCOMERS:
                self._newcomers.append((self._number, entry))
        return entry

    def _remove(self, rank: int, known: Entry) -> None:
        key = (rank, reach_of(known.memory.scope))
        self._group(key).pop(known.memory.id, None)
        self._stirred.add(key)
