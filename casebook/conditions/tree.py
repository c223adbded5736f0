"""The one syntax tree of the trigger language (`docs/language.md`): small frozen values, compared and hashed by content.

Negation is `Not` everywhere, but for the pairs that have an op of their own (`is`/`is_not`, `in`/`not_in`,
`exists`/`missing`): `text not contains "x"` is `Not(Test(contains))`, `no earlier …` is `Not(Earlier)`,
`time not between …` is `Not(Time)`. `is null` is the op `missing`, `is not null` the op `exists`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Op = Literal[
    "is", "is_not", "in", "not_in", "gt", "gte", "lt", "lte", "between",
    "contains", "starts_with", "ends_with", "like", "matches", "exists", "missing",
]  # fmt: skip
DateOp = Literal["is", "is_not", "gt", "gte", "lt", "lte", "between"]
SetOp = Literal["is", "is_not", "in", "not_in", "between"]
CountOp = Literal["gt", "gte", "lt", "lte", "is", "is_not"]
Kind = Literal["tool", "task", "error", "feedback", "recall", "reuse"]


@dataclass(frozen=True, slots=True)
class Field:
    """A field: `("tool",)`, `("args", "dry_run")`, `("context", "items", 0)`.

    The first segment is one of the known names (English); an unquoted integer segment is an `int` and means a list's
    index or a mapping's key; every other segment is a `str`, NFC.
    """

    path: tuple[str | int, ...]

    @property
    def root(self) -> str:
        """Give the known name that it begins with."""
        return str(self.path[0])


@dataclass(frozen=True, slots=True)
class This:
    """`this tool`: the value that the present task has in a field; only inside `where`."""

    field: Field


Value = str | int | float | bool | This
"""A constant: strings NFC; a bool is never a number; null is not a value (see `missing`)."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression in RE2 syntax, with flags out of `ims` in that order."""

    source: str
    flags: str = ""


@dataclass(frozen=True, slots=True)
class Always:
    """Holds for every task."""


@dataclass(frozen=True, slots=True)
class And:
    """Holds when all of its two or more items hold."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Holds when one of its two or more items holds."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """Holds when its item does not."""

    item: Node


@dataclass(frozen=True, slots=True, eq=False)
class Test:
    """A field, an op and what the op takes; `true` and 1 are different constants.

    `value` is a `Value` for is, is_not, contains, starts_with, ends_with, like · a number for gt gte lt lte ·
    a tuple of `Value` (one or more) for in, not_in · a pair of numbers for between · a `Pattern` for matches ·
    None for exists, missing.
    """

    field: Field
    op: Op
    value: Value | tuple[Value, ...] | Pattern | None = None

    def __eq__(self, other: object) -> bool:
        """Compare by content, where Python's own `True == 1` does not hold."""
        if not isinstance(other, Test):
            return NotImplemented
        return self.op == other.op and self.field == other.field and _typed(self.value) == _typed(other.value)

    def __hash__(self) -> int:
        """Hash by content."""
        return hash((self.field, self.op, _typed(self.value)))


def _typed(value: object) -> object:
    if value is True or value is False:
        return bool, value
    return tuple(map(_typed, value)) if type(value) is tuple else value


DaySpan = tuple[int, int]
"""Weekdays from, to, both included, Monday 0 … Sunday 6; a single day is (d, d); (5, 0) wraps: Sat, Sun, Mon."""


@dataclass(frozen=True, slots=True)
class Time:
    """The wall clock within [start, end): seconds of the day, start 0…86399, end 0…86400; end < start runs over midnight.

    `days`: the weekdays on which the window began, or None for every day. `zone`: an IANA name, or None for the case's.
    """

    start: int
    end: int
    days: tuple[DaySpan, ...] | None = None
    zone: str | None = None


@dataclass(frozen=True, slots=True)
class Weekday:
    """Today's weekday is within one of the spans. `is` and `in` differ in how they are printed only."""

    op: Literal["is", "is_not", "in", "not_in"]
    days: tuple[DaySpan, ...]
    zone: str | None = None


@dataclass(frozen=True, slots=True)
class Week:
    """Within [start, end) of the week: (weekday 0…6, seconds of the day 0…86400); an end before its start wraps."""

    start: tuple[int, int]
    end: tuple[int, int]
    zone: str | None = None


@dataclass(frozen=True, slots=True)
class Date:
    """Today's date against ISO dates `YYYY-MM-DD`; one value, but two for `between` (both included)."""

    op: DateOp
    values: tuple[str, ...]
    zone: str | None = None


@dataclass(frozen=True, slots=True)
class Month:
    """The month 1…12: one value for is/is_not, one or more for in/not_in, two for between (both included, wraps)."""

    op: SetOp
    values: tuple[int, ...]
    zone: str | None = None


@dataclass(frozen=True, slots=True)
class Day:
    """The day of the month 1…31, as `Month`."""

    op: SetOp
    values: tuple[int, ...]
    zone: str | None = None


@dataclass(frozen=True, slots=True)
class Earlier:
    """An event of this kind came before in the session.

    `where`: a tree over the event's own fields (no history, no clock inside), or None. `within`: seconds back from the
    task's instant, both ends in, or None for the whole session.
    """

    kind: Kind
    where: Node | None = None
    within: int | None = None


@dataclass(frozen=True, slots=True)
class Count:
    """How many such events came before, compared with a number."""

    kind: Kind
    where: Node | None
    within: int | None
    op: CountOp
    value: int | float


Clock = Time | Weekday | Week | Date | Month | Day
History = Earlier | Count
Node = Always | And | Or | Not | Test | Clock | History


def children(node: Node) -> tuple[Node, ...]:
    """Give the nodes directly below one, a `where` among them."""
    if isinstance(node, And | Or):
        return node.items
    if isinstance(node, Not):
        return (node.item,)
    if isinstance(node, Earlier | Count):
        return () if node.where is None else (node.where,)
    return ()


def walk(node: Node) -> Iterator[Node]:
    """Give a node and all below it, depth first, without recursion (a tree may be 1,000 deep)."""
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(reversed(children(top)))
