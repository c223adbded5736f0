"""A long text cut to its first and its last part, so that what the rest of it says is still said: a shell reads the end as it would have."""

from __future__ import annotations

import re

GAP = "…"
"""What stands where something was cut out."""
_MOST_QUOTES = 200_000
"""Quotation marks and comments of a command that are followed, 50 ms of work (ours); one with more is cut as any text."""
_QUOTED = re.compile(r"'[^']*+'|\"(?:[^\"\\]|\\.)*+\"|\\.|(?:(?<=\s)|^)#[^\n]*+|['\"]", re.DOTALL)
_SEPARATOR = re.compile(r"[;|&\n(]")
_CLOSERS = {"'": "'", '"': '"', "#": "\n"}


def size_of(text: str) -> int:
    """Give the bytes of a text in JSON, quotation marks included, never too few: what JSON escapes takes six at the most."""
    data = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    if text.isprintable() and '"' not in text and "\\" not in text:
        return data + 2
    short = text.count('"') + text.count("\\") + text.count("\n") + text.count("\t") + text.count("\r")
    return data + short + 5 * len(_CONTROL.findall(text)) + 2


_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def ends_of(text: str, most: int, *, command: bool = False) -> str:
    """Give a text of at most so many bytes in JSON: itself, else its first and last part and what shows that something is missing.

    Args:
        text: of any length.
        most: bytes.
        command: whether a shell reads it: then quotation marks that the missing part opened or closed are put in, so that what
            is left of its end is as quoted, or as free, as it was.
    """
    if size_of(text) <= most:
        return text
    room = (most - 16) // 2  # the gap, and what closes and opens around it
    if room <= 0:
        return ""
    tail = _end(text, room, len(text), first=False)
    begins = len(text) - len(tail)
    head = _end(text, room, begins, first=True)
    between = _bridge(text, len(head), begins) if command else GAP
    return head + between + tail


def _end(text: str, room: int, chars: int, *, first: bool) -> str:
    """Give as much of one end of a text as there is room for, and so many characters at the most."""
    fits, over = 0, min(room, chars) + 1
    while over - fits > 1:
        half = (fits + over) // 2
        is_within = size_of(text[:half] if first else text[len(text) - half :]) <= room
        fits, over = (half, over) if is_within else (fits, half)
    return text[:fits] if first else text[len(text) - fits :]


def _bridge(text: str, ends: int, begins: int) -> str:
    """Give what stands between the two ends of a command: the quotation, or comment, of the first is closed, that of the last opened."""
    if text.count("'") + text.count('"') + text.count("#") + text.count("\\") > _MOST_QUOTES:
        return GAP
    left = right = ""
    middle = f"{GAP}\n" if _SEPARATOR.search(text, ends, begins) else GAP
    for found in _QUOTED.finditer(text):
        start, end = found.span()
        if start >= begins:
            break
        sign = text[start]
        is_open = sign in _CLOSERS and end - start > 1
        if start < ends < end and is_open:
            if end > begins or (end == begins and sign == "#"):
                return GAP  # both ends stand within the same one
            left = _CLOSERS[sign]
        if start < begins < end and is_open:
            right = sign if sign != "#" else "\n#"
        if start < begins < end and sign == "\\" and start >= ends:
            right = "\\"
    return f"{middle}{left}{right}" if left == "\n" else f"{left}{middle}{right}"
