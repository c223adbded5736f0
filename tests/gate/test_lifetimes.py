"""Until when something holds, told by its words, on both sides of midnight, of the week, of a clock change, of a leap day."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.gate.lifetimes import limit_of

SHANGHAI, BERLIN, NEW_YORK = "Asia/Shanghai", "Europe/Berlin", "America/New_York"


def until(text, at, zone=SHANGHAI):
    """Give the limit as the local wall clock shows it, or None."""
    found = limit_of(text, datetime.fromisoformat(at).replace(tzinfo=ZoneInfo(zone)), zone).at
    return None if found is None else found.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")


WEDNESDAY = "2026-12-02 10:00"


@pytest.mark.parametrize(
    "text, expected",
    [
        ("finish it today", "2026-12-03 00:00"),
        ("I work late tonight", "2026-12-03 00:00"),
        ("call Anna tomorrow", "2026-12-04 00:00"),
        ("the day after tomorrow", "2026-12-05 00:00"),
        ("report this Friday", "2026-12-05 00:00"),
        ("report next Friday", "2026-12-12 00:00"),
        ("by Friday", "2026-12-05 00:00"),
        ("until Friday", "2026-12-05 00:00"),
        ("before Friday", "2026-12-04 00:00"),
        ("until 5pm Friday", "2026-12-04 17:00"),
        ("by Friday at 17:30", "2026-12-04 17:30"),
        ("before 5pm on Friday", "2026-12-04 17:00"),
        ("until noon", "2026-12-02 12:00"),
        ("this week", "2026-12-07 00:00"),
        ("by the end of the week", "2026-12-07 00:00"),
        ("by the end of the month", "2027-01-01 00:00"),
        ("by the end of the year", "2027-01-01 00:00"),
        ("next month", "2027-02-01 00:00"),
        ("done in 3 days", None),
        ("ready in 3 days", "2026-12-06 00:00"),
        ("in two weeks", "2026-12-17 00:00"),
        ("in 2 hours", "2026-12-02 12:00"),
        ("I am in Rome for the next 2 weeks", "2026-12-17 00:00"),
        ("until 2026-12-20", "2026-12-21 00:00"),
        ("until 2026-12-05T17:00:00Z", "2026-12-06 01:00"),
        ("until 2026-12-05T17:00", "2026-12-05 17:00"),
        ("due 2026/12/20", "2026-12-21 00:00"),
        ("due Dec 15", "2026-12-16 00:00"),
        ("December 5th, 2026", "2026-12-06 00:00"),
        ("5 December", "2026-12-06 00:00"),
        ("until Dec 1", "2027-12-02 00:00"),
        ("from Dec 5 until Dec 9", "2026-12-10 00:00"),
        ("I am away December 10-20", "2026-12-21 00:00"),
        ("code freeze from Dec 18 to 31", "2027-01-01 00:00"),
        ("12月10号到20号休假", "2026-12-21 00:00"),
        ("12月24日至26日请假", "2026-12-27 00:00"),
        ("周一、周三、周五发版", None),
        ("releases on Monday, Wednesday and Friday", None),
        ("the certificate expires on 2027-03-01", "2027-03-02 00:00"),
        ("今天要写完", "2026-12-03 00:00"),
        ("我今晚要加班", "2026-12-03 00:00"),
        ("明天开会", "2026-12-04 00:00"),
        ("后天开会", "2026-12-05 00:00"),
        ("大后天开会", "2026-12-06 00:00"),
        ("这周五交周报", "2026-12-05 00:00"),
        ("本周五交周报", "2026-12-05 00:00"),
        ("周五交周报", "2026-12-05 00:00"),
        ("星期五交周报", "2026-12-05 00:00"),
        ("下周一出差", "2026-12-08 00:00"),
        ("下周五前交", "2026-12-11 00:00"),
        ("周五之前交", "2026-12-04 00:00"),
        ("周五下午五点前交", "2026-12-04 17:00"),
        ("今天下午3点半之前回复", "2026-12-02 15:30"),
        ("下午五点前回复", "2026-12-02 17:00"),
        ("周末搬家", "2026-12-07 00:00"),
        ("本周内完成", "2026-12-07 00:00"),
        ("月底上线", "2027-01-01 00:00"),
        ("月末结算", "2027-01-01 00:00"),
        ("年底前结束", "2026-12-31 00:00"),
        ("下个月底上线", "2027-02-01 00:00"),
        ("三天内完成", "2026-12-06 00:00"),
        ("两周后回来", "2026-12-17 00:00"),
        ("两小时后出门", "2026-12-02 12:00"),
        ("半小时后出门", "2026-12-02 10:30"),
        ("未来三天我在出差", "2026-12-06 00:00"),
        ("12月10日考试", "2026-12-11 00:00"),
        ("2026年12月20日交稿", "2026-12-21 00:00"),
        ("十二月十日考试", "2026-12-11 00:00"),
        ("到12月20日为止", "2026-12-21 00:00"),
        ("截止到2026-12-20", "2026-12-21 00:00"),
        ("15号之前交", "2026-12-15 00:00"),
    ],
)
def test_a_day_is_over_at_its_end_before_is_its_beginning_and_until_an_hour_is_the_hour(text, expected):
    assert until(text, WEDNESDAY) == expected


@pytest.mark.parametrize(
    "text",
    [
        "born 1990-05-01", "I was born on Dec 24", "since 2020", "since Friday", "released on 2027-01-01", "every Friday", "on Fridays",
        "never deploy on Friday", "Don't deploy on Friday", "from Monday to Friday", "I have worked here for 5 years", "today I learned that it leaks",
        "log_2026-12-20.txt", "version 2026.12.20", "must respond within 3 days", "Responses are cached for an hour", "客服要求一小时内回复", "built in 3 days", "Black Friday", "the 2026-12-20 release",
        "生于1990年5月1日", "每周五开会", "周五不发布", "从下周一开始用新流程", "今天发现缓存没有失效", "工作了五年", "一周五次", "周一到周五上班", "三年经验",
        "自2020年起", "该做的都做了", "3号线", "no date at all", "",
    ],
)  # fmt: skip
def test_a_date_that_is_content_and_no_limit_sets_none(text):
    assert until(text, WEDNESDAY) is None


@pytest.mark.parametrize(
    "text", ["this Monday", "这周一交", "yesterday's 2026-12-01", "12月1日交", "Dec 1", "2020-01-01", "上周五"]
)
def test_a_date_that_is_past_sets_no_limit(text):
    assert until(text, WEDNESDAY) is None


@pytest.mark.parametrize(
    "at, expected, warns",
    [
        ("2026-12-03 23:59", "2026-12-05 00:00", False),
        ("2026-12-04 00:00", "2026-12-05 00:00", False),
        ("2026-12-04 23:59", "2026-12-05 00:00", False),
        ("2026-12-05 00:00", None, True),
        ("2026-12-06 23:59", None, True),
        ("2026-12-07 00:00", "2026-12-12 00:00", False),
    ],
)
@pytest.mark.parametrize("text", ["这周五交周报", "the report is due this Friday"])
def test_this_friday_is_the_one_of_this_week_today_on_friday_and_past_on_saturday(text, at, expected, warns):
    assert until(text, at) == expected
    now = datetime.fromisoformat(at).replace(tzinfo=ZoneInfo(SHANGHAI))
    assert bool(limit_of(text, now, SHANGHAI).warnings) == warns


@pytest.mark.parametrize(
    "text, at, zone, utc",
    [
        ("until Sunday", "2026-03-28 12:00", BERLIN, "2026-03-29T22:00"),
        ("until Saturday", "2026-03-28 12:00", BERLIN, "2026-03-28T23:00"),
        ("until Sunday", "2026-10-24 12:00", BERLIN, "2026-10-25T23:00"),
        ("in 24 hours", "2026-03-28 12:00", BERLIN, "2026-03-29T11:00"),
        ("until tomorrow", "2026-11-01 00:30", NEW_YORK, "2026-11-03T05:00"),
    ],
)
def test_days_are_local_over_a_clock_change_and_hours_are_elapsed(text, at, zone, utc):
    now = datetime.fromisoformat(at).replace(tzinfo=ZoneInfo(zone))
    assert limit_of(text, now, zone).at == datetime.fromisoformat(utc).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "text, at, expected",
    [
        ("tomorrow", "2028-02-28 10:00", "2028-03-01 00:00"),
        ("tomorrow", "2027-02-28 10:00", "2027-03-02 00:00"),
        ("until Feb 29", "2026-12-02 10:00", "2028-03-01 00:00"),
        ("until 2027-02-29", "2026-12-02 10:00", None),
        ("月底", "2028-02-10 10:00", "2028-03-01 00:00"),
        ("in 1 month", "2027-01-31 10:00", "2027-03-01 00:00"),
        ("12月31日交", "2026-12-31 23:59", "2027-01-01 00:00"),
    ],
)
def test_leap_days_and_ends_of_months(text, at, expected):
    assert until(text, at) == expected


def test_the_zone_decides_which_day_it_is():
    now = datetime(2026, 12, 4, 20, 0, tzinfo=UTC)  # Friday in Berlin, Saturday in Shanghai
    assert limit_of("this Friday", now, BERLIN).at == datetime(2026, 12, 4, 23, 0, tzinfo=UTC)
    assert limit_of("this Friday", now, SHANGHAI).at is None


@given(
    st.text(alphabet="今明后天周五月底年号日之前内到为止0123456789-/: .byuntilnextFdaypmIbeforeof", max_size=60),
    st.datetimes(datetime.fromisoformat("1971-01-01"), datetime.fromisoformat("9990-01-01")),
)
def test_whatever_is_said_a_limit_is_in_the_future(text, at):
    now = at.replace(tzinfo=UTC)
    found = limit_of(text, now, BERLIN).at
    assert found is None or found > now


def test_the_end_of_the_calendar_raises_nothing():
    assert limit_of("in 9999 years", datetime(2026, 1, 1, tzinfo=UTC), "UTC").at is None
    assert limit_of("until 9999-12-31", datetime(2026, 1, 1, tzinfo=UTC), "UTC").at is None
