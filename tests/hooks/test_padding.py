"""No block is taken off a call by what stands beside, before or after what it looks at; what could not be looked at is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from casebook.adapters.hooks.answering import HOOK_HOSTS, Served, answer
from casebook.adapters.hooks.event import Reply
from casebook.clock import elapsed
from casebook.runtime import Runtime

CASES: list[dict[str, Any]] = [
    {"id": "no_push", "trigger_conditions": ['action is "git push"'], "correction": "Open a pull request.", "effect": "block"},
    {"id": "no_etc", "trigger_conditions": ["tool is write", 'path starts with "/etc"'], "correction": "Leave it.", "effect": "block"},
    {"id": "ask_publish", "trigger_conditions": ['action is "npm publish"'], "correction": "Ask.", "effect": "confirm", "on": ["tool"]},
    {"id": "frozen", "trigger_conditions": ["text contains payroll"], "correction": "Leave it alone.", "effect": "block"},
    {"id": "dear", "trigger_conditions": ["tool is pay", "args.amount > 100"], "correction": "Ask.", "effect": "block"},
]  # fmt: skip
LONG = 1_100_000
CUT = "a part was not looked at"


@pytest.fixture(scope="module", params=["open", "closed"])
def runtime(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    folder = tmp_path_factory.mktemp("book")
    (folder / "long_term").mkdir()
    policy = f"format: 1\non_failure: {request.param}\nlimits: {{before_task_ms: 60000}}\n"
    (folder / "memory-policy.yaml").write_text(policy, encoding="utf-8")
    (folder / "long_term" / "cases.json").write_text(json.dumps(CASES), encoding="utf-8")
    patch = pytest.MonkeyPatch()
    patch.setenv("CASEBOOK_STATE_DIR", str(tmp_path_factory.mktemp("state")))
    with Runtime.open(folder) as opened:
        yield opened
    patch.undo()


def told(runtime: Runtime, raw: bytes, host: str = "claude-code") -> Reply:
    return answer(host, raw, lambda _: Served(runtime, {"user": "ann"}))


def call(args: str, tool: str = "Bash") -> bytes:
    """Give a call as Claude Code tells it, its arguments as JSON: some cannot be written from here."""
    head = {"session_id": "s", "cwd": "/", "hook_event_name": "PreToolUse", "tool_name": tool}
    return (json.dumps(head)[:-1] + f', "tool_input": {args}}}').encode()


def decision_of(reply: Reply) -> str:
    return str(json.loads(reply.stdout or "{}").get("hookSpecificOutput", {}).get("permissionDecision", "allow"))


def reason_of(reply: Reply) -> str:
    return str(json.loads(reply.stdout or "{}").get("hookSpecificOutput", {}).get("permissionDecisionReason", ""))


def nested(levels: int) -> str:
    return "[" * levels + "]" * levels


PADDED = {
    "a long description": '{"command": %s, "description": "' + "x" * LONG + '"}',
    "a long description first": '{"description": "' + "x" * LONG + '", "command": %s}',
    **{f"{levels} deep": f'{{"pad": {nested(levels)}, "command": %s}}' for levels in (101, 400, 800, 990, 5_000, 100_000)},
    "both": '{"pad": ' + nested(20_000) + ', "command": %s, "more": "' + "y" * LONG + '"}',
}  # fmt: skip


@pytest.mark.parametrize("padded", PADDED.values(), ids=PADDED.keys())
@pytest.mark.parametrize(
    ("command", "decision"), [("git push origin main", "deny"), ("npm publish", "ask"), ("git status", "allow")]
)
def test_what_stands_beside_a_command_takes_no_verdict_off_it(
    runtime: Runtime, padded: str, command: str, decision: str
) -> None:
    started = elapsed()
    reply = told(runtime, call(padded.replace("%s", json.dumps(command))))
    assert elapsed() - started < 20
    is_closed = runtime.policy().fails_closed
    assert decision_of(reply) == ("deny" if is_closed else decision)
    assert (reply.stderr.count("\n"), reply.stderr.count(CUT)) == (1, 1)
    assert ("could not look at all of it" in reason_of(reply)) == (is_closed and decision != "deny")


COMMENTED = [
    "git push origin main # " + "x" * LONG,
    "# " + "x" * LONG + "\ngit push origin main",
    f"echo '{'x' * LONG}'; git push",
]


@pytest.mark.parametrize("command", COMMENTED, ids=["after", "before", "quoted"])
def test_a_comment_in_a_command_takes_no_block_off_it(runtime: Runtime, command: str) -> None:
    reply = told(runtime, call(json.dumps({"command": command})))
    assert decision_of(reply) == "deny"
    assert "Open a pull request." in reason_of(reply)


@pytest.mark.parametrize(("path", "is_blocked"), [("/etc/hosts", True), ("/tmp/hosts", False)])
def test_a_long_text_takes_no_block_off_the_path_it_is_written_to(
    runtime: Runtime, path: str, is_blocked: bool
) -> None:
    reply = told(runtime, call(json.dumps({"file_path": path, "content": "y" * LONG}), "Write"))
    assert (decision_of(reply) == "deny") == (is_blocked or runtime.policy().fails_closed)


def test_an_integer_of_five_thousand_digits_is_one_among_others(runtime: Runtime) -> None:
    for command, decision in (("git push", "deny"), ("git status", "allow")):
        reply = told(runtime, call(f'{{"n": {"9" * 5_000}, "command": "{command}"}}'))
        assert (decision_of(reply), reply.stderr) == (decision, "")


@pytest.mark.parametrize(
    ("amount", "decision"),
    [("1e400", "deny"), ("Infinity", "deny"), ("1e308", "deny"), ("-1e400", "allow"), ("NaN", "allow")],
)
def test_a_number_beyond_all_others_is_above_a_bound(runtime: Runtime, amount: str, decision: str) -> None:
    assert decision_of(told(runtime, call(f'{{"amount": {amount}}}', "pay"))) == decision


def test_a_long_prompt_is_blocked_by_its_ends(runtime: Runtime) -> None:
    for text in ("change the payroll " + "x " * LONG, "x " * LONG + "change the payroll"):
        event = {"hook_event_name": "UserPromptSubmit", "session_id": "p", "prompt_id": "t1", "prompt": text}
        assert CUT in told(runtime, json.dumps(event).encode()).stderr
        assert decision_of(told(runtime, call('{"command": "ls"}').replace(b'"s"', b'"p"'))) == "deny"


def test_what_became_of_a_padded_call_is_known(runtime: Runtime) -> None:
    event = {
        "hook_event_name": "PostToolUseFailure", "session_id": "o", "tool_name": "Bash", "error": f"kaput {runtime.policy().on_failure}",
        "tool_input": {"command": "make", "pad": "x" * LONG}, "tool_use_id": "c1",
    }  # fmt: skip
    told(runtime, json.dumps(event).encode())
    runtime.flush()
    (found,) = [each for each in runtime.journal.events(kinds=("tool",)) if each.session == "o"]
    assert found.body["args"]["command"] == "make"


TORN = {
    "claude-code": b'{"session_id": "s", "cwd": "/", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls',
    "codex": b'{"session_id": "s", "cwd": "/", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls',
    "opencode": b'{"session_id": "s", "cwd": "/", "hook_event_name": "PreToolUse", "tool_name": "bash", "tool_input": {"command": "ls',
    "gemini": b'{"session_id": "s", "cwd": "/", "hook_event_name": "BeforeTool", "tool_name": "run_shell_command", "tool_input": {"comm',
    "openclaw": b'{"event": "before_tool_call", "toolName": "exec", "ctx": {"sessionKey": "s", "workspaceDir": "/"}, "params": {"comm',
}  # fmt: skip


@pytest.mark.parametrize("host", HOOK_HOSTS)
def test_a_torn_event_of_a_call_is_told_and_blocks_it_only_where_nothing_may_pass_unseen(
    runtime: Runtime, host: str
) -> None:
    reply = told(runtime, TORN[host], host)
    assert reply.code == 0
    assert "as a JSON object" in reply.stderr
    assert ("could not look at all of it" in reply.stdout) == runtime.policy().fails_closed


@pytest.mark.parametrize("raw", [b"", b'{"hook_event_name": "UserPromptSubmit", "prompt": "x', b'{"hook_event_name": "PostToolUse", "tool'])  # fmt: skip
def test_a_torn_event_of_no_call_blocks_nothing(runtime: Runtime, raw: bytes) -> None:
    reply = told(runtime, raw)
    assert (reply.stdout, reply.code) == ("", 0)
    assert "as a JSON object" in reply.stderr


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    JSON,
    st.text(st.characters(exclude_characters="\n\r\x0b\x0c\x85\u2028\u2029"), max_size=20),
    st.sampled_from([0, 1_000, 70_000]),
    st.tuples(
        st.sampled_from([1, 150, 1_200]),
        st.sampled_from(["git push {}", "{} git push", "git push origin main # {}", "# {}\ngit push"]),
    ),
)
def test_whatever_is_put_around_a_command_it_is_blocked(
    runtime: Runtime, pad: Any, comment: str, times: int, around: tuple[int, str]
) -> None:
    levels, form = around
    is_comment = "#" in form
    words = comment * times if is_comment else "origin main" if form.startswith("git") else "sudo"
    args = json.dumps({"a": [pad] * max(times // 100, 1), "command": form.format(words), "z": pad})
    padded = f'{{"deep": {nested(levels)}, {args[1:]}'
    assert decision_of(told(runtime, call(padded))) == "deny"
