"""The reference evaluator: the meaning of the trigger language, in plain Python (`language.md`, Meaning).

Every other way of deciding a condition must answer as this one does; property tests hold them to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from casebook.conditions.facts import Event, Facts, resolve
from casebook.conditions.fold import compiled, compiled_like, fold, fold_constant
from casebook.conditions.tree import (
    Always,
    And,
    Count,
    Earlier,
    History,
    Node,
    Not,
    Or,
    Test,
    This,
)
from casebook.conditions.wall_clock import clock_holds


class Reading:
    """One task's facts and what was worked out from them so far, so that many conditions share it."""

    __slots__ = ("clocks", "counts", "facts", "folded", "locals")

    def __init__(self, facts: Facts) -> None:
        """Begin with a task's facts and nothing worked out."""
        self.facts = facts
        self.folded: dict[str, str] = {}
        self.locals: dict[str, datetime] = {}
        self.clocks: dict[str, tuple[int, int]] = {}
        self.counts: dict[str, int] = {}

    def fold(self, text: str) -> str:
        """Give `fold(text)`, worked out once."""
        found = self.folded.get(text)
        if found is None:
            found = self.folded[text] = fold(text)
        return found

    def local(self, zone: str) -> datetime:
        """Give the task's instant on the wall clock of a zone; raises `ZoneInfoNotFoundError` for an unknown one."""
        found = self.locals.get(zone)
        if found is None:
            try:
                found = self.facts.at.astimezone(ZoneInfo(zone))
            except OverflowError:  # in the first or last hours of the years that datetime knows
                first = self.facts.at.year == 1
                edge = datetime.min if first else datetime.max  # noqa: DTZ901  # it gets its zone in the next line
                found = edge.replace(tzinfo=ZoneInfo(zone))
            self.locals[zone] = found
        return found

    def clock(self, zone: str) -> tuple[int, int]:
        """Give the second of the day and the weekday (Monday 0) on the wall clock of a zone."""
        found = self.clocks.get(zone)
        if found is None:
            local = self.local(zone)
            second = local.hour * 3600 + local.minute * 60 + local.second
            found = self.clocks[zone] = (second, local.weekday())
        return found


def evaluate(node: Node, facts: Facts, zone: str) -> bool:
    """Say whether a condition holds for a task.

    Args:
        node: the condition.
        facts: the task's facts.
        zone: the IANA zone of its clock tests that name none.
    """
    return holds(node, Reading(facts), zone)


def holds(node: Node, reading: Reading, zone: str) -> bool:
    """As `evaluate`, over a reading that many conditions share. Logic is walked on a stack: depth costs no recursion."""
    return _walk(node, lambda leaf: leaf_holds(leaf, reading, zone))


def _walk(node: Node, leaf: Callable[[Node], bool]) -> bool:
    stack: list[tuple[type, Iterator[Node]]] = []
    current = node
    while True:
        kind = type(current)
        if kind is And or kind is Or:
            items = iter(current.items)  # type: ignore[union-attr]  # narrowed by `kind`, which is faster than isinstance
            stack.append((kind, items))
            current = next(items)
            continue
        if kind is Not:
            stack.append((Not, iter(())))
            current = current.item  # type: ignore[union-attr]  # as above
            continue
        value = leaf(current)
        while stack:
            kind, items = stack[-1]
            if kind is Not:
                value = not value
            elif value is (kind is And):
                following = next(items, None)
                if following is not None:
                    current = following
                    break
            stack.pop()
        else:
            return value


def leaf_holds(node: Node, reading: Reading, zone: str) -> bool:
    """Decide a node that has no logic of its own: a test, a clock, a history, `always`."""
    if isinstance(node, Test):
        return test_value(node, reading.facts.get(node.field), reading)
    if isinstance(node, Earlier):
        return history_count(node, reading) > 0
    if isinstance(node, Count):
        return ORDER[node.op](history_count(node, reading), node.value)
    if isinstance(node, Always):
        return True
    return clock_holds(node, reading.local(getattr(node, "zone", None) or zone))


# -- fields ------------------------------------------------------------------------------------------------------------


def equal(value: object, constant: object) -> bool:
    """Say whether two scalars are the same: a string is never a number, a boolean is never 1."""
    if isinstance(value, bool) or isinstance(constant, bool):
        return value is constant
    if isinstance(value, str) or isinstance(constant, str):
        return isinstance(value, str) and isinstance(constant, str) and value == constant
    if isinstance(value, int | float) and isinstance(constant, int | float):
        return value == constant
    return False


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


ORDER: Mapping[str, Callable[[Any, Any], bool]] = {
    "gt": lambda value, bound: value > bound,
    "gte": lambda value, bound: value >= bound,
    "lt": lambda value, bound: value < bound,
    "lte": lambda value, bound: value <= bound,
    "is": lambda value, bound: value == bound,
    "is_not": lambda value, bound: value != bound,
    "between": lambda value, bounds: bounds[0] <= value <= bounds[1],
}
"""What each op of order says of a value and its bound, or pair of bounds."""


