"""The floor under what is recalled: how much of a memory and of a question is shared, whatever the size of the casebook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log

from casebook.runtime.memory.tokens import is_common, is_pair

LEAST_SHARE = 0.35
"""Of the weight of whichever says less, the question or the memory, so much is shared."""
LEAST_WORDS = 2
"""So many different words are shared, unless one side has fewer."""
_COMMON = 0.5
"""A word that is everywhere counts and weighs so much."""
_LEAST_MEMORIES = 1_000
"""A casebook of fewer memories, in which no word can be told to be common, is taken as one of so many.

All of these were chosen on the tuned half of the labelled questions (tests/memory/recall), precision first; docs/recall.md has the
figures of the other half."""


def weight(term: str, known: int, of: int) -> float:
    """Give how much is said by sharing a term that `known` of so many memories have, 0–1.

    It is the idf as a share of the greatest that there can be.
    """
    size = max(of, _LEAST_MEMORIES)
    rare = log(1 + (size - known + 0.5) / (known + 0.5)) / log(1 + (size + 0.5) / 0.5)
    return rare * _COMMON if is_common(term) else rare


def share(asked: Mapping[str, float], told: Mapping[str, float]) -> float:
    """Give how much is shared of the weight of whichever side weighs less, 0–1.

    Args:
        asked: the terms of the question with their weights.
        told: the terms of the memory with theirs; a term weighs the same on both sides.
    """
    least = min(sum(asked.values()), sum(told.values()))
    return sum(weight for term, weight in told.items() if term in asked) / least if least else 0.0


def words(terms: Iterable[str]) -> float:
    """Count the different words of some terms in their order; one that is everywhere counts half.

    Of neighbouring Chinese pairs, such as 主动 动推 推送, every other is a word.
    """
    count = 0.0
    seen: set[str] = set()
    run = ""
    length = 0
    for term in terms:
        if is_pair(term):
            length = length + 1 if run and run[1] == term[0] else 1
            run = term
        else:
            run, length = "", 1
        if term not in seen and length % 2:
            count += _COMMON if is_common(term) else 1
        seen.add(term)
    return count


def is_above(asked: Mapping[str, float], asked_words: float, told: Mapping[str, float], order: Sequence[str]) -> bool:
    """Say whether a memory is near enough to a question to be told.

    Args:
        asked: the terms of the question with their weights.
        asked_words: how many words they are (`words`).
        told: the terms of the memory with their weights.
        order: the terms of the memory in its order.
    """
    if share(asked, told) < LEAST_SHARE:
        return False
    shared = words(term for term in order if term in asked)
    return shared >= min(LEAST_WORDS, asked_words, max(words(order), 1))
