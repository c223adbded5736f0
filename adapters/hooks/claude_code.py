"""Claude Code 2.1: SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, PostToolUseFailure (integrations.md, section 3)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from casebook.adapters.hooks.claude_shaped import common, decided, said
from casebook.adapters.hooks.event import Event, Reply, text_of
from casebook.adapters.hooks.transcripts import was_refused
from casebook.adapters.protocol import Injection

_REFUSED = re.compile(rb"The user doesn't want to (?:proceed|take)|\[Request interrupted by user")
"""How Claude Code tells the model of a call that its person did not allow, or broke off."""
_UNTYPED = "<task-notification>"
"""How a prompt begins that Claude Code makes itself, of what a subagent or a command in the background has said: nobody's own words."""


def read(payload: Mapping[str, Any]) -> Event:
    """Read an event. Raises HookInputError."""
    fields = common(payload, "prompt_id")
    fields["refused"] = partial(was_refused, text_of(payload, "transcript_path"), _REFUSED)
    if fields["kind"] == "task" and fields["text"].startswith(_UNTYPED):
        fields["kind"] = "other"
    if fields["name"] == "PostToolUseFailure":
        fields["error"] = text_of(payload, "error") or "the tool failed"
        fields["interrupted"] = payload.get("is_interrupt") is True
    elif fields["name"] == "PostToolUse":
        response = payload.get("tool_response")
        fields["interrupted"] = isinstance(response, dict) and response.get("interrupted") is True
    return Event(**fields)


def write(event: Event, injection: Injection) -> Reply:
    """Answer in Claude Code's JSON: text as `additionalContext`, a verdict on a call as a permission decision."""
    if event.kind == "tool":
        return decided(event, injection, asks=True)
    return said(event, injection.text)
