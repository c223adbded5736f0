"""What a case is measured against: what matched its conditions before there was the case."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from datetime import datetime

from casebook.case import LoadedCase
from casebook.conditions.evaluate import Reading, holds
from casebook.conditions.facts import Facts
from casebook.conditions.tree import Count, Earlier, Test, walk
from casebook.runtime.answer.isolation import within
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import ActivationRecord, EventRecord
from casebook.runtime.learning.heeding import Came, Tally, answered, came_of, tallied, tools_of
from casebook.runtime.learning.strata import ByTool
from casebook.runtime.session.events import facts_of_call

LOOK_BACK = 2_000
"""Calls, or tasks, that are looked at for a baseline, the newest of them."""


def began_at(case: LoadedCase, journal: Journal, first: ActivationRecord | None) -> datetime | None:
    """Give since when there is a case: its `created_at`, else its first text in the journal, else its first activation."""
    if case.created is not None:
        return case.created
    texts = journal.versions(case.id)
    known = [*(text.at for text in texts[:1]), *([first.at] if first is not None else [])]
    return min(known, default=None)


def earlier(case: LoadedCase, began: datetime, journal: Journal, told: Container[str]) -> ByTool:
    """Count how what matches the conditions of a case came out before there was the case, for each tool.

    The three failures that made a learnt case are among them: its baseline is somewhat worse than the truth, and it takes
    more than chance for such a case to look harmful. The holdout has no such leaning.

    Args:
        case: the case.
        began: since when it is there.
        journal: the past; the newest `LOOK_BACK` calls of the case's tools are looked at, or tasks where it is for no call.
        told: ids of activations in which the case was put to the agent; what answers them is no baseline.

    Raises:
        StoreError: the journal cannot be read.
    """
    if "tool" in case.case.on:
        came: dict[str | None, list[Came]] = {}
        for call in _calls(case, began, journal):
            if (call.activation or "") not in told:
                came.setdefault(call.tool, []).append(came_of(case, call))
        return {
            tool: Tally(each.count("success"), each.count("again"), each.count("other")) for tool, each in came.items()
        }
    if reads_session(case):
        return {}  # the facts of a task are kept without its history
    tasks = [each for each in journal.activations(limit=LOOK_BACK) if each.at < began and each.id not in told]
    return {None: tallied(answered(case, [each for each in tasks if _matches_task(case, each)], journal))}


def _calls(case: LoadedCase, began: datetime, journal: Journal) -> Iterator[EventRecord]:
    """Give the calls before an instant on which a case would have fired.

    The call whose failure made the case is one of them, and on a clock that stands it is of that very instant.
    """
    tools = tools_of(case.conditions)
    calls = journal.events(tools=sorted(tools) if tools else None, kinds=("tool",), limit=LOOK_BACK)
    history = reads_session(case)
    source = case.case.source
    evidence = frozenset(source.evidence if source is not None else ())
    sessions: dict[tuple[str, str | None], Sequence[EventRecord]] = {}
    for call in calls:
        if (
            call.at > began
            or (call.at == began and call.id not in evidence)
            or not within(case.case.scope, call.principal)
        ):
            continue
        before: Sequence[EventRecord] = ()
        if history and call.session is not None:
            key = (call.session, call.principal.user)
            if key not in sessions:
                sessions[key] = journal.events(session=key[0], user=key[1])
            before = [each for each in sessions[key] if each.seq < call.seq]
        if _holds(case, facts_of_call(call, before)):
            yield call


def _matches_task(case: LoadedCase, task: ActivationRecord) -> bool:
    return (
        task.point in case.case.on
        and within(case.case.scope, task.principal)
        and _holds(case, Facts(task.facts, task.at))
    )


def _holds(case: LoadedCase, facts: Facts) -> bool:
    reading = Reading(facts)
    return all(holds(node, reading, case.zone) for node in case.conditions)


def reads_session(case: LoadedCase) -> bool:
    """Say whether the conditions of a case read what came earlier in the session."""
    return any(
        isinstance(node, Earlier | Count) or (isinstance(node, Test) and node.field.root == "session")
        for condition in case.conditions
        for node in walk(condition)
    )
