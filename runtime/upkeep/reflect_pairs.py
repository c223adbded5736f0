"""Which of many texts are near each other, found without comparing each with each."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from casebook.yielding import let_in

_ANY = "*"
"""Stands for every name in the index; a name itself is kept in a tuple, so that a user called `*` is another."""

COMMON = 100
"""Texts that one word leads to at most (ours): a word that many have says little, and of those only the last are looked at."""
_PLACES = 1 << 32
"""More than there are places in any casebook: a word's number and a place's are one number together."""

Place = tuple[str | None, str | None]
"""The user and the project that a text is for; None is everyone's, and meets all."""


@dataclass(slots=True)
class Budget:
    """How many pairs of texts may be compared word by word in one run.

    Attributes:
        left: how many are left.
        skipped: how many were not compared, for want of that.
    """

    left: int
    skipped: int = 0

    def take(self) -> bool:
        """Take one; False where nothing is left, which is counted."""
        if self.left <= 0:
            self.skipped += 1
            return False
        self.left -= 1
        return True


def near_pairs(
    words: Iterable[Collection[str]],
    least: float,
    budget: Budget,
    *,
    places: Sequence[Place] | None = None,
    stances: Sequence[Hashable] | None = None,
) -> Iterator[tuple[int, int]]:
    """Give the pairs of texts that share at least so many of their words.

    Two texts with that overlap share one of their rarest words: of each text only the rarest `n - ceil(least * n) + 1` of its n
    words are looked up. Many texts of the very same words are compared with the first of them alone.

    Args:
        words: of each text, each word once.
        least: the overlap (Jaccard), over 0 and at most 1.
        budget: pairs that may be compared; what it does not allow is counted in it, and not given.
        places: whose each text is; those of two users, or of two projects, are no pair. None: all are of one.
        stances: what else tells texts of the same words apart; of those that agree in it, too, only the first is compared with others.

    Returns:
        The indexes of both, the first comes first in its text's length, then in order; in a stable order.
    """
    texts, count = _numbered(words)
    index = _Index()
    first: dict[Hashable, int] = {}
    for at in sorted(range(len(texts)), key=lambda at: (len(texts[at]), at)):
        mine = texts[at]
        let_in()
        if not mine:
            continue
        place = (None, None) if places is None else places[at]
        same = first.setdefault((mine.tobytes(), place, None if stances is None else stances[at]), at)
        if same != at:
            yield same, at
            continue
        rare = sorted(mine, key=lambda word: (count[word], word))[: len(mine) - ceil(least * len(mine)) + 1]
        shared = [word for word in rare if count[word] > 1]
        held = set(mine)
        for other in index.sharing(place, shared, budget):
            theirs = texts[other]
            if len(theirs) >= least * len(mine) and budget.take():
                common = sum(word in held for word in theirs)
                if common >= least * (len(mine) + len(theirs) - common):
                    yield other, at
        index.add(place, shared, at)


def _numbered(words: Iterable[Collection[str]]) -> tuple[list[array[int]], array[int]]:
    """Give the words of each text as ascending numbers, and how many texts hold each.

    Arrays, here and in the index: the garbage collector, which holds up every thread, does not walk over them.
    """
    numbers: dict[str, int] = {}
    count = array("L")
    texts = []
    for each in words:
        mine = array("L", sorted(numbers.setdefault(word, len(numbers)) for word in sorted(each)))
        count.extend([0] * (len(numbers) - len(count)))
        for word in mine:
            count[word] += 1
        texts.append(mine)
        let_in()
    return texts, count


class _Index:
    """Which texts hold a word, by whose they are."""

    def __init__(self) -> None:
        self._places: dict[Hashable, int] = {}
        self._posted: dict[int, array[int]] = {}

    def sharing(self, place: Place, words: Sequence[int], budget: Budget) -> list[int]:
        """Give the texts that share one of these words with a text of this place, in order; of each word the last `COMMON`."""
        found: set[int] = set()
        wanted = [self._place(each) for each in _asked(place)]
        for word in words:
            for each in wanted:
                posted = self._posted.get(word * _PLACES + each)
                if posted is not None:
                    found.update(posted[-COMMON:])
                    budget.skipped += max(0, len(posted) - COMMON)
        return sorted(found)

    def add(self, place: Place, words: Sequence[int], at: int) -> None:
        """Take a text."""
        wanted = [self._place(each) for each in _kept(place)]
        for word in words:
            for each in wanted:
                key = word * _PLACES + each
                posted = self._posted.get(key)
                if posted is None:
                    self._posted[key] = array("L", (at,))
                else:
                    posted.append(at)

    def _place(self, key: Hashable) -> int:
        return self._places.setdefault(key, len(self._places))


def _kept(place: Place) -> Iterator[Hashable]:
    """Give the keys under which a text is found."""
    user, project = place
    for one in ((user,), _ANY):
        for other in ((project,), _ANY):
            yield one, other


def _asked(place: Place) -> Iterator[Hashable]:
    """Give the keys under which what a text may meet is found: who is named meets themself and what names nobody."""
    user, project = place
    for one in ((user,), (None,)) if user is not None else (_ANY,):
        for other in ((project,), (None,)) if project is not None else (_ANY,):
            yield one, other
