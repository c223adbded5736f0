"""A case made in Python and put into the store: it is checked on the way in, and the next task sees it."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path

from casebook import Task
from casebook.case import Case
from casebook.clock import fixed_clock
from casebook.faults import CasebookError
from casebook.runtime import Runtime
from casebook.stores.folder import FolderStore

CLOCK = fixed_clock(datetime(2026, 3, 19, 10, tzinfo=UTC))
LESSON = Case.from_json(
    {
        "id": "staging_first",
        "type": "case",
        "situation": "A migration ran in production before anybody had run it in staging.",
        "trigger_conditions": ['args.command contains "alembic upgrade"', 'context.target is "production"'],
        "judgment": "Staging is where a migration fails for free.",
        "consequence": "Twenty minutes of downtime.",
        "correction": "Run it in staging first, and say how long it took there.",
        "effect": "confirm",
        "created_at": "2026-03-01",
        "examples": {
            "fires": [
                {"tool": "shell", "args": {"command": "alembic upgrade head"}, "context": {"target": "production"}}
            ],
            "silent": [
                {"tool": "shell", "args": {"command": "alembic upgrade head"}, "context": {"target": "staging"}}
            ],
        },
    }
)
TYPO = {"id": "typo", "trigger_conditions": ['actoin is "git push"'], "correction": "…"}


def main() -> None:
    """Ask before and after the case is there."""
    with tempfile.TemporaryDirectory() as folder:
        memory = Path(folder) / "memory"
        memory.mkdir()
        store = FolderStore(memory, clock=CLOCK)
        with Runtime.open(memory, clock=CLOCK) as runtime:
            task = Task(tool="shell", args={"command": "alembic upgrade head"}, context={"target": "production"})
            print("before:", runtime.before_task(task).verdict)
            store.put(LESSON)
            activation = runtime.before_task(task)
            print("after:", activation.verdict, [case.id for case in activation.cases])
            try:
                store.put(Case.from_json(TYPO))
            except CasebookError as error:
                print("refused:", error)
            print("files:", sorted(path.name for path in memory.rglob("*.json")))


if __name__ == "__main__":
    main()
