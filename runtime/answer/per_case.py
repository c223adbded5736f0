"""What is worked out once for a case as it stands and then served from memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from casebook.case import Case, LoadedCase
from casebook.runtime.answer.texts import Language

T = TypeVar("T")


class PerCase(Generic[T]):
    """A bounded cache of what `make` gives for a case and a language. Safe to use from many threads.

    What it serves was made of this very `Case` object, so an edited case, or one of the same id in another casebook, never
    gets the text of its former self.
    """

    def __init__(self, make: Callable[[LoadedCase, Language], T], *, bound: int = 4096) -> None:
        """Take the function, and how many results are kept; when they are more, all are let go."""
        self._make = make
        self._bound = bound
        self._kept: dict[tuple[str, str, Language], tuple[Case, T]] = {}

    def __call__(self, case: LoadedCase, language: Language) -> T:
        """Give the result for a case."""
        key = (case.case.id, case.version, language)
        kept = self._kept.get(key)
        if kept is not None and kept[0] is case.case:
            return kept[1]
        made = self._make(case, language)
        if len(self._kept) >= self._bound:
            self._kept = {}
        self._kept[key] = (case.case, made)
        return made
