"""Cases that can never fire: on none of their points, outside their scope or their time, or always superseded."""

from __future__ import annotations

from collections.abc import Iterator
from zoneinfo import ZoneInfo

from casebook.conditions.satisfiable import Contradiction
from casebook.conditions.tree import Date, Field, Node, Test, walk
from casebook.faults import Fault
from casebook.runtime.answer.isolation import as_wide
from casebook.runtime.lint.book import Book, Subject

TOOL_FIELDS = ("tool", "tool_native", "action", "program", "path", "args")
"""What a task has only where a tool is about to be called."""


def find(book: Book) -> Iterator[Fault]:
    """Give the cases that can never fire, each for its first reason."""
    superseding: dict[str, list[Subject]] = {}
    for subject in book.subjects:
        for other in subject.loaded.case.supersedes:
            superseding.setdefault(other, []).append(subject)
    for subject in book.subjects:
        yield from _lifetime(book, subject)
        yield from _points(book, subject)
        yield from _superseded(subject, superseding.get(subject.id, []))


def _lifetime(book: Book, subject: Subject) -> Iterator[Fault]:
    created, expires = subject.loaded.created, subject.loaded.expires
    if expires is None:
        return
    if created is not None and expires <= created:
        yield subject.fault(
            f"can never fire: it ends at {expires.isoformat()}, before it begins at {created.isoformat()}",
            field="expires_at" if subject.loaded.case.expires_at else "ttl",
        )
    elif book.now is not None and expires <= book.now and subject.loaded.case.status == "active":
        yield subject.fault(
            f"has been silent since {expires.isoformat()}, when it expired", field="expires_at", cure="archive it"
        )


def _points(book: Book, subject: Subject) -> Iterator[Fault]:
    """Ask for each point whether the conditions can hold there; a point that was listed by hand should."""
    case = subject.loaded.case
    around = [*_scope(subject), *_lifetime_dates(subject)]
    if not (around or subject.roots & {*TOOL_FIELDS, "answer", "point"}):
        return
    if isinstance(book.ask(subject.loaded.conditions, subject.loaded.zone), Contradiction):
        return
    listed = "on" in case.model_fields_set
    closed: list[tuple[str, str]] = []
    for point in sorted(case.on, key=lambda each: (each != "tool", each != "answer")):
        nodes = [*subject.loaded.conditions, *around, *at_point(point)]
        answer = book.ask(nodes, subject.loaded.zone)
        if isinstance(answer, Contradiction):
            closed.append((point, answer.reason))
        elif not listed:
            return
    if len(closed) == len(case.on):
        points = ", ".join(case.on)
        yield subject.fault(
            f"can never fire at {points}: {closed[0][1]}", field="on", cure=_cure(subject, [each for each, _ in closed])
        )
    elif closed:
        names = ", ".join(point for point, _ in closed)
        yield subject.fault(f"can never fire at {names}: {closed[0][1]}", field="on", cure=f"leave {names} out")


def at_point(point: str) -> list[Node]:
    """Give what is certain of a task at a point: only a tool call has a tool's fields, only an answer has an answer."""
    nodes: list[Node] = [Test(Field(("point",)), "is", point)]
    if point != "tool":
        nodes += [Test(Field((name,)), "missing") for name in TOOL_FIELDS]
    if point != "answer":
        nodes.append(Test(Field(("answer",)), "missing"))
    return nodes


def _cure(subject: Subject, closed: list[str]) -> str | None:
    for point, roots in (("tool", TOOL_FIELDS), ("answer", ("answer",))):
        if point not in closed and not subject.roots.isdisjoint(roots):
            return f'"on": ["{point}"]'
    return None


def _scope(subject: Subject) -> list[Node]:
    """Give the scope as conditions, where the conditions read the same names."""
    named = subject.loaded.case.scope.named.items()
    return [Test(Field((key,)), "is", name) for key, name in named if key in subject.roots]


def _lifetime_dates(subject: Subject) -> list[Node]:
    """Give the days on which the case lives as conditions, where its own look at dates."""
    dated = any(isinstance(node, Date) for condition in subject.loaded.conditions for node in walk(condition))
    found: list[Node] = []
    for op, end in (("gte", subject.loaded.created), ("lte", subject.loaded.expires)):
        if dated and end is not None:
            day = end.astimezone(ZoneInfo(subject.loaded.zone)).date().isoformat()
            found.append(Date("gte" if op == "gte" else "lte", (day,)))
    return found


def _superseded(subject: Subject, by: list[Subject]) -> Iterator[Fault]:
    """Give a case that another one silences for every task, at every point and for all its life."""
    mine = subject.loaded
    if mine.case.status != "active":
        return
    for other in by:
        theirs = other.loaded
        outlives = theirs.expires is None or (mine.expires is not None and theirs.expires >= mine.expires)
        if (
            theirs.case.status == "active"
            and as_wide(theirs.case.scope, mine.case.scope)
            and set(mine.case.on) <= set(theirs.case.on)
            and outlives
        ):
            yield subject.fault(f"can never fire: {other.id} supersedes it wherever it would", cure="archive it")
            return
