"""A statement that says what it is, is that."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from casebook.gate.candidate import Candidate
from casebook.gate.labels import label_of
from casebook.gate.weigh import weigh
from casebook.policy import Policy

MONDAY = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)


def kinds(text):
    return [(each.kind, each.text) for each in weigh(Candidate(text=text), Policy(), MONDAY) if not each.dropped]


@pytest.mark.parametrize(
    "text, kind",
    [
        ("Lesson: never deploy on Friday", "lesson"), ("Lesson learned: always warm the cache before a release", "lesson"), ("教训：周五不要上线", "lesson"),
        ("【教训】必须先预热缓存", "lesson"), ("Decision: never store PII in logs", "decision"), ("**Decision:** always use UTC", "decision"),
        ("决定：所有服务必须用 Go", "decision"), ("Preference: never use tabs", "preference"), ("偏好：禁止用 tab", "preference"),
        ("Rule: we decided to use Go only", "rule"), ("规则：我喜欢先写测试", "rule"), ("Fact: the API must be called twice", "fact"),
        ("事实：必须调用两次", "fact"), ("Conclusion: never trust the cache", "conclusion"), ("结论：不要相信缓存", "conclusion"),
        ("Decision - we keep Postgres", "decision"), ("经验法则：每个 PR 两个评审", "rule"), ("Our rule: I like it or it goes", "rule"), ("我们的规定：最近都在用 Go", "rule"),
    ],
)  # fmt: skip
def test_a_label_decides_the_kind_whatever_the_words_behind_it_look_like(text, kind):
    assert kinds(text) == [(kind, text)]


@pytest.mark.parametrize(
    "text",
    [
        "the rule is old",
        "lessons are held at 9:00",
        "fact-check it: all of it",
        "规则引擎：用的是 drools",
        "decision trees: read up",
    ],
)
def test_a_word_that_only_looks_like_a_label_is_none(text):
    assert label_of(text) is None


def test_a_label_speaks_of_all_that_is_said_under_it():
    lesson = "Lessons: never deploy on Friday; always warm the cache"
    assert kinds(lesson) == [("lesson", lesson)]
    assert kinds("We had an outage. Lesson: never skip staging.")[1] == ("lesson", "Lesson: never skip staging.")


def test_a_label_over_a_list_speaks_of_each_item_and_of_nothing_behind_the_list():
    assert kinds("Decisions:\n- use Go\n- never use Java\n\nI live in Berlin.") == [
        ("decision", "Decisions: use Go"),
        ("decision", "Decisions: never use Java"),
        ("identity", "I live in Berlin."),
    ]
    assert kinds("## 教训\n1. 周五不要上线\n2. 提交前跑测试") == [
        ("lesson", "教训：周五不要上线"),
        ("lesson", "教训：提交前跑测试"),
    ]
