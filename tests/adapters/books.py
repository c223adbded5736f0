"""Casebooks for the adapters' own tests, and what they say of what was learnt."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from casebook.runtime import Runtime

ADVICE = {
    "id": "deploy_friday", "situation": "x", "trigger_conditions": ["text contains deploy"],
    "correction": "Deploy on Monday morning instead.",
}  # fmt: skip
CALL_ADVICE = {
    "id": "use_pnpm", "situation": "x", "trigger_conditions": ['tool is "install"'],
    "correction": "Use pnpm install.", "on": ["tool"],
}  # fmt: skip
BLOCK = {
    "id": "no_wipe", "situation": "x", "trigger_conditions": ['tool is "wipe"'],
    "correction": "Never wipe; archive.", "effect": "block", "on": ["tool"],
}  # fmt: skip
CONFIRM = {
    "id": "ask_publish", "situation": "x", "trigger_conditions": ['tool is "publish"'],
    "correction": "Ask before you publish.", "effect": "confirm", "on": ["tool"],
}  # fmt: skip
CASES: list[dict[str, Any]] = [ADVICE, CALL_ADVICE, BLOCK, CONFIRM]
POLICY = "format: 1\nlimits: {before_task_ms: 60000}\n"
"""A machine under load drops no advice here."""


def written(folder: Path, cases: list[dict[str, Any]] | None = None, policy: str = POLICY) -> Path:
    """Write a casebook below a folder, and give where it is."""
    book = folder / "memory"
    (book / "long_term").mkdir(parents=True)
    (book / "memory-policy.yaml").write_text(policy, encoding="utf-8")
    text = json.dumps({"format": 1, "cases": CASES if cases is None else cases}, ensure_ascii=False)
    (book / "long_term" / "cases.json").write_text(text, encoding="utf-8")
    return book


def errors_of(runtime: Runtime, tool: str | None = None) -> list[str]:
    """Give the messages of the errors that were reported, of a tool or of all, in order of arrival."""
    runtime.flush()
    events = runtime.journal.events()
    failed = [each for each in events if each.body.get("error") is not None and tool in (None, each.tool)]
    return [str(each.body["error"].get("message")) for each in failed]


def successes_of(runtime: Runtime, tool: str) -> int:
    """Count the calls of a tool that were reported as successes."""
    runtime.flush()
    return sum(1 for each in runtime.journal.events() if each.tool == tool and each.ok)
