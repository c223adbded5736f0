"""What a person hands to a command: a file or stdin, read within a limit, and its JSON, with the place of what is wrong."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from casebook.adapters.cli.arguments import UsageError
from casebook.faults import nearest

_ALIKE = 0.6
"""How alike two names of files must be without their ending, of which most have the same (`faults.nearest` asks as much)."""

_SHOWN = 40
"""Characters of JSON that was given as a name."""
STDIN = "-"
"""The name that means standard input."""


def shown_name(name: str) -> str:
    """Give a source's name for messages."""
    return "stdin" if name == STDIN else name


def read_source(name: str, limit: int, limit_name: str) -> bytes:
    """Read a file, a pipe or stdin.

    Args:
        name: its path, or `-`.
        limit: the most bytes that are taken.
        limit_name: what the limit is called in DESIGN section 10.

    Raises:
        UsageError: it cannot be read, or is over the limit.
    """
    try:
        if name == STDIN:
            found = b"" if sys.stdin is None else sys.stdin.buffer.read(limit + 1)
        else:
            with Path(name).open("rb") as stream:
                found = stream.read(limit + 1)
    except IsADirectoryError:
        raise UsageError(f"{name}: expected a file, got a folder") from None
    except FileNotFoundError:
        raise UsageError(_json_itself(name) or f"{name}: there is no such file{_nearest_file(name)}") from None
    except (OSError, ValueError) as error:  # ValueError: a name with a null character
        if hint := _json_itself(name):  # longer than a name may be
            raise UsageError(hint) from None
        raise UsageError(f"{shown_name(name)}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(found) > limit:
        size = _size(limit)
        raise UsageError(f"{shown_name(name)}: expected at most {size} (limit: {limit_name}), got more")
    return found


def read_json(name: str, limit: int, limit_name: str, *, infinite: bool = False) -> tuple[Any, list[str]]:
    """Read one JSON value; `infinite` says whether Infinity is a number, as it is to a task.

    Returns:
        The value, and a sentence for each thing that JSON does not know and that was taken as null (NaN, else Infinity).

    Raises:
        UsageError: as `read_source`, or it is no JSON; the message has line and column.
    """
    text = decoded(read_source(name, limit, limit_name), shown_name(name))
    from casebook.json_place import line_column, skip_space
    from casebook.stores.splitting import Scanner, SplitError

    at = skip_space(text, 0)
    if at == len(text):
        raise UsageError(f"{shown_name(name)}: expected JSON, got nothing")
    scanner = Scanner(infinite=infinite)
    try:
        value, end = scanner.value(text, at)
    except SplitError as error:
        place = f":{error.line}:{error.column}" if error.line else ""
        cure = f" ({error.suggestion})" if error.suggestion else ""
        raise UsageError(f"{shown_name(name)}{place}: {error.message}{cure}") from None
    end = skip_space(text, end)
    if end < len(text):
        line, column = line_column(text, end)
        rest = text[end : end + 20].split("\n")[0]
        raise UsageError(f"{shown_name(name)}:{line}:{column}: expected the end after the value, got {rest}")
    if "repeated key" in scanner.marks:
        from casebook.json_place import repeated_key

        path, offset = repeated_key(text, at) or (("",), 0)
        line, column = line_column(text, offset)
        raise UsageError(f'{shown_name(name)}:{line}:{column}: expected "{path[-1]}" once, found it again')
    return value, [f"{mark} is no JSON value: taken as missing" for mark in scanner.marks]


def decoded(found: bytes, name: str) -> str:
    """Decode bytes of UTF-8, with or without a byte order mark; raises UsageError with the place."""
    try:
        return found.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = found.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{name}:{line}: expected UTF-8, got the byte 0x{found[error.start]:02x}") from None


def looks_like_json(text: str) -> bool:
    """Say whether a word of a command line is meant to be JSON itself, and no name of a file."""
    return text.lstrip()[:1] in ("{", "[")


def _json_itself(name: str) -> str:
    """Say how JSON is handed over, where it was given instead of the name of a file; nothing where it was not."""
    if not looks_like_json(name):
        return ""
    text = name if len(name) <= _SHOWN else f"{name[:_SHOWN]}…"
    return f"expected the name of a file, or - for stdin, got JSON itself ({text}): `echo '…' | casebook …` with - hands it over"


def _size(limit: int) -> str:
    return f"{limit // 2**20} MB" if limit >= 2**20 else f"{limit // 2**10} KB"


def _nearest_file(name: str) -> str:
    """Say which file beside it was meant, perhaps."""
    from difflib import SequenceMatcher

    path = Path(name)
    try:
        near = nearest(path.name, [each.name for each in path.parent.iterdir() if each.is_file()])
    except OSError:
        return ""
    alike = (
        near is not None and SequenceMatcher(None, path.stem.casefold(), Path(near).stem.casefold()).ratio() >= _ALIKE
    )
    return f"; did you mean {path.parent / near}?" if near is not None and alike else ""
