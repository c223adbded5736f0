"""What must hold of a condition beyond its grammar; text and JSON form both build their trees here.

Each function gives a node or raises ConditionError. `at` is where to point, in characters from 0, or None in JSON.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from casebook.conditions.complaints import complain, named_shape, shown
from casebook.conditions.fields import GROUPS
from casebook.conditions.literals import quote
from casebook.conditions.moments import DAY_SECONDS, write_time
from casebook.conditions.patterns import like_refusal
from casebook.conditions.tree import (
    And,
    Count,
    CountOp,
    Date,
    DateOp,
    Day,
    DaySpan,
    Kind,
    Month,
    Node,
    Op,
    Or,
    Pattern,
    SetOp,
    Test,
    This,
    Time,
    Value,
    Week,
    children,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from casebook.conditions.names import Named

MOST_NODES: Final = 1_000
"""Nodes that a condition may have (DESIGN section 10)."""
MOST_DEPTH: Final = 100
"""Nodes within one another: what compares, hashes and explains trees recurses, in a host whose stack may be deep already."""

SYMBOLS: Final = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
_WORDS: Final = {
    "is": "is", "is_not": "is not", "in": "in", "not_in": "not in", "between": "between", "contains": "contains",
    "starts_with": "starts with", "ends_with": "ends with", "like": "like", "matches": "matches", **SYMBOLS,
}  # fmt: skip

CASE_KINDS: Final = "expected tool, task, error or feedback, the events of a session, got "
_MEMORY_KINDS: Final = frozenset({"recall", "reuse"})

RawValue = Value | None
"""A value as it was read: `Value`, or None for null."""


def presence(named: Named, op: Literal["exists", "missing"]) -> Test:
    """Build `field exists` or `field is missing`."""
    return Test(named.field, op)


def equality(named: Named, op: Literal["is", "is_not"], value: RawValue, at: int | None) -> Test:
    """Build `field is value`; with null it asks for presence."""
    if value is None:
        return Test(named.field, "missing" if op == "is" else "exists")
    check_whole(named, op, at)
    return Test(named.field, op, _of_type(named, value, at))


def membership(
    named: Named, op: Literal["in", "not_in"], items: Sequence[tuple[RawValue, int | None]], at: int | None
) -> Test:
    """Build `field in [values]`; `items` are the values, each with its place."""
    check_whole(named, op, at)
    if not items:
        raise complain("expected one value or more in the list, got none", at)
    values: list[Value] = []
    for value, place in items:
        if value is None:
            name, join = named.spelled, ("or", "missing") if op == "in" else ("and", "exists")
            cure = f"{name} {_WORDS[op]} […] {join[0]} {name} {'is missing' if op == 'in' else 'exists'}"
            raise complain("expected a value in the list, got null", place, cure)
        values.append(_of_type(named, value, place))
    return Test(named.field, op, tuple(values))


def order(named: Named, op: Op, value: RawValue, at_op: int | None, at: int | None) -> Test:
    """Build `field >= number`."""
    _check_number_field(named, op, at_op)
    return Test(named.field, op, _number(value, at))


def number_range(
    named: Named, low: RawValue, high: RawValue, at_op: int | None, *, at: int | None, at_high: int | None
) -> Test:
    """Build `field between low and high`, both ends in."""
    _check_number_field(named, "between", at_op)
    first, last = _number(low, at), _number(high, at_high)
    if first > last:
        raise complain(
            f"expected the lower end first, got {shown(first)[1:-1]} and {shown(last)[1:-1]}",
            at,
            f"between {shown(last)[1:-1]} and {shown(first)[1:-1]}",
        )
    return Test(named.field, "between", (first, last))


def text_test(named: Named, op: Op, value: RawValue, at: int | None) -> Test:
    """Build `field contains value` and its like; a number becomes text but where a list may hold one."""
    _check_text_field(named, op, at)
    if value is None or isinstance(value, bool):
        spelled = named_shape(value)
        raise complain(f"expected a string, got {spelled}", at, quote(spelled))
    if isinstance(value, int | float) and (op != "contains" or named.type != "any"):
        value = str(value)
    if value == "":
        raise complain(
            f"expected something to look for, got an empty string after {shown(_WORDS[op])}",
            at,
            f"{named.spelled} exists",
        )
    if op == "like" and isinstance(value, str) and (refusal := like_refusal(value)) is not None:
        raise complain(refusal, at)
    return Test(named.field, op, value)


def matching(named: Named, pattern: Pattern, at: int | None) -> Test:
    """Build `field matches /pattern/`."""
    _check_text_field(named, "matches", at)
    return Test(named.field, "matches", pattern)


def _bare_mapping(named: Named) -> bool:
    """Whether a field is a mapping as a whole, of which only presence can be asked."""
    return named.type == "group" or named.field.path in (("args",), ("context",))


def check_whole(named: Named, op: str, at: int | None) -> None:
    """Refuse a field that is a mapping as a whole where one value is asked for."""
    if not _bare_mapping(named):
        return
    root = named.field.root
    parts = [f"{root}.{part}" for part in GROUPS.get(root, {})]
    cure = f"one of {', '.join(parts)}" if parts else f"{root}.NAME"
    raise complain(
        f"{named.spelled} has parts: expected one of them before {shown(_WORDS[op])}, got all of it", at, cure
    )


def _check_number_field(named: Named, op: str, at: int | None) -> None:
    check_whole(named, op, at)
    if named.type in ("text", "texts"):
        raise complain(
            f"expected a field with numbers before {shown(_WORDS[op])}, got {named.spelled}, which is text",
            at,
            f"{named.spelled} with is, in, contains or matches",
        )


def _check_text_field(named: Named, op: str, at: int | None) -> None:
    check_whole(named, op, at)
    if named.type == "number":
        raise complain(
            f"expected a field with text before {shown(_WORDS[op])}, got {named.spelled}, which is a number",
            at,
            f"{named.spelled} with is, in, >, >=, <, <= or between",
        )


def _of_type(named: Named, value: Value, at: int | None) -> Value:
    """Give a value that an equality test of this field may have."""
    if isinstance(value, This) or named.type == "any":
        return value
    if named.type == "number":
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise complain(f"expected a number for {named.spelled}, got {named_shape(value)}", at, _as_number(value))
        return value
    if not isinstance(value, str):
        shape = named_shape(value)
        spelled = shape.removeprefix("the number ")
        raise complain(f"expected a string for {named.spelled}, which is text, got {shape}", at, quote(spelled))
    return value


def _as_number(value: object) -> str | None:
    try:
        float(str(value))
    except ValueError:
        return None
    return f"{value} without quotes"


def _number(value: RawValue, at: int | None) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        shape = "this" if isinstance(value, This) else named_shape(value)
        raise complain(f"expected a number, got {shape}", at, _as_number(value) if isinstance(value, str) else None)
    return value


def time_window(
    start: int, end: int, days: tuple[DaySpan, ...] | None, at: int | None, *, next_day: bool = False
) -> Time:
    """Build a window of the day out of seconds; `next_day` says that 次日 stood before its end."""
    if start == end:
        raise complain(
            f"expected two different ends of the window, got {shown(write_time(start))} twice",
            at,
            "0 and 24 for all day",
        )
    if next_day and end > start:
        raise complain(
            f"expected an end within a day, got {shown(write_time(end))} of the next day after {shown(write_time(start))}",
            at,
        )
    return Time(start, end, days)


def week_window(start: tuple[int, int], end: tuple[int, int], at: int | None) -> Week:
    """Build a window of the week out of (weekday, seconds of the day)."""
    if start[0] * DAY_SECONDS + start[1] == end[0] * DAY_SECONDS + end[1]:
        raise complain("expected two different ends of the window, got the same instant twice", at)
    return Week(start, end)


def date_range(first: str, last: str, at: int | None) -> Date:
    """Build `date between first and last`, both included."""
    if first > last:
        raise complain(
            f"expected the earlier date first, got {shown(first)} and {shown(last)}", at, f"between {last} and {first}"
        )
    return Date("between", (first, last))


def date_test(op: DateOp, value: str) -> Date:
    """Build `date >= value`."""
    return Date(op, (value,))


def calendar_number(
    unit: Literal["MONTH", "DAY"], op: SetOp, items: Sequence[tuple[object, int | None]], at: int | None
) -> Month | Day:
    """Build a test of the month or of the day of the month; `items` are the numbers, each with its place."""
    last, word = (12, "a month") if unit == "MONTH" else (31, "a day of the month")
    if not items:
        raise complain("expected one number or more in the list, got none", at)
    numbers: list[int] = []
    for value, place in items:
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= last:
            raise complain(f"expected {word} from 1 to {last}, got {_plainly(value)}", place)
        numbers.append(value)
    return Month(op, tuple(numbers)) if unit == "MONTH" else Day(op, tuple(numbers))


def _plainly(value: object) -> str:
    if isinstance(value, This):
        return "this"
    shape = named_shape(value)
    return shape.removeprefix("the number ").removeprefix("the string ")


def count(kind: Kind, where: Node | None, within: int | None, op: CountOp, value: object, *, at: int | None) -> Count:
    """Build a count of events, compared with a whole number."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise complain(f"expected a whole number from 0, got {_plainly(value)}", at)
    return Count(kind, where, within, op, value)


