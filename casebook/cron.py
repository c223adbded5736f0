"""Crons: when upkeep runs, read by us. Five fields, local wall clock, and what a change of clocks does to them (DESIGN section 8)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Self
from zoneinfo import ZoneInfo

from casebook.faults import nearest

_WEEKDAYS = (
    "sun sunday 周日 周天 星期日 星期天 礼拜日 礼拜天", "mon monday 周一 星期一 礼拜一", "tue tues tuesday 周二 星期二 礼拜二",
    "wed wednesday 周三 星期三 礼拜三", "thu thur thurs thursday 周四 星期四 礼拜四", "fri friday 周五 星期五 礼拜五",
    "sat saturday 周六 星期六 礼拜六",
)  # fmt: skip
_MONTHS = (
    "jan january 一月", "feb february 二月", "mar march 三月", "apr april 四月", "may 五月", "jun june 六月", "jul july 七月",
    "aug august 八月", "sep sept september 九月", "oct october 十月", "nov november 十一月", "dec december 十二月",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Field:
    """One field of a cron: what it is called, the least and the greatest value, and names with the values that they mean."""

    name: str
    low: int
    high: int
    names: Mapping[str, int] = field(default_factory=dict)
    called: str = ""

    @property
    def expected(self) -> str:
        return f"{self.low} to {self.high}{self.called}"


def _names(spellings: Sequence[str], first: int) -> Mapping[str, int]:
    return {name: value for value, names in enumerate(spellings, first) for name in names.split()}


_FIELDS = (
    _Field("minute", 0, 59),
    _Field("hour", 0, 23),
    _Field("day of the month", 1, 31),
    _Field("month", 1, 12, _names(_MONTHS, 1), " or a name (jan)"),
    _Field("weekday", 0, 7, _names(_WEEKDAYS, 0), " (0 and 7 are Sunday) or a name (fri)"),
)
_SHORTHANDS = {"@hourly": "0 * * * *", "@daily": "0 0 * * *", "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *"}
_ELSEWHERE = {
    "@midnight": "@daily", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@reboot": "`casebook schedule` makes up what was missed"
}  # fmt: skip
_LONGEST = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
"""Days of each month in a leap year."""
_TEXT = 1000
"""Characters of a cron (ours): one that names every value of every field has fewer."""
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
        if len(text) > _TEXT:
            raise ValueError(f"expected a cron of at most {_TEXT} characters, got {len(text):,}")
        found = [(match.start() + 1, match[0]) for match in re.finditer(r"\S+", text)]
        if found and found[0][1].startswith("@"):
            return cls.parse(_shorthand(text.strip()))
        if len(found) != len(_FIELDS):
            cure = " (seconds and years are not written)" if len(found) in (6, 7) else ""
            raise ValueError(
                f"expected five fields (minute, hour, day of the month, month, weekday) such as 0 3 * * 5, "
                f'got {len(found)} in "{text}"{cure}'
            )
        minutes, hours, days, months, weekdays = (
            _values(each, part, column) for each, (column, part) in zip(_FIELDS, found, strict=True)
        )
        cron = cls(minutes, hours, days, months, tuple(sorted({value % 7 for value in weekdays})))
        _refuse_both(cron, found)
        _refuse_never(cron, found)
        return cron

    def __str__(self) -> str:
        """Give the canonical text; parsing it gives an equal cron."""
        return " ".join(_written(each, values) for each, values in zip(_FIELDS, self._values(), strict=True))

    def names(self) -> dict[str, str]:
        """Give the form that APScheduler's CronTrigger takes as keywords: its numbers of weekdays begin at Monday, names do not err."""
        minute, hour, day, month, weekday = str(self).split()
        days = weekday if weekday == "*" else ",".join(_WEEKDAYS[value].split()[0] for value in self.weekdays)
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
        whole = sum(a_day for day in self._dates(first, last) if first < day < last)
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

    def _values(self) -> tuple[tuple[int, ...], ...]:
        return self.minutes, self.hours, self.days, self.months, self.weekdays

    def _on(self, day: date) -> bool:
        return day.month in self.months and day.day in self.days and day.isoweekday() % 7 in self.weekdays

    def _of(self, day: date) -> Iterator[datetime]:
        return (datetime.combine(day, time(hour, minute)) for hour in self.hours for minute in self.minutes)

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
    return 28 if month == 2 and not is_leap else _LONGEST[month - 1]


# -- reading -------------------------------------------------------------------------------------------------------------


