"""Many texts looked for in one at once: Aho-Corasick automata (ahocorasick_rs), built in segments so that edits stay cheap."""

from __future__ import annotations

from typing import Any

import ahocorasick_rs

PIECE = 4_096
"""Characters of a text that are looked through at once: what may be listed for them stays small."""
PENDING = 24
"""Needles that are looked for one by one before they get an automaton: below this it is faster."""


class Needles:
    """A changing set of folded needles, each on behalf of one or more alpha nodes."""

    __slots__ = ("_numbers", "_pending", "_segments")

    def __init__(self) -> None:
        """Begin empty."""
        self._numbers: dict[str, tuple[int, ...]] = {}
        self._pending: dict[str, None] = {}
        self._segments: list[tuple[list[str], Any]] = []

    def __bool__(self) -> bool:
        """Say whether there is anything to look for."""
        return bool(self._numbers)

    def add(self, needle: str, number: int) -> None:
        """Look for a needle on behalf of a node."""
        known = self._numbers.get(needle)
        if known is None:
            self._pending[needle] = None
        self._numbers[needle] = (*(known or ()), number)

    def remove(self, needle: str, number: int) -> None:
        """Look for it no more. An automaton may still find it; `collect` then knows no node for it."""
        left = tuple(each for each in self._numbers[needle] if each != number)
        if left:
            self._numbers[needle] = left
            return
        del self._numbers[needle]
        if needle in self._pending:
            del self._pending[needle]
        else:
            self._forget(needle)

    def _forget(self, needle: str) -> None:
        # a needle that comes back must not stand in two segments, and dead ones must not pile up
        for place, (words, _) in enumerate(self._segments):
            if needle in words:
                alive = [word for word in words if word in self._numbers]
                if len(alive) <= len(words) // 2:
                    del self._segments[place]
                    self._pending.update(dict.fromkeys(alive))
                return

    def collect(self, text: str, found: set[int]) -> None:
        """Add the numbers of the needles that stand in a folded text."""
        if len(self._pending) > PENDING:
            self._settle()
        numbers = self._numbers
        for needle in self._pending:
            if needle in text:
                found.update(numbers[needle])
        for words, automaton in self._segments:
            for word in _found(words, automaton, text):
                several = numbers.get(word)
                if several is not None:
                    found.update(several)

    def _settle(self) -> None:
        """Move what is pending into automata whose sizes at least double from one to the next (few, rarely rebuilt)."""
        words, segments = list(self._pending), list(self._segments)
        while segments and len(segments[-1][0]) < 2 * len(words):
            words.extend(word for word in segments.pop()[0] if word in self._numbers)
        words = list(dict.fromkeys(words))
        segments.append((words, _automaton(words)))
        self._segments = segments
        self._pending = {}


def _automaton(words: list[str]) -> Any:
    return ahocorasick_rs.AhoCorasick(words, matchkind=ahocorasick_rs.MatchKind.Standard)


def _found(words: list[str], automaton: Any, text: str) -> set[str]:
    """Give the words that stand in a text. The automaton lists every occurrence, so a long text is read piece by piece."""
    if len(text) <= PIECE:
        return {words[hit[0]] for hit in automaton.find_matches_as_indexes(text, overlapping=True)}
    overlap = max(map(len, words)) - 1
    step = max(PIECE, 4 * overlap)
    found: set[str] = set()
    for start in range(0, len(text), step):
        hits = automaton.find_matches_as_indexes(text[start : start + step + overlap], overlapping=True)
        found.update({words[hit[0]] for hit in hits})
        if len(hits) > step and len(found) < len(words):
            # the same words again and again, or words within words: look only for what has not been found yet
            words = [word for word in words if word not in found]
            automaton = _automaton(words)
        elif len(found) == len(words):
            break
    return found
