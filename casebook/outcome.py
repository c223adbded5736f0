"""An outcome: what became of a task (DESIGN sections 1 and 6)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_core import PydanticCustomError

from casebook.faults import CasebookError, TaskError, nearest
from casebook.instants import wall_or_instant
from casebook.plain import plain
from casebook.problems import Problem, problems_of, shown
from casebook.task import INSTANT, TASK_FIELDS

OutcomeKind = Literal["error", "success", "feedback", "correction", "compacted", "ended"]
"""error, success, feedback, correction: what DESIGN names · compacted: the host has cut its transcript, so what was said is
to be said again · ended: the session is over."""

Giver = Literal["person", "agent"]

_Key = Annotated[str, Field(min_length=1, max_length=512)]


class OutcomeError(CasebookError):
    """What was reported is no outcome; the message names each field, what was expected and what was found."""


class Outcome(BaseModel):
    """What became of a task, told by its host. None is missing.

    Made by `Outcome.error(…)`, `.success(…)`, `.feedback(…)`, `.correction_of(…)`, `.compacted()`, `.ended()` or
    `Outcome.from_json(object)`; all raise OutcomeError alone. Values are made plain as those of a task.

    Attributes:
        kind: what it is.
        id: of the event, by the caller: the same id again is the same report. Without one it is made of the activation and the
            tool call, else of session, tool, args and message.
        type: of an error: the exception's class, a code, an HTTP status.
        message: of an error, as it was seen; up to 1 MB, of which the beginning and the end count.
        signature: the caller's own signature of an error, instead of the one that is worked out.
        text: of feedback, or of a correction: the words.
        correction: what to do instead, said with an error.
        correction_by: who said the correction: a `person`, or the `agent` (default), whose words are only ever quoted.
        held: whether the correction waits in review and is told to nobody until a person has agreed, as one from a model does that
            speaks over MCP or HTTP.
        tool: the host's name of the tool that was called.
        args: its arguments.
        turn: an id of the turn, where a host counts a signature once a turn.
        at: the instant; without an offset a wall clock in the casebook's zone. None is now.
    """

    # built when the first one is made: who only asks, such as a hook before a call, makes none
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    kind: OutcomeKind
    id: _Key | None = None
    type: str | None = None
    message: str | None = None
    signature: _Key | None = None
    text: str | None = None
    correction: str | None = None
    correction_by: Giver = "agent"
    held: bool = False
    tool: str | None = None
    args: dict[str, Any] | None = None
    turn: _Key | None = None
    at: Annotated[datetime | None, INSTANT] = None

    def __init__(self, /, **fields: Any) -> None:
        """Take the fields of an outcome.

        Raises:
            OutcomeError: a field is unknown (the nearest name is told) or of another type.
        """
        try:
            read = plain(fields)
        except TaskError as error:  # nested too deep
            raise OutcomeError(str(error)) from None
        try:
            super().__init__(**{name: value for name, value in read.value.items() if value is not None})
        except ValidationError as error:
            raise OutcomeError("; ".join(map(_told, problems_of(error, {"": OUTCOME_FIELDS})))) from None

    @model_validator(mode="after")
    def _check_text(self) -> Self:
        if self.kind in ("feedback", "correction") and not (self.text or "").strip():
            problem = Problem(("text",), f"expected the words of the {self.kind}, got {shown(self.text)}")
            raise PydanticCustomError("casebook", "{told}", {"told": "text", "problems": (problem,)})
        return self

    @field_validator("at", mode="before")
    @classmethod
    def _read_at(cls, value: object) -> object:
        return wall_or_instant(value) if isinstance(value, str) else value

    @classmethod
    def error(cls, type: str | None = None, message: str | None = None, **fields: Any) -> Self:  # noqa: A002  # the contract's name
        """Say that a call or a task failed; `fields` as above (tool, args, correction, correction_by, id, turn, at)."""
        return cls(kind="error", type=type, message=message, **fields)

    @classmethod
    def success(cls, **fields: Any) -> Self:
        """Say that a call (with `tool` and `args`) or a task succeeded."""
        return cls(kind="success", **fields)

    @classmethod
    def feedback(cls, text: str, **fields: Any) -> Self:
        """Say what a user said of what was done."""
        return cls(kind="feedback", text=text, **fields)

    @classmethod
    def correction_of(cls, text: str, **fields: Any) -> Self:
        """Say what works instead of what failed: told after the error, on request or unasked."""
        return cls(kind="correction", text=text, **fields)

    @classmethod
    def compacted(cls, **fields: Any) -> Self:
        """Say that the host has cut the session's transcript: what was injected may be gone from it."""
        return cls(kind="compacted", **fields)

    @classmethod
    def ended(cls, **fields: Any) -> Self:
        """Say that the session is over."""
        return cls(kind="ended", **fields)

    @classmethod
    def from_exception(cls, raised: BaseException, **fields: Any) -> Self:
        """Say that an exception was raised: its class (with its module where that is no builtin) and its text."""
        kind = type(raised)
        name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
        return cls.error(name, str(raised), **fields)

    @classmethod
    def from_json(cls, form: object) -> Self:
        """Make an outcome of a JSON object.

        Raises:
            OutcomeError: as above, or it is no object, or its kind is not known.
        """
        if not isinstance(form, dict):
            raise OutcomeError(f"expected an outcome as a JSON object, got {shown(form)}")
        unnamed = [key for key in form if not isinstance(key, str)]
        if unnamed:
            raise OutcomeError(f"expected text as a field's name, got {shown(unnamed[0])}")
        kind = form.get("kind")
        if kind not in _KINDS:
            near = nearest(kind, _KINDS) if isinstance(kind, str) else None
            cure = f"; did you mean {near}?" if near else ""
            raise OutcomeError(f"kind: expected one of {', '.join(_KINDS)}, got {shown(kind)}{cure}")
        return cls(**form)

    def to_json(self) -> dict[str, Any]:
        """Give the outcome as a JSON object: the fields that say something."""
        return self.model_dump(mode="json", exclude_defaults=True)


def _told(problem: Problem) -> str:
    """Put a problem; a field that is a task's has its place there, whatever field of an outcome is called alike."""
    name = problem.path[0] if len(problem.path) == 1 else None
    if name in TASK_FIELDS and name not in OUTCOME_FIELDS:
        return str(replace(problem, suggestion=f'it is a field of the task: "task": {{"{name}": …}}'))
    return str(problem)


OUTCOME_FIELDS: tuple[str, ...] = tuple(Outcome.model_fields)
"""The known names of an outcome's fields."""

_KINDS: tuple[OutcomeKind, ...] = ("error", "success", "feedback", "correction", "compacted", "ended")
