"""The session: events such that all history tests come out as asked, or the proof that there are none.

Each distinct (kind, where, within) is a query whose number of events has to lie in a set of numbers. An event is of a
sort: which queries it counts for. The sorts that can be are found by deciding their `where` for and against; how many
of each are needed is a small search.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from typing import Any
from typing import Literal as Only

from casebook.conditions.evaluate import ORDER  # the meaning of the comparisons stands there, once
from casebook.conditions.solving.literal import Conflict, Found, Literal, Outcome, Unsure, minimal
from casebook.conditions.tree import Count, Earlier, Kind, Node, Not

MOST_QUERIES = 7
"""Queries of one kind beyond which their `where` are not combined: 2 to the power of them would be decided."""

MOST_EVENTS = 2_000
"""The most events that a witness may need."""

WORK = 20_000
"""Steps of the search for how many events of each sort there are."""

Decide = Callable[[Sequence[Node]], Mapping[str, Any] | Only[False] | None]
"""Takes conditions on one event; gives its fields, False where there is no such event, None where that is not known."""


@dataclass(frozen=True, slots=True)
class Query:
    """What is counted: a kind of event, under a condition, within so many seconds."""

    kind: Kind
    where: Node | None
    within: int | None


@dataclass(frozen=True, slots=True)
class Sort:
    """Events that count for the same queries: a bit for each, an example's fields, and its age in seconds."""

    counts: int
    fields: Mapping[str, Any]
    age: int


Stretch = tuple[int, int | None]
"""Numbers from, to, both included; None: no end."""


class _WorkBoundError(Exception):
    """The search was stopped by its bound."""


def query_of(atom: Earlier | Count) -> Query:
    """Give what a history test counts."""
    return Query(atom.kind, atom.where, atom.within)


def solve_session(literals: Sequence[Literal], decide: Decide) -> Outcome:
    """Decide history literals.

    Args:
        literals: `Earlier` and `Count` tests, each asked to hold or not.
        decide: decides conditions over the fields of one event.

    Returns:
        The events as a list of (age in seconds, kind, fields), oldest first; a conflict; or that it is unknown.
    """
    events: list[tuple[int, Kind, Mapping[str, Any]]] = []
    unsure: Unsure | None = None
    for kind in dict.fromkeys(_atom(each).kind for each in literals):
        own = [each for each in literals if _atom(each).kind == kind]
        outcome = _solve_kind(own, decide)
        if isinstance(outcome, Conflict):
            return minimal(own, lambda rest: _solve_kind(rest, decide))
        if isinstance(outcome, Unsure):
            unsure = outcome
        else:
            events += [(each.age, kind, each.fields) for each in outcome.value]
    if unsure is not None:
        return unsure
    return Found(sorted(events, key=lambda each: -each[0]))


def _atom(literal: Literal) -> Earlier | Count:
    assert isinstance(literal.atom, Earlier | Count)
    return literal.atom


def _amounts(literals: Sequence[Literal]) -> dict[Query, list[Stretch]] | Conflict:
    """Give for each query the numbers that its literals leave, or the literals that leave none."""
    asked: dict[Query, list[Literal]] = {}
    for each in literals:
        asked.setdefault(query_of(_atom(each)), []).append(each)
    found: dict[Query, list[Stretch]] = {}
    for query, own in asked.items():
        bounds = {0, 1} | {
            int(at.value) + by for at in map(_atom, own) if isinstance(at, Count) for by in (-1, 0, 1, 2)
        }
        marks = sorted(mark for mark in bounds if mark >= 0)
        allowed = [all(_counted(each, mark) for each in own) for mark in marks]
        found[query] = [
            (marks[inside[0]], None if inside[-1] == len(marks) - 1 else marks[inside[-1]])
            for holds, run in groupby(range(len(marks)), key=allowed.__getitem__)
            if holds and (inside := list(run))
        ]
        if not found[query]:
            return Conflict(tuple(own))
    return found


def _counted(literal: Literal, number: int) -> bool:
    atom = _atom(literal)
    truth = number > 0 if isinstance(atom, Earlier) else bool(ORDER[atom.op](number, atom.value))
    return truth is literal.holds


def _solve_kind(literals: Sequence[Literal], decide: Decide) -> Outcome:
    amounts = _amounts(literals)
    if isinstance(amounts, Conflict):
        return amounts
    if all(stretches[0][0] == 0 for stretches in amounts.values()):
        return Found([])
    queries = list(amounts)
    oldest = max((query.within or 0 for query in queries), default=0) + 60
    if all(len(stretches) == 1 and stretches[0][1] in (0, None) for stretches in amounts.values()):
        return _one_by_one(literals, amounts, oldest, decide)
    if len(queries) > MOST_QUERIES:
        return Unsure(f"more than {MOST_QUERIES} counts of one kind of event")
    barred = sum(1 << place for place, query in enumerate(queries) if amounts[query] == [(0, 0)])
    sorts, complete = _sorts(queries, barred, oldest, decide)
    try:
        found = _numbers(sorts, list(amounts.values()))
    except _WorkBoundError:
        return Unsure("counts too large to be combined")
    if found is None:
        return Conflict(tuple(literals)) if complete else Unsure("a `where` that is not decided")
    if sum(found) > MOST_EVENTS:
        return Unsure(f"more than {MOST_EVENTS} events would be needed")
    return Found([each for each, times in zip(sorts, found, strict=True) for _ in range(times)])


