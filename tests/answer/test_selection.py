"""What is selected, in what order, and the verdict."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from freezegun import freeze_time
from hypothesis import given
from hypothesis import strategies as st

from casebook.case import LoadedCase, Mode
from casebook.clock import system_clock
from casebook.policy import Policy
from casebook.task import Task
from tests.answer.made import ALWAYS, PUSH, ids, loaded, policy_of, selected

MICROSECOND = timedelta(microseconds=1)


def test_nothing_that_matches_is_an_empty_answer() -> None:
    selection = selected([loaded("push", PUSH)])
    assert (selection.cases, selection.omitted, selection.verdict, selection.held) == ((), (), "allow", {})


# -- order -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (loaded("z", effect="block", priority=0), loaded("a", effect="confirm", priority=10)),
        (loaded("z", effect="confirm", priority=0), loaded("a", effect="advise", priority=10)),
        (loaded("z", priority=6), loaded("a", ALWAYS, ALWAYS, priority=5)),
        (loaded("z", ALWAYS, ALWAYS), loaded("a", ALWAYS)),
        (loaded("a"), loaded("b")),
        (loaded("B"), loaded("a")),
        (loaded("case_10"), loaded("case_9")),
    ],
    ids=[
        "block before confirm",
        "confirm before advise",
        "priority",
        "conditions",
        "id",
        "id by code point",
        "id as text",
    ],
)
def test_the_order_is_effect_then_priority_then_conditions_then_id(first: LoadedCase, second: LoadedCase) -> None:
    assert ids(selected([second, first]).cases) == [first.id, second.id]


@given(st.permutations([(effect, priority) for effect in ("block", "confirm", "advise") for priority in (0, 5)]))
def test_the_order_does_not_depend_on_the_matchers(pairs: list[tuple[str, int]]) -> None:
    cases = [loaded(f"{effect}-{priority}", effect=effect, priority=priority) for effect, priority in pairs]
    wanted = ["block-5", "block-0", "confirm-5", "confirm-0", "advise-5", "advise-0"]
    assert ids(selected(cases, policy=policy_of(max_cases=6)).cases) == wanted


# -- verdict -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("effects", "confirmed", "verdict", "binding"),
    [
        ([], [], "allow", []),
        (["advise"], [], "allow", []),
        (["advise", "confirm"], [], "confirm", ["case_1"]),
        (["confirm", "block"], [], "block", ["case_1"]),
        (["confirm", "block"], ["case_1"], "confirm", ["case_0"]),
        (["confirm", "block"], ["case_0"], "block", ["case_1"]),
        (["confirm", "block"], ["case_0", "case_1"], "allow", []),
        (["block", "block"], ["case_0"], "block", ["case_1"]),
        (["block"], ["another"], "block", ["case_0"]),
    ],
)
def test_the_verdict_is_the_gravest_effect_less_what_a_person_agreed_to(
    effects: list[str], confirmed: list[str], verdict: str, binding: list[str]
) -> None:
    cases = [loaded(f"case_{place}", effect=effect) for place, effect in enumerate(effects)]
    selection = selected(cases, Task(confirmed=confirmed))
    assert (selection.verdict, list(selection.binding)) == (verdict, binding)


def test_the_verdict_is_over_all_cases_before_any_limit() -> None:
    selection = selected([loaded(f"c{place}", effect="block") for place in range(9)], policy=policy_of(max_cases=0))
    assert (selection.cases, selection.verdict, len(selection.binding)) == ((), "block", 9)


def test_what_a_person_agreed_to_keeps_its_place_as_advice() -> None:
    cases = [loaded("agreed", effect="block"), loaded("sixth", priority=6), loaded("fourth", priority=4)]
    selection = selected(cases, Task(confirmed=["agreed"]))
    assert ids(selection.cases) == ["sixth", "agreed", "fourth"]
    assert selection.weights["agreed"] == "agreed"


# -- limits ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("task", "options", "most"),
    [
        (Task(), {}, 5),
        (Task(tool="shell"), {}, 3),
        (Task(point="tool"), {}, 3),
        (Task(tool="shell", point="task"), {}, 5),
        (Task(), {"tool_host": True}, 3),
    ],
)
def test_five_cases_are_selected_and_three_where_a_tool_is_called(
    task: Task, options: dict[str, Any], most: int
) -> None:
    cases = [loaded(f"case_{place}", on=("task", "tool")) for place in range(8)]
    selection = selected(cases, task, **options)
    assert ids(selection.cases) == [f"case_{place}" for place in range(most)]
    assert list(selection.omitted) == [f"case_{place}" for place in range(most, 8)]


def test_a_case_that_finds_no_room_is_left_out_whole_and_shorter_ones_after_it_are_not() -> None:
    cases = [
        loaded("first", correction="x" * 700, priority=9),
        loaded("second", correction="y" * 700, priority=8),
        loaded("third", correction="short", priority=7),
    ]
    selection = selected(cases)
    assert ids(selection.cases) == ["first", "third"]
    assert selection.omitted == ("second",)


def test_blocks_beyond_the_limits_are_told_apart_from_the_rest() -> None:
    cases = [loaded(f"b{place}", effect="block") for place in range(3)] + [loaded("a")]
    selection = selected(cases, policy=policy_of(max_cases=1))
    assert selection.omitted == ("b1", "b2", "a")
    assert selection.omitted_blocks == ("b1", "b2")


# -- time --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "offset", "fires"),
    [
        ("created", -MICROSECOND, False),
        ("created", timedelta(0), True),
        ("created", MICROSECOND, True),
        ("expires", -MICROSECOND, True),
        ("expires", timedelta(0), False),
        ("expires", MICROSECOND, False),
    ],
)
def test_a_case_begins_at_its_instant_and_is_silent_from_its_end_on(field: str, offset: timedelta, fires: bool) -> None:
    boundary = datetime(2026, 3, 20, tzinfo=UTC)
    limits: dict[str, Any] = {field: boundary}
    case = loaded("case_1", **limits)
    selection = selected([case], at=boundary + offset)
    assert ids(selection.cases) == (["case_1"] if fires else [])
    reason = {"created": "created", "expires": "expired"}[field] + ":2026-03-20T00:00:00+00:00"
    assert selection.held == ({} if fires else {"case_1": reason})


@pytest.mark.parametrize(
    ("moment", "fires"),
    [
        ("2026-03-19 23:59:59.999999", False),
        ("2026-03-20 00:00:00", True),
        ("2026-04-18 23:59:59.999999", True),
        ("2026-04-19 00:00:00", False),
    ],
)
def test_a_ttl_counts_from_created_at_on_the_one_clock(moment: str, fires: bool) -> None:
    created = datetime(2026, 3, 20, tzinfo=UTC)
    draft = loaded("case_1", created_at="2026-03-20", ttl="30d")
    length = draft.case.ttl_length
    assert length is not None
    case = replace(draft, created=created, expires=created + length)
    with freeze_time(moment):
        assert bool(selected([case], at=system_clock()).cases) is fires


# -- status, point, mode -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", ["draft", "disabled", "archived"])
def test_only_active_cases_fire(status: str) -> None:
    selection = selected([loaded("case_1", status=status, effect="block")])
    assert (selection.cases, selection.verdict, selection.held) == ((), "allow", {"case_1": f"status:{status}"})


@pytest.mark.parametrize("point", ["task", "tool", "answer", "session_start", "tick"])
def test_a_case_fires_at_its_points_only(point: str) -> None:
    every = ("task", "tool", "answer", "session_start", "tick")
    others = tuple(each for each in every if each != point)
    selection = selected([loaded("here", on=(point,)), loaded("elsewhere", on=others)], Task(point=point))
    assert ids(selection.cases) == ["here"]
    assert selection.held == {"elsewhere": "point:" + ",".join(others)}


MODES: tuple[Mode, ...] = ("off", "shadow", "advise", "enforce")


@pytest.mark.parametrize("own", [None, *MODES])
@pytest.mark.parametrize("policy", MODES)
def test_a_case_serves_in_the_more_careful_of_its_own_and_the_policys_mode(policy: Mode, own: Mode | None) -> None:
    mode = policy if own is None else min(policy, own, key=MODES.index)
    case = loaded("case_1", effect="block", mode=own)
    selection = selected([case], policy=Policy(mode=policy))
    assert ids(selection.cases) == (["case_1"] if mode in ("advise", "enforce") else [])
    assert selection.verdict == ("block" if mode == "enforce" else "allow")
    assert selection.held == ({"case_1": f"mode:{mode}"} if mode in ("off", "shadow") else {})
    assert ids(selection.shadowed) == (["case_1"] if mode == "shadow" else [])


def test_under_advise_a_block_takes_its_place_as_advice() -> None:
    cases = [loaded("block", effect="block", priority=1), loaded("advice", priority=2)]
    assert ids(selected(cases, policy=Policy(mode="advise")).cases) == ["advice", "block"]


# -- what is spent -----------------------------------------------------------------------------------------------------


def test_what_the_journal_says_is_spent_is_held_back_but_never_a_block_or_confirm() -> None:
    cases = [loaded(effect, effect=effect) for effect in ("advise", "confirm", "block")]
    selection = selected(cases, spent=lambda case: f"cooldown of {case.id}")
    assert ids(selection.cases) == ["block", "confirm"]
    assert selection.held == {"advise": "spent:cooldown of advise"}


def test_the_journal_is_asked_only_of_cases_that_would_speak() -> None:
    asked: list[str] = []
    cases = [loaded("draft", status="draft"), loaded("off", mode="off"), loaded("active")]
    selected(cases, spent=lambda case: asked.append(case.id))
    assert asked == ["active"]
