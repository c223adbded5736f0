"""The block put into the bytes of a file and taken out of them, every other byte as it was.

It stands near the top, for what a host cuts is the end: past a byte order mark, front matter and a first heading. The begin marker
tells what was put around it, so that taking it out leaves what was there before, whatever has become of the rest.
"""

from __future__ import annotations

import codecs
import re

from casebook.adapters.agents_md.markers import Found, block_of, find
from casebook.faults import CasebookError

_BOM = "\ufeff"
_LINE_END = r"(?:\r\n|\n|\r)"
_NEWLINE = re.compile(_LINE_END)
_FRONT = re.compile(rf"---[ \t]*{_LINE_END}(?:(?!---[ \t]*[\r\n])[^\r\n]*{_LINE_END})*---[ \t]*{_LINE_END}")
_HEADING = re.compile(rf"(?:[ \t]*{_LINE_END})*# [^\r\n]*{_LINE_END}(?:[ \t]*{_LINE_END})?")


class EditedError(CasebookError):
    """Somebody has changed the block by hand: it is left as it is."""

    def __init__(self, line: int) -> None:
        self.line = line
        super().__init__(
            f"line {line}: the block was changed by hand and is left as it is (move what you wrote out of it, or say --force)"
        )


def placed(data: bytes | None, body: str, *, force: bool = False) -> bytes:
    """Give a file with the block in it: a new one near the top, an older one in its place.

    Args:
        data: the bytes of the file; None where there is none.
        body: what the block holds: lines ended by line feeds, none of them a marker.
        force: whether a block that was changed by hand is replaced.

    Returns:
        The very same bytes where the block holds the body already.

    Raises:
        MarkerError, EditedError: the block that is there is left as it is.
        CasebookError: the file is no UTF-8 text, or the body holds a marker.
    """
    if find(body) is not None:
        raise CasebookError("expected a body without markers")
    if data is None:
        return (block_of(body, tail=False, made=True) + "\n").encode()
    mark, text = _text(data)
    newline = _newline(text)
    found = find(text)
    if found is not None:
        if found.is_edited and not force:
            raise EditedError(found.line)
        if found.says(body) and not found.is_edited:
            return data
        block = block_of(body, tail=found.tail, made=found.made)
        return _bytes(mark + text[: found.start] + block.replace("\n", newline) + text[found.end :])
    at = _place(text)
    tail = at < len(text)
    block = block_of(body, tail=tail, made=False) + ("\n\n" if tail else "\n")
    return _bytes(mark + text[:at] + block.replace("\n", newline) + text[at:])


def taken_out(data: bytes, *, force: bool = False) -> bytes | None:
    """Give a file without the block and what was put around it.

    Args:
        data: the bytes of the file.
        force: whether a block that was changed by hand goes as well.

    Returns:
        The very same bytes where there is no block; None where the file was made for the block and nothing else is in it.

    Raises:
        MarkerError, EditedError: the block is left as it is.
        CasebookError: the file is no UTF-8 text.
    """
    mark, text = _text(data)
    found = find(text)
    if found is None:
        return data
    if found.is_edited and not force:
        raise EditedError(found.line)
    rest = mark + _without(text, found)
    return None if found.made and not rest else _bytes(rest)


def held(data: bytes) -> Found | None:
    """Give the block that a file holds. Raises MarkerError, or CasebookError where the file is no UTF-8 text."""
    return find(_text(data)[1])


def _without(text: str, found: Found) -> str:
    """Take the block out, with its line's end, and an empty line after it where one was put there."""
    end = found.end
    for _ in range(1 + found.tail):
        newline = _NEWLINE.match(text, end)
        end = end if newline is None else newline.end()
    return text[: found.start] + text[end:]


def _place(text: str) -> int:
    """Give the offset at which a new block goes in: past front matter and a first heading with the empty line behind it."""
    at = 0
    front = _FRONT.match(text)
    if front is not None:
        at = front.end()
    heading = _HEADING.match(text, at)
    return at if heading is None else heading.end()


def _newline(text: str) -> str:
    """Give the line's end that a text uses most; a line feed where it has none.

    A bare carriage return only where the text has no line feed: one put before a line feed would become a part of that line's end.
    """
    ends = _NEWLINE.findall(text)
    return max(("\n", "\r\n") if "\n" in text or not ends else ("\r",), key=ends.count)


def _text(data: bytes) -> tuple[str, str]:
    """Give the byte order mark, if there is one, and the text; a byte that is no UTF-8 comes back as it was."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise CasebookError("expected UTF-8, found UTF-16 (save the file as UTF-8)")
    text = data.decode("utf-8", "surrogateescape")
    return (_BOM, text[1:]) if text.startswith(_BOM) else ("", text)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
