"""The detector's times, at both sides of each bound: within, the life of a passing failure, tombstones, days."""

from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from freezegun import freeze_time

from casebook.clock import system_clock
from casebook.policy import Policy
from casebook.runtime.learning.claims import case_id_of
from casebook.runtime.learning.learnt import Learnt
from tests.learning.lives import SIGNATURE, START, Life, life, policy_of

BASE = case_id_of(SIGNATURE)
TICK = timedelta(microseconds=1)


class Now(Life):
    """A life by the system's clock."""

    def clock(self):
        return system_clock()

    def live_now(self, *numbers, **fields):
        return self.errors(*numbers, at=self.clock(), **fields)


@contextmanager
def standing_still(root, policy=None):
    """A life whose clock is the system's, which stands still."""
    with freeze_time(START) as frozen, life(root, policy, kind_of_life=Now) as here:
        yield here, frozen


@pytest.mark.parametrize(("late", "made"), [(-TICK, True), (timedelta(0), True), (TICK, False)])
def test_the_third_within_a_day_makes_a_case(tmp_path, late, made):
    with standing_still(tmp_path, policy_of(within="1d")) as (here, frozen):
        here.live_now(1)
        frozen.move_to(START + timedelta(hours=1))
        here.live_now(2)
        frozen.move_to(START + timedelta(days=1) + late)
        assert here.live_now(3)[0].made is made


def transient(here, *numbers):
    return here.live_now(*numbers, transient=True)


@pytest.mark.parametrize(("late", "named"), [(-TICK, BASE), (timedelta(0), None)])
def test_a_passing_failures_case_lives_for_seven_days(tmp_path, late, named):
    with standing_still(tmp_path) as (here, frozen):
        transient(here, 1, 2, 3)
        assert here.only().ttl == "7d"
        assert here.cases[BASE].expires == START + timedelta(days=7)
        frozen.move_to(START + timedelta(days=7) + late)
        assert transient(here, 4)[0].case_id == named


def test_three_new_occurrences_after_its_end_revive_it(tmp_path):
    with standing_still(tmp_path) as (here, frozen):
        transient(here, 1, 2, 3)
        frozen.move_to(START + timedelta(days=7) - TICK)
        transient(here, 4, 5)
        frozen.move_to(START + timedelta(days=7))
        assert [each.case_id for each in transient(here, 6, 7)] == [None, None]
        assert here.cases[BASE].expires == START + timedelta(days=7)
        frozen.move_to(START + timedelta(days=9))
        learnt = transient(here, 8)[0]
        assert (learnt.case_id, learnt.made) == (BASE, False)
        assert here.cases[BASE].expires == START + timedelta(days=16)
        assert [(entry.action, entry.body["generation"]) for entry in here.log("promote", "revive")] == [
            ("promote", 1),
            ("revive", 2),
        ]
        assert here.queue() == [(BASE, "learnt")]


def test_it_is_revived_again_and_from_the_archive_of_upkeep(tmp_path):
    with standing_still(tmp_path) as (here, frozen):
        transient(here, 1, 2, 3)
        for week in (1, 2):
            frozen.move_to(START + timedelta(days=10 * week))
            here.store.archive(BASE, reason="expired")
            here.say("archive", BASE, "upkeep")
            assert here.cases == {}
            frozen.tick(1)
            learnt = transient(here, f"{week}a", f"{week}b", f"{week}c")
            assert [each.case_id for each in learnt] == [None, None, BASE]
            assert here.cases[BASE].expires == system_clock() + timedelta(days=7)


def test_a_life_that_a_person_gave_a_case_is_left_alone(tmp_path):
    with standing_still(tmp_path) as (here, frozen):
        here.live_now(1, 2, 3)
        here.store.edit(BASE, {"expires_at": (START + timedelta(days=1)).isoformat()})
        frozen.move_to(START + timedelta(days=2))
        here.live_now(4, 5, 6)
        assert here.cases[BASE].expires == START + timedelta(days=1)
        assert here.log("revive") == []


@pytest.mark.parametrize(("late", "made"), [(-TICK, False), (timedelta(0), True)])
def test_a_rejected_signature_makes_nothing_for_ninety_days_and_then_a_draft_that_says_so(tmp_path, late, made):
    with standing_still(tmp_path) as (here, frozen):
        here.live_now(1, 2, 3)
        here.reject(BASE)
        frozen.move_to(START + timedelta(days=30))
        assert here.live_now(4, 5) == [Learnt(SIGNATURE, 4), Learnt(SIGNATURE, 5)]
        frozen.move_to(START + timedelta(days=90) + late)
        learnt = here.live_now(6)[0]
        assert (learnt.made, learnt.draft) == (made, made)
        if made:
            case = here.only()
            assert (case.id, case.status) == (BASE, "draft")
            assert case.situation.endswith(
                "A case of this error was rejected on 2026-03-20; it has happened again since."
            )
            assert here.queue() == [(BASE, "learnt"), (BASE, "tombstone")]
            assert here.live_now(7)[0].made is False
        else:
            assert here.cases == {}


