"""Claude Code's transcripts, `~/.claude/projects/*/*.jsonl`: `tool_use` in an assistant's message, `tool_result` in the next of the user."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from casebook.adapters.scanning.lines import instant_in, name_of, object_of, objects, text_of
from casebook.adapters.scanning.pairing import Waiting
from casebook.adapters.scanning.protocol import Item, Seen, Unread

NAME = "claude-code"
TITLE = "Claude Code"
VERIFIED = (
    "2.1.332 was run against a model on loopback; tests/scanning/data/claude-code.jsonl is what it wrote, shortened"
)

_WRAPPED = re.compile(r"</?tool_use_error>")


def folder(home: Path, env: Mapping[str, str]) -> Path:
    """Give the folder of this user's transcripts."""
    return (Path(env["CLAUDE_CONFIG_DIR"]) if env.get("CLAUDE_CONFIG_DIR") else home / ".claude") / "projects"


def within(folder: Path) -> Iterator[Path]:
    """Give the files in a folder that may be transcripts."""
    return folder.rglob("*.jsonl")


def calls(path: Path) -> Iterator[Item]:
    """Give the calls of a file."""
    waiting, turns, turn = Waiting(), 0, ""
    for each in objects(path):
        if isinstance(each, Unread):
            yield each
            continue
        number, line = each
        if line.get("type") not in ("assistant", "user"):
            continue
        message = object_of(line.get("message"))
        content = message.get("content")
        if line.get("type") == "user":
            turns += _is_prompt(content)
            turn = name_of(line.get("promptId")) or f"turn-{turns}"
        for part in content if isinstance(content, list) else ():
            if not isinstance(part, dict):
                continue
            if part.get("type") == "tool_use":
                waiting.begin(part.get("id"), part.get("name"), object_of(part.get("input")))
            elif part.get("type") == "tool_result" and (begun := waiting.end(part.get("tool_use_id"))) is not None:
                yield Seen(
                    str(number), begun.tool, begun.args, _error(part), _is_interrupted(line),
                    name_of(part.get("tool_use_id")), name_of(line.get("sessionId")), turn, name_of(line.get("cwd")),
                    instant_in(line.get("timestamp")),
                )  # fmt: skip


def _is_prompt(content: Any) -> bool:
    """Say whether a user's message is a prompt, and no result of a call."""
    return isinstance(content, str) or not any(
        isinstance(part, dict) and part.get("type") == "tool_result" for part in content or ()
    )


def _error(part: Mapping[str, Any]) -> str | None:
    if part.get("is_error") is not True:
        return None
    return _WRAPPED.sub("", text_of(part.get("content"))).strip() or "the tool failed"


def _is_interrupted(line: Mapping[str, Any]) -> bool:
    result = line.get("toolUseResult")
    return isinstance(result, dict) and result.get("interrupted") is True
