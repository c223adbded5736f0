"""Settings in JSON, changed in place: text is put in or taken out, and every other character stays as somebody left it.

It goes by the places that `casebook.json_place` finds; an editor for JSON that keeps what it does not touch, in Python and without a
server of Node's beside it, is not to be had. Taking out leaves the very text that was there before, with no note kept of it, because
what was put in tells how:

- behind other members or items it begins with their comma, and goes with it;
- a container that was made for it has white space after its opening bracket, and goes where nothing is left in it;
- in a container that was there, and empty, it follows the bracket at once, and leaves what it found.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from casebook.faults import CasebookError
from casebook.json_place import Member, line_column, members, repeated_key, skip_space
from casebook.problems import Path
from casebook.stores.syntax import refusal

_INDENT = re.compile(r"[{\[][ \t]*(?:\r\n|\n|\r)([ \t]+)")
_SPACE = " \t\r\n"


class NotPlainError(CasebookError):
    """The text is no plain JSON object, or not of the form that settings have."""


def read_object(text: str) -> dict[str, Any]:
    """Read settings.

    Raises:
        NotPlainError: the text is no strict JSON (a comment in it, a comma too many), no object, or has a key twice.
    """
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        message, at, _ = refusal(error, text)
        line, column = line_column(text, at)
        raise NotPlainError(f"line {line}, column {column}: {message}") from None
    except (ValueError, RecursionError) as error:
        raise NotPlainError(f"expected plain JSON, got {error}") from None
    if not isinstance(value, dict):
        raise NotPlainError("expected an object")
    if (twice := repeated_key(text)) is not None:
        line, column = line_column(text, twice[1])
        raise NotPlainError(f"line {line}, column {column}: expected {twice[0][-1]!r} once, found it again")
    return value


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def made_file(value: Mapping[str, Any]) -> str:
    """Write a file that is made for its settings alone."""
    return f"{_written(value, _Style('  ', chr(10)))}\n"


def put_in(text: str, path: Path, value: Any) -> str:
    """Put an item at the end of a list; where there is no list, it and what leads to it are made.

    Args:
        text: JSON, an object.
        path: the names that lead to the list.
        value: any JSON value.

    Raises:
        NotPlainError: something else than objects, or than a list at its end, stands on the path.
    """
    style = _style(text)
    at, missing = _way(text, path)
    if missing:
        return _inserted_member(text, at, missing, [value], style.at(len(path) - len(missing) + 1))
    if text[at] != "[":
        raise NotPlainError(f"{_told(path)}: expected a list")
    return _inserted(text, at, "", value, style.at(len(path) + 1))


def put_under(text: str, path: Path, value: Any) -> str:
    """Put a member at the end of an object, which is made where it is not there, with what leads to it.

    Args:
        text: JSON, an object.
        path: the names that lead to the member, its own the last; nothing is there.
        value: any JSON value.

    Raises:
        NotPlainError: something else than objects stands on the path, or the member is there.
    """
    at, missing = _way(text, path)
    if not missing:
        raise NotPlainError(f"{_told(path)}: expected nothing yet")
    return _inserted_member(text, at, missing, value, _style(text).at(len(path) - len(missing) + 1))


def _way(text: str, path: Path) -> tuple[int, Path]:
    """Go along names as far as there is something; give the offset of the last value, and the names that are left."""
    at = skip_space(text, 0)
    for depth, name in enumerate(path):
        if text[at] != "{":
            raise NotPlainError(f"{_told(path[:depth])}: expected an object")
        found = _member(text, at, name)
        if found is None:
            return at, path[depth:]
        at = found.start
    return at, ()


def _inserted_member(text: str, at: int, path: Path, value: Any, style: _Style) -> str:
    """Put a member into the object at an offset, with what leads from it to a value."""
    for name in reversed(path[1:]):
        value = {str(name): value}
    return _inserted(text, at, f"{json.dumps(path[0], ensure_ascii=False)}: ", value, style)


def replaced(text: str, path: Path, value: Any) -> str:
    """Write another value in the place of one that is there. Raises NotPlainError where the path leads nowhere."""
    found = _found(text, path)
    made = _written(value, _style(text).at(len(path)))
    return text[: found.start] + made + text[found.end :]


def taken_out(text: str, path: Path) -> str | None:
    """Take a member or an item out, and what was made for it.

    Args:
        text: JSON, an object.
        path: names and indexes, one or more.

    Returns:
        The text, or None where the file was made for it and nothing is left.

    Raises:
        NotPlainError: the path leads nowhere.
    """
    while path:
        container = _found(text, path[:-1])
        inside = list(members(text, container.start))
        index = next(at for at, each in enumerate(inside) if each.key == path[-1])
        if index:
            return text[: inside[index - 1].end] + text[inside[index].end :]
        if len(inside) > 1:
            return text[: inside[0].key_start] + text[inside[1].key_start :]
        if inside[0].key_start == container.start + 1:
            return text[: container.start + 1] + text[inside[0].end :]
        path = path[:-1]
    return None


def _found(text: str, path: Path) -> Member:
    at = skip_space(text, 0)
    found = Member("", at, at, len(text))
    for depth, part in enumerate(path):
        here = _member(text, found.start, part)
        if here is None:
            raise NotPlainError(f"{_told(path[: depth + 1])}: expected a value, found nothing")
        found = here
    return found


def _member(text: str, at: int, part: str | int) -> Member | None:
    return next((each for each in members(text, at) if each.key == part), None)


def _told(path: Path) -> str:
    return ".".join(map(str, path)) or "the file"


@dataclass(frozen=True, slots=True)
class _Style:
    """How a text is laid out: what one level is indented by, empty where all stands on a line; how lines end; the line at hand."""

    unit: str
    newline: str
    base: str = ""

    def at(self, depth: int) -> _Style:
        return _Style(self.unit, self.newline, self.unit * depth)

    def deeper(self) -> _Style:
        return _Style(self.unit, self.newline, self.base + self.unit)


def _inserted(text: str, at: int, piece: str, value: Any, style: _Style) -> str:
    """Put a member or an item at the end of the container at an offset."""
    inside = list(members(text, at))
    made = piece + _written(value, style)
    if not inside:
        return text[: at + 1] + made + text[at + 1 :]
    before = inside[-1].end
    gap = style.newline + style.base if style.unit and style.newline in text[at:before] else " "
    if len(inside) > 1:
        last = text[inside[-2].end : inside[-1].key_start]
        gap = last[last.index(",") + 1 :]
    elif text[at + 1 : inside[0].key_start]:
        gap = text[at + 1 : inside[0].key_start]
    return f"{text[:before]},{gap}{made}{text[before:]}"


def _written(value: Any, style: _Style) -> str:
    """Write a value; after the opening bracket of what is not empty there is always white space."""
    if not isinstance(value, dict | list) or not value:
        return json.dumps(value, ensure_ascii=False)
    inner = style.deeper()
    if isinstance(value, dict):
        parts = [f"{json.dumps(key, ensure_ascii=False)}: {_written(each, inner)}" for key, each in value.items()]
        opening, closing = "{", "}"
    else:
        parts = [_written(each, inner) for each in value]
        opening, closing = "[", "]"
    if not style.unit:
        return f"{opening} {', '.join(parts)} {closing}"
    begin = style.newline + inner.base
    return f"{opening}{begin}{f',{begin}'.join(parts)}{style.newline}{style.base}{closing}"


def _style(text: str) -> _Style:
    newline = "\r\n" if "\r\n" in text else "\n"
    if not text.strip(_SPACE).strip("{}").strip(_SPACE):
        return _Style("  ", newline)  # nothing says how: as most hosts write it
    found = _INDENT.search(text)
    return _Style(found[1] if found else "", newline)
