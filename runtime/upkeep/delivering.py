"""One delivery of a tick case: what is known of it while it has not arrived, what is said, and that it holds up nobody."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from casebook.case import Case
from casebook.policy import Policy
from casebook.redacting.redact import redacted
from casebook.runtime.answer.harmless import harmless
from casebook.runtime.answer.texts import TEXTS
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.upkeep.sinks.protocol import Delivery, Place, SinkError

MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Post:
    """One layer, as far as its cases are delivered.

    Attributes:
        policy: gives its policy, which has the sinks.
        journal: gives its journal.
        place: what its sinks may need.
    """

    policy: Callable[[], Policy]
    journal: Callable[[], Journal]
    place: Place


@dataclass(frozen=True, slots=True)
class Pending:
    """A delivery that has not arrived yet.

    Attributes:
        layer: the name of the layer in which the case stands.
        id: what its receiver knows it by.
        case: the id of the case.
        minute: the minute at which it spoke, aware, UTC.
        sink: the sink's name, as the case has it.
        tries: attempts so far.
        last: the instant of the last one, aware, UTC.
    """

    layer: str
    id: str
    case: str
    minute: datetime
    sink: str | None
    tries: int
    last: datetime

    @property
    def key(self) -> str:
        """Give what its entries are called by."""
        return f"{self.case}:{minute_text(self.minute)}"

    @property
    def body(self) -> dict[str, Any]:
        """Give what its entries say of it."""
        return {
            "case": self.case, "delivery": self.id, "minute": minute_text(self.minute), "sink": self.sink, "time": self.tries,
        }  # fmt: skip

    def is_due(self, now: datetime) -> bool:
        """Say whether it is to be tried again: after 1, 2, 4, … minutes; a clock may have gone back."""
        return abs(minute_of(now) - minute_of(self.last)) >= wait_after(self.tries)


def pending_of(layer: str, case: Case, activation: str, minute: datetime, now: datetime) -> Pending:
    """Give the first attempt of what a case said, in the answer `activation`, at a minute; it is made now."""
    named = case.extra.get("x-sink")
    sink = (
        named if named is None or isinstance(named, str) else json.dumps(named)
    )  # which is the name of none, and told
    return Pending(layer, f"{activation}:{case.id}", case.id, minute, sink, 1, now)


def delivery_of(pending: Pending, case: Case, policy: Policy) -> Delivery:
    """Give what a case says now; secrets are masked, and only a person's words stand without quotes."""
    mask = partial(redacted, patterns=policy.redact)
    correction = harmless(case.correction)
    said = TEXTS[policy.language].voices[case.correction_by].format(correction)
    body = {
        "at": minute_text(pending.minute),
        "case": case.id,
        "text": said,
        "priority": case.priority,
        "effect": case.effect,
        "correction": case.correction,
        "correction_by": case.correction_by,
        "judgment": case.judgment,
        "consequence": case.consequence,
    }
    masked = mask(body)
    return Delivery(pending.id, pending.minute, case.id, masked["text"], masked)


def within(seconds: float, call: Callable[[], None]) -> None:
    """Make a call that may hang, in a thread that is left behind if it does. Raises SinkError."""
    failed: list[BaseException] = []

    def made() -> None:
        try:
            call()
        except BaseException as error:  # noqa: BLE001 - carried to the caller
            failed.append(error)

    thread = threading.Thread(target=made, name="casebook-sink", daemon=True)
    thread.start()
    thread.join(seconds + 1)
    if thread.is_alive():
        raise SinkError(f"it took longer than {seconds:g} s")
    if failed:
        error = failed[0]
        raise error if isinstance(error, SinkError) else SinkError(f"a fault of ours: {type(error).__name__}: {error}")


def wait_after(tries: int) -> timedelta:
    """Give how long after the nth attempt the next one is made."""
    wait: timedelta = MINUTE * 2 ** (tries - 1)
    return wait


def minute_of(at: datetime) -> datetime:
    """Give the minute of an aware instant, UTC."""
    return at.astimezone(UTC).replace(second=0, microsecond=0)


def minute_text(minute: datetime) -> str:
    """Give a minute as entries write it."""
    return minute.astimezone(UTC).isoformat(timespec="minutes")
