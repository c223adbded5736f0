"""A question put to an index: what is nearest, in an order that is always the same, and what of that is near enough."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from casebook.instants import instant
from casebook.kinds import Kind
from casebook.memory_facts import is_live
from casebook.runtime.memory import floor as floors
from casebook.runtime.memory.entry import Entry, hashes
from casebook.runtime.memory.index import Index, rarity
from casebook.runtime.memory.standing import GroupKey, Standing
from casebook.runtime.memory.tokens import terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_STRETCH = 32
"""Memories that are put in order at once, to begin with."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What may come back at all.

    Attributes:
        standing: what stands.
        keys: the groups within reach, the first layer first.
        at: the instant, aware.
        zone: of times that name none.
        kinds: only these; None: all.
        exclude: ids that are not wanted.
    """

    standing: Standing
    keys: Sequence[GroupKey]
    at: datetime
    zone: str
    kinds: Collection[Kind] | None
    exclude: AbstractSet[str]

    def current(self, entry: Entry) -> Entry | None:
        """Give the entry of an index as it stands now, if it is there, of the same text, and wanted."""
        now = self.standing.entry(entry.memory.id, self.keys)
        return now if now is not None and now.terms == entry.terms and self.is_wanted(now) else None

    def is_wanted(self, entry: Entry) -> bool:
        """Say whether a memory is live and asked for."""
        memory = entry.memory
        return (
            (self.kinds is None or memory.kind in self.kinds)
            and memory.id not in self.exclude
            and is_live(memory, self.at, self.zone)
        )


class Question:
    """A question put to an index and to what came since."""

    def __init__(self, asked: Sequence[str], index: Index | None, fresh: Sequence[Entry]) -> None:
        """Take the terms, each once, in their order."""
        self._asked = asked
        self._hashes = hashes(asked)
        self._index = index
        self._fresh = fresh
        self._columns: NDArray[np.int64] | None = None
        known: Sequence[int] = [0] * len(asked)
        if index is not None:
            columns, counts = index.found(self._hashes)
            self._columns = columns[counts > 0]
            known = counts.tolist()
        self._of = 0 if index is None else len(index.entries)
        self._weights = {term: floors.weight(term, count, self._of) for term, count in zip(asked, known, strict=True)}
        self._words = floors.words(asked)
        self._known = known
        self._told: dict[str, tuple[dict[str, float], list[str]]] = {}

    def ranked(self, wanted: Wanted) -> Iterator[tuple[float, Entry]]:
        """Give the memories that share a term, the best first, each once."""
        fresh = [(score, entry) for score, entry in self._fresh_scores() if wanted.is_wanted(entry)]
        seen: set[str] = set()
        for score, entry in self._merged(fresh, wanted):
            if entry.memory.id not in seen:
                seen.add(entry.memory.id)
                yield score, entry

    def share(self, entry: Entry) -> float:
        """Give how much of the lighter side a memory shares with the question, 0–1."""
        return floors.share(self._weights, self._terms_of(entry)[0])

    def is_above(self, entry: Entry) -> bool:
        """Say whether a memory is above the floor."""
        return floors.is_above(self._weights, self._words, *self._terms_of(entry))

    def _merged(self, fresh: list[tuple[float, Entry]], wanted: Wanted) -> Iterator[tuple[float, Entry]]:
        for stretch, is_last in self._stretches():
            current = [(score, now) for score, entry in stretch if (now := wanted.current(entry)) is not None]
            least = stretch[-1][0] if stretch and not is_last else float("-inf")
            due = [each for each in fresh if each[0] >= least]
            fresh = [each for each in fresh if each[0] < least]
            yield from sorted(current + due, key=lambda each: _order(each[0], each[1], wanted.zone))

    def _stretches(self) -> Iterator[tuple[list[tuple[float, Entry]], bool]]:
        """Give the scored entries of the index by stretches, each of all that score less than the one before and at least so much."""
        if self._index is None or self._columns is None or not len(self._columns):
            yield [], True
            return
        import numpy as np

        scores = self._index.scores(self._columns)
        rows = np.flatnonzero(scores)
        values = scores[rows]
        size = _STRETCH
        entries = self._index.entries
        while True:
            if len(rows) > size:
                least = np.partition(values, len(values) - size)[len(values) - size]
                is_in = values >= least
            else:
                is_in = np.ones(len(rows), dtype=bool)
            chosen, of = values[is_in], rows[is_in]
            order = np.argsort(-chosen, kind="stable")
            stretch = [(float(chosen[at]), entries[of[at]]) for at in order]
            rows, values = rows[~is_in], values[~is_in]
            yield stretch, not len(rows)
            if not len(rows):
                return
            size *= 4

    def _fresh_scores(self) -> Iterator[tuple[float, Entry]]:
        if not self._fresh:
            return
        of = max(self._of, 1)
        asked = [(each, rarity(known, of)) for each, known in zip(self._hashes, self._known, strict=True)]
        for entry in self._fresh:
            score = self._score(entry, asked)
            if score > 0:
                yield score, entry

    def _score(self, entry: Entry, asked: list[tuple[int, float]]) -> float:
        if self._index is not None:
            return self._index.score_of(entry, asked)
        mine = set(hashes(terms(entry.memory.text)))
        return sum(idf for term, idf in asked if term in mine)

    def _terms_of(self, entry: Entry) -> tuple[dict[str, float], list[str]]:
        found = self._told.get(entry.memory.id)
        if found is None:
            order = _known_terms(entry.memory.text)
            unique = list(dict.fromkeys(order))
            known = [0] * len(unique) if self._index is None else self._index.found(hashes(unique))[1].tolist()
            found = (
                {term: floors.weight(term, count, self._of) for term, count in zip(unique, known, strict=True)},
                order,
            )
            self._told[entry.memory.id] = found
        return found


_known_terms = lru_cache(maxsize=2_048)(terms)


def _order(score: float, entry: Entry, zone: str) -> tuple[float, float, str]:
    made = entry.memory.created_at
    return -score, -instant(made, zone).timestamp() if made is not None else 0.0, entry.memory.id
