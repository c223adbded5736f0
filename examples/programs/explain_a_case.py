"""`explain`: each condition with its outcome and the value it saw, for a case that fired and for one that nearly did."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree

from casebook import Task
from casebook.clock import fixed_clock
from casebook.runtime import Runtime

PACK = Path(__file__).parents[1] / "demo"


def main() -> None:
    """Explain a push to main on a Friday, a minute too early for the rule."""
    with tempfile.TemporaryDirectory() as folder:
        memory = copytree(PACK, Path(folder) / "memory")
        with Runtime.open(memory, clock=fixed_clock(datetime(2026, 3, 20, 14, 59, tzinfo=UTC))) as runtime:
            explanation = runtime.explain(Task(tool="shell", args={"command": "git push origin main"}))
            print(explanation.text("en"))


if __name__ == "__main__":
    main()
