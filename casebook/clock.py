"""The one clock. Everything that needs the present instant is handed a `Clock`; only this file reads the system's."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Clock = Callable[[], datetime]
"""Takes nothing and gives the present instant, aware, in UTC."""


def system_clock() -> datetime:
    """Give the present instant of this machine, aware, in UTC (freezegun moves it)."""
    return datetime.now(UTC)


def elapsed() -> float:
    """Give seconds since some moment, to measure how long work takes: freezegun, which moves the one clock, does not move this."""
    return time.clock_gettime(time.CLOCK_MONOTONIC)


def fixed_clock(instant: datetime) -> Clock:
    """Give a clock that always says `instant`, which must be aware; for `--now`, examples and tests."""
    if instant.tzinfo is None:
        raise ValueError(f"an aware instant is needed, found the naive {instant.isoformat()}")
    moment = instant.astimezone(UTC)
    return lambda: moment


_MARGIN = timedelta(days=3)
"""What reckons with zones, and with the day before and after, never leaves the calendar from there (ours)."""


def inside_the_calendar(clock: Clock) -> Clock:
    """Give a clock that never stands in the first or the last days that a datetime can say, where reckoning with it would fail."""
    first, last = datetime.min.replace(tzinfo=UTC) + _MARGIN, datetime.max.replace(tzinfo=UTC) - _MARGIN
    return lambda: min(max(clock(), first), last)
