"""One case on a record: on which calls it would have spoken, and how those came out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from casebook.case import Case
from casebook.policy import Policy
from casebook.runtime.matching.engines import EngineChoice
from casebook.runtime.replay.measuring import template_of
from casebook.runtime.replay.reading import Call
from casebook.runtime.replay.running import BEGINNING, Progress, Step, run

_SOME = 200
"""Places that are named."""


@dataclass(frozen=True, slots=True)
class Backtest:
    """What a case would have done.

    Attributes:
        case: the case, as it was tried: active, and there from the beginning.
        calls, clean, errors: of the record, as in a report.
        fired: calls before which it would have been put in front of the agent.
        needless: those of them that came out clean.
        kinds: the kinds of error of the others, in words, with their numbers.
        held: why it was held back where it matched, with the numbers.
        where: the places of the calls on which it fired, of many the first.
    """

    case: Case
    calls: int
    clean: int
    errors: int
    fired: int
    needless: int
    kinds: Mapping[str, int] = field(default_factory=dict)
    held: Mapping[str, int] = field(default_factory=dict)
    where: tuple[str, ...] = ()

    @property
    def failed(self) -> int:
        """Give on how many of the calls that failed it would have spoken."""
        return self.fired - self.needless

    @property
    def precision(self) -> float | None:
        """Give the share of the calls on which it fired that failed, or None where it never fired."""
        return self.failed / self.fired if self.fired else None

    def to_json(self) -> dict[str, Any]:
        """Give the figures as `casebook replay --case FILE --json` prints them."""
        return {
            "case": self.case.id, "calls": self.calls, "clean": self.clean, "errors": self.errors, "fired": self.fired,
            "failed": self.failed, "needless": self.needless,
            "precision": None if self.precision is None else round(self.precision, 4),
            "kinds": [{"template": name, "errors": number} for name, number in self.kinds.items()],
            "held": dict(self.held), "where": list(self.where),
        }  # fmt: skip


def backtest(
    case: Case,
    calls: Sequence[Call],
    folder: Path,
    *,
    policy: Policy | None = None,
    beginning: datetime = BEGINNING,
    engine: EngineChoice = "auto",
    keep: bool = False,
    progress: Progress | None = None,
) -> Backtest:
    """Run a record with one case that is there from the beginning, and nothing learnt.

    Args:
        case: the case; a draft is tried as if it were active, and its own mode is not looked at.
        calls: as for `run`, as are all that follow.
        folder: an empty folder.
        policy: of the scratch casebook.
        beginning: the instant of the first call where it tells none.
        engine: which engine matches.
        keep: whether the journal is kept in the folder.
        progress: is told after every call.

    Raises:
        StoreError: the folder cannot be written.
    """
    chosen = policy or Policy()
    detector = chosen.detector.model_copy(update={"enabled": False})
    chosen = chosen.model_copy(update={"detector": detector})
    form = {name: value for name, value in case.to_json().items() if name not in ("status", "mode")}
    tried = Case.from_json(form)
    steps = run(
        calls, folder, policy=chosen, cases=(tried,), beginning=beginning, engine=engine, keep=keep, progress=progress
    )
    return _told(steps[-1].after[tried.id].case if steps else tried, steps, chosen.redact)


def _told(case: Case, steps: Sequence[Step], patterns: tuple[str, ...]) -> Backtest:
    fired = [step for step in steps if any(each.id == case.id for each in step.fired)]
    return Backtest(
        case=case,
        calls=len(steps),
        clean=sum(not step.counted for step in steps),
        errors=sum(step.counted for step in steps),
        fired=len(fired),
        needless=sum(not step.counted for step in fired),
        kinds=dict(Counter(template_of(step, patterns) for step in fired if step.counted).most_common()),
        held=dict(Counter(step.activation.held[case.id] for step in steps if case.id in step.activation.held)),
        where=tuple(step.call.where for step in fired[:_SOME]),
    )
