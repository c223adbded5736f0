"""Gemini CLI 0.61: BeforeAgent, BeforeTool, AfterTool, told without ids of turns and calls; stdout is JSON only.

What it does with the words of a hook (run): text reaches its model as `<hook_context>`, with `<` and `>` escaped, and its model is told to
take that for information. `ask` is no answer to give: its terminal asks the person, and `gemini -p` waits for them for ever. What a hook
writes on stderr, where it has nothing for stdout, is shown to the person.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from casebook.adapters.hooks.claude_shaped import common, said
from casebook.adapters.hooks.event import Event, Kind, Reply, object_of, text_of
from casebook.adapters.hooks.failures import ended_with
from casebook.adapters.hooks.transcripts import lines_of
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
_SHELL = "run_shell_command"
_HOOKED = re.compile(r"\A(?:<hook_context>[^<>]*</hook_context>\s*)+")
"""What hooks said as the session began: `gemini -p` puts it before the prompt, and hands both on as one."""
_REFERENCED = "\n--- Content from referenced files ---"
"""Where the files begin that a person has named with `@`."""
_TAIL = re.compile(
    r"(?:\nError: [^\n]*)?(?:\nExit Code: (?P<code>-?\d+))?(?:\nSignal: (?P<signal>\S+))?(?:\nBackground PIDs: [^\n]*)?"
    r"(?:\nProcess Group PGID: \d+)?\Z"
)
"""What its shell tool writes after a command's output, for the model: how the command ended stands nowhere else."""
_TAIL_READ = 4_096
"""Characters at a result's end in which that is looked for (ours)."""
_WRAPPED, _BEGIN = ("<untrusted_context>\n", "\n</untrusted_context>"), "Output: "
_BROKEN_OFF = re.compile(r"Command was (automatically cancelled|cancelled by user) ")
_SIGNALLED = 128
"""A shell's exit code of a command that a signal ended, less the signal's number."""
_ASKED_AGAIN = "sandbox_expansion_required"
"""The error of a call that Gemini CLI makes again once its person has agreed to more than its sandbox allows (read, not run)."""


def read(payload: Mapping[str, Any]) -> Event:
    """Read an event. Raises HookInputError."""
    fields = common(payload, "prompt_id")
    fields["kind"] = kind = _KINDS.get(fields["name"], "other")
    fields["refused"] = partial(_was_cancelled, text_of(payload, "transcript_path"))
    if kind == "task":
        fields["text"] = _HOOKED.sub("", fields["text"]).partition(_REFERENCED)[0]
    elif kind == "compacted" and text_of(payload, "trigger") == "auto":
        fields["kind"] = "other"  # told before each request to the model, and nearly never is anything cut
    elif kind == "outcome":
        response = object_of(payload, "tool_response")
        if text_of(object_of(response, "error"), "type") == _ASKED_AGAIN:
            fields["kind"] = "other"
        fields["error"], fields["interrupted"] = _ended(fields["tool"], response)
    return Event(**fields)


def _ended(tool: str, response: Mapping[str, Any]) -> tuple[str | None, bool]:
    """Give the error of a tool's result, or None, and whether a person broke the call off. A command that failed has no `error`."""
    error = response.get("error")
    if isinstance(error, dict):
        return text_of(error, "message") or json.dumps(error, ensure_ascii=False), False
    if isinstance(error, str) and error:
        return error, False
    content = response.get("llmContent")
    if tool != _SHELL or not isinstance(content, str):
        return None, False
    content = content.removeprefix(_WRAPPED[0]).removesuffix(_WRAPPED[1])
    broken = _BROKEN_OFF.match(content)
    if broken:
        return content, broken[1] == "cancelled by user"
    return _failed(content.removeprefix(_BEGIN), response.get("returnDisplay")), False


def _failed(content: str, shown: object) -> str | None:
    """Give the error of a command by what the model reads of it; what its person is shown tells where the output ends, if it is text."""
    # the last words of an output may look like an exit code
    end = len(shown) if isinstance(shown, str) and content.startswith(shown) else 0
    tail = next(_TAIL.finditer(content, max(end, len(content) - _TAIL_READ)))  # the end itself matches
    output = content[: tail.start()]
    words = "" if output == "(empty)" else output
    code, signal = int(tail["code"] or 0), tail["signal"] or ""
    if code == 0 and signal.isdecimal():
        code = _SIGNALLED + int(signal)
    if code == 0:
        return f"Signal {signal}\n{words}".strip() if signal else None
    return ended_with(code, words)


def _was_cancelled(transcript: str, _: str, tool: str, args: Mapping[str, Any]) -> bool | None:
    """Say whether a person did not allow a call, as Gemini CLI has noted it; what its policy denies, and what was killed, nobody refused."""
    from casebook.redacting.redact import redacted  # late: few events need it

    lines = lines_of(transcript)
    if lines is None:
        return None
    for line in lines:
        for call in _calls_in(line) if b'"toolCalls"' in line else ():
            if call.get("name") == tool and args in ({}, redacted(dict(object_of(call, "args")))):
                return call.get("status") == "cancelled"
    return False


def _calls_in(line: bytes) -> list[dict[str, Any]]:
    try:
        form = json.loads(line)
    except (ValueError, RecursionError):
        return []
    calls = form.get("toolCalls") if isinstance(form, dict) else None
    return [each for each in calls if isinstance(each, dict)] if isinstance(calls, list) else []


def write(event: Event, injection: Injection) -> Reply:
    """Answer in Gemini's JSON: text as `additionalContext`, a verdict on a call as `decision`; one that wants a yes is denied."""
    if event.kind == "tool" and injection.verdict != "allow":
        return Reply(json.dumps({"decision": "deny", "reason": injection.reason}, ensure_ascii=False))
    return said(event, injection.text)
