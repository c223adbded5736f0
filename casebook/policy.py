"""The policy of a casebook: what `memory-policy.yaml` may say, and the defaults that serve where it says nothing."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    field_validator,
    model_validator,
)

from casebook.case import Length, Mode
from casebook.conditions.fields import FIELDS, FieldType
from casebook.duration import duration
from casebook.faults import nearest
from casebook.instants import is_zone
from casebook.kinds import Kind
from casebook.redacting.policy_patterns import pattern_refusal

_AN_HOUR = 3_600_000
"""Milliseconds."""

FORMAT = 1
"""The format of casebooks that this release writes, and the newest that it reads without asking `min_reader`."""

IGNORED_ERRORS = (
    "test-runner",
    "linter",
    "type-checker",
    "no-match",
    "differs",
    "test-command",
    "interrupted",
    "denied-by-person",
    "our-block",
)
"""The shipped rules of what is no error, by name (`casebook.runtime.learning.ignored`)."""


def _pattern(pattern: str) -> str:
    if (refusal := pattern_refusal(pattern)) is not None:
        raise ValueError(refusal)
    return pattern


def _ignored(entry: str) -> str:
    """Take a shipped name, `not` and a shipped name, or a pattern."""
    if entry in IGNORED_ERRORS:
        return entry
    if entry.startswith("not "):
        name = entry[4:].strip()
        if name not in IGNORED_ERRORS:
            near = nearest(name, IGNORED_ERRORS)
            cure = f" (did you mean not {near}?)" if near else ""
            raise ValueError(f'expected "not" and one of {", ".join(IGNORED_ERRORS)}, got "{entry}"{cure}')
        return entry
    return _pattern(entry)


PatternText = Annotated[str, Field(min_length=1), AfterValidator(_pattern)]
IgnoredError = Annotated[str, Field(min_length=1), AfterValidator(_ignored)]
Word = Annotated[str, Field(min_length=1, max_length=1000)]
Amount = Annotated[StrictInt, Field(ge=0)]


class Limits(BaseModel):
    """How much one answer may say and cost (DESIGN sections 5 and 10)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_cases: Amount = Field(default=5, description="cases in one answer")
    max_cases_tool: Amount = Field(
        default=3, description="cases in one answer at the tool point, where a host says tool"
    )
    max_chars: Amount = Field(default=1500, description="characters of the cases' text in one answer")
    max_related: Amount = Field(default=3, description="related memories and cases; 0 in hooks")
    max_text: Annotated[StrictInt, Field(ge=0, le=9500)] = Field(
        default=9500, description="characters of the injected text in all"
    )
    before_task_ms: Amount = Field(
        default=500, description="milliseconds for an answer; then advice is dropped, blocks are kept"
    )
    detector_cases: Amount = Field(default=20, description="cases that the detector may make for a user and day")
    new_signatures: Amount = Field(default=200, description="new error signatures for a user and day")


class Intent(BaseModel):
    """How an intent is told from a text: one of its words or patterns is there, and none of the exclusions."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    words: tuple[Word, ...] = Field(default=(), description="words, compared after NFKC and case folding")
    patterns: tuple[Word, ...] = Field(default=(), description="regular expressions (RE2)")
    exclude: tuple[Word, ...] = Field(default=(), description="words that speak against it")


class Detector(BaseModel):
    """When a repeated error becomes a case (DESIGN section 6)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: StrictBool = Field(default=True, description="whether errors become cases at all")
    threshold: Annotated[StrictInt, Field(ge=2)] = Field(default=3, description="occurrences that make a case")
    within: Length | None = Field(default=None, description="count only the occurrences of so long; null: all")
    distinct: Literal["call", "task", "session"] = Field(
        default="call", description="what an occurrence is counted once for"
    )
    users: Annotated[StrictInt, Field(ge=2)] = Field(
        default=3, description="different users from whom on a case is for everyone"
    )
    precision: Annotated[float, Field(ge=0, le=1)] = Field(
        default=0.05, description="least share of matching calls that failed this way; below it the case is narrowed"
    )
    transient_ttl: Length = Field(default="7d", description="life of a case about a passing failure")
    tombstone: Length = Field(default="90d", description="how long a rejected signature makes no case")

    @field_validator("within", "transient_ttl", "tombstone")
    @classmethod
    def _length(cls, value: Length | None) -> Length | None:
        if value is not None:
            duration(value)
        return value


