"""What a condition saw, in a few words: the clock as it stood, a value of the task (data: quoted, shortened), a count."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

from casebook.conditions.evaluate import Trace
from casebook.conditions.tree import Always, And, Count, Earlier, Field, Not, Or, Test, Time, Week, Weekday
from casebook.runtime.answer.harmless import excerpt, inside_quotes
from casebook.runtime.answer.texts import Texts

Redact = Callable[[str], str]
"""Takes a text and gives it without its secrets."""

VALUE_CHARS = 48
"""Characters of a value that are shown."""

NAME_CHARS = 24
"""Characters of a name in a mapping that are shown."""

_READ_CHARS = 2_000
_PLAIN_NAME = re.compile(r"[\w-]{1,48}")
_UNQUOTED = re.compile("[ !#-&(-_a-~]*…?")  # ASCII without any quotation mark, as nearly all values are
_DOUBLED = re.compile("['‘’`´]{2,}")
_ITEMS = 4


def as_it_is(text: str) -> str:
    """Give the text itself: the `Redact` of who has none."""
    return text


def value_words(value: Any, texts: Texts, redact: Redact = as_it_is, *, nested: bool = False) -> str:
    """Give a value of a task as one short harmless text: words quoted, of lists and mappings a few items or names.

    Names are quoted, too: nothing that a task says stands outside of quotation marks.
    """
    if value is None:
        return texts.nothing
    if isinstance(value, bool):
        return texts.yes if value else texts.no
    if isinstance(value, str):
        return _quoted(value, redact, VALUE_CHARS)
    if isinstance(value, int):
        bits = value.bit_length()
        return str(value) if bits <= 128 else f"{'-' if value < 0 else ''}2^{bits - 1}…"
    if isinstance(value, float):
        return repr(value)
    more = "" if len(value) <= _ITEMS else ", …"
    if nested:
        return "{…}" if isinstance(value, Mapping) else "[…]"
    if isinstance(value, Mapping):
        names = (
            _quoted(name, redact, NAME_CHARS) if isinstance(name, str) else value_words(name, texts, redact)
            for name in islice(value, _ITEMS)
        )
        return "{" + ", ".join(names) + more + "}"
    return "[" + ", ".join(value_words(item, texts, redact, nested=True) for item in islice(value, _ITEMS)) + more + "]"


def _quoted(text: str, redact: Redact, limit: int) -> str:
    """Give a text of a task in quotation marks, its beginning; two single ones after another would look like a double one."""
    inside = excerpt(redact(text[:_READ_CHARS]), limit)
    if not _UNQUOTED.fullmatch(inside):
        inside = _DOUBLED.sub("'", inside_quotes(inside))
    return f'"{inside}"'


def clock_words(node: object, local: datetime, texts: Texts) -> str:
    """Give the wall clock as far as a clock test looks at it, with its zone: `Fri 03:10 Asia/Shanghai`."""
    zone = local.tzinfo.key if isinstance(local.tzinfo, ZoneInfo) else str(local.tzinfo)
    day = texts.weekdays[local.weekday()]
    if isinstance(node, Time | Week):
        moment = f"{local.hour:02}:{local.minute:02}" + (f":{local.second:02}" if local.second else "")
        weekly = isinstance(node, Week) or node.days is not None
        return f"{day} {moment} {zone}" if weekly else f"{moment} {zone}"
    date = local.date().isoformat()
    return f"{day} {date} {zone}" if isinstance(node, Weekday) else f"{date} {zone}"


def instant_words(at: datetime, zone: str) -> str:
    """Give an instant as the clocks of a zone show it, with the zone's name: `2026-03-21 07:00 Asia/Shanghai`.

    Where the clocks show the time twice, the offset says which is meant: `2026-10-25 02:30+01:00 Europe/Berlin`.

    Args:
        at: the instant, aware.
        zone: an IANA zone.
    """
    try:
        local = at.astimezone(ZoneInfo(zone))
    except OverflowError:  # at the very ends of the calendar
        local, zone = at.astimezone(UTC), "UTC"
    twice = local.utcoffset() != local.replace(fold=1 - local.fold).utcoffset()
    shown = local if twice else local.replace(tzinfo=None)
    return f"{shown.isoformat(' ', 'seconds' if local.second else 'minutes')} {zone}"


class Found:
    """What leaves saw, in words, for one answer; the clock of a zone is put into words once."""

    __slots__ = ("_clocks", "_redact", "_texts")

    def __init__(self, texts: Texts, redact: Redact = as_it_is) -> None:
        """Take the words of a language, and what takes secrets out of values."""
        self._texts = texts
        self._redact = redact
        self._clocks: dict[tuple[type, bool, object], str] = {}

    def words(self, leaf: Trace) -> str:
        """Give what a leaf saw."""
        node, seen = leaf.node, leaf.seen
        if isinstance(node, Test):
            return self.value(seen)
        return self.events(seen) if isinstance(node, Earlier | Count) else self.clock(node, seen)

    def value(self, seen: Any) -> str:
        """Give the value of a field."""
        return value_words(seen, self._texts, self._redact)

    def events(self, count: int) -> str:
        """Give how many events of a session were counted."""
        return self._texts.events.format(count)

    def clock(self, node: object, local: datetime) -> str:
        """Give the wall clock as far as a clock test looks at it; all of one answer look at the same instant."""
        key = (type(node), isinstance(node, Time) and node.days is not None, local.tzinfo)
        known = self._clocks.get(key)
        if known is None:
            known = self._clocks[key] = clock_words(node, local, self._texts)
        return known


def field_words(field: Field) -> str:
    """Give a field's dotted name, harmless; a part that is no plain word is quoted."""
    parts = (str(each) for each in field.path)
    return ".".join(each if _PLAIN_NAME.fullmatch(each) else _quoted(each, as_it_is, VALUE_CHARS) for each in parts)


def leaves(trace: Trace) -> Iterator[Trace]:
    """Give the leaves that made a condition come out as it did, in order.

    Of an `or` that holds those that hold, of an `and` that fails those that fail, else all; `always` is none.
    """
    stack = [trace]
    while stack:
        top = stack.pop()
        if isinstance(top.node, And | Or):
            stack.extend(each for each in reversed(top.items) if each.holds is top.holds)
        elif isinstance(top.node, Not):
            stack.append(top.items[0])
        elif not isinstance(top.node, Always):
            yield top
