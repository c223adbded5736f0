"""Stretches of time over which the clocks of some zones keep their distance from UTC."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from zoneinfo import ZoneInfo

DAY = 86_400
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def instant(second: int) -> datetime:
    """Give the instant so many seconds after 1970 began in UTC (before it, where negative)."""
    return EPOCH + timedelta(seconds=second)


@cache
def year_start(year: int) -> int:
    """Give the second at which a year begins in UTC."""
    return int((datetime(year, 1, 1, tzinfo=UTC) - EPOCH).total_seconds())


def offset(zone: str, second: int) -> int:
    """Give how many seconds a zone's clock is ahead of UTC at an instant."""
    moved = instant(second).astimezone(ZoneInfo(zone)).utcoffset()
    return 0 if moved is None else round(moved.total_seconds())


@lru_cache(maxsize=8192)
def changes(zone: str, year: int) -> tuple[tuple[int, int], ...]:
    """Give a zone's distances from UTC within a year: (from which second on, seconds ahead), the first at the year's start.

    Each UTC day is looked at, so two changes that undo each other within one day would be missed.
    """
    start, end = year_start(year), year_start(year + 1)
    known = offset(zone, start)
    found = [(start, known)]
    if zone == "UTC":
        return tuple(found)
    for day in range(start + DAY, end + 1, DAY):
        now = offset(zone, day)
        if now != known:
            low, high = day - DAY, day
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if offset(zone, middle) == known else (low, middle)
            if high < end:
                found.append((high, now))
            known = now
    return tuple(found)


def stretches(zones: Sequence[str], year: int) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Give the parts of a year over which no zone changes: (first second, end, seconds ahead of UTC for each zone)."""
    tables = [changes(zone, year) for zone in zones]
    marks = sorted({start for table in tables for start, _ in table})
    for start, end in zip(marks, [*marks[1:], year_start(year + 1)], strict=True):
        yield start, end, tuple([ahead for since, ahead in table if since <= start][-1] for table in tables)
