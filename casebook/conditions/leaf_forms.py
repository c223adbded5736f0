"""The JSON forms of single conditions (`docs/language.md`): from an object to a node, with faults that say what was found."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, Final, Literal, get_args

from casebook.conditions import checks, moments
from casebook.conditions.complaints import complain, named_shape, shown
from casebook.conditions.literals import check_number, fold, normal
from casebook.conditions.names import Declared, Named, read_field
from casebook.conditions.patterns import make_pattern
from casebook.conditions.tree import Clock, CountOp, DateOp, DaySpan, Earlier, Kind, Node, Op, SetOp, This, Weekday
from casebook.faults import nearest

KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "field": ("op", "value", "flags"),
    "time": ("on", "zone"),
    "weekday": ("op", "zone"),
    "week": ("zone",),
    "date": ("op", "zone"),
    "month": ("op", "zone"),
    "day": ("op", "zone"),
    "earlier": ("where", "within"),
    "count": ("where", "within", "op", "value"),
    "any": (),
    "all": (),
    "not": (),
}
"""By the key that says what a form is, the keys that it may have beside it."""


def head_of(form: Mapping[Any, Any]) -> str:
    """Give the key that says what a form is; raises ConditionError where there is none, or a key it may not have."""
    heads = [key for key in KEYS if key in form]
    if len(heads) != 1:
        found = f"both {shown(heads[0])} and {shown(heads[1])}" if heads else named_shape(form)
        close = None if heads else next((each for key in form if (each := nearest(str(key)[:64], KEYS))), None)
        raise complain(f"expected an object with one of {', '.join(KEYS)}, got {found}", None, close)
    head = heads[0]
    for key in form:
        if key != head and key not in KEYS[head]:
            known = KEYS[head]
            beside = f"one of {', '.join(known)}" if known else "nothing"
            raise complain(
                f"expected {beside} beside {shown(head)}, got {shown(key)}", None, nearest(str(key)[:64], known)
            )
    return head


def text_of(found: object, what: str) -> str:
    """Give a string of a form in NFC; raises ConditionError where it is none, or has half of a surrogate pair."""
    if not isinstance(found, str):
        raise complain(f"expected {what}, got {named_shape(found)}")
    try:
        found.encode()
    except UnicodeEncodeError:
        raise complain(f"expected a character, got half of a surrogate pair in {shown(found)}") from None
    return normal(found)


def _list_of(found: object, what: str, size: int | None = None) -> list[Any]:
    if not isinstance(found, list | tuple) or (size is not None and len(found) != size):
        raise complain(f"expected {what}, got {named_shape(found)}")
    return list(found)


def _op(form: Mapping[str, Any], known: Collection[str], default: str | None = None) -> str:
    """Give the op of a form out of those that it may have."""
    if "op" not in form and default is not None:
        return default
    found = form.get("op")
    if isinstance(found, str) and found in known:
        return found
    got = named_shape(found) if "op" in form else "none"
    symbols = {symbol: op for op, symbol in checks.SYMBOLS.items()} | {
        "==": "is",
        "=": "is",
        "!=": "is_not",
        "not": "is_not",
    }
    close = symbols.get(found) or nearest(found[:64].replace(" ", "_"), known) if isinstance(found, str) else None
    raise complain(f'expected "op" to be one of {", ".join(known)}, got {got}', None, close)


def field_of(found: object, declared: Declared, *, inside_where: bool) -> Named:
    """Read the field of a form."""
    text = text_of(found, "a field such as tool")
    folded = fold(text)
    named, end = read_field(text, folded, 0, declared)
    if end != len(text):
        cure = None
        if "." in text:
            root, _, rest = text.partition(".")
            cure = f'{root}."{rest}"'
        raise complain(f"expected a field and nothing after it, got {shown(text)}", None, cure)
    if named.event_only and not inside_where:
        raise complain(f"{named.spelled} is a field of events, known inside where only")
    return named


def _value(found: object, declared: Declared, *, inside_where: bool) -> checks.RawValue:
    if isinstance(found, Mapping):
        if set(found) != {"this"}:
            raise complain(f'expected a value or {{"this": field}}, got {named_shape(found)}')
        if not inside_where:
            raise complain("this is known inside where only")
        named = field_of(found["this"], declared, inside_where=False)
        checks.check_whole(named, "this", None)
        return This(named.field)
    if found is None or isinstance(found, bool):
        return found
    if isinstance(found, int | float):
        return check_number(found, None)
    return text_of(found, "a value")


def read_test(form: Mapping[str, Any], declared: Declared, *, inside_where: bool) -> Node:
    """Read `{"field": …, "op": …, "value": …}`."""
    named = field_of(form["field"], declared, inside_where=inside_where)
    op: Op = _op(form, get_args(Op))  # type: ignore[assignment]
    if op in ("exists", "missing"):
        if "value" in form:
            raise complain(f'expected no "value" with {op}, got {named_shape(form["value"])}')
        return checks.presence(named, op)
    if "flags" in form and op != "matches":
        raise complain(f'expected "flags" with matches only, got it with {op}')
    if "value" not in form:
        raise complain(f'expected a "value" with {op}, got none')
    found = form["value"]
    if op in ("in", "not_in"):
        items = [
            (_value(each, declared, inside_where=inside_where), None) for each in _list_of(found, "a list of values")
        ]
        return checks.membership(named, op, items, None)
    if op == "between":
        low, high = (_value(each, declared, inside_where=False) for each in _list_of(found, "a list of two numbers", 2))
        return checks.number_range(named, low, high, None, at=None, at_high=None)
    if op == "matches":
        flags = text_of(form.get("flags", ""), "flags out of i, m and s")
        return checks.matching(named, make_pattern(text_of(found, "a pattern"), flags, None), None)
    value = _value(found, declared, inside_where=inside_where)
    if op in ("is", "is_not"):
        return checks.equality(named, op, value, None)
    if op in checks.SYMBOLS:
        return checks.order(named, op, value, None, None)
    return checks.text_test(named, op, value, None)


def _time(found: object, *, ends: bool = False) -> int:
    if isinstance(found, int) and not isinstance(found, bool) and 0 <= found <= 99:
        return moments.read_time(str(found), None, ends=ends)
    if not isinstance(found, str):
        raise complain(f"expected a time such as 06:00, got {named_shape(found)}")
    return moments.read_time(fold(found).strip(), None, ends=ends)


def _spans(found: object) -> tuple[DaySpan, ...]:
    items = found if isinstance(found, list | tuple) else [found]
    if not items:
        raise complain("expected a weekday such as Mon-Fri, got an empty list")
    return tuple(moments.read_days(text_of(each, "a weekday such as Mon-Fri"), None) for each in items)


def _read_time(form: Mapping[str, Any]) -> Node:
    start, end = _list_of(form["time"], "a list of two times", 2)
    days = _spans(form["on"]) if "on" in form else None
    return checks.time_window(_time(start), _time(end, ends=True), days, None)


def _read_weekday(form: Mapping[str, Any]) -> Node:
    days = _spans(form["weekday"])
    listed = isinstance(form["weekday"], list | tuple)
    op = _op(form, ("is", "is_not", "in", "not_in"), "in" if listed else "is")
    if len(days) > 1:
        op = {"is": "in", "is_not": "not_in"}.get(op, op)
    return Weekday(op, days)  # type: ignore[arg-type]


def _read_week(form: Mapping[str, Any]) -> Node:
    ends = _list_of(form["week"], "a list of two [weekday, time]", 2)
    first, last = (_list_of(each, "a list of a weekday and a time", 2) for each in ends)
    return checks.week_window(
        (moments.read_day(first[0], None), _time(first[1])),
        (moments.read_day(last[0], None), _time(last[1], ends=True)),
        None,
    )


def _read_date(form: Mapping[str, Any]) -> Node:
    found = form["date"]
    paired = isinstance(found, list | tuple)
    op: DateOp = _op(form, get_args(DateOp), "between" if paired else "is")  # type: ignore[assignment]
    if op == "between":
        first, last = _list_of(found, "a list of two dates", 2)
        what = "a date such as 2026-03-01"
        return checks.date_range(
            moments.read_date(text_of(first, what), None), moments.read_date(text_of(last, what), None), None
        )
    return checks.date_test(op, moments.read_date(text_of(found, "a date such as 2026-03-01"), None))


def _read_number(form: Mapping[str, Any], key: Literal["month", "day"]) -> Node:
    found = form[key]
    listed = isinstance(found, list | tuple)
    op: SetOp = _op(form, get_args(SetOp), "in" if listed else "is")  # type: ignore[assignment]
    if op in ("is", "is_not"):
        items = [found]
    else:
        items = _list_of(
            found, "a list of two numbers" if op == "between" else "a list of numbers", 2 if op == "between" else None
        )
    unit: Literal["MONTH", "DAY"] = "MONTH" if key == "month" else "DAY"
    return checks.calendar_number(unit, op, [(each, None) for each in items], None)


CLOCKS: Final[Mapping[str, Callable[[Mapping[str, Any]], Node]]] = {
    "time": _read_time,
    "weekday": _read_weekday,
    "week": _read_week,
    "date": _read_date,
    "month": lambda form: _read_number(form, "month"),
    "day": lambda form: _read_number(form, "day"),
}
"""By key, how a clock form is read, its zone apart."""


def read_clock(head: str, form: Mapping[str, Any]) -> Node:
    """Read a clock form with its zone."""
    node = CLOCKS[head](form)
    if form.get("zone") is None or not isinstance(node, Clock):
        return node
    zone = moments.read_zone(text_of(form["zone"], "a time zone such as Asia/Shanghai"), None)
    return replace(node, zone=zone)


def read_history(head: str, form: Mapping[str, Any], where: Node | None) -> Node:
    """Read `{"earlier": kind, …}` or `{"count": kind, …, "op", "value"}`, whose `where` was read before."""
    found, kinds = form[head], get_args(Kind)
    if not isinstance(found, str) or found not in kinds:
        close = nearest(found[:64], kinds) if isinstance(found, str) else None
        raise complain(f"expected one of {', '.join(kinds)}, got {named_shape(found)}", None, close)
    kind: Kind = found  # type: ignore[assignment]
    within = _within(form.get("within"))
    if head == "earlier":
        return Earlier(kind, where, within)
    op: CountOp = _op(form, get_args(CountOp))  # type: ignore[assignment]
    if "value" not in form:
        raise complain('expected a "value" with a count, got none')
    return checks.count(kind, where, within, op, form["value"], at=None)


def _within(found: object) -> int | None:
    if found is None:
        return None
    if isinstance(found, int) and not isinstance(found, bool):
        return moments.check_duration(found, found, None)
    return moments.read_duration(fold(text_of(found, "a duration such as 30m")), None)
