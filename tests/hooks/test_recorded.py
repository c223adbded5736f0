"""What Claude Code 2.1.332, Codex 0.171.0 and OpenCode 1.18.33 really told (`recorded/`), read by the codecs and dealt with."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from casebook.adapters.hooks.answering import Served, answer, event_of
from casebook.adapters.hooks.event import Event
from casebook.adapters.hosts import host_of
from casebook.runtime import Runtime, error_signature

HERE = Path(__file__).parent / "recorded"
HOSTS = ("claude-code", "codex", "opencode")
PNPM = 'ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile" because pnpm-lock.yaml is not up to date with package.json'
CASES: list[dict[str, Any]] = [
    {"id": "deploy_friday", "trigger_conditions": ["text contains deploy"], "correction": "Deploy on Monday."},
    {
        "id": "no_force", "trigger_conditions": ['action is "git push"', 'args.command contains "--force"'],
        "correction": "Push with --force-with-lease.", "effect": "block", "on": ["tool"],
    },
]  # fmt: skip


def recorded(host: str, folder: Path) -> list[dict[str, Any]]:
    """Give a host's payloads, their transcript in a folder."""
    form = json.loads((HERE / f"{host.replace('-', '_')}.json").read_text(encoding="utf-8"))
    transcript = folder / f"{host}.jsonl"
    transcript.write_text("".join(f"{json.dumps(line)}\n" for line in form["transcript"]), encoding="utf-8")
    payloads: list[dict[str, Any]] = form["events"]
    return [{**each, "transcript_path": str(transcript)} for each in payloads]


def read(host: str, folder: Path) -> list[Event]:
    return [event_of(host_of(host), json.dumps(each).encode()) for each in recorded(host, folder)]


def outcome(events: list[Event], command: str) -> Event:
    """Give what became of a command."""
    (found,) = [each for each in events if each.kind == "outcome" and command in str(each.args.get("command"))]
    return found


@pytest.mark.parametrize(
    ("host", "kinds"),
    [
        ("claude-code", {"session_start": 2, "task": 2, "tool": 9, "outcome": 6, "other": 1, "turn_end": 2, "ended": 2}),
        ("codex", {"session_start": 1, "task": 1, "tool": 7, "outcome": 3, "turn_end": 1, "ended": 1}),
        ("opencode", {"session_start": 1, "task": 1, "tool": 7, "outcome": 6, "turn_end": 1}),
    ],
)  # fmt: skip
def test_every_event_is_what_it_is_to_us(tmp_path: Path, host: str, kinds: dict[str, int]) -> None:
    events = read(host, tmp_path)
    assert Counter(each.kind for each in events) == kinds
    assert all(each.session for each in events)
    assert all(each.cwd == "/work/shop" for each in events)
    assert all(each.turn and each.call for each in events if each.kind in ("tool", "outcome"))


@pytest.mark.parametrize("host", HOSTS)
def test_a_prompt_is_read_as_it_was_typed(tmp_path: Path, host: str) -> None:
    assert next(each.text for each in read(host, tmp_path) if each.kind == "task") == "please deploy the shop"


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize(
    ("command", "error"), [("echo hi", None), ("pnpm add", f"Exit code 1\n {PNPM}"), ("false", "Exit code 1")]
)
def test_what_became_of_a_command_is_told_alike_by_all_hosts(
    tmp_path: Path, host: str, command: str, error: str | None
) -> None:
    found = outcome(read(host, tmp_path), command).error
    assert (found.strip() if found else found) == error


def test_one_error_has_one_signature_in_all_hosts(tmp_path: Path) -> None:
    errors = [outcome(read(host, tmp_path), "pnpm add").error for host in HOSTS]
    assert len({error_signature(each or "", tool="shell") for each in errors}) == 1


@pytest.mark.parametrize(
    ("host", "words"), [("claude-code", "Command timed out after 1s"), ("opencode", "exceeding timeout 1000 ms")]
)
def test_a_command_that_ran_out_of_time_failed(tmp_path: Path, host: str, words: str) -> None:
    assert words in str(outcome(read(host, tmp_path), "sleep 5").error)


def test_codex_tells_exit_codes_in_its_transcript_alone(tmp_path: Path) -> None:
    for each in recorded("codex", tmp_path):
        bare = event_of(host_of("codex"), json.dumps({**each, "transcript_path": None}).encode())
        full = event_of(host_of("codex"), json.dumps(each).encode())
        if each["hook_event_name"] == "PostToolUse" and each["tool_input"]["command"] == "false":
            assert (bare.error, full.error) == (None, "Exit code 1")


