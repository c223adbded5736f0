"""The first rival: a scan of plain Python tuples, with no parsing and no objects.

Each case is `(id, ((slot, op, constant), …))`; the loop is inlined, leaves a case at its first test that fails, and finds
words with `in`. A case's tests stand with those first that fail most often, as one who wanted the scan fast would put
them; `as_written` keeps the order of the case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from casebook.conditions.facts import Facts
from tests.benchmarks.corpus import SLOTS, Condition, plain

IS, CONTAINS, WITHIN, AROUND, AT_LEAST, IN, IS_NOT, LACKS = range(8)
PlainTest = tuple[int, int, Any]
PlainCase = tuple[str, tuple[PlainTest, ...]]

_OPS = {"is": IS, "contains": CONTAINS, "gte": AT_LEAST, "in": IN, "is_not": IS_NOT, "lacks": LACKS}
_SCARCEST_FIRST = ("intent", "project", "text", "tool", "recent_errors", "shell_calls", "errors", "second")


class Scan:
    """Asks every case."""

    def __init__(self, conditions: Mapping[str, Sequence[Condition]], *, as_written: bool = False) -> None:
        """Take the cases by id."""
        self._cases: list[PlainCase] = [
            (name, tuple(_plain(each) for each in (asked if as_written else sorted(asked, key=_scarcity))))
            for name, asked in conditions.items()
        ]

    def match(self, facts: Facts) -> list[str]:
        """Give the ids of the cases that hold for a task."""
        slots = plain(facts)
        hits = []
        for name, tests in self._cases:
            for slot, op, constant in tests:
                value = slots[slot]
                if op == IS:
                    if value != constant:
                        break
                elif op == CONTAINS:
                    if constant not in value:
                        break
                elif op == WITHIN:
                    if not constant[0] <= value < constant[1]:
                        break
                elif op == AROUND:
                    if constant[1] <= value < constant[0]:
                        break
                elif op == AT_LEAST:
                    if value < constant:
                        break
                elif op == IN:
                    if value not in constant:
                        break
                elif op == IS_NOT:
                    if value == constant:
                        break
                elif constant in value:
                    break
            else:
                hits.append(name)
        return hits


def _plain(condition: Condition) -> PlainTest:
    place = SLOTS.index(condition.slot)
    if condition.op == "between":
        return place, WITHIN if condition.value[0] < condition.value[1] else AROUND, condition.value
    return place, _OPS[condition.op], condition.value


def _scarcity(condition: Condition) -> tuple[bool, int]:
    return condition.op in ("is_not", "lacks"), _SCARCEST_FIRST.index(condition.slot)
