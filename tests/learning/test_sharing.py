"""Which conditions are found beside the anchor, and which never are."""

from __future__ import annotations

import pytest

from casebook.conditions.render import render
from casebook.runtime.learning.backtest import Backtest
from casebook.runtime.learning.sharing import candidates, features_of
from tests.learning.past import Past, happened, person


def found(failed, succeeded, **more) -> list[str]:
    calls = [happened(n, "book", args, "no", session=f"f{n}", **more) for n, args in enumerate(failed, 1)]
    past = [happened(100 + n, "book", args, session=f"s{n}", **more) for n, args in enumerate(succeeded, 1)]
    return [render(each.node) for each in features_of(calls, past, Backtest((), Past(), "UTC"))]


ORDERS = [{"id": f"o{n}"} for n in range(1, 100)]


@pytest.mark.parametrize(
    "failed, succeeded, conditions",
    [
        ({"dry_run": False}, {"dry_run": True}, ["args.dry_run is false"]),
        ({"cabin": "business"}, {"cabin": "economy"}, ['args.cabin is "business"']),
        ({"舱位": "商务舱"}, {"舱位": "经济舱"}, ['args.舱位 is "商务舱"']),
        ({"force": True}, {}, ["args.force exists"]),
        ({}, {"region": "eu"}, ["args.region is missing"]),
        ({"opts": {"mode": "fast"}}, {"opts": {"mode": "slow"}}, ['args.opts.mode is "fast"']),
        ({"tags": ["raw", "x1"]}, {"tags": ["safe"]}, ['args.tags is "raw"']),
        ({"command": "x --frozen-lockfile a"}, {"command": "x a"}, ['args.command contains "--frozen-lockfile"']),
        ({"command": ["x", "--no-cache"]}, {"command": ["x"]}, ['args.command contains "--no-cache"']),
    ],
)
def test_a_feature_that_failures_share_and_successes_lack(failed, succeeded, conditions):
    failures = [{**order, **failed} for order in ORDERS[:4]]
    successes = [{**order, **succeeded} for order in ORDERS[20:40]]
    assert found(failures, successes) == conditions


@pytest.mark.parametrize("conditions, kinds", [(['args.pay starts with "certificate_"'], ["gift_card", "credit_card"])])
def test_the_kind_of_an_id(conditions, kinds):
    failures = [{"pay": f"certificate_{n}00"} for n in range(1, 5)]
    successes = [{"pay": f"{kinds[n % len(kinds)]}_{n}55"} for n in range(1, 30)]
    assert found(failures, successes) == conditions


@pytest.mark.parametrize(
    "name, failed, succeeded",
    [
        ("user_id", "mia_li_{}", "{}_smith_1"),  # a person's
        ("pay", "mia_li_3668", "card_{}55"),  # one id, not a kind of ids
        ("order", "OBUTXV", "ABCDE{}"),  # an id of letters
        ("order", "OBUTX9", "ABCDE{}"),
        ("amount", 250, "{}"),
        ("owner", "mia", "bob"),  # a name
        ("assignee", "Mia Li", "Bob"),
        ("query", "select", "drop"),  # free text
        ("path", "/etc/hosts", "/etc/{}"),
        ("url", "https://a.example", "https://b.example/{}"),
        ("note", "please hurry", "no hurry {}"),
        ("when", "2024-05-20", "2024-05-{}"),
        ("token", "abcdefgh", "hgfedcba"),
        ("mode", "x" * 30, "y"),  # too long for a choice
        ("mode", "fast", "{} times"),  # not among few
    ],
)
def test_what_may_be_somebodys_is_no_feature(name, failed, succeeded):
    def filled(text, n):
        return text.format("abcdefghijklmnopqrstuvwxyz"[n % 26] * 3) if isinstance(text, str) else text

    failures = [{"id": f"o{n}", name: filled(failed, n)} for n in range(1, 7)]
    successes = [{"id": f"p{n}", name: filled(succeeded, n)} for n in range(1, 27)]
    assert found(failures, successes) == []


@pytest.mark.parametrize(
    "failed, others, taken",
    [
        (["certificate_1", "certificate_2", "certificate_3"], ["x{}"], True),
        (["certificate_1", "certificate_1", "certificate_2"], ["x{}"], False),
        (["certificate_1", "certificate_1", "certificate_2"], ["gift_card_{}"], True),
        (["certificate_1", "certificate_1", "certificate_1"], ["gift_card_{}"], False),
        (["certificate_1", "certificate_2", "certificate_3"], [f"{'abcdefgh'[n] * 3}_{{}}" for n in range(7)], True),
        (["certificate_1", "certificate_2", "certificate_3"], [f"{'abcdefgh'[n] * 3}_{{}}" for n in range(8)], False),
    ],
)
def test_a_word_is_a_kind_where_different_ids_have_it_and_kinds_are_few(failed, others, taken):
    failures = [{"n": n, "pay": each} for n, each in enumerate(failed)]
    successes = [{"n": 100 + n, "pay": others[n % len(others)].format(n)} for n in range(40)]
    assert found(failures, successes) == (['args.pay starts with "certificate_"'] if taken else [])


def test_the_user_who_asks_is_no_feature():
    failures = [{"n": n, "mode": "ann"} for n in range(5)]
    successes = [{"n": n, "mode": "bob"} for n in range(10, 40)]
    assert found(failures, successes) == ['args.mode is "ann"']
    assert found(failures, successes, principal=person("ann")) == []


