"""The example packs as the tests read them: loaded once, each case with its own tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from casebook.case import LoadedCase
from casebook.clock import fixed_clock
from casebook.conditions.evaluate import evaluate
from casebook.conditions.facts import Facts
from casebook.policy import Policy
from casebook.runtime.answer.eligibility import reasons, standing_of
from casebook.runtime.answer.isolation import principal_of, reachable
from casebook.runtime.facts.extract import extract
from casebook.stores.folder import FolderStore
from casebook.stores.protocol import Snapshot
from casebook.task import Task

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
PACKS = ("night_push", "destructive_commands", "payments", "office_zh", "calendar", "demo")
NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
"""The present of the examples that name no instant; all such cases are active then."""


@dataclass(frozen=True, slots=True)
class Example:
    """One task out of a case's `examples`, and whether the case must fire on it."""

    pack: str
    case: LoadedCase
    fires: bool
    number: int
    task: Task
    policy: Policy

    def __str__(self) -> str:
        return f"{self.pack}-{self.case.id}-{'fires' if self.fires else 'silent'}-{self.number}"

    @property
    def facts(self) -> Facts:
        """Give the facts of the task."""
        return extract(self.task, self.policy, NOW)


@lru_cache
def snapshot_of(pack: str) -> Snapshot:
    """Load a pack, without leaving anything beside it."""
    store = FolderStore(EXAMPLES / pack, clock=fixed_clock(NOW), cache=False)
    return store.snapshot()


def cases() -> Iterator[tuple[str, LoadedCase]]:
    """Give every case of every pack, but those of the demo, which stand in the other packs as well."""
    for pack in PACKS:
        if pack != "demo":
            for case in snapshot_of(pack).cases.values():
                yield pack, case


def examples_of(pack: str) -> Iterator[Example]:
    """Give every example of a pack."""
    snapshot = snapshot_of(pack)
    for case in snapshot.cases.values():
        if case.case.examples is not None:
            for fires, tasks in ((True, case.case.examples.fires), (False, case.case.examples.silent)):
                for number, form in enumerate(tasks):
                    yield Example(pack, case, fires, number, Task.from_json(form), snapshot.policy)


def conditions_hold(case: LoadedCase, facts: Facts) -> bool:
    """Say whether all conditions of a case hold, by the reference evaluator."""
    return all(evaluate(condition, facts, case.zone) for condition in case.conditions)


def fires(case: LoadedCase, example: Example) -> bool:
    """Say whether a case, alone in a casebook, fires on a task: conditions, scope, point, status and time."""
    facts = example.facts
    standing = standing_of(example.task, facts.at, example.policy, {case.id: case}, None)
    return (
        reachable(case, principal_of(example.task))
        and next(reasons(case, standing), None) is None
        and conditions_hold(case, facts)
    )


def form_of(example: Example) -> dict[str, Any]:
    """Give an example's task as it stands in the file, for a message."""
    return example.task.to_json()
