"""One runtime, many threads: it is safe to share, and the answers are those of one thread."""

from __future__ import annotations

import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree

from casebook import Task
from casebook.clock import fixed_clock
from casebook.runtime import Runtime

PACK = Path(__file__).parents[1] / "office_zh"
TASKS = (
    Task(tool="send_email", args={"to": "sales@vendor.com", "body": "联系人 13812345678"}),
    Task(tool="send_email", args={"body": "报价单见附件"}),
    Task(tool="submit_expense", args={"amount": 860}),
    Task(text="你好"),
)


def main() -> None:
    """Ask four hundred times from eight threads and count the answers."""
    with tempfile.TemporaryDirectory() as folder:
        memory = copytree(PACK, Path(folder) / "memory")
        with Runtime.open(memory, clock=fixed_clock(datetime(2026, 3, 19, 2, tzinfo=UTC))) as runtime:

            def ask(number: int) -> tuple[str, str]:
                activation = runtime.before_task(TASKS[number % len(TASKS)])
                return activation.verdict, " ".join(case.id for case in activation.cases)

            with ThreadPoolExecutor(max_workers=8) as pool:
                counted = Counter(pool.map(ask, range(400)))
            for (verdict, ids), times in sorted(counted.items()):
                print(times, verdict, ids or "-")


if __name__ == "__main__":
    main()