def _shorthand(text: str) -> str:
    name = text.casefold()
    if name in _SHORTHANDS:
        return _SHORTHANDS[name]
    cure = _ELSEWHERE.get(name) or nearest(name, _SHORTHANDS)
    raise ValueError(f'expected one of {", ".join(_SHORTHANDS)}, got "{text}"' + (f" ({cure})" if cure else ""))


def _values(kind: _Field, text: str, column: int) -> tuple[int, ...]:
    """Read one field; raises ValueError."""
    found: set[int] = set()
    at = column
    for part in text.split(","):
        found.update(_part(kind, part, at))
        at += len(part) + 1
    return tuple(sorted(found))


def _part(kind: _Field, part: str, column: int) -> range:
    """Read one part of a list: `*`, a value or a range, with a step."""
    ends, slash, step_text = part.partition("/")
    first, dash, last = ends.partition("-")
    if ends == "*":
        low, high = kind.low, 6 if kind.high == 7 else kind.high
    elif dash:
        low, high = _value(kind, first, column), _value(kind, last, column + len(first) + 1)
        if kind.high == 7 and high == 0 and low > 0:
            high = 7  # Friday to Sunday
        if low > high:
            start = 0 if kind.high == 7 else kind.low
            top = 6 if kind.high == 7 else kind.high
            raise _fault(kind, column, "a range that goes up", part, f"write {_run(low, top)},{_run(start, high)}")
    else:
        low = high = _value(kind, ends, column)
        if slash:
            raise _fault(kind, column, "a step after * or a range", part, f"write {low}-{kind.high}/{step_text or 1}")
    if not slash:
        return range(low, high + 1)
    most = kind.high - kind.low
    step = int(step_text) if re.fullmatch(r"[0-9]{1,4}", step_text) else 0
    if not 1 <= step <= most:
        cure = f"write {low} where one is meant" if step > most else f"such as {ends}/2"
        raise _fault(kind, column + len(ends) + 1, f"a step of 1 to {most}", step_text, cure)
    return range(low, high + 1, step)


def _value(kind: _Field, text: str, column: int) -> int:
    """Read one value, a number or a name."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    if re.fullmatch(r"[0-9]{1,4}", plain):
        number = int(plain)
        if kind.low <= number <= kind.high:
            return number
        raise _fault(kind, column, kind.expected, text)
    if plain in kind.names:
        return kind.names[plain]
    cure = nearest(plain, kind.names) if kind.names and plain else None
    if any(mark in plain for mark in "?lw#") and not cure:
        cure = "? L W # are of other crons; * means any"
    told = f"did you mean {cure}?" if cure in kind.names else cure
    raise _fault(kind, column, kind.expected, text, told)


def _fault(kind: _Field, column: int, expected: str, got: str, cure: str | None = None) -> ValueError:
    found = f'"{got}"' if got else "nothing"
    return ValueError(
        f"{kind.name} (column {column}): expected {expected}, got {found}" + (f" ({cure})" if cure else "")
    )


def _refuse_both(cron: Cron, found: list[tuple[int, str]]) -> None:
    """Refuse a day of the month and a weekday: some crons take both, some either."""
    if len(cron.days) < 31 and len(cron.weekdays) < 7:
        column, weekday = found[4]
        raise ValueError(
            f"weekday (column {column}): expected * where a day of the month is named too ({found[2][1]}, column "
            f'{found[2][0]}), got "{weekday}" (name one of the two: crons differ on whether both or either must hold)'
        )


def _refuse_never(cron: Cron, found: list[tuple[int, str]]) -> None:
    """Refuse dates that no year has."""
    if not any(day <= _LONGEST[month - 1] for month in cron.months for day in cron.days):
        column, days = found[2]
        most = max(_LONGEST[month - 1] for month in cron.months)
        raise ValueError(
            f'day of the month (column {column}): expected 1 to {most} in the month "{found[3][1]}", got "{days}" '
            "(no year has that date)"
        )


# -- writing -------------------------------------------------------------------------------------------------------------


def _written(kind: _Field, values: tuple[int, ...]) -> str:
    """Write a field in its shortest form: all, all by a step, else runs."""
    low, high = kind.low, 6 if kind.high == 7 else kind.high
    if len(values) == high - low + 1:
        return "*"
    if len(values) > 2 and values == tuple(range(low, high + 1, values[1] - values[0])):
        return f"*/{values[1] - values[0]}"
    runs: list[list[int]] = []
    for value in values:
        if runs and value == runs[-1][-1] + 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ",".join(map(str, run)) for run in runs)


def _run(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"