def kind_complaint(kind: Kind) -> str | None:
    """Say why a case cannot ask for events of a kind; None where it can. It begins with `CASE_KINDS`."""
    return f"{CASE_KINDS}{shown(kind)}, which is known in a policy only" if kind in _MEMORY_KINDS else None


def joined(kind: type[And | Or], items: Sequence[Node]) -> Node:
    """Build a conjunction or disjunction; one within the same kind becomes flat, and one item stays itself."""
    flat: list[Node] = []
    for item in items:
        flat.extend(item.items if isinstance(item, And | Or) and isinstance(item, kind) else (item,))
    return flat[0] if len(flat) == 1 else kind(tuple(flat))


def check_size(node: Node, at: int | None) -> Node:
    """Give the tree back when it has no more nodes, and no more of them within one another, than a condition may have."""
    nodes = 0
    stack = [(node, 1)]
    while stack:
        each, depth = stack.pop()
        nodes += 1
        if nodes > MOST_NODES:
            raise complain(f"expected at most {MOST_NODES:,} nodes in a condition, got more", at, "several conditions")
        if depth > MOST_DEPTH:
            cure = "several conditions, or the negations drawn inwards"
            raise complain(f"expected at most {MOST_DEPTH} nodes within one another, got more", at, cure)
        stack.extend((below, depth + 1) for below in children(each))
    return node
