"""`explain`: each condition of a case with its outcome and the value it saw, once where it nearly fires, once where it does."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree

from casebook import Task
from casebook.clock import fixed_clock
from casebook.runtime import Runtime

PACK = Path(__file__).parents[1] / "demo"


PUSH = Task(tool="shell", args={"command": "git push origin main"})


def main() -> None:
    """Explain a push to main on a Friday, a minute before the rule begins and at its first second."""
    with tempfile.TemporaryDirectory() as folder:
        memory = copytree(PACK, Path(folder) / "memory")
        for hour, minute in ((14, 59), (15, 0)):
            clock = fixed_clock(datetime(2026, 3, 20, hour, minute, tzinfo=UTC))
            with Runtime.open(memory, clock=clock, engine="reference") as runtime:
                print(runtime.explain(PUSH, "friday_evening_push").text("en"))


if __name__ == "__main__":
    main()
