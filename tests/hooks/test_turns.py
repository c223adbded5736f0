"""A block or a question at the task point holds this turn's calls and no others; what a person says about a call is bound to it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from casebook.adapters.hooks.answering import Served, answer
from casebook.adapters.hooks.memo import known_as
from casebook.runtime import Runtime

CASES: list[dict[str, Any]] = [
    {"id": "frozen", "trigger_conditions": ["text contains payroll"], "correction": "Leave the payroll alone.", "effect": "block"},
    {"id": "ask_first", "trigger_conditions": ["text contains invoice"], "correction": "Ask Ann first.", "effect": "confirm"},
    {
        "id": "ask_publish", "trigger_conditions": ['action is "npm publish"'], "correction": "Ask before you publish.",
        "effect": "confirm", "on": ["tool"],
    },
    {
        "id": "of_reviewers", "trigger_conditions": ['action is "git commit"'], "correction": "Reviewers commit nothing.",
        "effect": "block", "on": ["tool"], "scope": {"agent": "reviewer"},
    },
]  # fmt: skip


class Session:
    """A session of a host over a casebook."""

    def __init__(self, runtime: Runtime, host: str, name: str = "s1") -> None:
        self.runtime, self.host, self.name = runtime, host, name
        self._calls = 0

    def told(self, event: str, turn: str, **more: Any) -> dict[str, Any]:
        field = "prompt_id" if self.host == "claude-code" else "turn_id"
        payload = {"hook_event_name": event, "session_id": self.name, field: turn, **more}
        reply = answer(self.host, json.dumps(payload).encode(), lambda _: Served(self.runtime, {"user": "ann"}))
        assert (reply.code, reply.stderr) == (0, "")
        said: dict[str, Any] = json.loads(reply.stdout or "{}").get("hookSpecificOutput", {})
        return said

    def prompt(self, text: str, turn: str) -> str:
        return str(self.told("UserPromptSubmit", turn, prompt=text).get("additionalContext", ""))

    def call(self, turn: str, command: str = "ls", **more: Any) -> str:
        """Give what is decided about a call: `allow`, `ask`, `deny`."""
        self._calls += 1
        called = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": f"c{self._calls}"}
        said = self.told("PreToolUse", turn, **called, **more)
        return str(said.get("permissionDecision", "allow"))

    def ended(self, turn: str, command: str = "ls", **more: Any) -> None:
        """Tell that the last call succeeded."""
        called = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": f"c{self._calls}"}
        self.told(
            "PostToolUse", turn, **called, tool_response={"stdout": "", "interrupted": False, "exit_code": 0}, **more
        )

    def denied(self) -> list[str]:
        """Give the commands of which the journal says that a person did not allow them."""
        events = self.runtime.journal.events(kinds=("tool",))
        return [each.body["args"]["command"] for each in events if each.body.get("ignored") == "denied-by-person"]


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runtime]:
    monkeypatch.setenv("CASEBOOK_STATE_DIR", str(tmp_path / "state"))
    folder = tmp_path / "memory"
    (folder / "long_term").mkdir(parents=True)
    (folder / "memory-policy.yaml").write_text("format: 1\nlimits: {before_task_ms: 60000}\n", encoding="utf-8")
    (folder / "long_term" / "cases.json").write_text(json.dumps(CASES), encoding="utf-8")
    with Runtime.open(folder) as opened:
        yield opened


@pytest.fixture(params=["claude-code", "codex", "opencode"])
def session(request: pytest.FixtureRequest, runtime: Runtime) -> Session:
    return Session(runtime, request.param)


def test_a_blocked_turn_holds_every_call_of_it_and_the_next_turn_is_free(session: Session) -> None:
    assert "Leave the payroll alone." in session.prompt("change the payroll", "t1")
    assert [session.call("t1"), session.call("t1", "cat x")] == ["deny", "deny"]
    assert session.prompt("then list the files", "t2") == ""
    assert session.call("t2") == "allow"


def test_another_session_is_not_held(session: Session) -> None:
    session.prompt("change the payroll", "t1")
    assert Session(session.runtime, session.host, "s2").call("t1") == "allow"


def test_a_prompt_typed_into_the_running_turn_leaves_its_block(session: Session) -> None:
    """Claude Code gives such a prompt the id of the turn that runs (run: 2.1.332)."""
    session.prompt("change the payroll", "t1")
    session.prompt("and be quick", "t1")
    assert session.call("t1") == "deny"
    session.prompt("list the files", "t2")
    assert session.call("t2") == "allow"


def test_a_block_in_a_prompt_typed_into_the_running_turn_holds_the_calls_after_it(session: Session) -> None:
    session.prompt("list the files", "t1")
    assert session.call("t1") == "allow"
    session.prompt("then change the payroll", "t1")
    assert session.call("t1") == "deny"


def test_a_blocked_turn_holds_its_subagents_too(runtime: Runtime) -> None:
    session = Session(runtime, "claude-code")
    session.prompt("change the payroll", "t1")
    assert session.call("t1", agent_id="a1", agent_type="general-purpose") == "deny"


def test_a_case_for_an_agent_concerns_the_calls_of_that_agent_alone(runtime: Runtime) -> None:
    session = Session(runtime, "claude-code")
    session.prompt("commit it", "t1")
    assert session.call("t1", "git commit -m x", agent_id="a1", agent_type="reviewer") == "deny"
    assert session.call("t1", "git commit -m x", agent_id="a2", agent_type="writer") == "allow"
    assert session.call("t1", "git commit -m x") == "allow"


def test_calls_side_by_side_are_each_told_their_own_end(session: Session) -> None:
    session.prompt("list the files", "t1")
    for command in ("make a", "make b", "make c"):
        session.call("t1", command)
    for number, command in ((3, "make c"), (1, "make a"), (2, "make b")):
        session._calls = number
        session.ended("t1", command)
    session.prompt("and now?", "t2")
    assert session.denied() == []
    assert len(session.runtime.journal.events(kinds=("tool",))) == 3


def test_a_turn_that_wants_a_yes_asks_once_where_the_host_asks_and_is_refused_until_the_person_speaks_where_not(
    session: Session,
) -> None:
    assert "Ask Ann first." in session.prompt("write the invoice", "t1")
    asked = [session.call("t1")]
    if session.host == "claude-code":
        session.ended("t1")  # the person said yes: it was made
    asked.append(session.call("t1"))
    assert asked == (["ask", "allow"] if session.host == "claude-code" else ["deny", "deny"])
    session.prompt("yes, do", "t2")
    assert session.call("t2") == "allow"


OUTCOMES = {
    "refused, which Claude Code tells by no event": (None, "ask"),
    "made": ({"hook_event_name": "PostToolUse", "tool_response": {"stdout": ""}}, "allow"),
    "made, and it failed": ({"hook_event_name": "PostToolUseFailure", "error": "Exit code 1"}, "allow"),
    "broken off": ({"hook_event_name": "PostToolUseFailure", "error": "x", "is_interrupt": True}, "ask"),
}  # fmt: skip


@pytest.mark.parametrize(("outcome", "then"), OUTCOMES.values(), ids=OUTCOMES.keys())
def test_a_turn_that_wants_a_yes_asks_again_until_a_call_that_was_asked_about_was_made(
    runtime: Runtime, outcome: dict[str, Any] | None, then: str
) -> None:
    session = Session(runtime, "claude-code")
    session.prompt("write the invoice", "t1")
    assert session.call("t1", "make a") == "ask"
    if outcome is not None:
        told = dict(outcome)
        name = str(told.pop("hook_event_name"))
        session.told(name, "t1", tool_name="Bash", tool_input={"command": "make a"}, tool_use_id="c1", **told)
    assert [session.call("t1", "make b"), session.call("t1", "make c")] == [then, then]


def test_what_became_of_a_call_before_the_question_is_no_yes(runtime: Runtime) -> None:
    session = Session(runtime, "claude-code")
    session.prompt("list the files", "t1")
    assert session.call("t1", "make a") == "allow"
    session.prompt("and write the invoice", "t1")
    session._calls = 1
    session.ended("t1", "make a")
    assert session.call("t1", "make b") == "ask"


@pytest.mark.parametrize(
    ("more", "asks"), [({"denied": True, "unmade": True}, True), ({"unmade": True}, True), ({}, False), ({"error": "kaput"}, False)]
)  # fmt: skip
def test_openclaw_asks_again_where_its_person_said_no_or_nothing(
    runtime: Runtime, more: dict[str, Any], asks: bool
) -> None:
    def told(event: str, **fields: Any) -> dict[str, Any]:
        ctx = {"sessionKey": "s1", "runId": "r1"}
        raw = json.dumps({"event": event, "ctx": ctx, **fields}).encode()
        reply = answer("openclaw", raw, lambda _: Served(runtime, {"user": "ann"}))
        assert (reply.code, reply.stderr) == (0, "")
        said: dict[str, Any] = json.loads(reply.stdout or "{}")
        return said

    called = {"toolName": "exec", "params": {"command": "make"}}
    told("before_prompt_build", currentUserMessage="write the invoice")
    assert "requireApproval" in told("before_tool_call", **called, toolCallId="c1")
    told("after_tool_call", **called, toolCallId="c1", **more)
    assert ("requireApproval" in told("before_tool_call", **called, toolCallId="c2")) == asks


SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def test_no_secret_stands_in_what_is_kept_of_a_call_and_its_outcome_is_still_its_own(
    runtime: Runtime, tmp_path: Path
) -> None:
    session = Session(runtime, "claude-code")
    session.prompt("list the files", f"turn-{SECRET}")
    for number in (1, 2):
        called = {
            "tool_name": f"mcp__{SECRET}",
            "tool_input": {"n": number, "key": SECRET},
            "tool_use_id": f"{SECRET}{number}",
        }
        session.told("PreToolUse", f"turn-{SECRET}", **called)
    kept = "".join(each.read_text() for each in (tmp_path / "state" / "hooks").glob("*.json"))
    assert '"calls": [{' in kept
    assert SECRET not in kept
    called = {"tool_name": f"mcp__{SECRET}", "tool_input": {"n": 2, "key": SECRET}, "tool_use_id": f"{SECRET}2"}
    session.told("PostToolUse", f"turn-{SECRET}", **called, tool_response={"stdout": ""})
    (path,) = (tmp_path / "state" / "hooks").glob("*.json")
    assert [each["heard"] for each in json.loads(path.read_text())["calls"]] == [False, True]


@pytest.mark.parametrize("name", ["toolu_01A09q90qw90lq917835lq9", "call_Ao02pnFYXD6GN1yzvnptvVoY", "c1", ""])
def test_a_hosts_own_id_is_kept_as_it_is_for_its_transcript_is_searched_by_it(name: str) -> None:
    assert known_as(name) == name


def test_what_claude_code_asks_its_person_speaks_to_the_person_and_what_it_tells_the_model_is_the_lesson(
    runtime: Runtime,
) -> None:
    session = Session(runtime, "claude-code")
    session.prompt("release it", "t1")
    publish = {"tool_name": "Bash", "tool_input": {"command": "npm publish"}, "tool_use_id": "c1"}
    told = session.told("PreToolUse", "t1", **publish)
    asked = (
        "Casebook: a lesson asks for your yes.\n- **Ask a person before going on.** Correction: Ask before you publish."
    )
    assert told["permissionDecisionReason"] == asked
    assert "Case ask_publish" in told["additionalContext"]


def test_a_call_that_the_casebook_refused_is_not_told_as_refused_by_a_person(session: Session) -> None:
    session.prompt("publish it", "t1")
    session.call("t1", "npm publish")
    session.prompt("change the payroll", "t2")
    session.call("t2", "make")
    session.prompt("and now?", "t3")
    assert session.denied() == (["npm publish"] if session.host == "claude-code" else [])


def test_a_person_who_is_asked_and_says_no_is_heard(runtime: Runtime) -> None:
    session = Session(runtime, "claude-code")
    session.prompt("list the files", "t1")
    session.call("t1", "make clean")
    session.prompt("no, keep the build", "t2")
    assert session.denied() == ["make clean"]
    (said,) = runtime.journal.events(kinds=("feedback",))
    assert (said.body["text"], said.body["args"]["command"]) == ("no, keep the build", "make clean")


def test_an_outcome_that_comes_after_the_next_prompt_counts_to_its_own_turn(runtime: Runtime) -> None:
    session = Session(runtime, "claude-code")
    session.prompt("list the files", "t1")
    session.call("t1", "make")
    session.prompt("and the tests", "t2")
    session.ended("t1", "make")
    assert [each.turn for each in runtime.journal.events(kinds=("tool",)) if not each.failed] == ["t1"]


def test_the_end_of_a_session_is_told(session: Session) -> None:
    session.prompt("list the files", "t1")
    session.told("SessionEnd", "t1", reason="other")
    assert [(each.kind, each.session) for each in session.runtime.journal.events(kinds=("ended",))] == [("ended", "s1")]


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("The user rejected permission to use this specific tool call.", []),
        (
            "The user rejected permission to use this specific tool call with the following feedback: use pnpm",
            ["use pnpm"],
        ),
    ],
)
def test_what_a_person_says_as_they_refuse_a_call_is_feedback_about_it(
    runtime: Runtime, said: str, heard: list[str]
) -> None:
    """OpenCode tells both in the error of the call (read in 1.18.33)."""
    session = Session(runtime, "opencode")
    session.prompt("install it", "t1")
    session.call("t1", "npm install left-pad")
    called = {"tool_name": "bash", "tool_input": {"command": "npm install left-pad"}, "tool_use_id": "c1"}
    session.told("PostToolUseFailure", "t1", **called, error=said)
    assert session.denied() == ["npm install left-pad"]
    words = runtime.journal.events(kinds=("feedback",))
    assert [(each.body["text"], each.body["args"]["command"]) for each in words] == [
        (each, "npm install left-pad") for each in heard
    ]


@pytest.mark.parametrize(
    "error", ["permission denied: rejected permission of the server", "Error: rejected permission"]
)
def test_an_error_that_merely_speaks_of_permission_is_an_error(runtime: Runtime, error: str) -> None:
    session = Session(runtime, "opencode")
    session.prompt("install it", "t1")
    session.call("t1", "make")
    session.told(
        "PostToolUseFailure", "t1", tool_name="bash", tool_input={"command": "make"}, tool_use_id="c1", error=error
    )
    assert session.denied() == []
    assert [each.failed for each in runtime.journal.events(kinds=("tool",))] == [True]
