"""How the faults of a condition are worded: what was expected, what was found, where, and the cure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casebook.faults import ConditionError

if TYPE_CHECKING:
    from collections.abc import Collection

SHOWN_AT_MOST: Final = 40
"""Characters of what was found that a fault repeats."""

_EXPECTED: Final[tuple[tuple[str, str], ...]] = (
    ("FIELD", 'a condition such as tool is "shell"'),
    ("PRESENT", "an operator such as is, contains, in or exists"),
    ("HM", "a time such as 06:00"),
    ("YMD", "a date such as 2026-03-01"),
    ("ZONE", "a time zone such as Asia/Shanghai"),
    ("REGEX", "a pattern such as /drop\\s+table/i"),
    ("DAYSET", "a weekday such as Mon-Fri or weekend"),
    ("WDAY", "a weekday such as Mon"),
    ("KIND", "tool, task, error or feedback"),
    ("DUR", "a duration such as 30m"),
    ("_COMMA", '"," or "]"'),
    ("_TILL", '"and" and the other end'),
    ("_INSIDE", '"内"'),
    ("AT_START", '"开头" or "结尾"'),
    ("LSQB", "a list such as [a, b]"),
    ("VALUE", "a value"),
)
"""By a terminal that may come next, in order of preference, what to call it."""

_OF_CLOCKS: Final[tuple[tuple[str, str], ...]] = (
    ("EQ", "an operator such as is, in or between"),
    ("WIN", '"between" and two ends'),
)
_AFTERWARDS: Final = ("_AND", "_OR", "$END")


def complain(message: str, at: int | None = None, suggestion: str | None = None) -> ConditionError:
    """Give (not raise) the error for a fault.

    Args:
        message: what was expected and what was found.
        at: where, in characters from 0; None for the JSON form.
        suggestion: how to write it.
    """
    return ConditionError(message, column=None if at is None else at + 1, suggestion=suggestion)


def shown(found: object) -> str:
    """Give what was found as a fault repeats it: between double quotes, on one line, shortened, printable."""
    text = str(found) if not isinstance(found, int) else _number(found)
    cut = text[:SHOWN_AT_MOST] + ("…" if len(text) > SHOWN_AT_MOST else "")
    return '"' + "".join(_visible(c) for c in cut) + '"'


def _number(found: int) -> str:
    return str(found) if abs(found) < 10**SHOWN_AT_MOST else f"a number of {found.bit_length()} bits"


def _visible(character: str) -> str:
    if character.isprintable():
        return character
    return f"\\u{ord(character):04x}"


def named_shape(found: object) -> str:
    """Give what kind of JSON value was found, with its content where that is short."""
    match found:
        case None:
            return "null"
        case bool():
            return "true" if found else "false"
        case int() | float():
            return f"the number {shown(found)[1:-1]}"
        case str():
            return f"the string {shown(found)}"
        case list() | tuple():
            return f"a list of {len(found)}" if found else "an empty list"
        case dict():
            return "an object with " + ", ".join(shown(key) for key in list(found)[:4]) if found else "an empty object"
        case _:
            return f"a {type(found).__name__}"


def expected(accepted: Collection[str]) -> str:
    """Say what may come next, from the terminals that the parser would take."""
    if set(accepted) == {"FIELD"}:
        return "a field such as tool"
    if "WHERE" in accepted:
        return (
            "where, within, and, or, or the end" if "$END" in accepted else "where, within or a comparison such as >= 2"
        )
    for terminal, words in _EXPECTED:
        if terminal in accepted and not (terminal == "DUR" and len(accepted) > 1):
            return words
    if any(each in accepted for each in _AFTERWARDS):
        closing = ' or ")"' if "_RPAR" in accepted and "$END" not in accepted else ""
        return f"and, or{closing}" if closing else "and, or, or the end"
    if "CMP" in accepted and "WIN" not in accepted:
        return "a comparison such as >= 2"
    if "IN" in accepted and "WIN" not in accepted:
        return "an operator such as is or in"
    for terminal, words in _OF_CLOCKS:
        if terminal in accepted:
            return words
    return '")"' if "_RPAR" in accepted else "something else"