def test_the_same_call_again_is_no_further_evidence():
    """A third of the successes have it: three different failures are (1/3)^3 = 3.7%, one that came thrice is a third."""
    successes = [{"n": n, "dry": n % 3 == 0} for n in range(10, 40)]
    assert found([{"n": n, "dry": True} for n in range(3)], successes) == ["args.dry is true"]
    assert found([{"n": 1, "dry": True}] * 3, successes) == []


@pytest.mark.parametrize(
    "having, among, taken",
    [(0, 1, False), (0, 2, True), (5, 14, False), (3, 10, True), (1, 2, False), (30, 30, False)],
    ids=["one spared", "p = 1/4", "p = 6/16", "p = 4/12", "one of two", "all"],
)
def test_a_feature_is_taken_where_chance_explains_it_in_fewer_than_one_case_of_twenty(having, among, taken):
    successes = [{"n": 100 + n, "dry": n < having} for n in range(among)]
    assert bool(found([{"n": n, "dry": True} for n in range(3)], successes)) is taken


def test_the_more_is_looked_at_the_less_is_taken():
    one = [{"n": 100 + n, "a": n < 3} for n in range(10)]
    assert found([{"n": n, "a": True} for n in range(3)], one) == ["args.a is true"]
    several = [{"n": 100 + n, "a": n < 3, "b": n < 7, "c": n < 8} for n in range(10)]
    assert found([{"n": n, "a": True, "b": True, "c": True} for n in range(3)], several) == []


def test_at_most_three_and_the_rarest_first():
    names = ["a", "b", "c", "d", "e"]
    failures = [{"n": n, **dict.fromkeys(names, True)} for n in range(20)]
    successes = [
        {"n": 1000 + 100 * place + n, **dict.fromkeys(names, True), name: False}
        for place, name in enumerate(names)
        for n in range(20 - place)
    ]
    assert found(failures, successes) == ["args.a is true", "args.b is true", "args.c is true"]


def test_of_several_that_tell_the_same_calls_apart_any_is_enough():
    failures = [{"n": n, "a": True, "b": "fast", "c": 1} for n in range(4)]
    successes = [{"n": 100 + n, "a": False, "b": "slow", "d": 1} for n in range(20)]
    assert found(failures, successes) == ["args.c exists or args.d is missing or args.a is true"]


def test_what_the_first_condition_spares_needs_no_second():
    failures = [{"n": n, "a": True, "b": True} for n in range(6)]
    successes = [{"n": 100 + n, "a": False, "b": n == 0} for n in range(20)]
    assert found(failures, successes) == ["args.a is true"]


@pytest.mark.parametrize("name", ["x" * 60, "a1b2c3", "mia li", "a\nb", "8d3f6a1c", "{}"])
def test_an_argument_that_may_not_be_named_is_no_feature(name):
    assert found([{"n": n, name: True} for n in range(5)], [{"n": 100 + n, name: False} for n in range(20)]) == []


def test_calls_whose_arguments_are_no_longer_known_tell_nothing():
    known = [{"n": 100 + n, "dry": True} for n in range(10)]
    assert found([{"n": n, "dry": True} for n in range(4)], [*known, *[{}] * 30]) == []
    assert found([{}, {}, {"n": 1}], [{"n": 100 + n, "dry": True} for n in range(30)]) == []


def test_of_many_arguments_some_are_looked_at():
    args = {f"a{chr(97 + n // 26)}{chr(97 + n % 26)}": True for n in range(500)}
    calls = [happened(n, "book", {**args, "n": n}, "no") for n in range(3)]
    assert len(candidates(calls, [])) <= 200


@pytest.mark.parametrize("users, told", [(None, ["args.anns_flag is missing"]), (3, [])])
def test_an_argument_that_one_user_alone_gives_is_not_missed_in_everyones_case(users, told):
    failed = [
        happened(n, "send", {"n": n}, "no", principal=person(name)) for n, name in enumerate(("ann", "bob", "cleo"))
    ]
    worked = [happened(9 + n, "send", {"n": n, "anns_flag": n}, principal=person("ann")) for n in range(40)]
    found = features_of(failed, worked, Backtest((), Past(), "UTC"), users=users)
    assert [render(each.node) for each in found] == told


def test_an_argument_within_an_argument_that_is_not_there():
    failed = [{"method": "POST", "body": {"rows": n}} for n in range(3)]
    worked = [{"method": "POST", "body": {"rows": n, "format": "csv"}} for n in range(9, 40)]
    assert found(failed, worked) == ["args.body.format is missing"]


def test_what_is_within_an_argument_that_is_not_there_is_not_named():
    failed = [{"to": n} for n in range(3)]
    worked = [{"to": n, "body": {"format": "csv"}} for n in range(9, 40)]
    assert found(failed, worked) == ["args.body is missing"]
    assert found(worked, failed * 14) == ["args.body exists"]


def test_the_program_that_all_commands_run():
    failed = [happened(n, "bash", {"command": f"cd a && make job{n}x"}, "no") for n in range(3)]
    worked = [happened(9 + n, "bash", {"command": f"cd a && ls {n}"}) for n in range(40)]
    told = features_of(failed, worked, Backtest((), Past(), "UTC"))
    assert [render(each.node) for each in told] == ['program is "make"']
