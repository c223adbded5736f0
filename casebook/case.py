"""A case: one lesson with its trigger conditions (DESIGN section 3), and a case as it serves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StrictFloat, StrictInt, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from casebook.conditions.tree import Node
from casebook.duration import duration
from casebook.faults import CasebookError, nearest
from casebook.instants import instant, is_zone, nearest_zone
from casebook.limits import CORRECTION_CHARS, ID_CHARS, PRIORITY_MAX
from casebook.problems import Path, Problem, problems_of
from casebook.scope import EVERYONE, Point, Scope

Effect = Literal["advise", "confirm", "block"]
Status = Literal["active", "draft", "disabled", "archived"]
CorrectionBy = Literal["person", "agent", "mined", "caution"]
Mode = Literal["off", "shadow", "advise", "enforce"]

CaseId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.\-]+$", min_length=1, max_length=ID_CHARS)]
Condition = str | dict[str, Any]
Length = StrictInt | StrictFloat | str


class CaseError(CasebookError):
    """A case, given in code, that is not of the form of DESIGN section 3.

    Attributes:
        problems: what is wrong, one for each field.
    """

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        self.problems = problems
        super().__init__("; ".join(map(str, problems)))


class Source(BaseModel):
    """Where a case comes from."""

    model_config = ConfigDict(frozen=True, extra="allow")

    origin: Literal["author", "detector", "feedback", "import"] = Field(default="author", description="who made it")
    signature: str | None = Field(default=None, description="the signature of the error that it answers")
    evidence: tuple[Any, ...] = Field(default=(), description="ids of journal entries, or sentences")


class Examples(BaseModel):
    """A case's own tests: tasks on which it must fire, and on which it must not."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    fires: tuple[dict[str, Any], ...] = Field(default=(), description="tasks on which the case must fire")
    silent: tuple[dict[str, Any], ...] = Field(default=(), description="tasks on which it must stay silent")


