"""The rows of an answer, made off its path: the activation, the event of a turn that begins, the cases' texts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

import casebook
from casebook.case import LoadedCase
from casebook.conditions.evaluate import Reading, trace
from casebook.conditions.tree import Test
from casebook.policy import Policy
from casebook.runtime.answer.activation import Activation
from casebook.runtime.answer.isolation import principal_of
from casebook.runtime.answer.seen import leaves
from casebook.runtime.answer.selection import Selection
from casebook.runtime.journal.keeping import Keeper
from casebook.runtime.journal.records import KEPT, ActivationRecord, EventRecord, Firing, How, Version
from casebook.task import Task

TURN = ("text", "intent", "channel", "model", "origin", "context")
"""The facts of a turn that its event tells."""


@dataclass(frozen=True, slots=True)
class Answered:
    """All that an answer leaves behind, as it stood then.

    Attributes:
        task, activation, selection, policy: of the answer.
        reading: of its facts.
        cases: the snapshot's.
        persists: whether the host keeps the text in its transcript.
    """

    task: Task
    activation: Activation
    selection: Selection
    policy: Policy
    reading: Reading
    cases: Mapping[str, LoadedCase]
    persists: bool


def rows_of(
    answered: Answered, known: set[tuple[str, str]]
) -> tuple[ActivationRecord, tuple[EventRecord, ...], tuple[Version, ...]]:
    """Give the rows of an answer.

    Args:
        answered: the answer.
        known: ids and versions of the texts that were given before; the new ones are added.
    """
    facts, activation, policy = answered.reading.facts, answered.activation, answered.policy
    keeper = Keeper(policy)
    firings = tuple(_firings(answered, keeper))
    record = ActivationRecord(
        id=activation.id,
        at=facts.at,
        session=answered.task.session,
        principal=principal_of(answered.task),
        point=activation.point,
        tool=keeper.kept(facts.values.get("tool")),
        verdict=activation.verdict,
        engine=activation.engine,
        mode=policy.mode,
        release=casebook.__version__,
        facts=_facts(facts.values, keeper),
        firings=firings,
    )
    versions = []
    for firing in firings:
        loaded = answered.cases[firing.case_id]
        if (loaded.id, loaded.version) not in known:
            known.add((loaded.id, loaded.version))
            text = json.dumps(loaded.case.to_json(), ensure_ascii=False)
            versions.append(Version(loaded.id, loaded.version, facts.at, text, loaded.path))
    return record, (turn_event(record),) if activation.point == "task" else (), tuple(versions)


def turn_event_id(activation_id: str) -> str:
    """Give the id of the event that a turn begins with."""
    return f"turn:{activation_id}"


def turn_event(record: ActivationRecord) -> EventRecord:
    """Give the event of a turn that begins."""
    body = {name: record.facts[name] for name in TURN if name in record.facts}
    return EventRecord(
        turn_event_id(record.id), record.at, "task", record.session, record.principal, record.id, body=body
    )


def _firings(answered: Answered, keeper: Keeper) -> Iterator[Firing]:
    selection, cases = answered.selection, answered.cases
    detail = KEPT if answered.persists else ""
    for case in selection.cases:
        yield Firing(case.id, case.version, "selected", detail, tuple(_because(case, answered.reading, keeper)))
    for name in selection.omitted:
        yield Firing(name, cases[name].version, "omitted")
    for name, reason in selection.held.items():
        yield Firing(name, cases[name].version, _HOW.get(reason, "held"), reason)


_LEAVES = 6
_HOW: Mapping[str, How] = {"spent:holdout": "withheld", "mode:shadow": "shadow"}


def _because(loaded: LoadedCase, reading: Reading, keeper: Keeper) -> Iterator[Mapping[str, Any]]:
    """Give each condition with what it saw; of one with several parts what each of them saw, in order."""
    for written, node in zip(loaded.case.trigger_conditions, loaded.conditions, strict=True):
        text = written if isinstance(written, str) else json.dumps(written, ensure_ascii=False)
        if isinstance(node, Test):
            yield {"condition": text, "seen": keeper.kept(reading.facts.get(node.field))}
            continue
        parts = islice(leaves(trace(node, reading, loaded.zone)), _LEAVES)
        seen = [str(leaf.seen) if isinstance(leaf.seen, datetime) else keeper.kept(leaf.seen) for leaf in parts]
        yield {"condition": text, "seen": seen[0] if len(seen) == 1 else seen or None}


def _facts(values: Mapping[str, Any], keeper: Keeper) -> dict[str, Any]:
    """Give the facts as they are kept; the names in `session` are ours and hold no secret."""
    kept = {name: keeper.kept(value) for name, value in values.items() if name != "session"}
    session = values.get("session")
    if isinstance(session, Mapping):
        kept["session"] = {name: keeper.kept(value) for name, value in session.items()}
    return kept