def test_what_happened_before_the_rejection_does_not_count_for_the_draft(tmp_path):
    with standing_still(tmp_path) as (here, frozen):
        here.live_now(1, 2, 3)
        frozen.tick(60)
        here.reject(BASE)
        frozen.move_to(START + timedelta(days=100))
        assert [each.made for each in here.live_now(4, 5, 6)] == [False, False, True]


def test_a_draft_that_is_rejected_again_has_a_tombstone_again(tmp_path):
    with standing_still(tmp_path) as (here, frozen):
        here.live_now(1, 2, 3)
        here.reject(BASE)
        frozen.move_to(START + timedelta(days=90))
        here.live_now(4, 5, 6)
        frozen.tick(60)
        here.reject(BASE)
        frozen.move_to(START + timedelta(days=179))
        assert not any(each.made for each in here.live_now(7, 8, 9))
        frozen.move_to(START + timedelta(days=181))
        assert [each.made for each in here.live_now(10)] == [True]


def test_an_undone_rejection_leaves_no_tombstone(tmp_path):
    with standing_still(tmp_path) as (here, _):
        here.live_now(1, 2, 3)
        here.reject(BASE)
        (rejected,) = here.log("reject")
        here.store.restore(BASE)
        here.say("undo", BASE, entry=rejected.id)
        assert here.live_now(4)[0].case_id == BASE
        assert here.live_now(5, user="bob")[0] == Learnt(SIGNATURE, 1)
        assert here.live_now(6, 7, user="bob")[-1].made


# -- days ------------------------------------------------------------------------------------------------------------------

NIGHT = datetime(2026, 3, 20, 23, 59, 59, 999999, tzinfo=UTC)


def limited(**limits):
    return Policy.model_validate({"limits": limits})


def test_over_the_days_cases_nothing_is_lost_and_the_next_days_error_makes_the_case(tmp_path):
    with standing_still(tmp_path, limited(detector_cases=2)) as (here, frozen):
        frozen.move_to(NIGHT)
        for kind in "abc":
            here.live_now(f"{kind}1", f"{kind}2", f"{kind}3", signature=kind)
        assert here.live_now("c4", signature="c")[0].trouble == (
            "limit detector_cases: 2 cases that the detector made for this user today (UTC); the error is counted, and makes its "
            "case when it occurs on another day"
        )
        assert set(here.cases) == {case_id_of("a"), case_id_of("b")}
        (limit,) = here.log("limit")
        assert (limit.body["limit"], limit.body["most"], limit.body["user"], limit.body["day"]) == (
            "detector_cases", 2, "ann", "2026-03-20",
        )  # fmt: skip
        assert here.live_now("d1", "d2", "d3", signature="d", user="bob")[-1].made
        frozen.move_to(NIGHT + TICK)
        learnt = here.live_now("c5", signature="c")[0]
        assert (learnt.made, learnt.occurrences) == (True, 5)


def test_over_the_days_new_signatures_nothing_is_lost_and_the_next_days_error_makes_the_case(tmp_path):
    with standing_still(tmp_path, limited(new_signatures=3)) as (here, frozen):
        frozen.move_to(NIGHT)
        for kind in "abcd":
            here.live_now(f"{kind}1", signature=kind)
        for kind in "abcd":
            here.live_now(f"{kind}2", f"{kind}3", signature=kind)
        assert set(here.cases) == {case_id_of(kind) for kind in "abc"}
        assert [entry.body["limit"] for entry in here.log("limit")] == ["new_signatures"]
        assert here.live_now("d4", signature="d", user="bob")[0].made is False
        frozen.move_to(NIGHT + TICK)
        assert here.live_now("d5", signature="d")[0].made
        assert len(here.log("limit")) == 1


def test_an_old_signature_is_not_new(tmp_path):
    with standing_still(tmp_path, limited(new_signatures=3)) as (here, frozen):
        here.live_now("o1", "o2", signature="old")
        frozen.move_to(START + timedelta(days=1))
        for kind in "abcd":
            here.live_now(f"{kind}1", signature=kind)
        assert here.live_now("o3", signature="old")[0].made


@pytest.mark.parametrize("at", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
def test_the_ends_of_time_are_times_like_others(tmp_path, at):
    policy = Policy.model_validate(
        {"timezone": "Asia/Shanghai", "detector": {"within": "900000d", "tombstone": "900000d"}}
    )
    with life(tmp_path, policy, at=at) as here:
        assert here.errors(1, 2, 3)[-1].made
        here.detector.catch_up(policy)
        here.detector.catch_up(policy)
        here.reject(BASE)
        assert [each.made for each in here.errors(4, 5, 6)] == [False] * 3
