"""The alpha memory of one field: from a value to the numbers of the indexed tests that it passes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from casebook.conditions.evaluate import Reading
from casebook.conditions.fold import fold_constant
from casebook.conditions.tree import Test
from casebook.runtime.matching.deciding import key_of
from casebook.runtime.matching.needles import Needles

if TYPE_CHECKING:
    from casebook.runtime.matching.alpha import AlphaNode


class FieldIndex:
    """The indexed tests of one field."""

    __slots__ = ("equal", "heads", "items", "needles", "tails")

    def __init__(self) -> None:
        """Begin empty."""
        self.equal: dict[Any, int] = {}
        self.items: dict[Any, int] = {}
        self.needles = Needles()
        self.heads = Affixes(at_start=True)
        self.tails = Affixes(at_start=False)

    def is_empty(self) -> bool:
        """Say whether no test of this field is left."""
        return not (self.equal or self.items or self.heads.lengths or self.tails.lengths)

    def add(self, alpha: AlphaNode) -> None:
        """Index a test of this field."""
        test: Test = alpha.node  # type: ignore[assignment]  # the network indexes tests only
        if test.op == "is":
            self.equal[key_of(test.value)] = alpha.number
        elif test.op == "contains":
            self.items[key_of(test.value)] = alpha.number
            self.needles.add(fold_constant(str(test.value)), alpha.number)
        else:
            affixes = self.heads if test.op == "starts_with" else self.tails
            affixes.add(fold_constant(str(test.value)), alpha.number)

    def remove(self, alpha: AlphaNode) -> None:
        """Take a test out again."""
        test: Test = alpha.node  # type: ignore[assignment]  # as above
        if test.op == "is":
            del self.equal[key_of(test.value)]
        elif test.op == "contains":
            del self.items[key_of(test.value)]
            self.needles.remove(fold_constant(str(test.value)), alpha.number)
        else:
            affixes = self.heads if test.op == "starts_with" else self.tails
            affixes.remove(fold_constant(str(test.value)), alpha.number)

    def collect(self, value: Any, reading: Reading, found: set[int]) -> None:
        """Add the numbers of the tests that a value passes."""
        if isinstance(value, str):
            number = self.equal.get(value)
            if number is not None:
                found.add(number)
            if self.needles:
                self.needles.collect(reading.fold(value), found)
            if self.heads.lengths or self.tails.lengths:
                self._collect_affixes(value, reading, found)
        elif isinstance(value, list):
            for item in value:
                self._collect_item(item, reading, found)
        elif isinstance(value, int | float):
            number = self.equal.get(key_of(value))
            if number is not None:
                found.add(number)

    def _collect_item(self, item: Any, reading: Reading, found: set[int]) -> None:
        """Add what one item of a list passes; over a list, `contains` asks for an equal item."""
        if not isinstance(item, str | int | float):
            return
        for table in (self.equal, self.items):
            number = table.get(key_of(item))
            if number is not None:
                found.add(number)
        if isinstance(item, str):
            self._collect_affixes(item, reading, found)

    def _collect_affixes(self, value: str, reading: Reading, found: set[int]) -> None:
        folded = reading.fold(value)
        self.heads.collect(folded, found)
        self.tails.collect(folded, found)


class Affixes:
    """Heads or tails of texts, found by looking up one slice for each length in use."""

    __slots__ = ("at_start", "lengths", "numbers")

    def __init__(self, *, at_start: bool) -> None:
        """Begin empty, for heads or for tails."""
        self.at_start = at_start
        self.lengths: dict[int, int] = {}
        self.numbers: dict[str, tuple[int, ...]] = {}

    def add(self, affix: str, number: int) -> None:
        """Look for a folded affix on behalf of a node."""
        self.numbers[affix] = (*self.numbers.get(affix, ()), number)
        self.lengths[len(affix)] = self.lengths.get(len(affix), 0) + 1

    def remove(self, affix: str, number: int) -> None:
        """Look for it no more."""
        left = tuple(each for each in self.numbers[affix] if each != number)
        if left:
            self.numbers[affix] = left
        else:
            del self.numbers[affix]
        self.lengths[len(affix)] -= 1
        if not self.lengths[len(affix)]:
            del self.lengths[len(affix)]

    def collect(self, text: str, found: set[int]) -> None:
        """Add the numbers of the affixes that a folded text has."""
        for length in self.lengths:
            if length <= len(text):
                part = text[:length] if self.at_start else text[len(text) - length :]
                found.update(self.numbers.get(part, ()))
