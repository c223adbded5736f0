"""The async twins: many tasks at once on one runtime, none of them blocks the loop."""

from __future__ import annotations

import asyncio
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree

from casebook import Task
from casebook.clock import fixed_clock
from casebook.runtime import Runtime

PACK = Path(__file__).parents[1] / "destructive_commands"
COMMANDS = ("rm -rf build/", "git push -f", "terraform destroy", "crontab -r", "ls")


async def main() -> None:
    """Ask about five commands at once, then in all the other ways."""
    with tempfile.TemporaryDirectory() as folder:
        memory = copytree(PACK, Path(folder) / "memory")
        with Runtime.open(memory, clock=fixed_clock(datetime(2026, 3, 19, 10, tzinfo=UTC))) as runtime:
            tasks = [Task(tool="shell", args={"command": command}) for command in COMMANDS]
            answers = await asyncio.gather(*(runtime.abefore_task(task) for task in tasks))
            for command, activation in zip(COMMANDS, answers, strict=True):
                print(f"{command:20}{activation.verdict:8} {[case.id for case in activation.cases]}")
            print("match:", (await runtime.amatch(tasks[0])).verdict)
            async with runtime.atask(tasks[4]) as activation:
                print("inside:", activation.verdict)


if __name__ == "__main__":
    asyncio.run(main())
