"""The commands there are, in the order of `casebook --help`. A command's module is imported when it is run.

Named tuples and late imports in the front of the command line keep its start short: `dataclasses` alone costs as much as
`argparse`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Command(NamedTuple):
    """One command.

    Attributes:
        module: the module below `casebook.adapters.cli` that has `arguments(parser)` and `run(options)`.
        summary: what it does, in one line.
    """

    module: str
    summary: str


COMMANDS: Mapping[str, Command] = {
    "demo": Command("demo", "a guided run of the main job on shipped cases"),
    "init": Command("init", "make a casebook folder: its policy and an example case"),
    "teach": Command(
        "teach", "a case from one sentence, `--last` about the last failed call: shown, tried, asked once"
    ),
    "check": Command("check", "tell all faults with their places, run the cases' own examples, lint the whole"),
    "match": Command("match", "the answer to a task: which cases apply, the text to inject, the verdict"),
    "explain": Command("explain", "why each case does or does not apply to a task"),
    "before-task": Command("before_task", "the answer to a task, journaled: JSON in, JSON out"),
    "after-task": Command("after_task", "what became of a task: outcomes are recorded, repeated errors become cases"),
    "remember": Command("remember", "what may be worth remembering, through the write gate: kind, tier, scope"),
    "recall": Command("recall", "memories found again by words; `--archive` looks in the archive"),
    "list": Command("listing", "the cases, one a line"),
    "show": Command("show", "one case, whole"),
    "add": Command("add", "add cases from JSON; a case with faults is refused and nothing is written"),
    "edit": Command("edit", "change fields of a case; checked before it is written"),
    "archive": Command("archive", "take cases out of service; `restore` brings them back"),
    "restore": Command("restore", "bring archived cases back as they were"),
    "history": Command("history", "the texts that a case has had, and who made them"),
    "revert": Command("revert", "bring an earlier text of a case back"),
    "mute": Command("mute", "silence a case; `mute --undo` lets it speak again"),
    "wrong": Command("wrong", "say that a case is wrong: it is taken out of service and put to review"),
    "review": Command("review", "what waits for a person: list, approve, reject, edit"),
    "why": Command("why", "how a case came to be, or what an activation said and why, replayed as it was then"),
    "maintain": Command(
        "maintain", "upkeep once: what expires, ages, is promoted, merged, packed; `--dry-run` only says"
    ),
    "schedule": Command("schedule", "upkeep by the policy's schedules, in the foreground, a line a run"),
    "reconcile": Command("reconcile", "what upkeep has moved since a person last looked, to confirm or undo"),
    "forget": Command("forget", "a user, a session or a text taken out of every file and the journal, for good"),
    "purge": Command("purge", "what the archive has kept for longer than it is to, taken out for good"),
    "stats": Command("stats", "figures: errors, promotions, and for each case whether it helps"),
    "replay": Command("replay", "recorded tool calls through the whole loop, in a scratch casebook"),
    "scan": Command("scan", "repeated errors in the transcripts that hosts keep on disk, as drafts with evidence"),
    "fmt": Command("fmt", "rewrite conditions to their canonical text and touch nothing else"),
    "schema": Command("schema", "the JSON Schema of cases, memories or the policy, for editors"),
    "intent": Command("intent", "which intents the table finds in a text, and why"),
    "trust": Command("trust", "a casebook from elsewhere: show it, and let hosts use it; `--list`, `--undo`"),
    "approve": Command("approve", "let new or changed cases of a trusted casebook block or ask"),
    "hook": Command(
        "hook", "one event of a host, its JSON on stdin, answered in its JSON; hosts run it, `install` wires it"
    ),
    "mcp": Command("mcp", "an MCP server on stdin and stdout: before_task, after_task, remember, recall"),
    "serve": Command("serve", "the service of a user: hooks answered at once, HTTP on this machine, upkeep inside"),
    "setup": Command("setup", "the hosts on this machine found and wired: all changes shown, one question"),
    "install": Command("install", "wire a host: the change is shown first; `uninstall` undoes it to the byte"),
    "uninstall": Command("uninstall", "take out what was wired; a host's settings are left byte for byte as they were"),
    "doctor": Command(
        "doctor", "whether all is well: the casebook, hosts, frameworks, the service; what there is to do"
    ),
}

ELSEWHERE: Mapping[str, str] = {
    "unmute": "mute --undo", "enable": "mute --undo", "disable": "mute", "silence": "mute",
    "undo": "review undo", "untrust": "trust --undo", "distrust": "trust --undo", "accept": "review approve", "reject": "review reject",
    "log": "review log", "audit": "review log", "queue": "review", "pending": "review", "inbox": "review",
    "new": "add", "create": "add", "import": "add", "update": "edit", "set": "edit", "delete": "archive", "remove": "archive",
    "rm": "archive", "unarchive": "restore", "rollback": "revert", "versions": "history", "diff": "history",
    "ls": "list", "cases": "list", "cat": "show", "get": "show", "view": "show", "validate": "check", "lint": "check",
    "test": "check", "format": "fmt", "ask": "match", "query": "match", "before": "before-task", "after": "after-task",
    "report": "after-task", "error": "after-task --error", "feedback": "after-task --feedback",
    "learn": "teach", "lesson": "teach", "correct": "after-task --correction-of", "correction": "after-task --correction-of", "backtest": "replay",
    "search": "recall", "find": "recall", "memory": "list --memories", "memories": "list --memories", "keep": "remember",
    "upkeep": "maintain", "cleanup": "maintain", "gc": "maintain", "cron": "schedule", "digest": "reconcile", "confirm": "reconcile confirm",
    "erase": "forget", "gdpr": "forget", "figures": "stats", "metrics": "stats", "status": "doctor", "info": "doctor", "session-start": "before-task --point session_start --session ID --user NAME", "session-end": "after-task --ended --session ID --user NAME",
    "session": "before-task --point session_start",
    "server": "serve", "daemon": "serve", "service": "serve", "token": "serve token", "tokens": "serve token",
    "help": "--help", "version": "--version",
}  # fmt: skip
"""What somebody may type who does not know the name of a command, to what they mean."""
