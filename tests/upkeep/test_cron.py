"""Crons: what is read, what is refused and where, and what a change of clocks does to a slot."""

# Slots are wall clocks.
# ruff: noqa: DTZ001

from __future__ import annotations

import warnings
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casebook.cron import Cron


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("0 3 * * 5", "0 3 * * 5"),
        ("0 3 * * FRI", "0 3 * * 5"),
        ("0 3 * * Friday", "0 3 * * 5"),
        ("0 3 * * 周五", "0 3 * * 5"),
        ("0 3 * * 星期五", "0 3 * * 5"),
        ("0 3 * * 礼拜五", "0 3 * * 5"),
        ("0 0 * * 0", "0 0 * * 0"),
        ("0 0 * * 7", "0 0 * * 0"),
        ("0 0 * * sun", "0 0 * * 0"),
        ("0 0 * * 周日", "0 0 * * 0"),
        ("0 0 * * 5-7", "0 0 * * 0,5,6"),
        ("0 0 * * fri-sun", "0 0 * * 0,5,6"),
        ("0 0 * * 周一-周五", "0 0 * * 1-5"),
        ("0 0 * * 0-7", "0 0 * * *"),
        ("0 0 1-31 * 5", "0 0 * * 5"),
        ("*/15 * * * *", "*/15 * * * *"),
        ("0,15,30,45 * * * *", "*/15 * * * *"),
        ("0 8-18/2 * * *", "0 8,10,12,14,16,18 * * *"),
        ("10,5,7-9 * * * *", "5,7-10 * * * *"),
        ("0 0 1 jan,三月,12 *", "0 0 1 1,3,12 *"),
        ("\t0  3 * *\u30005 ", "0 3 * * 5"),
        ("０ ３ * * ５", "0 3 * * 5"),
        ("0 0 29 2 *", "0 0 29 2 *"),
        ("0 0 31 1-2 *", "0 0 31 1,2 *"),
        ("@hourly", "0 * * * *"),
        ("@daily", "0 0 * * *"),
        ("@weekly", "0 0 * * 0"),
        ("@Monthly", "0 0 1 * *"),
    ],
)
def test_a_cron_is_read_and_written_canonically(text, canonical):
    assert str(Cron.parse(text)) == canonical
    assert Cron.parse(canonical) == Cron.parse(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ["five fields", "got 0"]),
        ("0 3 * *", ["five fields", "got 4"]),
        ("0 0 3 * * 5", ["five fields", "got 6", "seconds"]),
        ("60 * * * *", ["minute (column 1)", "0 to 59", '"60"']),
        ("* 24 * * *", ["hour (column 3)", "0 to 23", '"24"']),
        ("* * 0 * *", ["day of the month (column 5)", "1 to 31", '"0"']),
        ("* * * 13 *", ["month (column 7)", "1 to 12", '"13"']),
        ("0 3 * * 8", ["weekday (column 9)", "0 and 7 are Sunday", '"8"']),
        ("0 3 * * fryday", ["weekday (column 9)", '"fryday"', "did you mean friday?"]),
        ("0 3 * * mon,fry", ["weekday (column 13)", '"fry"']),
        ("0 3 * Janury *", ["month (column 7)", "did you mean january?"]),
        ("0 22-2 * * *", ["hour (column 3)", "22-23,0-2"]),
        ("0 0 * * sat-mon", ["weekday (column 9)", "6,0-1"]),
        ("5/15 * * * *", ["minute (column 1)", "5-59/15"]),
        ("*/0 * * * *", ["minute (column 3)", "step of 1 to 59", '"0"']),
        ("*/60 * * * *", ["minute (column 3)", "step of 1 to 59", "write 0"]),
        ("1, * * * *", ["minute (column 3)", "got nothing"]),
        ("0 0 ? * 5", ["day of the month (column 5)", '"?"', "* means any"]),
        ("0 0 L * *", ["day of the month (column 5)", '"L"', "* means any"]),
        ("0 3 1 * 5", ["weekday (column 9)", "day of the month", "name one of the two"]),
        ("0 3 */2 * 5", ["weekday (column 11)", "name one of the two"]),
        ("0 3 1 * 1-6", ["weekday (column 9)", "name one of the two"]),
        ("0 0 30 2 *", ["day of the month (column 5)", "1 to 29", "no year has that date"]),
        ("0 0 31 2 *", ["no year has that date"]),
        ("0 0 31 4,6,9,11 *", ["1 to 30", "no year has that date"]),
        ("@dayly", ["@hourly, @daily, @weekly, @monthly", "@daily"]),
        ("@yearly", ["0 0 1 1 *"]),
        ("\u0661 * * * *", ["minute"]),
        ("0 " * 600, ["at most 1000 characters"]),
    ],
)
def test_what_is_no_cron_is_refused_with_its_place_and_its_cure(text, told):
    with pytest.raises(ValueError) as raised:
        Cron.parse(text)
    for each in (*told, "expected", "got"):
        assert each in str(raised.value)


