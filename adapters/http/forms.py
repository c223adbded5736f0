"""The forms of bodies and answers, for OpenAPI. Bodies are those of the library: what they hold to is checked there, and once."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, Field, JsonValue, WithJsonSchema

from casebook.gate.candidate import Candidate
from casebook.outcome import Outcome
from casebook.task import Task

Fields = dict[str, Any]


def _inlined(schema: Any, parts: Fields) -> Any:
    """Give a schema with what it refers to in its place: OpenAPI knows no `$defs`."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            return _inlined(parts[schema["$ref"].rpartition("/")[2]], parts)
        return {name: _inlined(each, parts) for name, each in schema.items() if name != "$defs"}
    return [_inlined(each, parts) for each in schema] if isinstance(schema, list) else schema


def _schema(form: type[BaseModel], title: str, told: str, more: Fields | None = None) -> Fields:
    whole = form.model_json_schema()
    schema: Fields = _inlined(whole, whole.get("$defs", {}))
    schema["properties"] |= more or {}
    return {**schema, "title": title, "description": told}


_WHO = (
    "Who asks is known by the token: user, project, team and agent may be left out, and another one is refused. "
    "`confirmed` is a reviewer's to say."
)

TaskBody = Annotated[
    Fields,
    WithJsonSchema(
        _schema(
            Task, "Task", f"What an agent is about to do. {_WHO}",
            {"persists": {"type": "boolean", "default": False, "description": "the host keeps the text in its transcript: advice is then given once a session"}},
        )
    ),
]  # fmt: skip
"""A task, and what the host does with the text."""

SessionBody = Annotated[Fields, WithJsonSchema(_schema(Task, "SessionStart", f"A session that begins. {_WHO}"))]

OutcomeBody = Annotated[
    Fields,
    WithJsonSchema(
        _schema(
            Outcome, "Outcome",
            "What became of a task, and which: its activation, else the task itself. A correction is the agent's, and waits "
            f"for a person in review, but for a token of a reviewer. {_WHO}",
            {
                "activation": {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "the id that before_task gave"},
                "task": {"anyOf": [_schema(Task, "Task", "that was not asked about"), {"type": "null"}]},
            },
        )
    ),
]  # fmt: skip
"""An outcome, and what it answers."""

CandidateBody = Annotated[
    Fields,
    WithJsonSchema(
        _schema(Candidate, "Candidate", f"What may be worth remembering; `by` is agent unless it is said. {_WHO}")
    ),
]


class RecallBody(BaseModel, extra="forbid"):
    """What is looked for."""

    text: Annotated[
        str,
        Field(
            min_length=1, max_length=100_000, description="the words", validation_alias=AliasChoices("text", "query")
        ),
    ]
    session: Annotated[str | None, Field(description="the session at hand: a recall counts once in it")] = None
    limit: Annotated[int, Field(ge=1, le=100, description="at most so many")] = 5
    counts: Annotated[bool, Field(description="whether it counts as a recall")] = True
    user: str | None = None
    project: str | None = None
    team: str | list[str] | None = None
    agent: str | None = None


class JudgmentBody(BaseModel, extra="forbid"):
    """A person's word on what waits."""

    because: Annotated[str, Field(max_length=10_000, description="why; kept in the audit log")] = ""
    quoted: Annotated[bool, Field(description="approve: its correction stays quoted as its giver's")] = False


class Matched(BaseModel):
    """A case that applies."""

    id: str
    correction: str
    priority: int
    effect: Literal["advise", "confirm", "block"]


class Quarantined(BaseModel):
    """What does not serve."""

    where: str
    message: str


class Recalled(BaseModel):
    """A memory."""

    id: str
    kind: str
    tier: str
    text: str
    source: str | None
    created_at: str | None
    score: float
    layer: str | None


class Answer(BaseModel):
    """The answer to a task."""

    activation: Annotated[str, Field(description="by which after_task is told what became of it")]
    matched: list[Matched]
    prompt: Annotated[str, Field(description="the text to inject; empty when there is none")]
    verdict: Literal["allow", "confirm", "block"]
    omitted: list[str]
    quarantined: list[Quarantined]
    engine: str
    related: list[Recalled]
    warnings: list[str]


class Receipt(BaseModel):
    """What became of an outcome; it is on disk."""

    id: str
    new: bool
    tier: Literal["L1", "L2", "L3"]
    signature: str | None
    occurrences: int
    case: str | None
    made: bool
    draft: bool
    changed: bool
    ask: str
    warnings: list[str]


class Remembered(BaseModel):
    """What became of each piece of what was offered."""

    kept: list[dict[str, JsonValue]]


class Found(BaseModel):
    """Memories, the best first."""

    found: list[Recalled]


class CaseLine(BaseModel):
    """A case in a list."""

    id: str
    type: str
    status: str
    effect: str
    priority: int
    on: list[str]
    scope: dict[str, str]
    tags: list[str]
    correction: str
    layer: str
    version: str


class Cases(BaseModel):
    """Cases within reach of whoever asks."""

    cases: list[CaseLine]
    total: int


class CaseWhole(BaseModel):
    """A case as its file has it."""

    case: dict[str, JsonValue]
    layer: str
    version: str


class Waiting(BaseModel):
    """What waits for a person."""

    id: str
    reasons: list[str]
    since: str
    correction: str | None
    correction_by: str | None
    conditions: list[JsonValue]
    effect: str | None
    status: str | None
    scope: dict[str, str]
    signature: str | None
    words: str | None
    proposal: dict[str, JsonValue] | None
    memory: dict[str, JsonValue] | None


class Queue(BaseModel):
    """All that waits, the longest waiting first."""

    waiting: list[Waiting]


class Judged(BaseModel):
    """A judgment, journaled."""

    id: str
    action: str
    entry: Annotated[int, Field(description="its number in the audit log: `casebook review undo NUMBER` takes it back")]
    by: str
    status: str | None
    correction_by: str | None
    version: str | None


class Health(BaseModel):
    """The process is up."""

    status: Literal["up"]
    release: str


class Readiness(BaseModel):
    """Whether a casebook serves."""

    ready: bool
    faults: Annotated[int, Field(description="what of it does not serve")] = 0


class Error(BaseModel):
    """What is refused."""

    code: str
    message: str
    where: str | None
    expected: str | None
    found: str | None


class Refused(BaseModel):
    """The answer that says no."""

    error: Error


REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refused, "description": told}
    for status, told in {
        400: "JSON that cannot be read", 401: "no token, or none that is known", 403: "another identity, a role that does not suffice, a web page",
        408: "not all of the request came in time", 413: "over 1 MB", 415: "no application/json", 421: "a Host that is not this machine's",
        422: "a body that is unfit, or no JSON", 503: "no casebook that serves, or no answer in time",
    }.items()
}  # fmt: skip
"""What every route may answer beside its own."""
MISSING: dict[int | str, dict[str, Any]] = {404: {"model": Refused, "description": "none that this caller may know of"}}
