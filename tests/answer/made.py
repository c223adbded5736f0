"""Cases, facts and a matcher for the tests of the answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Literal

from casebook.case import Case, LoadedCase
from casebook.conditions.evaluate import Reading, evaluate
from casebook.conditions.facts import Facts
from casebook.conditions.tree import Always, Field, Node, Test, Time
from casebook.faults import Fault
from casebook.policy import Limits, Policy
from casebook.runtime.answer.isolation import principal_of, reachable
from casebook.runtime.answer.prompt import prompt
from casebook.runtime.answer.selection import Selection, select
from casebook.runtime.matching.protocol import RuleView
from casebook.stores.protocol import Snapshot
from casebook.task import Task

NIGHT = datetime(2026, 3, 19, 19, 10, tzinfo=UTC)
"""03:10 of 20 March 2026, a Friday, in Shanghai."""

ALWAYS: Node = Always()
PUSH: Node = Test(Field(("intent",)), "is", "push")
AT_NIGHT: Node = Time(0, 6 * 3600)


def contains(needle: str) -> Node:
    return Test(Field(("text",)), "contains", needle)


def loaded(
    case_id: str,
    *conditions: Node,
    created: datetime | None = None,
    expires: datetime | None = None,
    zone: str = "Asia/Shanghai",
    path: str = "long_term/cases.json",
    **fields: Any,
) -> LoadedCase:
    """A case as it serves; of no condition, `always`."""
    nodes = conditions or (ALWAYS,)
    written = fields.pop("written", None) or tuple(f"condition {place} of {case_id}" for place in range(len(nodes)))
    form = {"id": case_id, "trigger_conditions": written, "correction": f"correction of {case_id}", **fields}
    return LoadedCase(Case(**form), nodes, zone, created, expires, path, 1, "", f"v-{case_id}")


def by_id(cases: Iterable[LoadedCase]) -> dict[str, LoadedCase]:
    return {case.id: case for case in cases}


def facts_of(task: Task, at: datetime = NIGHT) -> Facts:
    values = {name: value for name, value in task.to_json().items() if name not in ("at", "confirmed", "history")}
    values["point"] = task.point
    return Facts(values, at)


def policy_of(**fields: Any) -> Policy:
    limits = {name: fields.pop(name) for name in list(fields) if name in Limits.model_fields}
    return Policy(limits=Limits(**limits), **fields)


def conflict(cases: Iterable[LoadedCase], task: Task, at: datetime = NIGHT) -> list[LoadedCase]:
    """What a matcher finds: scope and conditions hold."""
    facts = facts_of(task, at)
    return [
        case
        for case in cases
        if reachable(case, principal_of(task)) and all(evaluate(each, facts, case.zone) for each in case.conditions)
    ]


def selected(
    cases: Iterable[LoadedCase],
    task: Task | None = None,
    at: datetime = NIGHT,
    policy: Policy | None = None,
    **options: Any,
) -> Selection:
    cases, task = list(cases), task or Task()
    return select(conflict(cases, task, at), by_id(cases), task, facts_of(task, at), policy or Policy(), **options)


def text_of(
    cases: Iterable[LoadedCase],
    task: Task | None = None,
    at: datetime = NIGHT,
    policy: Policy | None = None,
    **options: Any,
) -> str:
    task, policy = task or Task(), policy or Policy()
    selection = selected(cases, task, at, policy)
    return prompt(selection, Reading(facts_of(task, at)), policy, **options)


def ids(cases: Iterable[LoadedCase]) -> list[str]:
    return [case.id for case in cases]


def snapshot_of(cases: Iterable[LoadedCase], faults: Iterable[Fault] = (), policy: Policy | None = None) -> Snapshot:
    return Snapshot(1, by_id(cases), tuple(faults), policy or Policy())


class PlainMatcher:
    """The reference evaluator over all active cases."""

    engine: Literal["durable_rules", "reference"] = "reference"

    def __init__(self, cases: Iterable[LoadedCase], task: Task) -> None:
        self.cases = by_id(cases)
        self.task = task

    def update(self, cases: Mapping[str, LoadedCase]) -> None:
        self.cases = dict(cases)

    def match(self, facts: Facts) -> tuple[LoadedCase, ...]:
        active = [case for case in self.cases.values() if case.case.status == "active"]
        return tuple(conflict(active, self.task, facts.at))

    def match_at(self, cases: Mapping[str, LoadedCase], reading: Reading) -> tuple[LoadedCase, ...] | None:
        return self.match(reading.facts) if dict(cases) == self.cases else None

    def rule_of(self, case_id: str) -> RuleView | None:
        if self.cases[case_id].case.status != "active":
            return None
        return RuleView(
            "reference", "night", f"rule of {case_id}", {"all": [{"m": {"$and": [{"k0": 1}]}}]}, (("k0", ALWAYS, True),)
        )

    def figures(self) -> Mapping[str, int]:
        return {}

    def close(self) -> None:
        return