def test_friday_is_friday_and_not_saturday():
    friday, saturday = datetime(2026, 3, 6, 3), datetime(2026, 3, 7, 3)
    for text in ("0 3 * * 5", "0 3 * * fri", "0 3 * * 周五"):
        assert Cron.parse(text).holds(friday)
        assert not Cron.parse(text).holds(saturday)
    assert Cron.parse("0 3 * * 5").names() == {
        "minute": "0", "hour": "3", "day": "*", "month": "*", "day_of_week": "fri"
    }  # fmt: skip


# -- properties: a cron against trying each minute, and against APScheduler in a zone without changes ---------------------


def _part(low, high):
    values = st.integers(low, high)
    ranges = st.tuples(values, values).map(lambda pair: f"{min(pair)}-{max(pair)}")
    steps = st.tuples(ranges, st.integers(1, high - low)).map(lambda pair: f"{pair[0]}/{pair[1]}")
    return st.one_of(
        st.just("*"), st.lists(st.one_of(values.map(str), ranges, steps), min_size=1, max_size=3).map(",".join)
    )


@st.composite
def crons(draw):
    day, weekday = draw(st.sampled_from(["day", "weekday", "none"])), "*"
    days = draw(_part(1, 28)) if day == "day" else "*"
    weekday = draw(_part(0, 6)) if day == "weekday" else "*"
    return Cron.parse(f"{draw(_part(0, 59))} {draw(_part(0, 23))} {days} {draw(_part(1, 12))} {weekday}")


@given(crons())
def test_what_is_written_is_read_as_the_same(cron):
    assert Cron.parse(str(cron)) == cron


WALLS = st.datetimes(datetime(2023, 12, 1), datetime(2024, 4, 1)).map(lambda at: at.replace(microsecond=0))


@settings(max_examples=40)
@given(crons(), WALLS, st.timedeltas(timedelta(), timedelta(days=3)))
def test_slots_are_the_minutes_that_hold(cron, after, span):
    until = after + span
    minute = after.replace(second=0) + timedelta(minutes=1)
    expected = []
    while minute <= until:
        if cron.holds(minute):
            expected.append(minute)
        minute += timedelta(minutes=1)
    assert list(cron.slots(after, until)) == expected
    assert cron.count(after, until) == len(expected)
    assert cron.latest(after, until) == (expected[-1] if expected else None)


@settings(max_examples=30)
@given(
    crons(), st.datetimes(datetime(1, 1, 1), datetime(9900, 1, 1)), st.timedeltas(timedelta(), timedelta(days=7_000))
)
def test_a_count_over_many_years_is_the_sum_of_those_over_its_months(cron, after, span):
    until = after + span
    ends = [after]
    while (following := (ends[-1].replace(day=1) + timedelta(days=32)).replace(day=1)) < until:
        ends.append(following)
    ends.append(until)
    assert cron.count(after, until) == sum(cron.count(*pair) for pair in pairwise(ends))


