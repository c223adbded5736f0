"""Who somebody is, in however few words, is identity, and the user's."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from casebook.gate.candidate import Candidate
from casebook.gate.weigh import weigh
from casebook.policy import Policy

MONDAY = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)


def kept(text):
    return [each for each in weigh(Candidate(text=text), Policy(), MONDAY) if not each.dropped]


@pytest.mark.parametrize(
    "text",
    [
        "I'm Mara, a backend engineer", "I'm Tom, the new PM on the billing team", "I am Ana, senior data scientist at Globex", "My name is Mara and I work as a nurse",
        "Mara here, frontend developer", "I'm a dentist", "I'm Chen, data engineer by training, now a team lead", "My name's Olu, SRE at Globex",
        "我是李雷，后端工程师", "我是小王，在阿里做算法", "我是新来的测试，以后负责支付模块", "我是牙医", "我是普里亚，负责数据平台组", "我现在是组长", "我叫奥卢，在 Globex 做 SRE",
    ],
)  # fmt: skip
def test_a_name_and_a_trade_are_identity(text):
    assert {(each.kind, each.home, each.tier) for each in kept(text)} == {("identity", "user", "L3")}


@pytest.mark.parametrize(
    "text", ["I'm fine, the engineer fixed it", "I'm learning Rust lately", "我是说明天再看", "我是第一次用"]
)
def test_what_somebody_does_or_means_is_not_who_they_are(text):
    assert "identity" not in {each.kind for each in kept(text)}


@pytest.mark.parametrize(
    "text", ["Write commit messages in the imperative mood", "提交信息用祈使句", "这个仓库里的日期都用 UTC"]
)
def test_a_convention_about_what_the_project_writes_is_a_rule(text):
    assert [(each.kind, each.home) for each in kept(text)] == [("rule", "project")]
