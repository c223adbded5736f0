"""Codex 0.171: hooks shaped as Claude Code's. Its Bash results are bare strings; the exit code stands in the session's transcript."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from casebook.adapters.hooks.claude_shaped import common, decided, said
from casebook.adapters.hooks.event import Event, Reply, text_of
from casebook.adapters.hooks.failures import ended_with, failure_in
from casebook.adapters.hooks.transcripts import lines_about, was_refused
from casebook.adapters.protocol import Injection

_REFUSED = re.compile(rb"(?:rejected|aborted) by user")
"""How Codex tells the model of a call that its person did not allow, or broke off."""


def read(payload: Mapping[str, Any]) -> Event:
    """Read an event; whether a call failed is told by its exit code, else from its output, conservatively. Raises HookInputError."""
    fields = common(payload, "turn_id")
    fields["refused"] = partial(was_refused, text_of(payload, "transcript_path"), _REFUSED)
    if fields["name"] == "PostToolUse":
        response = payload.get("tool_response")
        code = exit_code(text_of(payload, "transcript_path"), fields["call"]) if isinstance(response, str) else None
        if code is None:
            fields["error"] = failure_in(response)
        elif code != 0:
            fields["error"] = ended_with(code, str(response))
    elif fields["name"] == "PostToolUseFailure":  # no release seen has it; one that does means an error
        fields["error"] = failure_in(payload.get("error")) or str(payload.get("error") or "the tool failed")
    return Event(**fields)


def exit_code(transcript: str, call: str) -> int | None:
    """Give the exit code of a command that has just ended, as Codex has written it down; None where it is not there (yet).

    Args:
        transcript: the path of the session's transcript.
        call: the id of the call.
    """
    codes = (_code_in(line, call) for line in lines_about(transcript, call) or () if b'"CommandExecution"' in line)
    return next((code for code in codes if code is not None), None)


def _code_in(line: bytes, call: str) -> int | None:
    try:
        item = json.loads(line)["payload"]["item"]
        code = item["exit_code"] if item["id"] == call else None
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return code if isinstance(code, int) and not isinstance(code, bool) else None


def write(event: Event, injection: Injection) -> Reply:
    """Answer in Codex's JSON. It asks nobody for a hook: a call that wants a yes is denied with the reason."""
    if event.kind == "tool":
        return decided(event, injection, asks=False)
    return said(event, injection.text)
