"""An agent's loop with the casebook in it: asked once when a turn begins, and once before each tool call.

The model is a list of what it would call; everything else is as in a real loop. The casebook never runs anything: the host
does what the verdict says.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree
from typing import Any

from casebook import Task
from casebook.clock import fixed_clock
from casebook.runtime import Runtime

PACK = Path(__file__).parents[1] / "demo"
FRIDAY_EVENING = datetime(2026, 3, 20, 16, 30, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Call:
    """What the model wants to do."""

    tool: str
    args: dict[str, Any]


SCRIPT = (
    Call("shell", {"command": "git status"}),
    Call("shell", {"command": "git push --force origin checkout"}),
    Call("shell", {"command": "git push origin main"}),
)


def ask_person(question: str) -> bool:
    """Stand in for a person at the keyboard, who agrees."""
    print(f"  person: {question} -> yes")
    return True


def before_tool(runtime: Runtime, call: Call, session: str) -> str | None:
    """Give None where the call may go ahead, else what the model is told instead of a result."""
    task = Task(tool=call.tool, args=call.args, session=session)
    activation = runtime.before_task(task)
    if activation.verdict == "confirm":
        ids = [case.id for case in activation.cases if case.effect == "confirm"]
        if ask_person(f"go ahead in spite of {', '.join(ids)}?"):
            activation = runtime.before_task(Task(tool=call.tool, args=call.args, session=session, confirmed=ids))
    if activation.verdict == "allow":
        return None
    return " ".join(case.correction for case in activation.cases if case.effect == activation.verdict)


def run(runtime: Runtime, words: str) -> None:
    """Run one turn of the agent."""
    session = "s-1"
    activation = runtime.before_task(Task(text=words, session=session))
    system = "You are a careful engineer." + (f"\n\n{activation.prompt}" if activation.prompt else "")
    print(f"turn: {words!r}, {len(system)} characters of system prompt")
    for call in SCRIPT:
        refusal = before_tool(runtime, call, session)
        print(f"  {call.args['command']}: {'runs' if refusal is None else 'refused. ' + refusal}")


def main() -> None:
    """Run the loop on a copy of the demo pack."""
    with tempfile.TemporaryDirectory() as folder:
        memory = copytree(PACK, Path(folder) / "memory")
        with Runtime.open(memory, clock=fixed_clock(FRIDAY_EVENING)) as runtime:
            run(runtime, "release the checkout branch")


if __name__ == "__main__":
    main()
