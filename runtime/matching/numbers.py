"""Numbers as the engine can compare them: 64-bit integers; every bound on a whole number is said with one."""

from __future__ import annotations

import math

LIMIT = 1 << 52
"""Counters and bounds are clamped to ±this: far beyond any count, far within the engine's integers."""


def clamp(value: int) -> int:
    """Give the nearest number that is safe to post."""
    return max(-LIMIT, min(LIMIT, value))


def integer_bound(op: str, bound: float) -> tuple[str, int]:
    """Say an order test on whole numbers with `$gte` or `$lte` and a whole number (`x > 2.5` is `x >= 3`)."""
    if op in ("gt", "gte"):
        lowest = math.floor(bound) + 1 if op == "gt" else math.ceil(bound)
        return "$gte", clamp(lowest)
    highest = math.ceil(bound) - 1 if op == "lt" else math.floor(bound)
    return "$lte", clamp(highest)
