"""Whom a text means: a name that is a word as well goes where a person is meant, and stays, and is told, where it is the word."""

from __future__ import annotations

import pytest

from casebook.stores.mentions import Mentions


@pytest.mark.parametrize(
    ("name", "text", "left"),
    [
        ("will", "We will ship because customers wait; it will rain.", None),
        ("will", "Will it rain? Will we ship?", None),
        ("will", "This was approved by will.", "This was approved by …."),
        ("will", "Ask @will, or user will, or user is will.", "Ask @…, or user …, or user is …."),
        ("will", "We told Will that it will rain.", "We told … that it will rain."),
        ("will", "Yesterday Will left early.", "Yesterday … left early."),
        ("will", "Will said that we will ship.", "… said that we will ship."),
        ("will", "We Will Rock You", None),
        ("will", "goodwill and willow", None),
        ("mark", "mark prefers tabs; mark it as done", "… prefers tabs; mark it as done"),
        ("will", "由will批准，will 说可以，它 will 出错", "由…批准，… 说可以，它 will 出错"),
        ("may", "It opens in May, and we may ship. @may knows.", "It opens in May, and we may ship. @… knows."),
        ("it", "It says that it is late", None),
        ("git", "Use Git; git said no", None),
        ("al", "al dente, et al; from al", "al dente, et al; from …"),
        ("a", "a test is a test by a", None),
        ("Will", "it will rain, and Will knows", "it will rain, and … knows"),
        ("ann-lee", "ann-lee ships", "… ships"),
        ("kowalski", "kowalski ships, Kowalski does", "… ships, Kowalski does"),
        ("李雷", "李雷蕾喜欢茶", None),
        ("李雷", "李雷喜欢茶，李雷说好，问李雷。", "…喜欢茶，…说好，问…。"),
        ("李雷", "李雷明天来，李雷明来", "…明天来，李雷明来"),
        ("晓明", "黄晓明来了，晓明说好", "黄晓明来了，…说好"),
        ("欧阳锋", "欧阳锋来了", "…来了"),
    ],
)  # fmt: skip
def test_a_name_that_is_a_word_goes_where_a_person_is_meant(name: str, text: str, left: str | None) -> None:
    mentions = Mentions(name)
    assert mentions.without(text) == (left or text)
    assert mentions.within(text) is (left is not None)
    assert not mentions.within(left or text)


@pytest.mark.parametrize(
    ("name", "text", "held"),
    [
        ("will", "We will ship", True), ("will", "Will we ship?", True), ("will", "goodwill", False), ("will", "@will", False),
        ("李雷", "李雷蕾", True), ("李雷", "李雷说", False), ("kowalski", "Kowalski", True), ("kowalski", "kowalski", False),
    ],
)  # fmt: skip
def test_what_is_left_of_a_name_is_known(name: str, text: str, held: bool) -> None:
    assert Mentions(name).is_held(text) is held
