"""One field: a value for which all its literals come out as asked, or the literals that exclude each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from casebook.conditions.evaluate import Reading, equal, test_value
from casebook.conditions.facts import Facts
from casebook.conditions.fields import FieldType
from casebook.conditions.solving import numbers, texts
from casebook.conditions.solving.literal import (
    NEVER_NEGATIVE,
    WHOLE_COUNTS,
    Conflict,
    Found,
    Literal,
    Outcome,
    Unsure,
    minimal,
)
from casebook.conditions.tree import Field, Test

ORDER_OPS = frozenset({"gt", "gte", "lt", "lte", "between"})
_NOTHING = Facts({}, datetime(2026, 1, 1, tzinfo=UTC))


def solve_field(field: Field, kind: FieldType, literals: Sequence[Literal]) -> Outcome:
    """Decide the literals of one field.

    Args:
        field: the field; the counts of a session are whole numbers from 0.
        kind: what it can hold: `texts` and `any` may hold a list, of which each positive test needs one item.
        literals: tests of this field.

    Returns:
        The value (None: missing), a conflict, or that it could not be decided.
    """
    positive = [each for each in literals if each.holds]
    if not positive:
        return Found(None)
    absent = next((each for each in literals if not each.holds and _test(each).op == "exists"), None)
    if absent is not None:
        return Conflict((positive[0], absent))
    scalar = _scalar(field, kind, literals)
    if isinstance(scalar, Found) or kind not in ("texts", "any"):
        return scalar
    several = _list(field, kind, literals)
    if isinstance(several, Found):
        return several
    if isinstance(scalar, Unsure):
        return scalar
    if isinstance(several, Unsure):
        return several
    return minimal((*scalar.core, *several.core), lambda rest: solve_field(field, kind, rest))


def _test(literal: Literal) -> Test:
    assert isinstance(literal.atom, Test)
    return literal.atom


def holds(value: Any, literals: Sequence[Literal]) -> bool:
    """Say whether a value fulfils literals, by the reference evaluator."""
    reading = Reading(_NOTHING)
    return all(test_value(_test(each), value, reading) is each.holds for each in literals)


def _fits(field: Field, kind: FieldType, value: Any) -> bool:
    if kind in ("text", "texts"):
        return isinstance(value, str)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind == "number" and not number:
        return False
    if field.path in NEVER_NEGATIVE and value < 0:
        return False
    return not (field.path in WHOLE_COUNTS and not (math.isfinite(value) and value == int(value)))


def _scalar(field: Field, kind: FieldType, literals: Sequence[Literal]) -> Outcome:
    """Decide for a value that is no list."""
    positive = [each for each in literals if each.holds and _test(each).op != "exists"]
    chosen = [each for each in positive if _test(each).op in ("is", "in")]
    ordered = [each for each in positive if _test(each).op in ORDER_OPS]
    worded = [each for each in positive if _test(each).op in texts.TEXT_OPS]
    if chosen:
        return _constant(field, kind, chosen, literals)
    if ordered and worded:
        return Conflict((ordered[0], worded[0]))
    if ordered and kind in ("text", "texts"):
        return Conflict((ordered[0],))
    if worded and kind == "number":
        return Conflict((worded[0],))
    if ordered or kind == "number":
        return _number(field, literals)
    found = texts.solve(literals, holds)
    if kind == "any" and not worded and not isinstance(found, Found):
        return Found({})
    return found


def _constant(field: Field, kind: FieldType, chosen: Sequence[Literal], literals: Sequence[Literal]) -> Outcome:
    """Decide where a positive test names the values that are possible: by trying each of them."""

    def refuters(one: Literal, over: Sequence[Literal]) -> list[Literal] | Found:
        value = _test(one).value
        against = [one]
        for constant in value if isinstance(value, tuple) else (value,):
            if not _fits(field, kind, constant):
                continue
            refuting = next((each for each in over if not holds(constant, (each,))), None)
            if refuting is None:
                return Found(constant)
            against.append(refuting)
        return against

    one = min(chosen, key=_width)
    outcome = refuters(one, literals)
    if isinstance(outcome, Found):
        return outcome

    def decide(rest: Sequence[Literal]) -> Outcome:
        if one not in rest:
            return Unsure("")
        tried = refuters(one, rest)
        return tried if isinstance(tried, Found) else Conflict(tuple(tried))

    return minimal(outcome, decide)


def _width(literal: Literal) -> int:
    value = _test(literal).value
    return len(value) if isinstance(value, tuple) else 1


def _number(field: Field, literals: Sequence[Literal]) -> Outcome:
    whole = field.path in WHOLE_COUNTS
    lowest = 0 if field.path in NEVER_NEGATIVE else None
    for candidate in numbers.candidates((_test(each) for each in literals), whole=whole, lowest=lowest):
        if holds(candidate, literals):
            return Found(candidate)
    relevant = [each for each in literals if each.holds or numbers.constants_of(_test(each))]

    def decide(rest: Sequence[Literal]) -> Outcome:
        """Only of a value that is there: without a positive test it may be missing."""
        return _number(field, rest) if any(each.holds for each in rest) else Unsure("may be missing")

    for first in (each for each in relevant if each.holds):
        for second in relevant if len(relevant) > 2 else ():
            if first is not second and isinstance(decide((first, second)), Conflict):
                return minimal((first, second), decide)
    return minimal(relevant, decide)


def _list(field: Field, kind: FieldType, literals: Sequence[Literal]) -> Outcome:
    """Decide for a list: an item for each positive test, and no item that a negative one excludes."""
    negative = [each for each in literals if not each.holds]
    items: list[Any] = []
    unsure: Unsure | None = None
    for one in literals:
        if not one.holds or _test(one).op == "exists":
            continue
        asked = [_of_item(one), *(_of_item(each) for each in negative)]
        outcome = _scalar(field, kind, asked)
        if isinstance(outcome, Conflict):
            back = {_of_item(each): each for each in (one, *negative)}
            return Conflict(tuple(back[each] for each in outcome.core))
        if isinstance(outcome, Unsure):
            unsure = outcome
        elif not any(equal(outcome.value, each) for each in items):
            items.append(outcome.value)
    if unsure is not None:
        return unsure
    return Found(items) if holds(items, literals) else Unsure(f"no list for {field.root} was found")


def _of_item(literal: Literal) -> Literal:
    """Turn a test of a list into the test of its items: `contains` on a list asks for an equal item."""
    test = _test(literal)
    if test.op == "contains":
        return Literal(Test(test.field, "is", test.value), literal.holds)
    return literal
