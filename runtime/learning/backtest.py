"""The journaled calls that a case is tested on: how many it would have come up at, and how many of them failed this way."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from casebook.conditions.evaluate import Reading, holds
from casebook.conditions.tree import Count, Earlier, Node, Test, walk
from casebook.runtime.answer.isolation import within
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.session.events import facts_of_call
from casebook.scope import Scope

NEWEST_CALLS = 2_000
"""Journaled calls that a backtest looks at, the newest ones: a bound of its time and memory, far above what a share of 1 in 20
needs to be told from chance."""


class Calls(Protocol):
    """The past that a case is tested on: what was called, and what came before each call."""

    def of(self, tools: Collection[str], intents: Collection[str]) -> Sequence[EventRecord]:
        """Give what could have been warned of, at most `NEWEST_CALLS` of each kind, the newest, in order of arrival.

        Args:
            tools: canonical names; their events of kind `tool`.
            intents: for errors without a tool: the events of kinds `task`, `error` and `success` without a tool whose
                `body["intent"]` is, or has, one of these.
        """
        ...

    def earlier(self, record: EventRecord) -> Sequence[EventRecord]:
        """Give the events before a record in its own session (same id and same user), in order; without a session, none."""
        ...

    def later(self, record: EventRecord) -> Sequence[EventRecord]:
        """Give the events after a record in its own session, in order; without a session, none."""
        ...


@dataclass(frozen=True, slots=True)
class Figures:
    """What a case would have come to on the journal.

    Attributes:
        matching: calls at which it would have come up.
        failing: those of them that failed with the signature.
        clean: those of them that succeeded.
    """

    matching: int
    failing: int
    clean: int

    @property
    def precision(self) -> float:
        """Give the share of matching calls that failed this way; 0 where none matched."""
        return self.failing / self.matching if self.matching else 0.0

    def to_json(self) -> dict[str, int]:
        """Give the figures as JSON, for the audit log and the review queue."""
        return {"matching": self.matching, "failing": self.failing, "clean": self.clean}


Past = Literal["nothing", "errors", "everything"]
"""What a condition asks of the session's past."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One call, or one turn without a tool, and how it ended: with the signature (`failing`), well (`clean`), or neither."""

    record: EventRecord
    failing: bool
    clean: bool


def trials_of(
    signature: str, occurrences: Iterable[EventRecord], past: Iterable[EventRecord], scope: Scope
) -> tuple[Trial, ...]:
    """Make trials of records: the occurrences always, the rest where the scope reaches it; each record once.

    A call is a trial of its own. What has no tool is one trial for each activation: the turn that began, and how it ended.
    """
    failing = {record.id for record in occurrences}
    records = {record.id: record for record in past if within(scope, record.principal)}
    records.update((record.id, record) for record in occurrences)
    trials: list[Trial] = []
    turns: dict[str, list[EventRecord]] = {}
    for record in records.values():
        if record.tool is None:
            turns.setdefault(record.activation or record.id, []).append(record)
        else:
            trials.append(Trial(record, _fails(record, signature, failing), record.ok is True))
    for turn in turns.values():
        fails = any(_fails(record, signature, failing) for record in turn)
        chosen = next((record for record in turn if record.id in failing), turn[0])
        trials.append(Trial(chosen, fails, not any(record.failed for record in turn)))
    return tuple(trials)


def _fails(record: EventRecord, signature: str, known: Collection[str]) -> bool:
    return record.id in known or (record.failed and record.counted and record.signature == signature)


class Backtest:
    """Trials, and what conditions say of them by the reference evaluator; what was worked out of a record is kept."""

    __slots__ = ("_calls", "_kept", "_zone", "trials")

    def __init__(self, trials: Sequence[Trial], calls: Calls, zone: str) -> None:
        """Take what to test on.

        Args:
            trials: of `trials_of`.
            calls: for the history of a record, read only where a condition asks for it.
            zone: the IANA zone of clock tests.
        """
        self.trials = trials
        self._calls = calls
        self._zone = zone
        self._kept: dict[tuple[str, Past], Reading] = {}

    def holds(self, node: Node, record: EventRecord) -> bool:
        """Say whether a condition held before a call was made."""
        return holds(node, self._reading(record, past_read(node)), self._zone)

    def all_hold(self, nodes: Iterable[Node], record: EventRecord) -> bool:
        """Say whether all conditions held before a call was made."""
        return all(self.holds(node, record) for node in nodes)

    def matching(self, nodes: Sequence[Node]) -> tuple[Trial, ...]:
        """Give the trials that all conditions hold for."""
        return tuple(trial for trial in self.trials if self.all_hold(nodes, trial.record))

    def _reading(self, record: EventRecord, past: Past) -> Reading:
        found = self._kept.get((record.id, past))
        if found is None:
            earlier: Sequence[EventRecord] = () if past == "nothing" else self._calls.earlier(record)
            if past == "errors":
                earlier = [each for each in earlier if each.failed]
            found = self._kept[record.id, past] = Reading(facts_of_call(record, earlier))
        return found


def figures_of(matched: Iterable[Trial]) -> Figures:
    """Count what matched."""
    trials = tuple(matched)
    return Figures(len(trials), sum(each.failing for each in trials), sum(each.clean for each in trials))


def past_read(node: Node) -> Past:
    """Say what a condition asks of the session before a call: a long session is read whole only where it has to be."""
    read: Past = "nothing"
    for each in walk(node):
        if isinstance(each, Earlier | Count):
            errors = each.kind == "error"
        elif isinstance(each, Test) and each.field.root == "session":
            errors = each.field.path == ("session", "errors")
        else:
            continue
        if not errors:
            return "everything"
        read = "errors"
    return read


def reads_session(node: Node) -> bool:
    """Say whether a condition asks for what came before in the session."""
    return past_read(node) != "nothing"


def words_of(body: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Give what a record's body has in a field of one text or several (`intent`, `action`, `program`, `path`)."""
    value = body.get(name)
    if isinstance(value, str):
        return (value,) if value else ()
    return tuple(each for each in value if isinstance(each, str) and each) if isinstance(value, list | tuple) else ()
