"""A task over its limits is cut value by value: what says what is done stays, and the whole fits."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casebook.clock import elapsed
from casebook.cut_text import GAP, ends_of, size_of
from casebook.faults import TaskError
from casebook.fitting import COMMANDS, TELLING, bounded, fitted, task_within, within
from casebook.limits import NESTING, TASK_BYTES
from casebook.runtime.facts import calls, paths
from casebook.runtime.facts.shell import commands
from casebook.task import Task

MB = 1_048_576


def nested(levels: int, value: Any = "x") -> Any:
    for _ in range(levels):
        value = [value]
    return value


def ring() -> dict[str, Any]:
    made: dict[str, Any] = {}
    made["self"] = made["again"] = made
    return made


PADDING: dict[str, Any] = {
    "a long text": "x" * 2 * MB, "much that is escaped": '"\\\n\0' * MB, "Chinese": "推送" * MB, "half characters": "\ud800" * MB,
    "deep": nested(800), "deeper": nested(NESTING), "a ring": ring(), "many numbers": [1] * 500_000, "many texts": ["xyz" * 100] * 20_000,
    "lists of lists": [[["x" * 50] * 200] * 200], "many names": {f"k{at}": at for at in range(200_000)}, "a long name": {"n" * 2 * MB: 1},
    "long integers": [10**4000] * 500, "a longer integer": 10**4_000_000,
}  # fmt: skip


@pytest.mark.parametrize("padding", PADDING.values(), ids=PADDING.keys())
def test_whatever_is_beside_a_command_it_stays_and_the_task_fits(padding: Any) -> None:
    for args in ({"pad": padding, "command": "git push"}, {"command": "git push", "pad": padding}):
        with pytest.raises(TaskError, match="limit"):
            Task(tool="Bash", args=args)
        started = elapsed()
        task, cut = task_within({"tool": "Bash", "args": args, "user": "ann", "text": None})
        assert elapsed() - started < 20
        assert task.args is not None
        assert (task.tool, task.user, task.args["command"]) == ("Bash", "ann", "git push")
        assert len(json.dumps(task.to_json(), ensure_ascii=False).encode()) <= TASK_BYTES
        assert cut.startswith("the task is larger than its limits: of ")


def test_what_fits_is_as_it_was_and_nothing_is_told() -> None:
    args = {"command": "x" * 900_000, "many": [1] * 5_000, "deep": nested(NESTING - 2), "big": 10**4000}
    assert task_within({"tool": "Bash", "args": args}) == (Task(tool="Bash", args=args), "")
    assert within({"args": args}) == ({"args": args}, "")


def test_a_long_command_has_more_room_than_a_long_text_beside_it() -> None:
    task, cut = task_within({"tool": "Bash", "args": {"command": "x" * 900_000, "content": "y" * 900_000}})
    assert task.args is not None
    assert task.args["command"] == "x" * 900_000
    assert GAP in task.args["content"]
    assert "args.content" in cut
    assert "args.command" not in cut


def test_values_of_other_types_are_left_out_and_told() -> None:
    task, told = task_within({"tool": "Bash", "args": "git push", "text": "hello"})
    assert (task.tool, task.args) == ("Bash", None)
    assert "args" in told
    assert task_within({"tool": "Bash", "args": {"a": {1, 2}, "b": b"x"}})[1] == ""


def test_what_a_command_and_a_path_are_called_is_known_here() -> None:
    assert set(calls._COMMAND_ARGUMENTS) == COMMANDS
    assert {*paths.PATH_ARGUMENTS, *paths.FILE_TOOL_ARGUMENTS} <= TELLING


@pytest.mark.parametrize(("digits", "value"), [("7", 7), ("-" + "9" * 599, -(10**599 - 1)), ("9" * 600, 10**600 - 1), ("9" * 601, 10**600), ("-" + "9" * 5000, -(10**600))])  # fmt: skip
def test_an_integer_has_a_bound(digits: str, value: int) -> None:
    assert bounded(digits) == value


# -- properties -----------------------------------------------------------------------------------------------------------

TEXT = st.text(st.characters(), max_size=40)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(TEXT, st.integers(0, 200))
def test_a_text_that_is_cut_has_its_ends_and_no_more_bytes_than_it_may(text: str, most: int) -> None:
    for command in (False, True):
        cut = ends_of(text, most, command=command)
        assert cut == text if size_of(text) <= most else size_of(cut) <= most + 8
    written = json.dumps(text, ensure_ascii=False).encode("utf-8", "surrogatepass")
    assert len(written) <= size_of(text)


@settings(max_examples=30, deadline=None)
@given(JSON, st.integers(1, 6), TEXT)
def test_a_matching_command_is_still_read_whatever_stands_around_it(pad: Any, more: int, name: str) -> None:
    """Beside it any value, made large; the command itself is short."""
    large = [pad, "y" * 400_000 * more, [pad] * 1_000]
    fields = {"tool": "Bash", "args": {name: large, "command": "git push", f"{name}2": nested(150, pad)}}
    kept, _ = fitted(fields)
    assert kept["args"]["command"] == "git push"
    assert Task(**kept).args is not None


@settings(max_examples=200, deadline=None)
@given(TEXT, st.integers(60, 400), st.integers(1, 60), st.sampled_from(["{c}; echo {p}", "echo {p}; {c}", "{c} # {q}", "# {q}\n{c}", 'echo "{d}" && {c}']))  # fmt: skip
def test_a_command_before_or_after_a_padding_is_run_by_what_is_left(pad: str, most: int, times: int, form: str) -> None:
    """However the padding is quoted: what the shell would run outside of it is outside of it still."""
    several = pad * times
    flat = " ".join(several.split())
    plain = "".join(letter for letter in several if letter not in '"\\`$')
    line = form.format(c="git push origin main", p=shlex.quote(several), q=flat, d=plain)
    if not any(each.action == "git push" for each in commands(line)):
        return  # what the padding is to a shell hides it from the start
    cut = ends_of(line, max(most, 120), command=True)
    assert any(each.action == "git push" for each in commands(cut)), cut
