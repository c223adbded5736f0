"""Names that look like words which say nothing, told by their capital: Go, IT, Will, team A."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from functools import lru_cache

_WORD = re.compile(r"[A-Za-z][A-Za-z']*")
_CAPITAL = re.compile(r"\b[A-Z][A-Za-z']*\b")
_ACRONYMS = frozenset({"IT", "US", "WHO"})
"""What is a name in capitals; other words in capitals (NOT, ALL, DO) are said loudly."""
_FIRST = frozenset({"Go", "Will", "May", "IT", "US", "WHO"})
"""What is taken as a name where it begins a sentence as the subject of a verb, or is all that is said."""
_BEGINS = re.compile(r"(?:^|[.!?。！？:：\n])[\s\"'“”‘’(\[*-]*$")
_IS_SUBJECT = re.compile(
    r"(?:\s*$|\s*[?,，？.。]|\s+(?:is|was|has|isn't|wasn't|and|or|over|instead|rather|[0-9])\b|\s+(?!this\b|us\b|across\b)[a-z]{2,}[^s\W]s\b)"
)
_TITLE = 0.6
"""From so large a share of words with capitals on, a text is a title, whose capitals tell nothing (ours)."""


@lru_cache(maxsize=4096)
def _are_told(text: str) -> bool:
    """Say whether capitals tell something in a text: it is neither a title nor in capitals."""
    words = [word for word in _WORD.findall(text)[1:] if len(word) > 1]
    capital = sum(word[0].isupper() for word in words)
    return len(words) < 3 or capital / len(words) < _TITLE


def names_in(text: str, words: AbstractSet[str]) -> frozenset[str]:
    """Give which of some words a text has as names, as it writes them.

    Args:
        text: as it was said.
        words: in small letters: words that say nothing where they are no names.

    Returns:
        "Go" of "We use Go", "IT" of "IT owns the VPN", "A" of "team A"; not "A" of "A team", nor "Go" of "Go on", nor anything of
        a title.
    """
    found = frozenset(
        word
        for each in _CAPITAL.finditer(text)
        if (word := each[0]).lower() in words and word != "I" and _is_name(text, word, each.start(), each.end())
    )
    return found if found and _are_told(text) else frozenset()


def _is_name(text: str, word: str, start: int, end: int) -> bool:
    may_begin = word in _FIRST or (len(word) == 1 and word != "A")
    if (start == 0 and not may_begin) or (len(word) > 1 and word.isupper() and word not in _ACRONYMS):
        return False
    if _BEGINS.search(text[max(0, start - 8) : start]) is None:
        return word.isalpha()
    return may_begin and _IS_SUBJECT.match(text, end) is not None
