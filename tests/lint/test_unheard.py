"""Constants that facts never hold are told, with what was meant; what facts may hold is left alone."""

from __future__ import annotations

import pytest

from casebook.conditions.parse import parse
from casebook.policy import Policy
from casebook.runtime.facts.shell import commands
from casebook.runtime.lint import lint
from casebook.stores.protocol import Snapshot
from tests.lint.test_lints import case

ERROR = "a task has no error: only the events of its history have one"


def told(*conditions: str, policy: Policy | None = None) -> list[tuple[str, str | None]]:
    """Lint one case with these conditions; gives message and cure of each warning."""
    snapshot = Snapshot(1, {"a": case("a", *conditions)}, (), policy or Policy())
    return [(each.message, each.suggestion) for each in lint(snapshot)]


DOUBTS = [
    # written, message, cure
    ("error.type is TimeoutError", ERROR, 'earlier error where error.type is "TimeoutError"'),
    ("user is x or error.message not contains abc", ERROR, 'earlier error where error.message contains "abc"'),
    ("error.type is not x", ERROR, 'no earlier error where error.type is "x"'),
    ("error exists", ERROR, "earlier error"),
    ("error is missing", ERROR, "no earlier error"),
    ("origin is crn", 'origin is user, cron, heartbeat or subagent, never "crn"', 'origin is "cron"'),
    ("来源 属于 [user, subagnt]", 'origin is user, cron, heartbeat or subagent, never "subagnt"', 'origin in ["user", "subagent"]'),
    ("origin is not xyz", 'origin is user, cron, heartbeat or subagent, never "xyz"', None),
    ("point is not tol", 'point is task, tool, answer, session_start or tick, never "tol"', 'point is not "tool"'),
    ("tool is Bash", '"Bash" is a host\'s own name of shell, and tool holds shell', 'tool is "shell", or tool_native is "Bash" for that host\'s alone'),
    ("tool is BASH", '"BASH" is a host\'s own name of shell, and tool holds shell', 'tool is "shell", or tool_native is "BASH" for that host\'s alone'),
    ("tool is send_email", '"send_email" is a host\'s own name of email, and tool holds email', 'tool is "email", or tool_native is "send_email" for that host\'s alone'),
    ("tool not in [Write, edit]", '"Write" is a host\'s own name of write, and tool holds write', 'tool not in ["write", "edit"]'),
    ("session.tools contains Bash", '"Bash" is a host\'s own name of shell, and session.tools holds shell', 'session.tools contains "shell"'),
    ("earlier tool where tool is Bash", '"Bash" is a host\'s own name of shell, and tool holds shell', 'tool is "shell"'),
    ("action is 'git *'", 'the star in "git *" is a star: only like takes it for any text', 'action like "git *"'),
    ("action is not 'git *'", 'the star in "git *" is a star: only like takes it for any text', 'action not like "git *"'),
    ("path in ['*.py', a]", 'the star in "*.py" is a star: only like takes it for any text', 'path like "*.py" or path like "a"'),
    ("user is '*'", 'the star in "*" is a star: only like takes it for any text', "user exists"),
    ("user is not '*'", 'the star in "*" is a star: only like takes it for any text', "user is missing"),
    ("action starts with 'git *'", 'the star in "git *" is a star: only like takes it for any text', 'action like "git *"'),
    ("tool contains 'mcp*'", 'the star in "mcp*" is a star: only like takes it for any text', 'tool like "*mcp*"'),
    ("program is 'git push'", '"git push" is an action: a program is a name alone', 'action is "git push"'),
    ("program like 'git *'", '"git *" has a blank: a program is a name alone', 'action like "git *"'),
    ("program is python3", '"python3" is told as "python"', 'program is "python"'),
    ("action is 'sudo rm'", '"sudo" is looked through: action holds what it starts', 'action is "rm"'),
    ("action is not 'sudo rm'", '"sudo" is looked through: action holds what it starts', 'action is not "rm"'),
    ("action like 'sudo rm*'", '"sudo" is looked through: action holds what it starts', 'action like "rm*"'),
    ("action like 'sudo *'", '"sudo" is looked through: action holds what it starts', 'args.command contains "sudo"'),
    ("program is sudo", '"sudo" is looked through: program holds what it starts', 'args.command contains "sudo"'),
    ("action is 'npm i'", '"npm i" is told as "npm install"', 'action is "npm install"'),
    ("action in ['npm i', 'npm install']", '"npm i" is told as "npm install"', 'action in ["npm install"]'),
    ("action is 'git add && git push'", '"git add && git push" is told as "git add" and "git push"', None),
    ("action is 'git push --force'", '"git push --force" has an option: action holds none', 'args.command contains "git push --force"'),
    ("action like 'rm -rf *'", '"rm -rf *" has an option: action holds none', 'args.command contains "rm -rf"'),
]  # fmt: skip


