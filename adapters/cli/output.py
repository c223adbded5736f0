"""How data and words are put: data on stdout, for people or as JSON; words on stderr; nothing that could steer a terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from casebook.faults import Fault

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e0fff]"
)
"""Controls, bidirectional and invisible characters (tags, in which a text can hide from people that a model reads, too), lone
surrogates; not the joiners that scripts and emoji are made with."""


class OutputError(Exception):
    """Stdout cannot be written, such as on a full disk; the text is the system's reason."""


def _print(text: str) -> None:
    """Print on stdout; raises OutputError where it cannot be written, BrokenPipeError where the reader has gone."""
    try:
        print(text)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(error.strerror) from None


def flush() -> None:
    """Write out what is buffered; raises as `_print` does."""
    if sys.stdout is None:  # it was closed before we began: nobody reads
        return
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(error.strerror) from None


def data(value: Any) -> None:
    """Print a value as JSON on stdout, readable, in its own script; what could steer a terminal as an escape of JSON."""
    import json

    text = json.dumps(value, ensure_ascii=False, indent=2)
    _print(visible(text))


def line(text: str = "") -> None:
    """Print a line (or several) of data for people on stdout."""
    _print(visible(text))


def words(text: str) -> None:
    """Print words about what was done on stderr; where that is closed, nowhere (`print` would take stdout instead)."""
    if sys.stderr is not None:
        print(visible(text), file=sys.stderr)


_LAST_COLUMN = 24
"""Columns that the last column of a table shall have on a terminal."""

WORDS_MOST = 20
"""Lines of one kind that are told on stderr; the rest is counted."""


def several(told: Iterable[object], rest: str = "") -> None:
    """Print words a line each, none of them twice, and of many only the first; what is left out is counted.

    Args:
        told: what is told, as text.
        rest: what tells all of it, such as "`casebook check` tells all".
    """
    lines = list(dict.fromkeys(map(str, told)))
    for each in lines[:WORDS_MOST]:
        words(flat(each))
    if len(lines) > WORDS_MOST:
        words(f"… and {len(lines) - WORDS_MOST:,} more" + (f"; {rest}" if rest else ""))


def warned(warnings: Iterable[str], *, told: Iterable[str] = ()) -> None:
    """Print warnings on stderr, but those that were told already."""
    known = frozenset(told)
    several(f"warning: {each}" for each in warnings if each not in known)


def named(names: Sequence[str]) -> str:
    """Give names in a row, of many only the first, the rest counted."""
    shown = ", ".join(names[:WORDS_MOST])
    return shown if len(names) <= WORDS_MOST else f"{shown} … and {len(names) - WORDS_MOST:,} more"


def visible(text: str) -> str:
    """Give a text in which what a terminal would obey or hide stands as its number; line ends and tabs stay."""
    return _UNSEEN.sub(_numbered, text)


def _numbered(found: re.Match[str]) -> str:
    """Give a character as JSON writes it by its number: beyond four digits, as two."""
    code = ord(found[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    return f"\\u{0xD800 + (code - 0x10000 >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def flat(text: str) -> str:
    """Give a text in which line ends and tabs, too, stand as their numbers: what it quotes begins no line of its own."""
    return visible(text).replace("\n", "\\u000a").replace("\t", "\\u0009")


def one_line(text: str) -> str:
    """Give a text with every run of white space as one space."""
    return visible(" ".join(text.split()))


def width(text: str) -> int:
    """Give the columns that a text takes on a terminal: a wide character takes two, a combining one none."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(each) else 2 if east_asian_width(each) in "WF" else 1 for each in text)


def clipped(text: str, columns: int) -> str:
    """Give a text of at most so many columns, with `…` where some was cut off."""
    if width(text) <= columns:
        return text
    taken, used = [], 1
    for each in text:
        used += width(each)
        if used > columns:
            break
        taken.append(each)
    return "".join(taken) + "…"


def table(
    head: Sequence[str], rows: Iterable[Sequence[str]], spare: Iterable[str] = (), *, most: int | None = None
) -> None:
    """Print rows under a head, columns aligned.

    On a terminal the last column is cut to fit, and where that leaves it too narrow, columns are left out; elsewhere all
    columns stand, and whole but for `most`.

    Args:
        head: the names of the columns.
        rows: as many cells each.
        spare: columns that may be left out, in this order.
        most: of the last column, where it is no terminal.
    """
    cells = [[one_line(cell) for cell in row] for row in (head, *rows)]
    widths = [max(width(row[at]) for row in cells) for at in range(len(head) - 1)]
    room = most
    if sys.stdout is not None and sys.stdout.isatty():
        import shutil

        columns = shutil.get_terminal_size().columns
        for name in spare:
            if columns - sum(widths) - 2 * len(widths) >= _LAST_COLUMN:
                break
            at = cells[0].index(name) if name in cells[0] else None
            if at is not None:
                del widths[at]
                cells = [row[:at] + row[at + 1 :] for row in cells]
        room = max(columns - sum(widths) - 2 * len(widths), _LAST_COLUMN // 2)
    for row in cells:
        last = row[-1] if room is None else clipped(row[-1], room)
        padded = [cell + " " * (most - width(cell)) for cell, most in zip(row, widths, strict=False)]
        _print("  ".join([*padded, last]).rstrip())


def fault_json(fault: Fault) -> dict[str, Any]:
    """Give a fault for programs: every attribute, null where it has none."""
    return {
        "severity": fault.severity, "path": fault.path, "line": fault.line, "column": fault.column, "case": fault.case,
        "field": fault.field, "message": fault.message, "suggestion": fault.suggestion, "where": fault.where,
    }  # fmt: skip


def counted(number: int, singular: str, plural: str = "") -> str:
    """Give a number with its noun: `1 case`, `2 cases`, `1,000 cases`."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"
