"""The strings in JSON text, in their places, however they are escaped; and an array with items replaced or taken out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_PIECE = re.compile(_TOKEN.pattern + r"|[\[\]{}]", re.DOTALL)
_COLON = re.compile(r"[ \t\r\n]*:")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_SIGNS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def strings(raw: str) -> Iterator[str]:
    """Give all strings in JSON text, keys among them."""
    for found in _TOKEN.findall(raw):
        yield unescaped(found[1:-1]) if "\\" in found else found[1:-1]


def tokens(raw: str) -> Iterator[tuple[int, int, str, str, bool]]:
    """Give the strings in JSON text: the offsets, the string, the key that it is or stands under, and whether it is the key.

    What stands in an array stands under the array's key.
    """
    key = ""
    around: list[str] = []
    for found in _PIECE.finditer(raw):
        start, end = found.span()
        sign = raw[start]
        if sign in "[{":
            around.append(key)
        elif sign in "]}":
            key = around.pop() if around else ""
        else:
            string = unescaped(raw[start + 1 : end - 1])
            is_key = _COLON.match(raw, end) is not None
            if is_key:
                key = string
            yield start, end, string, key, is_key


def unescaped(text: str) -> str:
    """Give a text with the escapes of JSON read, as far as they are some."""
    if "\\" not in text:
        return text
    read = _ESCAPE.sub(
        lambda found: chr(int(found[1][1:], 16)) if len(found[1]) == 5 else _SIGNS.get(found[1], found[1]), text
    )
    return read.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def decoded(data: bytes) -> str:
    """Give the text of a file, whatever of it is none."""
    for mark, name in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig")):
        if data.startswith(mark):
            return data.decode(name, "replace")
    return data.decode("utf-8", "replace")


def joined(text: str, spans: Sequence[tuple[int, int]], kept: Sequence[str | None]) -> str:
    """Give a text with the items of its array replaced, or taken out (None) with one of the commas beside each.

    Args:
        text: the whole.
        spans: where the items stand.
        kept: for each what stands there from now on.
    """
    if not spans:
        return text
    pieces = [text[: spans[0][0]]]
    last = -1
    for index, item in enumerate(kept):
        if item is not None:
            if last >= 0:
                pieces.append(text[spans[last][1] : spans[last + 1][0]])
            pieces.append(item)
            last = index
    if last < 0:
        return pieces[0].rstrip() + text[spans[-1][1] :].lstrip()
    return "".join([*pieces, text[spans[-1][1] :]])
