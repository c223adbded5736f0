"""The scheduler: APScheduler wakes us, the ledger decides what is due (DESIGN section 8).

APScheduler's own reading of weekdays, of clock changes and of what was missed is not the design's: it begins weeks at Monday and
runs a repeated hour twice. So its trigger only says when to look, by our crons.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from casebook.clock import Clock, elapsed
from casebook.cron import Cron
from casebook.faults import CasebookError
from casebook.policy import JobName
from casebook.runtime.upkeep.claimed import Book, Tell, run_due
from casebook.runtime.upkeep.due import SCHEDULED
from casebook.runtime.upkeep.made import Made

LOOK = 20.0
"""Seconds between two looks at the policies and at what is due (ours: an edit is seen within a minute)."""
WATCH = 5.0
"""Seconds between two looks at the clock, and by how many it may differ from the time that passed (ours)."""
GRACE = 4.0
"""Seconds that what is running is waited for when the scheduler stops (ours: it exits within 5)."""
REMIND = timedelta(hours=1)
"""After how long a trouble that goes on, and lets nothing be begun, is told again (ours): a look is taken every 20 seconds."""
_ONE = timedelta(minutes=1)
_LOOK = "look"
_TICK = "tick"


class Scheduler:
    """Upkeep as a service: a thread that wakes, one that makes runs one after another, one for ticks.

    Its threads are APScheduler's. `start` returns at once; `stop` lets what is running come to the end of its chunk.
    """

    def __init__(
        self,
        books: Sequence[Book],
        clock: Clock,
        tell: Tell,
        *,
        ask_tick: Callable[[], Sequence[Made]] | None = None,
    ) -> None:
        """Take what is scheduled; nothing runs yet.

        Args:
            books: the casebooks.
            clock: gives the present instant, aware; a clock that stands still never comes to a slot.
            tell: is told of each run; called from the scheduler's threads, one call at a time.
            ask_tick: asks the tick cases; called once a minute.
        """
        self._books = tuple(books)
        self._clock = clock
        self._told = tell
        self._ask_tick = ask_tick
        self._stop = threading.Event()
        self._telling = threading.Lock()
        self._busy = (threading.Lock(), threading.Lock())  # runs, ticks
        self._apscheduler: Any = None
        self._schedules: dict[str, tuple[str, str]] = {}
        self._watching: threading.Thread | None = None
        self._reasons: dict[tuple[str, str], tuple[tuple[str, tuple[str, ...]], datetime]] = {}

    @property
    def is_stopping(self) -> bool:
        """Say whether it is asked to end: what runs ends at its next chunk."""
        return self._stop.is_set()

    def start(self) -> None:
        """Begin; what was missed is made up at once."""
        from apscheduler.executors.pool import ThreadPoolExecutor
        from apscheduler.schedulers.background import BackgroundScheduler

        quiet = logging.getLogger("casebook.scheduler.wakes")
        quiet.setLevel(logging.ERROR)  # a wake that is skipped because a run goes on is no news
        self._apscheduler = BackgroundScheduler(
            timezone="UTC",
            logger=quiet,
            executors={"default": ThreadPoolExecutor(1), _TICK: ThreadPoolExecutor(1)},
            job_defaults={"max_instances": 1, "coalesce": True, "misfire_grace_time": None},
        )
        self._add(self._look, _LOOK, _every(LOOK), at=self._clock())
        if self._ask_tick is not None:
            self._add(self._tick, _TICK, _minutely(), executor=_TICK, at=self._clock())
        self._apscheduler.start()
        self._watching = threading.Thread(target=self._watch, name="casebook-clock", daemon=True)
        self._watching.start()

    def stop(self, grace: float = GRACE) -> bool:
        """Ask it to end, and wait.

        Args:
            grace: seconds to wait at the most.

        Returns:
            Whether all has ended; what has not may be left to the end of the process, for a job is safe to kill anywhere.
        """
        until = elapsed() + grace
        self._stop.set()
        if self._apscheduler is not None:
            self._apscheduler.shutdown(wait=False)
            self._apscheduler = None
        ended = True
        for lock in self._busy:
            if lock.acquire(timeout=max(until - elapsed(), 0.0)):
                lock.release()
            else:
                ended = False
        return ended

    # -- what the threads do -------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Bring the wakes to the policies as they are now, and make what is due."""
        if not self._stop.is_set():
            self._reschedule()
            self._run(SCHEDULED, self._books)

    def _wake(self, place: int, job: JobName) -> None:
        """A slot of a job has come."""
        self._run((job,), self._books[place : place + 1])

    def _run(self, jobs: Sequence[JobName], books: Sequence[Book]) -> None:
        with self._busy[0]:
            if not self._stop.is_set():
                run_due(books, self._clock, self._tell, jobs=jobs, is_stopping=self._stop.is_set)

    def _tick(self) -> None:
        with self._busy[1]:
            if self._stop.is_set() or self._ask_tick is None:
                return
            try:
                for each in self._ask_tick():
                    self._tell(each)
            except Exception as error:  # noqa: BLE001 - the next minute asks again
                self._tell(Made("tick", self._clock(), told="not asked", troubles=(f"{error}",)))

    def _tell(self, made: Made) -> None:
        """Tell of a run. One that cannot be begun at every look, for the same reason, is told once an hour; ticks are told each."""
        with self._telling:
            whose = (made.layer, made.job)
            is_begun = made.report is not None or not made.troubles or made.job == _TICK
            if is_begun:
                self._reasons.pop(whose, None)
            else:
                reason, since = (made.told, made.troubles), self._reasons.get(whose)
                if since is not None and since[0] == reason and abs(made.at - since[1]) < REMIND:
                    return
                self._reasons[whose] = (reason, made.at)
            self._told(made)

    def _reschedule(self) -> None:
        """Give each job a wake at its next slot; what has not changed is left."""
        for place, book in enumerate(self._books):
            with suppress(CasebookError, OSError):  # `run_due` tells of it
                policy = book.policy()
                for job in SCHEDULED:
                    schedule = policy.schedule_of(job), policy.timezone
                    name = f"{place}:{job}"
                    if self._schedules.get(name) != schedule and not self._stop.is_set():
                        self._schedule(name, place, job, schedule)

    def _schedule(self, name: str, place: int, job: JobName, schedule: tuple[str, str]) -> None:
        cron, zone = schedule
        apscheduler = self._apscheduler
        if apscheduler is None:
            return
        if cron == "off":
            if apscheduler.get_job(name) is not None:
                apscheduler.remove_job(name)
        else:
            trigger = _slots(Cron.parse(cron), zone)
            self._add(self._wake, name, trigger, args=(place, job), at=trigger.get_next_fire_time(None, self._clock()))
        self._schedules[name] = schedule

    def _add(self, call: Callable[..., None], name: str, trigger: Any, *, at: datetime | None, **options: Any) -> None:
        apscheduler = self._apscheduler
        if apscheduler is not None and at is not None:
            apscheduler.add_job(call, trigger, id=name, replace_existing=True, next_run_time=at, **options)

    def _watch(self) -> None:
        """Wake all anew where the clock was set: APScheduler would sleep until the instant that it had in mind."""
        clock, passed = self._clock(), elapsed()
        while not self._stop.wait(WATCH):
            now, since = self._clock(), elapsed()
            if abs((now - clock).total_seconds() - (since - passed)) > WATCH:
                self._wake_anew(now)
            clock, passed = now, since

    def _wake_anew(self, now: datetime) -> None:
        apscheduler = self._apscheduler
        if apscheduler is None:
            return
        for job in apscheduler.get_jobs():
            at = now if job.id in (_LOOK, _TICK) else job.trigger.get_next_fire_time(None, now)
            if at is not None:
                with suppress(Exception):  # it was taken away meanwhile
                    job.modify(next_run_time=at)


# -- triggers, whose base class is APScheduler's and imported late -------------------------------------------------------


def _slots(cron: Cron, zone: str) -> Any:
    """Give a trigger that fires at a cron's slots, as the design reads them."""
    return _trigger(lambda now: cron.next_after(now, zone))


def _minutely() -> Any:
    """Give a trigger that fires at every whole minute."""
    return _trigger(lambda now: now.replace(second=0, microsecond=0) + _ONE)


def _every(seconds: float) -> Any:
    """Give a trigger that fires so many seconds after it was last asked."""
    return _trigger(lambda now: now + timedelta(seconds=seconds))


def _trigger(following: Callable[[datetime], datetime | None]) -> Any:
    """Give a trigger of APScheduler's that fires at the instant that follows the present one."""
    from apscheduler.triggers.base import BaseTrigger

    class Following(BaseTrigger):  # type: ignore[misc]  # the base has no types
        def get_next_fire_time(self, previous: datetime | None, now: datetime) -> datetime | None:
            return following(now if previous is None else max(previous, now))

    return Following()
