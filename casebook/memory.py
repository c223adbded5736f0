"""A memory: any remembered fact that is no case (DESIGN sections 1, 6, 7), and the form in which files hold it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from casebook.case import Length, is_free
from casebook.duration import duration
from casebook.faults import CasebookError, nearest
from casebook.instants import instant
from casebook.kinds import Kind
from casebook.limits import ID_CHARS
from casebook.problems import Path, Problem, problems_of
from casebook.scope import EVERYONE, Scope

Tier = Literal["L1", "L2", "L3"]
"""L1: working, of a session · L2: medium · L3: lasting."""

MemoryStatus = Literal["active", "to_judge", "disabled", "archived"]
"""to_judge: waits for a person, and is not recalled as a fact before that."""

Maker = Literal["outcome", "user", "tool", "agent", "import", "upkeep"]
"""What made a memory."""

TEXT_CHARS = 4000
"""A memory's text, in characters (ours: the design names none; a memory is one thing, a page at most)."""

MemoryId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.\-]+$", min_length=1, max_length=ID_CHARS)]
Count = Annotated[StrictInt, Field(ge=0)]


class UnfitMemoryError(CasebookError):
    """A memory, given in code, that is not of this form.

    Attributes:
        problems: what is wrong, one for each field.
    """

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        self.problems = problems
        super().__init__("; ".join(map(str, problems)))


class Origin(BaseModel):
    """Where a memory comes from."""

    model_config = ConfigDict(frozen=True, extra="allow")

    origin: Maker = Field(
        default="user", description="what made it: an outcome that was reported, words of a user, an observation, …"
    )
    by: str | None = Field(default=None, description="who said it: person, agent or tool")
    session: str | None = Field(default=None, description="the session that it comes from")
    event: str | None = Field(default=None, description="the id of the journal's event")
    activation: str | None = Field(default=None, description="the id of the activation that it answers")
    asked: StrictBool = Field(default=False, description="whether the user asked that it be remembered")


class Step(BaseModel):
    """One rule that had a say in where a memory stands; the chain of them is what `casebook why` replays."""

    model_config = ConfigDict(frozen=True, extra="allow")

    rule: str = Field(min_length=1, description="the rule, such as R3, S1 or routing")
    why: str = Field(default="", description="what it saw")


