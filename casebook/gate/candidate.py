"""What is offered to the write gate, and what it makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StrictBool, ValidationError

from casebook.case import Length
from casebook.kinds import Kind
from casebook.memory import MemoryId, Step, Tier, UnfitMemoryError
from casebook.problems import problems_of
from casebook.scope import Scope

CANDIDATE_CHARS = 20_000
"""Characters that are looked at as one candidate (ours: a message, not a document)."""

By = Literal["user", "model", "tool", "agent"]
"""Who says it: the user's own words · a model inferred it · a tool was seen to say it · an agent noted it."""


class Candidate(BaseModel):
    """Something that may be worth remembering. Only `text` is needed; what is said here beats what would be worked out."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: Annotated[str, Field(min_length=1, max_length=CANDIDATE_CHARS)] = Field(description="the words")
    kind: Kind | None = Field(default=None, description="what it is; else it is worked out from the words")
    by: By = Field(default="user", description="who says it: user, model, tool or agent")
    scope: Scope | None = Field(
        default=None, description="whose it is; else the user's or the project's, by its kind and words"
    )
    user: str | None = Field(default=None, description="who speaks")
    project: str | None = Field(default=None, description="the project at hand")
    team: tuple[str, ...] = Field(default=(), description="the user's teams")
    agent: str | None = Field(default=None, description="the agent at work")
    session: str | None = Field(default=None, description="the session at hand")
    id: MemoryId | None = Field(default=None, description="the id to be; else one is made from the words")
    pinned: StrictBool | None = Field(default=None, description="true: it is to stay (R4); else told by the words")
    asked: StrictBool = Field(
        default=False, description="whether the user asked that it be remembered; else told by the words"
    )
    archived: StrictBool | None = Field(default=None, description="true: it is to go (R4); else told by the words")
    confirmed: StrictBool = Field(default=False, description="of an observation: whether a person has confirmed it")
    cost: Literal["high", "low"] | None = Field(
        default=None, description="of changing or losing it; else told by the words"
    )
    ttl: Length | None = Field(default=None, description="how long it stays in L2 without use")
    expires_at: str | None = Field(default=None, description="an ISO date or instant; else told by the words")
    reason: str = Field(default="", description="of a decision: why; else told by the words")
    alternatives: tuple[str, ...] = Field(default=(), description="of a decision: what was not chosen")
    corrects: MemoryId | None = Field(default=None, description="the memory that the user corrects with this (P3)")
    tags: tuple[str, ...] = Field(default=(), description="free")

    @classmethod
    def from_json(cls, form: object) -> Self:
        """Make a candidate of a text or a JSON object.

        Raises:
            UnfitMemoryError: it is none; the message names each field, what was expected and what was found.
        """
        if isinstance(form, str):
            form = {"text": form}
        try:
            return cls.model_validate(form)
        except ValidationError as error:
            names = {"": tuple(cls.model_fields), "scope": tuple(Scope.model_fields)}
            raise UnfitMemoryError(tuple(problems_of(error, names))) from None


@dataclass(frozen=True, slots=True)
class Weighed:
    """One piece of a candidate, weighed: what it is, where it would go, and every rule that had a say.

    Attributes:
        text: the piece, as it would be kept.
        kind: what it is; `chatter` things have none.
        tier: L1, L2, L3; None where it is dropped.
        dropped: the rule that drops it, such as `D1`, or "".
        home: whose it is: the user's (it holds in another project, too) or the project's.
        score: S1–S5 summed up.
        scores: what each kind scored.
        chain: the rules that had a say, in order, each with what it saw.
        polarity: +1 or -1 (negated).
        ttl: how long it stays in L2 without use, as written, or None.
        expires_at: an ISO instant with offset, or None.
        pinned, asked: whether it is to stay; whether it was asked that it be remembered.
        is_own: whether it is a wish about how the agent answers, which is whoever's said it alone, in a project, too.
        is_grey: whether its score is within the grey zone of a threshold, and no other rule decided.
        needs_review: why a person is to be asked, or "".
        reason, alternatives: of a decision.
        warnings: what was odd, a sentence each, such as lifetimes that mix.
    """

    text: str
    kind: Kind
    tier: Tier | None
    dropped: str = ""
    home: Literal["user", "project"] = "project"
    score: int = 0
    scores: Mapping[str, float] = field(default_factory=dict)
    chain: tuple[Step, ...] = ()
    polarity: int = 1
    ttl: str | int | float | None = None
    expires_at: str | None = None
    pinned: bool = False
    asked: bool = False
    is_own: bool = False
    is_grey: bool = False
    needs_review: str = ""
    reason: str = ""
    alternatives: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


Same = Literal["create", "update", "merge", "propose"]
"""create: it is new · update: it takes the place of what it is about, dropping no fact · merge: it is the same · propose: to a person."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How a piece stands to what is known.

    Attributes:
        do: what is to be done.
        other: the id of the memory that it is like, or None.
        overlap: of words, 0–1.
        ratio: of characters, 0–1.
        opposes: ids of memories about the same thing that say the opposite.
        why: in a sentence.
    """

    do: Same
    other: str | None = None
    overlap: float = 0.0
    ratio: float = 0.0
    opposes: tuple[str, ...] = ()
    why: str = ""
