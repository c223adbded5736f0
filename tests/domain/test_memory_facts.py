"""A memory as the rules of a policy see it: both sides of every limit, the seeds' own words, what no rule may read."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from casebook.memory import Memory
from casebook.memory_facts import Telling, expires, facts_of, holds_rule, is_live, last_used, parse_rule
from casebook.policy import Policy

DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)
START = datetime(2028, 1, 31, 9, tzinfo=UTC)  # its first 30 days run over a leap day
POLICY = Policy()


def memory(**fields) -> Memory:
    return Memory.from_json(
        {"id": "m", "kind": "feedback", "text": "x", "tier": "L2", "created_at": START.isoformat(), **fields}
    )


def told(*days: float, session: bool = True) -> list[Telling]:
    return [
        Telling("m", f"k{place}", START + day * DAY, f"s{place}" if session else None) for place, day in enumerate(days)
    ]


@pytest.mark.parametrize(
    "rule, passed, holds",
    [
        ("not_hit_days > 30", 30 * DAY, False),
        ("not_hit_days > 30", 30 * DAY + SECOND, True),
        ("past_ttl is true", 30 * DAY, False),
        ("past_ttl is true", 30 * DAY + SECOND, True),
        ("past_short is true", timedelta(hours=48), False),
        ("past_short is true", timedelta(hours=48) + SECOND, True),
        ("tier_hours > 48", timedelta(hours=48), False),
        ("tier_hours > 48", timedelta(hours=48) + SECOND, True),
        ("not_hit_days > 180", 180 * DAY, False),
        ("not_hit_days > 180", 180 * DAY + SECOND, True),
        ("age_days >= 29", 29 * DAY, True),
    ],
)
def test_time_runs_by_elapsed_days_over_a_leap_day(rule: str, passed: timedelta, holds: bool) -> None:
    facts = facts_of(memory(), START + passed, POLICY)
    assert holds_rule(rule, facts, "UTC") is holds


@pytest.mark.parametrize(
    "days, at, holds",
    [
        ((0, 1, 30), 30, True),  # both ends of the window are in it
        ((0, 1, 31), 31, False),
        ((0, 1, 2), 2, True),
        ((0, 1), 2, False),
        ((0, 10, 20), 40, False),  # looked at from the 40th day; the job asks at the instant of every telling
    ],
)
def test_three_recalls_within_thirty_days(days: tuple[float, ...], at: float, holds: bool) -> None:
    facts = facts_of(memory(), START + at * DAY, POLICY, told(*days))
    assert holds_rule("count of recall within 30d >= 3", facts, "UTC") is holds


def test_a_recall_counts_once_a_session_and_without_one_once_a_day_and_every_telling_is_a_trigger() -> None:
    same = [Telling("m", f"k{place}", START + place * SECOND, "s1") for place in range(11)]
    facts = facts_of(memory(), START + DAY, POLICY, same)
    assert (facts.values["recalls"], facts.values["triggers"], facts.values["reused"]) == (1, 11, 11)
    assert holds_rule("triggers > 10", facts, "UTC")
    assert not holds_rule("triggers > 10", facts_of(memory(), START + DAY, POLICY, same[:10]), "UTC")
    by_day = [Telling("m", "a", START), Telling("m", "b", START + SECOND), Telling("m", "c", START + DAY)]
    assert facts_of(memory(), START + 2 * DAY, POLICY, by_day).values["recalls"] == 2


def test_what_was_told_after_the_instant_does_not_count() -> None:
    assert facts_of(memory(), START + DAY, POLICY, told(0, 2)).values["triggers"] == 1


def test_the_counters_of_the_file_are_a_floor() -> None:
    counted = memory(counters={"triggers": 7, "recalls": 2}, last_used=(START + 3 * DAY).isoformat())
    facts = facts_of(counted, START + 5 * DAY, POLICY, told(1))
    assert (facts.values["triggers"], facts.values["recalls"]) == (7, 2)
    assert facts.values["not_hit_days"] == 2
    assert last_used(counted, (), "UTC") == START + 3 * DAY


@pytest.mark.parametrize(
    "fields, explicit",
    [
        ({}, False),
        ({"source": {"asked": True}}, True),
        ({"source": {"by": "person"}}, False),
        ({"pinned": True}, True),
        ({"confirmed": True}, True),
    ],
)
def test_user_explicit_is_pinned_confirmed_or_asked_for(fields, explicit: bool) -> None:
    facts = facts_of(memory(**fields), START, POLICY)
    assert holds_rule("reused >= 2 OR user_explicit == true", facts, "UTC") is explicit
    assert holds_rule("reused >= 2 OR user_explicit == true", facts_of(memory(), START, POLICY, told(0, 0)), "UTC")


def test_expiry_is_silent_from_its_very_instant() -> None:
    ends = memory(expires_at="2028-02-04T00:00:00+08:00")
    at = datetime(2028, 2, 3, 16, tzinfo=UTC)
    assert expires(ends, "UTC") == at
    assert is_live(ends, at - SECOND, "UTC")
    assert not is_live(ends, at, "UTC")
    assert not is_live(memory(status="to_judge"), START, "UTC")


@pytest.mark.parametrize("kind, days", [("usage", 30), ("conclusion", 60), ("preference", 90), ("fact", 180)])
def test_the_ttl_is_that_of_the_kind_the_policys_or_its_own(kind: str, days: int) -> None:
    def past(policy: Policy, after: timedelta, **fields) -> bool:
        return holds_rule("past_ttl is true", facts_of(memory(kind=kind, **fields), START + after, policy), "UTC")

    assert not past(POLICY, days * DAY)
    assert past(POLICY, days * DAY + SECOND)
    assert past(Policy.model_validate({"ttl": {kind: "1d"}}), DAY + SECOND)
    assert not past(POLICY, days * DAY + SECOND, ttl="400d")


@pytest.mark.parametrize(
    "rule, told_what",
    [
        ("tool is shell", 'no field of a memory is called "tool"'),
        ("usr is 'a'", "did you mean user?"),
        ("count of error >= 1", "expected recall or reuse"),
        ("reused >=", "column"),
    ],
)
def test_a_rule_that_reads_what_no_memory_has_is_refused(rule: str, told_what: str) -> None:
    with pytest.raises(ValueError, match=None) as raised:
        parse_rule(rule)
    assert told_what in str(raised.value)


@pytest.mark.parametrize(
    "rule",
    [
        "统计 recall 30天内 >= 3",
        "kind in [fact, rule] and user is 'ann'",
        {"any": ["pinned is true", {"field": "triggers", "op": "gt", "value": 10}]},
    ],
)
def test_a_rule_may_be_chinese_and_json(rule) -> None:
    assert parse_rule(rule) is not None


@pytest.mark.parametrize("rule", [{"all": [{"is": ["pinned", True]}]}, {"all": []}, {"field": "pinnd", "op": "exists"}])
def test_a_rule_in_a_wrong_json_form_is_a_value_that_is_refused(rule) -> None:
    with pytest.raises(ValueError, match=r"expected|unknown field"):
        parse_rule(rule)