def _one_by_one(
    literals: Sequence[Literal], amounts: Mapping[Query, list[Stretch]], oldest: int, decide: Decide
) -> Outcome:
    """Decide where each query asks for at least so many or for none: every needed event as old as it may be, by itself."""
    barred = [query for query, stretches in amounts.items() if stretches == [(0, 0)]]
    found: list[Sort] = []
    unsure = False
    for query, ((least, _),) in amounts.items():
        if least == 0:
            continue
        age = oldest if query.within is None else query.within
        against = [each for each in barred if each.within is None or age <= each.within]
        asked = [] if query.where is None else [query.where]
        fields: Mapping[str, Any] | Only[False] | None = False
        if all(each.where is not None for each in against):
            fields = decide([*asked, *(Not(each.where) for each in against if each.where is not None)])
        if fields is False:
            own = {query, *against}
            return Conflict(tuple(each for each in literals if query_of(_atom(each)) in own))
        if least > MOST_EVENTS:
            return Unsure(f"more than {MOST_EVENTS} events would be needed")
        if fields is None:
            unsure = True
        else:
            found += [Sort(0, fields, age)] * least
    return Unsure("a `where` that is not decided") if unsure else Found(found)


def _sorts(queries: Sequence[Query], barred: int, oldest: int, decide: Decide) -> tuple[list[Sort], bool]:
    """Give the sorts of events that can be and count for no barred query, and whether that is all of them."""
    wheres = list(dict.fromkeys(query.where for query in queries if query.where is not None))
    ages = sorted({query.within for query in queries if query.within is not None} | {oldest}, reverse=True)
    complete = True
    found: dict[int, Sort] = {}
    for truths in product((True, False), repeat=len(wheres)):
        truth = dict(zip(wheres, truths, strict=True))
        masks: dict[int, int] = {}
        for age in ages:
            mask = sum(
                1 << place
                for place, query in enumerate(queries)
                if (query.within is None or age <= query.within) and (query.where is None or truth[query.where])
            )
            if mask and not mask & barred and mask not in found:
                masks.setdefault(mask, age)
        fields = decide([where if holds else Not(where) for where, holds in truth.items()]) if masks else False
        if fields is None:
            complete = False
        elif fields is not False:
            found |= {mask: Sort(mask, fields, age) for mask, age in masks.items()}
    return list(found.values()), complete


def _numbers(sorts: Sequence[Sort], amounts: Sequence[list[Stretch]]) -> list[int] | None:
    """Give how many events of each sort there are, so that each query's number is allowed; None: there are none such.

    Raises:
        _WorkBoundError: after `WORK` steps.
    """
    work = [WORK]
    for stretches in product(*amounts):
        found = _fill(sorts, [low for low, _ in stretches], [high for _, high in stretches], work)
        if found is not None:
            return found
    return None


def _fill(sorts: Sequence[Sort], least: list[int], most: Sequence[int | None], work: list[int]) -> list[int] | None:
    """As `_numbers`, for one stretch of numbers a query: sorts without an upper end first, the rest by search."""
    numbers = [0] * len(sorts)
    need = list(least)
    members = [[place for place in range(len(need)) if each.counts >> place & 1] for each in sorts]
    capped: list[int] = []
    for index, own in enumerate(members):
        if any(most[place] is not None for place in own):
            capped.append(index)
            continue
        numbers[index] = max(0, *(need[place] for place in own))
        for place in own:
            need[place] -= numbers[index]

    def search(at: int, need: list[int], room: list[int | None]) -> bool:
        work[0] -= 1
        if work[0] < 0:
            raise _WorkBoundError
        if all(each <= 0 for each in need):
            return True
        if at == len(capped):
            return False
        own = members[capped[at]]
        rooms = [limit for place in own if (limit := room[place]) is not None]
        for times in range(max(0, min([*rooms, max(need[place] for place in own)])), -1, -1):
            left = [each - times if place in own else each for place, each in enumerate(need)]
            space = [each - times if each is not None and place in own else each for place, each in enumerate(room)]
            numbers[capped[at]] = times
            if search(at + 1, left, space):
                return True
        numbers[capped[at]] = 0
        return False

    return numbers if search(0, need, list(most)) else None
