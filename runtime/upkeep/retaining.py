"""The job `retain`: the words of tasks are kept for so many days, their counts and ids for good (DESIGN section 9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from casebook.instants import before
from casebook.policy import JobName
from casebook.runtime.upkeep.due import SCHEDULED
from casebook.runtime.upkeep.ledger import Ledger
from casebook.runtime.upkeep.protocol import Desk, Move

RUNS = timedelta(days=90)
"""How long the ledger keeps a run (ours: a job every hour writes 48 lines a day); the newest of each job stay."""


@dataclass(frozen=True, slots=True)
class Retain:
    """The job. A runtime in use does the same once a day by itself: this is for casebooks that are only kept."""

    name: JobName = "retain"

    def plan(self, desk: Desk) -> Iterable[Move]:  # noqa: ARG002 - no memory is moved
        """Give no moves."""
        return ()

    def finish(self, desk: Desk, *, dry: bool) -> Mapping[str, int]:
        """Take the words of what is older than `journal.text_days` out of the journal; the journal writes the receipt.

        Returns:
            `retained`: how many rows were changed · `lines_dropped`: how many lines of the ledger went, of runs, ticks and deliveries long over; a dry run,
            which counts nothing, says nothing.

        Raises:
            StoreError: the journal cannot be written.
        """
        if dry:
            return {}
        days = min(desk.policy.journal.text_days, timedelta.max.days)
        changed = desk.journal.retain(before(desk.now, timedelta(days=days)))
        ledger = Ledger(desk.journal)
        old = before(desk.now, RUNS)
        dropped = sum(ledger.drop(job, old) + ledger.drop_marks(job, old) for job in SCHEDULED) + ledger.drop_ticks(old)
        return {"retained": sum(changed.values()), "lines_dropped": dropped}
