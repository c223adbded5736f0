"""What contradicts what, in English, in Chinese and across them; `pairs.tsv` says it of pairs, and each is asked both ways round."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.gate.amounts import in_digits, in_one_unit
from casebook.gate.capitals import names_in
from casebook.gate.picking import pick_of
from casebook.gate.same import is_same, likeness, opposes, polarity_of, words_of
from casebook.gate.values import value_of
from casebook.gate.words import FUNCTION_WORDS
from casebook.memory import Memory

PAIRS = [
    tuple(line.split("\t"))
    for line in Path(__file__).with_name("pairs.tsv").read_text(encoding="utf-8").splitlines()[1:]
]
HELD_OUT = [
    tuple(line.split("\t"))
    for line in Path(__file__).with_name("pairs_held_out.tsv").read_text(encoding="utf-8").splitlines()[1:]
]


def done(new: str, old: str) -> str:
    """Give what is done with a text beside another that is known."""
    known = Memory.from_json({"id": "m-1", "kind": "fact", "tier": "L2", "text": old})
    return likeness(new, "fact", polarity_of(new), [known]).do


@pytest.mark.parametrize("says, one, other", PAIRS)
def test_pairs_contradict_or_fit_as_they_are_labelled(says: str, one: str, other: str) -> None:
    found = opposes(one, other)
    assert (found is not None) == (says == "contradicts")
    assert found == opposes(other, one)


@pytest.mark.parametrize("one, other", [(one, other) for says, one, other in PAIRS if says in ("contradicts", "apart")])
def test_what_contradicts_or_is_of_another_thing_takes_no_place_and_goes_into_nothing(one: str, other: str) -> None:
    assert {done(one, other), done(other, one)} <= {"create", "propose"}
    assert not is_same(words_of(one), words_of(other))


@pytest.mark.parametrize("one, other", [(one, other) for says, one, other in PAIRS if says == "same"])
def test_the_same_in_another_unit_is_known(one: str, other: str) -> None:
    assert done(other, one) in ("merge", "update")


def test_of_the_pairs_that_nothing_was_tuned_on_what_is_told_is_right_and_most_is_told() -> None:
    told = [(says, opposes(one, other) is not None) for says, one, other in HELD_OUT]
    right = sum(says == "contradicts" for says, is_told in told if is_told)
    assert right / sum(is_told for _, is_told in told) >= 0.95
    assert right / sum(says == "contradicts" for says, _ in told) >= 0.6


@pytest.mark.parametrize(
    "one, other",
    [
        ("timeout is 60 s", "timeout is 1 minute"),
        ("timeout is 1500 ms", "timeout is 1.5 seconds"),
        ("1 gb", "1024 mb"),
        ("24 hours", "one day"),
        ("2 weeks", "14 days"),
        ("1 year", "12 months"),
        ("超时 60 秒", "超时 1 分钟"),
        ("两小时", "120 分钟"),
        ("20 percent", "20%"),
        ("百分之20", "20%"),
    ],
)
def test_amounts_that_are_equal_are_written_alike(one: str, other: str) -> None:
    assert in_one_unit(in_digits(one)).split() == in_one_unit(in_digits(other)).split()


@pytest.mark.parametrize("text", ["2026年3月", "12月1日", "周五", "10:30", "retry 3 times", "v1.2", "3-5 minutes"])
def test_dates_hours_versions_and_ranges_are_no_amounts(text: str) -> None:
    assert in_one_unit(text) == text


@given(
    st.integers(1, 999), st.sampled_from([("s", "ms", 1000), ("min", "s", 60), ("h", "min", 60), ("gb", "mb", 1024)])
)
def test_an_amount_is_the_same_in_the_next_smaller_unit(number: int, units: tuple[str, str, int]) -> None:
    large, small, factor = units
    assert in_one_unit(f"{number} {large}") == in_one_unit(f"{number * factor} {small}")


@pytest.mark.parametrize(
    "text, names",
    [
        ("The A team uses Go", {"A"}),
        ("Service A listens on port 80", {"A"}),
        ("IT owns the VPN", {"IT"}),
        ("Will owns billing", {"Will"}),
        ("Ask Will about billing", {"Will"}),
        ("A team uses it", set()),
        ("It owns the VPN", set()),
        ("Will this work?", set()),
        ("DO NOT push to main, and I mean it", set()),
        ("How To Do It For A Friend", set()),
    ],
)
def test_a_name_that_looks_like_a_word_that_says_nothing_is_told_by_its_capital(text: str, names: set[str]) -> None:
    assert names_in(text, FUNCTION_WORDS) == names


@pytest.mark.parametrize(
    "text, taken, refused",
    [
        ("use pnpm, not npm.", {"pnpm"}, {"npm"}),
        ("use pnpm instead of npm", {"pnpm"}, {"npm"}),
        ("instead of npm, use pnpm", {"pnpm"}, {"npm"}),
        ("don't use npm, use pnpm", {"pnpm"}, {"npm"}),
        ("prefer tabs over spaces in go", {"tab", "go"}, {"space"}),
        ("we moved from jest to vitest", {"vitest"}, {"jest"}),
        ("用 pnpm,不要用 npm", {"pnpm"}, {"npm"}),
        ("不要用 npm,用 pnpm", {"pnpm"}, {"npm"}),
        ("用 pnpm 代替 npm", {"pnpm"}, {"npm"}),
    ],
)
def test_what_is_taken_and_what_is_refused(text: str, taken: set[str], refused: set[str]) -> None:
    found = pick_of(text)
    assert found is not None
    assert found.refused == refused
    assert taken <= found.taken
    assert not found.taken & found.refused


@pytest.mark.parametrize("text", ["use pnpm", "do not use npm", "i like tea", "用 pnpm", "不要用 npm", "not bad"])
def test_who_names_one_thing_alone_takes_nothing_over_another(text: str) -> None:
    assert pick_of(text) is None


@pytest.mark.parametrize(
    "text, value",
    [
        ("the default branch is main", {"main"}),
        ("the owner of billing is alice", {"alice"}),
        ("默认分支是 main", {"main"}),
        ("the owner of billing is unavailable", None),
        ("the default branch is protected", None),
        ("the main database is in frankfurt", None),
        ("the weather is nice", None),
    ],
)
def test_what_has_one_value_at_a_time(text: str, value: set[str] | None) -> None:
    found = value_of(text)
    assert (set(found.value) if found is not None else None) == value
