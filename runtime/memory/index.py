"""BM25 over the memories within one reach, through bm25s: k1 1.5, b 0.75, the idf of Lucene, which is never negative."""

from __future__ import annotations

import logging
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import merge
from itertools import islice
from math import log
from typing import TYPE_CHECKING, Any, TypeVar

from casebook.instants import instant
from casebook.runtime.memory.entry import Entry, hashes, unpacked
from casebook.runtime.memory.floor import weights
from casebook.runtime.memory.tokens import COMMON_TERMS
from casebook.speakers import is_persons
from casebook.uncollected import uncollected
from casebook.yielding import let_in

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")
K1, B = 1.5, 0.75
"""DESIGN section 5 and issue 4."""

_AT_ONCE = 4_096
"""Entries whose terms are put together without letting other threads in."""


def rarity(known: int, of: int) -> float:
    """Give the idf of a term (Lucene): how much is said by sharing one that `known` of so many memories have."""
    return log(1 + (of - known + 0.5) / (known + 0.5))


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """The index of some entries. It never changes; threads may ask it at once.

    Attributes:
        entries: what was indexed, what stands as a person's first, then the newest.
        hashes: the hashes of all terms, ascending as numbers without sign.
        known: for each, how many of the entries have it.
        weights: for each, how much is said by sharing it (`casebook.runtime.memory.floor`).
        totals: for each of the entries, the weights of its different terms together.
        average: the mean number of terms of an entry.
        engine: the library's object, whose columns are the terms.
    """

    entries: Sequence[Entry]
    hashes: NDArray[np.uint64]
    known: NDArray[np.int64]
    weights: NDArray[np.float64]
    totals: NDArray[np.float64]
    average: float
    engine: Any

    @property
    def size(self) -> int:
        """Give how many pairs of a term and an entry it holds."""
        return len(self.engine.scores["data"])

    def found(self, hashes: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Look terms up.

        Returns:
            For each its column, and how many entries have it; of one that none has, both 0.
        """
        import numpy as np

        asked = np.asarray(hashes, dtype=np.int64).view(np.uint64)
        places = np.minimum(np.searchsorted(self.hashes, asked), len(self.hashes) - 1)
        is_there = self.hashes[places] == asked
        return np.where(is_there, places, 0), np.where(is_there, self.known[places], 0)

    def weigh(self, known: NDArray[np.int64], is_common: Sequence[bool]) -> NDArray[np.float64]:
        """Give the weight of terms that so many of the entries have."""
        import numpy as np

        return weights(known, len(self.entries), np.asarray(is_common, dtype=bool))

    def total_of(self, entry: Entry) -> float:
        """Give the weights of the different terms of an entry that was not indexed together."""
        unique = list(dict.fromkeys(unpacked(entry.terms)))
        return float(self.weigh(self.found(unique)[1], [term in _common() for term in unique]).sum())

    def scores(self, columns: NDArray[np.int64]) -> NDArray[np.float32]:
        """Give the score of every entry for the terms of some columns."""
        found: NDArray[np.float32] = self.engine.get_scores_from_ids(columns)
        return found

    def score_of(self, entry: Entry, asked: Iterable[tuple[int, float]]) -> float:
        """Give the score of an entry that was not indexed, as if it were one more of them.

        Args:
            entry: the entry.
            asked: the hash and the idf of each term of the question.
        """
        import numpy as np

        counts = Counter(unpacked(entry.terms))
        damping = K1 * (1 - B + B * entry.length / self.average)
        total = 0.0
        for term, idf in asked:
            if term in counts:
                total += float(np.float32(idf * (counts[term] / (damping + counts[term]))))
        return float(np.float32(total))  # rounded as in the index, so that equal texts come out equal


def build(entries: Sequence[Entry]) -> Index | None:
    """Index some entries; None where they have no term at all. No step of it keeps other threads out for long."""
    import numpy as np

    entries = _in_order(entries)
    chunks = [
        np.frombuffer(b"".join([each.terms for each in entries[start : start + _AT_ONCE]]), dtype=np.uint64)
        for start in range(0, len(entries), _AT_ONCE)
    ]
    flat = np.concatenate(chunks) if chunks else np.empty(0, dtype=np.uint64)
    if not len(flat):
        return None
    lengths = np.fromiter((len(each.terms) for each in entries), dtype=np.int64, count=len(entries)) // 8
    order = _order_of(flat)
    flat, rows = flat[order], np.repeat(np.arange(len(entries), dtype=np.int64), lengths)[order]
    is_new = _starts(flat)
    unique = flat[is_new]
    engine = _engine()(k1=K1, b=B, method="lucene")
    engine.build(np.cumsum(is_new) - 1, rows, lengths)
    known = np.diff(engine.scores["indptr"])
    common = np.array(sorted(_common()), dtype=np.int64).view(np.uint64)
    weighed = weights(known, len(entries), np.isin(unique, common))
    totals = np.bincount(engine.scores["indices"], np.repeat(weighed, known), minlength=len(entries)).astype(np.float64)
    return Index(entries, unique, known, weighed, totals, float(lengths.mean()), engine)


@lru_cache(maxsize=1)
def _common() -> frozenset[int]:
    """Give the hashes of the terms that are everywhere."""
    return frozenset(hashes(COMMON_TERMS))


def _in_order(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Give the entries that stand as a person's first, then the newest, then by id; in pieces, so that other threads are let in."""
    keyed = (
        (not is_persons(entry.memory), _made(entry), entry.memory.id, place) for place, entry in enumerate(entries)
    )
    pieces = [sorted(piece) for piece in _batched(keyed, _AT_ONCE)]
    ordered = [entries[place] for *_, place in merge(*pieces)]
    uncollected(ordered)
    return ordered


def _made(entry: Entry) -> float:
    """Give minus the seconds at which a memory was made; of one without a date 0, so that it comes last."""
    made = entry.memory.created_at
    return 0.0 if made is None else -instant(made, "UTC").timestamp()


def _batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Give some items in lists of so many."""
    rest = iter(items)
    while piece := list(islice(rest, size)):
        yield piece
        let_in()


def _order_of(flat: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Give the order that sorts terms, equal ones by their place.

    Numpy sorts numbers some ten times as fast as it finds their order, so the place is put into the lowest bits of each; where two
    terms differ in those bits alone, which hardly ever happens, the order is looked for.
    """
    import numpy as np

    bits = np.uint64(max(1, (len(flat) - 1).bit_length()))
    keys = (flat >> bits << bits) | np.arange(len(flat), dtype=np.uint64)
    keys.sort()
    order = (keys & np.uint64((1 << int(bits)) - 1)).astype(np.int64)
    found = flat[order]
    is_mixed = ((found[1:] >> bits) == (found[:-1] >> bits)) & (found[1:] != found[:-1])
    return np.argsort(flat, kind="stable") if is_mixed.any() else order


def _starts(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Say of each of some sorted values whether it differs from the one before."""
    import numpy as np

    found = np.empty(len(values), dtype=bool)
    found[0] = True
    np.not_equal(values[1:], values[:-1], out=found[1:])
    return found


@lru_cache(maxsize=1)
def _engine() -> type[Any]:
    """Give the library's index with a way of building it that loops over no memory in Python (ten times as fast)."""
    is_ours = "bm25s" not in sys.modules
    import bm25s
    import numpy as np

    if is_ours:
        logging.getLogger("bm25s").setLevel(logging.WARNING)  # it asks for everything on being imported

    class Columns(bm25s.BM25):  # type: ignore[misc]  # it has no types
        """As the library's own `build_index_from_ids` does it: the score of each pair of term and entry, by term."""

        def build(self, columns: NDArray[np.int64], rows: NDArray[np.int64], lengths: NDArray[np.int64]) -> None:
            """Take for each occurrence of a term its column and its row, in order, and for each row its length."""
            starts = np.flatnonzero(_starts(columns) | _starts(rows))
            counts = np.diff(starts, append=len(columns)).astype(np.float64)
            columns, rows = columns[starts], rows[starts]
            known = np.bincount(columns)
            of = len(lengths)
            idf = np.log1p((of - known + 0.5) / (known + 0.5))
            damping = self.k1 * (1 - self.b + self.b * lengths / lengths.mean())
            data = np.repeat(idf, known) * (counts / (damping[rows] + counts))
            self.nonoccurrence_array = None  # this kind of BM25 has none
            self.scores = {
                "data": data.astype(self.dtype),
                "indices": rows.astype(self.int_dtype),
                "indptr": np.concatenate(([0], np.cumsum(known))),
                "num_docs": of,
            }

        @staticmethod
        def _compute_relevance_from_scores(  # noqa: PLR0917 - as the library calls it
            data: Any, indptr: Any, indices: Any, num_docs: int, query_tokens_ids: Any, dtype: Any
        ) -> Any:
            """As the library's, in one sum over all columns: a question of 500 words has some hundred."""
            slices = [
                slice(*each)
                for each in zip(indptr[query_tokens_ids].tolist(), indptr[query_tokens_ids + 1].tolist(), strict=True)
            ]
            if not slices:
                return np.zeros(num_docs, dtype=dtype)
            rows, values = (np.concatenate([each[one] for one in slices]) for each in (indices, data))
            return np.bincount(rows, values, minlength=num_docs).astype(dtype)

    return Columns
