"""Numbers: a field's tests change their answer at finitely many points, so one number of each stretch decides."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from casebook.conditions.tree import Test

Number = int | float


def constants_of(test: Test) -> tuple[Number, ...]:
    """Give the numbers that a test compares with."""
    values = test.value if isinstance(test.value, tuple) else (test.value,)
    return tuple(
        each for each in values if isinstance(each, int | float) and not isinstance(each, bool) and math.isfinite(each)
    )


def candidates(tests: Iterable[Test], *, whole: bool, lowest: Number | None) -> Sequence[Number]:
    """Give numbers among which one makes the tests hold, if any does.

    Args:
        tests: what is asked, for and against.
        whole: only whole numbers are possible.
        lowest: nothing below it is possible; None for no bound.
    """
    bounds = {constant for test in tests for constant in constants_of(test)}
    if lowest is not None:
        bounds.add(lowest)
    marks = sorted(bounds)
    if not marks:
        return (1,)
    found: list[Number] = []
    if whole:
        for mark in marks:
            floor = math.floor(mark)
            found += [floor, floor + 1, math.ceil(mark) - 1]
    else:
        found.append(_beyond(marks[0], -1))
        for low, high in pairwise(marks):
            found.append(low)
            inner = between(low, high)
            if inner is not None:
                found.append(inner)
        found += [marks[-1], _beyond(marks[-1], 1)]
    return [each for each in dict.fromkeys(found) if lowest is None or each >= lowest]


def _beyond(mark: Number, sign: int) -> Number:
    """Give a number past a mark; whole, so that it is past it also where floats are further apart than 1."""
    return math.floor(mark) + sign if sign < 0 else math.ceil(mark) + sign


def between(low: Number, high: Number) -> Number | None:
    """Give an int or float strictly between two, whole where possible; None where there is none."""
    whole = math.floor(low) + 1
    if whole < high:
        return whole
    for start in (low, high):
        try:
            near = float(start)
        except OverflowError:
            continue
        for each in (near + (float(high) - near) / 2 if _is_float(high) else near, near, *_neighbours(near)):
            if low < each < high:
                return each
    return None


def _is_float(number: Number) -> bool:
    """Say whether a number is within the range of floats."""
    try:
        float(number)
    except OverflowError:
        return False
    return True


def _neighbours(number: float) -> tuple[float, float]:
    return math.nextafter(number, math.inf), math.nextafter(number, -math.inf)
