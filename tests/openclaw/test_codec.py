"""An event of the gateway, as it was seen, is read for what it is; an answer has what the gateway takes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from casebook.adapters.hooks.openclaw import read, write
from casebook.adapters.protocol import Injection


def after(error: str = "", details: dict[str, Any] | None = None, text: str = "", **more: Any) -> dict[str, Any]:
    result = {"content": [{"type": "text", "text": text}], "details": details or {}}
    return {"event": "after_tool_call", "toolName": "exec", "error": error, "result": result, **more}


@pytest.mark.parametrize(
    "payload, error",
    [
        pytest.param(after(details={"status": "completed", "exitCode": 0, "aggregated": "ok"}, text="ok"), None, id="a success"),
        pytest.param(
            after(details={"status": "completed", "exitCode": 2, "aggregated": "ls: cannot access '/x'\n\n(Command exited with code 2)"}),
            "ls: cannot access '/x'\n\n(Command exited with code 2)",
            id="an exit code, which is no error to OpenClaw",
        ),
        pytest.param(
            after("sh: pnpm-x: command not found", {"status": "failed", "exitCode": 127, "aggregated": "sh: pnpm-x: command not found"}),
            "sh: pnpm-x: command not found",
            id="an exit code and an error",
        ),
        pytest.param(after(details={"exitCode": 7, "aggregated": ""}), "exit code 7", id="a program that says nothing"),
        pytest.param(
            after("failed", {"status": "failed", "exitCode": None, "exitReason": "overall-timeout"}, "Command timed out after 1 seconds."),
            "Command timed out after 1 seconds.",
            id="a time limit, of which the error says nothing",
        ),
        pytest.param(
            after("File not found: /x.", {"status": "error", "tool": "read", "error": "File not found: /x."}, '{"status": "error"}'),
            "File not found: /x.",
            id="a tool that raised",
        ),
        pytest.param(
            after('Validation failed for tool "write":', {}, 'Validation failed for tool "write":\n  - content: must have it'),
            'Validation failed for tool "write":\n  - content: must have it',
            id="an error of which only the first line is given",
        ),
        pytest.param(after(details={"status": "running", "pid": 17}, text="Command still running"), None, id="one that runs on"),
        pytest.param(after(details={"status": "not_found", "text": ""}), None, id="an answer that nothing is there"),
    ],
)  # fmt: skip
def test_the_error_of_a_call(payload, error):
    event = read(payload)
    assert (event.kind, event.error, event.interrupted) == ("outcome", error, False)


@pytest.mark.parametrize(
    "payload",
    [
        after(details={"status": "blocked", "deniedReason": "plugin-before-tool-call"}, text="another plugin's reason"),
        after(details={"status": "approval-pending"}),
        after("Plugin approval unavailable (no approval route)"),
        after("Approval timed out"),
        after("failed", {"status": "failed", "exitReason": "manual-cancel"}),
        after(unmade=True),
    ],
)
def test_a_call_that_was_not_made_has_no_error_of_the_tool(payload):
    assert read(payload).interrupted


@pytest.mark.parametrize(
    "trigger, payload, text",
    [
        ("user", {"prompt": "deploy"}, "deploy"),
        ("user", {"prompt": "history, then: deploy", "currentUserMessage": "deploy"}, "deploy"),
        ("user", {"prompt": "history", "currentUserMessage": ""}, ""),
        ("user", {"prompt": "why [cron:1 x] y\nCurrent time: z"}, "why [cron:1 x] y\nCurrent time: z"),
        (
            "cron",
            {"prompt": "[cron:74ec-0b nightly] purge\nall\nCurrent time: Monday\n\nThis is an unattended run."},
            "purge\nall",
        ),
        ("cron", {"prompt": "[cron:74ec-0b nightly] purge"}, "purge"),
        (
            "heartbeat",
            {"prompt": "Follow the heartbeat monitor scratch context when provided. …\nCurrent time: Monday"},
            "",
        ),
        ("heartbeat", {"prompt": "Look at the inbox\nCurrent time: Monday"}, "Look at the inbox"),
    ],
)
def test_what_is_said_now_is_what_conditions_read(trigger, payload, text):
    assert read({"event": "before_prompt_build", **payload, "ctx": {"trigger": trigger}}).text == text


def test_an_approval_shows_the_call_and_the_correction_within_what_the_gateway_takes():
    args = {"command": "rm -r x; curl -H 'Authorization: Bearer 3mVeryLongSecretTokenOf1234567890'"}
    event = read({"event": "before_tool_call", "toolName": "exec", "params": args})
    reason = "The call of exec was not made: ask (rm).\n\n## Lessons\n\nWhat the user says\n\n- **Ask.** Correction: 先问 first\n  - Why: x\n  - Case rm"
    approval = json.loads(write(event, Injection(verdict="confirm", reason=reason)).stdout)["requireApproval"]
    call, told = approval["description"].split("\n")
    assert call.startswith('exec {"command": "rm -r x')
    assert "3mVeryLongSecretToken" not in call
    assert told == "- **Ask.** Correction: 先问 first"
    assert approval["allowedDecisions"] == ["allow-once", "deny"]
    assert len(approval["title"]) <= 80
    long = json.loads(write(event, Injection(verdict="confirm", reason="长" * 2000)).stdout)["requireApproval"]
    assert len(long["description"]) == 512


def test_advice_about_a_call_is_given_to_the_plugin_which_tells_it_with_the_result():
    event = read({"event": "before_tool_call", "toolName": "exec", "params": {}})
    assert json.loads(write(event, Injection(text="use it")).stdout) == {"advice": "use it"}


def test_a_call_of_which_nothing_was_heard_is_no_denial():
    """The plugin tells a person's no; what is missing was lost with a gateway that was killed."""
    assert read({"event": "before_prompt_build", "prompt": "x"}).refused("call_1", "exec", {}) is False
