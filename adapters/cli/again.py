"""A report of what has happened anew, in the same words: one of its own, unless a hook has told of that very call."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

if TYPE_CHECKING:
    from casebook.outcome import Outcome
    from casebook.runtime.journal.records import EventRecord
    from casebook.runtime.learning.receipt import Receipt
    from casebook.runtime.runtime import Runtime
    from casebook.task import Task

WITHIN = timedelta(minutes=10)
"""So long after its host's hook told of a call an agent's own report is of that call (ours: it reports right after a step)."""
_LOOKED_AT = 200
"""Calls that are looked at, the newest."""
_ONCE = "a hook has told of this call already: it counts once, and needs no report"


def report_again(runtime: Runtime, asked: str | Task | None, outcome: Outcome, now: datetime) -> Receipt:
    """Record an outcome that may be word for word one that was reported before.

    Args:
        runtime: the casebook in service.
        asked: what it answers.
        outcome: without an id.
        now: the present instant, aware.

    Returns:
        The receipt; that of the hook's own report, with a warning, where a hook has told of that call.

    Raises:
        CasebookError: as `Runtime.after_task`.
    """
    told = _told_by_hook(runtime, outcome, now) if outcome.kind == "error" and outcome.correction is None else None
    if told is None:
        return runtime.after_task(asked, outcome.model_copy(update={"id": uuid4().hex}))
    return runtime.after_task(*_as_told(told)).warned(_ONCE)


def _told_by_hook(runtime: Runtime, outcome: Outcome, now: datetime) -> EventRecord | None:
    """Give the error of the same call that this user's host told of last; a hook names the session, and its user is the system's."""
    if outcome.tool is None or not outcome.args:
        return None
    from casebook.adapters.identity import system_user
    from casebook.runtime.facts.tools import canonical_tool
    from casebook.runtime.journal.keeping import kept

    policy = runtime.policy()
    tool, user = canonical_tool(outcome.tool, policy.tools), system_user()
    args: dict[str, Any] = kept(dict(outcome.args), policy)
    found = runtime.journal.events(tools=(tool,), kinds=("tool",), since=now - WITHIN, limit=_LOOKED_AT)
    for event in reversed(found):
        known = event.body.get("args")
        is_hooks = event.session is not None and event.principal.user == user and event.at <= now
        if is_hooks and isinstance(known, dict) and args.items() <= known.items():
            return event if event.failed else None
    return None


def _as_told(event: EventRecord) -> tuple[Task, Outcome]:
    """Give an error as it was reported: the same id is the same report."""
    from casebook.outcome import Outcome
    from casebook.task import Task

    who = event.principal
    task = Task(
        session=event.session, user=who.user, project=who.project, team=tuple(sorted(who.teams)), agent=who.agent
    )
    error = event.body.get("error", {})
    outcome = Outcome.error(
        error.get("type"), error.get("message"), id=event.id, signature=event.signature, tool=event.tool,
        args=event.body.get("args"), at=event.at.isoformat(),
    )  # fmt: skip
    return task, outcome
