"""How text is made comparable: NFC for equality and patterns, NFKC with case folding for the text tests."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any
from unicodedata import normalize

import re2

from casebook.conditions.tree import Pattern

RE2_MEMORY = 8 << 20
"""Bytes that one compiled pattern may take (DESIGN section 10)."""


def nfc(text: str) -> str:
    """Give the text in Unicode NFC."""
    return text if text.isascii() else normalize("NFC", text)


def fold(text: str) -> str:
    """Give the text as `contains`, `starts with`, `ends with` and `like` compare it: NFKC, case folded, NFKC again."""
    if text.isascii():
        return text.lower()
    return normalize("NFKC", normalize("NFKC", text).casefold())


SHORT = 256
"""Characters up to which the folded form of a constant is remembered, so that what is remembered stays small."""


def fold_constant(text: str) -> str:
    """Give `fold(text)` of a constant in a condition."""
    return _fold_short(text) if len(text) <= SHORT else fold(text)


_fold_short = lru_cache(maxsize=65_536)(fold)


def _options() -> Any:
    options = re2.Options()
    options.max_mem = RE2_MEMORY
    options.log_errors = False
    return options


@lru_cache(maxsize=1024)
def compiled(pattern: Pattern) -> Any:
    """Compile a pattern of `matches` with RE2; raises `re2.error` where RE2 refuses it."""
    prefix = f"(?{pattern.flags})" if pattern.flags else ""
    return re2.compile(prefix + pattern.source, _options())


@lru_cache(maxsize=1024)
def like_parts(wildcard: str) -> tuple[str, ...]:
    r"""Split a `like` value into its folded literals and its wildcards, which come as `"*"` and `"?"` after a NUL.

    `\*`, `\?` and `\\` are literal; NFKC is applied to the literals only, so a full-width ＊ is no wildcard.
    """
    parts: list[str] = []
    literal = ""
    for piece in re.findall(r"\\[*?\\]|[*?]|[^*?\\]+|\\", wildcard):
        if piece in ("*", "?"):
            if literal:
                parts.append(fold(literal))
                literal = ""
            if not (piece == "*" and parts and parts[-1] == "\0*"):
                parts.append("\0" + piece)
        else:
            literal += piece[1:] if len(piece) == 2 and piece[0] == "\\" else piece
    if literal:
        parts.append(fold(literal))
    return tuple(parts)


@lru_cache(maxsize=1024)
def compiled_like(wildcard: str) -> Any:
    """Compile the value of `like` to an RE2 expression over the whole folded text."""
    source = "".join({"\0*": ".*", "\0?": "."}.get(part) or re2.escape(part) for part in like_parts(wildcard))
    return re2.compile(r"(?s)\A" + source + r"\z", _options())
