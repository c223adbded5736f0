"""The JSON form of conditions, read and written (`docs/language.md`); neither way recurses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
from casebook.faults import ConditionError

if TYPE_CHECKING:
    from casebook.conditions.fields import FieldType

_NONE_DECLARED: Final[Mapping[str, FieldType]] = MappingProxyType({})
MOST_FORMS: Final = 4 * checks.MOST_NODES
"""Objects and strings that one form may have: no condition of 1,000 nodes needs more."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A form that is being read: the one that it stands in, under which name, and whether its parts have been read."""

    form: Any
    around: _Part | None = None
    name: str = ""
    inside_where: bool = False
    parts_read: bool = False

    @property
    def place(self) -> str:
        """Give where it stands in the whole form, such as `any[1].where`; empty for the whole."""
        names: list[str] = []
        part: _Part | None = self
        while part is not None and part.around is not None:
            names.append(part.name)
            part = part.around
        return ".".join(reversed(names if len(names) <= _NAMES else [*names[:_NAMES], "…", *names[-2:]]))


_NAMES: Final = 8
"""Names of a place that a fault repeats; what is nested deeper is cut in the middle."""


def from_json(form: object, *, declared: Mapping[str, FieldType] = _NONE_DECLARED, of_policy: bool = False) -> Node:
    """Read a condition in either form.

    Args:
        form: a string (its text) or an object of the JSON form.
        declared: fields beside the known ones, with their types (`fields` of the policy).
        of_policy: as in `parse`.

    Returns:
        its tree, as `parse` would give it.

    Raises:
        ConditionError: it is not of the language; with a column where it is a string. Of a form within the form the message
            begins with its place, such as `any[1].where` or, where text stands there, `any[1], column 14`.
    """
    if isinstance(form, str):
        return parse_part(form, declared, inside_where=False, of_policy=of_policy)
    forms = 0
    waiting = [_Part(form)]
    ready: list[Node] = []
    while waiting:
        part = waiting.pop()
        try:
            below = _read_part(part, ready, declared, of_policy=of_policy)
        except ConditionError as fault:
            if part.around is None:
                raise
            column = fault.column if isinstance(part.form, str) else None
            place = part.place if column is None else f"{part.place}, column {column}"
            raise ConditionError(f"{place}: {fault.message}", column=column, suggestion=fault.suggestion) from None
        forms += 0 if part.parts_read or isinstance(part.form, str) else 1 + len(_parts_of(below))
        if forms > MOST_FORMS:
            raise complain(
                f"expected at most {checks.MOST_NODES:,} nodes in a condition, got more", None, "several conditions"
            )
        waiting.extend(reversed(below))
    return checks.check_size(ready[0], None)


def _parts_of(below: Sequence[_Part]) -> Sequence[_Part]:
    """Give the forms that are still to be read, without the one that waits for them."""
    return [each for each in below if not each.parts_read]


def _read_part(part: _Part, ready: list[Node], declared: Mapping[str, FieldType], *, of_policy: bool) -> list[_Part]:
    """Put the node of a form to those that are ready; of one with parts give these instead, and itself after them."""
    found, inside_where = part.form, part.inside_where
    if isinstance(found, str):
        ready.append(parse_part(found, declared, inside_where=inside_where, of_policy=of_policy))
        return []
    head = _head(found, inside_where=inside_where)
    if part.parts_read:
        _finish(head, found, ready, of_policy=of_policy)
    elif head == "field":
        ready.append(read_test(found, declared, inside_where=inside_where))
    elif head in _OF_PARTS:
        key = "where" if head in ("earlier", "count") else head
        listed = head in ("any", "all")
        below = [
            _Part(each, part, f"{key}[{number}]" if listed else key, inside_where or key == "where")
            for number, each in enumerate(_parts(head, found))
        ]
        return [*below, replace(part, parts_read=True)]
    else:
        ready.append(read_clock(head, found))
    return []


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


def _finish(head: str, form: Mapping[str, Any], ready: list[Node], *, of_policy: bool) -> None:
    """Put the node of a form in the place of those of its parts."""
    size = len(_parts(head, form))
    parts = ready[len(ready) - size :]
    del ready[len(ready) - size :]
    if head == "not":
        ready.append(Not(parts[0]))
    elif head in ("any", "all"):
        ready.append(checks.joined(And if head == "all" else Or, parts))
    else:
        node = read_history(head, form, parts[0] if parts else None)
        complaint = checks.kind_complaint(node.kind) if isinstance(node, Earlier | Count) else None
        if complaint is not None and not of_policy:
            raise complain(complaint)
        ready.append(node)


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
