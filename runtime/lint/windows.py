"""The Friday night trap: a weekday beside a time window over midnight means two pieces of that day."""

from __future__ import annotations

from collections.abc import Iterator

from casebook.conditions.render import render
from casebook.conditions.tree import And, Node, Time, Weekday, walk
from casebook.conditions.wall_clock import in_spans
from casebook.runtime.lint.book import Book, Finding, Subject


def find(book: Book) -> Iterator[Finding]:
    """Give the conditions that ask for a weekday and a window over midnight at once."""
    for subject in book.subjects:
        conditions = subject.loaded.conditions
        yield from _between(subject, [(place, node) for place, each in enumerate(conditions) for node in _flat(each)])
        for place, condition in enumerate(conditions):
            for node in walk(condition):
                if isinstance(node, And) and node is not condition:
                    yield from _between(subject, [(place, item) for item in node.items])


def _flat(node: Node) -> tuple[Node, ...]:
    return node.items if isinstance(node, And) else (node,)


def _between(subject: Subject, nodes: list[tuple[int, Node]]) -> Iterator[Finding]:
    """Look at conditions that have to hold together."""
    days = [each for _, each in nodes if isinstance(each, Weekday) and each.op in ("is", "in")]
    for place, time in nodes:
        if not isinstance(time, Time) or time.end >= time.start or time.days is not None:
            continue
        for weekday in days:
            if weekday.zone != time.zone or all(in_spans(day, weekday.days) for day in range(7)):
                continue
            meant = render(Time(time.start, time.end, weekday.days, time.zone))
            yield subject.find(
                "windows",
                f"{render(weekday)} and {render(time)}: both are of the same day, so the hours after midnight are those in "
                "which that day begins, not those that follow it",
                place=place,
                cure=f"the nights that begin then: {meant}",
            )
