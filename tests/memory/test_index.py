"""BM25 through bm25s: the library's own scores, whatever way its columns are filled."""

from __future__ import annotations

import logging
import math

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casebook.runtime.memory.entry import Entry, entry_of, hashes
from casebook.runtime.memory.index import Index, _order_of, build, rarity
from casebook.runtime.memory.tokens import terms
from casebook.stores.memory_store import Placed
from tests.memory.stores import memory

WORDS = ["kafka", "redis", "billing", "deploy", "周报", "端口", "postgres"]
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)


def entries(of: list[str]) -> list[Entry]:
    return [entry_of(Placed(memory(f"m{place:03}", text), "p"), 0, None) for place, text in enumerate(of)]


def built(of: list[str]) -> Index:
    index = build(entries(of))
    assert index is not None
    return index


def scores(index: Index, query: str) -> list[float]:
    columns, known = index.found(hashes(dict.fromkeys(terms(query))))
    return [float(each) for each in index.scores(columns[known > 0])]


@settings(max_examples=60, deadline=None)
@given(st.lists(texts, min_size=1, max_size=12), texts)
def test_the_scores_are_those_of_the_library(corpus: list[str], query: str) -> None:
    theirs = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
    theirs.index([terms(text) for text in corpus], show_progress=False)
    asked = [term for term in dict.fromkeys(terms(query)) if term in theirs.vocab_dict]
    wanted = theirs.get_scores(asked) if asked else np.zeros(len(corpus))
    assert scores(built(corpus), query) == pytest.approx(wanted.tolist(), abs=1e-6)


def test_k1_is_one_and_a_half_and_b_three_quarters() -> None:
    index = built(["kafka kafka redis", "billing"])
    idf = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    assert rarity(1, 2) == pytest.approx(idf)
    assert scores(index, "kafka") == pytest.approx([idf * 2 / (2 + 1.5 * (1 - 0.75 + 0.75 * 3 / 2)), 0])


@settings(max_examples=60, deadline=None)
@given(st.lists(texts, min_size=1, max_size=8), texts)
def test_what_was_not_indexed_is_scored_as_if_it_were(corpus: list[str], query: str) -> None:
    index = built(corpus)
    asked = hashes(dict.fromkeys(terms(query)))
    idf = [
        (each, rarity(count, len(corpus))) for each, count in zip(asked, index.found(asked)[1].tolist(), strict=True)
    ]
    alone = [index.score_of(each, idf) for each in index.entries]
    assert alone == scores(index, query)


@pytest.mark.parametrize("of", [[], ["的"], ["the", "of"]])
def test_of_what_has_no_term_there_is_no_index(of: list[str]) -> None:
    assert build(entries(of)) is None


def test_the_library_says_nothing(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
    with caplog.at_level(logging.DEBUG):
        scores(built(["kafka redis"]), "kafka")
    assert not caplog.records
    assert capfd.readouterr() == ("", "")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 8) | st.integers(2**63, 2**63 + 8), min_size=1, max_size=40))
def test_terms_are_sorted_and_equal_ones_keep_their_order_even_where_they_differ_in_the_last_bits(
    of: list[int],
) -> None:
    flat = np.array(of, dtype=np.uint64)
    assert _order_of(flat).tolist() == sorted(range(len(of)), key=lambda at: (of[at], at))
