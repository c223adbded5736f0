"""A host's JSON as it is read: nested without end, numbers without end, or torn, it still says what a call is of."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from casebook.fitting import bounded
from casebook.limits import NESTING

_DEEPEST = NESTING + 50
"""Levels of an event that are read where Python's parser cannot follow it; a task's own are fewer."""
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]', re.DOTALL)
_NAMED = (
    "hook_event_name", "event", "session_id", "cwd", "tool_name", "toolName", "sessionKey", "sessionId", "workspaceDir",
)  # fmt: skip
_FIELD = re.compile(r'"({})"\s*:\s*("(?:[^"\\]|\\.)*+")'.format("|".join(_NAMED)))
_OF_CONTEXT = frozenset({"sessionKey", "sessionId", "workspaceDir"})


def read_json(text: str) -> Any:
    """Give a JSON value; what is nested deeper than is ever looked at is null, and an integer has a bound. Raises ValueError."""
    try:
        return json.loads(text, parse_int=bounded)
    except RecursionError:
        pass
    try:
        return json.loads(_shallow(text), parse_int=bounded)
    except RecursionError:  # this process itself is deep in its work
        raise ValueError("nested too deep to be read") from None


def _shallow(text: str) -> str:
    """Give JSON whose values below a depth are null."""
    pieces, kept, depth = [], 0, 0
    for found in _TOKEN.finditer(text):
        sign = found.group()[0]
        if sign in "[{":
            depth += 1
            if depth == _DEEPEST:
                pieces.append(text[kept : found.start()])
        elif sign in "]}":
            if depth == _DEEPEST:
                pieces.append("null")
                kept = found.end()
            depth -= 1
    pieces.append(text[kept:] if depth < _DEEPEST else "")
    return "".join(pieces)


def named_in(text: str) -> Mapping[str, Any]:
    """Give what the beginning of an event that cannot be read says of it: which it is, of which session, folder and tool."""
    found: dict[str, Any] = {}
    for name, value in _FIELD.findall(text):
        try:
            found.setdefault(name, json.loads(value))
        except ValueError:
            continue
    return {**found, "ctx": {name: found[name] for name in _OF_CONTEXT if name in found}}
