"""The table of DESIGN section 7, case by case: R1–R4, S1–S5, thresholds, P1–P3, and what beats what."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from casebook.gate.lifetimes import Limit
from casebook.gate.rules import (
    POINTS,
    PRECEDENCE,
    RULES,
    Piece,
    age_step,
    by_points,
    decide_promotion,
    r1,
    r2,
    r3,
    r4,
    s1,
    s2,
    s3,
    s4,
    s5,
    t4,
)
from casebook.gate.tiering import settle
from casebook.memory import Memory

NOW = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)
HOURS = timedelta(hours=1)


def verdict(rule, given):
    said = rule(given)
    assert said is not None
    return said


def piece(view="the sky is blue", kind="fact", **more):
    return Piece(view=view, kind=kind, now=NOW, **more)


def tier(verdict):
    return verdict and verdict.tier


@pytest.mark.parametrize(
    "given, expected",
    [
        (piece(kind="identity"), "L3"),
        (piece(kind="principle"), "L3"),
        (piece("i prefer tabs", "preference"), "L3"),
        (piece("我喜欢简洁的回答", "preference"), "L3"),
        (piece("i'd like a coffee", "preference"), None),
        (piece("今天想喝茶", "preference"), None),
        (piece("i prefer tabs", "preference", limit=Limit(NOW + 72 * HOURS)), None),
        (piece(kind="usage"), "L2"),
        (piece(kind="project_state"), "L2"),
        (piece(kind="temporary"), "L1"),
        (piece(kind="fact"), None),
        (piece(kind="decision"), None),
    ],
)
def test_r1_decides_by_kind(given, expected):
    assert tier(r1(given)) == expected


@pytest.mark.parametrize(
    "given, why",
    [
        (piece(cost="high"), "L3"),
        (piece("this is a hard constraint of the bank"), "L3"),
        (piece("这是合规要求"), "L3"),
        (piece("the index took us three weeks to build"), "L3"),
        (piece("这份数据重建成本很高"), "L3"),
        (piece(cost="low"), "down"),
        (piece("the token can be regenerated"), "down"),
        (piece("这个值随时可以查"), "down"),
    ],
)
def test_r2_decides_by_the_cost_of_change(given, why):
    assert verdict(r2, given).why.endswith(why)


def test_r2_has_nothing_to_say_of_what_costs_nothing_in_particular():
    assert r2(piece()) is None


def test_down_is_one_tier_below_what_the_points_give():
    assert settle(piece("i must always do it because of the audit", cost=None), 0).tier == "L2"
    lowered = settle(piece("we must always do it because of the principle; it can be regenerated", "decision"), 0)
    assert (lowered.score, lowered.tier) == (15, "L1")


@pytest.mark.parametrize("by", ["tool", "model", "agent"])
def test_r3_an_unconfirmed_observation_comes_to_l2_at_most(by):
    assert verdict(r3, piece(by=by)).most == "L2"
    assert r3(piece(by=by, confirmed=True)) is None
    assert settle(piece(kind="identity", by=by), 10).tier == "L2"
    assert settle(piece(kind="identity", by=by, confirmed=True), 10).tier == "L3"


@pytest.mark.parametrize("kind", ["identity", "principle"])
def test_r3_the_users_own_words_on_identity_or_principle_are_for_l3(kind):
    assert verdict(r3, piece(kind=kind)).tier == "L3"
    assert r3(piece(kind="fact")) is None


def test_r4_is_the_explicit_word():
    assert tier(r4(piece(pinned=True))) == "L3"
    assert tier(r4(piece(lowered=True))) == "L1"
    assert verdict(r4, piece(archived=True)).why == "asked to go → out"
    assert r4(piece()) is None


@pytest.mark.parametrize(
    "rule, given, points",
    [
        (s1, piece(kind="identity"), 30),
        (s1, piece(kind="principle"), 30),
        (s1, piece("i prefer tabs", "preference"), 30),
        (s1, piece("my first job was at a bank", is_users=True), 30),
        (s1, piece(kind="usage"), 10),
        (s1, piece(), None),
        (s2, piece(cost="high"), 30),
        (s2, piece("this must hold"), 30),
        (s2, piece("we always do it"), 30),
        (s2, piece("it holds until changed"), 30),
        (s2, piece("必须保留"), 30),
        (s2, piece(kind="decision"), 30),
        (s2, piece(cost="low"), -20),
        (s2, piece("see the docs for it"), -20),
        (s2, piece(), None),
        (s3, piece(), 20),
        (s3, piece(by="model"), 5),
        (s3, piece(by="tool"), 5),
        (s4, piece("tabs because of the tool"), 15),
        (s4, piece("因为团队熟悉"), 15),
        (s4, piece("use it with pnpm"), 5),
        (s4, piece("先编译再执行"), 5),
        (s4, piece("run make because it is faster"), 20),
        (s4, piece(), None),
        (s5, piece(kind="temporary"), -40),
        (s5, piece(limit=Limit(NOW + HOURS)), -20),
        (s5, piece(kind="temporary", limit=Limit(NOW + HOURS)), -60),
        (s5, piece(), None),
    ],
)
def test_points_are_as_printed(rule, given, points):
    assert (rule(given).points if rule(given) else None) == points


@pytest.mark.parametrize("score, expected", [(95, "L3"), (80, "L3"), (79, "L2"), (40, "L2"), (39, "L1"), (-60, "L1")])
def test_thresholds_are_80_and_40(score, expected):
    assert by_points(score) == expected


@pytest.mark.parametrize(
    "after, expected",
    [(48 * HOURS, "L1"), (48 * HOURS + timedelta(milliseconds=1), "L2"), (HOURS, "L1"), (480 * HOURS, "L2")],
)
@pytest.mark.parametrize("kind", ["temporary", "fact", "preference", "identity", "rule"])
def test_a_date_beyond_48_hours_is_for_l2_and_a_nearer_one_for_l1(after, expected, kind):
    given = piece(kind=kind, limit=Limit(NOW + after))
    assert tier(t4(given)) == expected
    assert settle(given, 10).tier == expected


@pytest.mark.parametrize(
    "given, decides, expected",
    [
        (piece(kind="temporary", pinned=True), "R4", "L3"),
        (piece(kind="identity", by="tool", pinned=True), "R4", "L3"),
        (piece(kind="identity", lowered=True), "R4", "L1"),
        (piece(kind="identity", by="model"), "R3", "L2"),
        (piece("this is a hard constraint", by="tool"), "R3", "L2"),
        (piece(kind="identity", cost="low"), "R3", "L3"),
        (piece(kind="usage", cost="high"), "R1", "L2"),
        (piece(kind="fact", cost="high"), "R2", "L3"),
        (piece(kind="usage"), "R1", "L2"),
        (piece(kind="fact"), "T3", "L1"),
    ],
)
def test_precedence(given, decides, expected):
    settled = settle(given, 10)
    assert settled.tier == expected
    prevailing = [step.rule for step in settled.chain if "overruled by" not in step.why and step.rule[0] != "S"]
    assert decides in prevailing
    losers = [step for step in settled.chain if "overruled by" in step.why]
    assert all(f"overruled by {decides}" in step.why for step in losers)


def test_the_precedence_is_the_designs():
    assert PRECEDENCE == (("R4", "P3"), ("R3",), ("P1",), ("R1", "R2"), ("S1", "S2", "S3", "S4", "S5"))


def test_p3_a_correction_by_the_user_is_judged_on_its_own_words_and_one_by_a_tool_is_none():
    assert "P3" in [step.rule for step in settle(piece(corrects=True), 10).chain]
    assert "P3" not in [step.rule for step in settle(piece(corrects=True, by="tool"), 10).chain]


@pytest.mark.parametrize("score_of, is_grey", [("fact", False), ("feedback", True), ("decision", True)])
def test_grey_is_what_points_alone_decided_within_ten_of_a_threshold(score_of, is_grey):
    settled = settle(piece(kind=score_of), 10)
    assert settled.score == {"fact": 20, "feedback": 50, "decision": 50}[score_of]
    assert settled.is_grey == is_grey
    assert not settle(piece(kind=score_of), 9).is_grey
    assert not settle(piece(kind=score_of, pinned=True), 10).is_grey


def memory(tier="L2", **more):
    return Memory.from_json({"id": "m-1", "kind": "usage", "text": "learning RAG", "tier": tier, **more})


@pytest.mark.parametrize(
    "given, held, expected, rule, review",
    [
        (memory(), True, "L3", "P1", ""),
        (memory(), False, None, "P1", ""),
        (memory("L1"), True, None, "P1", ""),
        (memory("L3"), True, None, "P1", ""),
        (memory(source={"origin": "tool"}), True, None, "R3", "unconfirmed"),
        (memory(source={"origin": "agent"}), True, None, "R3", "unconfirmed"),
        (memory(source={"origin": "user", "by": "model"}), True, None, "R3", "unconfirmed"),
        (memory(source={"origin": "tool"}, confirmed=True), True, "L3", "P1", ""),
        (memory(source={"origin": "outcome", "by": "person"}), True, "L3", "P1", ""),
        (memory(source={"origin": "user"}), True, "L3", "P1", ""),
        (memory(source={"origin": "tool"}, pinned=True), False, "L3", "R4", ""),
    ],
)
def test_p1_promotes_below_what_r3_and_r4_say(given, held, expected, rule, review):
    reached, step, why = decide_promotion(given, held)
    assert (reached, step.rule, why) == (expected, rule, review)


def test_p2_says_how_long_it_was_unused_and_quotes_nothing():
    step = age_step(memory(ttl="30d"), 31.04)
    assert step.rule == "P2"
    assert "31.0 days" in step.why
    assert "30d" in step.why
    assert "RAG" not in step.why


def test_every_rule_has_a_number_of_its_own_a_source_and_something_that_decides():
    numbers = [rule.number for rule in RULES]
    assert len(set(numbers)) == len(numbers)
    assert {"R1", "R2", "R3", "R4", "S1", "S2", "S3", "S4", "S5", "P1", "P2", "P3"} <= set(numbers)
    assert all(rule.source in ("design", "ours") and callable(rule.decide) for rule in RULES)


def test_the_chain_holds_every_rule_of_points_that_gave_something_and_their_sum():
    given = piece("we must use pnpm because it is faster", "decision")
    settled = settle(given, 10)
    told = {
        step.rule: int(step.why.split(":")[0])
        for step in settled.chain
        if step.rule in {rule.number for rule in POINTS}
    }
    assert sum(told.values()) == settled.score
    assert told == {"S2": 30, "S3": 20, "S4": 20}


def test_no_step_quotes_what_was_said():
    for kind in ("identity", "temporary", "decision", "fact"):
        for step in settle(replace(piece("zanzibar must always"), kind=kind), 10).chain:
            assert "zanzibar" not in step.why
