"""Conditions that can never hold together, and conditions that always hold."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from casebook.conditions.evaluate import evaluate
from casebook.conditions.facts import Facts
from casebook.conditions.satisfiable import Contradiction
from casebook.conditions.tree import Always, Not
from casebook.runtime.lint.book import Book, Finding, Subject

_BARE = Facts({}, datetime(2026, 3, 20, 12, 0, tzinfo=UTC))


def find(book: Book) -> Iterator[Finding]:
    """Give the cases whose conditions contradict each other, and conditions that say nothing."""
    for subject in book.subjects:
        yield from never(book, subject)
        yield from always(book, subject)


def never(book: Book, subject: Subject) -> Iterator[Finding]:
    """Give the contradiction of a case's conditions, at the last condition that takes part in it."""
    answer = book.answer(subject)
    if isinstance(answer, Contradiction):
        places = answer.conditions
        if len(places) == 1:
            yield subject.find("never", f"can never hold: {answer.reason}", place=places[0])
        else:
            others = " and ".join(f"trigger_conditions[{place}]" for place in places[:-1])
            yield subject.find("never", f"can never hold with {others}: {answer.reason}", place=places[-1])


def always(book: Book, subject: Subject) -> Iterator[Finding]:
    """Give the conditions that hold for every task without being `always`."""
    zone = subject.loaded.zone
    for place, condition in enumerate(subject.loaded.conditions):
        if isinstance(condition, Always) or not evaluate(condition, _BARE, zone):
            continue
        if isinstance(book.ask([Not(condition)], zone), Contradiction):
            alone = len(subject.loaded.conditions) == 1
            cure = 'written "always", where every task is meant' if alone else "leave it out"
            yield subject.find("always", "always holds, whatever the task", place=place, cure=cure)
