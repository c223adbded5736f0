"""A case's own examples are run, and where one breaks it is said why."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from casebook.case import Case, LoadedCase
from casebook.conditions.parse import parse
from casebook.policy import Policy
from casebook.runtime.lint.examples import examine
from casebook.stores.protocol import Snapshot


def examined(fires=(), silent=(), conditions=("tool is shell",), created=None, expires=None, **fields):
    form = {
        "id": "a",
        "trigger_conditions": conditions,
        "correction": "Wait.",
        "examples": {"fires": list(fires), "silent": list(silent)},
        **fields,
    }
    nodes = tuple(parse(each) for each in conditions)
    loaded = LoadedCase(Case.from_json(form), nodes, "UTC", created, expires, "long_term/cases.json", 3, "", "v")
    return examine(Snapshot(1, {"a": loaded}, (), Policy()))


def test_examples_that_come_out_as_they_say_give_no_fault():
    outcome = examined(
        fires=[{"tool": "shell"}], silent=[{"tool": "edit"}, {"text": "hello"}], on=["tool"], status="draft"
    )
    assert outcome.count == 3
    assert outcome.faults == ()


BROKEN: dict[str, tuple[dict[str, Any], str, str]] = {
    "a condition": (
        {"fires": [{"tool": "edit"}], "on": ["tool"]},
        "examples.fires[0]",
        'but trigger_conditions[0] does not hold: tool: "edit", wanted tool is "shell"',
    ),
    "a point": ({"fires": [{"tool": "shell", "point": "answer"}], "on": ["tool"]}, "examples.fires[0]", "but "),
    "a scope": (
        {"fires": [{"tool": "shell"}], "on": ["tool"], "scope": {"user": "ann"}},
        "examples.fires[0]",
        "but it is for user ann only",
    ),
    "not silent": (
        {"silent": [{"tool": "edit"}, {"tool": "shell"}], "on": ["tool"]},
        "examples.silent[1]",
        "expected the case to stay silent on this task, but all its conditions hold",
    ),
    "no task": ({"fires": [{"tol": "shell"}]}, "examples.fires[0]", "this is no task: "),
    "a history": (
        {"fires": [{"history": [{"kind": "tool", "tool": "shell"}]}], "conditions": ("no earlier tool",)},
        "examples.fires[0]",
        "but trigger_conditions[0] does not hold",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_example_is_a_fault_with_its_place_and_what_failed(name):
    given, field, words = BROKEN[name]
    outcome = examined(**given)
    (fault,) = outcome.faults
    assert (fault.case, fault.line, fault.field, fault.severity) == ("a", 3, field, "error")
    assert words in fault.message


@pytest.mark.parametrize(
    ("at", "fires"),
    [
        ("2026-03-19T23:59:59+00:00", False),
        ("2026-03-20T00:00:00+00:00", True),
        ("2026-04-18T23:59:59+00:00", True),
        ("2026-04-19T00:00:00+00:00", False),
    ],
)
def test_an_example_that_sets_its_instant_is_held_to_the_life_of_the_case(at, fires):
    life = {"created": datetime(2026, 3, 20, tzinfo=UTC), "expires": datetime(2026, 4, 19, tzinfo=UTC), "on": ["tool"]}
    outcome = examined(fires=[{"tool": "shell", "at": at}], **life)
    assert (outcome.faults == ()) is fires


@pytest.mark.parametrize(
    ("created", "hour"), [(None, 12), (datetime(2026, 3, 20, 5, 0, tzinfo=UTC), 5)], ids=["noon", "created"]
)
def test_an_example_without_an_instant_stands_at_a_fixed_one(created, hour):
    window = f"time between {hour:02d}:00 and {hour + 1:02d}:00"
    assert examined(fires=[{"text": "x"}], conditions=(window,), created=created).faults == ()
