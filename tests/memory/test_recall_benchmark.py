"""The figures of recall can be measured, and the rival gives the same answers."""

from __future__ import annotations

import pytest

from casebook.runtime.memory.entry import entry_of, hashes
from casebook.runtime.memory.index import build
from casebook.runtime.memory.tokens import terms
from casebook.stores.memory_store import Placed
from tests.benchmarks import recall


def test_the_rival_scores_as_the_index_does() -> None:
    words = recall.Words(7)
    of = words.memories(300)
    index = build([entry_of(Placed(each, "p"), 0, None) for each in of])
    assert index is not None
    rival = recall.Scan(of)
    for query in [words.english(30), words.chinese(40), words.text()]:
        columns, known = index.found(hashes(dict.fromkeys(terms(query))))
        assert index.scores(columns[known > 0]).tolist() == pytest.approx(rival.scores(query), abs=1e-5)


def test_every_figure_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert recall.main(["--memories", "200", "--large", "300", "--questions", "20"]) == 0
    out = capsys.readouterr().out
    assert "held out, Chinese" in out
    assert "| 500 |" in out
    assert "A refresh of 300 memories" in out
