"""The clock tests on the wall clock of a zone (`language.md`, Meaning: Windows)."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from datetime import datetime

from casebook.conditions.tree import Date, Day, DaySpan, Month, Node, Time, Week, Weekday

DAY = 86_400
"""Seconds of a day."""

_DATE_ORDER: Mapping[str, Callable[[str, str], bool]] = {
    "is": operator.eq, "is_not": operator.ne, "gt": operator.gt, "gte": operator.ge, "lt": operator.lt, "lte": operator.le,
}  # fmt: skip


def in_spans(day: int, spans: tuple[DaySpan, ...]) -> bool:
    """Say whether a weekday (Monday 0) is in one of the spans, both ends included, wrapping over Sunday."""
    return any(wraps(first, day, last) for first, last in spans)


def wraps(first: int, value: int, last: int) -> bool:
    """Say whether a value is from `first` to `last`, both included, over the turn where last comes before first."""
    return first <= value <= last if first <= last else value >= first or value <= last


def clock_holds(node: Node, local: datetime) -> bool:
    """Decide a clock test on the wall clock."""
    second = local.hour * 3600 + local.minute * 60 + local.second
    weekday = local.weekday()
    if isinstance(node, Time):
        return time_holds(node, second, weekday)
    if isinstance(node, Week):
        start, end = (day * DAY + moment for day, moment in (node.start, node.end))
        at = weekday * DAY + second
        return start <= at < end if start < end else at >= start or at < end
    if isinstance(node, Weekday):
        return in_spans(weekday, node.days) is (node.op in ("is", "in"))
    if isinstance(node, Date):
        today = local.date().isoformat()
        if node.op == "between":
            return node.values[0] <= today <= node.values[1]
        return _DATE_ORDER[node.op](today, node.values[0])
    if isinstance(node, Month | Day):
        value = local.month if isinstance(node, Month) else local.day
        if node.op == "between":
            return wraps(node.values[0], value, node.values[1])
        return (value in node.values) is (node.op in ("is", "in"))
    raise TypeError(f"not a clock test: {node!r}")


def time_holds(node: Time, second: int, weekday: int) -> bool:
    """Decide a time window by the second of the day and the weekday (Monday 0) of the wall clock."""
    if node.start < node.end:
        inside, began = node.start <= second < node.end, weekday
    elif second >= node.start:
        inside, began = True, weekday
    else:
        inside, began = second < node.end, (weekday - 1) % 7
    return inside and (node.days is None or in_spans(began, node.days))