def test_the_call_of_a_subagent_names_its_agent_and_is_of_the_same_session_and_turn(tmp_path: Path) -> None:
    calls = [each for each in read("claude-code", tmp_path) if each.kind == "tool"]
    of_agents = [each for each in calls if each.agent]
    assert [(each.agent, each.args["command"]) for each in of_agents] == [("general-purpose", "ls /nonexistent-xyz")]
    assert {(each.session, each.turn) for each in of_agents} == {(calls[0].session, calls[0].turn)}


def test_what_a_subagent_reports_is_no_prompt_of_a_person(tmp_path: Path) -> None:
    (report,) = [each for each in read("claude-code", tmp_path) if each.text.startswith("<task-notification>")]
    assert report.kind == "other"


# -- a whole recorded session, dealt with ---------------------------------------------------------------------------------


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runtime]:
    monkeypatch.setenv("CASEBOOK_STATE_DIR", str(tmp_path / "state"))
    folder = tmp_path / "memory"
    (folder / "long_term").mkdir(parents=True)
    (folder / "memory-policy.yaml").write_text("format: 1\nlimits: {before_task_ms: 60000}\n", encoding="utf-8")
    (folder / "long_term" / "cases.json").write_text(json.dumps(CASES), encoding="utf-8")
    with Runtime.open(folder) as opened:
        yield opened


def played(runtime: Runtime, host: str, payloads: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Deal with payloads, and give the answers."""
    replies = [answer(host, json.dumps(each).encode(), lambda _: Served(runtime, {"user": "ann"})) for each in payloads]
    assert {(each.code, each.stderr) for each in replies} == {(0, "")}
    return [json.loads(each.stdout or "{}").get("hookSpecificOutput", {}) for each in replies]


@pytest.mark.parametrize(
    ("host", "failed"),
    [
        ("claude-code", ["Exit code 1", "Exit code 1", "Exit code 143", "Exit code 2"]),
        ("codex", ["Exit code 1", "Exit code 1"]),
        ("opencode", ["Exit code 1", "Exit code 1", "(no output)", "Could not find oldString"]),
    ],
)
def test_a_recorded_session_warns_blocks_and_reports_each_failure_once(
    runtime: Runtime, tmp_path: Path, host: str, failed: list[str]
) -> None:
    payloads = recorded(host, tmp_path)
    told = played(runtime, host, payloads)
    (advised,) = [each for each in told if "Deploy on Monday" in each.get("additionalContext", "")]
    assert advised["hookEventName"] == "UserPromptSubmit"
    (denied,) = [each for each in told if each.get("permissionDecision") == "deny"]
    assert "Push with --force-with-lease." in denied["permissionDecisionReason"]
    events = [each for each in runtime.journal.events(kinds=("tool",)) if each.failed]
    assert sorted(str(each.body["error"]["message"])[:11] for each in events) == sorted(each[:11] for each in failed)
    assert not [each for each in events if each.body.get("ignored") == "denied-by-person"]


@pytest.mark.parametrize("host", ["claude-code", "codex"])
def test_a_call_without_an_outcome_was_not_allowed_only_where_the_host_has_noted_so(
    runtime: Runtime, tmp_path: Path, host: str
) -> None:
    payloads = recorded(host, tmp_path)
    pre = next(each for each in payloads if each["hook_event_name"] == "PreToolUse")
    prompt = next(each for each in payloads if each["hook_event_name"] == "UserPromptSubmit")
    said = {
        "claude-code": "The user doesn't want to proceed with this tool use. The tool use was rejected.",
        "codex": "exec command rejected by user",
    }[host]
    session = []
    for number, note in enumerate(("", said, "runs on")):
        call = {**pre, "tool_use_id": f"mine_{number}", "tool_input": {"command": f"make target{number}"}}
        session += [{**prompt, "prompt": "go on", "turn_id": f"t{number}", "prompt_id": f"t{number}"}, call]
        with Path(pre["transcript_path"]).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"tool_use_id": f"mine_{number}", "content": note}) + "\n")
    played(runtime, host, [*session, {**prompt, "prompt": "and now?", "turn_id": "t9", "prompt_id": "t9"}])
    events = runtime.journal.events(kinds=("tool",))
    denied = [each.body["args"]["command"] for each in events if each.body.get("ignored") == "denied-by-person"]
    assert denied == ["make target1"]
