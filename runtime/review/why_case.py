"""How a case came to be: what it was learnt from, why each condition stands in it, who judged it, and how often it spoke."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from casebook.case import LoadedCase
from casebook.runtime.answer.isolation import within
from casebook.runtime.journal.records import Entry, EventRecord, Fired, Firing
from casebook.runtime.learning.figures import kind_words
from casebook.runtime.review.feedback import words_of
from casebook.runtime.review.history import Step, history
from casebook.runtime.review.queue import figures_in
from casebook.runtime.review.review import Review, signature_of
from casebook.scope import Scope

MADE = ("promote", "share", "widen", "narrow", "revive", "correct")
"""What the detector does to a case."""

NEWEST = 200
"""Occurrences that are told, the newest, beside those that the case was made from."""

ACTIVATIONS = 5
"""Activations in which it spoke that are told, the newest."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One time that the error of a case happened.

    Attributes:
        event: as the journal has it, its message masked and shortened.
        evidence: whether the case was made from it.
    """

    event: EventRecord
    evidence: bool

    @property
    def message(self) -> str:
        """Give the message, as it is kept."""
        error = self.event.body.get("error")
        return str(error.get("message", "")) if isinstance(error, Mapping) else ""

    @property
    def type(self) -> str:
        """Give the type of the error, or nothing."""
        error = self.event.body.get("error")
        return str(error.get("type", "")) if isinstance(error, Mapping) else ""


@dataclass(frozen=True, slots=True)
class Making:
    """One text that the detector gave a case, and what led to it.

    Attributes:
        entry: its line of the audit log.
        figures: the backtest: matching, failing and clean calls, and the share that failed.
        reasons: why the conditions are what they are, a sentence each.
        said: the report of the correction that it was given, or None.
    """

    entry: Entry
    figures: Mapping[str, float]
    reasons: tuple[str, ...]
    said: EventRecord | None = None


@dataclass(frozen=True, slots=True)
class Story:
    """How a case came to be.

    Attributes:
        case_id: which.
        loaded: the case as it serves, or None.
        signature: of the error that it answers, or None for a case that nobody learnt.
        occurrences: of that error, in order; those that made the case are always among them.
        counted: how many there were in all.
        makings: what the detector did.
        entries: what else the audit log has of it, in order.
        steps: its texts.
        fired: how often it spoke, and when last.
        spoke_in: the newest activations in which it did.
        words: a user's, where it is these that wait to be judged, and no case.
    """

    case_id: str
    loaded: LoadedCase | None
    signature: str | None
    occurrences: tuple[Occurrence, ...]
    counted: int
    makings: tuple[Making, ...]
    entries: tuple[Entry, ...]
    steps: tuple[Step, ...]
    fired: Fired
    spoke_in: tuple[str, ...]
    words: str = ""

    @property
    def origin(self) -> str:
        """Give where it comes from: `author detector feedback import`."""
        source = None if self.loaded is None else self.loaded.case.source
        return source.origin if source is not None else "detector" if self.makings else "author"

    @property
    def kind(self) -> str:
        """Give its error in words, without what varies; nothing for a case that nobody learnt."""
        return "" if self.signature is None else kind_words(self.signature, [each.event for each in self.occurrences])


def why_case(review: Review, case_id: str) -> Story:
    """Give the story of a case, whether it serves or not.

    Raises:
        NotFoundError: there is no such case, and there never was one that is known.
        StoreError: the journal cannot be read.
    """
    loaded = review.case(case_id)
    entries = review.journal.entries(subject=case_id)
    if loaded is None and not entries:
        steps = history(review, case_id)  # raises for what was never known
    else:
        steps = history(review, case_id) if loaded is not None or review.journal.versions(case_id) else ()
    signature = signature_of(loaded) or next((each.signature for each in entries if each.signature is not None), None)
    makings = tuple(_making(review, each) for each in entries if each.action in MADE and "case" in each.body)
    evidence = _evidence(loaded, makings)
    events = review.journal.events(signature=signature, counted=True) if signature is not None else ()
    events = [each for each in events if each.id in evidence or _reaches(loaded, each)]
    told = [each for place, each in enumerate(events) if each.id in evidence or place >= len(events) - NEWEST]
    activations = review.journal.activations(case_id=case_id, limit=ACTIVATIONS * 4)
    spoke = [each.id for each in activations if any(_spoke(case_id, firing) for firing in each.firings)]
    return Story(
        case_id=case_id,
        loaded=loaded,
        signature=signature,
        occurrences=tuple(Occurrence(each, each.id in evidence) for each in told),
        counted=len(events),
        makings=makings,
        entries=tuple(each for each in entries if each.action not in (*MADE, "written", "look")),
        steps=steps,
        fired=review.journal.fired(case_id),
        spoke_in=tuple(spoke[-ACTIVATIONS:]),
        words=words_of(review, [each for each in entries if each.action == "queue"]),
    )


def _spoke(case_id: str, firing: Firing) -> bool:
    return firing.case_id == case_id and firing.how == "selected"


def _making(review: Review, entry: Entry) -> Making:
    told = entry.body.get("told")
    told = told if isinstance(told, Mapping) else entry.body
    reasons = told.get("reasons")
    event = entry.body.get("event") if entry.action == "correct" else None
    said = review.journal.event(event) if isinstance(event, str) else None
    return Making(entry, figures_in(told), tuple(map(str, reasons)) if isinstance(reasons, Sequence) else (), said)


def _evidence(loaded: LoadedCase | None, makings: Sequence[Making]) -> frozenset[str]:
    """Give the ids of the events that a case names as its evidence, in any of its texts."""
    found: set[str] = set()
    if loaded is not None and loaded.case.source is not None:
        found.update(str(each) for each in loaded.case.source.evidence)
    for making in makings:
        source = making.entry.body["case"].get("source")
        if isinstance(source, Mapping):
            found.update(str(each) for each in source.get("evidence", ()))
    return frozenset(found)


def _reaches(loaded: LoadedCase | None, event: EventRecord) -> bool:
    """Say whether a case is for those to whom an error happened."""
    return within(Scope() if loaded is None else loaded.case.scope, event.principal)
