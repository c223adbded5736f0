"""The cure for what cannot stand where it does: what people write for a keyword, a lost space, a lost quote."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from casebook.conditions.lexicon import KEYWORDS, MISTAKES, RESERVED
from casebook.conditions.literals import CLOSING, WORD, quote
from casebook.conditions.moments import DAYS_EN
from casebook.conditions.names import Named, closest, glued_operator, starts_name

if TYPE_CHECKING:
    from collections.abc import Collection

CHUNK: Final = re.compile(r"""[^\s,()\[\]、"'“”‘’「」]+""")
_WORDS: Final = re.compile(r"[A-Za-z]+(?:\s+[A-Za-z]+){0,2}(?![A-Za-z0-9_])")
_UNSPACED: Final = re.compile(r"[^\s()\[\],、]+")
_UNQUOTED: Final = re.compile(
    r"""(?:(?!(?:and|or|within|where)\b|&&|\|\||[且或])[^\s()\[\],<>="'“”‘’「」]+\s*)+""", re.IGNORECASE
)
_INDEXED: Final = re.compile(r"\[\s*([0-9]+)\s*\]")
_LOGIC: Final = ("_AND", "_OR")
_CLOSERS: Final = {closing: opening for opening, closing in CLOSING.items() if closing != opening}
_BEGINNINGS: Final = {"if": "the condition alone", "when": "the condition alone", "earlier": "earlier tool"}
_CLOCK_FORMS: Final = {
    "TIME": "time between 22:00 and 06:00",
    "WEEK": "week between Fri 22:00 and Mon 06:00",
    "WEEKDAY": "weekday in Mon-Fri",
    "MONTH": "month in [1, 12]",
    "DAY": "day is 1",
    "DATE": "date between 2026-03-01 and 2026-03-31",
}
_CLOCK_FORMS_ZH: Final = {
    "TIME": "时间 在 22:00 到 06:00 之间",
    "WEEK": "一周 在 周五 22:00 到 周一 06:00 之间",
    "WEEKDAY": "星期 在 周一-周五",
    "MONTH": "月份 在 [1, 12]",
    "DAY": "日号 为 1",
    "DATE": "日期 在 2026-03-01 到 2026-03-31 之间",
}


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
    if "FIELD" in accepted:
        return _beginning(text, folded, at)
    if previous is None or at >= len(folded):
        return unfinished(previous[1]) if previous and isinstance(previous[1], Named) else None
    terminal, value, before = previous
    got = standing(text, folded, at)
    if terminal in _CLOCK_FORMS:
        return (_CLOCK_FORMS if folded[before].isascii() else _CLOCK_FORMS_ZH)[terminal]
    if "WDAY" in accepted or "KIND" in accepted:
        if "WDAY" in accepted and re.fullmatch("[1-7]", got):
            return f"{DAYS_EN[int(got) - 1]}, where Monday is 1"
        close = closest(got[:32].lower(), _spellings(accepted))
        return close.capitalize() if close and "WDAY" in accepted else close
    if terminal == "FIELD" and isinstance(value, Named):
        return _operator(value, folded, at, got, accepted)
    if terminal == "EQ" and folded[at] in "=<>" and folded[before] == "=":
        return {"=": "==", "<": "<=", ">": ">="}[folded[at]]
    if terminal == "DUR":
        return f"{text[before:at].strip()}内"
    return _afterwards(text, folded, at, accepted, previous)


def _afterwards(
    text: str, folded: str, at: int, accepted: Collection[str], previous: tuple[str, object, int]
) -> str | None:
    """Give what was meant after a whole test, or in the place of a value."""
    terminal, value, before = previous
    got = standing(text, folded, at)
    ended = any(each in accepted for each in _LOGIC)
    if ended and starts_name(folded, at, {}):
        return f"and {got}"
    if terminal == "VALUE" and text[before] not in CLOSING:
        joined = _UNSPACED.match(text, before)
        if joined and joined.end() > at:
            return quote(joined[0])
        words = _UNQUOTED.match(folded, at)
        if isinstance(value, str) and words and _first(words[0]) not in RESERVED:
            return quote(text[before : words.end()].rstrip())
    if got in _CLOSERS and "VALUE" in accepted:
        return f"{_CLOSERS[got]}…{got}, with its own opening quote"
    if "VALUE" in accepted and not ended and folded[at] in "-~./$%^+\\":
        return f"write {quote(got)} in quotes"
    return MISTAKES.get(got.lower()) if ended else None


def _first(words: str) -> str:
    word = WORD.match(words)
    return word[0].lower() if word else ""


def unfinished(named: Named) -> str | None:
    """Give what was meant by a field alone."""
    spaced = glued_operator(named.spelled)
    if spaced is None and named.type == "any" and len(named.field.path) > 1:
        return f"{named.spelled} exists, or {named.spelled} is true"
    return spaced


def _beginning(text: str, folded: str, at: int) -> str | None:
    """Give what was meant where a condition should begin."""
    if at >= len(folded):
        return None
    got = standing(text, folded, at)
    if got[0] in CLOSING and got[1:-1] and starts_name(got, 1, {}) == len(got) - 2:
        return f"{got[1:-1]} without quotes"
    return _BEGINNINGS.get(got.lower())


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
    return closest(lower[:32], _spellings(accepted))


def _spellings(accepted: Collection[str]) -> list[str]:
    return [spelling for spelling, keyword in KEYWORDS if keyword.terminal in accepted and spelling[0].isalpha()]
