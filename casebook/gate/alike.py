"""Which memories are alike, among many: an index from words to memories, so that not everything is compared with everything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil
from typing import NamedTuple

from casebook.gate.candidate import Likeness
from casebook.gate.opposing import SUBJECT, opposing
from casebook.gate.picking import pick_of
from casebook.gate.same import PROPOSE, is_same, likeness
from casebook.gate.values import value_of
from casebook.gate.words import Words, overlap_of, words_of
from casebook.kinds import Kind
from casebook.memory import Memory
from casebook.scope import Scope

COMMON = 100
"""Memories that one word leads to when all are compared (ours): a word that more of them have tells little."""

NEAREST = 2000
"""The same where one text is compared with all."""


class Pair(NamedTuple):
    """Two memories that are alike, or contradict each other.

    Attributes:
        first, second: in the order in which they were added.
        overlap: of words, 0–1.
        is_same: whether they say the same in nearly the same words (0.92), no number and no name differs.
        differs: what contradicts: "polarity", "number", "time", "choice", "value", or "".
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
        words = words_of(memory.text)
        for key in sorted(words.keys):
            self._posted.setdefault(key, []).append(len(self._memories))
        self._memories.append(memory)
        self._words.append(words)

    def likeness(self, text: str, kind: Kind, polarity: int, scope: Scope | None = None) -> Likeness:
        """Give `casebook.gate.same.likeness` to the memories of a scope (None: of any) that share a word with a text."""
        return likeness(text, kind, polarity, self.near(text, scope))

    def near(self, text: str, scope: Scope | None = None) -> list[Memory]:
        """Give the memories of a scope (None: of any) that share a word with a text, in the order in which they were added."""
        places: set[int] = set()
        for key in self._prefix(words_of(text)):
            places.update(self._posted.get(key, ())[-NEAREST:])
        return [self._memories[at] for at in sorted(places) if scope is None or self._memories[at].scope == scope]

    def pairs(self, least: float = PROPOSE) -> Iterator[Pair]:
        """Give the pairs within one scope that are alike or contradict each other, each once.

        Args:
            least: the overlap above which two memories of one kind and polarity are told as alike.

        Returns:
            In the order of their second memory, then of their first. Two texts that overlap share one of the rarest words of
            both, so only those are looked up; of the memories that one word leads to the last `COMMON` are looked at, so that
            ten thousand which share their words are not compared each with each.
        """
        leads: dict[str, list[int]] = {}
        for place, words in enumerate(self._words):
            found: set[int] = set()
            for key in self._prefix(words):
                posted = leads.setdefault(key, [])
                found.update(posted[-COMMON:])
                posted.append(place)
            for other in sorted(found):
                pair = self._pair(other, place, least)
                if pair is not None:
                    yield pair

    def _pair(self, first: int, second: int, least: float) -> Pair | None:
        ours, theirs = self._words[first], self._words[second]
        overlap = overlap_of(ours.tokens, theirs.tokens)
        is_framed = ours.frame == theirs.frame != "" or _takes(ours) or _takes(theirs)
        may_differ = is_framed or overlap_of(ours.subject, theirs.subject) >= SUBJECT
        if not may_differ and overlap <= least and ours.view != theirs.view:
            return None
        one, two = self._memories[first], self._memories[second]
        if one.scope != two.scope:
            return None
        differs = (opposing(ours, theirs) or "") if may_differ else ""
        is_like = one.kind == two.kind and ours.polarity == theirs.polarity
        same = is_like and (ours.view == theirs.view or (overlap > PROPOSE and is_same(ours, theirs)))
        if not same and not differs and not (is_like and overlap > least):
            return None
        return Pair(one, two, overlap, same, differs)

    def _prefix(self, words: Words) -> list[str]:
        """Give the rarest of a text's words: two texts that overlap by more than 0.3 share one of them.

        Of n words at least 0.3 n would be common to both, so that the rarest 0.7 n + 1 of each hold one of them.
        """
        keys = sorted(words.keys, key=lambda key: (len(self._posted.get(key, ())), key))
        fewest = min((len(each) for each in (words.tokens, words.subject) if each), default=1)
        return keys[: len(keys) - max(0, ceil(PROPOSE * fewest) - 1)]


def _takes(words: Words) -> bool:
    """Say whether a text takes one thing over another, or gives something its value: what it is opposed to may share few words."""
    return pick_of(words.view) is not None or value_of(words.view) is not None
