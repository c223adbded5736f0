"""Bounds on whole numbers survive their translation into the engine's integers."""

from __future__ import annotations

import operator

from hypothesis import example, given
from hypothesis import strategies as st

from casebook.runtime.matching.numbers import LIMIT, clamp, integer_bound

OPS = {"gt": operator.gt, "gte": operator.ge, "lt": operator.lt, "lte": operator.le}
ENGINE = {"$gte": operator.ge, "$lte": operator.le}
bounds = st.one_of(
    st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.integers(-3, 3).map(lambda n: n + 0.5)
)


@given(st.sampled_from(sorted(OPS)), bounds, st.integers(min_value=-(2**80), max_value=2**80))
@example("gt", 1e300, 2**63)
@example("gte", LIMIT, LIMIT + 5)
@example("lt", -LIMIT, -LIMIT - 5)
@example("lte", LIMIT - 1, LIMIT)
def test_the_engine_compares_as_the_language_does(op: str, bound: float, value: int) -> None:
    said = integer_bound(op, bound)
    if said is not None:
        assert ENGINE[said[0]](clamp(value), said[1]) is OPS[op](value, bound)
        assert abs(said[1]) < 2**53


def test_bounds_that_people_write_reach_the_engine() -> None:
    assert [integer_bound(op, 2.5) for op in ("gt", "gte", "lt", "lte")] == [
        ("$gte", 3),
        ("$gte", 3),
        ("$lte", 2),
        ("$lte", 2),
    ]
    assert [integer_bound(op, 2) for op in ("gt", "gte", "lt", "lte")] == [
        ("$gte", 3),
        ("$gte", 2),
        ("$lte", 1),
        ("$lte", 2),
    ]
