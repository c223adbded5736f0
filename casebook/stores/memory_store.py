"""The seam of every store of memories: a snapshot of what stands in the tiers, changes in batches, and the archive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from casebook.faults import Fault, StoreError
from casebook.memory import Memory
from casebook.reprs import told


@dataclass(frozen=True, slots=True)
class Placed:
    """A memory where it stands.

    Attributes:
        memory: the memory.
        path: its file, relative to the casebook's folder.
        layer: the name of its casebook; empty for a single one.
    """

    memory: Memory
    path: str
    layer: str = ""

    def __repr__(self) -> str:
        """Tell it in short: which memory, and where it stands."""
        memory = self.memory
        return told(
            self, id=memory.id, kind=memory.kind, tier=memory.tier, text=memory.text, path=self.path, layer=self.layer
        )


@dataclass(frozen=True, slots=True)
class MemorySnapshot:
    """The memories of a casebook as they stand at one moment, of every tier and status.

    Attributes:
        generation: grows with every visible change, from 1.
        memories: by id, in path order, then in the order of their file. Of equal ids the one that came last into its tier stands
            (a move that was cut short leaves two), else the one of the higher tier, else the first in path order.
        faults: what is wrong in the files, in path and file order.
        ended: the L1 files whose session has ended, each with when it did (aware, UTC).
        broken: the files whose present bytes do not serve as a whole: nothing is written there, and what came before them serves on.
    """

    generation: int
    memories: Mapping[str, Placed]
    faults: tuple[Fault, ...]
    ended: Mapping[str, datetime]
    broken: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        """Tell it in short: how many memories stand, and what does not serve."""
        return told(
            self,
            generation=self.generation,
            memories=len(self.memories),
            faults=len(self.faults),
            broken=sorted(self.broken),
        )


@dataclass(frozen=True, slots=True)
class Change:
    """One change of one memory.

    Attributes:
        before: the memory as it was seen; None where it is new.
        after: the memory as it is to be; None where it goes to the archive. Fields that somebody else changed since, and that this
            change does not touch, stay as they are.
        reason: why, kept with what is archived.
        path: the file for a new one, or for one that changes its tier; None takes the file of its tier and kind (`home_of`).
    """

    before: Memory | None
    after: Memory | None
    reason: str = ""
    path: str | None = None

    @property
    def memory_id(self) -> str:
        """Give the id of the memory."""
        found = self.after or self.before
        assert found is not None
        return found.id


Became = Literal["done", "same", "conflict", "missing"]
"""done · same: it is so already · conflict: somebody has changed the same fields, or its id is another's · missing: there is none."""


@dataclass(frozen=True, slots=True)
class Retired:
    """A memory in the archive.

    Attributes:
        memory: as it stood.
        archived_at: when it came there, aware, UTC.
        reason: why.
        origin: the file that it came from.
        pack: the file of the archive that holds it, relative to the casebook's folder.
    """

    memory: Memory
    archived_at: datetime
    reason: str
    origin: str
    pack: str

    def __repr__(self) -> str:
        """Tell it in short: which memory, when it went, and why."""
        memory, at = self.memory, self.archived_at.isoformat(timespec="seconds")
        return told(
            self, id=memory.id, kind=memory.kind, text=memory.text, archived_at=at, reason=self.reason, pack=self.pack
        )


@dataclass(frozen=True, slots=True)
class Forgetting:
    """What is to be forgotten: all that satisfies one of what is named.

    Attributes:
        user: everything of this user: scope, session files, rows of the journal.
        session: everything of this session.
        text: everything that contains this text (after NFKC and case folding).
        ids: memories, cases, sessions that were found to be concerned while looking; they are forgotten in every place, too.
        others: memories and cases that somebody else said, as far as was found while looking: a session leads to none of them.
        shared: sessions in which somebody else is known; a session is its id and its user, and these lead to nothing.
    """

    user: str | None = None
    session: str | None = None
    text: str | None = None
    ids: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    shared: frozenset[str] = frozenset()


class UnwritableError(StoreError):
    """Raised where the system refuses the change of one file: the others may be written all the same."""


class MemoryStore(Protocol):
    """The memories of one casebook. Safe from many threads and, for writing, from many processes.

    Every method but `snapshot` and `unread_bytes` raises StoreError where the store cannot be read or written, with the reason.
    """

    layer: str

    def snapshot(self, wait: bool = True) -> MemorySnapshot:  # noqa: FBT001, FBT002 - read as `snapshot(wait=False)`
        """Give what stands now, the edits of others included; the same object comes back while nothing has changed.

        Args:
            wait: whether to wait while another thread reads; else what was last read comes at once, and where nothing was, a
                snapshot of generation 0 without memories. A thread that does not wait reads itself where no other does: ask
                `unread_bytes` first where that must not take long.
        """
        ...

    def stands(self, snapshot: MemorySnapshot) -> bool:
        """Say whether a snapshot is the last one, and nothing has changed since, as far as that is settled. Never waits."""
        ...

    def unread_bytes(self) -> int:
        """Give how many bytes the next `snapshot` has to read, looking at names and times alone; quick."""
        ...

    def change(self, changes: Sequence[Change], now: datetime) -> tuple[Became, ...]:
        """Make changes, in as few writes as may be; for each what became of it.

        A process that is killed in the midst of it leaves each memory in its old place, in its new one, or in both with the same
        id; never in none. Doing the same again completes it, and any later call clears up which of two that say the same does not
        stand. Who archives a memory that somebody has changed since (but for what is counted) meets a conflict.

        Raises:
            UnwritableError: one file may not be written; of changes to other files some may be made by then.
        """
        ...

    def archived(self, *, text: str | None = None, memory_id: str | None = None) -> Iterable[Retired]:
        """Give what is in the archive, packs included, the newest first: all, of one id, or whose text contains a text."""
        ...

    def restore(self, memory_id: str, now: datetime) -> Placed:
        """Bring a memory back from the archive, as it was, into its tier, where its time begins anew (`tier_since`).

        Raises:
            NotFoundError: there is none of this id in the archive.
        """
        ...

    def pack(self, before: datetime, now: datetime) -> tuple[str, ...]:
        """Pack the loose files of the archive from before an instant into `archive/YYYY-MM-DD_archive.tgz`; give the packs made."""
        ...

    def purge(self, before: datetime, *, dry: bool = False) -> tuple[str, ...]:
        """Take what came into the archive before an instant out of it for good, cases too; give the ids."""
        ...

    def forget(self, what: Forgetting, *, dry: bool = False) -> Mapping[str, int]:
        """Take all that is to be forgotten out of every file of the casebook but the journal's: tiers, cases, archive, packs, caches.

        Returns:
            How much was taken out of which place, by names such as `memories`, `cases`, `archive`, `files`; never any content.
        """
        ...
