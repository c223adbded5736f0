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
from casebook.runtime import Activation, Runtime

PACK = Path(__file__).parents[1] / "demo"
FRIDAY_EVENING = datetime(2026, 3, 20, 16, 30, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Call:
    """What the model wants to do."""

    tool: str
    args: dict[str, Any]


SCRIPT = (
    Call("shell", {"command": "git status"}),
    Call("shell", {"command": "git commit -m 'Fix rounding'"}),
    Call("shell", {"command": "git push --force origin checkout"}),
    Call("shell", {"command": "git push origin main"}),
)


def ask_person(question: str) -> bool:
    """Stand in for a person at the keyboard, who agrees."""
    print(f"  person: {question} -> yes")
    return True


def before_tool(runtime: Runtime, call: Call, session: str) -> Activation:
    """Ask the casebook, and a person for as long as it wants one asked; what is left out by the limits is agreed to as well."""
    agreed: set[str] = set()
    activation = runtime.before_task(Task(tool=call.tool, args=call.args, session=session))
    while activation.verdict == "confirm":
        ids = [case.id for case in activation.cases if case.effect == "confirm" and case.id not in agreed]
        if not ask_person(f"go ahead in spite of {', '.join([*ids, *activation.omitted])}?"):
            break
        agreed |= {case.id for case in activation.cases} | set(activation.omitted)
        task = Task(tool=call.tool, args=call.args, session=session, confirmed=agreed)
        activation = runtime.before_task(task)
    return activation


def tool_result(runtime: Runtime, call: Call, session: str) -> str:
    """Give what the model reads: lessons behind the result of a call that may go ahead, else in place of one."""
    activation = before_tool(runtime, call, session)
    lessons = " ".join(case.correction for case in activation.cases)
    if activation.verdict != "allow":
        return f"refused. {lessons}"
    return f"runs. {lessons}" if lessons else "runs"


def run(runtime: Runtime, words: str) -> None:
    """Run one turn of the agent."""
    session = "s-1"
    activation = runtime.before_task(Task(text=words, session=session))
    system = "You are a careful engineer." + (f"\n\n{activation.prompt}" if activation.prompt else "")
    print(f"turn: {words!r}, {len(system)} characters of system prompt")
    for call in SCRIPT:
        print(f"  {call.args['command']}: {tool_result(runtime, call, session)}")


def main() -> None:
    """Run the loop on a copy of the demo pack."""
    with tempfile.TemporaryDirectory() as folder:
        memory = copytree(PACK, Path(folder) / "memory")
        with Runtime.open(memory, clock=fixed_clock(FRIDAY_EVENING)) as runtime:
            run(runtime, "release the checkout branch")


if __name__ == "__main__":
    main()
