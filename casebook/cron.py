"""Crons: when upkeep runs, read by us. Five fields, local wall clock, and what a change of clocks does to them (DESIGN section 8)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Self
from zoneinfo import ZoneInfo

from casebook.cron_text import LONGEST, WEEKDAYS, read_cron, write_cron

_ONE = timedelta(minutes=1)
_NINE_YEARS = timedelta(days=9 * 366)
"""A leap day comes back after eight years at the latest."""


@dataclass(frozen=True, slots=True)
class Cron:
    """When something runs: the wall-clock minutes of which every field holds.

    Made by `Cron.parse`. Two crons that mean the same are equal.

    Attributes:
        minutes, hours, days, months: the values of each field, in order.
        weekdays: the same; 0 is Sunday, 6 Saturday.
    """

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: tuple[int, ...]
    months: tuple[int, ...]
    weekdays: tuple[int, ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a cron.

        Args:
            text: minute, hour, day of the month, month, weekday, each `*`, a value, a range, a list or one of the first two with
                a step (`*/15`, `8-18/2`); weekdays and months also by name; or `@hourly`, `@daily`, `@weekly`, `@monthly`.

        Raises:
            ValueError: it is none: which field, at which column, what was expected and found, and how to write it.
        """
        return cls(*read_cron(text))

    def __str__(self) -> str:
        """Give the canonical text; parsing it gives an equal cron."""
        return write_cron((self.minutes, self.hours, self.days, self.months, self.weekdays))

    def names(self) -> dict[str, str]:
        """Give the form that APScheduler's CronTrigger takes as keywords: its numbers of weekdays begin at Monday, names do not err."""
        minute, hour, day, month, weekday = str(self).split()
        days = weekday if weekday == "*" else ",".join(WEEKDAYS[value].split()[0] for value in self.weekdays)
        return {"minute": minute, "hour": hour, "day": day, "month": month, "day_of_week": days}

    def holds(self, wall: datetime) -> bool:
        """Say whether the minute of a naive local date-time is one of this cron's."""
        return wall.minute in self.minutes and wall.hour in self.hours and self._on(wall.date())

    def slots(self, after: datetime, until: datetime) -> Iterator[datetime]:
        """Give the wall-clock minutes of this cron, in order.

        Args:
            after: naive and local; itself not among them.
            until: naive and local; itself among them.
        """
        for day in self._dates(after.date(), until.date()):
            for hour in self.hours:
                for minute in self.minutes:
                    slot = datetime.combine(day, time(hour, minute))
                    if slot > until:
                        return
                    if slot > after:
                        yield slot

    def latest(self, after: datetime, until: datetime) -> datetime | None:
        """Give the last of `slots(after, until)` without making the others, or None."""
        day = until.date()
        while day >= after.date():
            if day.month not in self.months:
                day = _day_before(day.replace(day=1), day)
            elif not self._on(day):
                day = _day_before(day, day)
            else:
                end = until if day == until.date() else datetime.combine(day, time.max)
                for hour in reversed(self.hours):
                    for minute in reversed(self.minutes):
                        slot = datetime.combine(day, time(hour, minute))
                        if slot <= end:
                            return slot if slot > after else None
                day = _day_before(day, day)
            if day == date.min:
                break
        return None

    def count(self, after: datetime, until: datetime) -> int:
        """Give how many `slots(after, until)` are, without making those of whole days."""
        if until <= after:
            return 0
        first, last = after.date(), until.date()
        a_day = len(self.hours) * len(self.minutes)
        whole = a_day * self._days_between(first, last)
        ends = dict.fromkeys((first, last))
        return whole + sum(after < slot <= until for day in ends if self._on(day) for slot in self._of(day))

    def instant_of(self, slot: datetime, zone: str) -> datetime:
        """Give the instant at which a slot is due.

        Args:
            slot: a naive local date-time.
            zone: the IANA zone that it is in.

        Returns:
            Aware, UTC. Of a slot that the clocks leave out, the first instant after the gap; of one that comes twice, the first.
        """
        return wall_instant(slot, zone)

    def next_after(self, instant: datetime, zone: str) -> datetime | None:
        """Give the first instant after another at which a slot is due, aware, UTC; None where there is none before the year 9999.

        Args:
            instant: aware.
            zone: the IANA zone of the wall clock.
        """
        wall = instant.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
        for slot in self.slots(wall, datetime(9998, 12, 31)):  # noqa: DTZ001 - a wall clock
            due = wall_instant(slot, zone)
            if due > instant:  # not of what comes a second time: that was due the first
                return due
        return None

    def last_until(self, instant: datetime, zone: str) -> datetime | None:
        """Give the last slot that was due at an instant or before, naive and local; None where none was in the nine years before.

        Args:
            instant: aware.
            zone: the IANA zone of the wall clock.
        """
        info = ZoneInfo(zone)
        local = instant.astimezone(info)
        wall = local.replace(tzinfo=None, fold=0)
        if local.fold:  # the hour comes a second time: the rest of it was due the first
            first, second = (wall.replace(tzinfo=info, fold=fold).utcoffset() for fold in (0, 1))
            wall += (first or timedelta()) - (second or timedelta())
        earliest = wall - min(_NINE_YEARS, wall - datetime.min)  # noqa: DTZ901 - a wall clock
        slot = self.latest(earliest, wall)
        while slot is not None and wall_instant(slot, zone) > instant:
            slot = self.latest(earliest, slot - _ONE)
        return slot

    def _on(self, day: date) -> bool:
        return day.month in self.months and day.day in self.days and day.isoweekday() % 7 in self.weekdays

    def _of(self, day: date) -> Iterator[datetime]:
        return (datetime.combine(day, time(hour, minute)) for hour in self.hours for minute in self.minutes)

    def _days_between(self, first: date, last: date) -> int:
        """Give how many days of this cron lie between two others; of years that have the same calendar one is counted."""
        alike: dict[tuple[int, int], list[int]] = {}
        for year in range(first.year + 1, last.year):
            alike.setdefault((_length(year, 2), date(year, 1, 1).weekday()), []).append(year)
        whole = sum(
            len(years) * sum(1 for _ in self._dates(date(years[0], 1, 1), date(years[0], 12, 31)))
            for years in alike.values()
        )
        parts = [(first, last)]
        if first.year < last.year:
            parts = [(first, date(first.year, 12, 31)), (date(last.year, 1, 1), last)]
        return whole + sum(first < day < last for part in parts for day in self._dates(*part))

    def _dates(self, first: date, last: date) -> Iterator[date]:
        """Give the days of this cron from the first to the last; a month that is not of it costs one step."""
        for year in range(first.year, last.year + 1):
            for month in self.months:
                if (first.year, first.month) <= (year, month) <= (last.year, last.month):
                    for number in self.days:
                        if number <= _length(year, month):
                            day = date(year, month, number)
                            if first <= day <= last and day.isoweekday() % 7 in self.weekdays:
                                yield day


def wall_instant(wall: datetime, zone: str) -> datetime:
    """Give the instant of a wall clock: `Cron.instant_of` says what becomes of gaps and repeated hours.

    Args:
        wall: naive and local.
        zone: the IANA zone that it is in.

    Returns:
        Aware, UTC.
    """
    info = ZoneInfo(zone)
    found = wall.replace(tzinfo=info, fold=0).astimezone(UTC)
    if found.astimezone(info).replace(tzinfo=None) == wall:
        return found
    before = wall.replace(tzinfo=info, fold=1).astimezone(UTC)
    low, high = int(before.timestamp()), int(found.timestamp())  # before the gap, and after it
    while high - low > 1:
        middle = (low + high) // 2
        if datetime.fromtimestamp(middle, info).replace(tzinfo=None) > wall:
            high = middle
        else:
            low = middle
    return datetime.fromtimestamp(high, UTC)


def _day_before(day: date, now: date) -> date:
    return day - timedelta(days=1) if day > date.min else min(day, now)


def _length(year: int, month: int) -> int:
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 28 if month == 2 and not is_leap else LONGEST[month - 1]
