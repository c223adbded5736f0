"""Memories and cases that say the opposite, found without a model, in both languages; what is for another time or condition is none."""

from __future__ import annotations

from time import process_time
from typing import Any

import pytest

from casebook.memory import Memory
from casebook.runtime.journal.records import Entry
from casebook.runtime.upkeep.audit_asking import AGAIN
from casebook.runtime.upkeep.contradicting import Contradiction, contradictions, differ, words_said
from tests.upkeep.folder_book import FolderBook
from tests.upkeep.made import DAY, NOW, SECOND, memory


def said(text: str, name: str = "m-1", **fields: Any) -> Memory:
    return memory(name, "L3", text=text, **{"kind": "preference", **fields})


@pytest.mark.parametrize(
    "one, other, differs",
    [
        ("I like coffee", "I don't like coffee", "polarity"),
        ("always use tabs", "never use tabs", "polarity"),
        ("Push to main", "Do not push to main", "polarity"),
        ("我喜欢喝咖啡", "我不喜欢喝咖啡", "polarity"),
        ("报告用简体中文", "报告不用简体中文", "polarity"),
        ("禁止在凌晨推送", "可以在凌晨推送", "polarity"),
        ("Use 2 spaces for indentation", "Use 4 spaces for indentation", "number"),
        ("Deploys need two approvals", "Deploys need 3 approvals", "number"),
        ("我们用 Python 3.11", "我们用 Python 3.12", "number"),
        ("评审需要两个人通过", "评审需要三个人通过", "number"),
        ("The weekly report is due on Friday", "The weekly report is due on Thursday", "time"),
        ("周报每周五交", "周报每周四交", "time"),
        ("run the tests before commit", "run the tests after commit", "time"),
        ("提交前跑测试", "提交后跑测试", "time"),
        ("Use vitest for unit tests", "Use jest for unit tests", "choice"),
        ("I prefer tea over coffee", "I prefer coffee over tea", "choice"),
        # the same
        ("Deploys need two approvals", "Deploys need 2 approvals", None),
        ("评审需要两个人通过", "评审需要2个人通过", None),
        ("I like coffee", "I like coffee a lot", None),
        # another subject
        ("I like tea", "I don't like coffee", None),
        ("我喜欢喝茶", "我不喜欢喝咖啡", None),
        ("issue #12 is fixed", "issue #13 is fixed", None),
        # another time, or an exception to the rule
        ("Never push to main at night", "Push to main in the morning", None),
        ("Push to main", "Never push to main at night", None),
        ("凌晨不要推送", "上午推送", None),
        ("推送日报", "凌晨不要推送日报", None),
        ("Keep 3 backups on Monday", "Keep 5 backups on Friday", None),
    ],
)
def test_what_contradicts_what(one: str, other: str, differs: str | None) -> None:
    assert differ(words_said(one), words_said(other)) == differs
    assert differ(words_said(other), words_said(one)) == differs


@pytest.mark.parametrize(
    "one, other, found",
    [
        ({}, {}, True),
        ({"scope": {"user": "ann"}}, {}, True),
        ({"scope": {"user": "ann"}}, {"scope": {"user": "ann", "project": "shop"}}, True),
        ({"scope": {"user": "ann"}}, {"scope": {"user": "bob"}}, False),
        ({"scope": {"project": "shop"}}, {"scope": {"project": "till"}}, False),
        ({"scope": {"agent": "a"}}, {"scope": {"agent": "b"}}, False),
        ({"scope": {"user": "ann"}}, {"scope": {"project": "shop"}}, True),
        ({"kind": "rule"}, {"kind": "principle"}, True),
        ({"kind": "error"}, {"kind": "error"}, False),
        ({"about": {"tool": "shell"}}, {"about": {"tool": "read"}}, False),
        ({"superseded_by": "m-9"}, {}, False),
        ({"merged": ["m-b"]}, {}, False),
    ],
)
def test_memories_contradict_where_one_may_meet_the_other(one: Any, other: Any, found: bool) -> None:
    pair = [said("always use tabs", "m-a", **one), said("never use tabs", "m-b", **other)]
    assert [(each.one, each.other) for each in contradictions(pair, None)] == ([("m-b", "m-a")] if found else [])


@pytest.mark.parametrize(
    "known, new",
    [
        ("Use pnpm, not npm.", "From now on use npm, not pnpm."),
        ("Use pnpm, not npm.", "I prefer npm over pnpm."),
        ("用 pnpm，不要用 npm。", "以后用 npm，不要用 pnpm。"),
    ],
)
def test_a_choice_turned_round_is_told_whatever_kinds_the_two_are_and_wherever_they_meet(known: str, new: str) -> None:
    pair = [
        said(known, "m-a", kind="rule", scope={"project": "shop"}),
        said(new, "m-b", kind="preference", scope={"user": "ann"}),
    ]
    assert [(each.one, each.other) for each in contradictions(pair, None)] == [("m-b", "m-a")]


def test_numbers_of_two_kinds_of_memory_are_of_two_things() -> None:
    pair = [said("The port is 80", "m-a", kind="fact"), said("The port is 81", "m-b", kind="decision")]
    assert not list(contradictions(pair, None))


@pytest.mark.parametrize(
    "one, other",
    [
        ("Use vitest for unit tests", "Use jest for unit tests"),
        ("I prefer tea over coffee", "I prefer coffee over tea"),
    ],
)
def test_two_choices_are_found_though_few_of_their_words_are_the_same(one: str, other: str) -> None:
    assert [each.differs for each in contradictions([said(one, "m-a"), said(other, "m-b")], None)] == ["choice"]


