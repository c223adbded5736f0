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
from casebook.runtime.memory.entry import Entry, hashes, unpacked
from casebook.runtime.memory.index import Index, rarity
from casebook.runtime.memory.standing import GroupKey, Standing
from casebook.runtime.memory.tokens import is_common, terms
from casebook.speakers import is_persons

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SCORED = 160
"""Terms of a question that are scored, the rarest (ours): in a page of text, what is left out is what it has in common with most."""
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


@dataclass(frozen=True, slots=True)
class Ranked:
    """A memory that shares a term with a question.

    Attributes:
        score: by BM25.
        entry: as it stands now.
        row: its place in the index; None where it came since.
    """

    score: float
    entry: Entry
    row: int | None


class Question:
    """A question put to an index and to what came since."""

    def __init__(self, asked: Sequence[str], index: Index, fresh: Sequence[Entry]) -> None:
        """Take the terms, each once, in their order."""
        self._index = index
        self._fresh = fresh
        self._asked = frozenset(asked)
        self._words = floors.words(asked, floors.LEAST_WORDS)
        packed = hashes(asked)
        columns, known = index.found(packed)
        self._known = known
        self._most = _most(known)
        self._columns = columns[(known > 0) & (known <= self._most)]
        weights = index.weigh(known, list(map(is_common, asked))).tolist()
        self._weights = dict(zip(packed, weights, strict=True))
        self._total = sum(weights)

    def ranked(self, wanted: Wanted, most: int | None = None) -> Iterator[Ranked]:
        """Give the memories that share a term, the best first, each once.

        Args:
            wanted: what may come back.
            most: of the index so many are looked at, or all: where most of it is not wanted, that takes its time.
        """
        fresh = [each for each in self._fresh_ones() if wanted.is_wanted(each.entry)]
        seen: set[str] = set()
        for each in self._merged(fresh, wanted, most):
            if each.entry.memory.id not in seen:
                seen.add(each.entry.memory.id)
                yield each

    def share(self, found: Ranked) -> float:
        """Give how much of the weight of the lighter side, the question or the memory, is shared, 0–1."""
        shared = sum(map(self._weights.__getitem__, self._weights.keys() & set(unpacked(found.entry.terms))))
        total = self._index.total_of(found.entry) if found.row is None else float(self._index.totals[found.row])
        return float(min(shared / min(self._total, total), 1.0))

    def is_above(self, found: Ranked) -> bool:
        """Say whether a memory is above the floor."""
        if not floors.is_share_above(self.share(found)):
            return False
        return floors.are_words_above(self._asked, self._words, _known_terms(found.entry.memory.text))

    def _merged(self, fresh: list[Ranked], wanted: Wanted, most: int | None) -> Iterator[Ranked]:
        seen = 0
        for stretch, is_whole in self._stretches():
            seen += len(stretch)
            is_last = is_whole or (most is not None and seen >= most)
            least = stretch[-1].score if stretch and not is_last else float("-inf")
            due = [each for each in fresh if each.score >= least]
            fresh = [each for each in fresh if each.score < least]
            for each in stretch:
                now = wanted.current(each.entry)
                if now is not None:
                    due.append(Ranked(each.score, now, each.row))
            yield from sorted(due, key=lambda each: _order(each, wanted.zone))
            if is_last:
                return

    def _stretches(self) -> Iterator[tuple[list[Ranked], bool]]:
        """Give what is indexed by stretches, the best first; of many that score alike, which may be all, no more than find place.

        The entries of an index are in the order in which equal scores are told (`casebook.runtime.memory.index.build`).
        """
        import numpy as np

        scores = self._index.scores(self._columns)
        rows = np.flatnonzero(scores)
        values = scores[rows]
        size = _STRETCH
        while True:
            is_in = np.ones(len(values), dtype=bool)
            if len(values) > size:
                least = np.partition(values, -size)[-size]
                is_in = values > least
                is_in[np.flatnonzero(values == least)[: size - int(is_in.sum())]] = True
            chosen = sorted(zip((-values[is_in]).tolist(), rows[is_in].tolist(), strict=True))
            rows, values = rows[~is_in], values[~is_in]
            yield [Ranked(-score, self._index.entries[row], row) for score, row in chosen], not len(rows)
            if not len(rows):
                return
            size *= 4

    def _fresh_ones(self) -> Iterator[Ranked]:
        if not self._fresh:
            return
        of = len(self._index.entries)
        known = zip(self._weights, self._known.tolist(), strict=True)
        asked = [(term, rarity(count, of)) for term, count in known if count <= self._most]
        for entry in self._fresh:
            score = self._index.score_of(entry, asked)
            if score > 0:
                yield Ranked(score, entry, None)


def _most(known: NDArray[np.int64]) -> int:
    """Give how many memories may have a term that is scored, by how many have each of the question."""
    counts = sorted(filter(None, known.tolist()))
    return counts[_SCORED] if len(counts) > _SCORED else max(counts, default=0)


_known_terms = lru_cache(maxsize=2_048)(terms)


def _order(found: Ranked, zone: str) -> tuple[float, bool, float, str]:
    """Give the place of a memory among others: by its score, what stands as a person's first, then the newest."""
    memory = found.entry.memory
    made = instant(memory.created_at, zone).timestamp() if memory.created_at is not None else 0.0
    return -found.score, not is_persons(memory), -made, memory.id
