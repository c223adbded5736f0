"""Whether a text mentions what is to be forgotten, in whatever form it is written; and the text without it."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

from casebook.stores.common_words import CALENDAR, ORDINARY, PRONOUNS, TOOLS
from casebook.stores.han_names import is_of_longer_name

FORGOTTEN = "…"
"""Stands where a user's id was taken out of somebody else's text; one character, so that no text becomes too long."""

_FORMS: tuple[Literal["NFC", "NFD", "NFKC", "NFKD"], ...] = ("NFC", "NFD", "NFKC", "NFKD")


def folded(text: str) -> str:
    """Give a text as it is compared: NFKC and case folding."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def is_same(one: object, other: str) -> bool:
    """Say whether a value is an id, in whatever normal form it is written."""
    if one == other or not isinstance(one, str):
        return one == other
    return not one.isascii() and unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other)


_SHORT = 2
"""Signs of a name of ASCII that is too short to tell it from any other word or mark (ours)."""
_NEAR = 24
"""Signs before a word that are looked at for whether a person is meant."""
_PERSON = re.compile(
    r"(?i)(?:@|person:|\buser[\"']?[ \t]*(?:is|==?|:|：|是)?[ \t]*[\"'(]?|用户[ \t]*(?:是|：|:)?[ \t]*[\"']?)$"
)
_NEAR_PERSON = re.compile(
    r"(?i)(?:\b(?:by|from|ask|asked|tell|told|dear|hi|hello|thanks|thank|cc|mr|mrs|ms|dr)[.,:]?[ \t]+|(?:由|来自|告诉|问|请|跟)[ \t]*"
    r"|/home/|/Users/|~)$"
)
_PERSON_DOES = re.compile(
    r"(?i)(?:[ \t]+(?:said|says|asked|asks|told|wrote|wants|wanted|prefers|preferred|likes|liked|thinks|thought|decided|chose|approved|"
    r"suggested|agreed|reported|insists|insisted)\b|[ \t]*(?:说|认为|觉得|喜欢|要求|希望|决定|建议|表示|提出)|@\w)"
)
_SENTENCE_ENDS = frozenset(".!?:;\n\"“”‘'(（[{-–—•*#>|/。！？：；，")


def is_common(name: str) -> bool:
    """Say whether a user's id is a word that others say without meaning anybody, such as `git` or `will`, or as short as `al`."""
    word = name.casefold()
    return word in TOOLS or word in CALENDAR or word in PRONOUNS or _is_ordinary(word)


def _is_ordinary(word: str) -> bool:
    return word in ORDINARY or (word.isascii() and word.isalnum() and len(word) <= _SHORT)


class Mentions:
    """Finds an id in texts, where it stands as a word of its own: `ann` is in `ask ann-lee`, and not in `annual` or `anna`.

    Signs of scripts that are written without spaces bound nothing and are bounded by nothing: `ann` is in `问ann吧`. An id of
    ASCII signs alone, such as `-`, is none where it stands beside a word: `m-1` has no `-`. One that is a common word is only found
    where a person is meant: `git` in `@git` and `user is git`, `will` in `from will` and `we told Will so`, too. One in Chinese is not
    found where a longer name may be meant: 李雷 in `李雷说`, and not in `李雷蕾`.
    """

    def __init__(self, name: str) -> None:
        """Take the id, not empty."""
        self.name = name
        word = name.casefold()
        self._is_common = is_common(name)
        self._is_ordinary = self._is_common and word not in TOOLS | CALENDAR | PRONOUNS
        self._is_bare = name.isascii() and not any(map(str.isalnum, name))
        forms = {name, *(unicodedata.normalize(form, name) for form in _FORMS)}
        joined = "|".join(map(re.escape, sorted(forms, key=lambda each: (-len(each), each))))
        self._loose = re.compile(joined, re.IGNORECASE)
        if self._is_ordinary and name.isascii() and name.islower() and len(name) > 1:
            joined += f"|{re.escape(name.capitalize())}"
        self._pattern = re.compile(joined)

    def within(self, text: str) -> bool:
        """Say whether a text mentions it."""
        return any(self._is_apart(text, *found.span()) for found in self._pattern.finditer(text))

    def without(self, text: str) -> str:
        """Give a text with something else in its place."""
        return self._pattern.sub(lambda found: FORGOTTEN if self._is_apart(text, *found.span()) else found[0], text)

    def _is_person(self, text: str, start: int, end: int) -> bool:
        """Say whether a word that is a common one stands for a person."""
        near = max(0, start - _NEAR)
        if _PERSON.search(text, near, start):
            return True
        if not self._is_ordinary:
            return False
        if _NEAR_PERSON.search(text, near, start) or _PERSON_DOES.match(text, end):
            return True
        return text[start].isupper() and text[start + 1 : end].islower() and _is_amid_sentence(text, start, end)

    def is_held(self, text: str) -> bool:
        """Say whether a text, from which it may have been taken, still holds it as a word that nobody may be meant by, in any case."""
        taken = {found.span() for found in self._pattern.finditer(text) if self._is_apart(text, *found.span())}
        loose = {found.span() for found in self._loose.finditer(text) if _is_apart(text, *found.span())}
        return not loose <= taken

    def _is_apart(self, text: str, start: int, end: int) -> bool:
        if self._is_bare and (_is_of_word(text[start - 1 : start]) or _is_of_word(text[end : end + 1])):
            return False
        if self._is_common and not self._is_person(text, start, end):
            return False
        if is_of_longer_name(text, start, end):
            return False
        return _is_apart(text, start, end)


def _is_amid_sentence(text: str, start: int, end: int) -> bool:
    """Say whether a word with a capital letter stands within a sentence, and in no title, where every word has one."""
    before = text[:start].rstrip(" \t")
    if not before or before[-1] in _SENTENCE_ENDS:
        return False
    former = before.split()[-1] if before.split() else ""
    latter = text[end:].split(maxsplit=1)
    return not (former[:1].isupper() and latter and latter[0][:1].isupper())


def _is_apart(text: str, start: int, end: int) -> bool:
    """Say whether what stands between two offsets is no part of a longer word."""
    if start and _joins(text[start - 1], text[start]):
        return False
    return end >= len(text) or not _joins(text[end - 1], text[end])


def _joins(one: str, other: str) -> bool:
    """Say whether two signs beside each other belong to one word."""
    if unicodedata.category(other).startswith("M"):
        return True
    return _is_of_word(one) and _is_of_word(other)


def _is_of_word(sign: str) -> bool:
    return (
        sign != ""
        and (sign.isalnum() or sign == "_" or unicodedata.category(sign).startswith("M"))
        and not _is_unspaced(sign)
    )


def _is_unspaced(sign: str) -> bool:
    """Say whether a sign is of a script that puts no spaces between words (or, as Korean, endings right at them)."""
    at = ord(sign)
    return (
        0x0E00 <= at <= 0x0EFF
        or 0x1000 <= at <= 0x109F
        or 0x1780 <= at <= 0x17FF
        or 0x2E80 <= at <= 0xA4CF
        or 0xAC00 <= at <= 0xD7AF
        or 0xF900 <= at <= 0xFAFF
        or 0x20000 <= at <= 0x3FFFF
    )