class JournalPolicy(BaseModel):
    """What the journal keeps of tasks (DESIGN section 9)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text_days: Annotated[StrictInt, Field(ge=1)] = Field(
        default=90, description="days that the words of tasks are kept"
    )
    text_chars: Amount = Field(default=200, description="characters of a text that are kept at all")


JobName = Literal["expire", "age", "promote", "audit", "reflect", "compact", "hygiene", "archive", "retain", "tick"]
"""The jobs of upkeep (DESIGN section 8), and two of ours: `retain` lets the words of old tasks go, `tick` asks the tick cases."""

JOBS: tuple[JobName, ...] = get_args(JobName)
"""The names of the jobs."""

DEFAULT_SCHEDULES: Mapping[JobName, str] = {
    "expire": "0 * * * *", "age": "0 4 * * *", "promote": "10 4 * * *", "audit": "20 4 * * *", "reflect": "30 4 * * 0",
    "hygiene": "0 3 * * 5", "compact": "40 4 * * *", "archive": "0 5 1 * *", "retain": "50 4 * * *", "tick": "* * * * *",
}  # fmt: skip
"""When each job runs where the policy says nothing (DESIGN section 8)."""

DEFAULT_TTL: Mapping[Kind, str] = {
    "identity": "180d", "principle": "180d", "preference": "90d", "fact": "180d", "decision": "90d", "lesson": "90d",
    "rule": "180d", "usage": "30d", "project_state": "30d", "conclusion": "60d", "temporary": "30d", "feedback": "30d",
    "error": "30d", "success": "30d",
}  # fmt: skip
"""How long a memory of each kind stays in L2 without use (ours; DESIGN names 30 days where nothing else is said)."""


def _condition(rule: str | dict[str, Any]) -> str | dict[str, Any]:
    from casebook.memory_facts import parse_rule  # the language is loaded only where a policy writes rules of its own

    parse_rule(rule)
    return rule


Condition = Annotated[str | dict[str, Any], AfterValidator(_condition)]


class Rules(BaseModel):
    """Conditions over a memory's fields that decide when it moves (DESIGN sections 7 and 8); `casebook.memory_facts` has the fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    distil: Condition = Field(
        default="reused >= 2 or user_explicit is true", description="what of L1 goes to L2 when its time is over"
    )
    age: Condition = Field(default="past_ttl is true", description="what of L2 goes to L1 (P2)")
    promote: Condition = Field(
        default="count of recall within 30d >= 3 or triggers > 10 or pinned is true",
        description="what of L2 goes to L3 (P1)",
    )
    idle: Condition = Field(default="not_hit_days > 180", description="what of L3 a person is asked about")


class Tiers(BaseModel):
    """Limits of the tiers (DESIGN sections 7 and 8)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    short: Length = Field(default="48h", description="how long a memory stays in L1")
    grace: Length = Field(default="7d", description="how long what aged is still recalled where no digest was seen")
    purge: Length = Field(default="365d", description="how long the archive keeps what was retired")
    project_chars: Amount = Field(
        default=3000, description="characters of a project's memories before some are proposed to go"
    )
    user_chars: Amount = Field(default=4000, description="the same of a user's")
    session_chars: Amount = Field(default=2000, description="characters of what a session is told when it starts")
    grey: Amount = Field(default=10, description="points around a threshold within which a judge may be asked")

    @field_validator("short", "grace", "purge")
    @classmethod
    def _length(cls, value: Length) -> Length:
        duration(value)
        return value


def _ttl(value: Length) -> Length:
    duration(value)
    return value


Ttl = Annotated[Length, AfterValidator(_ttl)]


class Sink(BaseModel):
    """Where what a tick case says is delivered (DESIGN section 8)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["outbox", "webhook", "openclaw"] = Field(default="outbox", description="how it is delivered")
    path: str | None = Field(default=None, description="of an outbox: the file, relative to the casebook")
    url: str | None = Field(default=None, description="of a webhook: http or https")
    token_env: str | None = Field(default=None, description="the environment variable that holds its bearer token")
    command: str | None = Field(default=None, description="of openclaw: its executable")

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.kind == "webhook" and not (self.url or "").startswith(("http://", "https://")):
            raise ValueError("of a webhook, expected a url that begins with http:// or https://")
        return self


