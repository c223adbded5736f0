"""The indices that are kept, one for each reach: who may see the same memories shares one, and nobody else's words weigh in it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from casebook.runtime.memory.backstage import Backstage
from casebook.runtime.memory.entry import Entry
from casebook.runtime.memory.index import Index, build
from casebook.runtime.memory.standing import GroupKey, Standing

_PAIRS = 6_000_000
"""Pairs of a term and a memory that are kept in all (ours): 8 bytes each, and the index that was asked last in any case."""
_AT_ONCE = 4_000
"""Memories that are indexed while somebody waits: about 10 ms."""
_PATIENCE = 0.025
"""Seconds that somebody waits for a larger one, where there is none that could serve meanwhile."""
_FRESH = 64
"""Memories that came or went since an index was made, beyond which it is made anew: each costs every question some µs."""


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """An index, what it was made of, and what came since.

    Attributes:
        index: the index; None where no memory has a term.
        keys: the groups that it was made of.
        number: the number of the standing that it was made of.
    """

    index: Index | None
    keys: tuple[GroupKey, ...]
    number: int


class Indices:
    """The indices by reach, those that were asked last, in bounded memory. Safe from many threads."""

    def __init__(self, backstage: Backstage) -> None:
        """Take who makes the large ones."""
        self._backstage = backstage
        self._kept: dict[tuple[GroupKey, ...], Kept] = {}
        self._is_begun = False
        self.start_anew()

    def start_anew(self) -> None:
        """Begin with a lock of this process."""
        self._lock = threading.Lock()

    def of(self, keys: tuple[GroupKey, ...], standing: Standing, *, wait: bool) -> tuple[Index | None, Sequence[Entry]]:
        """Give an index of some groups, and the entries that came since it was made.

        Args:
            keys: the groups within reach, the first layer first.
            standing: what stands.
            wait: whether it has to be of exactly what stands; else one that is older may serve.

        Returns:
            The index, and the entries; None where no memory has a term.
        """
        kept = self._looked_up(keys)
        if kept is not None and _is_exact(kept, keys, standing):
            return kept.index, ()
        if kept is not None and kept.index is not None and not wait and _is_near(kept, keys, standing):
            return kept.index, _newcomers(kept.number, keys, standing)
        if wait or not self._is_begun or standing.count(keys) <= _AT_ONCE:
            return self._made(keys, standing).index, ()
        done = self._backstage.ask(("index", keys), lambda: self._made(keys, standing))
        kept = kept or self._partial(keys)
        if kept is None:
            done.wait(_PATIENCE)
            kept = self._looked_up(keys)
        if kept is None:
            return build(_newcomers(0, keys, standing)), ()
        return kept.index, _newcomers(kept.number, keys, standing)[-_FRESH:]

    def _looked_up(self, keys: tuple[GroupKey, ...]) -> Kept | None:
        with self._lock:
            kept = self._kept.pop(keys, None)
            if kept is not None:
                self._kept[keys] = kept  # the last one asked stands last
        return kept

    def _partial(self, keys: tuple[GroupKey, ...]) -> Kept | None:
        """Give the largest index of some of the groups: all that it knows is within reach."""
        with self._lock:
            some = [kept for kept in self._kept.values() if kept.index and set(kept.keys) <= set(keys)]
        return max(some, key=lambda kept: len(kept.index.entries) if kept.index else 0, default=None)

    def _made(self, keys: tuple[GroupKey, ...], standing: Standing) -> Kept:
        kept = Kept(build(tuple(standing.entries(keys).values())), keys, standing.number)
        with self._lock:
            self._is_begun = True
            outdated = [self._kept.pop(keys)] if keys in self._kept else []
            self._kept[keys] = kept
            total = sum(each.index.size if each.index else 0 for each in self._kept.values())
            while total > _PAIRS and len(self._kept) > 1:
                outdated.append(self._kept.pop(next(iter(self._kept))))
                total -= outdated[-1].index.size if outdated[-1].index else 0
        for each in outdated:
            self._backstage.let_go(list(each.index.entries) if each.index else [])
        return kept


def _is_exact(kept: Kept, keys: Sequence[GroupKey], standing: Standing) -> bool:
    """Say whether an index is of exactly what stands."""
    return all(standing.groups[key].number <= kept.number for key in keys)


def _is_near(kept: Kept, keys: Sequence[GroupKey], standing: Standing) -> bool:
    """Say whether little came or went since an index was made, and all that came is known."""
    if kept.number < standing.since:
        return False
    known = len(kept.index.entries) if kept.index else 0
    came = sum(number > kept.number for number, _ in standing.newcomers)
    return came <= _FRESH and abs(standing.count(keys) - known) <= _FRESH


def _newcomers(number: int, keys: Sequence[GroupKey], standing: Standing) -> Sequence[Entry]:
    """Give the entries of some groups whose text came after a standing and is there still."""
    found: dict[str, Entry] = {}
    for came, entry in standing.newcomers:
        now = standing.entry(entry.memory.id, keys) if came > number else None
        if now is not None and now.terms == entry.terms:
            found[entry.memory.id] = now
    return tuple(found.values())
