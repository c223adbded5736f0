"""How a test that is not indexed is decided: a function made once for each distinct test, as fast as its form allows.

All of them answer as the reference evaluator does; what has no faster form is left to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from casebook.conditions.evaluate import Reading, clock_holds, count_events, holds, test_value, time_holds
from casebook.conditions.tree import Date, Day, Earlier, Field, Month, Node, Test, This, Time, Week, Weekday

Decide = Callable[[Reading], bool]
"""Takes a task's reading and says whether the test holds, in its positive form."""


def key_of(value: object) -> Any:
    """Give a dictionary key under which exactly the equal values of the language meet (`1 == 1.0`, `true` is not 1)."""
    return ("bool", value) if isinstance(value, bool) else value


def reader(field: Field) -> Callable[[Reading], Any]:
    """Give the function that reads a field of a task."""
    if len(field.path) == 1 and field.root != "session":
        root = field.root
        return lambda reading: reading.facts.values.get(root)
    return lambda reading: reading.facts.get(field)


def decider(node: Node) -> Decide:
    """Give the function that decides a node whose clocks are bound to zones."""
    if isinstance(node, Time):
        return _time(node)
    if isinstance(node, Weekday | Week | Date | Month | Day):
        zone = node.zone or "UTC"
        return lambda reading: clock_holds(node, reading.local(zone))
    if isinstance(node, Test):
        constants = node.value if isinstance(node.value, tuple) else ()
        if node.op == "in" and not any(isinstance(each, This) for each in constants):
            return _membership(node.field, frozenset(key_of(each) for each in constants))
        read = reader(node.field)
        return lambda reading: test_value(node, read(reading), reading)
    if isinstance(node, Earlier):
        return lambda reading: bool(reading.facts.history) and count_events(node, reading) > 0
    return lambda reading: holds(node, reading, "UTC")


def _time(node: Time) -> Decide:
    zone, start, end = node.zone or "UTC", node.start, node.end
    if node.days is not None:
        return lambda reading: time_holds(node, *reading.clock(zone))
    if start < end:
        return lambda reading: start <= reading.clock(zone)[0] < end
    return lambda reading: not end <= reading.clock(zone)[0] < start


def _membership(field: Field, keys: frozenset[Any]) -> Decide:
    read = reader(field)

    def decide(reading: Reading) -> bool:
        value = read(reading)
        if isinstance(value, str):
            return value in keys
        if isinstance(value, list):
            return any(key_of(item) in keys for item in value if isinstance(item, str | int | float))
        return isinstance(value, int | float) and key_of(value) in keys

    return decide
