"""The seam of every job of upkeep: it is shown a casebook, and gives the moves that are due. It writes nothing itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol, runtime_checkable

from casebook.memory import Memory
from casebook.memory_facts import Telling
from casebook.policy import JobName, Policy
from casebook.reprs import told
from casebook.runtime.journal.protocol import Journal
from casebook.stores.memory_store import MemorySnapshot, MemoryStore, Placed
from casebook.stores.protocol import Store
from casebook.yielding import let_in

UNFINISHED = "unfinished"
"""The figure of a report whose run met trouble in the midst of its work: the next run goes on, and the schedule soon makes one."""

MoveKind = Literal[
    "distil", "demote", "promote", "expire", "archive", "merge", "restore", "ask", "note", "archive_case"
]
"""distil: L1 → L2 · demote: L2 → L1 · promote: L2 → L3 · expire: to the archive, its time is over · archive: to the archive · merge:
into another · restore: back · ask: a person is asked (review) · note: a line of the audit log alone · archive_case: a case."""


@dataclass(frozen=True, slots=True)
class Move:
    """One move that is due.

    Attributes:
        kind: what it is.
        subject: the id of the memory or case.
        rule: the rule that says so, such as `P1`, `P2`, `expire`.
        why: what it saw, in a sentence; it quotes no text of a memory.
        before, after: the memory as it is and as it is to be; after None: it goes to the archive. Both None for cases and notes.
        reason: of `ask`: why, as the review queue knows it (`contradiction`, `merge`, `outdated`, `wrong`, `idle`, `dead`,
            `unconfirmed`, `too_long`); of `archive_case` the reason kept with it.
        proposal: of `ask`: what approving does, as JSON: `{"do": "archive"}`, `{"do": "promote"}`, `{"do": "merge", "into": id,
            "memory": {…}}`, `{"do": "keep"}`, or nothing.
        others: ids of further memories or cases that it is about.
        key: tells this asking from an earlier one about the same subject, so that what a person has answered is not asked again.
    """

    kind: MoveKind
    subject: str
    rule: str
    why: str
    before: Memory | None = None
    after: Memory | None = None
    reason: str = ""
    proposal: Mapping[str, Any] = field(default_factory=dict)
    others: tuple[str, ...] = ()
    key: str = ""

    def __repr__(self) -> str:
        """Tell it in short: what is done with what, and why."""
        return told(self, kind=self.kind, subject=self.subject, rule=self.rule, why=self.why, others=self.others)


@dataclass(frozen=True, slots=True)
class Desk:
    """A casebook as a job sees it, at one instant.

    Attributes:
        now: the instant of the run, aware, UTC.
        policy: what its owner has decided.
        memories: the memories as they stand.
        tellings: by memory id, when each was told, in order.
        store: where memories are kept.
        cases: where cases are kept.
        journal: what happened.
        layer: the name of the casebook; empty for a single one.
        troubles: what a job could not decide, a sentence each: it adds to them while it plans, and the run puts them into its report.
        worked_out: what jobs have worked out of this very casebook, for those after them: `hygiene` hands it from one to the next.
    """

    now: datetime
    policy: Policy
    memories: MemorySnapshot
    tellings: Mapping[str, Sequence[Telling]]
    store: MemoryStore
    cases: Store
    journal: Journal
    layer: str = ""
    troubles: list[str] = field(default_factory=list, compare=False)
    worked_out: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def __repr__(self) -> str:
        """Tell it in short: which casebook, and how many memories stand there."""
        return told(self, layer=self.layer, now=self.now.isoformat(), memories=len(self.memories.memories))

    def each(self) -> Iterator[Placed]:
        """Give the memories one after another, and let those in who answer agents meanwhile."""
        for placed in self.memories.memories.values():
            let_in()
            yield placed

    def told(self, memory_id: str) -> Sequence[Telling]:
        """Give the tellings of a memory, in order, those of the memories that went into it among them."""
        placed = self.memories.memories.get(memory_id)
        if placed is None or not placed.memory.merged:
            return self.tellings.get(memory_id, ())
        from casebook.runtime.upkeep.reflect_counting import told_together

        return told_together(placed.memory, self.tellings, self.memories.memories)

    def has_ended(self, placed: Placed) -> bool:
        """Say whether the session of a memory's file has ended."""
        ended = self.memories.ended.get(placed.path)
        return ended is not None and ended <= self.now


class Job(Protocol):
    """One job."""

    name: JobName

    def plan(self, desk: Desk) -> Iterable[Move]:
        """Give the moves that are due. On what it has brought about it gives none."""
        ...


@runtime_checkable
class Finishing(Protocol):
    """A job that does something when its moves were made, and that is no move of a memory: it packs, purges, lets words go."""

    def finish(self, desk: Desk, *, dry: bool) -> Mapping[str, int]:
        """Do it, or in a dry run say what would be done; give figures by name, such as `packed`, `purged`, `retained`.

        Raises StoreError: it becomes a trouble of the report.
        """
        ...


@dataclass(frozen=True, slots=True)
class Report:
    """What a run of a job did, or would do.

    Attributes:
        job: which.
        at: the instant of the run.
        dry: whether nothing was written.
        done: the moves that were made, or would be; of very many only the first come with their memories, the audit log has all.
        conflicts: ids of memories that somebody changed meanwhile; the next run looks at them again.
        troubles: what went wrong, a sentence each; the rest was done.
        figures: numbers by name, such as `looked_at`, `packed`, `purged`; `unfinished` (1) where it has to be run again.
        seconds: how long it took.
        layer: the casebook.
    """

    job: JobName
    at: datetime
    dry: bool = False
    done: tuple[Move, ...] = ()
    conflicts: tuple[str, ...] = ()
    troubles: tuple[str, ...] = ()
    figures: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    layer: str = ""

    def __repr__(self) -> str:
        """Tell it in short: which job, what it did, and what went wrong."""
        return told(
            self, job=self.job, layer=self.layer, dry=self.dry or None, done=self.done, conflicts=self.conflicts,
            troubles=self.troubles, figures=dict(self.figures),
        )  # fmt: skip
