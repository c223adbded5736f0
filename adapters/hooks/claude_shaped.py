"""What Claude Code and the hosts that took over its hooks have in common (integrations.md, section 3)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from casebook.adapters.hooks.event import (
    ASKING,
    SILENT,
    Event,
    HookInputError,
    Kind,
    Reply,
    asked_lines,
    object_of,
    text_of,
)
from casebook.adapters.protocol import Injection

KINDS: Mapping[str, Kind] = {
    "SessionStart": "session_start",
    "UserPromptSubmit": "task",
    "PreToolUse": "tool",
    "PostToolUse": "outcome",
    "PostToolUseFailure": "outcome",
    "PreCompact": "compacted",
    "PostCompact": "compacted",
    "Stop": "turn_end",
    "SessionEnd": "ended",
}


def common(payload: Mapping[str, Any], turn: str) -> dict[str, Any]:
    """Give the fields of an event that all of them name alike.

    Args:
        payload: the host's JSON.
        turn: the field that holds the id of the turn.

    Raises:
        HookInputError: it names no event.
    """
    name = text_of(payload, "hook_event_name")
    if not name:
        raise HookInputError(f"hook_event_name: expected the name of an event, got {payload.get('hook_event_name')!r}")
    return {
        "name": name, "kind": KINDS.get(name, "other"), "session": text_of(payload, "session_id"),
        "turn": text_of(payload, turn), "cwd": text_of(payload, "cwd"), "text": text_of(payload, "prompt"),
        "tool": text_of(payload, "tool_name"), "args": object_of(payload, "tool_input"),
        "call": text_of(payload, "tool_use_id"), "model": text_of(payload, "model"), "agent": text_of(payload, "agent_type"),
        "cut": payload.get("source") == "compact",
    }  # fmt: skip


def said(event: Event, text: str, **more: Any) -> Reply:
    """Give text as `additionalContext`, with further fields of `hookSpecificOutput`; silent where there is neither."""
    context = {"additionalContext": text} if text else {}
    if not context and not more:
        return SILENT
    output = {"hookEventName": event.name, **context, **more}
    return Reply(json.dumps({"hookSpecificOutput": output}, ensure_ascii=False))


def decided(event: Event, injection: Injection, *, asks: bool) -> Reply:
    """Give a verdict on a tool call: denied, or put to the person where the host can ask and a case wants a yes.

    Args:
        event: of a tool call.
        injection: what the casebook said.
        asks: whether the host asks its person; else a call that wants a yes is denied.
    """
    if injection.verdict == "allow":
        return said(event, injection.text)
    decision = "ask" if injection.verdict == "confirm" and asks else "deny"
    if decision == "deny":
        return said(event, "", permissionDecision=decision, permissionDecisionReason=injection.reason)
    question = "\n".join([f"{ASKING}.", *(asked_lines(injection) or [injection.reason])])
    return said(event, injection.text, permissionDecision=decision, permissionDecisionReason=question)
