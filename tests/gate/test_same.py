"""What is known already, what is like it, and what says the opposite."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casebook.gate.alike import Alike
from casebook.gate.same import is_same, likeness, lost, opposes, overlap_of, polarity_of, tokens_of, words_of
from casebook.memory import Memory


def memory(text, kind="preference", name="m-1", **more):
    return Memory.from_json({"id": name, "kind": kind, "text": text, "tier": "L2", **more})


def against(text, *known, kind="preference"):
    return likeness(text, kind, polarity_of(text), [memory(each, kind, f"m-{at}") for at, each in enumerate(known)])


@pytest.mark.parametrize(
    "text, known, expected",
    [
        ("I prefer tabs.", "I prefer tabs", "merge"),
        ("i prefer  TABS", "I prefer tabs", "merge"),
        ("我喜欢简洁的回答。", "我喜欢简洁的回答", "merge"),
        ("The colour of the theme should be dark blue", "The color of the theme should be dark blue", "merge"),
        ("The staging database runs on port 5433 in Frankfurt", "The staging database runs on port 5433", "update"),
        ("测试环境数据库端口是 5433，部署在法兰克福机房", "测试环境数据库部署在法兰克福机房", "propose"),
        ("测试环境数据库部署在法兰克福机房A", "测试环境数据库部署在法兰克福机房", "update"),
        ("The staging database runs on port 5433", "The staging database runs on port 5433 in Frankfurt", "propose"),
        ("The staging database runs on port 5434", "The staging database runs on port 5433", "propose"),
        ("The backup of server alpha-one runs at night and is kept for a long while", "The backup of server alpha-two runs at night and is kept for a long while", "propose"),
        ("I prefer tabs in Python", "I prefer tabs in Go", "propose"),
        ("I prefer tabs", "I prefer dark mode", "create"),
        ("我喜欢喝茶", "我喜欢看电影", "create"),
    ],
)  # fmt: skip
def test_what_is_done_with_what_is_like_something_known(text, known, expected):
    found = against(text, known)
    assert found.do == expected
    assert (found.other is None) == (expected == "create")


@pytest.mark.parametrize(
    "text, known",
    [
        ("不喜欢 Java", "喜欢 Java"),
        ("喜欢 Java", "不喜欢 Java"),
        ("I don't like Java", "I like Java"),
        ("I like Java", "I dislike Java"),
    ],
)
def test_the_opposite_is_neither_merged_nor_updated_nor_proposed_and_is_told(text, known):
    found = against(text, known)
    assert (found.do, found.other, found.opposes) == ("create", None, ("m-0",))


def test_kinds_are_kept_apart_and_contradictions_are_told_over_kinds():
    known = [memory("Always push to main", "rule")]
    assert likeness("Always push to main", "preference", 1, known).do == "create"
    assert likeness("Never push to main", "preference", -1, known).opposes == ("m-1",)


def test_the_nearest_is_taken_whatever_the_order():
    known = ["I prefer tabs in Go", "I prefer tabs", "I prefer tabs in Python"]
    assert against("I prefer tabs in Python!", *known).other == "m-2"
    assert against("I prefer tabs in Python!", *known[::-1]).other == "m-0"


def test_an_update_holds_every_word_and_number_of_what_it_replaces():
    old, new = (
        words_of("The staging database runs on port 5433"),
        words_of("The staging database runs on port 5433 in Frankfurt"),
    )
    assert lost(old, new) == frozenset()
    assert lost(new, old) == {"frankfurt"}


TEXTS = st.lists(
    st.sampled_from(
        [
            "tabs",
            "spaces",
            "port",
            "5433",
            "5434",
            "staging",
            "database",
            "Frankfurt",
            "Berlin",
            "喜欢",
            "不",
            "茶",
            "咖啡",
            "dark",
            "mode",
            "never",
            "I",
            "like",
            "the",
        ]
    ),
    min_size=1,
    max_size=10,
).map(" ".join)


@given(TEXTS, TEXTS)
@settings(max_examples=300, deadline=None)
def test_whatever_is_updated_loses_no_fact_and_whatever_is_merged_no_number_and_no_polarity(new, old):
    found = likeness(new, "fact", polarity_of(new), [memory(old, "fact")])
    ours, theirs = words_of(new), words_of(old)
    if found.do == "update":
        assert theirs.tokens | set(theirs.numbers) <= ours.tokens | set(ours.numbers)
    if found.do in ("update", "merge"):
        assert ours.polarity == theirs.polarity
    if found.do == "merge":
        assert ours.numbers == theirs.numbers


@given(TEXTS, TEXTS)
@settings(max_examples=200, deadline=None)
def test_opposition_is_mutual_and_nothing_opposes_itself(first, second):
    assert opposes(first, second) == opposes(second, first)
    assert opposes(first, first) is None


@pytest.mark.parametrize(
    "first, second, differs",
    [
        ("I like tea", "I don't like tea", "polarity"),
        ("喜欢 Java", "不喜欢 Java", "polarity"),
        ("Always push to main", "Never push to main", "polarity"),
        ("可以在周五发布", "不可以在周五发布", "polarity"),
        ("The project uses Python 3.11", "The project uses Python 3.12", "number"),
        ("max line length is 80", "max line length is 100", "number"),
        ("测试库端口是 5433", "测试库端口是 5434", "number"),
        ("standup is at 9:30", "standup is at 10:00", "time"),
        ("周会是周五上午十点", "周会是周四上午十点", "time"),
        ("use pnpm for installs", "use npm for installs", "choice"),
        ("报告都用简体中文", "报告都用英文", "choice"),
        ("I prefer tabs over spaces", "I prefer spaces over tabs", "choice"),
    ],
)
def test_what_contradicts_is_told_with_what_differs(first, second, differs):
    assert opposes(first, second) == differs


@pytest.mark.parametrize(
    "first, second",
    [
        ("PR #12 is merged", "PR #13 is merged"),
        ("Sprint 12 has started", "Sprint 13 has started"),
        ("Python 3.11 removed the distutils module", "Python 3.12 removed the distutils module"),
        ("Always use pnpm", "Always use type hints"),
        ("use pnpm for installs", "use make for builds"),
        ("The API runs on port 80", "The database runs on port 5432"),
        ("I like tea", "I don't like coffee"),
        ("喜欢茶", "不喜欢咖啡"),
        ("I like tea", "I like coffee"),
        ("我特别喜欢茶", "我喜欢茶"),
        ("not only tabs work", "tabs work"),
        ("", "never"),
    ],
)
def test_what_is_about_something_else_does_not_contradict(first, second):
    assert opposes(first, second) is None


@pytest.mark.parametrize(
    "text, polarity",
    [
        ("I like tea", 1), ("I don't like tea", -1), ("I do not really like tea", -1), ("I hate tea", -1), ("I don't hate tea", 1), ("never push to main", -1),
        ("don't forget to run the tests", 1), ("not only fast but right", 1), ("use pnpm, not npm", 1), ("no emojis in replies", -1), ("I no longer use Vim", -1),
        ("prefer composition rather than inheritance", 1), ("I can't stand ORMs", -1), ("keep it because it does not break", 1),
        ("喜欢茶", 1), ("不喜欢茶", -1), ("我不是很喜欢甜食", -1), ("特别喜欢茶", 1), ("这个方案不错", 1), ("没问题", 1), ("讨厌加班", -1), ("不讨厌加班", 1),
        ("别忘了跑测试", 1), ("禁止直接推送", -1), ("不再使用 Vim", -1), ("我不加班的时候喜欢跑步", 1), ("不仅快而且对", 1), ("不要用表情", -1), ("用 pnpm 而不是 npm", 1),
    ],
)  # fmt: skip
def test_polarity_is_turned_by_a_negation_within_three_tokens(text, polarity):
    assert polarity_of(text) == polarity


@pytest.mark.parametrize(
    "text, tokens",
    [
        ("I prefer tabs", ("tab",)),
        ("The policies of two classes", ("policy", "two", "class")),
        ("我喜欢简洁的回答", ("简洁", "回答")),
        ("用 pnpm 装依赖 v1.2", ("用", "pnpm", "装依", "依赖", "v1.2")),
    ],
)
def test_tokens_are_what_a_text_is_about(text, tokens):
    assert tokens_of(text) == tokens


def test_overlap_is_the_share_of_what_is_common():
    assert overlap_of(frozenset("abc"), frozenset("bcd")) == 0.5
    assert overlap_of(frozenset(), frozenset()) == 0.0


def test_pairs_are_found_within_a_scope_and_once():
    known = [
        memory("I prefer tabs in Python", name="a", scope={"user": "u"}),
        memory("I prefer tabs in Python!", name="b", scope={"user": "u"}),
        memory("I don't prefer tabs in Python", name="c", scope={"user": "u"}),
        memory("I prefer tabs in Python", name="d", scope={"user": "v"}),
    ]
    pairs = list(Alike(known).pairs())
    assert [(each.first.id, each.second.id, each.is_same, each.differs) for each in pairs] == [
        ("a", "b", True, ""), ("a", "c", False, "polarity"), ("b", "c", False, "polarity"),
    ]  # fmt: skip


def test_an_index_gives_what_a_look_at_all_gives():
    known = [memory(f"The service number{at} listens on port {at}", "fact", f"m-{at}") for at in range(300)]
    index = Alike(known)
    for text in ("The service number17 listens on port 17", "service number299 is slow", "nothing of this"):
        assert index.likeness(text, "fact", 1) == likeness(text, "fact", 1, known)


def test_ten_thousand_memories_are_compared_in_seconds_and_not_each_with_each():
    known = [
        memory(f"module{at % 2500} of team{at % 977} deploys with tool{at % 613} on host{at % 401}", "fact", f"m-{at}")
        for at in range(10_000)
    ]
    known.append(memory("module0 of team0 deploys with tool0 on host0!", "fact", "twin"))
    started = time.process_time()
    pairs = list(Alike(known).pairs(0.6))
    assert time.process_time() - started < 15
    assert ("m-0", "twin") in {(each.first.id, each.second.id) for each in pairs if each.is_same}


TURNED = [
    ("Alice reviews Bob's code", "Bob reviews Alice's code"),
    ("I use vim on Linux and Emacs on Mac", "I use vim on Mac and Emacs on Linux"),
    ("Staging is db1, production is db2", "Staging is db2, production is db1 since today"),
    ("The backup runs before the migration", "The migration runs before the backup"),
    ("Deploys need no approval", "Deploys need one approval"),
    ("Tests may fail on CI", "Tests fail on CI"),
    ("Ship it if the tests pass", "Ship it, the tests pass"),
    ("Admins can delete", "Only admins can delete"),
    ("Offset is -5", "Offset is 5"),
    ("This project uses npm, never pnpm", "This project uses pnpm, never npm"),
    ("前端用 React，后端用 Go", "前端用 Go，后端用 React"),
    ("张三负责计费，李四负责搜索", "李四负责计费，张三负责搜索"),
    ("从 A 迁移到 B", "从 B 迁移到 A 了"),
    ("先备份再迁移", "先迁移再备份"),
    ("他是我的领导", "我是他的领导"),
    ("我的代码用 Go", "他的代码用 Go"),
    ("项目用 npm，不用 pnpm", "项目用 pnpm，不用 npm"),
    ("价格是 -5 元", "价格是 5 元"),
]


@pytest.mark.parametrize("one, other", [*TURNED, *((other, one) for one, other in TURNED)])
def test_the_same_words_in_another_order_or_under_another_condition_take_no_place_and_merge_with_nothing(one, other):
    known = Memory.from_json({"id": "m-1", "kind": "fact", "tier": "L2", "text": one})
    assert likeness(other, "fact", polarity_of(one), [known]).do in ("propose", "create")
    assert not is_same(words_of(one), words_of(other))


@pytest.mark.parametrize(
    "old, new",
    [
        ("The build server has 16 GB", "The build server has 16 GB since May"),
        ("The API listens on port 8080", "The API listens on port 8080 behind nginx"),
        ("The colour of the logo is blue", "The color of the logo is blue"),
        ("部署脚本都在 scripts/deploy.sh", "部署脚本现在都在 scripts/deploy.sh"),
    ],
)
def test_what_says_all_that_was_known_in_its_order_takes_its_place(old, new):
    known = Memory.from_json({"id": "m-1", "kind": "fact", "tier": "L2", "text": old})
    assert likeness(new, "fact", polarity_of(new), [known]).do in ("update", "merge")


@pytest.mark.parametrize(
    "one, other, differs",
    [
        ("This project uses npm, never pnpm", "This project uses pnpm, never npm", "choice"),
        ("项目用 npm，不用 pnpm", "项目用 pnpm，不用 npm", "choice"),
        ("We support Python 3.8", "We no longer support Python 3.8", "polarity"),
        ("Always squash commits on feature branches", "Never squash commits on release branches", None),
        ("Always squash commits", "Never squash commits", "polarity"),
    ],
)
def test_a_choice_turned_round_contradicts_and_what_is_said_of_something_else_does_not(one, other, differs):
    assert {opposes(one, other), opposes(other, one)} == {differs}
