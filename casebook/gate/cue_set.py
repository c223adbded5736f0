"""Many patterns over one text in one linear pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import re2

_MEMORY = 64 << 20


def _options() -> Any:
    options = re2.Options()
    options.max_mem = _MEMORY
    options.log_errors = False
    return options


@dataclass(frozen=True)
class CueSet:
    r"""Patterns (RE2, over folded text), compiled when the first text is looked at.

    Attributes:
        patterns: the patterns; `\\b` knows ASCII words only, so that "用pnpm" has a boundary.
    """

    patterns: tuple[str, ...]

    @cached_property
    def _together(self) -> Any:
        together = re2.Set.SearchSet(_options())
        for pattern in self.patterns:
            together.Add(pattern)
        together.Compile()
        return together

    def holding(self, text: str) -> Sequence[int]:
        """Give the places of the patterns that hold in a folded text, in order."""
        return sorted(self._together.Match(text.encode("utf-8", "replace")) or ())

    def holds(self, text: str) -> bool:
        """Say whether any pattern holds in a folded text."""
        return bool(self._together.Match(text.encode("utf-8", "replace")))

    def places(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Give pattern, start and end (characters) of the first occurrence of each pattern that holds."""
        for at in self.holding(text):
            found = compiled(self.patterns[at]).search(text)
            if found is not None:
                yield at, found.start(), found.end()


_COMPILED: dict[str, Any] = {}


def compiled(pattern: str) -> Any:
    """Compile one pattern with RE2, once; for the patterns of our own tables."""
    found = _COMPILED.get(pattern)
    if found is None:
        found = _COMPILED[pattern] = re2.compile(pattern, _options())
    return found
