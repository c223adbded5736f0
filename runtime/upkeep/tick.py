"""Ticks: once a minute the cases that stand `on` a tick are asked, and what they say is delivered to their sinks (DESIGN section 8).

| entry | says | id |
|---|---|---|
| `tick` | one process of all hosts answers this minute | `tick:{minute}` |
| `deliver` | one process tries this delivery for the nth time | `deliver:{case}:{minute}:{n}` |
| `delivered`, `undelivered` | it has arrived; it was given up | `delivered:{case}:{minute}`, … |

The first is kept in the journal of the first layer, the others in that of the layer in which the case stands, whose sinks they are:
a user's case that two projects ask at one minute is delivered once. A minute at which no case speaks writes nothing, and one that
was missed is not made up. What could not be delivered is tried again after 1, 2, 4, 8 and 16 minutes, by whoever comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from casebook.case import Case, LoadedCase
from casebook.clock import Clock, elapsed, inside_the_calendar
from casebook.cron import Cron
from casebook.policy import Policy
from casebook.runtime.answer.activation import Activation
from casebook.runtime.journal.records import Entry
from casebook.runtime.upkeep.delivering import (
    MINUTE,
    Pending,
    Post,
    delivery_of,
    minute_of,
    minute_text,
    pending_of,
    wait_after,
    within,
)
from casebook.runtime.upkeep.ledger import ACTOR
from casebook.runtime.upkeep.made import Made
from casebook.runtime.upkeep.sinks.protocol import SinkError
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

Answer = Callable[[Task], Activation]


class Ticks:
    """The ticks of one runtime. One call at a time."""

    def __init__(
        self,
        *,
        match: Answer,
        before_task: Answer,
        cases: Callable[[], Mapping[str, LoadedCase]],
        posts: Mapping[str, Post],
        clock: Clock,
    ) -> None:
        """Take the casebook in service.

        Args:
            match: answers a task and leaves no trace.
            before_task: answers a task; cooldown and budget count it.
            cases: gives the cases as they stand, by id.
            posts: the layers by name, the first of which says when ticks are asked.
            clock: gives the present instant, aware.
        """
        self._match = match
        self._before_task = before_task
        self._cases = cases
        self._posts = posts
        self._first = next(iter(posts))
        self._clock = inside_the_calendar(clock)
        self._pending: dict[tuple[str, str], Pending] = {}
        self._over: dict[tuple[str, str], None] = {}
        self._after: dict[str, int] = {}

    def ask(self) -> tuple[Made, ...]:
        """Ask the tick cases of this minute, if nobody has, and deliver; try again what is due.

        Returns:
            What was done, if anything was.

        Raises:
            CasebookError: the casebook cannot be asked, or the journal not be written.
        """
        started, now = elapsed(), self._clock()
        policy = self._posts[self._first].policy()
        for layer in self._posts:
            self._catch_up(layer)
        begun = [*self._spoken(policy, now), *self._again(now)]
        told: list[str] = []
        troubles: list[str] = []
        failing: set[tuple[str, str | None]] = set()
        for each in begun:
            if (each.layer, each.sink) in failing or elapsed() - started > BUDGET:
                continue  # it is tried at one of the next minutes
            loaded = self._cases().get(each.case)
            if loaded is None or loaded.case.status != "active":
                self._end(each, "undelivered", now, why="the case is out of service")
                troubles.append(f"{each.case} is out of service, and was not delivered")
                continue
            try:
                self._deliver(each, loaded.case)
            except SinkError as error:
                failing.add((each.layer, each.sink))
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
        minute = minute_of(now)
        cron = policy.schedule_of("tick")
        wall = minute.astimezone(ZoneInfo(policy.timezone)).replace(tzinfo=None)
        if cron == "off" or not Cron.parse(cron).holds(wall):
            return []
        task = Task(point="tick", origin="cron", session=SESSION, at=minute)
        if not _speaks(self._match(task)) or not self._write(
            self._first, Entry(f"tick:{minute_text(minute)}", now, ACTOR, "tick")
        ):
            return []
        answer = self._before_task(task)
        pending = [pending_of(self._layer_of(case), case, answer.id, minute, now) for case in answer.cases]
        return [each for each in pending if self._claims(each)]

    def _layer_of(self, case: Case) -> str:
        loaded = self._cases().get(case.id)
        return loaded.layer if loaded is not None and loaded.layer in self._posts else self._first

    def _again(self, now: datetime) -> list[Pending]:
        """Give the deliveries that are tried again now, and by this process."""
        found: list[Pending] = []
        for each in tuple(self._pending.values()):
            if each.is_due(now):
                if each.tries >= TRIES:  # whoever tried it the last time was killed
                    self._end(each, "undelivered", now, why="the last attempt never came to its end")
                elif self._claims(replace(each, tries=each.tries + 1, last=now)):
                    found.append(self._pending[each.layer, each.key])
        return found

    def _claims(self, pending: Pending) -> bool:
        """Take an attempt on oneself; False where another process has."""
        entry_id = f"deliver:{pending.key}:{pending.tries}"
        if (pending.layer, pending.key) in self._over:
            return False
        self._pending[pending.layer, pending.key] = pending
        return self._write(pending.layer, Entry(entry_id, pending.last, ACTOR, "deliver", body=pending.body))

    def _catch_up(self, layer: str) -> None:
        """Take what other processes, or those before this one, have written of deliveries."""
        after = self._after.get(layer)
        limit = LOOKED_AT if after is None else None
        found = self._posts[layer].journal().entries(actions=_ACTIONS, after=after or 0, limit=limit)
        for entry in found:
            self._absorb(layer, entry)
        self._after[layer] = max((each.seq for each in found), default=after or 0)

    def _absorb(self, layer: str, entry: Entry) -> None:
        body = entry.body
        minute = datetime.fromisoformat(body["minute"])
        case = str(body["case"])
        key = (layer, f"{case}:{minute_text(minute)}")
        if entry.action != "deliver":
            self._is_over(key)
        elif key not in self._over:
            known = self._pending.get(key)
            if known is None or known.tries < body["time"]:
                self._pending[key] = Pending(
                    layer, body["delivery"], case, minute, body["sink"], body["time"], entry.at
                )

    # -- delivering ----------------------------------------------------------------------------------------------------

    def _deliver(self, pending: Pending, case: Case) -> None:
        """Make an attempt. Raises SinkError."""
        post = self._posts[pending.layer]
        policy = post.policy()
        sink = sink_of(pending.sink, policy, post.place)
        delivery = delivery_of(pending, case, policy)
        within(sink.seconds, lambda: sink.deliver(delivery))

    def _failed(self, pending: Pending, why: str, now: datetime) -> str:
        if pending.tries < TRIES:
            minutes = wait_after(pending.tries) // MINUTE
            again = "in a minute" if minutes == 1 else f"in {minutes} minutes"
            return f"{pending.case} was not delivered and is tried again {again}: {why}"
        self._end(pending, "undelivered", now, why=why)
        return f"{pending.case} was not delivered {pending.tries} times and is given up: {why}"

    def _end(self, pending: Pending, action: str, now: datetime, *, why: str = "") -> None:
        body = {**pending.body, "why": why} if why else pending.body
        subject = pending.case if why else ""
        self._write(pending.layer, Entry(f"{action}:{pending.key}", now, ACTOR, action, subject, body=body))
        self._is_over((pending.layer, pending.key))

    def _is_over(self, key: tuple[str, str]) -> None:
        self._pending.pop(key, None)
        self._over[key] = None
        if len(self._over) > LOOKED_AT:
            del self._over[next(iter(self._over))]

    def _write(self, layer: str, entry: Entry) -> bool:
        return self._posts[layer].journal().append([entry])[0]


def _speaks(answer: Activation) -> bool:
    """Say whether a tick has anything to write down: what would be said, or what is only measured."""
    measured = any(reason.startswith(("mode:shadow", "spent:holdout")) for reason in answer.held.values())
    return bool(answer.cases) or bool(answer.omitted) or measured
