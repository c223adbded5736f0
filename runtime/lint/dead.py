"""Cases that can never fire, on none of their points, outside their scope or their time, or always superseded; and hardly ever."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from zoneinfo import ZoneInfo

from casebook.conditions.evaluate import evaluate
from casebook.conditions.facts import Facts
from casebook.conditions.fold import nfc
from casebook.conditions.satisfiable import Contradiction
from casebook.conditions.solving.literal import Literal
from casebook.conditions.tree import Date, Field, Node, Test, walk
from casebook.runtime.answer.isolation import as_wide
from casebook.runtime.answer.seen import instant_words
from casebook.runtime.lint.book import Book, Finding, Subject

TOOL_FIELDS = ("tool", "tool_native", "action", "program", "path", "args")
"""What hosts tell of a task only where a tool is about to be called."""

_HOSTS: Mapping[str, tuple[str, tuple[str, ...]]] = MappingProxyType(
    {"tool": ("hosts tell of no tool call", TOOL_FIELDS), "answer": ("hosts tell no answer", ("answer",))}
)
"""The points that have fields of their own: what is missing elsewhere, in words, and which fields. Nothing enforces it."""


def find(book: Book) -> Iterator[Finding]:
    """Give the cases that can never fire, or hardly ever, each for its first reason."""
    superseding: dict[str, list[Subject]] = {}
    for subject in book.subjects:
        for other in subject.loaded.case.supersedes:
            superseding.setdefault(other, []).append(subject)
    for subject in book.subjects:
        yield from _lifetime(book, subject)
        yield from _points(book, subject)
        yield from _superseded(book, subject, superseding.get(subject.id, []))


def _lifetime(book: Book, subject: Subject) -> Iterator[Finding]:
    created, expires, zone = subject.loaded.created, subject.loaded.expires, subject.loaded.zone
    if expires is None:
        return
    if created is not None and expires <= created:
        yield subject.find(
            "dead",
            f"can never fire: it ends at {instant_words(expires, zone)}, before it begins at {instant_words(created, zone)}",
            field="expires_at" if subject.loaded.case.expires_at else "ttl",
        )
    elif book.now is not None and expires <= book.now and subject.loaded.case.status == "active":
        yield subject.find(
            "expired",
            f"has been silent since {instant_words(expires, zone)}, when it expired",
            field="expires_at",
            cure="archive it",
        )


def _points(book: Book, subject: Subject) -> Iterator[Finding]:
    """Say at which points the conditions cannot hold, or hardly will; where no point was listed by hand, one is enough."""
    around = [*_scope(subject), *_lifetime_dates(subject)]
    if not (around or subject.roots & {*TOOL_FIELDS, "answer", "point"}):
        return
    if isinstance(book.answer(subject), Contradiction):
        return
    closed, quiet = _by_point(book, subject, around)
    if closed:
        yield _never(subject, closed)
    if quiet:
        yield _hardly(subject, quiet)


def _by_point(book: Book, subject: Subject, around: Sequence[Node]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Give the points where a case cannot fire, with the reason, and by what hosts do not tell, the points where it hardly does."""
    case = subject.loaded.case
    listed = "on" in case.model_fields_set
    closed: dict[str, str] = {}
    quiet: dict[str, list[str]] = {}
    for point in sorted(case.on, key=lambda each: (each != "tool", each != "answer")):
        nodes = [*around, Test(Field(("point",)), "is", point)]
        lacking = [name for name in _HOSTS if name != point]
        absent = [name for name in lacking if _asks_for(subject, _HOSTS[name][1])]
        if not absent and _closed(book, subject, nodes, lacking) is None:
            if not listed:
                return {}, {}
            continue
        certain = _closed(book, subject, nodes, ())
        if certain is not None:
            closed[point] = certain
            continue
        one = absent or [name for name in lacking if _closed(book, subject, nodes, (name,)) is not None]
        for name in one or lacking:
            quiet.setdefault(name, []).append(point)
    return closed, quiet


