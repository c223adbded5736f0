"""JSON text changed in place: one element or one value is written anew, every other byte stays as somebody left it."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from casebook.json_place import Member, members, skip_space

_WIDTH = 100
_UNSEEN = re.compile("[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]")


@dataclass(frozen=True, slots=True)
class Layout:
    """An array of elements in the bytes of a file.

    Attributes:
        data: the bytes.
        head: the offset past the opening bracket; None where the file is one bare element.
        tail: the offset of the closing bracket.
        spans: the offsets of each element's first byte and past its last.
    """

    data: bytes
    head: int | None
    tail: int
    spans: Sequence[tuple[int, int]]


def written(value: Any, unit: str, base: str = "", *, expand: bool = False) -> str:
    """Write a JSON value as a person would.

    Args:
        value: any JSON value, finite.
        unit: what one level is indented by; empty for all on one line.
        base: the indentation of the line that it stands on.
        expand: whether the outermost value is laid out over lines even where it would fit on one.

    Raises:
        ValueError: it holds NaN, Infinity, or what is no JSON.
    """
    try:
        line = _escaped(json.dumps(value, ensure_ascii=False, allow_nan=False))
    except (TypeError, RecursionError) as error:
        raise ValueError(str(error)) from None
    if not unit or not isinstance(value, dict | list) or not value:
        return line
    if not expand and len(base) + len(line) <= _WIDTH:
        return line
    inner = base + unit
    if isinstance(value, dict):
        parts = [
            f"{_escaped(json.dumps(key, ensure_ascii=False))}: {written(item, unit, inner)}"
            for key, item in value.items()
        ]
        opening, closing = "{", "}"
    else:
        parts = [written(item, unit, inner) for item in value]
        opening, closing = "[", "]"
    return f"{opening}\n{inner}" + f",\n{inner}".join(parts) + f"\n{base}{closing}"


def _escaped(line: str) -> str:
    """Write what nobody sees, and what turns the direction of a line, by number: who reads the file has to see it."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def edited(text: str, changes: Mapping[str, Any], remove: Collection[str]) -> str:
    """Change members of the object that `text` is; those that keep their value keep their text.

    Raises:
        ValueError: a new value is no JSON.
    """
    for name in remove:
        text = _without(text, name)
    unit, base = _style(text)
    found = list(members(text, 0))
    last = {member.key: member for member in found}
    pieces: list[tuple[int, int, str]] = []
    for name, value in changes.items():
        member = last.get(name)
        if member is not None and written(json.loads(text[member.start : member.end]), "") != written(value, ""):
            pieces.append((member.start, member.end, written(value, unit, base + unit)))
    new = [f"{json.dumps(name)}: {written(changes[name], unit, base + unit)}" for name in changes if name not in last]
    if new:
        pieces.append(_added(new, found, unit, base, text))
    for start, end, piece in sorted(pieces, reverse=True):
        text = text[:start] + piece + text[end:]
    return text


def _without(text: str, name: str) -> str:
    """Take every member of a name out, each with one of the commas beside it."""
    while True:
        found = list(members(text, 0))
        at = next((at for at, member in enumerate(found) if member.key == name), None)
        if at is None:
            return text
        if at + 1 < len(found):
            text = text[: found[at].key_start] + text[found[at + 1].key_start :]
        else:
            text = text[: found[at - 1].end if at else found[at].key_start] + text[found[at].end :]


def _added(new: Sequence[str], found: Sequence[Member], unit: str, base: str, text: str) -> tuple[int, int, str]:
    """Give the insertion of new members past the last one."""
    separator = f"\n{base}{unit}" if unit else " "
    joined = f",{separator}".join(new)
    if found:
        return found[-1].end, found[-1].end, f",{separator}{joined}"
    return 1, len(text) - 1, f"{separator}{joined}\n{base}" if unit else joined


def replaced(layout: Layout, index: int, text: str) -> bytes:
    """Give the file with the text of one element replaced."""
    start, end = layout.spans[index]
    return layout.data[:start] + _encoded(text, layout.data) + layout.data[end:]


def appended(layout: Layout, text_of: Mapping[str, Any] | str) -> bytes:
    """Give the file with one more element at its end, laid out as its neighbours are.

    Args:
        layout: the file; one bare element becomes an array of two.
        text_of: the element as a value, or its very text.
    """
    data = layout.data
    if layout.head is None:
        start, end = layout.spans[0]
        made = _element(text_of, "  ", "  ")
        return data[:start] + b"[\n  " + data[start:end] + _encoded(f",\n  {made}\n]", data) + (data[end:] or b"\n")
    if not layout.spans:
        line = data[data.rfind(b"\n", 0, layout.head) + 1 : layout.head].decode("utf-8", "replace").lstrip("\ufeff")
        base = line[: len(line) - len(line.lstrip())]
        made = _element(text_of, "  ", f"{base}  ")
        return data[: layout.head] + _encoded(f"\n{base}  {made}\n{base}", data) + data[layout.tail :]
    start, end = layout.spans[-1]
    before = layout.spans[-2][1] + 1 if len(layout.spans) > 1 else layout.head
    gap = data[before:start].decode("utf-8", "replace")
    gap = gap[gap.find(",") + 1 :]
    last = data[start:end].decode("utf-8", "replace")
    unit, base = _style(last)
    if "\n" in gap:
        base = gap[gap.rfind("\n") + 1 :]
    made = _element(text_of, unit, base)
    return data[:end] + b"," + _encoded((gap or " ") + made, data) + data[end:]


def removed(layout: Layout, index: int) -> bytes:
    """Give the file without one element and one of the commas beside it; one bare element leaves an empty array."""
    data, spans = layout.data, layout.spans
    start, end = spans[index]
    if layout.head is None:
        return data[:start] + b"[]" + data[end:]
    if index + 1 < len(spans):
        return data[:start] + data[spans[index + 1][0] :]
    if index:
        return data[: spans[index - 1][1]] + data[end:]
    return data[: layout.head] + data[layout.tail :]


def _element(value: Mapping[str, Any] | str, unit: str, base: str) -> str:
    """Write an element; a text is taken as it is."""
    return value if isinstance(value, str) else written(dict(value), unit, base, expand=True)


def _style(text: str) -> tuple[str, str]:
    """Give what an object's text is indented by a level, and the indentation of its own first line.

    The latter is told by its closing brace; an object on one line is indented by nothing.
    """
    inner = re.match(r"\{[ \t]*\r?\n([ \t]*)", text)
    outer = re.search(r"\n([ \t]*)\}\Z", text)
    if inner is None or outer is None:
        return "", ""
    base = outer.group(1)
    unit = inner.group(1).removeprefix(base)
    return unit or "  ", base


def _encoded(text: str, data: bytes) -> bytes:
    """Encode new text with the line ends of the file that it goes into."""
    text = text.replace("\r\n", "\n")
    return (text.replace("\n", "\r\n") if b"\r\n" in data else text).encode()


def layout_of(data: bytes) -> Layout:
    """Give the layout of a file that is a plain array of objects, such as the archive's.

    Raises:
        ValueError: it is none.
    """
    base = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    text = data[base:].decode()
    if not isinstance(json.loads(text), list):
        raise ValueError("no array")  # noqa: TRY004 (the content of a file, not a caller's type)
    opening = skip_space(text, 0)
    found = list(members(text, opening))
    offset = [base + len(text[:at].encode()) for member in found for at in (member.start, member.end)]
    head = base + len(text[: opening + 1].encode())
    return Layout(
        data, head, base + len(text[: text.rindex("]")].encode()), list(zip(offset[::2], offset[1::2], strict=True))
    )
