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


def read(payload: Mapping[str, Any]) -> Event:
    """Read an event; a shell's exit code stands in its result's `metadata.exit`. Raises HookInputError."""
    fields = common(payload, "turn_id")
    if quoted := _RUN.fullmatch(fields["text"]):
        fields["text"] = quoted[1].replace('\\"', '"')
    if fields["name"] == "PostToolUse":
        response = payload.get("tool_response")
        fields["error"] = failure_in(response) if isinstance(response, dict) else None
    elif fields["name"] == "PostToolUseFailure":
        fields["error"] = text_of(payload, "error") or "the tool failed"
        fields["denied"] = "rejected permission" in fields["error"].lower()
    return Event(**fields)


def write(event: Event, injection: Injection) -> Reply:
    """Answer as Claude Code's hooks do. A call that wants a yes is denied: the plugin can refuse a call, and ask nobody."""
    if event.kind == "tool":
        return decided(event, injection, asks=False)
    return said(event, injection.text)
