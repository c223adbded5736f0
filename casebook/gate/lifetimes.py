"""Until when something holds, by its own words (DESIGN section 7): days and spans in English and Chinese."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from casebook.gate.named_days import Mention, mention_of
from casebook.gate.own_words import view_of
from casebook.gate.spoken_dates import HOUR, days_in, end_of, hour_of, hours_in, start_of
from casebook.gate.starts import is_beginning, is_not_before


@dataclass(frozen=True, slots=True)
class Limit:
    """Until when something holds.

    Attributes:
        at: the instant from which on it does not, aware, UTC; None where its words set no limit.
        warnings: what was odd, such as a date that is past.
        begins: the instant from which on it does, aware, UTC, perhaps past; None where its words name none.
    """

    at: datetime | None = None
    warnings: tuple[str, ...] = ()
    begins: datetime | None = None


NO_LIMIT = Limit()
"""No limit is said."""


_UNTIL = re.compile(
    r"\b(?:by|until|till|til|thru|through|due|deadline(?: is| of|:)?|no later than|up to|ends?|ending|expires?|valid (?:until|through|for)|expiring)"
    r"(?: (?:on|at|the|in|is|by|end of))*(?: \d{1,2}(?::\d{2})? ?(?:am|pm)?(?: on)?)? ?$|(?:到|至|截[至止](?:到|是|日期)?|直到|最晚|最迟|不晚于|限|赶在|有效期(?:到|至)?|期限(?:是|到|:)?|ddl(?:是|:)?)\s?$"
)
_BEFORE = re.compile(
    r"\b(?:before|ahead of|prior to)(?: the)?(?: \d{1,2}(?::\d{2})? ?(?:am|pm)?(?: on)?)? ?$|(?:赶在|早于)$"
)
_AFTER_BEFORE = re.compile(r"^(?:的)?[ ]?(?:之前|以前|前(?![端面者提后言台]))")
_AFTER_UNTIL = re.compile(
    r"^(?:的)?[ ]?(?:为止|截止|到期|止|结束|过期|失效|内|之内|以内)|^ (?:deadline|at the latest|latest)\b"
)
_CONTENT = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:to|through|and)|since|born(?: on| in)?|started(?: on| in)?|began(?: on| in)?|released(?: on| in)?|created(?: on| in)?|founded(?: on| in)?|"
    r"joined(?: on| in)?|dated|built(?: on| in)?|published(?: on| in)?|signed(?: on| in)?|introduced(?: in| on)?|launched(?: on| in)?|deployed(?: on)?|merged(?: on)?|birthday(?: is)?(?: on)?|"
    r"anniversary(?: is)?(?: on)?|last updated(?: on)?|version|v|called|named|happened(?: on)?|every|each|any|except|was(?: on)?|were(?: on)?) ?$"
    r"|(?:生于|出生于?|成立于|发布于|创建于|入职于?|写于|建于|每个?|逢|凡|截至|生日(?:是|在|:)?|纪念日(?:是|在)?|叫|版本|除了|上个?)$"
)
_CONTENT_AFTER = re.compile(
    r"^(?:s\b|'s\b|的?(?:以来|出生|入职|成立|发布的|版)|[至到]周[一-龥]都?|~|-\d(?!\d?月)| (?:to|through|and) (?:mon|tue|wed|thu|fri|sat|sun)| (?:release|version|edition|build|incident|outage|snapshot|backup)\b)"
)
_RANGE = re.compile(r"(?:day (?:to|through|-) ?|(?:周|星期|礼拜)[一二三四五六日天] ?[到至~-] ?)$")
_ONCE = re.compile(
    r"\b(?:freeze|frozen|leave|vacation|holidays?|away|off sick|out of office|closed|trip|conference|travel(?:ling|ing)?|downtime|maintenance|offsite|moving|workshop)\b|冻结|封版|请假|休假|出差|维护|停机|关闭|放假|培训|不在|外出"
)
"""What happens once: "from Monday to Wednesday" is when it is over, and no habit."""
_RECURS = re.compile(
    r"\b(?:every|each|weekly|daily|monthly|usually|always|never|whenever|typically|don't|do not|mustn't|must not|no \w+|any|cannot|can't|avoid)\b"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:,| and| &|,? or) (?:and )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|周[一二三四五六日][、,和及]周?[一二三四五六日]|其[他余]时间"
    r"|每|总是|通常|一般|习惯|从不|永远|必须|禁止|严禁|不要|不准|不得|不能|别|都(?:是|要|会|不|得|有|用)|不(?:发布|上线|部署|合并|开会|上班|加班|推送)"
)
_PAST = re.compile(
    r"\b(?:learned|learnt|found|discovered|realized|realised|figured|fixed|finished|met|was|were|did|had|went|broke|failed|merged|shipped|deployed|released|decided|chose|switched|noticed|built|done|took|"
    r"completed|wrote|got|made|started|passed|rejected|approved|happened|moved|upgraded|added|removed|updated)\b"
    r"|学到|发现|了解到|知道了|修(?:复|好)|完成了|决定|选(?:了|定)|搞定|上线了|发布了|踩|合并了|查(?:到|明)|才(?:知道|明白|发现)|教训|终于|改(?:成|为|完)|遇到|[做写改修定选用换测跑交开看]了"
)
_MOST = 40
"""Mentions of a date that are looked at in one piece (ours)."""


def limit_of(text: str, now: datetime, zone: str) -> Limit:
    """Give until when a text says that it holds.

    Args:
        text: a statement.
        now: when it was said, aware.
        zone: the IANA zone of its days.

    Returns:
        The end of the last day that it names (the next local midnight); with "before" or 之前 the beginning of that day; with
        "until" or 前 and an hour that instant. Of several days the last one, those with "by" or "until" and the end of a range
        ("from … to …") before others. No limit for days on which it begins ("starts on Friday", 从周五起), for days that are its
        content ("since 2020", "born on …", "every Friday") and for days that are past.
    """
    return limit_of_view(view_of(text), now, zone)


def limit_of_view(view: str, now: datetime, zone: str) -> Limit:
    """Give `limit_of` a text that was folded already."""
    where = ZoneInfo(zone)
    local = now.astimezone(where)
    ends: list[tuple[bool, datetime]] = []
    starts: list[datetime] = []
    warnings: list[str] = []
    last = 0
    for count, found in enumerate(days_in(view)):
        if count >= _MOST:
            break
        try:
            mention = mention_of(found, local, where)
            if mention is None:
                continue
            is_end = last > 0 and _is_range(view, last, mention.start)
            last = mention.end
            read = _end(mention, view, local, where, is_end=is_end)
        except (ValueError, OverflowError):
            continue
        if read is None:
            continue
        how, at = read
        if how == "begins":
            starts += [at.astimezone(UTC)] if at is not None else []
        elif at is None or at <= now:
            warnings.append("the date that it names is past; it sets no limit")
        else:
            ends.append((how == "limit", at.astimezone(UTC)))
    if not ends and not warnings and not starts:
        ends = _hour_alone(view, local, where)
    begins = min(starts, default=None)
    if not ends:
        return Limit(None, tuple(dict.fromkeys(warnings)), begins)
    strongest = max(is_limit for is_limit, _ in ends)
    return Limit(max(at for is_limit, at in ends if is_limit == strongest), (), begins)


def _is_range(view: str, end: int, start: int) -> bool:
    """Say whether two days, the first ending where the second begins, are the first and the last of several."""
    between = view[end:start]
    return _TO.fullmatch(between) is not None or (between == " and " and "between " in view[max(0, end - 60) : end])


_TO = re.compile(
    r" ?(?:to|through|thru|until|till|-|–|—|~|到|至|和|[,，]? ?(?:and ends|ending|ends) (?:on|at)) ?(?:the )?"
)
"""What stands between the first and the last day of a range."""
_HALF_A_YEAR = timedelta(days=182)
"""A day without a year that is past for longer is meant next year, where it begins something or ends a range (ours)."""

_How = Literal["limit", "day", "begins"]
"""A limit in so many words · a day on which something is · the beginning of something."""


def _end(
    mention: Mention, view: str, local: datetime, zone: ZoneInfo, *, is_end: bool
) -> tuple[_How, datetime | None] | None:
    """Give how a mention is meant, and when it ends, or begins where it is a beginning; `is_end`: it is the last day of a range.

    None where it is none; the instant is None where it is past.
    """
    before, after = view[max(0, mention.start - 60) : mention.start], view[mention.end : mention.end + 40]
    if mention.is_bare and _RANGE.search(before) and not _ONCE.search(view):
        return None
    hour, before, after = _hour_beside(before, after)
    is_before = _BEFORE.search(before) is not None or _AFTER_BEFORE.match(after) is not None
    is_limit = is_before or _UNTIL.search(before) is not None or _AFTER_UNTIL.match(after) is not None
    is_limit = is_limit or view[mention.end - 1] == "内"
    if is_not_before(before):
        is_limit = is_before = False
    is_end = is_end or mention.is_range
    if not is_limit and not is_end:
        if _CONTENT.search(before) or _CONTENT_AFTER.match(after):
            return None
        if is_beginning(before, after):
            return "begins", _start(mention, local, zone)
        if (mention.is_bare and _RECURS.search(view)) or (mention.is_present and _PAST.search(view)):
            return None
    how: _How = "limit" if is_limit or is_end else "day"
    return how, _over(mention, hour if is_limit else None, local, zone, how=how, is_before=is_before, is_limit=is_limit)


def _over(
    mention: Mention, hour: time | None, local: datetime, zone: ZoneInfo, *, how: _How, is_before: bool, is_limit: bool
) -> datetime | None:
    """Give the instant at which a day that is no beginning is over; None for one that is past."""
    if mention.gone or mention.at is not None:
        return None if mention.gone else mention.at
    day = mention.day
    assert day is not None
    if mention.is_moving and day < local.date() and (is_limit or (how == "limit" and _is_far(day, local))):
        day = _next_year(day)
    if is_before and mention.is_bare and day == local.date():  # "before Monday", said on one
        day += timedelta(days=7)
    if hour is not None:
        return datetime.combine(day, hour, tzinfo=zone)
    return start_of(day, zone) if is_before else end_of(day, zone)


def _start(mention: Mention, local: datetime, zone: ZoneInfo) -> datetime | None:
    """Give the instant at which a beginning is; None for a day that is past."""
    if mention.gone or mention.at is not None:
        return mention.at
    day = mention.day
    assert day is not None
    if mention.is_moving and _is_far(day, local):
        day = _next_year(day)
    return start_of(day, zone)


def _is_far(day: date, local: datetime) -> bool:
    return local.date() - day > _HALF_A_YEAR


def _next_year(day: date) -> date:
    """Give the same day in the next year that has it."""
    for years in range(1, 9):
        try:
            return day.replace(year=day.year + years)
        except ValueError:
            continue
    raise ValueError("no such day")


_LEADS_TO_DAY = re.compile(r"^,? ?(?:on|of|this)? ?$")
_LEADS_TO_HOUR = re.compile(r"^[ ,]*(?:at|by|before|around|的|,)? ?$")


def _hour_beside(before: str, after: str) -> tuple[time | None, str, str]:
    """Give the hour that stands beside a day, and what stands before and after both."""
    for found in HOUR.finditer(before):
        hour = hour_of(found)
        if hour is not None and _LEADS_TO_DAY.match(before[found.end() :]):
            return hour, before[: found.start()], after
    first = HOUR.search(after)
    if first is not None and _LEADS_TO_HOUR.match(after[: first.start()]):
        hour = hour_of(first)
        if hour is not None:
            lead = after[: first.start()].strip(" ,的")
            return hour, before + (f"{lead} " if lead in ("by", "before") else ""), after[first.end() :]
    return None, before, after


def _hour_alone(view: str, local: datetime, zone: ZoneInfo) -> list[tuple[bool, datetime]]:
    """Give the instant of an hour of today that is named as a limit ("until 5pm", "五点前"), where it is still to come."""
    for found in hours_in(view):
        before, after = view[max(0, found.start() - 40) : found.start()], view[found.end() : found.end() + 12]
        if not (
            _UNTIL.search(before) or _BEFORE.search(before) or _AFTER_BEFORE.match(after) or _AFTER_UNTIL.match(after)
        ):
            continue
        hour = hour_of(found)
        if hour is None or _RECURS.search(view):
            continue
        at = datetime.combine(local.date(), hour, tzinfo=zone)
        if at > local:
            return [(True, at.astimezone(UTC))]
    return []
