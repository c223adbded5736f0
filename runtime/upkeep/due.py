"""What is due: a run once for each local date-time, what was missed made up once, what was cut short completed (DESIGN section 8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from casebook.cron import Cron, wall_instant
from casebook.policy import JOBS, JobName, Policy
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.upkeep.ledger import AHEAD, Claim, Ledger, Seen

PATIENCE = timedelta(minutes=5)
"""How long a run that is begun and not finished is left alone: its process may be on another host (ours)."""
TRIES = 4
"""How often a run is begun within minutes: one that always ends its process is told then, and begun again once a day (ours)."""
LATER = timedelta(days=1)
"""How long such a run is left alone; the next run of its job completes it, too, if that comes before (ours)."""
SCHEDULED: tuple[JobName, ...] = tuple(job for job in JOBS if job != "tick")
"""The jobs that the ledger decides about, in the order in which they run; ticks are claimed by the minute."""
_SPECK = timedelta(microseconds=1)
_FIRST = datetime(1, 1, 4, tzinfo=UTC)
"""The first instant from which zones can be reckoned with."""


@dataclass(frozen=True, slots=True)
class Due:
    """A run that is due.

    Attributes:
        job: which.
        slot: the local date-time that it is for, naive.
        zone: the IANA zone of it.
        cron: the schedule that says so, canonical; empty where a run is only completed.
        at: the instant at which it was due, aware, UTC.
        makes_up: how many earlier slots were missed and are made up by it.
        first: the first of them, naive, or None.
        begun: how often this run was begun before; 0 for a new one.
        unfinished: earlier runs that were begun and cut short, and are completed by it.
    """

    job: JobName
    slot: datetime
    zone: str
    cron: str
    at: datetime
    makes_up: int = 0
    first: datetime | None = None
    begun: int = 0
    unfinished: tuple[datetime, ...] = ()

    @property
    def is_stubborn(self) -> bool:
        """Say whether it was begun so often in vain that it is told before it is begun again."""
        return self.begun >= TRIES


def due(policy: Policy, journal: Journal, now: datetime, jobs: Sequence[JobName] = SCHEDULED) -> tuple[Due, ...]:
    """Give the runs that are due, in the order in which they are to be made.

    A job's schedule counts from the minute in which it is first seen here, which is written down: neither a new casebook nor an
    edited policy brings runs of the time before. From then on the last slot that has passed is due where it is later than the
    last one that was claimed; earlier ones in between are made up by it. Instants are compared, and slots claimed: a clock that
    is set back, or a zone that is changed, brings no slot twice.

    Args:
        policy: has the schedules and the zone.
        journal: keeps the ledger.
        now: the present instant, aware.
        jobs: of these alone.

    Raises:
        StoreError: the journal cannot be read or written.
    """
    ledger = Ledger(journal)
    found = (_due(ledger, policy, job, now) for job in jobs if job != "tick")
    return tuple(each for each in found if each is not None)


def _due(ledger: Ledger, policy: Policy, job: JobName, now: datetime) -> Due | None:
    cron = _canonical(policy.schedule_of(job))
    schedules = ledger.seen(job, cron, policy.timezone, now)
    claims = ledger.claims(job, now)
    unfinished = [each for each in claims.values() if not each.is_finished and abs(now - each.last) >= PATIENCE]
    new = _missed(job, schedules, claims, now)
    if new is not None and not ledger.is_claimed(job, new.slot):
        return _with(new, unfinished)
    left = [each for each in unfinished if each.tries < TRIES or abs(now - each.last) >= LATER]
    if cron == "off" or not left:
        return None
    last = left[-1]
    others = tuple(each.slot for each in left[:-1])
    return Due(job, last.slot, policy.timezone, "", last.due, begun=last.tries, unfinished=others)


def _with(new: Due, left: Sequence[Claim]) -> Due:
    unfinished = tuple(each.slot for each in left)
    return Due(new.job, new.slot, new.zone, new.cron, new.at, new.makes_up, new.first, unfinished=unfinished)


def _missed(job: JobName, schedules: Sequence[Seen], claims: Mapping[datetime, Claim], now: datetime) -> Due | None:
    """Give the last slot that has passed and is later than the last that was claimed, with those before it counted."""
    last = max((each.due for each in claims.values() if each.due <= now + AHEAD), default=None)
    found: Due | None = None
    count = 0
    first: datetime | None = None
    for seen, low, high in _in_force(schedules, last, now):
        cron = Cron.parse(seen.cron)
        newest = cron.last_until(high, seen.zone)
        if newest is None or wall_instant(newest, seen.zone) <= low:
            continue
        if found is None:
            found = Due(job, newest, seen.zone, seen.cron, wall_instant(newest, seen.zone))
        before = cron.last_until(low, seen.zone)
        after = before if before is not None else newest - timedelta(minutes=1)
        count += cron.count(after, newest)
        first = next(cron.slots(after, newest), newest)
    if found is None or count <= 1:
        return found
    return Due(job, found.slot, found.zone, found.cron, found.at, count - 1, first)


def _in_force(
    schedules: Sequence[Seen], last: datetime | None, now: datetime
) -> Iterator[tuple[Seen, datetime, datetime]]:
    """Give each schedule with the span of instants in which it was in force and nothing was claimed, the newest first."""
    high = now
    for seen in reversed(schedules):
        since = (
            max(seen.since, _FIRST).replace(second=0, microsecond=0) - _SPECK
        )  # the minute in which it is first seen is its own
        low = since if last is None else max(since, last)
        if low < high and seen.cron != "off":
            yield seen, low, high
        high = min(high, since)
        if last is not None and high <= last:
            return


def _canonical(text: str) -> str:
    return text if text == "off" else str(Cron.parse(text))
