"""Ticks: once a minute the cases that stand `on` a tick are asked, and what they say is delivered to their sinks (DESIGN section 8).

| entry | says | id |
|---|---|---|
| `tick` | one process of all hosts answers this minute | `tick:{minute}` |
| `deliver` | one process tries this delivery for the nth time | `deliver:{case}:{minute}:{n}` |
| `delivered`, `undelivered` | it has arrived; it was given up | `delivered:{case}:{minute}`, … |

A minute at which no case speaks writes nothing. A minute that was missed is not made up. What could not be delivered is tried
again after 1, 2, 4, 8 and 16 minutes, by whichever process comes first.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from casebook.case import Case, LoadedCase
from casebook.clock import Clock, elapsed
from casebook.cron import Cron
from casebook.policy import Policy
from casebook.redacting.redact import redacted
from casebook.runtime.answer.activation import Activation
from casebook.runtime.answer.harmless import harmless
from casebook.runtime.answer.texts import TEXTS
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import Entry
from casebook.runtime.upkeep.ledger import ACTOR
from casebook.runtime.upkeep.made import Made
from casebook.runtime.upkeep.sinks.protocol import Delivery, Place, SinkError
from casebook.runtime.upkeep.sinks.registry import sink_of
from casebook.task import Task

SESSION = "tick"
"""The session of all ticks: what a cooldown is counted in."""
TRIES = 6
"""Attempts of one delivery (ours: half an hour in all)."""
BUDGET = 30.0
"""Seconds in which deliveries of one minute are begun; what is left is tried at the next (ours)."""
LOOKED_AT = 2_000
"""Entries in which a new process looks for what is still to be delivered, the newest (ours)."""
_ACTIONS = ("deliver", "delivered", "undelivered")
_MINUTE = timedelta(minutes=1)

Answer = Callable[[Task], Activation]


@dataclass(frozen=True, slots=True)
class Pending:
    """A delivery that has not arrived yet.

    Attributes:
        id: what its receiver knows it by.
        case: the id of the case.
        minute: the minute at which it spoke, aware, UTC.
        sink: the sink's name, as the case has it.
        tries: attempts so far.
        last: the instant of the last one, aware, UTC.
    """

    id: str
    case: str
    minute: datetime
    sink: str | None
    tries: int
    last: datetime

    @property
    def key(self) -> str:
        """Give what its entries are called by."""
        return f"{self.case}:{_iso(self.minute)}"

    @property
    def body(self) -> dict[str, Any]:
        """Give what its entries say of it."""
        return {
            "case": self.case, "delivery": self.id, "minute": _iso(self.minute), "sink": self.sink, "time": self.tries,
        }  # fmt: skip

    def is_due(self, now: datetime) -> bool:
        """Say whether it is to be tried again: after 1, 2, 4, … minutes; a clock may have gone back."""
        return abs(_floor(now) - _floor(self.last)) >= _wait(self.tries)


class Ticks:
    """The ticks of one runtime. One call at a time."""

    def __init__(
        self,
        *,
        match: Answer,
        before_task: Answer,
        cases: Callable[[], Mapping[str, LoadedCase]],
        policy: Callable[[], Policy],
        journal: Callable[[], Journal],
        clock: Clock,
        place: Place,
    ) -> None:
        """Take the casebook in service.

        Args:
            match: answers a task and leaves no trace.
            before_task: answers a task; cooldown and budget count it.
            cases: gives the cases as they stand, by id.
            policy: gives the policy that serves.
            journal: gives the journal.
            clock: gives the present instant, aware.
            place: what sinks may need.
        """
        self._match = match
        self._before_task = before_task
        self._cases = cases
        self._policy = policy
        self._journal = journal
        self._clock = clock
        self._place = place
        self._pending: dict[str, Pending] = {}
        self._over: dict[str, None] = {}
        self._after: int | None = None

    def ask(self) -> tuple[Made, ...]:
        """Ask the tick cases of this minute, if nobody has, and deliver; try again what is due.

        Returns:
            What was done, if anything was.

        Raises:
            CasebookError: the casebook cannot be asked, or the journal not be written.
        """
        started, now = elapsed(), self._clock()
        policy = self._policy()
        self._catch_up()
        begun = [*self._spoken(policy, now), *self._again(now)]
        told: list[str] = []
        troubles: list[str] = []
        failing: set[str | None] = set()
        for each in begun:
            if each.sink in failing or elapsed() - started > BUDGET:
                continue  # it is tried at one of the next minutes
            loaded = self._cases().get(each.case)
            if loaded is None or loaded.case.status != "active":
                self._end(each, "undelivered", now, why="the case is out of service")
                troubles.append(f"{each.case} is out of service, and was not delivered")
                continue
            try:
                self._deliver(each, loaded.case, policy)
            except SinkError as error:
                failing.add(each.sink)
                troubles.append(self._failed(each, str(error), now))
            else:
                self._end(each, "delivered", now)
                told.append(each.case)
        if not told and not troubles:
            return ()
        at = now.astimezone(ZoneInfo(policy.timezone))
        did = f"{len(told)} delivered" + (f" ({', '.join(told)})" if told else "")
        return (Made("tick", at, troubles=tuple(troubles), seconds=max(elapsed() - started, 0.0), told=did),)

    # -- what is to be delivered ---------------------------------------------------------------------------------------

    def _spoken(self, policy: Policy, now: datetime) -> list[Pending]:
        """Ask the tick cases; give the deliveries that begin now and that this process makes."""
        minute = _floor(now)
        cron = policy.schedule_of("tick")
        wall = minute.astimezone(ZoneInfo(policy.timezone)).replace(tzinfo=None)
        if cron == "off" or not Cron.parse(cron).holds(wall):
            return []
        task = Task(point="tick", origin="cron", session=SESSION, at=minute)
        if not _speaks(self._match(task)) or not self._write(f"tick:{_iso(minute)}", now, "tick", "", {}):
            return []
        answer = self._before_task(task)
        pending = [_pending(case, answer.id, minute, now) for case in answer.cases]
        return [each for each in pending if self._claims(each)]

    def _again(self, now: datetime) -> list[Pending]:
        """Give the deliveries that are tried again now, and by this process."""
        found: list[Pending] = []
        for each in tuple(self._pending.values()):
            if each.is_due(now):
                if each.tries >= TRIES:  # whoever tried it the last time was killed
                    self._end(each, "undelivered", now, why="the last attempt never came to its end")
                elif self._claims(replace(each, tries=each.tries + 1, last=now)):
                    found.append(self._pending[each.key])
        return found

    def _claims(self, pending: Pending) -> bool:
        """Take an attempt on oneself; False where another process has."""
        entry_id = f"deliver:{pending.key}:{pending.tries}"
        self._pending[pending.key] = pending
        return self._write(entry_id, pending.last, "deliver", "", pending.body)

    def _catch_up(self) -> None:
        """Take what other processes, or those before this one, have written of deliveries."""
        after = self._after
        found = self._journal().entries(actions=_ACTIONS, after=after or 0, limit=LOOKED_AT if after is None else None)
        for entry in found:
            self._after = max(self._after or 0, entry.seq)
            self._absorb(entry)

    def _absorb(self, entry: Entry) -> None:
        body = entry.body
        minute = datetime.fromisoformat(body["minute"])
        case = str(body["case"])
        key = f"{case}:{_iso(minute)}"
        if entry.action != "deliver":
            self._is_over(key)
        elif key not in self._over:
            known = self._pending.get(key)
            if known is None or known.tries < body["time"]:
                self._pending[key] = Pending(body["delivery"], case, minute, body["sink"], body["time"], entry.at)

    # -- delivering ----------------------------------------------------------------------------------------------------

    def _deliver(self, pending: Pending, case: Case, policy: Policy) -> None:
        """Make an attempt. Raises SinkError."""
        sink = sink_of(pending.sink, policy, self._place)
        delivery = _delivery(pending, case, policy)
        _within(sink.seconds, lambda: sink.deliver(delivery))

    def _failed(self, pending: Pending, why: str, now: datetime) -> str:
        if pending.tries < TRIES:
            minutes = _wait(pending.tries) // _MINUTE
            again = "in a minute" if minutes == 1 else f"in {minutes} minutes"
            return f"{pending.case} was not delivered and is tried again {again}: {why}"
        self._end(pending, "undelivered", now, why=why)
        return f"{pending.case} was not delivered {pending.tries} times and is given up: {why}"

    def _end(self, pending: Pending, action: str, now: datetime, *, why: str = "") -> None:
        body = {**pending.body, "why": why} if why else pending.body
        subject = pending.case if why else ""
        self._write(f"{action}:{pending.key}", now, action, subject, body)
        self._is_over(pending.key)

    def _is_over(self, key: str) -> None:
        self._pending.pop(key, None)
        self._over[key] = None
        if len(self._over) > LOOKED_AT:
            del self._over[next(iter(self._over))]

    def _write(self, entry_id: str, now: datetime, action: str, subject: str, body: Mapping[str, Any]) -> bool:
        return self._journal().append([Entry(entry_id, now, ACTOR, action, subject, body=body)])[0]


def _speaks(answer: Activation) -> bool:
    """Say whether a tick has anything to write down: what would be said, or what is only measured."""
    measured = any(reason.startswith(("mode:shadow", "spent:holdout")) for reason in answer.held.values())
    return bool(answer.cases) or bool(answer.omitted) or measured


def _pending(case: Case, activation: str, minute: datetime, now: datetime) -> Pending:
    named = case.extra.get("x-sink")
    sink = (
        named if named is None or isinstance(named, str) else json.dumps(named)
    )  # which is the name of none, and told
    return Pending(f"{activation}:{case.id}", case.id, minute, sink, 1, now)


def _delivery(pending: Pending, case: Case, policy: Policy) -> Delivery:
    """Give what a case says now; secrets are masked, and only a person's words stand without quotes."""
    mask = partial(redacted, patterns=policy.redact)
    correction = harmless(case.correction)
    said = TEXTS[policy.language].voices[case.correction_by].format(correction)
    body = {
        "at": _iso(pending.minute),
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


def _within(seconds: float, call: Callable[[], None]) -> None:
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


def _wait(tries: int) -> timedelta:
    """Give how long after the nth attempt the next one is made."""
    wait: timedelta = _MINUTE * 2 ** (tries - 1)
    return wait


def _floor(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(second=0, microsecond=0)


def _iso(minute: datetime) -> str:
    return minute.astimezone(UTC).isoformat(timespec="minutes")
