"""Codex's rollouts, `~/.codex/sessions/**/rollout-*.jsonl`: `response_item`s, a call and its output by `call_id`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from casebook.adapters.hooks.failures import ended_with, failure_in
from casebook.adapters.scanning.lines import instant_in, name_of, object_of, objects, text_of
from casebook.adapters.scanning.pairing import Waiting
from casebook.adapters.scanning.protocol import Item, Seen, Unread

NAME = "codex"
TITLE = "Codex"
VERIFIED = (
    "0.171.0 was run against a model on loopback: function_call and its output; tests/scanning/data/codex.jsonl is what it wrote, "
    "shortened. custom_tool_call and local_shell_call by their names in that binary, not run"
)

_HEAD = re.compile(r"(?:[^\n]*\n){0,5}?(?:Process exited with code|Exit code:) (-?\d{1,5})\b")
_BODY = re.compile(r"(?:^|\n)Output:\n")
_RUNNING = "Process running with session ID"
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output"})


def folder(home: Path, env: Mapping[str, str]) -> Path:
    """Give the folder of this user's rollouts."""
    return (Path(env["CODEX_HOME"]) if env.get("CODEX_HOME") else home / ".codex") / "sessions"


def within(folder: Path) -> Iterator[Path]:
    """Give the files in a folder that may be rollouts."""
    return folder.rglob("rollout-*.jsonl")


def calls(path: Path) -> Iterator[Item]:
    """Give the calls of a file."""
    waiting, session, turn, cwd = Waiting(), "", "", ""
    for each in objects(path):
        if isinstance(each, Unread):
            yield each
            continue
        number, line = each
        payload = object_of(line.get("payload"))
        if line.get("type") == "session_meta":
            session, cwd = name_of(payload.get("id")), name_of(payload.get("cwd")) or cwd
        elif line.get("type") == "turn_context":
            turn, cwd = name_of(payload.get("turn_id")) or f"line-{number}", name_of(payload.get("cwd")) or cwd
        elif line.get("type") != "response_item":
            continue
        elif payload.get("type") in _CALLS:
            waiting.begin(payload.get("call_id"), payload.get("name") or "local_shell", _args(payload))
        elif payload.get("type") in _OUTPUTS:
            begun = waiting.end(payload.get("call_id"))
            output = payload.get("output")
            if begun is None or (isinstance(output, str) and _RUNNING in output[:200]):
                continue
            yield Seen(
                str(number), begun.tool, begun.args, _error(output), False, name_of(payload.get("call_id")), session, turn,
                cwd, instant_in(line.get("timestamp")),
            )  # fmt: skip


def _args(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Give the arguments of a call: an object written as JSON, the text of a custom tool, a shell's action."""
    if payload.get("type") == "local_shell_call":
        return {"command": object_of(payload.get("action")).get("command")}
    if payload.get("type") == "custom_tool_call":
        return object_of(payload.get("input")) or {"input": name_of(payload.get("input"))}
    args = object_of(payload.get("arguments"))
    return {"command": args.pop("cmd"), **args} if isinstance(args.get("cmd"), str) and "command" not in args else args


def _error(output: Any) -> str | None:
    """Give the error in an output: by the exit code at its head, else as hooks tell it."""
    text = output if isinstance(output, str) else text_of(output)
    head = _HEAD.match(text[:2_000])
    if head is None:
        return failure_in(output if isinstance(output, dict) else text)
    if int(head[1]) == 0:
        return None
    body = _BODY.search(text)
    said = text[body.end() :].strip() if body is not None else ""
    return ended_with(int(head[1]), said)