def _text_test(op: str, value: str, constant: Any, reading: Reading) -> bool:
    if op == "matches":
        return compiled(constant).search(value) is not None
    if not isinstance(constant, str):
        return False
    text = reading.fold(value)
    if op == "contains":
        return fold_constant(constant) in text
    if op == "starts_with":
        return text.startswith(fold_constant(constant))
    if op == "ends_with":
        return text.endswith(fold_constant(constant))
    return compiled_like(constant).search(text) is not None


def _scalar_test(op: str, value: object, constant: Any, reading: Reading) -> bool:
    if op in ("is", "is_not"):
        return equal(value, constant)
    if op in ("in", "not_in"):
        return any(equal(value, each) for each in constant)
    if op in ("gt", "gte", "lt", "lte", "between"):
        return _is_number(value) and ORDER[op](value, constant)
    return isinstance(value, str) and _text_test(op, value, constant, reading)


def test_value(test: Test, value: Any, reading: Reading) -> bool:
    """Decide a test of the value that its field has; None is missing. Over a list a positive test asks for one item."""
    op = test.op
    if op in ("exists", "missing"):
        return (value is not None) is (op == "exists")
    negative = op in ("is_not", "not_in")
    if value is None:
        return negative
    constant: Any = test.value
    if isinstance(value, list):
        if op == "contains":
            return any(equal(item, constant) for item in value)
        return any(_scalar_test(op, item, constant, reading) for item in value if item is not None) is not negative
    return _scalar_test(op, value, constant, reading) is not negative


# -- history -----------------------------------------------------------------------------------------------------------


def history_count(node: History, reading: Reading) -> int:
    """Count the earlier events that a history test speaks of, once for each distinct (kind, where, within)."""
    counted = node if isinstance(node, Earlier) else Earlier(node.kind, node.where, node.within)
    return counted_once(repr(counted), counted, reading)


def counted_once(key: str, counted: Earlier, reading: Reading) -> int:
    """As `history_count`, for whoever has made the test's key, which is its `repr`, beforehand."""
    found = reading.counts.get(key)
    if found is None:
        history = reading.facts.history
        indexed = getattr(history, "count_events", None)  # a session's history keeps running indexes
        if indexed is not None:
            found = int(indexed(key, counted, reading))
        else:
            found = count_events(counted, reading) if history else 0
        reading.counts[key] = found
    return found


def count_events(counted: Earlier, reading: Reading) -> int:
    """Count the earlier events of a kind, within a time, that a `where` holds for."""
    facts = reading.facts
    return sum(
        event.get("kind") == counted.kind
        and is_within(event, facts.at, counted.within)
        and (counted.where is None or event_holds(counted.where, event, reading))
        for event in facts.history
    )


def is_within(event: Event, at: datetime, within: int | None) -> bool:
    """Say whether an event lies within so many seconds back from an instant, both ends in; an event without a time does not."""
    if within is None:
        return True
    when = event.get("at")
    return isinstance(when, datetime) and timedelta(0) <= at - when <= timedelta(seconds=within)


def event_holds(where: Node, event: Event, reading: Reading) -> bool:
    """Decide a `where` over an event; `this field` is read from the present task."""

    def leaf(node: Node) -> bool:
        if isinstance(node, Always):
            return True
        if not isinstance(node, Test):
            raise TypeError(f"not a test of an event: {node!r}")
        return _event_test(node, resolve(event, node.field), reading)

    return _walk(where, leaf)


def _event_test(test: Test, value: Any, reading: Reading) -> bool:
    constants = test.value if isinstance(test.value, tuple) and test.op in ("in", "not_in") else (test.value,)
    if not any(isinstance(each, This) for each in constants):
        return test_value(test, value, reading)
    negative = test.op in ("is_not", "not_in")
    positive = {"is_not": "is", "not_in": "in"}.get(test.op, test.op)
    held = False
    for each in constants:
        own = reading.facts.get(each.field) if isinstance(each, This) else each
        for constant in own if isinstance(own, list) else (own,):
            if constant is not None and not isinstance(constant, Mapping):
                single = Test(test.field, "is" if positive == "in" else positive, constant)  # type: ignore[arg-type]
                held = held or test_value(single, value, reading)
    return held is not negative


# -- for people --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trace:
    """How a condition came out: the node, whether it holds, the value it saw (leaves only), and the same below it.

    `seen` is the field's value (None: missing), the local wall-clock `datetime` of a clock test, or the number of events
    of a history test.
    """

    node: Node
    holds: bool
    seen: Any = None
    items: tuple[Trace, ...] = ()


def trace(node: Node, facts: Facts | Reading, zone: str) -> Trace:
    """Evaluate without short cuts and keep what every part saw, for explanations."""
    reading = facts if isinstance(facts, Reading) else Reading(facts)
    if isinstance(node, And | Or):
        items = tuple(trace(item, reading, zone) for item in node.items)
        outcome = all(each.holds for each in items) if isinstance(node, And) else any(each.holds for each in items)
        return Trace(node, outcome, None, items)
    if isinstance(node, Not):
        below = trace(node.item, reading, zone)
        return Trace(node, not below.holds, None, (below,))
    seen: Any = None
    if isinstance(node, Test):
        seen = reading.facts.get(node.field)
    elif isinstance(node, Earlier | Count):
        seen = history_count(node, reading)
    elif not isinstance(node, Always):
        seen = reading.local(node.zone or zone)
    return Trace(node, leaf_holds(node, reading, zone), seen)
