"""Cases that a task typed here is not told of, and an agent's that works here is: those of this user or this project."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from casebook.adapters.identity import identity_at
from casebook.task import Task

if TYPE_CHECKING:
    from casebook.runtime.runtime import Runtime


def options_here(task: Task) -> str:
    """Give the options by which a task is this user's in this folder, as a hook's is: `--user ann --project shop`.

    Args:
        task: as it was typed; what it says itself is not said again, and of another user's nothing is.
    """
    here = _missing(task)
    return " ".join(f"--{name} {shlex.quote(value)}" for name, value in here.items())


def scoped_words(runtime: Runtime, task: Task, told: tuple[str, ...]) -> str:
    """Say which cases an agent that works here would be told of besides, for who it works for; "" where there are none.

    Args:
        runtime: the casebook.
        task: as it was typed.
        told: the ids of the cases that it was answered with.
    """
    here = _missing(task)
    if not here:
        return ""
    answer = runtime.match(Task.from_json({**task.to_json(), **here}))
    more = [case.id for case in answer.cases if case.id not in told]
    return f"with {options_here(task)}, as a hook asks here, also: {', '.join(more)}" if more else ""


def _missing(task: Task) -> dict[str, str]:
    here = identity_at(Path.cwd())
    if task.user not in (None, here.get("user")):
        return {}
    return {name: value for name, value in here.items() if getattr(task, name) is None}
