"""OpenCode 1.18: what the plugin that `casebook install opencode` writes tells, shaped as Claude Code's hooks (`wiring/data/opencode.js`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from casebook.adapters.hooks.claude_shaped import common, decided, said
from casebook.adapters.hooks.event import Event, Reply, text_of
from casebook.adapters.hooks.failures import failure_in
from casebook.adapters.protocol import Injection

_RUN = re.compile(r'"((?:[^"\\]|\\.)*)"\s*', re.DOTALL)
"""A prompt as `opencode run "…"` hands it on: in quotation marks, as if the person had quoted somebody."""

_REFUSED = re.compile(
    r".{0,40}rejected permission to use this specific tool call(?:.{0,10}with the following feedback:?\s*(.+))?",
    re.DOTALL | re.IGNORECASE,
)
"""How OpenCode tells that its person did not allow a call, and what they said."""
_SILENT = "(no output)"
"""What stands for the output of a command that wrote nothing."""
_ABORTED = re.compile(r"<shell_metadata>\s*User aborted the command[^<]{0,500}</shell_metadata>\s*\Z")
_TIMED_OUT = re.compile(
    r"<shell_metadata>\s*shell tool terminated command after exceeding timeout[^<]{0,500}</shell_metadata>\s*\Z"
)


def read(payload: Mapping[str, Any]) -> Event:
    """Read an event; a shell's exit code stands in its result's `metadata.exit`. Raises HookInputError."""
    fields = common(payload, "turn_id")
    if quoted := _RUN.fullmatch(fields["text"]):
        fields["text"] = quoted[1].replace('\\"', '"')
    if fields["name"] == "PostToolUse":
        response = payload.get("tool_response")
        fields["error"], fields["interrupted"] = _ended(response if isinstance(response, dict) else {})
    elif fields["name"] == "PostToolUseFailure":
        fields["error"] = text_of(payload, "error") or "the tool failed"
        refused = _REFUSED.match(fields["error"])
        fields["denied"] = refused is not None
        fields["text"] = refused[1] or "" if refused else ""
    return Event(**fields)


def _ended(response: Mapping[str, Any]) -> tuple[str | None, bool]:
    """Give the error of a call that ended, if it is one, and whether a person broke it off: a shell that was stopped has no exit code."""
    output = text_of(response, "output")
    if _ABORTED.search(output):
        return "interrupted by the user", True
    if _TIMED_OUT.search(output):
        return output, False
    return failure_in({**response, "output": "" if output.strip() == _SILENT else output}), False


def write(event: Event, injection: Injection) -> Reply:
    """Answer as Claude Code's hooks do. A call that wants a yes is denied: the plugin can refuse a call, and ask nobody."""
    if event.kind == "tool":
        return decided(event, injection, asks=False)
    return said(event, injection.text)
