"""Places in JSON text: where a value stands, by its path. Walks with json's own C scanner; used where something is wrong."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from itertools import islice
from json import JSONDecodeError, JSONDecoder
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import NamedTuple

from casebook.problems import Path

_DECODER = JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")
_ESCAPE = re.compile(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)", re.DOTALL)
_SURROGATE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|u([dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)


class Member(NamedTuple):
    """One member of an object, or one item of an array (`key` is then its index), by offsets in the text."""

    key: str | int
    key_start: int
    start: int
    end: int


def skip_space(text: str, at: int) -> int:
    """Give the offset of the first character from `at` that is no white space of JSON."""
    found = _SPACE.match(text, at)
    return found.end() if found else at


def members(text: str, at: int) -> Iterator[Member]:
    """Walk the members of the object, or the items of the array, that begins at offset `at`.

    The text must be JSON; another value than an object or an array has no members.
    """
    opening = text[at : at + 1]
    if opening not in ("{", "["):
        return
    at = skip_space(text, at + 1)
    index = 0
    while text[at : at + 1] not in ("}", "]", ""):
        key_start = at
        key: str | int = index
        if opening == "{":
            key, at = scanstring(text, at + 1, True)
            at = skip_space(text, skip_space(text, at) + 1)
        _, end = _DECODER.raw_decode(text, at)
        yield Member(key, key_start, at, end)
        index += 1
        at = skip_space(text, end)
        if text[at : at + 1] == ",":
            at = skip_space(text, at + 1)


def span_of(text: str, path: Path, at: int = 0) -> tuple[int, int]:
    """Find a value by its path.

    Args:
        text: JSON text.
        path: names and indexes, from the value at `at`. Of equal keys the last counts, as in reading.
        at: the offset of the value to start from (white space before it is skipped).

    Returns:
        The offsets of its first character and past its last; where the path leads nowhere, those of the value that it last
        reached (the place of a missing field is its object); (at, at) where the text is no JSON.
    """
    at = skip_space(text, at)
    try:
        _, end = _DECODER.raw_decode(text, at)
        for part in path:
            same = (member for member in members(text, at) if member.key == part)
            found = deque(islice(same, 1) if isinstance(part, int) else same, maxlen=1)  # an index stands once
            if not found:
                break
            at, end = found[-1].start, found[-1].end
    except (JSONDecodeError, RecursionError, ValueError):
        return at, at
    return at, end


def key_of(text: str, path: Path, at: int = 0) -> int | None:
    """Give the offset of the key of a member (the last of equal ones), or None where there is none."""
    start, _ = span_of(text, path[:-1], at)
    try:
        found = [member.key_start for member in members(text, start) if path and member.key == path[-1]]
    except (JSONDecodeError, RecursionError, ValueError):
        return None
    return found[-1] if found else None


def within_string(text: str, start: int, index: int) -> int:
    """Give the offset in the text of the character `index` (from 0) of the JSON string that begins at `start`."""
    at = start + 1
    for _ in range(index):
        if text[at : at + 1] in ('"', ""):
            break
        escape = _ESCAPE.match(text, at)
        at = escape.end() if escape else at + 1
    return at


def repeated_key(text: str, at: int = 0) -> tuple[Path, int] | None:
    """Find the first key that an object has twice, at any depth: its path and the offset of the second one."""
    pending: list[tuple[Path, int]] = [((), skip_space(text, at))]
    while pending:
        path, start = pending.pop()
        seen = set()
        for member in members(text, start):
            if member.key in seen:
                return (*path, member.key), member.key_start
            seen.add(member.key)
            pending.append(((*path, member.key), member.start))
    return None


def lone_surrogate(text: str) -> int | None:
    """Give the offset of the first escape that is half a surrogate pair, or None."""
    return next((found.start() for found in _SURROGATE.finditer(text) if found.group(2)), None)


def line_column(text: str, at: int) -> tuple[int, int]:
    """Give the line and the column, both from 1 and in characters, of an offset."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
