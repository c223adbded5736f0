"""Which memories are alike, among many: an index from words to memories, so that not everything is compared with everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from math import ceil
from typing import NamedTuple

from casebook.gate.candidate import Likeness
from casebook.gate.same import PROPOSE, SUBJECT, Words, is_same, likeness, opposing, overlap_of, words_of
from casebook.kinds import Kind
from casebook.memory import Memory

COMMON = 400
"""Memories that one word may lead to (ours): a word that more of them have tells little, and only the first so many are looked at."""


class Pair(NamedTuple):
    """Two memories that are alike, or contradict each other.

    Attributes:
        first, second: in the order in which they were added.
        overlap: of words, 0–1.
        is_same: whether they say the same in nearly the same words (0.92), no number and no name differs.
        differs: what contradicts: "polarity", "number", "time", "choice", or "".
    """

    first: Memory
    second: Memory
    overlap: float
    is_same: bool
    differs: str


class Alike:
    """An inverted index of memories; of one scope or of many, since pairs are given within one scope only."""

    def __init__(self, memories: Iterable[Memory] = ()) -> None:
        """Take memories; later ones may be added."""
        self._memories: list[Memory] = []
        self._words: list[Words] = []
        self._posted: dict[str, list[int]] = {}
        for memory in memories:
            self.add(memory)

    def __len__(self) -> int:
        return len(self._memories)

    def add(self, memory: Memory) -> None:
        """Take a memory."""
        place = len(self._memories)
        words = words_of(memory.text)
        self._memories.append(memory)
        self._words.append(words)
        for token in sorted(words.tokens | words.subject) or (words.view,):
            self._posted.setdefault(token, []).append(place)

    def likeness(self, text: str, kind: Kind, polarity: int, scope: object = None) -> Likeness:
        """Give `casebook.gate.same.likeness` to the memories of a scope (None: of any) that share a word with a text."""
        return likeness(text, kind, polarity, self.near(text, scope))

    def near(self, text: str, scope: object = None) -> list[Memory]:
        """Give the memories of a scope (None: of any) that share a word with a text, in the order in which they were added."""
        words = words_of(text)
        places: set[int] = set()
        for token in self._rarest(words, 0.0):
            places.update(self._posted.get(token, ())[-COMMON * 10 :])
        return [self._memories[at] for at in sorted(places) if scope is None or self._memories[at].scope == scope]

    def pairs(self, least: float = PROPOSE) -> Iterator[Pair]:
        """Give the pairs within one scope that are alike or contradict each other, each once.

        Args:
            least: the overlap above which two memories of one kind and polarity are told as alike.

        Returns:
            In the order of their second memory. Of many memories that one word leads to, only the nearest `COMMON` are looked
            at, so that ten thousand which share their words are not compared each with each.
        """
        bound = min(least, SUBJECT)
        for place, words in enumerate(self._words):
            counted: Counter[int] = Counter()
            for token in self._rarest(words, bound):
                posted = self._posted[token]
                end = _before(posted, place)
                counted.update(posted[max(0, end - COMMON) : end])
            for other in sorted(at for at, _ in counted.most_common(COMMON)):
                pair = self._pair(other, place, least)
                if pair is not None:
                    yield pair

    def _pair(self, first: int, second: int, least: float) -> Pair | None:
        one, two = self._memories[first], self._memories[second]
        if one.scope != two.scope:
            return None
        ours, theirs = self._words[first], self._words[second]
        overlap = overlap_of(ours.tokens, theirs.tokens)
        differs = opposing(ours, theirs) or ""
        is_like = one.kind == two.kind and ours.polarity == theirs.polarity
        same = is_like and (ours.view == theirs.view or (overlap > PROPOSE and is_same(ours, theirs)))
        if not same and not differs and not (is_like and overlap > least):
            return None
        return Pair(one, two, overlap, same, differs)

    def _rarest(self, words: Words, least: float) -> list[str]:
        """Give the rarest of a text's words: one of them is shared by every text that overlaps with it by `least`."""
        tokens = sorted(words.tokens | words.subject, key=lambda token: (len(self._posted.get(token, ())), token))
        if not tokens:
            return [words.view] if words.view in self._posted else []
        fewest = min(len(words.tokens) or len(tokens), len(words.subject) or len(tokens))
        return tokens[: len(tokens) - max(0, ceil(least * fewest) - 1)]


def _before(posted: list[int], place: int) -> int:
    """Give how many of ascending places stand before one."""
    from bisect import bisect_left

    return bisect_left(posted, place)