class Memory(BaseModel):
    """One thing remembered. Values stand as they are written, so that it prints as it was read."""

    model_config = ConfigDict(frozen=True, extra="allow")

    id: MemoryId = Field(description="unique in its file: letters, digits, _ - . (at most 128)")
    kind: Kind = Field(description="what it is")
    text: str = Field(min_length=1, max_length=TEXT_CHARS, description="what is remembered")
    tier: Tier = Field(description="L1, L2 or L3")
    scope: Scope = Field(default=EVERYONE, description="whose it is: all that are named must match")
    source: Origin | None = Field(default=None, description="where it comes from")
    created_at: str | None = Field(default=None, description="ISO date or date-time")
    tier_since: str | None = Field(
        default=None, description="since when it stands in its tier, ISO; default created_at"
    )
    last_used: str | None = Field(
        default=None, description="when it was last recalled, ISO: a floor, the journal counts"
    )
    ttl: Length | None = Field(
        default=None, description='how long it stays in L2 without use: seconds, "30d" or ISO 8601; default by kind'
    )
    expires_at: str | None = Field(default=None, description="an ISO instant from which on it is silent")
    review_after: str | None = Field(default=None, description="an ISO date from which on a person is asked about it")
    status: MemoryStatus = Field(default="active", description="to_judge: waits for a person")
    pinned: StrictBool = Field(default=False, description="somebody said that it is to stay (R4)")
    confirmed: StrictBool = Field(default=False, description="a person has looked at it and kept it")
    reason: str = Field(default="", max_length=TEXT_CHARS, description="of a decision: why")
    alternatives: tuple[str, ...] = Field(default=(), description="of a decision: what was not chosen")
    exceptions: tuple[str, ...] = Field(
        default=(), description="what holds in particular cases, kept from merged entries"
    )
    merged: tuple[MemoryId, ...] = Field(default=(), description="ids of the memories that went into this one")
    superseded_by: MemoryId | None = Field(default=None, description="the memory that took its place")
    counters: dict[str, Count] = Field(
        default={}, description="how often, a floor, the journal counts: recalls, triggers"
    )
    rule_chain: tuple[Step, ...] = Field(default=(), description="the rules that decided where it stands, in order")
    about: dict[str, Any] = Field(default={}, description="what it is about: tool, action, signature, …")
    tags: tuple[str, ...] = Field(default=(), description="free")

    @model_validator(mode="after")
    def _check(self) -> Self:
        """Hold what no type says; every problem at once."""
        extra = self.__pydantic_extra__
        problems = [*(_unknown_fields(extra) if extra else ()), *_value_problems(self.__dict__)]
        if problems:
            told = "; ".join(map(str, problems))
            raise PydanticCustomError("casebook", "{told}", {"told": told, "problems": tuple(problems)})
        return self

    @classmethod
    def from_json(cls, form: object) -> Self:
        """Make a memory of a JSON object (keys as in a file).

        Raises:
            UnfitMemoryError: it is none; the message names each field, what was expected and what was found.
        """
        try:
            return cls.model_validate(form)
        except ValidationError as error:
            raise UnfitMemoryError(memory_problems(form, error)) from None

    def to_json(self) -> dict[str, Any]:
        """Give the memory as the JSON object that a file holds: the fields that were set, `x-` fields among them."""
        return self.model_dump(mode="json", exclude_unset=True)

    @property
    def ttl_length(self) -> timedelta | None:
        """Give its own length of life in L2 without use, or None where its kind's is meant."""
        return None if self.ttl is None else duration(self.ttl)

    @property
    def extra(self) -> Mapping[str, Any]:
        """Give the free fields: `$comment` and all that begin with `x-`."""
        return self.__pydantic_extra__ or {}

    def with_changes(self, **changes: Any) -> Self:
        """Give the memory with fields changed (JSON values, validated); None takes a field out.

        Raises:
            UnfitMemoryError: it would be none.
        """
        form = {**self.to_json(), **changes}
        return self.from_json({name: value for name, value in form.items() if value is not None})

    def __hash__(self) -> int:
        """Hash by the id: `about` has no hash."""
        return hash(self.id)


MEMORY_FIELDS: tuple[str, ...] = tuple(Memory.model_fields)
"""The known names of a memory's fields."""

_NAMES = {
    "": MEMORY_FIELDS,
    "scope": tuple(Scope.model_fields),
    "source": tuple(Origin.model_fields),
    "rule_chain": tuple(Step.model_fields),
}


def memory_problems(form: object, error: ValidationError) -> tuple[Problem, ...]:
    """Translate what pydantic raised for a memory, and add what it did not come to: all that no type says."""
    found: dict[Path, Problem] = {problem.path: problem for problem in problems_of(error, _NAMES)}
    if isinstance(form, Mapping):
        for problem in (*_unknown_fields(form), *_value_problems(form)):
            found.setdefault(problem.path, problem)
    return tuple(found.values())


def _unknown_fields(form: Mapping[Any, Any]) -> list[Problem]:
    """Find the fields that no memory has."""
    return [
        Problem(
            (name,),
            f'no field of a memory is called "{name}"',
            nearest(name, MEMORY_FIELDS) or "free fields begin with x-",
        )
        for name in form
        if isinstance(name, str) and name not in Memory.model_fields and not is_free(name)
    ]


def _value_problems(form: Mapping[str, Any]) -> list[Problem]:
    """Find the times, lengths and texts that cannot be; a value of a type that no memory has is left to others."""
    found = []
    text = form.get("text")
    if isinstance(text, str) and text.isspace():
        found.append(Problem(("text",), "expected what is remembered, got white space"))
    for name in ("created_at", "tier_since", "last_used", "expires_at", "review_after"):
        value = form.get(name)
        if isinstance(value, str):
            try:
                instant(value, "UTC")
            except ValueError as error:
                found.append(Problem((name,), str(error)))
    ttl = form.get("ttl")
    if isinstance(ttl, int | float | str) and not isinstance(ttl, bool):
        try:
            duration(ttl)
        except ValueError as error:
            found.append(Problem(("ttl",), str(error)))
    return found
