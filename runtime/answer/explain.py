"""Why each case did or did not fire for a task."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from casebook.case import LoadedCase
from casebook.conditions.evaluate import Reading, Trace, holds, trace
from casebook.conditions.facts import Facts
from casebook.faults import NotFoundError
from casebook.policy import Policy
from casebook.runtime.answer.eligibility import Spent, reasons, standing_of
from casebook.runtime.answer.explain_texts import Outcome
from casebook.runtime.answer.explanation import CaseReport, ConditionReport, Explanation
from casebook.runtime.answer.isolation import ScopeOf, principal_of, reachable, visible_faults
from casebook.runtime.answer.seen import Redact, as_it_is
from casebook.runtime.answer.selection import Selection, select
from casebook.runtime.matching.protocol import Matcher
from casebook.stores.protocol import Snapshot
from casebook.task import Task

SHOWN_WHOLE = 20
"""With at most so many cases within reach every one is told in full."""

SHOWN = 50
"""Of each outcome at most so many cases are told in full; the rest is counted."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What an explanation asks of every case."""

    reading: Reading
    selection: Selection
    fails: Mapping[str, int]
    matched: frozenset[str]


def explain(
    task: Task,
    facts: Facts,
    snapshot: Snapshot,
    policy: Policy,
    matcher: Matcher,
    *,
    case_id: str | None = None,
    tool_host: bool = False,
    spent: Spent | None = None,
    redact: Redact = as_it_is,
    scope_of: ScopeOf | None = None,
) -> Explanation:
    """Explain an answer: nothing of a case out of the task's reach is in it, not even its number.

    Args:
        task: the task.
        facts: its facts.
        snapshot: the casebook.
        policy: the policy that serves (the snapshot's, unless a caller gave another).
        matcher: the engine, brought to this snapshot; it says what fired, and the rule of each case.
        case_id: only this case, in full.
        tool_host: as for `select`.
        spent: as for `select`.
        redact: takes secrets out of the values seen.
        scope_of: as for `visible_faults`.

    Raises:
        NotFoundError: there is no case of this id, or none within reach; the words are the same.
    """
    principal = principal_of(task)
    within = {each.case.id: each for each in snapshot.cases.values() if reachable(each, principal)}
    if case_id is not None and case_id not in within:
        raise NotFoundError(f"no case {case_id!r} is here")
    reading = Reading(facts)
    fails = {each.case.id: _fails(each, reading) for each in within.values()}
    by_engine = frozenset(each.case.id for each in matcher.match(facts))
    active = {each.case.id for each in within.values() if each.case.status == "active"}
    matched = frozenset(name for name, count in fails.items() if (name in by_engine if name in active else count == 0))
    selection = select(
        [within[name] for name in sorted(matched)],
        snapshot.cases,
        task,
        facts,
        policy,
        tool_host=tool_host,
        spent=spent,
    )
    asked = _Asked(reading, selection, fails, matched)
    outcomes = {name: _outcome(within[name], asked) for name in within}
    standing = standing_of(task, facts.at, policy, snapshot.cases, spent)
    told = _told(within, outcomes, asked) if case_id is None else [case_id]
    return Explanation(
        point=task.point,
        at=facts.at,
        zone=policy.timezone,
        engine=matcher.engine,
        verdict=selection.verdict,
        counts=_counted(outcomes.values()),
        cases=tuple(
            CaseReport(
                within[name],
                outcomes[name],
                _conditions(within[name], reading),
                tuple(reasons(within[name], standing)),
                matcher.rule_of(name),
            )
            for name in told
        ),
        disagreements=tuple(sorted(name for name in active if (fails[name] == 0) is not (name in by_engine))),
        faults=visible_faults(snapshot.faults, snapshot, principal, scope_of=scope_of),
        only=case_id is not None,
        redact=redact,
    )


def _fails(case: LoadedCase, reading: Reading) -> int:
    """Count the conditions that fail, up to two: more make no difference."""
    count = 0
    for each in case.conditions:
        if not holds(each, reading, case.zone):
            count += 1
            if count == 2:
                break
    return count


def _outcome(case: LoadedCase, asked: _Asked) -> Outcome:
    name = case.case.id
    if name in asked.selection.held:
        return "held"
    if name in asked.matched:
        return "omitted" if name in asked.selection.omitted else "selected"
    return "near_miss" if asked.fails[name] == 1 and len(case.conditions) > 1 else "silent"


def _counted(outcomes: Iterable[Outcome]) -> dict[Outcome, int]:
    counts: dict[Outcome, int] = {"selected": 0, "omitted": 0, "held": 0, "near_miss": 0, "silent": 0}
    for each in outcomes:
        counts[each] += 1
    return counts


def _told(within: Mapping[str, LoadedCase], outcomes: Mapping[str, Outcome], asked: _Asked) -> list[str]:
    """Give the ids of the cases to tell in full: what fired in its order, then the rest, the most telling first."""
    by_outcome: dict[Outcome, list[str]] = {
        "selected": [each.case.id for each in asked.selection.cases],
        "omitted": list(asked.selection.omitted),
        "held": [],
        "near_miss": [],
        "silent": [],
    }
    for name, outcome in outcomes.items():
        if outcome in ("held", "near_miss", "silent"):
            by_outcome[outcome].append(name)
    for outcome in ("held", "near_miss", "silent"):
        by_outcome[outcome].sort(key=lambda name: (-within[name].case.priority, -len(within[name].conditions), name))
    if len(within) <= SHOWN_WHOLE:
        return [name for names in by_outcome.values() for name in names]
    return [name for outcome, names in by_outcome.items() if outcome != "silent" for name in names[:SHOWN]]


def _conditions(case: LoadedCase, reading: Reading) -> tuple[ConditionReport, ...]:
    written = case.case.trigger_conditions
    traces: list[Trace] = [trace(each, reading, case.zone) for each in case.conditions]
    texts = [each if isinstance(each, str) else json.dumps(each, ensure_ascii=False) for each in written]
    return tuple(ConditionReport(text, each) for text, each in zip(texts, traces, strict=True))