@settings(max_examples=60)
@given(crons(), WALLS)
def test_by_its_names_apscheduler_reads_it_as_we_do(cron, wall):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from apscheduler.triggers.cron import CronTrigger
    at = wall.replace(tzinfo=UTC)
    theirs = CronTrigger(**cron.names(), timezone="UTC").get_next_fire_time(None, at + timedelta(seconds=1))
    assert cron.next_after(at, "UTC") == theirs


@settings(max_examples=60)
@given(
    crons(),
    st.sampled_from(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Shanghai"]),
    st.datetimes(datetime(2026, 1, 1), datetime(2026, 12, 31), timezones=st.just(UTC)),
)
def test_what_is_next_is_after_and_was_the_last_when_it_has_come(cron, zone, at):
    following = cron.next_after(at, zone)
    assert following > at
    slot = cron.last_until(following, zone)
    assert cron.instant_of(slot, zone) == following
    before = cron.last_until(following - timedelta(seconds=1), zone)
    assert before is None or cron.instant_of(before, zone) <= at


def instants(cron: Cron, zone: str, after: datetime, until: datetime) -> list[datetime]:
    """Each next instant after the one before it."""
    found: list[datetime] = []
    at = cron.next_after(after, zone)
    while at is not None and at <= until:
        found.append(at)
        at = cron.next_after(at, zone)
    return found


# -- changes of clocks ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("zone", "slot", "instant"),
    [
        # in the gap: the first instant after it
        ("Europe/Berlin", "2026-03-29T01:59", "2026-03-29T00:59Z"),
        ("Europe/Berlin", "2026-03-29T02:00", "2026-03-29T01:00Z"),
        ("Europe/Berlin", "2026-03-29T02:59", "2026-03-29T01:00Z"),
        ("Europe/Berlin", "2026-03-29T03:00", "2026-03-29T01:00Z"),
        ("America/New_York", "2026-03-08T02:30", "2026-03-08T07:00Z"),
        ("Australia/Lord_Howe", "2026-10-04T01:59", "2026-10-03T15:29Z"),
        ("Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-03T15:30Z"),
        ("Australia/Lord_Howe", "2026-10-04T02:30", "2026-10-03T15:30Z"),
        ("Pacific/Apia", "2011-12-30T12:00", "2011-12-30T10:00Z"),  # a day that was left out
        # in the fold: the first of the two
        ("Europe/Berlin", "2026-10-25T02:00", "2026-10-25T00:00Z"),
        ("Europe/Berlin", "2026-10-25T02:59", "2026-10-25T00:59Z"),
        ("Europe/Berlin", "2026-10-25T03:00", "2026-10-25T02:00Z"),
        ("America/New_York", "2026-11-01T01:30", "2026-11-01T05:30Z"),
        ("Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-04T14:45Z"),
        # no change at all
        ("Asia/Shanghai", "2026-03-29T02:30", "2026-03-28T18:30Z"),
        ("UTC", "2026-03-29T02:30", "2026-03-29T02:30Z"),
    ],
)
def test_a_slot_at_a_change_of_clocks_has_one_instant(zone, slot, instant):
    assert Cron.parse("* * * * *").instant_of(datetime.fromisoformat(slot), zone) == datetime.fromisoformat(instant)


