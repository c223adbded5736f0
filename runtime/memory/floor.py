"""The floor under what is recalled: how much of a memory and of a question is shared, whatever the size of the casebook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from math import inf, log1p
from typing import TYPE_CHECKING

from casebook.runtime.memory.tokens import is_common, is_pair

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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


def weights(known: NDArray[np.int64], of: int, is_common: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Give how much is said by sharing a term, 0–1: its idf as a share of the greatest that there can be.

    Args:
        known: for each term, how many memories have it.
        of: how many memories there are.
        is_common: for each term, whether it is everywhere in what agents are asked.
    """
    import numpy as np

    size = max(of, _LEAST_MEMORIES)
    rare = np.log1p((size - known + 0.5) / (known + 0.5)) / log1p((size + 0.5) / 0.5)
    return np.where(is_common, rare * _COMMON, rare)


def words(terms: Iterable[str], most: float = inf) -> float:
    """Count the different words of some terms in their order, up to so many; one that is everywhere counts half.

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
            if count >= most:
                break
        seen.add(term)
    return count


def is_share_above(share: float) -> bool:
    """Say whether enough is shared of the weight of whichever side weighs less."""
    return share >= LEAST_SHARE


def are_words_above(asked: AbstractSet[str], asked_words: float, told: Sequence[str]) -> bool:
    """Say whether enough different words are shared.

    Args:
        asked: the terms of the question.
        asked_words: how many words they are, up to `LEAST_WORDS` (`words`).
        told: the terms of the memory in its order.
    """
    shared = words((term for term in told if term in asked), LEAST_WORDS)
    return shared >= min(LEAST_WORDS, asked_words, max(words(told, LEAST_WORDS), 1))
