"""The day on which something begins is never the day until which it holds."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from casebook.gate.candidate import Candidate
from casebook.gate.lifetimes import limit_of
from casebook.gate.weigh import weigh
from casebook.policy import Policy

ZONE = "Asia/Shanghai"
MONDAY = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)


def local(at):
    return None if at is None else at.astimezone(ZoneInfo(ZONE)).strftime("%Y-%m-%d %H:%M")


@pytest.mark.parametrize(
    "text, day",
    [
        ("the release freeze starts on March 20", "2027-03-20"), ("The freeze starts next Monday", "2026-12-07"), ("from Friday on we freeze", "2026-12-04"),
        ("Starting tomorrow we use pnpm", "2026-12-01"), ("We start the migration on March 20", "2027-03-20"), ("I start my new job next Monday", "2026-12-07"),
        ("Next Friday the freeze starts", "2026-12-11"), ("In two weeks we start the rollout", "2026-12-14"), ("The sprint begins on December 7", "2026-12-07"),
        ("As of December 5 all PRs need two approvals", "2026-12-05"), ("effective January 1, 2027 the price is 9", "2027-01-01"), ("We deploy after Friday", "2026-12-04"),
        ("no earlier than December 9", "2026-12-09"), ("not before December 9", "2026-12-09"), ("The start date is December 8", "2026-12-08"),
        ("The trial runs from 2026-12-05", "2026-12-05"), ("It kicks off at 5pm on Friday", "2026-12-04"), ("December 5 onwards we bill monthly", "2026-12-05"),
        ("冻结从3月20日开始", "2027-03-20"), ("下周一开始冻结", "2026-12-07"), ("从下周三起改用新接口", "2026-12-09"), ("12月20日起系统维护", "2026-12-20"),
        ("新规定自2027年1月1日起施行", "2027-01-01"), ("我明天开始休假", "2026-12-01"), ("迁移将于12月15日启动", "2026-12-15"), ("12月10日之后才能上线", "2026-12-10"),
        ("开始日期是12月8日", "2026-12-08"), ("下周五我们启动压测", "2026-12-11"), ("三天后开始压测", "2026-12-03"), ("不早于12月9日", "2026-12-09"),
        ("Bookings open on December 12 at 9am", "2026-12-12"), ("Pricing changes take effect on January 1", "2027-01-01"), ("12月12日上午九点开放预约", "2026-12-12"), ("新价格1月1日生效", "2027-01-01"),
    ],
)  # fmt: skip
def test_a_beginning_sets_no_limit(text, day):
    found = limit_of(text, MONDAY, ZONE)
    assert (found.at, found.warnings) == (None, ())
    assert local(found.begins) == f"{day} 00:00"


@pytest.mark.parametrize(
    "text, day",
    [
        ("The freeze is from March 20 to March 25", "2027-03-26"), ("from Dec 20 to Jan 5 I am on leave", "2027-01-06"), ("between December 10 and December 15 it is closed", "2026-12-16"),
        ("The freeze starts on Monday and ends on Friday", "2026-12-05"), ("It starts on December 7 and runs until December 9", "2026-12-10"),
        ("3月20日到25日冻结", "2027-03-26"), ("冻结从12月20日开始，到12月28日结束", "2026-12-29"), ("12月20日至1月5日放假", "2027-01-06"), ("下周一到下周五我请假", "2026-12-12"),
        ("Feature freeze goes from Monday until Wednesday", "2026-12-03"), ("Vacation: Dec 22 - Jan 3", "2027-01-04"), ("功能冻结从周一到周三", "2026-12-03"), ("休假：12月22日-1月3日", "2027-01-04"),
    ],
)  # fmt: skip
def test_of_a_range_the_last_day_is_the_end(text, day):
    assert local(limit_of(text, MONDAY, ZONE).at) == f"{day} 00:00"


@pytest.mark.parametrize(
    "text, day",
    [
        ("The freeze ends on March 20", "2027-03-21"), ("valid until March 20", "2027-03-21"), ("due on December 12", "2026-12-13"), ("before December 12", "2026-12-12"),
        ("on Friday we deploy", "2026-12-05"), ("这周五交周报", "2026-12-05"), ("周五上线", "2026-12-05"), ("截止12月15日", "2026-12-16"), ("到12月15日为止", "2026-12-16"),
        ("start the backup by Friday", "2026-12-05"), ("本周内开始迁移", "2026-12-07"),
        ("Don't merge anything before Monday", "2026-12-07"), ("周一之前别合并", "2026-12-07"),
    ],
)  # fmt: skip
def test_an_end_a_deadline_and_the_day_of_an_event_are_limits_as_before(text, day):
    assert local(limit_of(text, MONDAY, ZONE).at) == f"{day} 00:00"


@pytest.mark.parametrize(
    "text", ["the release freeze starts on March 20", "Code freeze begins tomorrow", "下周一开始冻结", "冻结从今天开始"]
)
def test_what_begins_today_or_later_is_kept_in_l2_without_an_end_and_is_nothing_temporary(text):
    (piece,) = weigh(Candidate(text=text), Policy(timezone=ZONE), MONDAY)
    assert (piece.tier, piece.expires_at) == ("L2", None)
    assert piece.kind != "temporary"
    assert "T5" in [step.rule for step in piece.chain]


@pytest.mark.parametrize(
    "text, tier",
    [
        ("Use HTTPS from 2026-11-29T09:59:00+08:00 on", "L1"),
        ("Use HTTPS from 2026-11-29T10:01:00+08:00 on", "L2"),
    ],
)
def test_what_began_more_than_a_day_ago_is_not_lifted(text, tier):
    (piece,) = weigh(Candidate(text=text, kind="fact"), Policy(timezone=ZONE), MONDAY)
    assert piece.tier == tier
