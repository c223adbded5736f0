"""The facts of one tool call, the same for a task and for an event of its history."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casebook.runtime.facts.paths import argument_paths, patch_paths
from casebook.runtime.facts.shell import commands
from casebook.runtime.facts.tools import canonical_tool

_COMMAND_ARGUMENTS = ("command", "cmd", "script", "commands")


def call_facts(native: str, args: Mapping[str, Any] | None, policy_tools: Mapping[str, str]) -> dict[str, Any]:
    """Give `tool`, `tool_native`, and where they are known `action`, `program`, `path`.

    Args:
        native: the host's own name of the tool.
        args: its arguments, or None.
        policy_tools: the policy's alias table.

    Returns:
        One value plain, several as a list without repetition, in the order in which they stand in the command.
    """
    tool = canonical_tool(native, policy_tools)
    values: dict[str, Any] = {"tool": tool, "tool_native": native}
    if not args:
        return values
    if tool == "shell":
        command = _command_of(args)
        if command is not None:
            _shell_facts(command, values)
        return values
    paths = argument_paths(tool, args)
    if paths:
        values["path"] = paths[0] if len(paths) == 1 else paths
    return values


def _command_of(args: Mapping[str, Any]) -> str | list[Any] | None:
    """Give the command of a shell call: text, or the list of arguments."""
    for name in _COMMAND_ARGUMENTS:
        value = args.get(name)
        if isinstance(value, str | list) and value:
            return value
    inner = args.get("action")
    return _command_of(inner) if isinstance(inner, Mapping) and "action" not in inner else None


def _shell_facts(command: str | list[Any], values: dict[str, Any]) -> None:
    """Add what the programs of a command line say."""
    actions: dict[str, None] = {}
    programs: dict[str, None] = {}
    paths: dict[str, None] = {}
    for each in commands(command):
        actions[each.action] = None
        programs[each.program] = None
        for path in each.paths:
            paths[path] = None
    text = command if isinstance(command, str) else " ".join(each for each in command if isinstance(each, str))
    if "*** Begin Patch" in text:
        paths.update(dict.fromkeys(patch_paths(text)))
    for name, found in (("action", actions), ("program", programs), ("path", paths)):
        if found:
            values[name] = next(iter(found)) if len(found) == 1 else list(found)
