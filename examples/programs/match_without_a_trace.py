"""`match`: the answer that `before_task` would give, with nothing journaled and no counter moved; twice the same."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree

from casebook import Task
from casebook.clock import fixed_clock
from casebook.runtime import Runtime

PACK = Path(__file__).parents[1] / "payments"


def main() -> None:
    """Look twice at one refund, at a smaller one, and at one for which another limit counts."""
    with tempfile.TemporaryDirectory() as folder:
        memory = copytree(PACK, Path(folder) / "memory")
        with Runtime.open(memory, clock=fixed_clock(datetime(2026, 3, 19, 10, tzinfo=UTC))) as runtime:
            for amount in (900, 900, 120):
                activation = runtime.match(Task(tool="stripe_refund", args={"amount": amount}))
                print(amount, activation.verdict, [case.id for case in activation.cases])
            activation = runtime.match(Task(tool="refund", args={"amount": 900}, team="senior-support"))
            print("senior-support:", activation.verdict, dict(activation.held))


if __name__ == "__main__":
    main()
