"""Numbers as the engine can compare them: 64-bit integers; every bound on a whole number is said with one."""

from __future__ import annotations

import math

LIMIT = 1 << 52
"""Bounds beyond ±this are not given to the engine, so that a value may be clamped just beyond it and still compare right."""


def clamp(value: int) -> int:
    """Give a whole number that is safe to post and compares with every bound of `integer_bound` as the value itself does."""
    return max(-LIMIT - 1, min(LIMIT + 1, value))


def integer_bound(op: str, bound: float) -> tuple[str, int] | None:
    """Say an order test on whole numbers with `$gte` or `$lte` and a whole number (`x > 2.5` is `x >= 3`).

    None where the bound lies beyond `LIMIT`: such a test is decided outside the engine.
    """
    if not -LIMIT < bound < LIMIT:
        return None
    if op in ("gt", "gte"):
        return "$gte", math.floor(bound) + 1 if op == "gt" else math.ceil(bound)
    return "$lte", math.ceil(bound) - 1 if op == "lt" else math.floor(bound)
