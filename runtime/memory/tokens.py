"""What a text is searched by: words and numbers of alphabets, pairs of neighbouring characters of Chinese; a pure function."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from unicodedata import normalize

from casebook.gate.capitals import names_in
from casebook.runtime.memory.stop_words import (
    COMMON_PAIRS,
    COMMON_WORDS,
    PARTICLES,
    STOP_CHARACTERS,
    STOP_PAIRS,
    STOP_WORDS,
)

_WIDE = "\u3005\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Characters of scripts without spaces between words: Han, and the kana of Japanese."""
_RUNS = re.compile(f"([{_WIDE}]+)")
_PARTED = re.compile(f"[{PARTICLES}]|{'|'.join(sorted(STOP_PAIRS))}")
_WORDS = re.compile(r"[^\W_]+(?:['’][^\W_]+)?(?:[_.\-][^\W_]+)*(?:\+\+|#(?!\w))?")
_JOINTS = re.compile(r"[_.\-]|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_VOWEL = re.compile("[aeiouy]")
_APOSTROPHES = re.compile(r"['’].*")
_LONGEST = 64
"""Characters of a word that count (ours): what is longer is data, and its beginning tells it apart."""


def terms(text: str) -> list[str]:
    """Give the terms of a text in its order, repetitions included.

    A run of Chinese is parted at particles and pronouns (的, 了, 我) and at what carries no subject (可以, 什么); what is left gives
    its pairs of neighbouring characters, a single one itself. Every other word is given after NFKC and case folding,
    without the endings of plural and tense; function words are left out, but for those that are names by their capital (Go, IT, Will). A word that is made of several, such as `user_name`, `getUserName`,
    `api.example.com`, is given whole and in its parts, a number with joints (`3.11`, `2026-03-20`) whole.
    """
    if not text.isascii():
        text = normalize("NFKC", text)
    found: list[str] = []
    names = names_in(text, STOP_WORDS)
    for place, piece in enumerate(_RUNS.split(text) if not text.isascii() else (text,)):
        if place % 2:
            _add_pairs(piece, found)
        else:
            for word in _WORDS.findall(piece):
                found += (word.casefold(),) if word in names else _of_word(word)
    return found


def is_pair(term: str) -> bool:
    """Say whether a term is two neighbouring characters of a script without spaces."""
    return len(term) == 2 and not term.isascii() and _RUNS.fullmatch(term) is not None


def _add_pairs(run: str, found: list[str]) -> None:
    for piece in _PARTED.split(run):
        if len(piece) > 1:
            found += map("".join, pairwise(piece))
        elif piece and piece not in STOP_CHARACTERS:
            found.append(piece)


@lru_cache(maxsize=32_768)
def _of_word(word: str) -> tuple[str, ...]:
    """Give the terms of a word; the same words come again and again."""
    word = _APOSTROPHES.sub("", word)
    whole = word.casefold()
    if whole in STOP_WORDS:
        return ()
    parts = [part.casefold() for part in _JOINTS.split(word) if part]
    if len(parts) < 2:
        return (stem(whole[:_LONGEST]),)
    said = (stem(part[:_LONGEST]) for part in parts if not part.isdigit() and part not in STOP_WORDS)
    return (whole[:_LONGEST], *said)


def stem(word: str) -> str:
    """Give an English word without the endings of plural and tense; others come back as they are.

    The plural goes as in Harman's S stemmer (1991), `-ed`, `-ing` and a last `e` as in Porter's first step: `deploys`, `deployed` and
    `deploying` are `deploy`, `caches` and `caching` are `cach`.
    """
    if len(word) < 4 or not word.isascii():
        return word
    word = _singular(word)
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and _VOWEL.search(word, 0, len(word) - len(ending)):
            word = word[: -len(ending)]
            if word[-1] == word[-2] and word[-1] not in "lszaeiou":
                return word[:-1]
            break
    return word[:-1] if len(word) > 4 and word[-1] == "e" else word


def _singular(word: str) -> str:
    if word[-1] != "s" or word[-2] in "us":
        return word
    if word.endswith("ies"):
        return word if word[-4] in "ae" else word[:-3] + "y"
    return word if word[-2:] == "is" or word.endswith(("aes", "ees", "oes")) else word[:-1]


COMMON_TERMS = COMMON_PAIRS | frozenset(map(stem, COMMON_WORDS))
"""The terms that are everywhere in what agents are asked."""


def is_common(term: str) -> bool:
    """Say whether a term is everywhere in what agents are asked, so that little is said by sharing it."""
    return term in COMMON_TERMS
