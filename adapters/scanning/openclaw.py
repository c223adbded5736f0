"""OpenClaw's transcripts: rows of `~/.openclaw/agents/*/agent/openclaw-agent.sqlite`, and the JSON Lines that older releases kept."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from casebook.adapters.hooks import openclaw as hook
from casebook.adapters.hooks.event import Event
from casebook.adapters.scanning.lines import instant_in, name_of, object_of, objects, text_of
from casebook.adapters.scanning.pairing import Begun, Waiting
from casebook.adapters.scanning.protocol import Item, Seen, Unread

NAME = "openclaw"
TITLE = "OpenClaw"
VERIFIED = (
    "2026.9's gateway was run with a model on loopback: rows of transcript_events; the same entries are the lines of "
    "agents/*/sessions/*.jsonl, which its documentation (session-management-compaction) calls legacy and archive; these not run"
)

_STORE = "openclaw-agent.sqlite"
_ROWS = "SELECT session_id, seq, event_json FROM transcript_events ORDER BY session_id, seq"


def folder(home: Path, env: Mapping[str, str]) -> Path:
    """Give the folder of this user's transcripts."""
    return (Path(env["OPENCLAW_STATE_DIR"]) if env.get("OPENCLAW_STATE_DIR") else home / ".openclaw") / "agents"


def within(folder: Path) -> Iterator[Path]:
    """Give the files in a folder that may be transcripts."""
    yield from folder.rglob(_STORE)
    yield from folder.rglob("sessions/*.jsonl")


def calls(path: Path) -> Iterator[Item]:
    """Give the calls of a file."""
    return _paired(_rows(path) if path.suffix == ".sqlite" else _lines(path))


def _lines(path: Path) -> Iterator[tuple[str, dict[str, Any]] | Unread]:
    for each in objects(path):
        yield each if isinstance(each, Unread) else (str(each[0]), each[1])


def _rows(path: Path) -> Iterator[tuple[str, dict[str, Any]] | Unread]:
    """Give the rows of a store, which is opened for reading alone; a row that is packed is told and passed."""
    address = f"file:{quote(str(path))}?mode=ro"
    packed = 0
    try:
        with closing(sqlite3.connect(address, uri=True, timeout=2)) as store:
            for session, seq, text in store.execute(_ROWS):
                if text is None:
                    packed += 1
                elif isinstance(text, str) and (read := object_of(text)):
                    yield f"{session}:{seq}", read
                else:
                    yield Unread(f"{session}:{seq}", "expected a JSON object")
    except sqlite3.Error as error:
        yield Unread("", f"the store cannot be read: {error}")
    if packed:
        yield Unread("", f"{packed} rows are packed (zstd) and were passed")


def _paired(entries: Iterable[tuple[str, dict[str, Any]] | Unread]) -> Iterator[Item]:
    waiting, session, cwd, turns = Waiting(), "", "", 0
    for each in entries:
        if isinstance(each, Unread):
            yield each
            continue
        place, entry = each
        if entry.get("type") == "session":
            waiting, session, cwd, turns = Waiting(), name_of(entry.get("id")), name_of(entry.get("cwd")), 0
        message = object_of(entry.get("message"))
        role, content = message.get("role"), message.get("content")
        if entry.get("type") != "message":
            continue
        if role == "user":
            turns += 1
        elif role == "assistant":
            for part in content if isinstance(content, list) else ():
                if isinstance(part, dict) and part.get("type") == "toolCall":
                    waiting.begin(part.get("id"), part.get("name"), object_of(part.get("arguments")))
        elif role == "toolResult" and (begun := waiting.end(message.get("toolCallId"))) is not None:
            ended = _ended(message, begun)
            yield Seen(
                place, begun.tool, begun.args, ended.error, ended.interrupted, name_of(message.get("toolCallId")), session,
                f"turn-{turns}", name_of(object_of(message.get("details")).get("cwd")) or cwd,
                instant_in(entry.get("timestamp")) or instant_in(message.get("timestamp")),
            )  # fmt: skip


def _ended(message: Mapping[str, Any], begun: Begun) -> Event:
    """Give how a call ended, as the plugin would have told it: so an error has one signature, whoever tells it."""
    said = text_of(message.get("content"))
    error = (_tool_error(said) or said or "the tool failed") if message.get("isError") is True else _tool_error(said)
    result = {"content": message.get("content"), "details": message.get("details")}
    told = {"event": "after_tool_call", "toolName": begun.tool, "params": begun.args, "result": result, "error": error}
    return hook.read(told)


def _tool_error(said: str) -> str | None:
    """Give the error that a tool's result tells as JSON: `{"status": "error", "error": …}`; None where it tells none."""
    if not said.startswith("{") or len(said) > 65_536:
        return None
    try:
        told = json.loads(said)
    except (ValueError, RecursionError):
        return None
    wrong = isinstance(told, dict) and told.get("status") == "error"
    return name_of(told.get("error")) or name_of(told.get("message")) or None if wrong else None
