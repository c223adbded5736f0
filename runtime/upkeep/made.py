"""What came of a due run, as a line for people and as JSON for programs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from casebook.runtime.upkeep.protocol import UNFINISHED, MoveKind, Report

_DONE: dict[MoveKind, str] = {
    "distil": "distilled", "demote": "demoted", "promote": "promoted", "expire": "expired", "archive": "archived",
    "archive_case": "cases archived", "merge": "merged", "restore": "restored", "ask": "put to review",
}  # fmt: skip
"""What became of memories, in the order in which it is told; a note is no move."""
_QUIET = frozenset({"looked_at", "completed", UNFINISHED})


@dataclass(frozen=True, slots=True)
class Made:
    """A run that was made, or tried.

    Attributes:
        job: which; `tick` where cases were delivered, `schedule` where nothing came to be run.
        at: the instant, aware, in the zone of the casebook.
        slot: the local date-time that it was for, naive; None for a tick.
        makes_up: how many missed ones it made up.
        report: what the job says; None where it did not come to one.
        troubles: what went wrong, a sentence each.
        layer: the name of the casebook; empty for a single one.
        seconds: how long it took.
        told: what it did in words, where there is no report, or the report does not tell.
    """

    job: str
    at: datetime
    slot: datetime | None = None
    makes_up: int = 0
    report: Report | None = None
    troubles: tuple[str, ...] = ()
    layer: str = ""
    seconds: float = 0.0
    told: str = ""

    @property
    def line(self) -> str:
        """Give it as one line: when, which job, what it did, how long it took."""
        where = f" [{self.layer}]" if self.layer else ""
        parts = [*([self.told] if self.told else []), *([] if self.report is None else [_did(self.report)])]
        if self.makes_up:
            parts.append(f"makes up {self.makes_up:,} missed")
        parts.extend(self.troubles)
        did = "; ".join(" ".join(each.split()) for each in parts)
        return f"{self.at.isoformat(timespec='seconds')} {self.job}{where}: {did} ({self.seconds:.1f} s)"

    def to_json(self) -> dict[str, Any]:
        """Give it as a JSON object."""
        report = self.report
        return {
            "at": self.at.isoformat(timespec="milliseconds"),
            "job": self.job,
            "layer": self.layer,
            "slot": None if self.slot is None else self.slot.isoformat(timespec="minutes"),
            "makes_up": self.makes_up,
            "moves": {} if report is None else moves_of(report),
            "figures": {} if report is None else dict(report.figures),
            "conflicts": 0 if report is None else len(report.conflicts),
            "troubles": list(self.troubles),
            "seconds": round(self.seconds, 3),
        }


def moves_of(report: Report) -> dict[str, int]:
    """Give how many moves of each kind were made, in the order in which they are told."""
    counts = Counter(move.kind for move in report.done)
    return {kind: counts[kind] for kind in (*_DONE, "note") if counts[kind]}


def _did(report: Report) -> str:
    moves = moves_of(report)
    told = [f"{number:,} {_DONE[kind]}" for kind, number in moves.items() if kind in _DONE]
    told.extend(
        f"{number:,} {name.replace('_', ' ')}"
        for name, number in report.figures.items()
        if number and name not in _QUIET
    )
    if report.conflicts:
        told.append(f"{len(report.conflicts):,} changed meanwhile, for the next run")
    return ", ".join(told) or "nothing to do"
