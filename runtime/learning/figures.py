"""The figures of a casebook: what was asked, what failed, what was learnt, and what each case does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from casebook.case import LoadedCase
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.effect import Effect, effect_of
from casebook.runtime.learning.signature import error_template

TOP = 20
"""Kinds of error that are told, the most frequent."""


@dataclass(frozen=True, slots=True)
class Frequent:
    """One kind of error.

    Attributes:
        signature: its identity.
        template: it in words, without what varies (`kind_words`).
        count: how often it was counted.
        users: from how many known users.
        cases: ids of the cases that answer it.
    """

    signature: str
    template: str
    count: int
    users: int
    cases: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Give it by name."""
        return {
            "signature": self.signature, "template": self.template, "count": self.count, "users": self.users,
            "cases": list(self.cases),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Figures:
    """What the journal says of a time.

    Attributes:
        since: its beginning, or None for all.
        activations: answers; `firing` of them put a case in front of the agent.
        calls: tool calls that were reported.
        errors, ignored: those that count, and those that are none by `ignore_errors` or our own blocks.
        transient: of the errors, those that pass by themselves.
        kinds: different signatures among the errors.
        signatures: the most frequent of them.
        promotions: cases that the detector made in this time.
        drafts: cases that are drafts now.
        waiting: cases that wait for a person now.
        holdout: activations in which advice was withheld for measuring.
        effects: for each case that ever fired what it does.
    """

    since: datetime | None
    activations: int
    firing: int
    calls: int
    errors: int
    ignored: int
    transient: int
    kinds: int
    signatures: tuple[Frequent, ...]
    promotions: int
    drafts: int
    waiting: int
    holdout: int
    effects: tuple[Effect, ...]

    def to_json(self) -> dict[str, Any]:
        """Give the figures as `casebook stats --json` prints them."""
        return {
            "since": None if self.since is None else self.since.isoformat(),
            "activations": self.activations, "firing": self.firing, "calls": self.calls, "errors": self.errors,
            "ignored": self.ignored, "transient": self.transient, "kinds": self.kinds,
            "signatures": [each.to_json() for each in self.signatures], "promotions": self.promotions,
            "drafts": self.drafts, "waiting": self.waiting, "holdout": self.holdout,
            "cases": [{"id": each.case_id, **each.to_json()} for each in self.effects],
        }  # fmt: skip


def figures(
    journal: Journal, cases: Mapping[str, LoadedCase], *, waiting: int, since: datetime | None = None
) -> Figures:
    """Count what is in a journal.

    Args:
        journal: what happened.
        cases: the cases as they serve now.
        waiting: the length of the review queue.
        since: only what happened at this instant or later, aware; what is said of now is not cut.

    Raises:
        StoreError: the journal cannot be read.
    """
    activations = journal.activations(since=since)
    events = journal.events(kinds=("tool", "error"), since=since)
    failed = [event for event in events if event.failed]
    errors = [event for event in failed if event.counted and event.signature is not None]
    made = journal.entries(actions=("promote",))
    hows = [{firing.how for firing in record.firings} for record in activations]
    fired = {firing.case_id for record in activations for firing in record.firings}
    return Figures(
        since=since,
        activations=len(activations),
        firing=sum("selected" in each for each in hows),
        calls=sum(event.kind == "tool" for event in events),
        errors=len(errors),
        ignored=sum(not event.counted for event in failed),
        transient=sum(bool(event.body.get("transient")) for event in errors),
        kinds=len({event.signature for event in errors}),
        signatures=_frequent(errors, cases),
        promotions=len({entry.subject for entry in made if since is None or entry.at >= since}),
        drafts=sum(each.case.status == "draft" for each in cases.values()),
        waiting=waiting,
        holdout=sum("withheld" in each for each in hows),
        effects=tuple(effect_of(each, journal, since=since) for name, each in cases.items() if name in fired),
    )


def _frequent(errors: Sequence[EventRecord], cases: Mapping[str, LoadedCase]) -> tuple[Frequent, ...]:
    by_signature: dict[str, list[EventRecord]] = {}
    for event in errors:
        by_signature.setdefault(event.signature or "", []).append(event)
    answers: dict[str, list[str]] = {}
    for each in cases.values():
        if each.case.source is not None and each.case.source.signature is not None:
            answers.setdefault(each.case.source.signature, []).append(each.id)
    counts = Counter({signature: len(found) for signature, found in by_signature.items()})
    return tuple(
        Frequent(
            signature=signature,
            template=kind_words(signature, by_signature[signature]),
            count=count,
            users=len({event.principal.user for event in by_signature[signature]} - {None}),
            cases=tuple(answers.get(signature, ())),
        )
        for signature, count in counts.most_common(TOP)
    )


def kind_words(signature: str, events: Sequence[EventRecord]) -> str:
    """Give a kind of error in words, without what varies: of the newest that tells anything, else its signature.

    Args:
        signature: of the kind.
        events: its errors, in order; the words of old ones may be gone from the journal.
    """
    for event in reversed(events):
        error = event.body.get("error")
        told = error if isinstance(error, Mapping) else {}
        message, kind = (value if isinstance(value, str) else "" for value in map(told.get, ("message", "type")))
        if message.strip() or kind.strip():
            return error_template(message, type=kind or None)
    return signature
