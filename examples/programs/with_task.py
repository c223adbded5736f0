"""`with runtime.task(…)`: the answer on the way in; an exception on the way out is the outcome of the task, and goes on."""

from __future__ import annotations

import tempfile
from datetime import datetime
from pathlib import Path
from shutil import copytree
from zoneinfo import ZoneInfo

from casebook import Task
from casebook.clock import fixed_clock
from casebook.runtime import Runtime

PACK = Path(__file__).parents[1] / "night_push"
NIGHT = datetime(2026, 3, 21, 2, 0, tzinfo=ZoneInfo("Asia/Shanghai"))


def push(title: str) -> None:
    """Stand in for a push service that is down."""
    raise ConnectionError(f"the push service did not answer for {title!r}")


def main() -> None:
    """Ask, obey, and let an error through."""
    with tempfile.TemporaryDirectory() as folder:
        memory = copytree(PACK, Path(folder) / "memory")
        with Runtime.open(memory, clock=fixed_clock(NIGHT)) as runtime:
            with runtime.task(Task(tool="push", args={"user": "u1", "title": "限时优惠"})) as activation:
                print(activation.verdict, [case.id for case in activation.cases])
                if activation.verdict == "allow":
                    push("限时优惠")
            try:
                with runtime.task(Task(tool="push", args={"user": "u1", "urgent": True})) as activation:
                    print(activation.verdict, [case.id for case in activation.cases])
                    push("密码被修改")
            except ConnectionError as error:
                print("the exception went on:", error)


if __name__ == "__main__":
    main()
