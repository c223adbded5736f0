"""What Claude Code 2.1.332, Codex 0.171.0, OpenCode 1.18.33 and Gemini CLI 0.61.0 really told (`recorded/`), read by the codecs and dealt with."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from casebook.adapters.hooks.answering import Served, answer, event_of
from casebook.adapters.hooks.event import Event
from casebook.adapters.hooks.memo import Memo, OpenCall
from casebook.adapters.hosts import host_of
from casebook.runtime import Runtime, error_signature

HERE = Path(__file__).parent / "recorded"
HOSTS = ("claude-code", "codex", "opencode", "gemini")
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
    """Give what became of a command, the first time."""
    return next(each for each in events if each.kind == "outcome" and command in str(each.args.get("command")))


@pytest.mark.parametrize(
    ("host", "kinds"),
    [
        ("claude-code", {"session_start": 2, "task": 2, "tool": 9, "outcome": 6, "other": 1, "turn_end": 2, "ended": 2}),
        ("codex", {"session_start": 1, "task": 1, "tool": 7, "outcome": 3, "turn_end": 1, "ended": 1}),
        ("opencode", {"session_start": 1, "task": 1, "tool": 7, "outcome": 6, "turn_end": 1}),
        (
            "gemini",
            {"session_start": 2, "task": 5, "tool": 11, "outcome": 8, "other": 2, "turn_end": 2, "ended": 4},
        ),
    ],
)  # fmt: skip
def test_every_event_is_what_it_is_to_us(tmp_path: Path, host: str, kinds: dict[str, int]) -> None:
    events = read(host, tmp_path)
    assert Counter(each.kind for each in events) == kinds
    assert all(each.session for each in events)
    assert all(each.cwd == "/work/shop" for each in events)
    named = {bool(each.turn and each.call) for each in events if each.kind in ("tool", "outcome")}
    assert named == {host != "gemini"}  # which names neither


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
    assert (found.split() if found else found) == (error.split() if error else error)


def test_one_error_has_one_signature_in_all_hosts(tmp_path: Path) -> None:
    errors = [outcome(read(host, tmp_path), "pnpm add").error for host in HOSTS]
    assert len({error_signature(each or "", tool="shell") for each in errors}) == 1


@pytest.mark.parametrize(
    ("host", "words"),
    [
        ("claude-code", "Command timed out after 1s"),
        ("opencode", "exceeding timeout 1000 ms"),
        ("gemini", "exceeded the timeout of 0.1 minutes"),
    ],
)
def test_a_command_that_ran_out_of_time_failed(tmp_path: Path, host: str, words: str) -> None:
    assert words in str(outcome(read(host, tmp_path), "sleep ").error)


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


def shell(content: str, shown: object = "", **more: Any) -> Event:
    """Give the outcome of a command as Gemini CLI tells it."""
    response = {"llmContent": f"<untrusted_context>\n{content}\n</untrusted_context>", "returnDisplay": shown, **more}
    event = {
        "hook_event_name": "AfterTool",
        "session_id": "s",
        "tool_name": "run_shell_command",
        "tool_input": {},
        "tool_response": response,
    }
    return event_of(host_of("gemini"), json.dumps(event).encode())


@pytest.mark.parametrize(
    ("content", "shown", "error"),
    [
        ("Output: hi\nProcess Group PGID: 7", "hi", None),
        ("Output: (empty)\nExit Code: 1\nProcess Group PGID: 7", "Command exited with code: 1", "Exit code 1"),
        ("Output: a\nb\nExit Code: 2\nBackground PIDs: 8, 9\nProcess Group PGID: 7", "a\nb", "Exit code 2\na\nb"),
        ("Output: (empty)\nSignal: 9\nProcess Group PGID: 7", "Command terminated by signal: 9", "Exit code 137"),
        ("Output: a\nSignal: SIGKILL\nProcess Group PGID: 7", "a", "Signal SIGKILL\na"),
        ("Output: a\nError: boom\nProcess Group PGID: 7", [[{"text": "a"}]], None),  # a program's own last line
        ("Output: a\nExit Code: 1\nProcess Group PGID: 7", "a\nExit Code: 1", None),  # as well
        ("Output: a\nExit Code: 1\nProcess Group PGID: 7", [[{"text": "a"}]], "Exit code 1\na"),
        ("Output: Exit Code: 1\nand then it went well\nProcess Group PGID: 7", [], None),
        ("Output: (empty)\nExit Code: 0", "", None),
        ("Command moved to background (PID: 7). Output hidden. Press Ctrl+B to view.", "", None),
        ("", "", None),
    ],
)
def test_how_a_command_ended_stands_in_what_geminis_model_reads(content: str, shown: object, error: str | None) -> None:
    found = shell(content, shown)
    assert (found.error, found.interrupted) == (error, False)


def test_a_long_output_is_read_from_its_end() -> None:
    words = "Exit Code: 3\n" * 100_000
    assert str(shell(f"Output: {words}Exit Code: 1", []).error).startswith("Exit code 1\nExit Code: 3\n")


def test_a_command_that_its_person_broke_off_in_gemini_is_no_error_of_the_command() -> None:
    assert shell(
        "Command was cancelled by user before it could complete. There was no output before it was cancelled."
    ).interrupted


def test_a_call_that_gemini_makes_again_with_more_rights_has_no_outcome_yet() -> None:
    assert (
        shell("Sandbox expansion required", error={"type": "sandbox_expansion_required", "message": "{}"}).kind
        == "other"
    )


def test_neither_what_hooks_have_said_nor_a_file_that_was_named_is_a_persons_word_in_gemini(tmp_path: Path) -> None:
    told = [each.text for each in read("gemini", tmp_path) if each.kind == "task"]
    assert told == ["please deploy the shop", "please go", "please go", "@a.txt what is it", "ok then"]


@pytest.mark.parametrize(("trigger", "kind"), [("auto", "other"), ("manual", "compacted")])
def test_gemini_tells_of_a_cut_before_each_request_and_means_it_where_a_person_asked_for_it(
    trigger: str, kind: str
) -> None:
    event = {"hook_event_name": "PreCompress", "session_id": "s", "trigger": trigger}
    assert event_of(host_of("gemini"), json.dumps(event).encode()).kind == kind


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
    told = [json.loads(each.stdout or "{}") for each in replies]
    return [{**each, **each.pop("hookSpecificOutput", {})} for each in told]


@pytest.mark.parametrize(
    ("host", "failed"),
    [
        ("claude-code", ["Exit code 1", "Exit code 1", "Exit code 143", "Exit code 2"]),
        ("codex", ["Exit code 1", "Exit code 1"]),
        ("opencode", ["Exit code 1", "Exit code 1", "(no output)", "Could not find oldString"]),
        (
            "gemini",
            [*["Exit code 1"] * 3, "Exit code 137", "Command was", "Could not find an", *["the call was not"] * 2],
        ),
    ],
)
def test_a_recorded_session_warns_blocks_and_reports_each_failure_once(
    runtime: Runtime, tmp_path: Path, host: str, failed: list[str]
) -> None:
    payloads = recorded(host, tmp_path)
    told = played(runtime, host, payloads)
    (advised,) = [each for each in told if "Deploy on Monday" in each.get("additionalContext", "")]
    assert advised["hookEventName"] == ("BeforeAgent" if host == "gemini" else "UserPromptSubmit")
    (denied,) = [each for each in told if "deny" in (each.get("permissionDecision"), each.get("decision"))]
    assert "Push with --force-with-lease." in str(denied.get("permissionDecisionReason", denied.get("reason")))
    events = [each for each in runtime.journal.events(kinds=("tool",)) if each.failed]
    assert sorted(str(each.body["error"]["message"])[:11] for each in events) == sorted(each[:11] for each in failed)
    refused = [each for each in events if each.body.get("ignored") == "denied-by-person"]
    assert len(refused) == (2 if host == "gemini" else 0)  # in its terminal a person pressed Esc twice


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


@pytest.mark.parametrize(
    ("status", "is_denied"),
    [
        ("cancelled", True),
        ("error", False),
        ("success", False),
        (None, False),
    ],  # a policy denied it, it went on, it was killed
)
def test_a_call_without_an_outcome_was_not_allowed_where_gemini_has_noted_so_by_its_tool_and_arguments(
    runtime: Runtime, tmp_path: Path, status: str | None, is_denied: bool
) -> None:
    payloads = recorded("gemini", tmp_path)
    pre = next(each for each in payloads if each["hook_event_name"] == "BeforeTool")
    prompt = next(each for each in payloads if each["hook_event_name"] == "BeforeAgent")
    args = {"command": "curl -H 'Authorization: Bearer s3cr3tabcdefghij0123456789' http://127.0.0.1/x"}
    lines = [f"run_shell_command:{command}" for command in ("ls", "make")]
    notes = [
        {"toolCalls": [{"name": "run_shell_command", "args": {"command": each}, "status": "success"}]} for each in lines
    ]
    if status:
        notes.append({"toolCalls": [{"name": "run_shell_command", "args": args, "status": status}]})
    with Path(pre["transcript_path"]).open("a", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(each)}\n" for each in ("no object", *notes))
    call = {**pre, "tool_input": args}
    played(runtime, "gemini", [{**prompt, "prompt": "go on"}, call, {**prompt, "prompt": "and now?"}])
    events = runtime.journal.events(kinds=("tool",))
    assert [each.body.get("ignored") == "denied-by-person" for each in events if each.failed] == [True] * is_denied


@pytest.mark.parametrize(
    ("call", "tool", "args", "opened"),
    [
        ("", "sh", {"command": "b"}, 1),
        ("", "sh", {"command": "a"}, 0),
        ("", "sh", {"command": "changed on its way"}, 0),
        ("", "edit", {"command": "b"}, 3),
        ("", "other", {"command": "a"}, None),
        ("c2", "sh", {"command": "a"}, 2),
        ("c9", "sh", {"command": "a"}, None),
    ],
)
def test_an_outcome_is_of_the_call_with_its_id_else_with_its_arguments_else_the_eldest_of_its_tool(
    call: str, tool: str, args: dict[str, Any], opened: int | None
) -> None:
    calls = [("", "sh", "a"), ("", "sh", "b"), ("c2", "sh", "a"), ("", "edit", "e")]
    memo = Memo(calls=[OpenCall(name, of, {"command": command}) for name, of, command in calls])
    found = memo.open(call, tool, args)
    assert found is (None if opened is None else memo.calls[opened])
