"""Transcripts as the hosts write them, made of calls: the same calls in the form of each host."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

DAY = datetime(2026, 11, 20, 9, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Made:
    """A command that was run, and how it failed; "" where it did not."""

    command: str
    fails: str = ""
    at: datetime = DAY


def dated(made: Iterable[tuple[str, str]], begin: datetime = DAY) -> list[Made]:
    """Commands an hour apart."""
    return [Made(command, fails, begin + timedelta(hours=number)) for number, (command, fails) in enumerate(made)]


def _lines(objects: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in objects)


def claude_code(home: Path, session: str, calls: Iterable[Made], cwd: str = "/srv/shop") -> Path:
    lines: list[Mapping[str, Any]] = []
    for number, each in enumerate(calls):
        common = {"sessionId": session, "cwd": cwd, "timestamp": each.at.isoformat(), "version": "2.1.332"}
        part = {
            "type": "tool_use",
            "id": f"toolu_{session}_{number}",
            "name": "Bash",
            "input": {"command": each.command},
        }
        said = f"Exit code 1\n{each.fails}" if each.fails else "ok"
        result = {"type": "tool_result", "tool_use_id": part["id"], "content": said, "is_error": bool(each.fails)}
        lines += [
            {"type": "user", "promptId": f"p{number}", "message": {"role": "user", "content": "go on"}, **common},
            {"type": "assistant", "message": {"role": "assistant", "content": [part]}, **common},
            {"type": "user", "promptId": f"p{number}", "message": {"role": "user", "content": [result]}, **common},
        ]
    return _written(home / ".claude" / "projects" / "-srv-shop" / f"{session}.jsonl", _lines(lines))


def codex(home: Path, session: str, calls: Iterable[Made], cwd: str = "/srv/shop") -> Path:
    lines: list[Mapping[str, Any]] = [
        {"type": "session_meta", "timestamp": DAY.isoformat(), "payload": {"id": session, "cwd": cwd}}
    ]
    for number, each in enumerate(calls):
        code = 1 if each.fails else 0
        output = f"Chunk ID: ab12\nWall time: 0.1 seconds\nProcess exited with code {code}\nOriginal token count: 9\nOutput:\n{each.fails or 'ok'}\n"
        call = f"call_{session}_{number}"
        payloads = (
            ("turn_context", {"turn_id": f"t{number}", "cwd": cwd}),
            ("response_item", {"type": "function_call", "name": "exec_command", "arguments": json.dumps({"cmd": each.command}), "call_id": call}),
            ("response_item", {"type": "function_call_output", "call_id": call, "output": output}),
        )  # fmt: skip
        lines += [{"type": kind, "timestamp": each.at.isoformat(), "payload": payload} for kind, payload in payloads]
    return _written(home / ".codex" / "sessions" / "2026" / "11" / "20" / f"rollout-{session}.jsonl", _lines(lines))


def _entries(session: str, calls: Iterable[Made], cwd: str) -> list[Mapping[str, Any]]:
    entries: list[Mapping[str, Any]] = [{"type": "session", "version": 4, "id": session, "cwd": cwd}]
    for number, each in enumerate(calls):
        call = f"call_{session}_{number}"
        details = {"exitCode": 1 if each.fails else 0, "aggregated": each.fails or "ok", "cwd": cwd}
        messages: tuple[Mapping[str, Any], ...] = (
            {"role": "user", "content": "go on"},
            {"role": "assistant", "content": [{"type": "toolCall", "id": call, "name": "exec", "arguments": {"command": each.command}}]},
            {"role": "toolResult", "toolCallId": call, "toolName": "exec", "content": [], "details": details, "isError": False},
        )  # fmt: skip
        entries += [{"type": "message", "timestamp": each.at.isoformat(), "message": message} for message in messages]
    return entries


def openclaw(home: Path, session: str, calls: Iterable[Made], cwd: str = "/srv/shop") -> Path:
    path = home / ".openclaw" / "agents" / "main" / "agent" / "openclaw-agent.sqlite"
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as store, store:
        store.execute(
            "CREATE TABLE IF NOT EXISTS transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, "
            "created_at INTEGER NOT NULL, event_zstd BLOB, PRIMARY KEY (session_id, seq)) STRICT"
        )
        rows = [(session, seq, json.dumps(each), 0) for seq, each in enumerate(_entries(session, calls, cwd))]
        store.executemany(
            "INSERT INTO transcript_events (session_id, seq, event_json, created_at) VALUES (?, ?, ?, ?)", rows
        )
    return path


def old_openclaw(home: Path, session: str, calls: Iterable[Made], cwd: str = "/srv/shop") -> Path:
    path = home / ".openclaw" / "agents" / "main" / "sessions" / f"{session}.jsonl"
    return _written(path, _lines(_entries(session, calls, cwd)))


def _written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


WRITERS: Mapping[str, tuple[str, Callable[..., Path]]] = {
    "claude-code": ("claude-code", claude_code), "codex": ("codex", codex), "openclaw": ("openclaw", openclaw),
    "openclaw, as it was": ("openclaw", old_openclaw),
}  # fmt: skip
"""By what is written: the host, and who writes it."""
