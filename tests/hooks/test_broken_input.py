"""Whatever a host writes on stdin, and whatever became of the state folder: exit code 0, and JSON or nothing on stdout."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casebook.adapters.hooks.answering import HOOK_HOSTS, PAYLOAD_BYTES, Served, answer
from casebook.adapters.hooks.event import Reply
from casebook.adapters.hooks.memo import Memo, OpenCall, memo_path, read_memo, sweep_memos, write_memo
from casebook.clock import elapsed, system_clock
from casebook.runtime import Runtime

CASES: list[dict[str, Any]] = [
    {"id": "deploy_friday", "trigger_conditions": ["text contains deploy"], "correction": "Deploy on Monday: 周一再发布。"},
    {"id": "no_force", "trigger_conditions": ['args.command contains "--force"'], "correction": "Never.", "effect": "block"},
    {"id": "frozen", "trigger_conditions": ["text contains payroll"], "correction": "Leave it alone.", "effect": "block"},
]  # fmt: skip

EVENTS = {
    **dict.fromkeys(
        ("claude-code", "codex", "opencode"),
        ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PreCompact", "Stop", "SessionEnd"),
    ),
    "gemini": ("SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "PreCompress", "AfterAgent", "SessionEnd"),
    "openclaw": ("session_start", "before_prompt_build", "before_tool_call", "after_tool_call", "after_compaction", "agent_end", "session_end"),
}  # fmt: skip
FIELDS = (
    "session_id", "prompt_id", "turn_id", "cwd", "prompt", "tool_name", "tool_input", "tool_use_id", "tool_response", "error", "is_interrupt",
    "model", "agent_type", "agent_id", "source", "transcript_path", "permission_mode", "event", "ctx", "toolName", "params", "toolCallId",
    "result", "denied", "unmade", "currentUserMessage", "timestamp", "reason",
)  # fmt: skip


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    folder = tmp_path_factory.mktemp("book")
    (folder / "long_term").mkdir()
    (folder / "memory-policy.yaml").write_text("format: 1\nlimits: {before_task_ms: 60000}\n", encoding="utf-8")
    (folder / "long_term" / "cases.json").write_text(json.dumps(CASES), encoding="utf-8")
    with Runtime.open(folder) as opened:
        yield opened


@pytest.fixture(autouse=True, scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("state")
    patch = pytest.MonkeyPatch()
    patch.setenv("CASEBOOK_STATE_DIR", str(folder))
    yield folder
    patch.undo()


def told(runtime: Runtime, host: str, raw: bytes | dict[str, Any]) -> Reply:
    """Answer an event, and hold it to what every answer is."""
    reply = answer(
        host, raw if isinstance(raw, bytes) else json.dumps(raw).encode(), lambda _: Served(runtime, {"user": "ann"})
    )
    assert reply.code == 0
    assert not reply.stdout or isinstance(json.loads(reply.stdout), dict)
    reply.stdout.encode()
    return reply


def context_of(reply: Reply) -> str:
    return str(json.loads(reply.stdout or "{}").get("hookSpecificOutput", {}).get("additionalContext", ""))


def decision_of(reply: Reply) -> str:
    return str(json.loads(reply.stdout or "{}").get("hookSpecificOutput", {}).get("permissionDecision", "allow"))


BROKEN: dict[str, bytes] = {
    "nothing": b"",
    "blanks": b" \n",
    "truncated": b'{"hook_event_name": "UserPromptSubmit", "prompt": "deploy th',
    "no JSON": b"deploy the shop",
    "no UTF-8": b"\xff\xfe\x00{\x80}",
    "UTF-16": '{"hook_event_name": "UserPromptSubmit", "prompt": "deploy"}'.encode("utf-16"),
    "a list": b"[1, 2]",
    "a string": b'"deploy"',
    "null": b"null",
    "no event": b"{}",
    "an event of a strange type": b'{"hook_event_name": 7, "event": []}',
    "deep": b'{"hook_event_name": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "deep arguments": b'{"hook_event_name": "PreToolUse", "event": "before_tool_call", "tool_input": {"a": ' + b"[" * 900 + b"]" * 900 + b"}}",
    "a number without end": b'{"hook_event_name": "UserPromptSubmit", "n": ' + b"9" * 10_000 + b"}",
    "NUL": b"\x00" * 1_000,
    "two objects": b'{"hook_event_name": "Stop"}{"hook_event_name": "Stop"}',
}  # fmt: skip


@pytest.mark.parametrize("host", HOOK_HOSTS)
@pytest.mark.parametrize("raw", BROKEN.values(), ids=BROKEN.keys())
def test_what_is_no_event_is_answered_with_words_for_a_person_alone(runtime: Runtime, host: str, raw: bytes) -> None:
    reply = told(runtime, host, raw)
    assert reply.stdout == ""
    assert reply.stderr == "" or reply.stderr.startswith("casebook: ")
    assert len(reply.stderr) < 1_000


def test_an_event_over_the_limit_is_told_and_one_below_it_is_dealt_with(runtime: Runtime) -> None:
    huge = {"hook_event_name": "PreToolUse", "session_id": "huge", "tool_name": "Bash"}
    asked = told(runtime, "claude-code", {**huge, "tool_input": {"command": "git push --force", "text": "x" * 700_000}})
    assert decision_of(asked) == "deny"
    started = elapsed()
    late = told(
        runtime, "claude-code", {**huge, "tool_input": {"command": "git push --force", "text": "x" * 20_000_000}}
    )
    assert decision_of(late) == "deny"
    assert late.stderr == "casebook: the task is larger than its limits: of args.text a part was not looked at\n"
    over = told(runtime, "claude-code", b" " * (PAYLOAD_BYTES + 1))
    assert "at most 33,554,432 bytes" in over.stderr
    assert elapsed() - started < 60


@pytest.mark.parametrize("host", HOOK_HOSTS)
def test_events_and_fields_of_a_newer_host_are_passed_over(runtime: Runtime, host: str) -> None:
    new = {
        "hook_event_name": "TeaTime",
        "event": "tea_time",
        "version": "99.0",
        "session_id": "s",
        "sugar": {"lumps": 2},
    }
    assert told(runtime, host, new) == Reply()
    name = EVENTS[host][1]
    more = {
        "hook_event_name": name,
        "event": name,
        "prompt": "deploy",
        "session_id": f"new-{host}",
        "ctx": {"sessionId": f"new-{host}", "sugar": 2},
        "sugar": [2],
    }
    assert "周一再发布" in told(runtime, host, more).stdout


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=20) | st.just("\ud800") | st.just("a\x00b"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8) | st.sampled_from(FIELDS), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@st.composite
def payloads(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    host = draw(st.sampled_from(HOOK_HOSTS))
    name = draw(st.sampled_from(EVENTS[host]) | st.text(max_size=5))
    event: dict[str, Any] = {"hook_event_name": name, "event": name}
    likely: dict[str, st.SearchStrategy[Any]] = {
        "session_id": st.sampled_from(["a", "b", ""]), "prompt": st.sampled_from(["deploy", "no, use pnpm", "payroll", "不对"]),
        "tool_name": st.sampled_from(["Bash", "bash", "exec"]), "tool_input": st.just({"command": "git push --force"}),
    }  # fmt: skip
    for field in draw(st.lists(st.sampled_from(FIELDS), unique=True, max_size=10)):
        event[field] = draw(likely.get(field, JSON) | JSON)
    return host, event


@settings(max_examples=300)
@given(payloads())
def test_no_payload_raises_or_gives_anything_but_json(runtime: Runtime, payload: tuple[str, dict[str, Any]]) -> None:
    host, event = payload
    reply = told(runtime, host, json.dumps(event).encode())
    assert "Error(" not in reply.stderr, reply.stderr


@settings(max_examples=60)
@given(st.binary(max_size=60) | JSON.map(lambda each: json.dumps(each).encode()))
def test_no_bytes_raise(runtime: Runtime, raw: bytes) -> None:
    for host in HOOK_HOSTS:
        told(runtime, host, raw)


# -- what one event leaves for the next -----------------------------------------------------------------------------------


def prompt(session: str, text: str, turn: str = "t1") -> dict[str, Any]:
    return {"hook_event_name": "UserPromptSubmit", "session_id": session, "prompt_id": turn, "prompt": text}


def call(session: str, command: str = "ls", call_id: str = "c1", **more: Any) -> dict[str, Any]:
    called = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": call_id}
    return {"hook_event_name": "PreToolUse", "session_id": session, **called, **more}


DAMAGE: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "torn": lambda path: path.write_bytes(path.read_bytes()[:40]),
    "no UTF-8": lambda path: path.write_bytes(b"\xff\xff"),
    "a list": lambda path: path.write_text("[]"),
    "of a newer release": lambda path: path.write_text('{"turn": "t1", "sugar": 2, "calls": []}'),
    "of strange types": lambda path: path.write_text('{"turn": 7, "blocked": [], "calls": [], "counted": "x"}'),
    "calls of strange types": lambda path: path.write_text('{"calls": [{"id": 1, "tool": null, "args": "x", "heard": 2}]}'),
    "calls that are none": lambda path: path.write_text('{"calls": [7]}'),
    "deep": lambda path: path.write_text('{"calls": ' + "[" * 100_000 + "]" * 100_000 + "}"),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_memo_is_a_session_that_has_just_begun_and_is_mended(
    runtime: Runtime, state: Path, damage: Callable[[Path], object], request: pytest.FixtureRequest
) -> None:
    session = request.node.name
    told(runtime, "claude-code", prompt(session, "payroll"))
    assert decision_of(told(runtime, "claude-code", call(session))) == "deny"
    path = memo_path(state / "hooks", "claude-code", session)
    damage(path)
    assert told(runtime, "claude-code", call(session)).stderr == ""
    told(runtime, "claude-code", prompt(session, "payroll", "t2"))
    assert decision_of(told(runtime, "claude-code", call(session))) == "deny"


@pytest.mark.parametrize("home", ["/dev/null", "/proc/1/nothing"])
def test_where_the_state_folder_cannot_be_written_the_casebook_advises_and_blocks_all_the_same(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    monkeypatch.setenv("CASEBOOK_STATE_DIR", f"{home}/state")
    reply = told(runtime, "claude-code", prompt(f"s{home}", "deploy"))
    assert "周一再发布" in context_of(reply)
    assert reply.stderr == ""
    assert decision_of(told(runtime, "claude-code", call("s", "git push --force"))) == "deny"


def test_so_it_does_where_there_is_no_home_at_all(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("CASEBOOK_STATE_DIR")
    monkeypatch.setattr(Path, "home", nowhere)
    assert "周一再发布" in context_of(told(runtime, "claude-code", prompt("homeless", "deploy")))


def test_a_memo_that_is_a_folder_and_a_lock_that_is_one_hold_nobody_up(runtime: Runtime, state: Path) -> None:
    path = memo_path(state / "hooks", "claude-code", "folders")
    path.mkdir(parents=True)
    path.with_suffix(".lock").mkdir()
    assert "周一再发布" in context_of(told(runtime, "claude-code", prompt("folders", "deploy")))


def test_a_memo_keeps_what_it_is_given_and_shows_it_to_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    memo = Memo(
        turn="t\ud800",
        blocked="因为",
        calls=[OpenCall("c", "Bash", {"a": [1, None, "x\x00"]}, "act", failed=True)],
        counted=3,
    )
    write_memo(path, memo)
    assert read_memo(path) == memo
    assert path.stat().st_mode & 0o777 == 0o600


def test_files_of_sessions_long_gone_are_taken_out_and_those_in_use_are_not(tmp_path: Path) -> None:
    now = system_clock().timestamp()
    for name, days in (("old.json", 8), ("old.lock", 8), (".memo-torn", 8), ("new.json", 6), ("new.lock", 8)):
        (tmp_path / name).write_text("{}")
        os.utime(tmp_path / name, (now - days * 86_400,) * 2)
    drawn = next(f"s{n}" for n in range(10_000) if _is_drawn(tmp_path / "none", f"s{n}"))
    sweep_memos(tmp_path, now, drawn)
    sweep_memos(tmp_path, now, drawn)
    assert sorted(each.name for each in tmp_path.iterdir() if each.is_file()) == ["new.json", "new.lock"]


def _is_drawn(folder: Path, token: str) -> bool:
    """Say whether a session of this name looks for old files: one in 64 does."""
    folder.mkdir(exist_ok=True)
    (folder / "a.json").write_text("{}")
    os.utime(folder / "a.json", (0, 0))
    sweep_memos(folder, system_clock().timestamp(), token)
    return not (folder / "a.json").exists()
