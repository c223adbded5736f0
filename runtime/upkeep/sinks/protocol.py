"""The seam of every sink: it takes one delivery and brings it where it belongs, or says why not."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from casebook.faults import CasebookError
from casebook.policy import Sink as Settings

SECONDS = 5.0
"""Seconds that a delivery may take (ours)."""


class SinkError(CasebookError):
    """A delivery that did not arrive, or of which that is not known. Its text quotes neither what was delivered nor a secret."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """What one tick case says at one minute.

    Attributes:
        id: the same at every attempt, and of no other delivery: what a receiver knows a repetition by.
        at: the minute, aware, UTC.
        case: the id of the case.
        text: what it says, as one harmless line.
        body: the same and the case's own fields, as JSON values.
    """

    id: str
    at: datetime
    case: str
    text: str
    body: Mapping[str, Any]


class Sink(Protocol):
    """One sink. Delivering may be repeated: what was lost on the way and what was not cannot always be told apart."""

    seconds: float
    """Seconds that one delivery may take."""

    def deliver(self, delivery: Delivery) -> None:
        """Bring a delivery where it belongs; it has arrived when this returns. Raises SinkError."""
        ...


@dataclass(frozen=True, slots=True)
class Place:
    """What a sink may need of where it runs.

    Attributes:
        root: the casebook's folder, or None.
        environment: the variables of the process.
    """

    root: Path | None
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)


Opener = Callable[[Settings, Place], Sink]
"""Takes the policy's settings of a sink and gives the sink. Raises SinkError where they are not enough."""