@pytest.mark.parametrize(("written", "message", "cure"), DOUBTS, ids=[each for each, _, _ in DOUBTS])
def test_what_facts_never_hold_is_told_with_what_was_meant(written, message, cure):
    assert (message, cure) in told(written)
    if cure is not None and " for that host" not in cure:
        parse(cure)


WELL = [
    "earlier error where error.type is TimeoutError",
    "origin in [cron, user]",
    "origin like 'cro*'",
    "tool is shell",
    "tool is mcp__github__push",
    "tool in [read, write, edit, search]",
    "tool_native is Bash",
    "earlier tool where tool is this tool",
    "args.pattern is '*.py'",
    "context.cron is '* * * * *'",
    "path starts with '*'",
    "action is 'git push'",
    "action is 'docker compose up'",
    "action is bash",
    "action is 'acme deploy'",
    "action is 'kubectl delete'",
    "action like 'git push*'",
    "action contains push",
    "program is git",
    "program is 'Google Chrome'",
    "program in [git, npm, docker-compose, deploy.sh]",
]


@pytest.mark.parametrize("written", WELL)
def test_no_doubt_about_what_facts_may_hold(written):
    assert told(written) == []


@pytest.mark.parametrize(
    "line", ["git push", "npm install", "docker compose up", "pytest", "aws s3 rm", "acme deploy", "./x.sh", "go test"]
)
def test_what_facts_tell_of_a_command_is_never_doubted(line):
    for each in commands(line):
        assert told(f"action is '{each.action}'", f"program is '{each.program}'") == []


def test_the_policy_s_own_names_of_tools_count_and_win():
    policy = Policy(tools={"my_terminal": "shell", "Bash": "bash_of_ours", "send_email": "send_email"})
    assert told("tool is my_terminal", policy=policy)[0][1] == (
        'tool is "shell", or tool_native is "my_terminal" for that host\'s alone'
    )
    assert told("tool is Bash", policy=policy)[0][0] == (
        '"Bash" is a host\'s own name of bash_of_ours, and tool holds bash_of_ours'
    )
    assert told("tool is send_email", policy=policy) == []


GROUPING = [
    # written, what is asked of the task, the group that may be meant
    ("earlier tool where action is pytest and args.x is 1", "args.x is 1", "where (action is pytest and args.x is 1)"),
    ("no earlier tool where not ok is false or not path contains abc", "not path contains abc", "where (not ok is false or not path contains abc)"),
    ("此前有 工具 满足 操作 为 pytest 且 工具 为 shell", "工具 为 shell", "满足 (操作 为 pytest 且 工具 为 shell)"),
    ("earlier tool within 1h where args.n between 1 and 2 and args.m is 2 and user is x", "args.m is 2", "where (args.n between 1 and 2 and args.m is 2)"),
    ("(user is x or earlier error where tool is a and path is b)", "path is b", "where (tool is a and path is b)"),
    ("earlier task where text contains abc and intent is push", "intent is push", "where (text contains abc and intent is push)"),
    ("earlier tool where (action is pytest and args.x is 1)", None, None),
    ("(earlier tool where action is pytest) and args.x is 1", None, None),
    ("earlier tool where action is pytest within 1h and args.x is 1", None, None),
    ("earlier tool where action is pytest and user is x", None, None),
    ("earlier tool where action is 'git add' and action is 'git push'", None, None),
    ("args.x is 1 and earlier tool where action is pytest", None, None),
    ("count of tool where action is pytest >= 2 and args.x is 1", None, None),
    ("earlier task where text contains abc and tool is shell", None, None),
    ("text contains 'earlier tool where a and tool is b'", None, None),
]  # fmt: skip


@pytest.mark.parametrize(("written", "asked", "group"), GROUPING, ids=[each for each, _, _ in GROUPING])
def test_a_test_after_a_where_of_what_events_have_too_is_told(written, asked, group):
    meant = (
        []
        if asked is None
        else [
            (
                f"`where` takes one test, so {asked} is asked of the task, not of the event",
                f"{group} where the event is meant, else the test of the task first",
            )
        ]
    )
    assert told(written) == meant
