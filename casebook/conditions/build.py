"""From the parser's reductions to the tree: one function a rule of `grammar.lark`, each given the children of its rule.

Lexemes carry their place, so faults point; what the functions check stands in `checks.py`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

from casebook.conditions import bare, checks
from casebook.conditions.complaints import complain, named_shape
from casebook.conditions.lexing import Lexeme
from casebook.conditions.moments import read_time
from casebook.conditions.patterns import make_pattern
from casebook.conditions.tree import Always, And, Clock, DaySpan, Earlier, Node, Not, Or, This, Weekday

if TYPE_CHECKING:
    from collections.abc import Sequence

    from casebook.conditions.checks import RawValue
    from casebook.conditions.names import Named

OUTSIDE_ONLY: Final = "expected a test of the event's own fields inside where, got "
"""How a note begins about what may not stand in a `where`."""

POLICY_ONLY: Final = checks.CASE_KINDS
"""How a note begins about events that a policy's conditions know and a case's do not."""

MIDDAY: Final = 12
_BARE_HOUR: Final = re.compile("([0-9]{1,2})[点时]?")

CLOCK: Final = "the clock, which speaks of the task's instant"


def _only(children: Sequence[Any], *types: str) -> list[Lexeme]:
    return [child for child in children if child.type in types]


def _signed(marker: Lexeme, node: Node) -> Node:
    """Give the negation where the keyword had `not` or 不 in it."""
    return Not(node) if marker.type.startswith("NO") else node


class Builder:
    """The reductions by name of rule, as Lark looks them up."""

    @staticmethod
    def any_of(children: list[Node]) -> Node:
        """`a or b`, flat."""
        return checks.joined(Or, children)

    @staticmethod
    def all_of(children: list[Node]) -> Node:
        """`a and b`, flat."""
        return checks.joined(And, children)

    @staticmethod
    def negation(children: list[Node]) -> Node:
        """`not a`, as it was written."""
        return Not(children[0])

    @staticmethod
    def always(_children: list[Lexeme]) -> Node:
        """`always`."""
        return Always()

    @staticmethod
    def presence(children: list[Lexeme]) -> Node:
        """`field exists`."""
        field, op = children
        return checks.presence(field.value, op.value)

    @staticmethod
    def against_value(children: list[Lexeme]) -> Node:
        """`field is value`, `field >= value`, `field [not] contains value`."""
        field, op, value = children
        if op.type in ("EQ", "NE"):
            bare.check_equal(field.value, op.value, value)
            return checks.equality(field.value, op.value, value.value, value.at)
        if op.type == "CMP":
            return checks.order(field.value, op.value, value.value, op.at, value.at)
        return _signed(op, checks.text_test(field.value, op.value, _needle(field.value, op.value, value), value.at))

    @staticmethod
    def membership(children: list[Lexeme]) -> Node:
        """`field [not] in [values]`."""
        field, op, items = children[:3]
        for item in items.value:
            bare.check_equal(field.value, op.value, item)
        return checks.membership(field.value, op.value, _placed(items), items.at)

    @staticmethod
    def number_range(children: list[Lexeme]) -> Node:
        """`field between low and high`."""
        field, op, low, high = children[:4]
        return _signed(op, checks.number_range(field.value, low.value, high.value, op.at, at=low.at, at_high=high.at))

    @staticmethod
    def pattern(children: list[Lexeme]) -> Node:
        """`field [not] matches /pattern/`."""
        field, op, value = children
        pattern = value.value
        if value.type != "REGEX":
            if not isinstance(pattern, str):
                raise complain(f"expected a pattern such as /drop\\s+table/i, got {_shape(pattern)}", value.at)
            pattern = make_pattern(pattern, "", value.at)
        return _signed(op, checks.matching(field.value, pattern, op.at))

    @staticmethod
    def affix(children: list[Lexeme]) -> Node:
        """`路径 [不]以 "x" 开头`."""
        field, by, value, op = children
        return _signed(by, checks.text_test(field.value, op.value, value.value, value.at))

    @staticmethod
    def values(children: list[Lexeme]) -> Lexeme:
        """`[values]`; an empty one is refused by what takes it."""
        bracket = children[0]
        return Lexeme("values", children[1:], bracket.at, bracket.scan)

    @staticmethod
    def this(children: list[Lexeme]) -> Lexeme:
        """`this field`."""
        this, field = children
        checks.check_whole(field.value, "this", field.at)
        this.scan.notes.append((this.at, "this is known inside where only"))
        return Lexeme("this", This(field.value.field), this.at, this.scan)

    @staticmethod
    def zoned(children: list[Any]) -> Node:
        """A clock test with its zone."""
        clock: Clock | Not = children[0]
        zone: str = children[-1].value
        if isinstance(clock, Not):
            return Not(replace(cast("Clock", clock.item), zone=zone))
        return replace(clock, zone=zone)

    @staticmethod
    def time(children: list[Lexeme]) -> Node:
        """`time [not] between start and end [on days]`."""
        _note(children[0], CLOCK)
        start, end = _only(children, "HM")
        _check_halves(start, end, children)
        days = next((each.value for each in children if each.type == "days"), None)
        window = checks.time_window(
            read_time(start.value, start.at),
            read_time(end.value, end.at, ends=True),
            days,
            start.at,
            next_day=bool(_only(children, "NEXT_DAY")),
        )
        return _signed(children[1], window)

    @staticmethod
    def weekday(children: list[Lexeme]) -> Node:
        """`weekday is weekend`, `weekday [not] in Mon-Fri`."""
        _note(children[0], CLOCK)
        op, days = children[1:]
        meaning = op.value
        if len(days.value) > 1:
            meaning = {"is": "in", "is_not": "not_in"}.get(meaning, meaning)
        return Weekday(meaning, days.value)

    @staticmethod
    def week(children: list[Lexeme]) -> Node:
        """`week [not] between Fri 22:00 and Mon 06:00`."""
        _note(children[0], CLOCK)
        first, last = _only(children, "WDAY")
        start, end = _only(children, "HM")
        window = checks.week_window(
            (first.value, read_time(start.value, start.at)),
            (last.value, read_time(end.value, end.at, ends=True)),
            first.at,
        )
        return _signed(children[1], window)

    @staticmethod
    def date(children: list[Lexeme]) -> Node:
        """`date >= 2026-03-01`."""
        _note(children[0], CLOCK)
        return checks.date_test(children[1].value, children[2].value)

    @staticmethod
    def date_range(children: list[Lexeme]) -> Node:
        """`date [not] between first and last`."""
        _note(children[0], CLOCK)
        first, last = _only(children, "YMD")
        return _signed(children[1], checks.date_range(first.value, last.value, first.at))

    @staticmethod
    def calendar_number(children: list[Lexeme]) -> Node:
        """`month is 1`."""
        _note(children[0], CLOCK)
        unit, op, value = children
        return checks.calendar_number(unit.type, op.value, [(value.value, value.at)], value.at)  # type: ignore[arg-type]

    @staticmethod
    def calendar_list(children: list[Lexeme]) -> Node:
        """`month [not] in [1, 12]`."""
        _note(children[0], CLOCK)
        unit, op, items = children[:3]
        return checks.calendar_number(unit.type, op.value, _placed(items), items.at)  # type: ignore[arg-type]

    @staticmethod
    def calendar_range(children: list[Lexeme]) -> Node:
        """`month [not] between 11 and 2`."""
        _note(children[0], CLOCK)
        unit, op, low, high = children[:4]
        ends = [(low.value, low.at), (high.value, high.at)]
        return _signed(op, checks.calendar_number(unit.type, "between", ends, low.at))  # type: ignore[arg-type]

    @staticmethod
    def on(children: list[Lexeme]) -> Lexeme:
        """`on days`."""
        return children[0]

    @staticmethod
    def days(children: list[Lexeme]) -> Lexeme:
        """One weekday or span."""
        return Lexeme("days", (children[0].value,), children[0].at, children[0].scan)

    @staticmethod
    def day_list(children: list[Lexeme]) -> Lexeme:
        """`[Mon, Wed-Fri]`."""
        return Lexeme("days", tuple(each.value for each in children[1:]), children[0].at, children[0].scan)

    @staticmethod
    def dsel(children: list[Lexeme]) -> Lexeme:
        """`Mon`, `Mon-Fri` or `weekend`."""
        first, last = children[0], children[-1]
        span: DaySpan = first.value if first.type == "DAYSET" else (first.value, last.value)
        return Lexeme("dsel", span, first.at, first.scan)

    @staticmethod
    def earlier(children: list[Lexeme]) -> Node:
        """`[no] earlier kind [within] [where]`."""
        keyword, kind = children[:2]
        _note(keyword, "history")
        _note_kind(kind)
        where, within = _tail(children)
        return _signed(keyword, Earlier(kind.value, where, within))

    @staticmethod
    def count(children: list[Lexeme]) -> Node:
        """`count of kind [within] [where] >= number`."""
        keyword, kind, op, value = children[0], children[1], children[-2], children[-1]
        _note(keyword, "history")
        _note_kind(kind)
        where, within = _tail(children)
        return checks.count(kind.value, where, within, op.value, value.value, at=value.at)

    @staticmethod
    def where(children: list[Any]) -> Lexeme:
        """`where test`; settles the notes made inside it."""
        keyword, node = children
        scan, kept = keyword.scan, []
        for at, note in scan.notes:
            if at < keyword.at:
                kept.append((at, note))
            elif note.startswith(OUTSIDE_ONLY):
                raise complain(note, at, "a condition of its own, outside the where")
        scan.notes = kept
        return Lexeme("where", node, keyword.at, scan)

    @staticmethod
    def within(children: list[Lexeme]) -> Lexeme:
        """`within duration`."""
        duration = children[0]
        return Lexeme("within", duration.value, duration.at, duration.scan)


def _needle(named: Named, op: str, value: Lexeme) -> RawValue:
    """Give what a text test looks for: a number as it was written, but where a list may hold it."""
    found: RawValue = value.value
    if type(found) is str:
        bare.check_needle(named, value)
    elif type(found) in (int, float) and bare.is_bare(value):
        if op != "contains" or named.type != "any":
            return bare.spelled_number(value)
        bare.check_digits(value)
    return found


def _check_halves(start: Lexeme, end: Lexeme, children: Sequence[Any]) -> None:
    """Refuse `time between 9 and 5`, which may be the morning and the afternoon, or the night."""
    low, high = _BARE_HOUR.fullmatch(start.value), _BARE_HOUR.fullmatch(end.value)
    if low is None or high is None or not 0 < int(high[1]) < int(low[1]) <= MIDDAY or _only(children, "NEXT_DAY"):
        return
    first, last = int(low[1]), int(high[1])
    raise complain(
        f"expected hours of which halves of the day are told apart, got {first} and {last}",
        start.at,
        f"{first:02}:00 and {last + MIDDAY:02}:00, or {(first + MIDDAY) % 24:02}:00 and {last:02}:00, or {first:02}:00 and {last:02}:00",
    )


def _placed(items: Lexeme) -> list[tuple[Any, int | None]]:
    return [(item.value, item.at) for item in items.value]


def _shape(value: object) -> str:
    return "this" if isinstance(value, This) else named_shape(value)


def _tail(children: list[Lexeme]) -> tuple[Node | None, int | None]:
    where = next((each.value for each in children if each.type == "where"), None)
    within = next((each.value for each in children if each.type == "within"), None)
    return where, within


def _note(keyword: Lexeme, what: str) -> None:
    keyword.scan.notes.append((keyword.at, OUTSIDE_ONLY + what))


def _note_kind(kind: Lexeme) -> None:
    if (complaint := checks.kind_complaint(kind.value)) is not None:
        kind.scan.notes.append((kind.at, complaint))
