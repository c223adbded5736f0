"""Several casebooks at once: a person's own, then the project's. Of two equal ids the first layer's serves."""

from __future__ import annotations

import json
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from casebook import Task
from casebook.clock import fixed_clock
from casebook.runtime import Runtime

MINE: dict[str, Any] = {
    "id": "commit_message",
    "type": "rule",
    "trigger_conditions": ['action is "git commit"'],
    "correction": "Write the message in English, in the imperative, at most 60 characters.",
    "effect": "confirm",
    "created_at": "2026-01-01",
}
OURS: dict[str, Any] = {**MINE, "correction": "Begin the message with the number of the ticket."}
TESTS: dict[str, Any] = {
    "id": "tests_first",
    "type": "rule",
    "trigger_conditions": ['action is "git commit"', 'no earlier tool where action is "pytest" within 30m'],
    "correction": "Run pytest before you commit.",
    "effect": "confirm",
    "created_at": "2026-01-01",
}


def casebook(folder: Path, *cases: dict[str, Any]) -> Path:
    """Write a small casebook and give its folder."""
    (folder / "long_term").mkdir(parents=True)
    (folder / "memory-policy.yaml").write_text("format: 1\ntimezone: UTC\n", encoding="utf-8")
    (folder / "long_term" / "rules.json").write_text(json.dumps(cases), encoding="utf-8")
    return folder


def main() -> None:
    """Open both, and ask about a commit."""
    with tempfile.TemporaryDirectory() as folder:
        mine = casebook(Path(folder) / "mine", MINE)
        ours = casebook(Path(folder) / "ours", OURS, TESTS)
        with Runtime.open([mine, ours], clock=fixed_clock(datetime(2026, 3, 19, 10, tzinfo=UTC))) as runtime:
            activation = runtime.before_task(Task(tool="shell", args={"command": "git commit -m 'Fix rounding'"}))
            for case in activation.cases:
                print(f"{case.id}: {case.correction}")


if __name__ == "__main__":
    main()
