"""An answer replayed: the texts of the cases as they were then, over the facts that were kept, by the reference evaluator."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from casebook.case import LoadedCase
from casebook.conditions.evaluate import Reading, Trace, trace
from casebook.conditions.facts import Event, Facts
from casebook.conditions.tree import Count, Earlier, Node, Test, walk
from casebook.runtime.answer.eligibility import mode_of
from casebook.runtime.answer.isolation import reachable
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import ActivationRecord, Firing, Version
from casebook.runtime.review.review import Review
from casebook.runtime.session.events import history_of
from casebook.stores.elements import Reading as FileReading
from casebook.stores.elements import load
from casebook.stores.protocol import Snapshot

Verdict = Literal["same", "different", "unknown"]
"""same: it comes out as it did · different: it does not · unknown: what would be needed to say so was not kept."""

_SHORTENED = re.compile(r"\[[\d,]+ characters left out\]|\[redacted|…$")


@dataclass(frozen=True, slots=True)
class Replayed:
    """One condition, asked again.

    Attributes:
        condition: as it is written.
        then: what it saw then, where that was noted, else None.
        noted: whether it was.
        trace: how it comes out now.
        doubts: why the facts may not be what they were.
    """

    condition: str
    then: Any
    noted: bool
    trace: Trace
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CaseReplay:
    """One case of an answer, asked again.

    Attributes:
        firing: what became of it then; None for one that did not match then, and does now.
        loaded: the text that was asked, or None where there is none.
        conditions: each of its conditions.
        verdict: whether it matches as it did.
        why: what stands against that, a sentence each.
    """

    firing: Firing | None
    case_id: str
    loaded: LoadedCase | None
    conditions: tuple[Replayed, ...]
    verdict: Verdict
    why: tuple[str, ...] = ()


def replay(review: Review, record: ActivationRecord, *, today: bool = False) -> tuple[CaseReplay, ...]:
    """Ask the cases of an answer again.

    Args:
        review: the desk.
        record: the answer.
        today: with the texts that serve now instead of those of then; what matches now and did not then is told, too.

    Raises:
        StoreError: the journal cannot be read.
    """
    snapshot = review.store.snapshot()
    reading = Reading(facts_then(review.journal, record))
    told = [
        _today(firing, snapshot, record, reading) if today else _then(firing, review, snapshot, record, reading)
        for firing in record.firings
    ]
    if today and not _forgotten(record):
        known = {firing.case_id for firing in record.firings}
        told += _new(snapshot, known, record, reading)
    return tuple(told)


def overall(replays: Sequence[CaseReplay]) -> Verdict:
    """Give what is to be said of an answer as a whole."""
    verdicts = {each.verdict for each in replays}
    return "different" if "different" in verdicts else "unknown" if "unknown" in verdicts else "same"


def facts_then(journal: Journal, record: ActivationRecord) -> Facts:
    """Give the facts of an answer as far as they were kept: its values, its instant, and its session as it stood then."""
    return Facts(record.facts, record.at, history_then(journal, record))


def history_then(journal: Journal, record: ActivationRecord) -> tuple[Event, ...]:
    """Give the events of a session before an answer: what came no later than it, and before what answers it."""
    if record.session is None:
        return ()
    events = journal.events(session=record.session, user=record.principal.user)
    first = min((each.seq for each in events if each.activation == record.id), default=None)
    before = [each for each in events if each.at <= record.at and (first is None or each.seq < first)]
    return tuple(event for each in before for event in history_of(each))


def loaded_of(version: Version, snapshot: Snapshot) -> LoadedCase | None:
    """Make a case of a text that the journal keeps, read as the casebook's files are; None where it serves no longer."""
    policy = snapshot.policy
    try:
        value = json.loads(version.text)
    except ValueError:
        return None
    reading = FileReading(version.place, "", policy.timezone, policy.fields)
    return load(version.text, value, (), reading, version.version).loaded


def _then(firing: Firing, review: Review, snapshot: Snapshot, record: ActivationRecord, reading: Reading) -> CaseReplay:
    kept = next((each for each in review.journal.versions(firing.case_id) if each.version == firing.version), None)
    loaded = None if kept is None else loaded_of(kept, snapshot)
    if loaded is None:
        now = snapshot.cases.get(firing.case_id)
        if now is not None and now.version == firing.version:
            loaded = now
    if loaded is None:
        return CaseReplay(firing, firing.case_id, None, (), "unknown", ("the text of then is not kept",))
    return _asked(firing, loaded, record, reading)


