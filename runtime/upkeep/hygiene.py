"""The job `hygiene`: all that is to be done about memories, in order, and the digest for a person (DESIGN section 8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from casebook.policy import JobName
from casebook.runtime.upkeep.digest import standing
from casebook.runtime.upkeep.hygiene_mirroring import mirror_cases, mirror_memories
from casebook.runtime.upkeep.protocol import UNFINISHED, Desk, Move

ORDER: tuple[JobName, ...] = ("expire", "age", "promote", "audit", "reflect", "compact")
"""The jobs that it runs, in this order: what is over goes first, so that nobody is asked about it."""

PASSES = 3
"""How often it runs them at most (ours): what two merged memories were told together may promote them, and more of the like."""


@dataclass(frozen=True, slots=True)
class Hygiene:
    """The job. Each of its jobs holds its own lock, is completed and reported as if it ran alone."""

    name: JobName = "hygiene"

    def plan(self, desk: Desk) -> Iterable[Move]:  # noqa: ARG002 - the jobs that it runs make their moves themselves
        """Give no moves."""
        return ()

    def finish(self, desk: Desk, *, dry: bool) -> Mapping[str, int]:
        """Run the jobs, each on the casebook as the one before has left it; mirror counters; count what the digest shows.

        A dry run shows what each would do on the casebook as it stands.

        Returns:
            The moves of each job by its name; `mirrored`: memories and cases whose file now says when they were last used;
            `to_reconcile`: the moves that a person has neither confirmed nor undone (`casebook reconcile` shows them).

        Raises:
            StoreError: the journal cannot be read. What goes wrong within a job becomes a trouble that names it.
        """
        figures: dict[str, int] = dict.fromkeys(ORDER, 0)
        for _ in range(PASSES):
            if not _pass(desk, figures, dry=dry):
                break
        now = fresh(desk)
        figures["mirrored"] = mirror_memories(now, dry=dry) + mirror_cases(now, dry=dry)
        figures["to_reconcile"] = len(standing(desk.journal))
        return figures


def _pass(desk: Desk, figures: dict[str, int], *, dry: bool) -> bool:
    """Run each job once; say whether two memories became one, by which the jobs before have something to look at again."""
    from casebook.runtime.upkeep.running import run

    merged = False
    for name in ORDER:
        report = run(name, lambda: fresh(desk), lambda: desk.now, dry=dry)
        figures[name] += len(report.done)
        if UNFINISHED in report.figures or (report.troubles and not report.figures):
            figures[UNFINISHED] = 1
        merged = merged or any(each.kind == "merge" for each in report.done)
        desk.troubles.extend(f"{name}: {each}" for each in report.troubles)
        if report.conflicts:
            desk.troubles.append(f"{name}: somebody changed {len(report.conflicts)} memories meanwhile: they wait")
    return merged and not dry


def fresh(desk: Desk) -> Desk:
    """Give a casebook as it stands now, at the instant of the run."""
    return replace(desk, memories=desk.store.snapshot(), tellings=desk.journal.tellings(), troubles=[])
