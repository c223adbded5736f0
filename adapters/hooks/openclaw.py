"""OpenClaw 2026.9: what the plugin in `adapters/openclaw/plugin` tells, an event and its context as the gateway has them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from casebook.adapters.hooks.event import SILENT, Event, HookInputError, Kind, Reply, object_of, text_of
from casebook.adapters.hooks.failures import failure_in
from casebook.adapters.protocol import Injection
from casebook.adapters.turn import UNATTENDED

_KINDS: Mapping[str, Kind] = {
    "session_start": "session_start",
    "before_prompt_build": "task",
    "before_tool_call": "tool",
    "after_tool_call": "outcome",
    "after_compaction": "compacted",
    "agent_end": "turn_end",
    "session_end": "ended",
}
_TITLE = {"title": "Casebook: a lesson asks for your yes", "severity": "warning"}
_DESCRIPTION = 1_500
"""Characters of an approval's description (ours: a chat message must show it)."""


def read(payload: Mapping[str, Any]) -> Event:
    """Read an event. Raises HookInputError."""
    name = text_of(payload, "event")
    if not name:
        raise HookInputError(f"event: expected the name of a plugin hook, got {payload.get('event')!r}")
    context = object_of(payload, "ctx")
    kind = _KINDS.get(name, "other")
    return Event(
        name=name, kind=kind, session=text_of(context, "sessionKey", "sessionId"), turn=text_of(context, "runId"),
        cwd=text_of(context, "workspaceDir"), text=text_of(payload, "currentUserMessage", "prompt"),
        tool=text_of(payload, "toolName"), args=object_of(payload, "params"), call=text_of(payload, "toolCallId"),
        error=_error(payload) if kind == "outcome" else None, denied=payload.get("denied") is True,
        origin=text_of(context, "trigger"), agent=text_of(context, "agentId"), channel=text_of(context, "channel", "channelId"),
        context={"sender": sender} if (sender := text_of(context, "senderId")) else {},
    )  # fmt: skip


def _error(payload: Mapping[str, Any]) -> str | None:
    """Give the error of a call: the gateway's own word, else what a result tells by its exit code."""
    error = text_of(payload, "error")
    if error:
        return error
    result = payload.get("result")
    details = object_of(result, "details") if isinstance(result, dict) else {}
    code = details.get("exitCode")
    if isinstance(code, int) and not isinstance(code, bool) and code != 0:
        return text_of(details, "aggregated", "output") or _words(result) or f"exit code {code}"
    return failure_in(result) if isinstance(result, dict) and not details else None


def _words(result: Any) -> str:
    content = result.get("content") if isinstance(result, dict) else None
    parts = content if isinstance(content, list) else []
    return "\n".join(
        str(part["text"]) for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)
    )


def write(event: Event, injection: Injection) -> Reply:
    """Answer in the shape of the hook's result: the plugin hands it on as it is."""
    told: dict[str, Any] = {}
    if event.kind == "tool" and injection.verdict == "block":
        told = {"block": True, "blockReason": injection.reason}
    elif event.kind == "tool" and injection.verdict == "confirm":
        told = {"requireApproval": {**_TITLE, "description": injection.reason[:_DESCRIPTION]}}
    elif event.kind == "task" and injection.verdict == "block" and event.origin in UNATTENDED:
        told = {"outcome": "block", "reason": "casebook", "message": injection.reason}
    elif injection.text:
        told = {"prependContext": injection.text}
    return Reply(json.dumps(told, ensure_ascii=False)) if told else SILENT
