"""The job `reflect`: what says the same becomes one and loses nothing; what nearly does is put to a person."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.memory import Memory
from casebook.runtime.journal.records import Entry
from casebook.runtime.memory.tokens import terms
from casebook.runtime.upkeep.digest import digest
from casebook.runtime.upkeep.reconciling import undo
from casebook.runtime.upkeep.reflect import near_identical
from casebook.runtime.upkeep.reflect_merging import merged
from casebook.runtime.upkeep.reflect_pairs import Budget, near_pairs
from tests.upkeep.folder_book import FolderBook
from tests.upkeep.made import DAY, NOW, SECOND, Killed, killing, memory

LONG = "Deploys of the shop need an approval of the owner of the service before the release goes out"


def pair(one: str, other: str, **fields: Any) -> tuple[Memory, Memory]:
    return (
        memory("m-old", "L2", NOW, text=one, kind="preference", **fields),
        memory("m-new", "L2", NOW + DAY, text=other, kind="preference", **fields),
    )


@pytest.mark.parametrize(
    "one, other, same",
    [
        ("Use pnpm for all installs here", "use pnpm for all installs here", True),
        ("我喜欢用简体中文写所有的报告和邮件", "我喜欢用简体中文写所有的报告和邮件。", True),
        (LONG, LONG.replace("release", "releases"), True),
        ("I like coffee in the morning", "I do not like coffee in the morning", False),
        ("我喜欢在团队的报告里使用表格来说明数据和结论", "我不喜欢在团队的报告里使用表格来说明数据和结论", False),
        ("Keep 30 daily backups of the database", "Keep 31 daily backups of the database", False),
        ("The weekly report of the platform team is due on Friday", "The weekly report of the platform team is due on Monday", False),
        ("数据库的备份需要保留三十天，然后再删除", "数据库的备份需要保留四十天，然后再删除", False),
        ("Use tabs", "Use spaces", False),
    ],
)  # fmt: skip
def test_near_identical_is_polarity_first_then_numbers_and_times_then_characters(
    one: str, other: str, same: bool
) -> None:
    assert near_identical(*pair(one, other)) is same
    assert near_identical(*reversed(pair(one, other))) is same


def test_the_older_one_stays_with_all_that_both_said(folder: FolderBook) -> None:
    one = memory(
        "m-old", "L2", NOW, text=LONG, tags=["a"], exceptions=["not in May"], counters={"triggers": 2, "recalls": 2}, ttl="30d"
    )  # fmt: skip
    two = memory(
        "m-new", "L3", NOW + DAY, text=LONG + ".", tags=["b"], exceptions=["not for fixes"], pinned=True, ttl="60d",
        counters={"triggers": 3, "recalls": 1}, source={"origin": "user", "asked": True}, **{"x-own": 1},
    )  # fmt: skip
    folder.keep(one, two)
    done = folder.done("reflect", NOW + 2 * DAY)
    assert {each.kind for each in done} == {"merge"}
    held = folder.held("m-old")
    assert (held.text, held.tier, held.tier_since) == (LONG, "L3", (NOW + DAY).isoformat())
    assert (held.tags, held.exceptions, held.merged) == (("a", "b"), ("not in May", "not for fixes"), ("m-new",))
    assert (held.counters, held.ttl, held.pinned) == ({"triggers": 5, "recalls": 2}, "60d", True)
    assert held.source is not None
    assert held.source.asked
    assert held.created_at == NOW.isoformat()
    assert held.extra["x-own"] == 1
    (retired,) = folder.store.archived(memory_id="m-new")
    assert retired.memory.superseded_by == "m-old"
    assert retired.memory.text == LONG + "."
    assert retired.reason == "merged into m-old"
    assert folder.done("reflect") == ()


@pytest.mark.parametrize("other", [LONG.replace("shop", "till"), LONG.replace("need an", "only need an")])
def test_what_only_one_of_them_says_becomes_an_exception_of_the_other(other: str) -> None:
    """A name, or a word that restricts; such are put to a person, whose approval then drops nothing."""
    made = merged(*_first_and_rest(pair(LONG, other)), NOW, "", "UTC")
    assert made is not None
    assert other in (made.text, *made.exceptions)
    assert LONG in (made.text, *made.exceptions) or "only" in made.text


def _first_and_rest(memories: tuple[Memory, Memory]) -> tuple[Memory, list[Memory]]:
    return memories[0], [memories[1]]


def test_the_fuller_words_are_kept() -> None:
    one, two = pair(
        "Use pnpm for installs of the shop and its packages",
        "Use pnpm for installs of the shop and its packages always",
    )
    three = two.with_changes(text=two.text + " locally")
    made = merged(one, [three], NOW, "", "UTC")
    assert made is not None
    assert made.text == three.text
    assert made.exceptions == ()


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "fact"},
        {"scope": {"user": "bob"}},
        {"status": "to_judge"},
        {"expires_at": (NOW + 99 * DAY).isoformat()},
        {"about": {"tool": "read"}},
        {"reason": "another reason"},
        {"x-own": 2},
    ],
)
def test_what_is_of_another_kind_scope_or_end_is_not_merged(folder: FolderBook, fields: dict[str, Any]) -> None:
    given = {"scope": {"user": "ann"}, "about": {"tool": "shell"}, "reason": "why", "x-own": 1}
    one, two = pair(LONG, LONG, **given)
    folder.keep(one, two.with_changes(**fields))
    assert [each.kind for each in folder.done("reflect", NOW + 2 * DAY) if each.kind == "merge"] == []
    assert folder.tier("m-new") == "L2"


def test_three_of_the_same_become_one_at_once(folder: FolderBook) -> None:
    folder.keep(*(memory(f"m-{at}", "L2", NOW + at * DAY, text=LONG) for at in (2, 0, 1)))
    folder.done("reflect", NOW + 9 * DAY)
    assert (folder.held("m-0").merged, folder.tier("m-1"), folder.tier("m-2")) == (("m-1", "m-2"), "archive", "archive")


def test_tellings_of_both_count_together(folder: FolderBook) -> None:
    """Two recalls of the one and one of the other, within 30 days, promote what they became (P1)."""
    folder.keep(*pair(LONG, LONG))
    folder.tell("m-old", NOW + DAY)
    folder.tell("m-new", NOW + 2 * DAY)
    folder.done("reflect", NOW + 3 * DAY)
    folder.tell("m-old", NOW + 4 * DAY)
    assert [(each.kind, each.subject) for each in folder.done("promote", NOW + 5 * DAY)] == [("promote", "m-old")]


def test_a_merge_that_a_person_took_back_is_not_made_again(folder: FolderBook) -> None:
    folder.keep(*pair(LONG, LONG))
    folder.done("reflect", NOW + 2 * DAY)
    shown = [each for each in digest(folder.journal).moves if each.subject == "m-new"]
    folder.now = NOW + 3 * DAY
    undo(folder.desk(), shown[0].number, "person:ann")
    assert folder.tier("m-new") == "L2"
    assert [each for each in folder.done("reflect", NOW + 4 * DAY) if each.kind == "merge"] == []
    assert folder.tier("m-new") == "L2"


@pytest.mark.parametrize(
    "one, other, about, asks",
    [
        (LONG, LONG.replace("owner of the service", "owner"), {}, True),
        ("Use pnpm for installs", "Use pnpm in docker and lock versions", {}, False),
        ("Use pnpm for installs", "Use pnpm with docker installs and locks", {"action": "pnpm install"}, True),
        ("Use pnpm for installs", "Write the report in Chinese", {"action": "pnpm install"}, False),
        ("周报要写清楚项目的进展、风险和计划", "周报要写清楚项目的进展和风险", {}, True),
    ],
)
def test_what_is_nearly_the_same_is_put_to_a_person_once(
    folder: FolderBook, one: str, other: str, about: dict[str, str], asks: bool
) -> None:
    """Over 0.6 of their words, or over 0.3 where both are about the same thing."""
    folder.keep(*pair(one, other, about=about))
    found = folder.done("reflect", NOW + 2 * DAY)
    assert [(each.kind, each.reason, each.subject) for each in found] == ([("ask", "merge", "m-new")] if asks else [])
    if asks:
        proposal = found[0].proposal
        assert (proposal["do"], proposal["into"]) == ("merge", "m-old")
        words = f"{proposal['memory']['text']} {proposal['memory'].get('exceptions')}"
        assert {*terms(one), *terms(other)} <= set(terms(words)), "what approving does drops nothing"
    assert folder.done("reflect") == ()
    assert (folder.tier("m-old"), folder.tier("m-new")) == ("L2", "L2")


def test_what_the_write_gate_has_asked_is_not_asked_again(folder: FolderBook) -> None:
    folder.keep(*pair(LONG, LONG.replace("owner of the service", "owner")))
    folder.journal.append([Entry("ask:merge:m-new:m-old", NOW, "upkeep", "queue", "m-new", body={"reason": "merge"})])
    assert folder.done("reflect", NOW + 2 * DAY) == ()


def test_opposites_go_to_review_and_neither_is_merged(folder: FolderBook) -> None:
    folder.keep(*pair("我喜欢喝咖啡", "我不喜欢喝咖啡"))
    assert folder.asked("reflect", NOW + 2 * DAY) == [("contradiction", "m-new")]
    assert folder.done("audit") == (), "asked once, whichever job finds it"
    assert (folder.tier("m-old"), folder.tier("m-new")) == ("L2", "L2")


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("at", range(1, 5))
def test_a_merge_that_was_killed_anywhere_is_completed_and_loses_nothing(
    folder: FolderBook, monkeypatch: pytest.MonkeyPatch, at: int, after: bool
) -> None:
    folder.keep(*pair(LONG, LONG + "."))
    counter = [0]
    with monkeypatch.context() as patch:
        for owner, name in ((folder.journal, "append"), (folder.store, "change")):
            patch.setattr(owner, name, killing(getattr(owner, name), counter, at, after=after))
        with pytest.raises(Killed):
            folder.run("reflect", NOW + 2 * DAY)
    assert "nowhere" not in (folder.tier("m-old"), folder.tier("m-new"))
    folder.done("reflect", NOW + 2 * DAY + SECOND)
    assert (folder.held("m-old").merged, folder.tier("m-new")) == (("m-new",), "archive")
    assert folder.done("reflect") == ()


# -- pairs of near texts ---------------------------------------------------------------------------------------------------

SETS = st.lists(st.frozensets(st.sampled_from("abcdefgh"), min_size=1), max_size=12)
PLACE = st.tuples(st.sampled_from([None, "ann", "*"]), st.sampled_from([None, "shop"]))


def _meets(one: Any, other: Any) -> bool:
    return all(first is None or second is None or first == second for first, second in zip(one, other, strict=True))


@given(words=SETS, least=st.sampled_from([0.3, 0.5, 0.6, 0.75, 1.0]), places=st.lists(PLACE, min_size=12, max_size=12))
def test_the_pairs_are_those_that_comparing_each_with_each_finds(
    words: list[frozenset[str]], least: float, places: list[Any]
) -> None:
    """With a stance of its own for each text, so that none stands for another."""
    stances = list(range(len(words)))
    found = {frozenset(each) for each in near_pairs(words, least, Budget(10_000), places=places, stances=stances)}
    assert found == {
        frozenset((one, other))
        for one, other in combinations(range(len(words)), 2)
        if len(words[one] & words[other]) >= least * len(words[one] | words[other])
        and _meets(places[one], places[other])
    }


def test_of_many_texts_of_the_same_words_each_is_paired_with_the_first() -> None:
    words = [frozenset("ab")] * 4
    assert list(near_pairs(words, 0.5, Budget(100))) == [(0, 1), (0, 2), (0, 3)]


def test_what_the_budget_does_not_allow_is_counted() -> None:
    budget = Budget(1)
    assert len(list(near_pairs([frozenset("ab"), frozenset("abc"), frozenset("abd")], 0.5, budget))) == 1
    assert budget.skipped == 2
