"""A task: what is taken, what is missing, and what is refused."""

import json
import math
import sys
from datetime import UTC, date, datetime
from enum import Enum
from pathlib import PurePosixPath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook import Task, TaskError


def test_a_string_is_one_intent_and_one_team() -> None:
    task = Task(intent="主动推送", team="core")
    assert (task.intent, task.team) == (("主动推送",), ("core",))
    assert Task(intent=["a", "b"]).intent == ("a", "b")


@pytest.mark.parametrize(
    "fields, point",
    [({}, "task"), ({"tool": "shell"}, "tool"), ({"tool": "shell", "point": "task"}, "task"), ({"tool": None}, "task")],
)
def test_the_point_is_tool_where_a_tool_is_named(fields: dict[str, Any], point: str) -> None:
    assert Task(**fields).point == point


def test_null_is_missing_everywhere() -> None:
    assert Task.from_json(dict.fromkeys(Task.model_fields)) == Task()


def test_nan_is_missing_with_a_warning() -> None:
    task = Task(args={"a": float("nan"), "b": 1.5})
    assert task.args == {"a": None, "b": 1.5}
    assert task.warnings == ("args.a is nan, which is no JSON value: taken as missing",)


class Amount(float):
    """A host's own kind of number."""


@pytest.mark.parametrize("kind", [float, Amount])
@pytest.mark.parametrize("sign", [1, -1])
def test_an_infinity_is_the_largest_number_of_its_sign_with_a_warning(kind: type[float], sign: int) -> None:
    task = Task.from_json({"args": {"b": [1.5, kind(sign * math.inf)]}})
    assert task.args == {"b": [1.5, sign * sys.float_info.max]}
    (warning,) = task.warnings
    assert warning.startswith(f"args.b[1] is {sign * math.inf}, ")
    assert Task.from_json(json.loads(json.dumps(task.to_json()))).args == task.args


def test_a_number_of_any_length_is_kept_for_it_compares_as_any_other() -> None:
    task = Task(args={"n": 10**5_000})
    assert task.args is not None
    assert task.args["n"] > 1_000
    assert task.warnings == ()


def test_lone_surrogates_become_the_replacement_character() -> None:
    task = Task(text="a\ud800b", args={"k\udfff": "😀"})
    assert (task.text, task.args) == ("a\ufffdb", {"k\ufffd": "😀"})


def test_python_values_that_have_an_obvious_reading_are_read() -> None:
    class Colour(Enum):
        RED = "red"

    args = {"t": (1, 2), "s": {3}, "p": PurePosixPath("/etc"), "d": date(2026, 3, 20), "e": Colour.RED, "n": {5: True}}
    task = Task(args=args)
    assert task.args == {"t": [1, 2], "s": [3], "p": "/etc", "d": "2026-03-20", "e": "red", "n": {"5": True}}
    assert task.warnings == ()


def test_what_is_no_json_value_is_missing_with_a_warning() -> None:
    task = Task(args={"a": object(), "b": b"x"})
    assert task.args == {"a": None, "b": None}
    assert [warning.split(" ")[0] for warning in task.warnings] == ["args.a", "args.b"]


@pytest.mark.parametrize(
    "fields, told",
    [
        ({"txt": "a"}, r'no field is called "txt" \(text\)'),
        ({"text": 5}, "text: expected text, got 5"),
        ({"intent": 5}, "intent: expected a list, got 5"),
        ({"intent": ["a", 5]}, r"intent\[1\]: expected text, got 5"),
        ({"args": "x"}, 'args: expected an object, got "x"'),
        ({"point": "tol"}, r"\(tool\)"),
        ({"at": "yesterday"}, "at: expected an ISO date-time"),
        ({"at": []}, "at: expected an ISO date-time"),
        ({"history": {}}, "history: expected a list"),
        ({"history": [5]}, r"history\[0\]: expected an object"),
        ({"history": [{"kind": "tol"}]}, r'history\[0\].kind: expected "tool"'),
        ({"history": [{}]}, r"history\[0\].kind"),
        ({"history": [{"kind": "tool", "tol": "x"}]}, r'history\[0\].tol: no field is called "tol" \(tool\)'),
        ({"history": [{"kind": "tool", "at": "x"}]}, r"history\[0\].at: expected an ISO"),
        ({"history": [{"kind": "tool", "at": 5}]}, r"history\[0\].at: expected an ISO"),
        ({"text": "x" * 1_100_000}, "limit: task"),
        ({"text": "中" * 400_000}, "limit: task"),
        ({"args": {"n": [10**3_000] * 500}}, "limit: task"),
        ({"args": {"n": 10**3_000_000}}, "limit: task"),
    ],
)
def test_a_bad_task_is_a_task_error_that_says_why(fields: dict[str, Any], told: str) -> None:
    with pytest.raises(TaskError, match=told):
        Task(**fields)


@pytest.mark.parametrize("form", [None, 5, [], "x", {5: 6}])
def test_what_is_no_object_with_names_is_no_task(form: object) -> None:
    with pytest.raises(TaskError):
        Task.from_json(form)


def test_a_task_of_just_under_a_megabyte_is_taken() -> None:
    assert len(Task(text="x" * 1_000_000).text or "") == 1_000_000


def test_a_ring_of_references_is_refused() -> None:
    ring: dict[str, Any] = {}
    ring["self"] = ring
    with pytest.raises(TaskError, match="limit: nesting"):
        Task(args=ring)


def test_events_of_a_history_have_instants_and_errors_with_messages() -> None:
    task = Task(history=[{"kind": "error", "at": "2026-03-20T09:00:00Z", "error": "it broke"}])
    assert task.history == (
        {"kind": "error", "at": datetime(2026, 3, 20, 9, tzinfo=UTC), "error": {"message": "it broke"}},
    )


def test_a_task_reads_back_what_it_wrote() -> None:
    task = Task(text="a", intent="b", tool="shell", args={"x": [1]}, at="2026-03-20T09:00:00Z", confirmed=["c"])
    assert Task.from_json(task.to_json()) == task


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.sampled_from([*Task.model_fields, "other"]), _JSON, max_size=5))
def test_any_object_is_a_task_or_a_task_error(form: dict[str, Any]) -> None:
    try:
        task = Task.from_json(form)
    except TaskError:
        return
    assert Task.from_json(task.to_json()) == task
