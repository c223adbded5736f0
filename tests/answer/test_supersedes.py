"""`supersedes`: who stays silent for whom."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from casebook.policy import Policy
from casebook.task import Task
from tests.answer.made import NIGHT, PUSH, ids, loaded, policy_of, selected

SECOND = timedelta(seconds=1)
TASK = Task(user="ann", team=["red"], project="shop", agent="bot")


@pytest.mark.parametrize(
    ("new", "silent"),
    [
        ({}, True),
        ({"conditions": (PUSH,)}, True),
        ({"status": "draft"}, False),
        ({"status": "disabled"}, False),
        ({"created": NIGHT}, True),
        ({"created": NIGHT + SECOND}, False),
        ({"expires": NIGHT + SECOND}, True),
        ({"expires": NIGHT}, False),
        ({"on": ("tool",)}, False),
        ({"on": ("task", "tool")}, True),
        ({"scope": {"user": "ann"}}, True),
        ({"scope": {"user": "bob"}}, False),
        ({"scope": {"team": "red"}}, True),
        ({"scope": {"team": "blue"}}, False),
        ({"mode": "shadow"}, False),
        ({"mode": "off"}, False),
        ({"mode": "advise"}, True),
    ],
    ids=str,
)
def test_a_case_is_silent_while_its_superseder_is_active_in_scope_and_on_its_point(
    new: dict[str, Any], silent: bool
) -> None:
    conditions = new.pop("conditions", ())
    cases = [loaded("old"), loaded("new", *conditions, supersedes=("old",), **new)]
    selection = selected(cases, TASK)
    assert ("old" not in ids(selection.cases)) is silent
    assert selection.held.get("old") == ("superseded:new" if silent else None)


@pytest.mark.parametrize(
    ("old_scope", "new_scope", "silent"),
    [
        ({}, {}, True),
        ({"user": "ann"}, {}, True),
        ({"user": "ann"}, {"user": "ann"}, True),
        ({"user": "ann", "project": "shop"}, {"project": "shop"}, True),
        ({}, {"user": "ann"}, False),
        ({}, {"agent": "bot"}, False),
        ({"project": "shop"}, {"project": "shop", "user": "ann"}, False),
        ({"project": "shop"}, {"user": "ann"}, False),
        ({"team": "red"}, {"user": "ann"}, False),
    ],
    ids=str,
)
def test_a_block_gives_way_only_to_a_case_for_everyone_whom_it_protects(
    old_scope: dict[str, str], new_scope: dict[str, str], silent: bool
) -> None:
    cases = [loaded("old", effect="block", scope=old_scope), loaded("new", supersedes=("old",), scope=new_scope)]
    assert selected(cases, TASK).verdict == ("allow" if silent else "block")


@pytest.mark.parametrize("effect", ["advise", "confirm"])
def test_advice_and_confirm_give_way_to_a_narrower_case(effect: str) -> None:
    cases = [loaded("old", effect=effect), loaded("new", supersedes=("old",), scope={"user": "ann"})]
    assert ids(selected(cases, TASK).cases) == ["new"]


def test_superseding_is_not_transitive() -> None:
    """`third` names `second`, which names `first`; with `second` disabled nobody silences `first`."""
    third = loaded("third", supersedes=("second",))
    first = loaded("first")
    assert ids(selected([third, loaded("second", supersedes=("first",), status="disabled"), first]).cases) == [
        "first",
        "third",
    ]


def test_a_superseded_case_still_silences_those_it_names() -> None:
    cases = [loaded("third", supersedes=("second",)), loaded("second", supersedes=("first",)), loaded("first")]
    assert ids(selected(cases).cases) == ["third"]


def test_one_of_several_superseders_is_enough() -> None:
    cases = [
        loaded("old"),
        loaded("draft", supersedes=("old",), status="draft"),
        loaded("new", PUSH, supersedes=("old", "unknown")),
    ]
    assert selected(cases).held == {"old": "superseded:new", "draft": "status:draft"}


def test_a_superseded_case_does_not_use_up_a_place() -> None:
    cases = [loaded("new", supersedes=("a",)), loaded("a"), loaded("b")]
    assert ids(selected(cases, policy=policy_of(max_cases=2)).cases) == ["b", "new"]


def test_under_a_policy_in_shadow_nobody_is_silenced() -> None:
    cases = [loaded("old"), loaded("new", supersedes=("old",))]
    assert ids(selected(cases, policy=Policy(mode="shadow")).shadowed) == ["old", "new"]
