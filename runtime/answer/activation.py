"""The answer to a task."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from casebook.case import Case
from casebook.faults import Fault
from casebook.scope import Point

Verdict = Literal["allow", "confirm", "block"]
Engine = Literal["durable_rules", "reference"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_FREE = 0xFFF << 64 | (1 << 62) - 1
_VERSION_7 = 0x7 << 76 | 0b10 << 62
_MADE = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_RECENT = 10_000
"""Milliseconds."""


@dataclass(frozen=True, slots=True)
class Related:
    """A memory that was told beside the cases.

    Attributes:
        id: of the memory.
        kind, tier: what it is, and where it stands.
        text: its words.
        source: who said it: person, agent or tool; "" where that is not known.
        created_at: when, as it is written, or None.
        score: how well it fits the task; 0 where it was not looked for.
        layer: the casebook that it is of; empty for a single one.
    """

    id: str
    kind: str
    tier: str
    text: str
    source: str = ""
    created_at: str | None = None
    score: float = 0.0
    layer: str = ""

    def to_json(self) -> dict[str, Any]:
        """Give it as `casebook recall` prints it."""
        return {
            "id": self.id, "kind": self.kind, "tier": self.tier, "text": self.text, "source": self.source or None,
            "created_at": self.created_at, "score": round(self.score, 3), "layer": self.layer or None,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Activation:
    """What a task was answered.

    Attributes:
        id: unique, and sorted by time (see `activation_id`).
        cases: the selected cases, in order; their corrections are in the prompt.
        omitted: ids of cases that apply and were left out by the limits, in order.
        prompt: the text to inject; empty when there is none.
        verdict: `allow`, `confirm` (ask a person first) or `block`.
        quarantined: what does not serve in the casebook, as the task may see it.
        engine: which engine matched.
        warnings: what was odd about the task or the answer, a sentence each.
        point: where the task stands.
        held: ids of cases that match and were held back, with the reason as `code` or `code:detail` (see `eligibility`).
        related: the memories that were told beside the cases; their text is in the prompt.
    """

    id: str
    cases: tuple[Case, ...]
    omitted: tuple[str, ...]
    prompt: str
    verdict: Verdict
    quarantined: tuple[Fault, ...]
    engine: Engine
    warnings: tuple[str, ...] = ()
    point: Point = "task"
    held: Mapping[str, str] = field(default_factory=dict)
    related: tuple[Related, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Give the answer as `casebook match --json` prints it (DESIGN section 11)."""
        return {
            "matched": [
                {"id": case.id, "correction": case.correction, "priority": case.priority, "effect": case.effect}
                for case in self.cases
            ],
            "prompt": self.prompt,
            "verdict": self.verdict,
            "omitted": list(self.omitted),
            "quarantined": [{"where": fault.where, "message": _message(fault)} for fault in self.quarantined],
            "engine": self.engine,
        }


def _message(fault: Fault) -> str:
    return fault.message + (f" ({fault.suggestion})" if fault.suggestion else "")


_DRAWN = 256
_drawn: list[bytes] = []


def _random() -> bytes:
    """Give ten random bytes; they are drawn for many ids at once, for the system call costs more than an id."""
    try:
        return _drawn.pop()
    except IndexError:
        drawn = os.urandom(10 * _DRAWN)
        _drawn.extend(drawn[place : place + 10] for place in range(0, len(drawn), 10))
        return _drawn.pop()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_drawn.clear)  # a child that drew what its parent draws would give the same ids


def activation_id(now: datetime) -> str:
    """Give a new id: a UUID of version 7 (RFC 9562), whose first 48 bits are the milliseconds since 1970.

    Args:
        now: the present instant, aware, from the clock; before 1970 it counts as 1970.
    """
    milliseconds = max((now - _EPOCH) // _MILLISECOND, 0)  # the last year that a datetime knows needs 48 bits, too
    random = int.from_bytes(_random())
    bits = milliseconds << 80 | random & _FREE | _VERSION_7
    text = f"{bits:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def is_recent(activation_id: str, now: datetime) -> bool:
    """Say whether an id is one that `activation_id` made within some seconds of an instant.

    Args:
        activation_id: any text.
        now: the present instant, aware.
    """
    if not _MADE.fullmatch(activation_id):
        return False
    made = int(activation_id[:8] + activation_id[9:13], 16)
    return abs(made - (now - _EPOCH) // _MILLISECOND) <= _RECENT
