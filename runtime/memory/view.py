"""Recall: the memories within reach that are nearest to a question, by BM25 (DESIGN section 5, related memories)."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Protocol

from casebook.faults import Fault
from casebook.kinds import Kind
from casebook.memory import Memory
from casebook.runtime.answer.isolation import Principal
from casebook.runtime.memory.backstage import Backstage
from casebook.runtime.memory.entry import Entry, reaches
from casebook.runtime.memory.indices import Indices
from casebook.runtime.memory.question import Question, Wanted
from casebook.runtime.memory.standing import Standing, TooManyError, taken
from casebook.runtime.memory.tokens import terms
from casebook.stores.memory_store import MemorySnapshot

_READ_AT_ONCE = 64_000
"""Bytes of changed files that are read while somebody waits: under 20 ms (tests/benchmarks/recall.py)."""
_TAKEN_AT_ONCE = 400
"""Memories that somebody else has read, such as upkeep after its changes, and that are taken in while somebody waits: 12 ms."""
_LARGE = 5_000
"""Memories from which on nothing is read while somebody waits: beside upkeep of 20,000 a small change took answers up to 100 ms."""
_PATIENCE = 0.02
"""Seconds that somebody waits for another's reading of a small change."""
_QUERY_CHARS = 20_000
"""Characters of a question that are looked at (ours: a long message)."""
_EXAMINED = 32
"""The best memories by score of which it is asked whether they are above the floor; what is below stands no better."""
_LOOKED_AT = 256
"""The best memories by score that are looked at for whoever does not wait: 3 ms. Of an older index all may be outdated."""
_READ = "read"


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that was found.

    Attributes:
        memory: as it stands.
        path: its file, relative to the casebook's folder.
        layer: the name of its casebook; empty for a single one.
        score: by BM25; comparable within one answer alone.
        share: how much of the weight of the question, or of the memory where that says less, is shared, 0–1.
    """

    memory: Memory
    path: str
    layer: str
    score: float
    share: float


class Reading(Protocol):
    """What is needed of a store: `casebook.stores.memory_store.MemoryStore` has it."""

    def snapshot(self, wait: bool = True) -> MemorySnapshot:  # noqa: FBT001, FBT002 - as a store has it
        """Give what stands now, the same object while nothing has changed; without waiting what was last read, while others read."""
        ...

    def unread_bytes(self) -> int:
        """Give how many bytes the next `snapshot` has to read; quick."""
        ...

    def stands(self, snapshot: MemorySnapshot) -> bool:
        """Say whether a snapshot is the last one, and the next would be the same; quick."""
        ...


class MemoryView:
    """The memories of some stores, the first of which wins on equal ids, for whoever asks. Safe from many threads, and over forks.

    Every principal is answered from the memories within its reach alone: what others have neither appears nor weighs.
    """

    def __init__(self, stores: Sequence[Reading], zone: str = "UTC") -> None:
        """Take the stores and the IANA zone of times that name none; nothing is read before the first question."""
        self.zone = zone
        self._stores = tuple(stores)
        self._backstage = Backstage()
        self._indices = Indices(self._backstage)
        self._standing: Standing | None = None
        self._taking = threading.Lock()
        _all.add(self)

    def search(
        self,
        query: str,
        principal: Principal,
        at: datetime,
        *,
        limit: int,
        floor: bool = True,
        wait: bool = True,
        kinds: Collection[Kind] | None = None,
        exclude: AbstractSet[str] = frozenset(),
    ) -> tuple[Hit, ...]:
        """Find the memories that are nearest to a question, the nearest first.

        Of equal ones what stands as a person's comes first, then the newer, then by id.

        Args:
            query: any text.
            principal: who asks.
            at: the instant, aware; what has expired by then is silent.
            limit: the most that come back.
            floor: whether only what is near enough comes back (`casebook.runtime.memory.floor`).
            wait: whether all that stands in the stores now is waited for. Without it a large change is read by a thread, and the
                answer is of what stood before; what was archived, disabled or has expired, as far as that is known, is never given.
            kinds: only memories of these kinds; None: of every kind.
            exclude: ids that are not wanted.
        """
        asked = dict.fromkeys(terms(query[:_QUERY_CHARS]))
        if not asked or limit <= 0:
            return ()
        standing = self._stands(wait=wait)
        keys = standing.keys(reaches(principal))
        if not keys:
            return ()
        index, fresh = self._indices.of(keys, standing, wait=wait)
        if index is None:
            return ()
        question = Question(tuple(asked), index, fresh)
        wanted = Wanted(standing, keys, at, self.zone, kinds, exclude)
        ranked = question.ranked(wanted, None if wait else _LOOKED_AT)
        if floor:
            ranked = filter(question.is_above, islice(ranked, max(_EXAMINED, 4 * limit)))
        return tuple(_hit(each.entry, each.score, question.share(each)) for each in islice(ranked, limit))

    def reachable(
        self, principal: Principal, at: datetime, *, kinds: Collection[Kind] | None = None, wait: bool = False
    ) -> tuple[Hit, ...]:
        """Give all live memories within reach, of some kinds or all, by layer and id; nothing was asked: their scores are 0."""
        standing = self._stands(wait=wait)
        keys = standing.keys(reaches(principal))
        wanted = Wanted(standing, keys, at, self.zone, kinds, frozenset())
        found = [entry for entry in standing.entries(keys).values() if wanted.is_wanted(entry)]
        found.sort(key=lambda entry: (entry.rank, entry.memory.id))
        return tuple(_hit(entry, 0.0, 0.0) for entry in found)

    def is_empty(self) -> bool:
        """Say whether no store holds an active memory; quick where one does."""
        standing = self._standing
        return not ((standing is not None and standing.groups) or self._stands(wait=False).groups)

    def faults(self, *, wait: bool = False) -> tuple[Fault, ...]:
        """Give what is wrong in the files, the first layer first: as they were last looked at, or, waiting, as they are now."""
        standing = self._stands(wait=True) if wait else self._standing
        return () if standing is None else tuple(fault for each in standing.snapshots for fault in each.faults)

    def close(self) -> None:
        """Let go of what was read, without waiting for a thread that reads; a later question reads it again."""
        self._backstage.close()
        self._standing = None
        self._indices = Indices(self._backstage)

    def settled(self) -> None:
        """Wait until no thread is reading or indexing."""
        self._backstage.settled()

    def leave(self) -> None:
        """Begin with locks of this process, in a child that was forked."""
        self._taking = threading.Lock()
        self._indices.start_anew()

    def _stands(self, *, wait: bool) -> Standing:
        """Give what stands, after having looked whether something has changed."""
        standing = self._standing
        if wait or standing is None:
            with self._taking:
                return self._read()
        if self._backstage.is_at(_READ):  # whoever reads much holds the store
            return standing
        if all(store.stands(each) for store, each in zip(self._stores, standing.snapshots, strict=True)):
            return standing
        is_large = sum(len(each.memories) for each in standing.snapshots) > _LARGE
        if is_large or sum(store.unread_bytes() for store in self._stores) > _READ_AT_ONCE:
            self._backstage.ask(_READ, self._read_backstage)
        elif self._taking.acquire(timeout=_PATIENCE):
            try:
                return self._read(most=_TAKEN_AT_ONCE)
            except TooManyError:
                self._backstage.ask(_READ, self._read_backstage)
            finally:
                self._taking.release()
        return self._standing or standing

    def _read(self, *, most: int | None = None, paced: bool = False) -> Standing:
        """Take what the stores give; a limit of what may have changed is for whoever does not wait. Raises TooManyError."""
        snapshots = tuple(store.snapshot(wait=most is None) for store in self._stores)
        standing, outdated = taken(self._standing, snapshots, most=most, paced=paced)
        self._standing = standing
        self._backstage.let_go(outdated)
        return standing

    def _read_backstage(self) -> None:
        with self._taking:
            self._read(paced=True)


def _hit(entry: Entry, score: float, near: float) -> Hit:
    return Hit(entry.memory, entry.placed.path, entry.placed.layer, score, near)


_all: weakref.WeakSet[MemoryView] = weakref.WeakSet()


def _leave_all() -> None:
    for each in list(_all):
        each.leave()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_all)
