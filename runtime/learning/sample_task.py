"""A task on which a learnt case fires, made of the constants of its own conditions, so that no call's values get into it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from casebook.conditions.evaluate import Reading, holds
from casebook.conditions.json_form import from_json
from casebook.conditions.tree import Count, Earlier, Field, Node, Or, Test
from casebook.faults import ConditionError, TaskError
from casebook.policy import Policy
from casebook.runtime.facts.extract import extract
from casebook.task import Task


def sample_tasks(form: Mapping[str, Any], policy: Policy, now: datetime) -> list[dict[str, Any]]:
    """Give a task on which a case fires, as `examples.fires` holds it; none where none is found.

    Args:
        form: the JSON of the case.
        policy: of the casebook.
        now: the instant at which it is asked.
    """
    try:
        nodes = [from_json(each, declared=policy.fields) for each in form["trigger_conditions"]]
    except ConditionError:
        return []
    task = dict(form.get("scope", {}))
    for node in nodes:
        _satisfy(node.items[0] if isinstance(node, Or) else node, task)
    try:
        reading = Reading(extract(Task.from_json(task), policy, now))
    except (TaskError, TypeError):
        return []
    return [task] if all(holds(node, reading, policy.timezone) for node in nodes) else []


def _satisfy(node: Node, task: dict[str, Any]) -> None:
    """Put into a task what one condition asks for, as far as a learnt case has such conditions."""
    if isinstance(node, Earlier | Count) or (isinstance(node, Test) and node.field.root == "session"):
        event = {"kind": "error"}
        where = getattr(node, "where", None)
        if isinstance(where, Test) and where.field == Field(("error", "signature")):
            event["error"] = {"signature": where.value}  # type: ignore[assignment]  # a history holds objects
        task["history"] = [event]
    elif isinstance(node, Test):
        _satisfy_test(node, task)
    _mirror(task)


def _satisfy_test(test: Test, task: dict[str, Any]) -> None:
    value = test.value[0] if isinstance(test.value, tuple) else test.value
    root = test.field.root
    if root in ("tool", "intent"):
        task[root] = value
    elif root in ("action", "program"):
        task["tool"] = "shell"
        args = task.setdefault("args", {})
        args["command"] = _also(args.get("command"), str(value))
    elif root == "path":
        begin, end = (value, "") if test.op == "starts_with" else ("", value)
        args = task.setdefault("args", {})
        known = args.get("path", "*")
        args["path"] = known.replace("*", f"{begin}*{end}", 1) if isinstance(known, str) else known
    elif root == "args":
        _satisfy_argument(test, value, task)


def _satisfy_argument(test: Test, value: Any, task: dict[str, Any]) -> None:
    if test.op == "missing":
        return
    held = task.setdefault("args", {})
    *way, last = (str(each) for each in test.field.path[1:])
    for name in way:
        inner = held.setdefault(name, {})
        if not isinstance(inner, dict):
            return
        held = inner
    if test.op == "exists":
        held.setdefault(last, True)
    elif test.op == "contains" and isinstance(value, str):
        held[last] = f"{held[last]} {value}" if isinstance(held.get(last), str) else value
    else:
        held[last] = value


def _also(command: Any, action: str) -> str:
    """Give a command line that runs one more action."""
    if not isinstance(command, str):
        return action
    return command if action in command else f"{command} && {action}"


def _mirror(task: dict[str, Any]) -> None:
    """Let the earlier error be of the task's own tool and command, for `this tool` and `this action`."""
    for event in task.get("history", ()):
        for name in ("tool", "args"):
            if name in task:
                event[name] = task[name]
