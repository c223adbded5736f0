"""What may be told of a call and what may not."""

from __future__ import annotations

import pytest

from casebook.runtime.learning.identifying import (
    Private,
    is_choice,
    is_identifying,
    is_personal,
    is_tellable_name,
    is_word,
    known_values,
    leaves_of,
    masked,
    may_be_kind,
    prefix_of,
    private_words,
)
from tests.learning.past import happened, person


@pytest.mark.parametrize(
    "name, personal, choice, kind",
    [
        ("cabin", False, True, True),
        ("payment_id", False, False, True),
        ("user_id", True, False, False),
        ("userName", True, False, False),
        ("first_name", True, False, False),
        ("file_name", False, False, False),
        ("functionName", False, False, False),
        ("amount", False, False, True),
        ("total_price", False, False, True),
        ("query", False, False, True),
        ("to", False, False, False),
        ("客户", True, False, False),
        ("舱位", False, True, True),
        ("客户姓名", True, False, False),
        ("收货人", True, False, False),
        ("用户名", True, False, False),
        ("手机号", True, False, False),
        ("文件名", False, False, False),
        ("表名", False, False, False),
        ("用户类型", False, True, True),
        ("订单状态", False, True, True),
        ("订单号", False, False, True),
        ("车牌号", False, False, True),
        ("退款金额", False, False, True),
        ("退款原因", False, False, True),
        ("备注信息", False, False, True),
        ("收货城市", False, False, False),
        ("主治医生", False, False, False),
        ("审核员", False, False, False),
        ("方式", False, True, True),
        ("doctor", True, False, False),
        ("gender", False, False, False),
        ("keyword", False, False, True),
        ("trip_type", False, True, True),
    ],
)
def test_by_the_name_of_the_argument(name, personal, choice, kind):
    assert (is_personal((name,)), is_choice((name,)), may_be_kind((name,))) == (personal, choice, kind)


@pytest.mark.parametrize(
    "name", ["origin", "destination", "departure_airport", "pickupLocation", "出发地", "目的地", "上车地点"]
)
def test_where_somebody_goes_is_no_choice(name):
    assert not is_choice((name,))
    assert not may_be_kind((name,))


@pytest.mark.parametrize(
    "value, is_one",
    [
        ("business", True), ("round_trip", True), ("POST", True), ("one-way", True), ("经济舱", True), ("very fast indeed now ok", False),
        ("HAT229", False), ("", False), ("a/b", False), ("x.y", False), ("a" * 25, False), ("12", False), ("経済 です", False), ("no!", False),
    ],
)  # fmt: skip
def test_words(value, is_one):
    assert is_word(value) is is_one


@pytest.mark.parametrize(
    "value, identifying",
    [
        ("OBUT9V", True), ("gift_card_7480005", True), ("2024-05-20", True), ("250", True), ("12.50", True), ("a@b.example", True),
        ("8d3f6a1c-0b1e-4c8e-9a52-6f1f0a3b2c4d", True), ("10.0.0.1", True), ("business", False), ("round_trip", False), ("", False),
        ("v2", False), ("经济舱", False), ("--frozen-lockfile", False),
    ],
)  # fmt: skip
def test_ids_dates_and_amounts(value, identifying):
    assert is_identifying(value) is identifying


@pytest.mark.parametrize(
    "value, prefix",
    [
        ("gift_card_5094406", "gift_card_"), ("certificate_123", "certificate_"), ("PROJ-123", "PROJ-"), ("cus_9s6XKz", "cus_"),
        ("user_abc", ""), ("a_1", ""), ("ab_12", ""), ("HAT229", ""), ("Mia_3668", ""), ("x" * 200 + "_1", ""), ("", ""), ("gift_card_", ""),
    ],
)  # fmt: skip
def test_the_word_before_an_id(value, prefix):
    assert prefix_of(value) == prefix


@pytest.mark.parametrize(
    "name, tellable",
    [("dry_run", True), ("参数", True), ("x2", True), ("ab-c", True), ("", False), ("2x", False), ("a b", False), ("id_12345", False), ("a.b", False)],
)  # fmt: skip
def test_names_of_arguments(name, tellable):
    assert is_tellable_name(name) is tellable


def test_leaves_are_bounded():
    assert [*leaves_of({"a": [1, {"b": 2}], "c": None})] == [(("a",), 1), (("a", "b"), 2)]
    deep: object = 1
    for _ in range(5_000):
        deep = {"a": deep}
    assert [*leaves_of(deep)] == []
    assert len([*leaves_of({"a": [*range(10_000)]})]) < 201


def test_what_is_somebodys():
    record = happened(
        1,
        "book",
        {"passengers": [{"first_name": "Mia"}], "user_id": "mia_li_3668", "cabin": "economy"},
        principal=person("ann"),
    )
    assert private_words([record]) == Private(frozenset({"ann", "mia", "mia_li_3668"}), frozenset({"li"}))
    failed = happened(2, "book", {"amount": 4875, "flight": "HAT229"}, "paid 255")
    assert known_values([failed]).whole == {"4875", "hat229", "255"}


@pytest.mark.parametrize(
    "text, told",
    [
        ("ask Li, li or LI", "ask …, li or …"),
        ("ann and annual", "… and annual"),
        ("张伟说可以", "…说可以"),
        ("Ann's", "…'s"),
        ("order_12345 costs ¥300", "… costs …"),
        ("at commit 3f2a9bc1", "at commit …"),
        ("python3.11, port 5433, utf-8", "python3.11, port 5433, utf-8"),
    ],
)
def test_masking(text, told):
    assert masked(text, Private(frozenset({"ann", "张伟"}), frozenset({"li"}))) == told
