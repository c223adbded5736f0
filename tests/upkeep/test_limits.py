"""Every limit of the tiers at both of its sides."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from freezegun import freeze_time

from casebook.clock import system_clock
from casebook.policy import Policy
from casebook.runtime.upkeep.digest import digest
from casebook.runtime.upkeep.reconciling import confirm, show
from casebook.runtime.upkeep.running import run
from tests.upkeep.made import DAY, HOUR, NOW, SECOND, Book, memory

BERLIN = ZoneInfo("Europe/Berlin")
SPRING = datetime(2026, 3, 28, 12, tzinfo=BERLIN).astimezone(UTC)
"""Its next day has 23 hours there."""
AUTUMN = datetime(2026, 10, 24, 12, tzinfo=BERLIN).astimezone(UTC)
"""Its next day has 25 hours there."""
LEAP = datetime(2028, 2, 29, 8, tzinfo=UTC)
STARTS = [NOW, SPRING, AUTUMN, LEAP, LEAP - DAY]


# -- L1 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize(
    "passed, where", [(48 * HOUR - SECOND, "L1"), (48 * HOUR, "L1"), (48 * HOUR + SECOND, "archive")]
)
def test_l1_keeps_a_memory_for_48_hours_that_pass_whatever_the_clocks_do(
    start: datetime, passed: timedelta, where: str
) -> None:
    book = Book(policy=Policy(timezone="Europe/Berlin"))
    book.keep(memory(tier="L1", since=start))
    book.run("expire", start + passed)
    assert book.tier() == where


def test_the_48_hours_are_those_of_the_machine_too() -> None:
    book = Book()
    book.keep(memory(tier="L1"))
    with freeze_time(NOW + 48 * HOUR) as frozen:
        for passed, where in ((timedelta(), "L1"), (SECOND, "archive")):
            frozen.tick(passed)
            book.now = system_clock()
            run("expire", book.desk, system_clock)
            assert book.tier() == where


@pytest.mark.parametrize(
    "ended, created, where",
    [
        (None, NOW, "L1"),
        (NOW + HOUR, NOW, "archive"),
        (NOW + HOUR + SECOND, NOW, "L1"),  # it will have ended
        (NOW + HOUR, NOW + HOUR, "archive"),
        (NOW, NOW + SECOND, "L1"),  # it came there after its session had ended, as by an undoing
    ],
)
def test_what_is_in_l1_of_a_session_that_has_ended_leaves_it(
    ended: datetime | None, created: datetime, where: str
) -> None:
    book = Book()
    book.keep(memory(tier="L1", since=created))
    if ended is not None:
        book.store.ended["short_term/session_a.json"] = ended
    book.run("expire", NOW + HOUR)
    assert book.tier() == where


@pytest.mark.parametrize(
    "fields, told, where",
    [
        ({}, 0, "archive"),
        ({}, 1, "archive"),
        ({}, 2, "L2"),
        ({"pinned": True}, 0, "L2"),
        ({"confirmed": True}, 0, "L2"),
        ({"source": {"asked": True}}, 0, "L2"),
        ({"counters": {"triggers": 1}}, 0, "archive"),
        ({"counters": {"triggers": 2}}, 0, "L2"),
        ({"kind": "error", "source": {"origin": "outcome", "by": "tool"}}, 0, "archive"),
        ({"kind": "success", "source": {"origin": "outcome", "by": "tool"}}, 0, "archive"),
        ({"kind": "feedback", "status": "to_judge"}, 0, "L1"),
        ({"status": "disabled", "pinned": True}, 0, "archive"),
    ],
)
def test_what_was_reused_twice_or_asked_for_is_distilled_and_the_rest_archived(
    fields: dict[str, Any], told: int, where: str
) -> None:
    book = Book()
    book.keep(memory(tier="L1", **fields))
    book.tell("m-1", *(NOW + (at + 1) * HOUR for at in range(told)))
    book.run("expire", NOW + 3 * DAY)
    assert book.tier() == where


def test_what_was_distilled_stands_in_l2_since_then_with_its_counters_and_the_rule_in_its_chain() -> None:
    book = Book()
    book.keep(memory(tier="L1", rule_chain=[{"rule": "R1", "why": "temporary"}]))
    book.tell("m-1", NOW + HOUR, NOW + 2 * HOUR)
    at = NOW + 3 * DAY
    book.run("expire", at)
    found = book.held()
    assert (found.tier_since, found.counters) == (at.isoformat(timespec="milliseconds"), {"recalls": 2, "triggers": 2})
    assert found.last_used == (NOW + 2 * HOUR).isoformat(timespec="milliseconds")
    assert [step.rule for step in found.rule_chain] == ["R1", "expire"]
    assert book.store.placed["m-1"].path == "medium_term/active_projects.json"
    assert found.ttl is None  # its kind's


@pytest.mark.parametrize("tier", ["L1", "L2", "L3"])
@pytest.mark.parametrize("passed, where", [(HOUR - SECOND, "tier"), (HOUR, "archive"), (HOUR + SECOND, "archive")])
def test_from_its_own_end_on_a_memory_of_any_tier_goes_to_the_archive(tier: str, passed: timedelta, where: str) -> None:
    book = Book()
    book.keep(memory(tier=tier, expires_at=(NOW + HOUR).isoformat(), pinned=True))
    book.run("expire", NOW + passed)
    assert book.tier() == (tier if where == "tier" else where)


def test_what_waits_to_be_judged_outlives_its_own_end() -> None:
    book = Book()
    book.keep(memory(status="to_judge", expires_at=NOW.isoformat()))
    assert book.moves("expire", NOW + DAY) == []
    book.change(status="active")
    assert book.moves("expire", NOW + DAY) == [("expire", "m-1")]


# -- P2 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("passed, tier", [(30 * DAY - SECOND, "L2"), (30 * DAY, "L2"), (30 * DAY + SECOND, "L1")])
def test_l2_keeps_what_is_unused_for_30_days_that_pass(start: datetime, passed: timedelta, tier: str) -> None:
    book = Book(policy=Policy(timezone="Europe/Berlin"))
    book.keep(memory(kind="usage", since=start))
    book.run("age", start + passed)
    assert book.tier() == tier


@pytest.mark.parametrize("passed, tier", [(30 * DAY, "L2"), (30 * DAY + SECOND, "L1")])
def test_the_30_days_begin_anew_with_each_use(passed: timedelta, tier: str) -> None:
    book = Book()
    book.keep(memory(kind="usage"))
    book.tell("m-1", NOW + 20 * DAY)
    book.run("age", NOW + 20 * DAY + passed)
    assert book.tier() == tier


@pytest.mark.parametrize(
    "fields, days, tier",
    [
        ({"kind": "usage"}, 31, "L1"),
        ({"kind": "preference"}, 31, "L2"),
        ({"kind": "preference"}, 91, "L1"),
        ({"kind": "usage", "ttl": "40d"}, 31, "L2"),
        ({"kind": "usage", "ttl": "40d"}, 41, "L1"),
        ({"kind": "usage", "status": "to_judge"}, 400, "L2"),
        ({"kind": "usage", "pinned": True}, 400, "L2"),
        ({"kind": "usage", "tier": "L3"}, 400, "L3"),
        ({"kind": "usage", "last_used": (NOW + 5 * DAY).isoformat()}, 35, "L2"),
        ({"kind": "usage", "last_used": (NOW + 5 * DAY).isoformat()}, 36, "L1"),
    ],
)
def test_how_long_a_memory_stays_in_l2(fields: dict[str, Any], days: int, tier: str) -> None:
    book = Book()
    book.keep(memory(**fields))
    book.run("age", NOW + days * DAY)
    assert book.tier() == tier


def test_what_aged_stands_in_a_file_of_its_own_and_is_active() -> None:
    book = _aged()
    placed = book.store.placed["m-1"]
    assert (placed.path, placed.memory.status, placed.memory.tier) == ("short_term/aged.json", "active", "L1")
    assert placed.memory.rule_chain[-1].rule == "P2"


@pytest.mark.parametrize("passed, where", [(7 * DAY - SECOND, "L1"), (7 * DAY, "archive")])
def test_the_grace_of_what_aged_is_7_days(passed: timedelta, where: str) -> None:
    book = _aged()
    book.run("expire", book.now + passed)
    assert book.tier() == where


@pytest.mark.parametrize("seen", [False, True])
def test_its_grace_ends_when_a_digest_that_shows_it_was_seen(seen: bool) -> None:
    book = _aged()
    book.now += HOUR
    if seen:
        show(book.desk(), "person:ann")
    else:
        digest(book.journal)
    book.run("expire", book.now + HOUR)
    assert book.tier() == ("archive" if seen else "L1")


def test_its_grace_ends_when_a_person_confirms_the_move() -> None:
    book = _aged()
    confirm(book.journal, [book.number()], "person:ann", lambda: book.now + HOUR)
    book.run("expire", book.now + 2 * HOUR)
    assert book.tier() == "archive"


def test_a_digest_that_was_seen_before_it_aged_again_does_not_end_its_grace() -> None:
    book = _aged()
    show(book.desk(), "person:ann")
    book.tell("m-1", book.now + HOUR)
    assert book.moves("expire", book.now + 2 * HOUR) == [("distil", "m-1")]
    assert book.moves("age", book.now + 31 * DAY) == [("demote", "m-1")]
    assert book.moves("expire", book.now + HOUR) == []


@pytest.mark.parametrize("told, where", [(None, "archive"), (-DAY, "archive"), (DAY, "L2")])
def test_what_is_told_again_after_it_aged_goes_back_to_l2(told: timedelta | None, where: str) -> None:
    book = _aged()
    if told is not None:
        book.tell("m-1", book.now + told)
    book.run("expire", book.now + 8 * DAY)
    assert book.tier() == where


def test_what_was_reused_often_long_ago_ages_once_and_is_not_distilled_again() -> None:
    book = Book()
    book.keep(memory(kind="usage"))
    book.tell("m-1", NOW + DAY, NOW + 2 * DAY)
    assert book.moves("age", NOW + 40 * DAY) == [("demote", "m-1")]
    assert book.moves("expire", NOW + 41 * DAY) == []
    assert book.moves("expire", NOW + 48 * DAY) == [("expire", "m-1")]


def _aged() -> Book:
    book = Book()
    book.keep(memory(kind="usage"))
    assert book.moves("age", NOW + 31 * DAY) == [("demote", "m-1")]
    return book


# -- P1 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize(
    "third, tier", [(30 * DAY - SECOND, "L3"), (30 * DAY, "L3"), (30 * DAY + SECOND, "L2"), (31 * DAY, "L2")]
)
@pytest.mark.parametrize("later", [HOUR, DAY, 200 * DAY])
def test_three_recalls_within_30_days_promote_whenever_the_job_runs(
    start: datetime, third: timedelta, tier: str, later: timedelta
) -> None:
    book = Book(policy=Policy(timezone="Europe/Berlin"))
    book.keep(memory(since=start - DAY))
    book.tell("m-1", start, start + 10 * DAY, start + third)
    book.run("promote", start + third + later)
    assert book.tier() == tier


@pytest.mark.parametrize("job_first", ["age", "promote"])
def test_what_was_recalled_three_times_is_promoted_though_it_is_past_its_ttl_when_upkeep_runs_again(
    job_first: str,
) -> None:
    book = Book()
    book.keep(memory(kind="usage"))
    book.tell("m-1", NOW, NOW + DAY, NOW + 2 * DAY)
    for job in ("age", "promote") if job_first == "age" else ("promote", "age"):
        book.run(job, NOW + 200 * DAY)
    assert book.tier() == "L3"


def test_a_recall_counts_once_a_session() -> None:
    book = Book()
    book.keep(memory())
    book.tell("m-1", NOW, NOW + DAY, NOW + 2 * DAY, session="one")
    book.run("promote", NOW + 3 * DAY)
    assert book.tier() == "L2"


@pytest.mark.parametrize("told, tier", [(10, "L2"), (11, "L3")])
def test_more_than_ten_triggers_promote(told: int, tier: str) -> None:
    book = Book()
    book.keep(memory())
    book.tell("m-1", *(NOW + at * HOUR for at in range(told)), session="one")
    book.run("promote", NOW + 400 * DAY)
    assert book.tier() == tier


@pytest.mark.parametrize("counted, tier", [(10, "L2"), (11, "L3")])
def test_the_triggers_of_the_file_are_a_floor(counted: int, tier: str) -> None:
    book = Book()
    book.keep(memory(counters={"triggers": counted}))
    book.run("promote", NOW + DAY)
    assert book.tier() == tier


@pytest.mark.parametrize(
    "fields, done",
    [
        ({}, [("promote", "m-1")]),
        ({"source": {"origin": "user", "by": "user"}}, [("promote", "m-1")]),
        ({"source": {"origin": "tool", "by": "tool"}}, [("ask", "m-1")]),
        ({"source": {"origin": "agent", "by": "model"}}, [("ask", "m-1")]),
        ({"source": {"origin": "outcome", "by": "tool"}}, [("ask", "m-1")]),
        ({"source": {"origin": "outcome", "by": "person"}}, [("promote", "m-1")]),
        ({"source": {"origin": "tool", "by": "tool"}, "confirmed": True}, [("promote", "m-1")]),
        ({"source": {"origin": "tool", "by": "tool"}, "pinned": True}, [("promote", "m-1")]),
        ({"status": "to_judge"}, []),
        ({"status": "disabled"}, []),
        ({"superseded_by": "m-2"}, []),
        ({"expires_at": (NOW + 2 * HOUR).isoformat()}, []),
    ],
)
def test_what_nobody_has_confirmed_is_put_to_a_person_instead(
    fields: dict[str, Any], done: list[tuple[str, str]]
) -> None:
    book = Book()
    book.keep(memory(**fields))
    book.tell("m-1", NOW, NOW + SECOND, NOW + 2 * SECOND)
    assert book.moves("promote", NOW + DAY) == done
    assert book.moves("promote", NOW + 2 * DAY) == []


def test_pinned_goes_to_l3_at_once() -> None:
    book = Book()
    book.keep(memory(pinned=True))
    assert book.moves("promote") == [("promote", "m-1")]


@pytest.mark.parametrize(
    "fields, rule",
    [
        ({"pinned": True}, "R4"),
        ({"counters": {"triggers": 11}}, "P1"),
        ({"pinned": True, "source": {"origin": "tool"}}, "R4"),
    ],
)
def test_the_chain_says_which_rule_promoted_and_what_it_saw(fields: dict[str, Any], rule: str) -> None:
    book = Book(policy=Policy.model_validate({"rules": {"promote": "triggers > 10"}}))
    book.keep(memory(text="秘密 a secret text", **fields))
    assert book.moves("promote") == [("promote", "m-1")]
    step = book.held().rule_chain[-1]
    assert step.rule == rule
    assert "told" in step.why
    assert "secret" not in step.why


# -- rules of the policy -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rules, job, days, told, tier",
    [
        ({"distil": "reused >= 2 OR user_explicit == true"}, "expire", 3, 2, "L2"),
        ({"distil": "reused >= 2 OR user_explicit == true"}, "expire", 3, 1, "archive"),
        ({"distil": "kind is 'fact'"}, "expire", 3, 0, "L2"),
        ({"age": "not_hit_days > 30"}, "age", 30, 0, "L2"),
        ({"age": "not_hit_days > 30"}, "age", 31, 0, "L1"),
        ({"age": "not_hit_days > 30 and triggers < 1"}, "age", 32, 1, "L2"),
        ({"promote": "reused >= 2 OR user_explicit == true"}, "promote", 1, 2, "L3"),
        ({"promote": "reused >= 2 OR user_explicit == true"}, "promote", 1, 1, "L2"),
        ({"promote": "count of recall within 7d >= 2"}, "promote", 90, 2, "L3"),
    ],
)
def test_rules_in_the_words_of_the_policy_act(rules: dict[str, str], job: Any, days: int, told: int, tier: str) -> None:
    book = Book(policy=Policy.model_validate({"rules": rules}))
    book.keep(memory(tier="L1" if job == "expire" else "L2"))
    book.tell("m-1", *(NOW + (1 + at) * HOUR for at in range(told)))
    book.run(job, NOW + days * DAY)
    assert book.tier() == tier


def test_a_rule_that_errs_is_told_and_the_rest_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    from casebook.runtime.upkeep import facts

    def asked(rule: object, seen: Any, zone: str) -> bool:
        if seen.values["text"] == "text of m-1":
            raise ValueError("it does not hold water")
        return True

    monkeypatch.setattr(facts, "holds_rule", asked)
    book = Book()
    book.keep(memory("m-1"), memory("m-2"))
    report = book.run("promote")
    assert [each.subject for each in report.done] == ["m-2"]
    assert report.troubles == ("the rule promote could not be asked about m-1: ValueError: it does not hold water",)
