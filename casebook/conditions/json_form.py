"""The JSON form of conditions, read and written (`docs/language.md`); neither way recurses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from casebook.conditions import checks
from casebook.conditions.complaints import complain, named_shape
from casebook.conditions.leaf_forms import head_of, read_clock, read_history, read_test
from casebook.conditions.moments import write_days, write_duration, write_time
from casebook.conditions.names import write_field
from casebook.conditions.parse import parse_part
from casebook.conditions.tree import (
    Always,
    And,
    Count,
    Date,
    Day,
    Earlier,
    Month,
    Node,
    Not,
    Or,
    Pattern,
    Test,
    This,
    Time,
    Value,
    Week,
    Weekday,
    children,
)

if TYPE_CHECKING:
    from casebook.conditions.fields import FieldType

_NONE_DECLARED: Final[Mapping[str, FieldType]] = MappingProxyType({})
MOST_FORMS: Final = 4 * checks.MOST_NODES
"""Objects and strings that one form may have: no condition of 1,000 nodes needs more."""


def from_json(form: object, *, declared: Mapping[str, FieldType] = _NONE_DECLARED) -> Node:
    """Read a condition in either form.

    Args:
        form: a string (its text) or an object of the JSON form.
        declared: fields beside the known ones, with their types (`fields` of the policy).

    Returns:
        its tree, as `parse` would give it.

    Raises:
        ConditionError: it is not of the language; with a column where it is a string.
    """
    if isinstance(form, str):
        return parse_part(form, declared, inside_where=False)
    forms = 0
    waiting: list[tuple[Any, bool, bool]] = [(form, False, False)]
    ready: list[Node] = []
    while waiting:
        found, inside_where, parts_read = waiting.pop()
        if isinstance(found, str):
            ready.append(parse_part(found, declared, inside_where=inside_where))
            continue
        head = _head(found, inside_where=inside_where)
        if parts_read:
            _finish(head, found, ready)
            continue
        forms += 1 + len(_parts(head, found))
        if forms > MOST_FORMS:
            raise complain(
                f"expected at most {checks.MOST_NODES:,} nodes in a condition, got more", None, "several conditions"
            )
        if head == "field":
            ready.append(read_test(found, declared, inside_where=inside_where))
        elif head in _OF_PARTS:
            waiting.append((found, inside_where, True))
            below = inside_where or head in ("earlier", "count")
            waiting.extend((part, below, False) for part in reversed(_parts(head, found)))
        else:
            ready.append(read_clock(head, found))
    return checks.check_size(ready[0], None)


_OF_PARTS: Final = ("any", "all", "not", "earlier", "count")


def _head(found: object, *, inside_where: bool) -> str:
    if not isinstance(found, Mapping):
        raise complain(f"expected a condition, as a string or an object, got {named_shape(found)}")
    head = head_of(found)
    if inside_where and head not in ("field", "any", "all", "not"):
        raise complain(f'expected a test of the event\'s own fields inside where, got "{head}"')
    return head


def _parts(head: str, form: Mapping[str, Any]) -> list[Any]:
    """Give the forms directly below one."""
    if head in ("any", "all"):
        items = form[head]
        if not isinstance(items, list | tuple) or not items:
            raise complain(f'expected a list of one condition or more in "{head}", got {named_shape(items)}')
        return list(items)
    if head == "not":
        return [form["not"]]
    if head in ("earlier", "count") and form.get("where") is not None:
        return [form["where"]]
    return []


def _finish(head: str, form: Mapping[str, Any], ready: list[Node]) -> None:
    """Put the node of a form in the place of those of its parts."""
    size = len(_parts(head, form))
    parts = ready[len(ready) - size :]
    del ready[len(ready) - size :]
    if head == "not":
        ready.append(Not(parts[0]))
    elif head in ("any", "all"):
        ready.append(checks.joined(And if head == "all" else Or, parts))
    else:
        ready.append(read_history(head, form, parts[0] if parts else None))


def to_json(node: Node) -> str | dict[str, Any]:
    """Give the JSON form of a tree: an object, or `"always"`; `from_json` gives the tree back."""
    written: dict[int, str | dict[str, Any]] = {}
    for each in _bottom_up(node):
        written[id(each)] = _form(each, written)
    return written[id(node)]


def _bottom_up(node: Node) -> Iterator[Node]:
    """Give all nodes, those below before those above."""
    order: list[Node] = []
    waiting = [node]
    while waiting:
        top = waiting.pop()
        order.append(top)
        waiting.extend(children(top))
    return reversed(order)


def _form(node: Node, written: Mapping[int, Any]) -> str | dict[str, Any]:
    match node:
        case Always():
            return "always"
        case And(items):
            return {"all": [written[id(item)] for item in items]}
        case Or(items):
            return {"any": [written[id(item)] for item in items]}
        case Not(item):
            return {"not": written[id(item)]}
        case Test():
            return _test_form(node)
        case Earlier(kind, where, within):
            return {"earlier": kind, **_tail(where, within, written)}
        case Count(kind, where, within, op, value):
            return {"count": kind, **_tail(where, within, written), "op": op, "value": value}
        case _:
            form = _clock_form(node)
            return form if node.zone is None else {**form, "zone": node.zone}


def _test_form(test: Test) -> dict[str, Any]:
    form: dict[str, Any] = {"field": write_field(test.field, "en"), "op": test.op}
    match test.value:
        case None:
            return form
        case Pattern(source, flags):
            return {**form, "value": source} | ({"flags": flags} if flags else {})
        case tuple(values):
            return {**form, "value": [_value_form(each) for each in values]}
        case value:
            return {**form, "value": _value_form(value)}


def _value_form(value: Value) -> Any:
    return {"this": write_field(value.field, "en")} if isinstance(value, This) else value


def _tail(where: Node | None, within: int | None, written: Mapping[int, Any]) -> dict[str, Any]:
    tail = {} if where is None else {"where": written[id(where)]}
    return tail if within is None else {**tail, "within": write_duration(within, "en")}


def _clock_form(node: Time | Weekday | Week | Date | Month | Day) -> dict[str, Any]:
    match node:
        case Time(start, end, days):
            form: dict[str, Any] = {"time": [write_time(start), write_time(end)]}
            if days is None:
                return form
            spans = [write_days(span, "en") for span in days]
            return {**form, "on": spans[0] if len(spans) == 1 else spans}
        case Weekday(op, days):
            named = [write_days(span, "en", named=op in ("is", "is_not")) for span in days]
            listed = op in ("in", "not_in")
            return _with_op({"weekday": named if listed else named[0]}, op, "in" if listed else "is")
        case Week(start, end):
            return {"week": [[write_days((day, day), "en"), write_time(seconds)] for day, seconds in (start, end)]}
        case Date(op, values):
            return _with_op(
                {"date": list(values) if op == "between" else values[0]}, op, "between" if op == "between" else "is"
            )
        case Month(op, values) | Day(op, values):
            listed = op not in ("is", "is_not")
            key = "month" if isinstance(node, Month) else "day"
            return _with_op({key: list(values) if listed else values[0]}, op, "in" if listed else "is")


def _with_op(form: dict[str, Any], op: str, usual: str) -> dict[str, Any]:
    """Give a form with its op, unless it is the one that its shape says."""
    return form if op == usual else {**form, "op": op}
