"""`@runtime.guard(…)`: functions under a casebook's eyes. It is asked before each call and told what came of it.

A case that blocks raises, one that wants a person's yes asks for it, advice is handed to a parameter called `casebook`.
"""

from __future__ import annotations

import tempfile
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree

from casebook.clock import fixed_clock
from casebook.runtime import Activation, BlockedError, ConfirmationNeededError, Runtime

PACK = Path(__file__).parents[1] / "destructive_commands"
CLOCK = fixed_clock(datetime(2026, 3, 19, 10, tzinfo=UTC))
SESSION: ContextVar[str] = ContextVar("session")


def ask_person(activation: Activation) -> bool:
    """Stand in for a person at the keyboard, who lets a build folder go and nothing else."""
    asked = [case.id for case in activation.cases]
    print(f"  person: {asked}?")
    return asked == ["rm_recursive"]


def main() -> None:
    """Guard a shell and a stock service."""
    with tempfile.TemporaryDirectory() as folder:
        memory = copytree(PACK, Path(folder) / "memory")
        with Runtime.open(memory, clock=CLOCK) as runtime:

            @runtime.guard(session=SESSION, on_confirm=ask_person)
            def shell(command: str) -> str:
                return f"ran {command!r}"

            @runtime.guard(tool="stock", session=SESSION)
            def reserve(item: int, warehouse: str = "", casebook: Activation | None = None) -> str:
                for case in casebook.cases if casebook else ():
                    print(f"  told: {case.correction}")
                if not warehouse:
                    raise LookupError(f"item {item} is in no default warehouse")
                return f"item {item} reserved in {warehouse}"

            SESSION.set("s1")
            for command in ("ls", "rm -rf build/", "terraform destroy", "git push -f"):
                try:
                    print(shell(command))
                except (BlockedError, ConfirmationNeededError) as refused:
                    print(f"{type(refused).__name__}: {refused}")

            for number, item in enumerate((42, 57, 81), 1):
                SESSION.set(f"order-{number}")
                try:
                    reserve(item)
                except LookupError as error:
                    print(f"the exception goes on: {error}")
                print(reserve(item, warehouse="north"))
            SESSION.set("order-4")
            print(reserve(99, warehouse="south"))


if __name__ == "__main__":
    main()