def _cron(text: str) -> str:
    if text != "off":
        from casebook.cron import Cron

        Cron.parse(text)
    return text


CronText = Annotated[str, AfterValidator(_cron)]


class Policy(BaseModel):
    """What a casebook's owner has decided. Every field has a default: a folder without a policy is served with these."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: StrictInt = Field(default=FORMAT, ge=1, description="the format of this casebook")
    min_reader: StrictInt | None = Field(default=None, description="the oldest format whose readers may read this one")
    timezone: str = Field(default="UTC", description="IANA zone of times that name none")
    language: Literal["en", "zh"] = Field(default="en", description="the language of the injected text")
    mode: Mode = Field(default="enforce", description="off, shadow (journal only), advise (never block) or enforce")
    holdout: Annotated[float, Field(ge=0, le=1)] = Field(
        default=0.0, description="share of sessions that get no advice, for measuring"
    )
    on_failure: Literal["open", "closed"] = Field(
        default="open", description="closed: confirm and block hold when the runtime fails"
    )
    limits: Limits = Field(default=Limits(), description="how much one answer may say and cost")
    tools: dict[str, Word] = Field(
        default={}, description="a host's tool name to the canonical one; over the shipped table"
    )
    intents: dict[str, Intent] = Field(default={}, description="intents by name; over the shipped table")
    intents_shipped: StrictBool = Field(default=True, description="whether the shipped table of intents counts")
    fields: dict[str, FieldType] = Field(
        default={}, description="further fields that conditions may read, with their types"
    )
    ignore_errors: tuple[IgnoredError, ...] = Field(
        default=(),
        description='what is no error, over the shipped list: patterns (RE2, in "type: message"); not NAME switches a shipped one off',
    )
    redact: tuple[PatternText, ...] = Field(
        default=(), description="patterns (RE2) of what is never kept, beside the shipped ones"
    )

    rules: Rules = Field(default=Rules(), description="when memories move between the tiers")
    tiers: Tiers = Field(default=Tiers(), description="limits of the tiers")
    schedules: dict[JobName, CronText] = Field(default={}, description='when upkeep runs, as cron; "off" for never')
    ttl: dict[Kind, Ttl] = Field(default={}, description="how long each kind of memory stays in L2 without use")
    detector: Detector = Field(default=Detector(), description="the repeated-error detector")
    journal: JournalPolicy = Field(default=JournalPolicy(), description="what the journal keeps, and how long")
    hooks: dict[str, Any] = Field(default={}, description="settings of the hosts' hooks")
    sinks: dict[str, Sink] = Field(
        default={}, description="where tick cases are delivered; `x-sink` of a case names one"
    )

    @property
    def fails_closed(self) -> bool:
        """Say whether a tool call is blocked where the runtime fails: where nothing is enforced, nothing is."""
        return self.on_failure == "closed" and self.mode == "enforce"

    def patient(self) -> Self:
        """Give the policy with the limit of an answer's time lifted: it is for hosts that wait on a runtime in service."""
        return self.model_copy(update={"limits": self.limits.model_copy(update={"before_task_ms": _AN_HOUR})})

    def schedule_of(self, job: JobName) -> str:
        """Give when a job runs, as cron, or "off"."""
        return self.schedules.get(job, DEFAULT_SCHEDULES[job])

    @property
    def short_length(self) -> timedelta:
        """Give how long a memory stays in L1."""
        return duration(self.tiers.short)

    def ttl_of(self, kind: Kind) -> timedelta:
        """Give how long a memory of a kind stays in L2 without use."""
        return duration(self.ttl.get(kind, DEFAULT_TTL[kind]))

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        if not is_zone(name):
            raise ValueError("expected an IANA time zone")
        return name

    @field_validator("fields")
    @classmethod
    def _new_fields(cls, fields: dict[str, FieldType]) -> dict[str, FieldType]:
        for name in fields:
            if name in FIELDS:
                raise ValueError(f'"{name}" is already a field of every task')
        return fields
