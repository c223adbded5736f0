"""What the journal keeps: frozen rows, whose mappings hold JSON values alone. Text in them is redacted already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from casebook.runtime.answer.isolation import Principal

How = Literal["selected", "omitted", "shadow", "withheld", "held"]
"""What became of a case that matched: put in front of the agent · left out by the limits · the mode is shadow · its session is
in the holdout · held back, with the reason."""

EventKind = Literal["tool", "error", "task", "feedback", "correction", "success", "compacted", "ended"]
"""tool: a call, `ok` or not (a failed one is one row, and two events of history) · error: a failure without a tool · task: a
turn began · feedback, correction: words · success: a task without a tool succeeded · compacted, ended: marks of the session."""

KEPT = "kept"
"""The detail of a firing whose text the host keeps in its transcript, so that it is not said again in the session."""

NOBODY = Principal(None, None, frozenset(), None)


@dataclass(frozen=True, slots=True)
class Firing:
    """One case of an activation.

    Attributes:
        case_id, version: which case, in which text.
        how: what became of it.
        detail: the reason where it was held; `KEPT` where it was selected and the host keeps the text.
        because: each condition as `{"condition": text, "seen": value}`, for what was selected.
    """

    case_id: str
    version: str
    how: How
    detail: str = ""
    because: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class ActivationRecord:
    """One answer of `before_task`.

    Attributes:
        id: a UUID of version 7.
        at: the instant, aware, UTC.
        session: the session's id, or None.
        principal: who asked.
        point, tool, verdict, engine, mode: as in the answer.
        release: the version of Casebook.
        facts: the facts used, redacted; text cut to `policy.journal.text_chars`.
        firings: every case that matched and was within reach.
        seq: the order of arrival, from 1; 0 before it was written.
    """

    id: str
    at: datetime
    session: str | None
    principal: Principal
    point: str
    tool: str | None
    verdict: str
    engine: str
    mode: str
    release: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    firings: tuple[Firing, ...] = ()
    seq: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class EventRecord:
    """One thing that happened.

    Attributes:
        id: the event's id; a second row of the same id is never written.
        at: the instant, aware, UTC.
        kind: see `EventKind`.
        session, principal: whose.
        activation: the id of the activation that it answers, or None.
        tool: canonical name of the tool, or None.
        ok: of a call: whether it succeeded; None where that is no question.
        signature: of an error, whether it counts or not; else None.
        counted: whether the detector counts it (not what `ignore_errors` names, nor our own blocks).
        turn: the id of its turn, where the host counts a signature once a turn.
        body: the rest: `tool_native action program path args text intent context`, `error` {type, message, signature},
            `correction`, `correction_by`, `ignored` (the name of the rule), `transient` (true), `case` (that it is about).
        seq: the order of arrival, from 1; 0 before it was written.
    """

    id: str
    at: datetime
    kind: EventKind
    session: str | None = None
    principal: Principal = NOBODY
    activation: str | None = None
    tool: str | None = None
    ok: bool | None = None
    signature: str | None = None
    counted: bool = False
    turn: str | None = None
    body: Mapping[str, Any] = field(default_factory=dict)
    seq: int = 0

    @property
    def failed(self) -> bool:
        """Say whether this is an error."""
        return self.kind == "error" or (self.kind == "tool" and self.ok is False)


@dataclass(frozen=True, slots=True)
class Arrived:
    """What others have written of a session.

    Attributes:
        activations: those that were not known, of whichever user, in order of arrival.
        events: those that were not known, in order of arrival.
        answers: the seq of the last activation that was looked at, known or not; 0 where there was none.
        seq: that of the last event.
    """

    activations: Sequence[ActivationRecord]
    events: Sequence[EventRecord]
    answers: int
    seq: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the audit log: who did what to which case, and all that is needed to undo it. Only `forget` ever changes it.

    Attributes:
        id: an idempotency key: a second entry of the same id is never written. So a claim that only one of many processes may
            make is an entry with an id that all of them work out alike.
        at: the instant, aware, UTC.
        actor: `detector`, `person:NAME`, `agent:NAME`, `upkeep`, `effect`.
        action: such as `promote written widen narrow share revive queue approve reject edit mute wrong revert undo hold flag limit`.
        subject: the id of the case or memory, or "".
        signature: of the error that it is about, or None.
        body: JSON values.
        seq: the order of arrival, from 1; 0 before it was written.
    """

    id: str
    at: datetime
    actor: str
    action: str
    subject: str = ""
    signature: str | None = None
    body: Mapping[str, Any] = field(default_factory=dict)
    seq: int = 0


@dataclass(frozen=True, slots=True)
class Version:
    """One text of a case.

    Attributes:
        case_id: which.
        version: `LoadedCase.version`, a hash of the text.
        at: when it was first seen, aware, UTC.
        text: the JSON text of the case.
        place: where it stood, such as `long_term/cases.json`.
        by: who made it, where that is known: as `Entry.actor`, else "".
    """

    case_id: str
    version: str
    at: datetime
    text: str
    place: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class Fired:
    """How often a case was selected, and when last (aware, UTC) or None."""

    count: int
    last: datetime | None