def test_each_pair_once_whatever_the_order_and_the_words_of_neither() -> None:
    texts = ["always use tabs", "use tabs always", "never use tabs", "do not use tabs"]
    memories = [said(text, f"m-{at}") for at, text in enumerate(texts)]
    found = {(each.one, each.other) for each in contradictions(memories, None)}
    assert found == {(each.one, each.other) for each in contradictions(memories[::-1], None)}
    assert found == {("m-2", "m-0")}, "of those that say the same, the oldest"
    assert all("tabs" not in each.why for each in contradictions(memories, None))


CASES = [
    (['tool is "shell"'], {}, ['tool is "shell"'], {}, True),
    (['intent is "push"'], {}, ['intent is "push"', 'project is "shop"'], {}, True),
    (['tool is "shell"'], {}, ['tool is "read"'], {}, False),
    (['tool is "shell"', "time in 00:00-06:00"], {}, ['tool is "shell"', "time in 09:00-18:00"], {}, False),
    (['tool is "shell"', "time in 00:00-06:00"], {}, ['tool is "shell"', "time in 05:00-18:00"], {}, True),
    (['tool is "shell"', 'project is "shop"'], {}, ['tool is "shell"', 'project is "till"'], {}, False),
    (['tool is "shell"'], {"scope": {"user": "ann"}}, ['tool is "shell"'], {"scope": {"user": "bob"}}, False),
    (['tool is "shell"'], {"supersedes": ["c-b"]}, ['tool is "shell"'], {}, False),
    (['tool is "shell"'], {"status": "disabled"}, ['tool is "shell"'], {}, False),
    (['tool is "shell"'], {"expires_at": "2020-01-01"}, ['tool is "shell"'], {}, False),
]  # fmt: skip


@pytest.mark.parametrize("first, one, second, other, found", CASES)
def test_cases_contradict_where_both_can_speak_for_one_task(
    folder: FolderBook, first: Any, one: Any, second: Any, other: Any, *, found: bool
) -> None:
    folder.case(
        {"id": "c-a", "trigger_conditions": first, "correction": "Always use tabs.", **one},
        {"id": "c-b", "trigger_conditions": second, "correction": "Never use tabs.", **other},
    )
    snapshot = folder.cases.snapshot()
    assert not [fault for fault in snapshot.faults if fault.severity == "error"]
    told = list(contradictions((), snapshot, now=NOW))
    assert [(each.one, each.other, each.differs) for each in told] == ([("c-b", "c-a", "polarity")] if found else [])


def test_a_memory_and_a_case_contradict(folder: FolderBook) -> None:
    folder.case(
        {
            "id": "c-a",
            "trigger_conditions": ['tool is "shell"'],
            "correction": "禁止强制推送到主分支",
            "created_at": "2026-03-01",
        }
    )
    folder.keep(
        said("可以强制推送到主分支", "m-1"),
        said("可以强制推送到主分支。", "m-2", about={"tool": "read"}),
        said("喜欢喝茶", "m-3"),
    )
    (ask,) = folder.done("audit")
    assert (ask.reason, ask.subject, ask.others) == ("contradiction", "m-1", ("c-a",))
    assert ask.before == folder.held("m-1")


def test_a_contradiction_is_asked_once_and_again_half_a_year_after_it_was_kept(folder: FolderBook) -> None:
    folder.keep(said("always use tabs", "m-a"), said("never use tabs", "m-b"))
    assert folder.asked("audit") == [("contradiction", "m-b")]
    assert folder.asked("reflect") == []
    folder.journal.append([Entry("r", NOW, "person:ann", "reject", "m-b")])
    for at, asks in ((AGAIN, []), (AGAIN + SECOND, [("contradiction", "m-b")])):
        found = [each for each in folder.asked("audit", NOW + at) if each[0] == "contradiction"]
        assert found == asks


def test_what_the_write_gate_has_asked_the_other_way_round_is_not_asked_again(folder: FolderBook) -> None:
    folder.keep(said("always use tabs", "m-a"), said("never use tabs", "m-b"))
    folder.journal.append([Entry("ask:contradiction:m-a:m-b", NOW, "upkeep", "queue", "m-a", body={})])
    assert folder.asked("audit") == []


def test_only_what_lasts_is_the_business_of_audit(folder: FolderBook) -> None:
    folder.keep(memory("m-a", "L2", text="always use tabs"), memory("m-b", "L2", NOW + DAY, text="never use tabs"))
    assert folder.asked("audit", NOW + DAY) == []
    assert folder.asked("reflect") == [("contradiction", "m-b")]


WORDS = ["deploy", "release", "report", "review", "branch", "merge", "commit", "token", "cache", "index", "schema", "table", "queue", "worker", "proxy", "gateway", "billing", "refund", "invoice", "cart", "order", "stock", "price", "coupon", "login", "session", "cookie", "header"]  # fmt: skip


def test_ten_thousand_memories_take_seconds_and_the_one_pair_is_found() -> None:
    """Not quadratic: 50 million pairs would take minutes."""
    memories = [
        said(
            f"{WORDS[at % 28]} {WORDS[at // 28 % 28]} {WORDS[at // 784 % 28]} of team t{at % 97} goes to host h{at}",
            f"m-{at:05}",
        )
        for at in range(10_000)
    ]
    memories += [
        said("the staging bucket is rotated nightly by ops", "m-x"),
        said("the staging bucket is not rotated nightly by ops", "m-y"),
    ]
    began = process_time()
    found = list(contradictions(memories, None))
    assert process_time() - began < 15
    assert [(each.one, each.other) for each in found] == [("m-y", "m-x")]
    assert isinstance(found[0], Contradiction)
