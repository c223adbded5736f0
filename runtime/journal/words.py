"""What somebody said, as runs of words: whether another text repeats it, whole or in part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from casebook.stores.mentions import folded

_TOKEN = re.compile(r"[^\W_\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]+|[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
"""A word, or one character of a script that puts no spaces between words."""
_CHARACTERS = 0x2E80
_RUN = 8
"""What a run weighs at least, a word 2, a character of Chinese 1: four words, eight characters (ours)."""
_LEAST_CHARS = 8
"""Characters that a text of fewer words has at least to tell anything of who said it; one of Chinese half as many (ours)."""


class Words:
    """Runs of words of texts. What others said as well can be taken out again, so that what is left is told by one alone."""

    def __init__(self) -> None:
        self._runs: set[int] = set()
        self._short: dict[int, set[int]] = {}

    def __bool__(self) -> bool:
        return bool(self._runs or any(self._short.values()))

    def add(self, texts: Iterable[str]) -> None:
        """Take in what was said."""
        for text in texts:
            tokens = _tokens(text)
            runs = _runs(tokens)
            if runs:
                self._runs.update(runs)
            elif tokens and sum(map(_chars, tokens)) >= _LEAST_CHARS:
                self._short.setdefault(len(tokens), set()).add(hash(tokens))

    def found_in(self, text: str) -> bool:
        """Say whether a text repeats any of it."""
        tokens = _tokens(text)
        if not self._runs.isdisjoint(_runs(tokens)):
            return True
        return any(not known.isdisjoint(_parts(tokens, length)) for length, known in self._short.items())

    def among(self, texts: Iterable[str]) -> Words:
        """Give those runs that texts repeat."""
        found = Words()
        for text in texts:
            tokens = _tokens(text)
            found._runs.update(self._runs.intersection(_runs(tokens)))
            for length, known in self._short.items():
                same = known.intersection(_parts(tokens, length))
                if same:
                    found._short.setdefault(length, set()).update(same)
        return found

    def join(self, other: Words) -> None:
        """Take in the runs of others."""
        self._runs |= other._runs
        for length, known in other._short.items():
            self._short.setdefault(length, set()).update(known)

    def drop(self, texts: Iterable[str]) -> None:
        """Take out what texts hold, too."""
        for text in texts:
            tokens = _tokens(text)
            self._runs.difference_update(_runs(tokens))
            for length, known in self._short.items():
                known.difference_update(_parts(tokens, length))


def _tokens(text: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(folded(text)))


def _weight(token: str) -> int:
    return 1 if _is_character(token) else 2


def _chars(token: str) -> int:
    return 2 if _is_character(token) else len(token)


def _is_character(token: str) -> bool:
    return len(token) == 1 and ord(token) >= _CHARACTERS


def _runs(tokens: tuple[str, ...]) -> list[int]:
    """Give the runs that begin at each word and are just heavy enough."""
    weights = [_weight(each) for each in tokens]
    runs: list[int] = []
    end = held = 0
    for start, weight in enumerate(weights):
        while held < _RUN:
            if end == len(tokens):
                return runs
            held += weights[end]
            end += 1
        runs.append(hash(tokens[start:end]))
        held -= weight
    return runs


def _parts(tokens: tuple[str, ...], length: int) -> Iterator[int]:
    return (hash(tokens[start : start + length]) for start in range(len(tokens) - length + 1))
