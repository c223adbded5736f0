"""`after_task`: the same error three times is a case, and the fourth call is told before it is made.

The orders differ each time, the kind of error is one. At the third error the agent is asked what works; its answer stands in the
case from then on, quoted, until a person approves it.
"""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path

from casebook import Outcome, Task
from casebook.clock import fixed_clock
from casebook.runtime import Runtime

CLOCK = fixed_clock(datetime(2026, 3, 19, 10, tzinfo=UTC))


def invoice(order: int, session: str) -> Task:
    """Give the call that an agent is about to make."""
    return Task(tool="create_invoice", args={"order": order}, session=session, user="ann")


def correction(runtime: Runtime, task: Task) -> str:
    """Give what an agent is told before a call."""
    return " ".join(case.correction for case in runtime.before_task(task).cases) or "nothing"


def main() -> None:
    """Fail three times, say what works, and ask for another user as well."""
    with tempfile.TemporaryDirectory() as folder, Runtime.open(Path(folder), clock=CLOCK) as runtime:
        for number, order in enumerate((4711, 4802, 5120), 1):
            activation = runtime.before_task(invoice(order, f"s{number}"))
            failed = Outcome.error("ValueError", f"order {order}: 118.{number}0 EUR need a VAT id")
            receipt = runtime.after_task(activation, failed)
            print(f"{order}: occurrence {receipt.occurrences}, goes to {receipt.tier}, case {receipt.case}")
            again = runtime.after_task(activation, failed)
            print(f"  reported again: new {again.new}, occurrence {again.occurrences}")
        print(f"asked: {receipt.ask.partition('.')[0]}.")
        print(f"told: {correction(runtime, invoice(5377, 's4'))}")

        answer = Outcome.correction_of("Ask get_customer for order 5120 first, and pass its vat_id.")
        print(f"the answer is in {runtime.after_task(activation, answer).case}")
        print(f"told: {correction(runtime, invoice(5377, 's4'))}")
        print(f"told to bob: {correction(runtime, Task(tool='create_invoice', user='bob'))}")


if __name__ == "__main__":
    main()