@pytest.mark.parametrize(
    ("zone", "cron", "since", "days", "expected"),
    [
        # spring: the hour that is left out runs at its end, next to the one that is there
        ("Europe/Berlin", "30 2 * * *", "2026-03-27T12:00Z", 3, ["03-28T01:30", "03-29T01:00", "03-30T00:30"]),
        ("America/New_York", "30 2 * * *", "2026-03-07T12:00Z", 2, ["03-08T07:00", "03-09T06:30"]),
        ("Australia/Lord_Howe", "15 2 * * *", "2026-10-02T20:00Z", 2, ["10-03T15:30", "10-04T15:15"]),
        # autumn: the hour that comes twice runs once
        ("Europe/Berlin", "30 2 * * *", "2026-10-24T12:00Z", 2, ["10-25T00:30", "10-26T01:30"]),
        ("America/New_York", "30 1 * * *", "2026-10-31T12:00Z", 2, ["11-01T05:30", "11-02T06:30"]),
        ("Australia/Lord_Howe", "45 1 * * *", "2026-04-04T10:00Z", 2, ["04-04T14:45", "04-05T15:15"]),
        # Friday 03:00 over both
        ("Europe/Berlin", "0 3 * * 5", "2026-03-21T00:00Z", 14, ["03-27T02:00", "04-03T01:00"]),
        ("Europe/Berlin", "0 3 * * 5", "2026-10-18T00:00Z", 14, ["10-23T01:00", "10-30T02:00"]),
        ("America/New_York", "0 3 * * 5", "2026-03-01T00:00Z", 14, ["03-06T08:00", "03-13T07:00"]),
        ("Asia/Shanghai", "0 3 * * 5", "2026-03-01T00:00Z", 14, ["03-05T19:00", "03-12T19:00"]),
    ],
)
def test_each_slot_comes_once_over_a_change_of_clocks(zone, cron, since, days, expected):
    start = datetime.fromisoformat(since)
    found = instants(Cron.parse(cron), zone, start, start + timedelta(days=days))
    assert [f"{at:%m-%dT%H:%M}" for at in found] == expected


def test_a_cron_of_every_hour_skips_nothing_and_repeats_nothing():
    """In Berlin the hour from two to three is left out in March and comes twice in October: 23 and 24 runs, of 23 and 25 hours."""
    hourly = Cron.parse("0 * * * *")
    for day, hours, runs in (("2026-03-29", 23, 23), ("2026-10-25", 25, 24), ("2026-06-01", 24, 24)):
        start = datetime.fromisoformat(day).replace(tzinfo=ZoneInfo("Europe/Berlin")).astimezone(UTC)
        end = start + timedelta(hours=hours)
        found = instants(hourly, "Europe/Berlin", start - timedelta(seconds=1), end - timedelta(seconds=1))
        assert len(found) == runs == len(set(found))


def test_a_leap_day_comes_every_fourth_year_and_not_in_1900_or_2100():
    leap = Cron.parse("0 0 29 2 *")
    years = [slot.year for slot in leap.slots(datetime(1890, 1, 1), datetime(1910, 1, 1))]
    assert years == [1892, 1896, 1904, 1908]
    assert leap.next_after(datetime(2096, 3, 1, tzinfo=UTC), "Asia/Shanghai") == datetime(2104, 2, 28, 16, tzinfo=UTC)
    assert leap.last_until(datetime(2104, 2, 28, 15, 59, tzinfo=UTC), "Asia/Shanghai") == datetime(2096, 2, 29)
    assert leap.last_until(datetime(2104, 2, 28, 16, tzinfo=UTC), "Asia/Shanghai") == datetime(2104, 2, 29)


def test_years_cost_no_more_than_their_days():
    assert Cron.parse("* * * * *").count(datetime(2000, 1, 1), datetime(2020, 1, 1)) == 7305 * 1440
    assert len(list(Cron.parse("0 3 1 1 *").slots(datetime(1000, 1, 1), datetime(3000, 1, 1)))) == 2000


def test_there_is_nothing_after_the_last_year_that_is_known():
    assert Cron.parse("0 0 * * *").next_after(datetime(9998, 12, 31, 12, tzinfo=UTC), "UTC") is None
    assert Cron.parse("0 0 * * *").last_until(datetime(1, 1, 1, tzinfo=UTC) + timedelta(days=1), "UTC") == datetime(
        1, 1, 2
    )
