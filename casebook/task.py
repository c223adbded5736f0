"""A task: what an agent is about to do (DESIGN section 5)."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, GetPydanticSchema, PrivateAttr, ValidationError, field_validator
from pydantic_core import PydanticCustomError, core_schema

from casebook.conditions.fields import EVENT_FIELDS
from casebook.faults import TaskError, nearest
from casebook.instants import wall_or_instant
from casebook.limits import TASK_BYTES
from casebook.plain import Plain, plain
from casebook.problems import Path, Problem, problems_of, shown
from casebook.scope import Point

# told to pydantic outright: it would not know the class that freezegun puts in datetime's place while this is first imported
INSTANT = GetPydanticSchema(lambda _type, _handler: core_schema.nullable_schema(core_schema.datetime_schema()))
_EVENT_KEYS = frozenset(EVENT_FIELDS) | {"kind", "at", "id"}
_EVENT_KINDS = frozenset({"tool", "task", "error", "feedback"})


class Task(BaseModel):
    """What an agent is about to do, told by its host. None is missing.

    Made by `Task(intent="push", …)` or `Task.from_json(object)`; both raise TaskError alone. NaN and what is no JSON value
    are taken as missing, an infinity as the largest number of its sign, and `warnings` says so; lone surrogates become U+FFFD.

    Attributes:
        intent: one or several; a string is taken as one.
        point: `tool` where a tool is named, else `task`, unless said.
        team: the teams of the user; a string is taken as one.
        at: the instant of the task; without an offset it is a wall clock in the casebook's zone. None is now.
        confirmed: the ids of cases that a person has agreed to.
        history: the events before it in its session, for examples and tests: `kind` (tool, task, error, feedback), `at` and the
            fields of an event.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str | None = None
    intent: tuple[str, ...] | None = None
    tool: str | None = None
    args: dict[str, Any] | None = None
    point: Point = "task"
    user: str | None = None
    project: str | None = None
    team: tuple[str, ...] | None = None
    agent: str | None = None
    session: str | None = None
    channel: str | None = None
    model: str | None = None
    origin: str | None = None
    context: dict[str, Any] | None = None
    at: Annotated[datetime | None, INSTANT] = None
    confirmed: frozenset[str] = Field(default=frozenset())
    history: tuple[dict[str, Any], ...] = ()
    answer: str | None = None

    _warnings: tuple[str, ...] = PrivateAttr(default=())

    def __init__(self, /, **fields: Any) -> None:
        """Take the fields of a task.

        Raises:
            TaskError: a field is unknown (the nearest name is told) or of another type, or the task is over 1 MB.
        """
        read = plain(fields)
        refuse_large(read)
        try:
            super().__init__(**_completed(read.value))
        except ValidationError as error:
            raise TaskError("; ".join(map(str, problems_of(error, {"": TASK_FIELDS})))) from None
        if read.warnings:
            self._warnings = read.warnings

    @classmethod
    def from_json(cls, form: object) -> Self:
        """Make a task of a JSON object.

        Raises:
            TaskError: as above, or it is no object.
        """
        if not isinstance(form, dict):
            raise TaskError(f"expected a task as a JSON object, got {shown(form)}")
        unnamed = [key for key in form if not isinstance(key, str)]
        if unnamed:
            raise TaskError(f"expected text as a field's name, got {shown(unnamed[0])}")
        return cls(**form)

    def to_json(self) -> dict[str, Any]:
        """Give the task as a JSON object: the fields that say something."""
        return self.model_dump(mode="json", exclude_defaults=True)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Give what was taken as missing or was replaced, a sentence each."""
        return self._warnings

    @field_validator("at", mode="before")
    @classmethod
    def _read_at(cls, value: object) -> object:
        return wall_or_instant(value) if isinstance(value, str) else value

    @field_validator("history", mode="after")
    @classmethod
    def _read_history(cls, events: tuple[dict[str, Any], ...]) -> tuple[dict[str, Any], ...]:
        problems: list[Problem] = []
        read = tuple(_event(event, at, problems) for at, event in enumerate(events))
        if problems:
            raise PydanticCustomError("casebook", "{told}", {"told": "history", "problems": tuple(problems)})
        return read


TASK_FIELDS: tuple[str, ...] = tuple(Task.model_fields)
"""The known names of a task's fields."""


def _completed(fields: dict[str, Any]) -> dict[str, Any]:
    """Leave out what is null, make lists of single words, and say the point."""
    given = {name: value for name, value in fields.items() if value is not None}
    for name in ("intent", "team", "confirmed"):
        value = given.get(name)
        if isinstance(value, str):
            given[name] = (value,)
        elif value is not None and not value and isinstance(value, list):
            del given[name]
    if "point" not in given and given.get("tool"):
        given["point"] = "tool"
    return given


def _event(event: dict[str, Any], place: int, problems: list[Problem]) -> dict[str, Any]:
    """Check one event of a history, adding to the problems; its `at` becomes a datetime, an error told as text a message."""
    here: Path = ("history", place)
    problems.extend(
        Problem((*here, key), f'no field is called "{key}"', nearest(key, _EVENT_KEYS))
        for key in event
        if key not in _EVENT_KEYS
    )
    kind = event.get("kind")
    if not isinstance(kind, str) or kind not in _EVENT_KINDS:
        near = nearest(kind, _EVENT_KINDS) if isinstance(kind, str) else None
        told = f'expected "tool", "task", "error" or "feedback", got {shown(kind)}'
        problems.append(Problem((*here, "kind"), told, near))
    read = dict(event)
    if isinstance(read.get("at"), str):
        try:
            read["at"] = wall_or_instant(read["at"])
        except ValueError as error:
            problems.append(Problem((*here, "at"), str(error)))
    elif not isinstance(read.get("at"), datetime | None):
        problems.append(Problem((*here, "at"), f"expected an ISO date-time, got {shown(read['at'])}"))
    if isinstance(read.get("error"), str):
        read["error"] = {"message": read["error"]}
    return read


def refuse_large(read: Plain, most: int = TASK_BYTES) -> None:
    """Raise TaskError where fields, serialised, are over a limit in bytes; an exact count only where a rough one is near."""
    if read.characters * 6 <= most:  # no character of JSON text takes more than six bytes
        return
    try:
        size = len(json.dumps(read.value, ensure_ascii=False, default=str).encode("utf-8", "replace"))
    except ValueError:  # Python writes down no integer of over 4,300 digits
        size = read.characters
    if size > most:
        raise TaskError(f"expected a task of at most 1 MB (limit: task), got {size:,} bytes")
