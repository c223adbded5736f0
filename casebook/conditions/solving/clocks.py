"""The clock: an instant at which all clock tests come out as asked, or the proof that there is none.

Between a handful of moments of the week nothing that a `time`, `week` or `weekday` test sees changes, and a local day
has one date. So it is enough to look, for each stretch over which the zones keep their distance, at one instant of each
part of the week, on each day. Years repeat: within 28 of them (40 over a century) each date falls on each weekday.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from casebook.conditions.solving.literal import Conflict, Found, Literal, Outcome, Unsure, minimal
from casebook.conditions.solving.zones import DAY, EPOCH, instant, stretches
from casebook.conditions.tree import Date, Day, Month, Node, Time, Week, Weekday
from casebook.conditions.wall_clock import clock_holds

FIRST_YEAR = 2026
"""Where the search begins, so that a witness looks familiar."""

PAST_YEAR, FUTURE_YEAR = 1970, 2130
"""The years looked at where no date test names others: beyond them zones only repeat (tzdata lists Ramadan up to 2087)."""

REPEAT = 41
"""Years looked at on both sides of a year that a date test names: all calendars come round within 40."""

WEEK = 7 * DAY


def solve_clock(literals: Sequence[Literal], zone: str) -> Outcome:
    """Decide the clock literals.

    Args:
        literals: clock tests, each asked to hold or not.
        zone: the zone of those that name none.

    Returns:
        The earliest instant from 2026 on (else an earlier year), aware, UTC; or a conflict, which means that there is no
        such instant from 1970 on, nor in the 41 years around one that a date test names.
    """
    outcome = _solve(frozenset(literals), zone)
    if isinstance(outcome, Conflict):
        return Conflict(tuple(dict.fromkeys(each for each in literals if each in outcome.core)))
    return outcome


@lru_cache(maxsize=16_384)
def _solve(literals: frozenset[Literal], zone: str) -> Outcome:
    ordered = sorted(literals, key=repr)
    found = _search(_Clocks.of(ordered, zone))
    if found is not None:
        return Found(instant(found))
    for each in ordered:
        if isinstance(each.atom, Date) and not all(2 <= int(value[:4]) < 9998 - 1 for value in each.atom.values):
            return Unsure("a date at the edge of the calendar")
    if len(ordered) > 12:
        return Conflict(tuple(ordered))

    def decide(rest: Sequence[Literal]) -> Outcome:
        return Unsure("") if _search(_Clocks.of(rest, zone)) is not None else Conflict(tuple(rest))

    for place, one in enumerate(ordered):
        for other in ordered[place + 1 :]:
            if len(ordered) > 2 and isinstance(decide((one, other)), Conflict):
                return minimal((one, other), decide)
    return minimal(ordered, decide)


@dataclass(frozen=True, slots=True)
class _Clocks:
    """Clock literals by zone: those that look at the week, and those that look at the date."""

    zones: tuple[str, ...]
    weekly: tuple[tuple[int, Literal], ...]
    dated: tuple[tuple[int, Literal], ...]

    @staticmethod
    def of(literals: Iterable[Literal], zone: str) -> _Clocks:
        """Sort clock literals by what they test; `zone` is that of those that name none."""
        named = [(getattr(each.atom, "zone", None) or zone, each) for each in literals]
        zones = tuple(dict.fromkeys(name for name, _ in named))
        weekly = tuple(
            (zones.index(name), each) for name, each in named if isinstance(each.atom, Time | Week | Weekday)
        )
        dated = tuple((zones.index(name), each) for name, each in named if isinstance(each.atom, Date | Month | Day))
        return _Clocks(zones, weekly, dated)

    def apart(self) -> Iterator[_Clocks]:
        """Give the weekly tests of each zone on their own."""
        for place, name in enumerate(self.zones):
            yield _Clocks((name,), tuple((0, each) for at, each in self.weekly if at == place), ())

    def years(self) -> Iterator[int]:
        """Give the years to look at, the familiar ones first."""
        named = {int(value[:4]) for _, each in self.dated if isinstance(each.atom, Date) for value in each.atom.values}
        later = {near for year in named for near in range(max(year - REPEAT, 2), min(year + REPEAT, 9998))}
        base = [*range(FIRST_YEAR, FUTURE_YEAR), *range(FIRST_YEAR - 1, PAST_YEAR - 1, -1)]
        first = [year for year in sorted(named) if 2 <= year < 9998]
        if any(each.holds and isinstance(each.atom, Date) for _, each in self.dated):
            base = [*first, *base]
        return iter(dict.fromkeys([*base, *sorted(later)]))

    def days_possible(self) -> list[set[tuple[int, int]] | None]:
        """Give for each zone the (month, day) that its month and day tests allow; None: all of them."""
        found: list[set[tuple[int, int]] | None] = []
        for place in range(len(self.zones)):
            asked = [each for at, each in self.dated if at == place and isinstance(each.atom, Month | Day)]
            days = (datetime(2024, 1, 1, tzinfo=UTC) + timedelta(days=count) for count in range(366))
            found.append(
                {
                    (day.month, day.day)
                    for day in days
                    if all(clock_holds(each.atom, day) is each.holds for each in asked)
                }
                if asked
                else None
            )
        return found


def _search(clocks: _Clocks) -> int | None:
    """Give the second of an instant that fulfils all, or None where none of the years has one."""
    days = clocks.days_possible()
    if any(possible is not None and not possible for possible in days):
        return None
    parts: dict[tuple[int, ...], list[_Part]] = {}
    dates = _Dates(clocks, days)
    if not dates.possible() or not all(any(_week_parts(alone, (0,))) for alone in clocks.apart()):
        return None
    for year in clocks.years():
        if not dates.year_possible(year):
            continue
        for start, end, ahead in stretches(clocks.zones, year):
            week = parts.get(ahead)
            if week is None:
                week = parts[ahead] = list(_week_parts(clocks, ahead))
            found = _in_stretch(start, end, week, dates) if week else None
            if found is not None:
                return found
    return None


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the week, in seconds of UTC from Monday, in which all weekly tests hold and no zone's date changes.

    `days` has for each zone by how many days its date differs from UTC's.
    """

    start: int
    end: int
    days: tuple[int, ...]


