"""Codex 0.171: hooks shaped as Claude Code's; its Bash results are bare strings without an exit code (integrations.md, section 3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casebook.adapters.hooks.claude_shaped import common, decided, said
from casebook.adapters.hooks.event import Event, Reply
from casebook.adapters.hooks.failures import failure_in
from casebook.adapters.protocol import Injection


def read(payload: Mapping[str, Any]) -> Event:
    """Read an event; whether a call failed is told from its output, conservatively. Raises HookInputError."""
    fields = common(payload, "turn_id")
    if fields["name"] == "PostToolUse":
        fields["error"] = failure_in(payload.get("tool_response"))
    elif fields["name"] == "PostToolUseFailure":  # no release seen has it; one that does means an error
        fields["error"] = failure_in(payload.get("error")) or str(payload.get("error") or "the tool failed")
    return Event(**fields)


def write(event: Event, injection: Injection) -> Reply:
    """Answer in Codex's JSON. It asks nobody for a hook: a call that wants a yes is denied with the reason."""
    if event.kind == "tool":
        return decided(event, injection, asks=False)
    return said(event, injection.text)
