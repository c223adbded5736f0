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

    def __init__(self, make: Callable[[LoadedCase, Language], T], *, bound: int = 16_384) -> None:
        """Take the function, and how many results of a language are kept; when they are more, all are let go."""
        self._make = make
        self._bound = bound
        self._kept: dict[Language, dict[int, tuple[Case, T]]] = {"en": {}, "zh": {}}

    def __call__(self, case: LoadedCase, language: Language = "en") -> T:
        """Give the result for a case; in either language for what has no words."""
        of_language = self._kept[language]
        key = id(case.case)
        kept = of_language.get(key)
        if kept is not None and kept[0] is case.case:
            return kept[1]
        made = self._make(case, language)
        if len(of_language) >= self._bound:
            of_language = self._kept[language] = {}
        of_language[key] = (case.case, made)  # the case is kept too, so that no other gets its `id`
        return made
