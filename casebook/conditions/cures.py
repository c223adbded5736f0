"""The cure for what cannot stand where it does: what people write for a keyword, a lost space, a lost quote."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from casebook.conditions.lexicon import KEYWORDS, MISTAKES, RESERVED
from casebook.conditions.literals import CLOSING, WORD, quote
from casebook.conditions.names import Named, glued_operator
from casebook.faults import nearest

if TYPE_CHECKING:
    from collections.abc import Collection

CHUNK: Final = re.compile(r"""[^\s,()\[\]、"'“”‘’「」]+""")
_WORDS: Final = re.compile(r"[A-Za-z]+(?:\s+[A-Za-z]+){0,2}(?![A-Za-z0-9_])")
_UNSPACED: Final = re.compile(r"[^\s()\[\],、]+")
_INDEXED: Final = re.compile(r"\[\s*([0-9]+)\s*\]")
_LOGIC: Final = ("_AND", "_OR")


def standing(text: str, folded: str, at: int) -> str:
    """Give what stands at a place, up to white space or a bracket, or the whole string where one opens."""
    if text[at] in CLOSING:
        end = text.find(CLOSING[text[at]], at + 1)
        return text[at : end + 1] if end > 0 else text[at]
    found = CHUNK.match(folded, at)
    return text[at : found.end()] if found else text[at]


def cure_for(
    text: str, folded: str, at: int, accepted: Collection[str], previous: tuple[str, object, int] | None
) -> str | None:
    """Give the cure for what stands at a place, or None.

    Args:
        text: the condition as it was written.
        folded: the same with full-width ASCII folded.
        at: where it cannot go on, from 0.
        accepted: the terminals that may come there.
        previous: the lexeme before: its terminal, its meaning and its place.
    """
    if previous is None or at >= len(folded):
        return glued_operator(previous[1].spelled) if previous and isinstance(previous[1], Named) else None
    terminal, value, before = previous
    got = standing(text, folded, at)
    if "WDAY" in accepted or "KIND" in accepted:
        return nearest(got[:32], _spellings(accepted))
    if terminal == "FIELD" and isinstance(value, Named):
        return _operator(value, folded, at, got, accepted)
    if terminal == "VALUE" and text[before] not in CLOSING:
        joined = _UNSPACED.match(text, before)
        if joined and joined.end() > at:
            return quote(joined[0])
        word = WORD.match(folded, at)
        if isinstance(value, str) and word and word[0].lower() not in RESERVED:
            return quote(text[before : word.end()])
    return MISTAKES.get(got.lower()) if any(each in accepted for each in _LOGIC) else None


def _operator(named: Named, folded: str, at: int, got: str, accepted: Collection[str]) -> str | None:
    """Give the operator that was meant after a field."""
    if len(named.field.path) > 1 and (spaced := glued_operator(named.spelled)):
        return spaced
    if index := _INDEXED.match(folded, at):
        return f"{named.spelled}.{index[1]}"
    words = _WORDS.match(folded, at)
    parts = words[0].lower().split() if words else []
    for count in range(len(parts), 0, -1):
        if cure := MISTAKES.get(" ".join(parts[:count])):
            return cure
    lower = got.lower()
    for wrong in sorted(MISTAKES, key=len, reverse=True):
        if lower == wrong or (not wrong.isascii() and lower.startswith(wrong)):
            return MISTAKES[wrong]
    return nearest(lower[:32], _spellings(accepted))


def _spellings(accepted: Collection[str]) -> list[str]:
    return [spelling for spelling, keyword in KEYWORDS if keyword.terminal in accepted and spelling[0].isalpha()]
