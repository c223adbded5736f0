"""OpenClaw 2026.9: what the plugin in `adapters/openclaw/plugin` tells, an event and its context as the gateway has them."""

from __future__ import annotations

import json
import re
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
from casebook.adapters.hooks.failures import failure_in
from casebook.adapters.protocol import Injection
from casebook.adapters.turn import UNATTENDED
from casebook.redacting.redact import redacted

_KINDS: Mapping[str, Kind] = {
    "session_start": "session_start",
    "before_prompt_build": "task",
    "before_tool_call": "tool",
    "after_tool_call": "outcome",
    "after_compaction": "compacted",
    "agent_end": "turn_end",
    "session_end": "ended",
}
_TITLE = {"title": ASKING, "severity": "warning"}
_DECISIONS = ["allow-once", "deny"]
"""What a person may answer: an "always" would be OpenClaw's, and the casebook would never ask again."""
_DESCRIPTION = 512
"""Characters of an approval's description; the gateway refuses a longer one, and the call with it."""
_CALL = 160
"""Of these the call may take so many (ours)."""

_UNMADE = frozenset({"blocked", "approval-pending", "approval-unavailable"})
"""What a result's `details.status` says of a call that was not made."""
_UNASKED = re.compile(r"Plugin approval\b|Approval (?:timed out|cancelled)\b")
"""How the gateway's error begins where a call wanted a yes that it did not get."""
_JOB = re.compile(r"\[cron:[^\]]*\] ?(.*?)(?=\nCurrent time: |\Z)", re.DOTALL)
"""A job's own message, in what the gateway puts around it: words about an unattended run, which are nobody's task."""
_TIME = "\nCurrent time: "
_HEARTBEAT = "Follow the heartbeat monitor scratch context"
"""How the prompt of a heartbeat begins where nobody has set another: it names no task."""
_EMPTY_ERRORS = frozenset({"", "failed", "error", "aborted"})
"""Errors that say nothing: what was seen stands in the result then."""


def read(payload: Mapping[str, Any]) -> Event:
    """Read an event. Raises HookInputError."""
    name = text_of(payload, "event")
    if not name:
        raise HookInputError(f"event: expected the name of a plugin hook, got {payload.get('event')!r}")
    context = object_of(payload, "ctx")
    kind = _KINDS.get(name, "other")
    is_unmade = kind == "outcome" and _is_unmade(payload)
    return Event(
        name=name, kind=kind, session=text_of(context, "sessionKey", "sessionId"), turn=text_of(context, "runId"),
        cwd=text_of(context, "workspaceDir"), text=_prompt(payload),
        tool=text_of(payload, "toolName"), args=object_of(payload, "params"), call=text_of(payload, "toolCallId"),
        error=_error(payload) if kind == "outcome" else None, denied=payload.get("denied") is True, interrupted=is_unmade,
        origin=text_of(context, "trigger"), agent=text_of(context, "agentId"), channel=text_of(context, "channel", "channelId"),
        context={"sender": sender} if (sender := text_of(context, "senderId")) else {}, refused=_never,
    )  # fmt: skip


def _never(*_: object) -> bool:
    """Say that a call of which nothing was heard was not refused: the plugin tells a person's no as an outcome."""
    return False


def _prompt(payload: Mapping[str, Any]) -> str:
    """Give what the user says now; an empty `currentUserMessage` means nothing, such as a picture, where `prompt` may hold what was said before."""
    current = payload.get("currentUserMessage")
    text = current if isinstance(current, str) else text_of(payload, "prompt")
    origin = text_of(object_of(payload, "ctx"), "trigger")
    if origin == "heartbeat":
        return "" if text.startswith(_HEARTBEAT) else text.partition(_TIME)[0]
    job = _JOB.match(text) if origin == "cron" else None
    return job[1] if job else text


def _is_unmade(payload: Mapping[str, Any]) -> bool:
    """Say whether a call was not made, or a person broke it off: its error is none of the tool's."""
    details = object_of(object_of(payload, "result"), "details")
    if payload.get("unmade") is True:
        return True
    is_refused = text_of(details, "status") in _UNMADE or text_of(details, "exitReason") == "manual-cancel"
    return is_refused or bool(_UNASKED.match(text_of(payload, "error")))


def _error(payload: Mapping[str, Any]) -> str | None:
    """Give the error of a call: by its exit code, which OpenClaw calls no error, else the gateway's own word, which is often a first line."""
    result, error = object_of(payload, "result"), text_of(payload, "error")
    details = object_of(result, "details")
    code = details.get("exitCode")
    if isinstance(code, int) and not isinstance(code, bool) and code != 0:
        return text_of(details, "aggregated", "output") or _words(result) or error or f"exit code {code}"
    if error:
        words = text_of(details, "error") or _words(result)
        return words if words.startswith(error) or (error in _EMPTY_ERRORS and words) else error
    return failure_in(result) if result and not details else None


def _words(result: Mapping[str, Any]) -> str:
    content = result.get("content")
    parts = content if isinstance(content, list) else []
    return "\n".join(
        str(part["text"]) for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)
    )


def _asked(event: Event, injection: Injection) -> str:
    """Give what a person is asked, as far as an approval takes it: the call without its secrets, and what the cases say to do instead."""
    lines = asked_lines(injection)
    call = f"{event.tool} {json.dumps(redacted(dict(event.args)), ensure_ascii=False)}"
    shown = call if len(call) <= _CALL else call[: _CALL - 1] + "…"
    whole = "\n".join([shown, *lines] if lines else [shown, injection.reason])
    return whole if len(whole) <= _DESCRIPTION else whole[: _DESCRIPTION - 1] + "…"


def write(event: Event, injection: Injection) -> Reply:
    """Answer in the shape of the hook's result, which the plugin hands on.

    Two fields are the plugin's own: `advice` about a call, told with its result, and `refused`, told with it where no yes was given.
    """
    told: dict[str, Any] = {}
    if event.kind == "tool" and injection.verdict == "block":
        told = {"block": True, "blockReason": injection.reason}
    elif event.kind == "tool" and injection.verdict == "confirm":
        approval = {**_TITLE, "description": _asked(event, injection), "allowedDecisions": _DECISIONS}
        told = {"requireApproval": approval, "refused": injection.reason}
    elif event.kind == "task" and injection.verdict == "block" and event.origin in UNATTENDED:
        told = {"outcome": "block", "reason": "casebook", "message": injection.reason}
    elif injection.text:
        told = {"advice" if event.kind == "tool" else "prependContext": injection.text}
    return Reply(json.dumps(told, ensure_ascii=False)) if told else SILENT
