"""What a condition that is not of the language was meant to say: rewritten whole, and parsed before it is suggested.

Only a fault brings this module in. What stands in quotes is never looked into.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from casebook.conditions.guess_calendar import CALENDAR_RULES
from casebook.conditions.guess_clocks import CLOCK_RULES
from casebook.conditions.guess_fields import FIELD_RULES
from casebook.conditions.guess_history import HISTORY_RULES
from casebook.conditions.guess_words import Rules, compiled
from casebook.conditions.literals import QUOTED, fold
from casebook.faults import ConditionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LONGEST: Final = 400
"""Characters of a condition that is rewritten."""
MOST_STEPS: Final = 6
"""Rewritings one after another."""
MOST_READINGS: Final = 16
"""Readings of rewritten conditions that one fault may cost (each about as much as a parse)."""

_STRINGS: Final = 0xE000
"""The first character that stands for a string, of the private use area."""
_MASKED: Final = re.compile("([\ue000-\uf8ff])\\1*")
_UNREADABLE: Final = re.compile("[\ue000-\uf8ff]|\\s{9}")
"""What stands for strings here, and wide gaps, over which matching would take long."""
_NAME: Final = re.compile(r"[\w.]+")
_TOKEN: Final = re.compile(r"[^\s()\[\]]*")
_UNKNOWN: Final = re.compile(r"unknown field \"([^\"]*)\"")


@lru_cache(maxsize=1)
def _rules() -> Rules:
    return compiled((*CLOCK_RULES, *CALENDAR_RULES, *HISTORY_RULES, *FIELD_RULES))


def rewritten(text: str, fault: ConditionError, read: Callable[[str], Any]) -> str | None:
    """Give the condition that was most likely meant, or None.

    Rules are tried at the place of the fault; one is taken when the text then reads further than before.

    Args:
        text: the condition as it was written.
        fault: what reading it raised.
        read: reads a condition, or raises ConditionError.
    """
    if len(text) > LONGEST or fault.column is None or _UNREADABLE.search(text):
        return None
    strings: list[str] = []
    masked = fold(QUOTED.sub(lambda found: _mask(found[0], strings), text))
    readings = 0
    for step in range(MOST_STEPS):
        place = (fault.column or 1) - 1
        for candidate, end, by_name in _candidates(masked, place, fault):
            shown = _unmasked(candidate, strings)
            readings += 1
            if readings > MOST_READINGS:
                return None
            try:
                read(shown)
            except ConditionError as still:
                if still.column is None or still.column <= end:
                    continue
                if len(shown) - still.column >= len(masked) - place - 1:
                    continue
                masked, fault = candidate, still
                break
            return None if by_name and not step else shown.strip()
        else:
            return None
    return None


def _mask(string: str, strings: list[str]) -> str:
    strings.append(string)
    return chr(_STRINGS + len(strings) - 1) * len(string)


def _unmasked(masked: str, strings: list[str]) -> str:
    return _MASKED.sub(lambda found: strings[ord(found[1]) - _STRINGS], masked)


def _candidates(masked: str, place: int, fault: ConditionError) -> Iterator[tuple[str, int, bool]]:
    """Give the texts that one rule at the fault's place makes, and where each rewriting ends in it.

    True comes with the one that mends no more than a field's name.
    """
    token = _TOKEN.match(masked, place)
    assert token is not None
    for pattern, make in _rules():
        for found in pattern.finditer(masked):
            if found.start() > token.end():
                break
            if place <= found.end():
                made = found.expand(make) if isinstance(make, str) else make(found)
                if made is not None and made != found[0]:
                    yield masked[: found.start()] + made + masked[found.end() :], found.start() + len(made), False
    name = _UNKNOWN.match(fault.message)
    named = name and fault.suggestion and _NAME.fullmatch(fault.suggestion) and masked.startswith(name[1], place)
    if name and fault.suggestion and named and ("." not in name[1] or "." in fault.suggestion):
        yield masked[:place] + fault.suggestion + masked[place + len(name[1]) :], place + len(fault.suggestion), True
