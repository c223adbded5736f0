"""The floor: what is near enough to be told, on questions written by hand, half of which nothing was tuned on."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from casebook.runtime.memory import floor
from casebook.runtime.memory.tokens import terms
from casebook.runtime.memory.view import MemoryView
from tests.memory.labelled import Question, memories, questions, scored
from tests.memory.stores import Held, memory, principal

AT = datetime(2026, 4, 1, tzinfo=UTC)
QUESTIONS = questions()


def told(view: MemoryView, query: str, *, floor: bool = True) -> list[str]:
    return [hit.memory.id for hit in view.search(query, principal(), AT, limit=3, floor=floor)]


@pytest.fixture(scope="module")
def view() -> MemoryView:
    return MemoryView([Held(*memories())])


def test_the_labelled_set_is_large_bilingual_and_half_held_out() -> None:
    assert len(memories()) >= 150
    assert len(QUESTIONS) >= 120
    assert 0.4 < sum(each.is_held_out for each in QUESTIONS) / len(QUESTIONS) < 0.6
    assert 0.4 < sum(each.is_chinese for each in QUESTIONS) / len(QUESTIONS) < 0.6
    assert sum(not each.wanted for each in QUESTIONS) >= 60
    known = {each.id for each in memories()}
    assert all(each.wanted <= known for each in QUESTIONS)


@pytest.mark.parametrize("is_held_out, precision, recall", [(False, 0.97, 0.85), (True, 0.93, 0.8)])
@pytest.mark.parametrize("is_chinese", [False, True])
def test_hardly_ever_is_a_wrong_memory_told(
    view: MemoryView, is_held_out: bool, is_chinese: bool, precision: float, recall: float
) -> None:
    asked = [each for each in QUESTIONS if (each.is_held_out, each.is_chinese) == (is_held_out, is_chinese)]
    got = scored(asked, lambda query: told(view, query))
    assert got.precision >= precision, got
    assert got.recall >= recall, got


def test_without_the_floor_most_that_is_told_is_wrong(view: MemoryView) -> None:
    got = scored(QUESTIONS, lambda query: told(view, query, floor=False))
    assert got.precision < 0.5
    assert got.recall > 0.95


def _unrelated(count: int) -> list[str]:
    kinds = ("zeppelin", "quasar", "marmot", "cello", "glacier", "orchid", "tundra")
    return [f"{kinds[n % 7]}{n} {kinds[(n + 3) % 7]}{n % 90} {kinds[(n * 5) % 7]}{n % 400}" for n in range(count)]


@pytest.mark.parametrize("more", [0, 3_000])
@pytest.mark.parametrize("few", [5, 40, 160])
def test_it_holds_whatever_the_size_of_the_casebook(few: int, more: int) -> None:
    some = memories()[::32] if few == 5 else memories()[::4] if few == 40 else memories()
    there = {each.id for each in some}
    view = MemoryView([Held(*some, *(memory(f"u{n}", text) for n, text in enumerate(_unrelated(more))))])
    asked = [Question(each.text, each.wanted & there, each.is_held_out) for each in QUESTIONS]
    got = scored(asked, lambda query: told(view, query))
    assert got.precision >= 0.9, got
    assert got.recall >= 0.8, got


@pytest.mark.parametrize(
    "text, count",
    [
        ("kafka", 1), ("kafka kafka", 1), ("kafka redis", 2), ("test kafka", 1.5), ("对账", 1), ("对账单", 1), ("流批一体", 2),
        ("对账 端口", 2), ("测试环境", 1), ("", 0),
    ],
)  # fmt: skip
def test_words_are_counted_in_both_languages(text: str, count: float) -> None:
    assert floor.words(terms(text)) == count


@pytest.mark.parametrize(
    "query, text, is_told",
    [
        ("postgres staging", "The staging cluster runs postgres", True),
        ("postgres", "The staging cluster runs postgres", True),  # the question has one word
        ("tell me about postgres and kafka", "postgres", True),  # the memory has
        ("postgres backup window", "The staging cluster runs postgres", False),  # one shared word of three and three
        ("run the test", "The test data of the shop is in seed.sql", False),  # words that are everywhere
        ("写周报，用简体中文", "周报用简体中文写", True),
        ("周报发给谁", "周报用简体中文写", False),
        ("测试环境打不开", "测试环境的数据库端口是 3307", False),
    ],
)
def test_what_is_above_the_floor(query: str, text: str, is_told: bool) -> None:
    view = MemoryView([Held(memory("m", text))])
    assert bool(told(view, query)) is is_told
    assert told(view, query, floor=False) == ["m"]
