"""The tests that a case carries: each of its examples put to the case alone, by the reference evaluator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from casebook.case import LoadedCase
from casebook.conditions.evaluate import Reading, trace
from casebook.faults import Fault, TaskError
from casebook.policy import Policy
from casebook.runtime.answer.eligibility import reasons, standing_of
from casebook.runtime.answer.isolation import principal_of, reachable
from casebook.runtime.answer.why import condition_words, reason_words
from casebook.runtime.facts.extract import extract
from casebook.stores.protocol import Snapshot
from casebook.task import Task

NOON = datetime(2026, 3, 20, 12, 0, tzinfo=UTC)
"""The instant of an example that sets no `at`, in a case without `created_at`: an example must not break by the hour."""

_IGNORED = frozenset({"status", "mode", "superseded", "spent"})
"""What does not count in an example: a draft's examples are run before it is active, and the case is alone."""


@dataclass(frozen=True, slots=True)
class Examined:
    """What came of the examples: how many were run, and a fault for each that did not come out as it says."""

    count: int
    faults: tuple[Fault, ...]


def examine(snapshot: Snapshot) -> Examined:
    """Run every example of every case of a snapshot.

    An example without `at` stands at the case's `created_at`, or at the last second before it expires where that is
    earlier; without `created_at`, at 2026-03-20 12:00 UTC.

    Returns:
        How many were run; the faults have the case's file and line, and the field `examples.fires[0]`.
    """
    count = 0
    faults: list[Fault] = []
    for loaded in snapshot.cases.values():
        for name, place, form in examples_of(loaded):
            count += 1
            why = broken(loaded, name, form, snapshot.policy)
            if why is not None:
                field = f"examples.{name}[{place}]"
                faults.append(Fault(loaded.path, why, line=loaded.line, case=loaded.case.id, field=field))
    return Examined(count, tuple(faults))


def examples_of(loaded: LoadedCase) -> Iterator[tuple[str, int, Mapping[str, Any]]]:
    """Give a case's examples: `fires` or `silent`, the place in that list from 0, the task as JSON."""
    examples = loaded.case.examples
    if examples is not None:
        for name, forms in (("fires", examples.fires), ("silent", examples.silent)):
            for place, form in enumerate(forms):
                yield name, place, form


def broken(loaded: LoadedCase, name: str, form: Mapping[str, Any], policy: Policy) -> str | None:
    """Say how an example does not come out as it should; None where it does.

    Args:
        loaded: the case.
        name: `fires` or `silent`.
        form: the task.
        policy: the casebook's, for tool names, intents and the zone.
    """
    try:
        task = Task.from_json(dict(form))
    except TaskError as error:
        return f"this is no task: {error}"
    against = tuple(_against(loaded, task, policy))
    if name == "fires" and against:
        return f"expected the case to fire on this task, but {'; '.join(against)}"
    if name == "silent" and not against:
        return "expected the case to stay silent on this task, but all its conditions hold"
    return None


def instant_for(loaded: LoadedCase) -> datetime:
    """Give the instant of an example that sets none: within the case's life, and always the same."""
    at = loaded.created or NOON
    last = loaded.expires - timedelta(seconds=1) if loaded.expires is not None else at
    return min(at, last)


def _against(loaded: LoadedCase, task: Task, policy: Policy) -> Iterator[str]:
    """Give all that keeps a case from firing on a task: scope, point, lifetime, conditions with what they saw."""
    if not reachable(loaded, principal_of(task)):
        named = ", ".join(f"{key} {name}" for key, name in loaded.case.scope.named.items())
        yield f"it is for {named} only, and the task is not theirs"
    facts = extract(task, policy, instant_for(loaded))
    for reason in reasons(loaded, standing_of(task, facts.at, policy, {loaded.id: loaded}, None)):
        if reason.partition(":")[0] not in _IGNORED:
            yield reason_words(reason, "en", loaded.zone)
    reading = Reading(facts)
    for place, node in enumerate(loaded.conditions):
        seen = trace(node, reading, loaded.zone)
        if not seen.holds:
            yield f"trigger_conditions[{place}] does not hold: {condition_words(seen, 'en')}"