class Case(BaseModel):
    """One lesson, with the conditions that bring it up.

    Values stand as they are written (`ttl` stays `"30d"`), so that a case prints as it was read; `ttl_length`,
    `cooldown_length` and `LoadedCase.created` and `.expires` give what they mean. `on` is resolved where a case is loaded,
    since its default depends on what the conditions read.
    """

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=False)

    id: CaseId = Field(description="unique in the casebook: letters, digits, _ - . (at most 128)")
    type: Literal["rule", "case"] = Field(default="case", description="rule: somebody's; case: learnt")
    situation: str = Field(default="", description="when this happened, a sentence")
    trigger_conditions: tuple[Condition, ...] = Field(
        description='all must hold; strings of the trigger language or its JSON forms; ["always"] for every task'
    )
    judgment: str = Field(default="", description="what was judged")
    consequence: str = Field(default="", description="what came of it")
    correction: str = Field(
        min_length=1,
        max_length=CORRECTION_CHARS,
        description="what to do instead; injected as it stands, never executed",
    )
    correction_by: CorrectionBy = Field(
        default="person", description="only a person's correction is put as an instruction"
    )
    effect: Effect = Field(default="advise", description="advise, confirm (ask a person first) or block")
    on: tuple[Point, ...] = Field(
        default=("task",),
        min_length=1,
        description='trigger points; default ["task"], and "tool" too where a condition reads a tool call',
    )
    scope: Scope = Field(default=EVERYONE, description="for whom: all that are named must match; empty means everyone")
    priority: StrictInt = Field(default=5, ge=0, le=PRIORITY_MAX, description="higher first")
    timezone: str | None = Field(default=None, description="IANA zone of its times; default the policy's")
    created_at: str | None = Field(default=None, description="ISO date or date-time; in the future: not yet active")
    last_triggered: str | None = Field(default=None, description="kept by the journal; a floor")
    ttl: Length | None = Field(
        default=None, description='seconds, "30d", "48h", "15m", "2w" or ISO 8601; from created_at'
    )
    expires_at: str | None = Field(default=None, description="an ISO instant past which the case is silent")
    cooldown: Length | None = Field(
        default=None, description="at least this long between two injections in a session; advise only"
    )
    max_fires: StrictInt | None = Field(
        default=None, ge=1, description="at most so many injections in all; advise only"
    )
    status: Status = Field(default="active", description="only active cases fire")
    supersedes: tuple[CaseId, ...] = Field(default=(), description="ids that stay silent while this case is active")
    source: Source | None = Field(default=None, description="where it comes from")
    examples: Examples | None = Field(default=None, description="its own tests")
    review_after: str | None = Field(default=None, description="an ISO date for the review queue")
    tags: tuple[str, ...] = Field(default=(), description="free")
    mode: Mode | None = Field(default=None, description="off, shadow, advise or enforce for this case alone")

    @model_validator(mode="after")
    def _check(self) -> Self:
        """Hold what no type says; every problem at once, so that a person mends a case in one go."""
        extra = self.__pydantic_extra__
        problems = [
            *(_unknown_fields(extra) if extra else ()),
            *_text_problems(self.__dict__),
            *_time_problems(self.__dict__),
        ]
        if problems:
            told = "; ".join(map(str, problems))
            raise PydanticCustomError("casebook", "{told}", {"told": told, "problems": tuple(problems)})
        return self

    @classmethod
    def from_json(cls, form: object) -> Self:
        """Make a case of a JSON object (keys as in a file).

        Raises:
            CaseError: it is not one; the message names each field, what was expected and what was found.
        """
        try:
            return cls.model_validate(form)
        except ValidationError as error:
            raise CaseError(case_problems(form, error)) from None

    def to_json(self) -> dict[str, Any]:
        """Give the case as the JSON object that a file holds: the fields that were set, `x-` fields among them."""
        return self.model_dump(mode="json", exclude_unset=True)

    @property
    def ttl_length(self) -> timedelta | None:
        """Give how long the case lives from `created_at`, or None for ever."""
        return None if self.ttl is None else duration(self.ttl)

    @property
    def cooldown_length(self) -> timedelta | None:
        """Give the least time between two injections in a session, or None."""
        return None if self.cooldown is None else duration(self.cooldown)

    @property
    def extra(self) -> Mapping[str, Any]:
        """Give the free fields: `$comment` and all that begin with `x-`."""
        return self.__pydantic_extra__ or {}

    def __hash__(self) -> int:
        """Hash by the id: conditions may be mappings, which have no hash."""
        return hash(self.id)


CASE_FIELDS: tuple[str, ...] = tuple(Case.model_fields)
"""The known names of a case's fields, in the order of DESIGN section 3."""


def is_free(name: str) -> bool:
    """Say whether a field's name is one that people may use as they like."""
    return name.startswith("x-") or name in ("$comment", "$schema")


def with_points(case: Case, points: tuple[Point, ...]) -> Case:
    """Resolve the default of `on`, in place and before anybody else has seen the case: it stays unset in its JSON."""
    case.__dict__["on"] = points
    return case


def case_problems(form: object, error: ValidationError) -> tuple[Problem, ...]:
    """Translate what pydantic raised for a case, and add what it did not come to: all that no type says."""
    found = {problem.path: problem for problem in problems_of(error, _NAMES)}
    if isinstance(form, Mapping):
        for problem in (*_unknown_fields(form), *_text_problems(form), *_time_problems(form)):
            if not _is_told(problem.path, found):
                found[problem.path] = problem
        for name in ("ttl", "cooldown"):
            if (name,) in found and form.get(name) is not None:
                found[(name,)] = _length_problem(name, form[name]) or found[(name,)]
    return tuple(found.values())


def _is_told(path: Path, found: Mapping[Path, Problem]) -> bool:
    """Say whether a field, or a part of it, is at fault already."""
    return any(other[: len(path)] == path for other in found)


_NAMES = {
    "": CASE_FIELDS,
    "scope": tuple(Scope.model_fields),
    "source": tuple(Source.model_fields),
    "examples": tuple(Examples.model_fields),
}


