"""The benchmark at small sizes: the rivals agree, every figure has its row, and nothing is slower by an order."""

from __future__ import annotations

import json
import statistics
from pathlib import Path

import pytest

pytest.importorskip("durable_rules_engine", reason="the benchmark is of durable_rules")

from tests.benchmarks.__main__ import main
from tests.benchmarks.corpus import Corpus, corpus
from tests.benchmarks.race import AS_WRITTEN, OURS, REFERENCE, SCAN, race


@pytest.fixture(scope="module")
def small() -> Corpus:
    return corpus(300, 200)


def test_the_same_arguments_give_the_same_cases_and_tasks(small: Corpus) -> None:
    assert (small.forms, small.facts) == (corpus(300, 200).forms, corpus(300, 200).facts)


def test_cases_have_two_to_four_conditions_of_every_kind_and_a_task_meets_about_eight(small: Corpus) -> None:
    assert {len(form["trigger_conditions"]) for form in small.forms} == {2, 3, 4}
    written = " ".join(condition for form in small.forms for condition in form["trigger_conditions"])
    for kind in ("intent is", "project is", "tool in", "text contains", "time between", "session.errors >=", "count of",
                 "is not", "not contains", "意图为", "当前时间在"):  # fmt: skip
        assert kind in written


def test_all_rivals_give_equal_answers_on_every_task_and_none_is_slower_by_an_order(small: Corpus) -> None:
    result = race(small, rounds=1)  # raises where two answers differ
    assert 4 <= result.hits <= 16
    assert set(result.micros) == {OURS, REFERENCE, SCAN, AS_WRITTEN, "clips", "clips in C"}
    slowest_rival = max(result.micros[name] for name in (SCAN, AS_WRITTEN, "clips"))
    assert result.micros[OURS] < 10 * slowest_rival
    assert statistics.fmean(result.micros.values()) > 0


def test_the_printed_tables_have_all_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "figures.json"
    small_run = ["--sizes", "60,120", "--tasks", "40", "--rounds", "1", "--file-edits", "3", "--edits", "40",
                 "--memories", "200", "--questions", "10", "--upkept", "300", "--alone", "0.2"]  # fmt: skip
    assert main([*small_run, "--json", str(target)]) == 0
    printed = capsys.readouterr().out
    for what in ("against CLIPS", "against a scan", "reference engine", "memory, 120", "cold", "from the cache",
                 "before_task in full", "seen by the next task", "memory over 40 edits",
                 "recall among 200", "against a plain scan", "upkeep of 300", "kinds of error", "later errors preceded", "needless firings"):  # fmt: skip
        assert what in printed
    written = json.loads(target.read_text())
    assert [race["size"] for race in written["races"]] == [60, 120]
    assert all(set(row) == {"what", "wanted", "got", "reached"} for row in written["rows"])
