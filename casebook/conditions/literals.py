"""Strings, numbers and words: how a condition spells its constants, both ways."""

from __future__ import annotations

import math
import re
import unicodedata
from typing import Final

from casebook.conditions.complaints import complain, shown

CLOSING: Final = {'"': '"', "'": "'", "＂": "＂", "＇": "＇", "“": "”", "‘": "’", "「": "」"}
"""By the quote that opens a string, its partner. Backslash escapes hold in the straight ones only."""

QUOTED: Final = re.compile(
    r""""[^"\\]*(?:\\.[^"\\]*)*"|'[^'\\]*(?:\\.[^'\\]*)*'|“[^”]*”|‘[^’]*’|「[^」]*」""", re.DOTALL
)
"""A whole string, with its quotes."""

FOLDED: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
FULL_WIDTH: Final = re.compile("[！-～　]")

_BODY: Final = {
    opening: re.compile(rf"[^{opening}\\]*(?:\\.[^{opening}\\]*)*", re.DOTALL) for opening in ('"', "'", "＂", "＇")
}
_ESCAPE: Final = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)
_ESCAPED: Final = {
    "\\": "\\", '"': '"', "'": "'", "/": "/", "n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "＂": "＂", "＇": "＇",
}  # fmt: skip
_LIKE_ESCAPES: Final = frozenset("*?")

NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
WORD: Final = re.compile(r"[^\W\d][\w./@:+*#\-]*|[_*/@#][\w./@:+*#\-]*")

_UNSAFE: Final = re.compile(
    '["\\\\\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]'
)
_NAMED: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def normal(text: str) -> str:
    """Give a string as the tree holds it: in Unicode NFC."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def fold(text: str) -> str:
    """Give full-width ASCII as ASCII, one character for one, so that columns stay."""
    return text.translate(FOLDED) if not text.isascii() and FULL_WIDTH.search(text) else text


def read_string(text: str, at: int, *, like: bool = False) -> tuple[str, int]:
    r"""Read the string that opens at `at`.

    Args:
        text: the condition as it was written.
        at: where the opening quote stands, from 0.
        like: whether it is the pattern of a `like`, where `\*` and `\?` stay as they are.

    Returns:
        its content in NFC, and where the text goes on after its closing quote.

    Raises:
        ConditionError: it is never closed, or an escape in it is unknown.
    """
    opening = text[at]
    closing = CLOSING[opening]
    body = _BODY.get(opening)
    end = text.find(closing, at + 1) if body is None else body.match(text, at + 1).end()  # type: ignore[union-attr]
    if not 0 < end < len(text) or text[end] != closing:
        raise complain(
            f"expected {shown(closing)[1:-1]} to close the string, got the end",
            at,
            f"{shown(text[at:])[1:-1]}{closing}",
        )
    content = text[at + 1 : end]
    if body is not None and "\\" in content:
        content = _unescaped(content, at + 1, like=like)
    return normal(content), end + 1


def _unescaped(content: str, at: int, *, like: bool) -> str:
    def replacement(found: re.Match[str]) -> str:
        letter = found[1]
        if len(letter) > 1:
            code = int(letter[1:], 16)
            if code > 0x10FFFF:
                raise complain(f"expected a code up to 0010FFFF, got {shown(found[0])}", at + found.start())
            return chr(code)
        if like and letter in _LIKE_ESCAPES:
            return found[0]
        if letter in _ESCAPED:
            return _ESCAPED[letter]
        cure = "\\u and four hex digits, such as \\u00e9" if letter == "u" else _doubled(letter)
        raise complain(f"expected an escape such as \\n or \\\\, got {shown(found[0])}", at + found.start(), cure)

    decoded = _ESCAPE.sub(replacement, content)
    if any(0xD800 <= ord(c) <= 0xDFFF for c in decoded):
        try:
            decoded = decoded.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError:
            raise complain("expected a pair of surrogates, got half of one", at, "the character itself") from None
    return decoded


def _doubled(letter: str) -> str:
    plain = shown(letter)[1:-1]
    return f"\\\\{plain} for a backslash and {plain}"


def quote(content: str) -> str:
    r"""Give a string as canonical text has it: in double quotes, `"`, `\`, control and bidirectional characters escaped."""
    return '"' + _UNSAFE.sub(lambda found: _NAMED.get(found[0]) or f"\\u{ord(found[0]):04x}", content) + '"'


def read_number(spelled: str, at: int | None) -> int | float:
    """Read a number that `NUMBER` matched: an int without point and exponent, else a float.

    Raises:
        ConditionError: it is beyond the range of a double.
    """
    value = float(spelled)
    if math.isinf(value):
        raise complain(f"expected a number within ±1.8e308, got {shown(spelled)}", at)
    if "." in spelled or "e" in spelled or "E" in spelled:
        return value + 0.0
    return int(spelled)


def check_number(value: float, at: int | None) -> int | float:
    """Give a number that JSON had, as the tree holds it.

    Raises:
        ConditionError: it is NaN, or beyond the range of a double.
    """
    try:
        finite = math.isfinite(value)
    except OverflowError:
        finite = False
    if not finite:
        raise complain(f"expected a number within ±1.8e308, got {shown(value)}", at)
    return value if isinstance(value, int) else value + 0.0
