"""How a test that is not indexed is decided: a function made once for each distinct test, as fast as its form allows.

All of them answer as the reference evaluator does; what has no faster form is left to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from casebook.conditions.evaluate import ORDER, Reading, counted_once, holds, test_value
from casebook.conditions.tree import Count, Date, Day, Earlier, Field, Month, Node, Test, This, Time, Week, Weekday
from casebook.conditions.wall_clock import clock_holds, time_holds

Decide = Callable[[Reading], bool]
"""Takes a task's reading and says whether the test holds, in its positive form."""


def key_of(value: object) -> Any:
    """Give a dictionary key under which exactly the equal values of the language meet (`1 == 1.0`, `true` is not 1)."""
    return ("bool", value) if isinstance(value, bool) else value


def reader(field: Field) -> Callable[[Reading], Any]:
    """Give the function that reads a field of a task."""
    root, *below = field.path
    if not below and root != "session":
        return lambda reading: reading.facts.values.get(str(root))
    if root == "session" and len(below) == 1:
        part = below[0]

        def read(reading: Reading) -> Any:
            session = reading.facts.values.get("session")
            return session.get(part) if type(session) is dict else reading.facts.get(field)

        return read
    return lambda reading: reading.facts.get(field)


def decider(node: Node) -> Decide:
    """Give the function that decides a node whose clocks are bound to zones."""
    if isinstance(node, Time):
        return _time(node)
    if isinstance(node, Weekday | Week | Date | Month | Day):
        zone = node.zone or "UTC"
        return lambda reading: clock_holds(node, reading.local(zone))
    if isinstance(node, Test):
        return _test(node)
    if isinstance(node, Earlier):
        count = counter(node)
        return lambda reading: count(reading) > 0
    if isinstance(node, Count):
        count, compare, bound = counter(Earlier(node.kind, node.where, node.within)), ORDER[node.op], node.value
        return lambda reading: compare(count(reading), bound)
    return lambda reading: holds(node, reading, "UTC")


def counter(counted: Earlier) -> Callable[[Reading], int]:
    """Give the function that counts the earlier events of a history test, once for each task."""
    key = repr(counted)  # made once: to hash the tree itself each time costs more than to count

    return lambda reading: counted_once(key, counted, reading)


def _test(node: Test) -> Decide:
    read = reader(node.field)
    constants = node.value if isinstance(node.value, tuple) else ()
    if node.op == "in" and not any(isinstance(each, This) for each in constants):
        return _membership(read, frozenset(key_of(each) for each in constants))
    if node.op in ("gt", "gte", "lt", "lte"):
        compare, bound = ORDER[node.op], node.value

        def decide(reading: Reading) -> bool:
            value = read(reading)
            if type(value) is int or type(value) is float:
                return compare(value, bound)
            return test_value(node, value, reading)

        return decide
    return lambda reading: test_value(node, read(reading), reading)


def _time(node: Time) -> Decide:
    zone, start, end = node.zone or "UTC", node.start, node.end
    if node.days is not None:
        return lambda reading: time_holds(node, *reading.clock(zone))
    over_midnight = start > end

    def decide(reading: Reading) -> bool:
        known = reading.clocks.get(zone)
        second = (reading.clock(zone) if known is None else known)[0]
        return (second >= start or second < end) if over_midnight else start <= second < end

    return decide


def _membership(read: Callable[[Reading], Any], keys: frozenset[Any]) -> Decide:
    def decide(reading: Reading) -> bool:
        value = read(reading)
        if isinstance(value, str):
            return value in keys
        if isinstance(value, list):
            return any(key_of(item) in keys for item in value if isinstance(item, str | int | float))
        return isinstance(value, int | float) and key_of(value) in keys

    return decide
