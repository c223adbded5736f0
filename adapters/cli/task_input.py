"""The task that `match` and `explain` are asked about: a JSON file, options, or a file with options over it."""

from __future__ import annotations

import json
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError, pairs
from casebook.adapters.cli.source import STDIN, read_json, shown_name
from casebook.limits import TASK_BYTES

if TYPE_CHECKING:
    from casebook.task import Task

TASK_OPTIONS: tuple[str, ...] = (
    "text", "tool", "user", "project", "agent", "session", "channel", "model", "origin", "point", "at", "intent", "team",
    "confirmed", "context",
)  # fmt: skip
"""The options that tell a task, but for `--task` and `--arg`."""
_TEXTS = ("text", "tool", "user", "project", "agent", "session", "channel", "model", "origin", "point", "at")
_SEVERAL = ("intent", "team", "confirmed")
_HELP = {
    "text": "the user's words", "tool": "the tool about to be called", "user": "who asks", "project": "in which project",
    "agent": "which agent", "session": "which session", "channel": "over which channel", "model": "which model",
    "origin": "user, cron, heartbeat or subagent", "point": "task, tool, answer, session_start or tick",
    "at": "its instant (else now)", "intent": "an intent; may be repeated", "team": "a team of the user; may be repeated",
    "confirmed": "id of a case that a person has agreed to; may be repeated",
}  # fmt: skip


def task_arguments(parser: Parser) -> None:
    """Add the options that tell a task."""
    group = parser.add_argument_group("the task")
    group.add_argument(
        "--task", metavar="FILE", help="a task as JSON; - reads it from stdin; options go over its fields"
    )
    for name in _TEXTS:
        group.add_argument(f"--{name}", metavar=name.upper(), help=_HELP[name])
    for name in _SEVERAL:
        group.add_argument(
            f"--{name}", metavar="ID" if name == "confirmed" else name.upper(), action="append", help=_HELP[name]
        )
    group.add_argument(
        "--arg", metavar="KEY=VALUE", action="append", type=pairs("KEY"),
        help="an argument of the tool; a value that is JSON is taken as such",
    )  # fmt: skip
    group.add_argument(
        "--context", metavar="KEY=VALUE", action="append", type=pairs("KEY"), help="a field of context; likewise"
    )


def task_of(options: Namespace) -> Task:
    """Give the task; its warnings are told on stderr.

    Raises:
        UsageError: nothing tells a task, or its file cannot be used.
        TaskError: it is no task.
    """
    form: dict[str, Any] = {}
    told = False
    if options.task is not None:
        form, warnings = _from_file(options.task)
        told = True
        output.several(f"warning: {each}" for each in warnings)
    for name in (*_TEXTS, *_SEVERAL):
        value = getattr(options, name)
        if value is not None:
            form[name] = value
            told = True
    for name, given in (("args", options.arg), ("context", options.context)):
        if given:
            held = form.get(name)
            form[name] = {**(held if isinstance(held, dict) else {}), **{key: value_of(text) for key, text in given}}
            told = True
    if not told:
        raise UsageError(
            "expected a task: --task FILE, --task - for stdin, or options such as --text, --intent, --tool"
        )
    from casebook.faults import TaskError
    from casebook.task import Task

    try:
        task = Task.from_json(form)
    except TaskError as error:
        source = f"{shown_name(options.task)}: " if options.task else ""
        raise TaskError(f"{source}{error}") from None
    output.several(f"warning: {each}" for each in task.warnings)
    return task


def _from_file(name: str) -> tuple[dict[str, Any], list[str]]:
    value, warnings = read_json(name, TASK_BYTES, "task", infinite=True)
    if not isinstance(value, dict):
        from casebook.problems import shown

        source = "stdin" if name == STDIN else name
        raise UsageError(f"{source}: expected a task as a JSON object, got {shown(value)}")
    return value, warnings


def value_of(text: str) -> Any:
    """Give the JSON value that a text is, else the text itself."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return text


def _no_constant(name: str) -> Any:
    raise ValueError(name)
