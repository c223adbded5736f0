"""Gemini CLI: BeforeAgent, BeforeTool, AfterTool; stdout is JSON only (integrations.md, section 3: read in its source, not run)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from casebook.adapters.hooks.claude_shaped import common, said
from casebook.adapters.hooks.event import Event, Kind, Reply, object_of, text_of
from casebook.adapters.protocol import Injection

_KINDS: Mapping[str, Kind] = {
    "SessionStart": "session_start",
    "BeforeAgent": "task",
    "BeforeTool": "tool",
    "AfterTool": "outcome",
    "PreCompress": "compacted",
    "AfterAgent": "turn_end",
    "SessionEnd": "ended",
}


def read(payload: Mapping[str, Any]) -> Event:
    """Read an event. Raises HookInputError."""
    fields = common(payload, "prompt_id")
    fields["kind"] = _KINDS.get(fields["name"], "other")
    if fields["kind"] == "outcome":
        fields["error"] = _error(object_of(payload, "tool_response"))
    return Event(**fields)


def _error(response: Mapping[str, Any]) -> str | None:
    """Give the error of a tool's result: its `error` (text, or an object with a message), or None."""
    error = response.get("error")
    if isinstance(error, dict):
        return text_of(error, "message") or json.dumps(error, ensure_ascii=False)
    return error if isinstance(error, str) and error else None


def write(event: Event, injection: Injection) -> Reply:
    """Answer in Gemini's JSON: text as `additionalContext`, a verdict on a call as `decision`. It asks nobody for a hook."""
    if event.kind == "tool" and injection.verdict != "allow":
        return Reply(json.dumps({"decision": "deny", "reason": injection.reason}, ensure_ascii=False))
    return said(event, injection.text)