def _asks_for(subject: Subject, roots: Sequence[str]) -> bool:
    """Say whether a case plainly asks for one of these fields: what is missing passes no test."""
    return any(
        isinstance(part, Literal) and part.holds and isinstance(part.atom, Test) and part.atom.field.root in roots
        for part in subject.parts
    )


def _never(subject: Subject, closed: Mapping[str, str]) -> Finding:
    names = ", ".join(closed)
    cure = None if len(closed) == len(subject.loaded.case.on) else f"leave {names} out"
    return subject.find("dead", f"can never fire at {names}: {next(iter(closed.values()))}", field="on", cure=cure)


def _hardly(subject: Subject, quiet: Mapping[str, Sequence[str]]) -> Finding:
    """Say at which points hosts do not tell what a case asks for; a task that tells it all the same fires it."""
    told = " and ".join(f"{_HOSTS[name][0]} at {', '.join(points)}" for name, points in quiet.items())
    points = list(dict.fromkeys(point for each in quiet.values() for point in each))
    cure = f"leave {', '.join(points)} out" if len(points) < len(subject.loaded.case.on) else _cure(subject, points)
    return subject.find("quiet", f"{told}, so that it hardly ever fires there", field="on", cure=cure)


def _closed(book: Book, subject: Subject, nodes: Sequence[Node], lacking: Iterable[str]) -> str | None:
    """Say why a case's conditions cannot hold beside others, where a task lacks what these points have; None where they may."""
    missing = [name for each in lacking for name in _HOSTS[each][1]]
    conditions, zone = subject.loaded.conditions, subject.loaded.zone
    example = book.example(subject)
    if example is not None and _holds(example, conditions, nodes, missing, zone):
        return None
    absent = (Test(Field((name,)), "missing") for name in missing)
    answer = book.ask([*conditions, *nodes, *absent], zone)
    return answer.reason if isinstance(answer, Contradiction) else None


def _holds(
    example: Facts, conditions: Sequence[Node], nodes: Sequence[Node], missing: Sequence[str], zone: str
) -> bool:
    """Say whether the conditions hold on their example, bent to what is asked of it beside them: the quick way to yes."""
    values = {name: value for name, value in example.values.items() if name not in missing}
    for node in nodes:
        if isinstance(node, Test):
            values[node.field.root] = node.value
    facts = replace(example, values=values)
    return all(evaluate(node, facts, zone) for node in (*nodes, *conditions))


def _cure(subject: Subject, closed: Sequence[str]) -> str | None:
    for point, (_, roots) in _HOSTS.items():
        if point not in closed and not subject.roots.isdisjoint(roots):
            return f'"on": ["{point}"]'
    return None


def _scope(subject: Subject) -> list[Node]:
    """Give the scope as conditions, where the conditions read the same names."""
    named = subject.loaded.case.scope.named.items()
    return [Test(Field((key,)), "is", nfc(name)) for key, name in named if key in subject.roots]


def _lifetime_dates(subject: Subject) -> list[Node]:
    """Give the days on which the case lives as conditions, where its own look at dates."""
    dated = any(isinstance(node, Date) for condition in subject.loaded.conditions for node in walk(condition))
    found: list[Node] = []
    for op, end in (("gte", subject.loaded.created), ("lte", subject.loaded.expires)):
        if dated and end is not None:
            try:
                day = end.astimezone(ZoneInfo(subject.loaded.zone)).date().isoformat()
            except OverflowError:  # the end of the calendar, which bounds nothing
                continue
            found.append(Date("gte" if op == "gte" else "lte", (day,)))
    return found


def _superseded(book: Book, subject: Subject, by: Sequence[Subject]) -> Iterator[Finding]:
    """Give a case that another one silences for every task, at every point and for all its life, or for what is left of it."""
    mine = subject.loaded
    if mine.case.status != "active":
        return
    for other in by:
        theirs = other.loaded
        if (
            theirs.case.status == "active"
            and other.speaks
            and as_wide(theirs.case.scope, mine.case.scope)
            and set(mine.case.on) <= set(theirs.case.on)
            and book.covers(other, subject)
        ):
            yield subject.find(
                "superseded", f"can never fire: {other.id} supersedes it wherever it would", cure="archive it"
            )
            return