def _week_parts(clocks: _Clocks, ahead: tuple[int, ...]) -> Iterator[_Part]:
    marks = {day * DAY for day in range(7)}
    for place, moved in enumerate(ahead):
        local = {0, *(mark for at, each in clocks.weekly if at == place for mark in _moments(each.atom))}
        marks |= {(day * DAY + mark - moved) % WEEK for day in range(7) for mark in local}
    ordered = sorted(marks)
    monday = datetime(2024, 1, 1, tzinfo=UTC)
    for start, end in zip(ordered, [*ordered[1:], WEEK], strict=True):
        locals_ = [monday + timedelta(seconds=start + moved) for moved in ahead]
        if all(clock_holds(each.atom, locals_[place]) is each.holds for place, each in clocks.weekly):
            today = (monday + timedelta(seconds=start)).date()
            yield _Part(start, end, tuple((local.date() - today).days for local in locals_))


def _moments(atom: Node) -> tuple[int, ...]:
    """Give the seconds of the day at which a weekly test may change its answer, midnight apart."""
    if isinstance(atom, Time):
        return atom.start, atom.end % DAY
    if isinstance(atom, Week):
        return atom.start[1] % DAY, atom.end[1] % DAY
    return ()


class _Dates:
    """Which days the date, month and day tests allow, remembered by day."""

    def __init__(self, clocks: _Clocks, days: list[set[tuple[int, int]] | None]) -> None:
        self.clocks = clocks
        self.days = days
        self.tests = [
            [each for at, each in clocks.dated if at == place and isinstance(each.atom, Date)]
            for place in range(len(clocks.zones))
        ]
        self.known: dict[tuple[int, int], bool] = {}

    def possible(self) -> bool:
        """Say whether the date tests of each zone leave a day at all: looked for at their bounds and next to them."""
        for tests in self.tests:
            marks = {date.fromisoformat(value) for each in tests for value in getattr(each.atom, "values", ())}
            near = {mark + timedelta(days=by) for mark in marks for by in (-1, 0, 1) if 2 <= mark.year < 9998}
            if marks and near and not any(self._dates_hold(tests, day) for day in near):
                return False
        return True

    @staticmethod
    def _dates_hold(tests: Sequence[Literal], day: date) -> bool:
        moment = datetime(day.year, day.month, day.day, tzinfo=UTC)
        return all(clock_holds(each.atom, moment) is each.holds for each in tests)

    def year_possible(self, year: int) -> bool:
        """Say whether a year may have an allowed day: cheap, and no is certain."""
        for tests in self.tests:
            for each in tests:
                if isinstance(each.atom, Date) and not _touches(each.atom, year, holds=each.holds):
                    return False
        return True

    def allow(self, day: int, parts_days: tuple[int, ...]) -> bool:
        """Say whether each zone's date is allowed where UTC's is `day`, counted from 1970."""
        return all(self._allows(place, day + by) for place, by in enumerate(parts_days))

    def _allows(self, place: int, day: int) -> bool:
        if self.days[place] is None and not self.tests[place]:
            return True
        found = self.known.get((place, day))
        if found is None:
            moment = EPOCH + timedelta(days=day)
            possible = self.days[place]
            found = (possible is None or (moment.month, moment.day) in possible) and self._dates_hold(
                self.tests[place], moment.date()
            )
            self.known[(place, day)] = found
        return found


_OPPOSITE = {"gt": "lte", "gte": "lt", "lt": "gte", "lte": "gt", "is": "is_not", "between": "is_not", "is_not": "is"}


def _touches(test: Date, year: int, *, holds: bool) -> bool:
    """Say whether a date test can come out so in a year, or within a day of it."""
    op = test.op if holds else _OPPOSITE[test.op]
    first, last = int(test.values[0][:4]), int(test.values[-1][:4])
    if op in ("gt", "gte"):
        return year >= first - 1
    if op in ("lt", "lte"):
        return year <= last + 1
    return op == "is_not" or first - 1 <= year <= last + 1


def _in_stretch(start: int, end: int, week: Sequence[_Part], dates: _Dates) -> int | None:
    """Give the first second in [start, end) that is in a part of the week on an allowed day."""
    by_weekday: list[list[_Part]] = [[] for _ in range(7)]
    for part in week:
        by_weekday[part.start // DAY].append(part)
    for day in range(start // DAY, (end - 1) // DAY + 1):
        weekday = (day + 3) % 7
        for part in by_weekday[weekday]:
            first = day * DAY + part.start - weekday * DAY
            last = first + part.end - part.start
            if first < end and last > start and dates.allow(day, part.days):
                return max(first, start)
    return None