def _today(firing: Firing, snapshot: Snapshot, record: ActivationRecord, reading: Reading) -> CaseReplay:
    loaded = snapshot.cases.get(firing.case_id)
    if loaded is None:
        return CaseReplay(firing, firing.case_id, None, (), "different", ("it is no longer in service",))
    asked = _asked(firing, loaded, record, reading)
    held = tuple(_holds_back(loaded, record))
    if not held:
        return asked
    return CaseReplay(firing, firing.case_id, loaded, asked.conditions, "different", (*held, *asked.why))


def _holds_back(loaded: LoadedCase, record: ActivationRecord) -> Iterator[str]:
    """Say what keeps a text from being told at all, whatever its conditions say."""
    case = loaded.case
    if case.status != "active":
        yield f"its status is {case.status} now"
    if record.point not in case.on:
        yield f"it is for {', '.join(case.on)} now, and this was at {record.point}"
    if not reachable(loaded, record.principal):
        yield "its scope does not reach this task now"
    if case.mode is not None and mode_of(loaded, "enforce") in ("off", "shadow"):
        yield f"its mode is {case.mode} now"
    if loaded.expires is not None and record.at >= loaded.expires:
        yield "its time is over now"


def _new(snapshot: Snapshot, known: set[str], record: ActivationRecord, reading: Reading) -> Iterator[CaseReplay]:
    """Give the cases that match today and are not among those of then."""
    for loaded in snapshot.cases.values():
        if loaded.id in known or any(_holds_back(loaded, record)):
            continue
        conditions = tuple(_conditions(loaded, None, reading))
        if all(each.trace.holds for each in conditions):
            why = ("it matches now, and did not then, or was not there",)
            yield CaseReplay(None, loaded.id, loaded, conditions, "different", why)


def _asked(firing: Firing, loaded: LoadedCase, record: ActivationRecord, reading: Reading) -> CaseReplay:
    conditions = tuple(_conditions(loaded, firing, reading))
    failing = [each for each in conditions if not each.trace.holds]
    if not failing:
        return CaseReplay(firing, loaded.id, loaded, conditions, "same")
    if _forgotten(record):
        gone = "the words of this task were taken out of the journal"
        return CaseReplay(firing, loaded.id, loaded, conditions, "unknown", (gone,))
    doubts = tuple(dict.fromkeys(doubt for each in failing for doubt in each.doubts))
    if all(each.doubts for each in failing):
        return CaseReplay(firing, loaded.id, loaded, conditions, "unknown", doubts)
    changed = loaded.version != firing.version
    why = tuple(f"{each.condition} does not hold{' as it is written now' if changed else ''}" for each in failing)
    return CaseReplay(firing, loaded.id, loaded, conditions, "different", (*why, *doubts))


def _conditions(loaded: LoadedCase, firing: Firing | None, reading: Reading) -> Iterator[Replayed]:
    noted = {str(each.get("condition")): each for each in (firing.because if firing is not None else ())}
    for written, node in zip(loaded.case.trigger_conditions, loaded.conditions, strict=True):
        text = written if isinstance(written, str) else json.dumps(written, ensure_ascii=False)
        then: Mapping[str, Any] | None = noted.get(text)
        yield Replayed(
            text,
            None if then is None else then.get("seen"),
            then is not None,
            trace(node, reading, loaded.zone),
            tuple(_doubts(node, reading)),
        )


def _doubts(node: Node, reading: Reading) -> Iterator[str]:
    """Say why what a condition looks at may not be what it was."""
    for each in walk(node):
        if isinstance(each, Earlier | Count) and not reading.facts.history:
            yield "the history that the task told itself is not kept"
        if isinstance(each, Test) and _is_cut(reading.facts.get(each.field)):
            name = ".".join(map(str, each.field.path))
            yield f"the journal keeps {name} shortened, or without its secrets"


def _is_cut(value: Any) -> bool:
    if isinstance(value, str):
        return _SHORTENED.search(value) is not None
    if isinstance(value, Mapping):
        return any(_is_cut(each) for each in value.values())
    return isinstance(value, list) and any(_is_cut(each) for each in value)


def _forgotten(record: ActivationRecord) -> bool:
    """Say whether the words of a task were taken out: every task has its point among its facts."""
    return "point" not in record.facts
