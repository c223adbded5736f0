"""A task goes in and the answer comes out; an outcome goes in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fastapi import APIRouter

from casebook.adapters.http.desk import Here, Known
from casebook.adapters.http.forms import REFUSALS, Answer, Fields, OutcomeBody, Receipt, SessionBody, TaskBody
from casebook.adapters.identity import Caller, identity_of, is_own
from casebook.adapters.roles import may, refuse
from casebook.faults import TaskError
from casebook.outcome import Outcome, OutcomeError
from casebook.problems import shown
from casebook.runtime.answer.activation import Activation
from casebook.runtime.runtime import Runtime
from casebook.task import Task

routes = APIRouter(prefix="/v1", tags=["tasks"], responses=REFUSALS)
OWN = ("user", "project", "team", "agent")
"""What the token says, and no body."""


@routes.post("/before_task")
async def before_task(body: TaskBody, caller: Known, here: Here) -> Answer:
    """Answer a task: which cases apply, the text to inject, the verdict. It is journaled."""
    refuse(caller, "before_task")
    form = dict(body)
    persists = form.pop("persists", False)
    if not isinstance(persists, bool):
        raise TaskError(f"persists: expected true or false, got {shown(persists)}")
    task = task_of(form, caller)
    return _answer(await here.with_casebook(lambda runtime: runtime.before_task(task, persists=persists)))


@routes.post("/session_start")
async def session_start(body: SessionBody, caller: Known, here: Here) -> Answer:
    """Answer the start of a session: identity, project state, active decisions, standing rules, and the cases that apply then."""
    refuse(caller, "session_start")
    task = task_of(body, caller)
    return _answer(await here.with_casebook(lambda runtime: runtime.session_start(task)))


@routes.post("/after_task")
async def after_task(body: OutcomeBody, caller: Known, here: Here) -> Receipt:
    """Take what became of a task. It is on disk when this answers; the same report again counts once."""
    refuse(caller, "after_task")
    form = dict(body)
    activation, task = form.pop("activation", None), form.pop("task", None)
    if activation is not None and task is not None:
        raise OutcomeError("task: expected an activation or a task, got both")
    if not isinstance(activation, str | None):
        raise OutcomeError(f"activation: expected the id that before_task gave, got {shown(activation)}")
    warnings = _held(form, caller)
    outcome = Outcome.from_json(form)
    about = task_of(task if task is not None else {}, caller)
    receipt = await here.with_casebook(lambda runtime: _reported(runtime, activation, about, outcome, caller))
    return Receipt.model_validate({**receipt, "warnings": [*warnings, *receipt["warnings"]]})


def task_of(form: object, caller: Caller) -> Task:
    """Give the task of a body, whose it is by the token.

    Raises:
        IdentityError: it says to be another's.
        ForbiddenError: it says that a person has agreed, and the role may not speak for one: that lifts what a case blocks.
        TaskError: it is no task.
    """
    if not isinstance(form, Mapping):
        raise TaskError(f"task: expected a task as a JSON object, got {shown(form)}")
    if form.get("confirmed"):
        refuse(caller, "review", "confirmed")
    own = identity_of(caller.principal, form)
    return Task.from_json({**{name: value for name, value in form.items() if name not in OWN}, **own})


def _held(form: Fields, caller: Caller) -> list[str]:
    """Let a correction of whoever is no reviewer be the agent's, and wait until a person has agreed."""
    if may(caller, "review"):
        return []
    form["held"] = True
    if form.get("correction_by") != "person":
        return []
    form["correction_by"] = "agent"
    return [
        "correction_by: a person's correction is said with a reviewer's token; this one is kept as the agent's, and waits for a person"
    ]


def _reported(runtime: Runtime, activation: str | None, task: Task, outcome: Outcome, caller: Caller) -> dict[str, Any]:
    """Report an outcome; one of an activation that is not this caller's stands alone, as one of an unknown activation does."""
    about: str | Task = task
    told: tuple[str, ...] = ()
    if activation is not None:
        if is_own(runtime, activation, caller.principal):
            about = activation
        else:
            told = (f"no activation {shown(activation)} is known of this caller: the outcome stands alone",)
    receipt = runtime.after_task(about, outcome)
    session = task.session if about is task else None
    if outcome.kind == "ended" and session:
        runtime.recollection.end(session, task.user)
    return replace(receipt, warnings=(*told, *receipt.warnings)).to_json()


def _answer(activation: Activation) -> Answer:
    related = [each.to_json() for each in activation.related]
    told = {
        "activation": activation.id,
        **activation.to_json(),
        "related": related,
        "warnings": list(activation.warnings),
    }
    return Answer.model_validate(told)