def _unknown_fields(form: Mapping[Any, Any]) -> list[Problem]:
    """Find the fields that no case has."""
    return [
        Problem(
            (name,), f'no field of a case is called "{name}"', nearest(name, CASE_FIELDS) or "free fields begin with x-"
        )
        for name in form
        if isinstance(name, str) and name not in Case.model_fields and not is_free(name)
    ]


def _length_problem(name: str, value: object) -> Problem | None:
    """Find what is wrong with a length of time."""
    try:
        duration(value)
    except ValueError as error:
        return Problem((name,), str(error))
    return None


def _text_problems(form: Mapping[str, Any]) -> list[Problem]:
    """Find what is wrong beside the times, in the fields of a case or in what shall be one: a value may be of any type."""
    found = []
    if form.get("trigger_conditions") in ([], ()):
        found.append(
            Problem(("trigger_conditions",), "expected at least one condition, got []", 'always is written ["always"]')
        )
    correction, effect = form.get("correction"), form.get("effect")
    if isinstance(correction, str) and correction.isspace():
        found.append(Problem(("correction",), "expected what to do instead, got white space"))
    if effect in ("confirm", "block"):
        reason = f"is for advise only, and this case is to {effect}: a retry must not slip through"
        if form.get("cooldown") is not None:
            found.append(Problem(("cooldown",), f"a cooldown {reason}"))
        if form.get("max_fires") is not None:
            found.append(Problem(("max_fires",), f"max_fires {reason}"))
    supersedes = form.get("supersedes")
    if isinstance(supersedes, list | tuple) and form.get("id") in supersedes:
        found.append(Problem(("supersedes",), "a case cannot supersede itself"))
    return found


def _time_problems(form: Mapping[str, Any]) -> list[Problem]:
    """Find the times, lengths and zones that cannot be read; a value of a type that no case has is left to others."""
    found = []
    zone = form.get("timezone")
    if isinstance(zone, str) and not is_zone(zone):
        found.append(Problem(("timezone",), f'expected an IANA time zone, got "{zone}"', nearest_zone(zone)))
    for name in ("created_at", "last_triggered", "expires_at", "review_after"):
        text = form.get(name)
        if isinstance(text, str):
            try:
                instant(text, "UTC")
            except ValueError as error:
                found.append(Problem((name,), str(error)))
    for name in ("ttl", "cooldown"):
        value = form.get(name)
        problem = None if value is None else _length_problem(name, value)
        if problem:
            found.append(problem)
    return found


@dataclass(frozen=True, slots=True)
class LoadedCase:
    """A case as it serves: what matching and answering take. Equal when case, zone, path and layer are.

    Attributes:
        case: the case, `on` resolved.
        conditions: the parsed conditions, one for each of `case.trigger_conditions`.
        zone: the IANA zone of its times: its own or the policy's.
        created: the instant of `created_at`, aware, UTC; a bare date is midnight in the casebook's zone. None where unsaid.
        expires: the instant from which it is silent, aware, UTC: the earlier of created_at + ttl and expires_at, or None.
        path: the file that it stands in, relative to the casebook's folder; empty for a database.
        line: the line of its opening brace, from 1. Kept up to date by the store, in place, as the file changes.
        layer: the name of its layer; empty for a single casebook.
        version: a short hash of its JSON text, which changes when the text does.
    """

    case: Case
    conditions: tuple[Node, ...] = field(compare=False)
    zone: str
    created: datetime | None = field(compare=False)
    expires: datetime | None = field(compare=False)
    path: str
    line: int = field(compare=False)
    layer: str
    version: str = field(compare=False)

    @property
    def id(self) -> str:
        """Give the case's id."""
        return self.case.id

    @property
    def where(self) -> str:
        """Give the place, such as `cases.json:14`; with its layer, `[user] cases.json:14`."""
        return f"{f'[{self.layer}] ' if self.layer else ''}{self.path}:{self.line}"

    def __hash__(self) -> int:
        """Hash by id and place, in keeping with equality."""
        return hash((self.case.id, self.path, self.layer))
