"""Until when something holds, by its own words (DESIGN section 7): days and spans in English and Chinese."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from casebook.gate.own_words import view_of
from casebook.gate.spoken_dates import (
    HOUR,
    days_in,
    end_of,
    hour_of,
    hours_in,
    last_of_month,
    month_of,
    months_on,
    number_of,
    start_of,
    weekday_of,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Limit:
    """Until when something holds.

    Attributes:
        at: the instant from which on it does not, aware, UTC; None where its words set no limit.
        warnings: what was odd, such as a date that is past.
    """

    at: datetime | None = None
    warnings: tuple[str, ...] = ()


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
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:to|through|and)|since|from|born(?: on| in)?|as of|starting(?: on| from)?|started(?: on| in)?|begins?(?: on)?|began(?: on| in)?|released(?: on| in)?|created(?: on| in)?|founded(?: on| in)?|"
    r"joined(?: on| in)?|dated|built(?: on| in)?|published(?: on| in)?|signed(?: on| in)?|introduced(?: in| on)?|launched(?: on| in)?|deployed(?: on)?|merged(?: on)?|birthday(?: is)?(?: on)?|"
    r"anniversary(?: is)?(?: on)?|after|once|last updated(?: on)?|version|v|effective|called|named|on or after|happened(?: on)?|every|each|any|except|was(?: on)?|were(?: on)?) ?$"
    r"|(?:自从?|从|打从|生于|出生于?|成立于|发布于|创建于|始于|入职于?|写于|建于|每个?|逢|凡|截至|起始|开始于|生日(?:是|在|:)?|纪念日(?:是|在)?|叫|版本|除了|上个?|过了|生效(?:日期)?(?:是|于|:)?)$"
)
_CONTENT_AFTER = re.compile(
    r"^(?:s\b|'s\b|的?(?:起|以来|开始|出生|入职|成立|之后才|发布的|版)|[至到]周[一-龥]都?|~|-\d| (?:to|through|and) (?:mon|tue|wed|thu|fri|sat|sun)| (?:release|version|edition|build|incident|outage|snapshot|backup)\b)"
)
_RANGE = re.compile(r"(?:day (?:to|through|until|-) ?|(?:周|星期|礼拜)[一二三四五六日天] ?[到至~-] ?)$")
_RECURS = re.compile(
    r"\b(?:every|each|weekly|daily|monthly|usually|always|never|whenever|typically|don't|do not|mustn't|must not|no \w+|any|cannot|can't|avoid)\b"
    r"|每|总是|通常|一般|习惯|从不|永远|必须|禁止|严禁|不要|不准|不得|不能|别|都(?:是|要|会|不|得|有|用)|不(?:发布|上线|部署|合并|开会|上班|加班|推送)"
)
_PAST = re.compile(
    r"\b(?:learned|learnt|found|discovered|realized|realised|figured|fixed|finished|met|was|were|did|had|went|broke|failed|merged|shipped|deployed|released|decided|chose|switched|noticed|built|done|took|"
    r"completed|wrote|got|made|started|passed|rejected|approved|happened|moved|upgraded|added|removed|updated)\b"
    r"|学到|发现|了解到|知道了|修(?:复|好)|完成了|决定|选(?:了|定)|搞定|上线了|发布了|踩|合并了|查(?:到|明)|才(?:知道|明白|发现)|教训|终于|改(?:成|为|完)|遇到|[做写改修定选用换测跑交开看]了"
)
_LASTED = re.compile(
    r"\b(?:have|has|had|'ve|been|was|were|worked|lived|ran|did|took|used|studied|spent|waited|served|lasted|for over|experience|built|finished|shipped|wrote|fixed|completed|done|made|learned|migrated)\b"
)
_GENERAL = re.compile(
    r"\b(?:must|should|shall|always|never|every|each|any|all|whenever|within)\b|必须|都|每|一律|任何|务必|应"
)
_UNITS = {
    "mi": timedelta(minutes=1), "分": timedelta(minutes=1), "h": timedelta(hours=1), "小": timedelta(hours=1), "钟": timedelta(hours=1),
}  # fmt: skip
_MOST = 40
"""Mentions of a date that are looked at in one piece (ours)."""


@dataclass(frozen=True, slots=True)
class _Mention:
    """A day or an instant that a text names.

    Attributes:
        start, end: where it stands.
        day: the local day, or None where it is an instant.
        at: the instant, or None.
        is_bare: a weekday without "this" or "next", which may be meant in general.
        is_present: today, this week and the like, which may tell when something was found.
        is_moving: a day without a year, which may be meant next year.
        gone: says that the words name a day that is past.
    """

    start: int
    end: int
    day: date | None = None
    at: datetime | None = None
    is_bare: bool = False
    is_present: bool = False
    is_moving: bool = False
    gone: bool = False


def limit_of(text: str, now: datetime, zone: str) -> Limit:
    """Give until when a text says that it holds.

    Args:
        text: a statement.
        now: when it was said, aware.
        zone: the IANA zone of its days.

    Returns:
        The end of the last day that it names (the next local midnight); with "before" or 之前 the beginning of that day; with
        "until" or 前 and an hour that instant. Of several days the last one, those with "by" or "until" before others. No limit
        for days that are its content ("since 2020", "born on …", "every Friday") and for days that are past.
    """
    return limit_of_view(view_of(text), now, zone)


def limit_of_view(view: str, now: datetime, zone: str) -> Limit:
    """Give `limit_of` a text that was folded already."""
    where = ZoneInfo(zone)
    local = now.astimezone(where)
    ends: list[tuple[bool, datetime]] = []
    warnings: list[str] = []
    for count, found in enumerate(days_in(view)):
        if count >= _MOST:
            break
        try:
            mention = _mention(found, local, where)
            read = None if mention is None else _end(mention, view, local, where)
        except (ValueError, OverflowError):
            continue
        if read is None:
            continue
        is_limit, at = read
        if at is None or at <= now:
            warnings.append("the date that it names is past; it sets no limit")
        else:
            ends.append((is_limit, at.astimezone(UTC)))
    if not ends and not warnings:
        ends = _hour_alone(view, local, where)
    if not ends:
        return Limit(None, tuple(dict.fromkeys(warnings)))
    strongest = max(is_limit for is_limit, _ in ends)
    return Limit(max(at for is_limit, at in ends if is_limit == strongest))


def _end(mention: _Mention, view: str, local: datetime, zone: ZoneInfo) -> tuple[bool, datetime | None] | None:
    """Give whether a mention is meant as a limit in so many words, and when it ends.

    None where it is none; the instant is None where it is past.
    """
    before, after = view[max(0, mention.start - 40) : mention.start], view[mention.end : mention.end + 24]
    if mention.is_bare and _RANGE.search(before):
        return None
    hour, before, after = _hour_beside(before, after)
    is_before = _BEFORE.search(before) is not None or _AFTER_BEFORE.match(after) is not None
    is_limit = is_before or _UNTIL.search(before) is not None or _AFTER_UNTIL.match(after) is not None
    if not is_limit:
        if _CONTENT.search(before) or _CONTENT_AFTER.match(after):
            return None
        if mention.is_bare and _RECURS.search(view):
            return None
        if mention.is_present and _PAST.search(view):
            return None
    if mention.gone:
        return is_limit, None
    if mention.at is not None:
        return is_limit, mention.at
    day = mention.day
    assert day is not None
    if mention.is_moving and day < local.date() and is_limit:
        day = _next_year(day)
    if hour is not None and is_limit:
        return True, datetime.combine(day, hour, tzinfo=zone)
    return is_limit, start_of(day, zone) if is_before else end_of(day, zone)


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


def _mention(found: re.Match[str], local: datetime, zone: ZoneInfo) -> _Mention | None:
    """Read one match of `DAY`; None where it is no date. Raises ValueError, OverflowError where there is no such day."""
    today = local.date()
    start, end = found.span()

    def on(day: date, *, is_present: bool = False) -> _Mention:
        return _Mention(start, end, day, is_present=is_present)

    if found["iso"] or found["slash"]:
        return _written(found, zone)
    if found["emonth"]:
        month = month_of(found["emonth"])
        return on(last_of_month(today.year + (month < today.month), month))
    if found["mmonth"] or found["dmonth"]:
        month, day = month_of(found["mmonth"] or found["dmonth"]), int(found["mday"] or found["dday"])
        year = found["myear"] or found["dyear"]
        return _in_year(found, today, month, day, int(year) if year else None)
    if found["after"] or found["tomorrow"]:
        return on(today + timedelta(days=2 if found["after"] else 1))
    if found["today"]:
        return on(today, is_present=True)
    if found["wday"] or found["sday"]:
        return _weekday(found, today, found["wmod"] or found["smod"] or "", weekday_of(found["wday"] or found["sday"]))
    if found["week"]:
        return _english_period(found, today)
    if found["pre"]:
        return _span(found, local, found["n"], found["span"])
    if found["z_day"]:
        days = {"大": 3, "后": 2, "明": 1, "今": 0}[found["z_day"][0]]
        return on(today + timedelta(days=days), is_present=days == 0)
    if found["z_wday"]:
        modifier = (found["z_mod"] or "").replace("个", "")
        if modifier == "每":
            return None
        said = found["z_wday"]
        return _weekday(found, today, modifier, 6 if said == "末" else weekday_of(said))
    if found["z_ym"]:
        said = found["z_year"]
        year = int(said) if said.isdecimal() else today.year + {"明": 1, "今": 0, "后": 2, "去": -1, "前": -2}[said]
        return _chinese_day(found, today, found["z_ym"], found["z_yd"], year)
    if found["z_m"]:
        return _chinese_day(found, today, found["z_m"], found["z_d"], None)
    if found["z_end"]:
        return _chinese_period(found, today)
    if found["z_dom"]:
        named = today.replace(day=int(found["z_dom"]))
        return on(named if named >= today else months_on(named, 1))
    if found["z_n"]:
        return _chinese_span(found, local)
    return None


def _written(found: re.Match[str], zone: ZoneInfo) -> _Mention:
    """Read an ISO date or date-time, or one with slashes."""
    text = (found["iso"] or found["slash"].replace("/", "-")).replace("t", "T").replace(" z", "Z").replace("z", "Z")
    digits, _, clock = text.partition("T")
    year, month, day = (int(part) for part in digits.split("-"))
    if not clock:
        return _Mention(*found.span(), day=date(year, month, day))
    read = datetime.fromisoformat(f"{year:04}-{month:02}-{day:02}T{clock}")
    return _Mention(*found.span(), at=read.replace(tzinfo=zone) if read.tzinfo is None else read)


def _in_year(found: re.Match[str], today: date, month: int, day: int, year: int | None) -> _Mention:
    """Give a day of a year, this one's where none is named, or the next that has it (29 February)."""
    if year is not None:
        return _Mention(*found.span(), day=date(year, month, day))
    for years in range(9):
        try:
            return _Mention(*found.span(), day=date(today.year + years, month, day), is_moving=True)
        except ValueError:
            continue
    raise ValueError("no such day")


def _weekday(found: re.Match[str], today: date, modifier: str, weekday: int) -> _Mention | None:
    """Give a weekday: of this ISO week, of the next, or the next one from today on where neither is said."""
    if modifier in ("every", "each", "any", "black", "good"):
        return None
    monday = today - timedelta(days=today.weekday())
    weeks = {"this": 0, "这": 0, "本": 0, "next": 1, "下": 1, "下下": 2, "last": -1, "上": -1}.get(modifier)
    if weeks is None:
        is_limit = modifier in ("by", "until", "till", "before", "due")
        start = found.start() + (len(modifier) + 1 if is_limit else 0)
        return _Mention(
            start, found.end(), today + timedelta(days=(weekday - today.weekday()) % 7),
            is_bare=not is_limit and modifier not in ("this coming", "coming", "upcoming"),
        )  # fmt: skip
    day = monday + timedelta(days=7 * weeks + weekday)
    return _Mention(*found.span(), day=day, gone=day < today)


def _english_period(found: re.Match[str], today: date) -> _Mention | None:
    """Give the last day of this or the next week, month, quarter or year."""
    unit = found["unit"] or {"eow": "week", "eom": "month", "eoy": "year"}[found["week"]]
    said = found["weekof"] or "end"
    if unit == "sprint" or (unit in ("year", "quarter") and "end" not in said):
        return None
    return _period(found, today, unit, 1 if "next" in said else 0, is_present="end" not in said and "next" not in said)


def _chinese_period(found: re.Match[str], today: date) -> _Mention | None:
    """Give the last day of a week, month, quarter or year, in Chinese."""
    said = found["z_end"]
    if said[0] in "每上去":
        return None
    ahead = 1 if said[0] in "下明" else 0
    unit = "year" if "年" in said else "quarter" if "季" in said else "month" if "月" in said else "week"
    if unit == "quarter" and said[-1] == "度":
        return None
    return _period(found, today, unit, ahead, is_present=not ahead and said[-1] not in "底末内")


def _period(found: re.Match[str], today: date, unit: str, ahead: int, *, is_present: bool) -> _Mention:
    if unit in ("week", "weekend"):
        day = today + timedelta(days=6 - today.weekday() + 7 * ahead)
    elif unit == "month":
        first = months_on(today.replace(day=1), ahead)
        day = last_of_month(first.year, first.month)
    elif unit == "quarter":
        first = months_on(today.replace(day=1), 2 - (today.month - 1) % 3 + 3 * ahead)
        day = last_of_month(first.year, first.month)
    else:
        day = date(today.year + ahead, 12, 31)
    return _Mention(*found.span(), day=day, is_present=is_present)


def _chinese_day(found: re.Match[str], today: date, month: str, day: str, year: int | None) -> _Mention:
    """Read 12月1日, 十二月一号, 12月底, with or without a year."""
    number = month_of(month)
    if not 1 <= number <= 12:
        raise ValueError("no such month")
    if day in ("底", "末"):
        return _Mention(*found.span(), day=last_of_month(year or today.year, number), is_moving=year is None)
    return _in_year(found, today, number, number_of(day) or 0, year)


def _chinese_span(found: re.Match[str], local: datetime) -> _Mention | None:
    """Read 三天内, 两周后, 未来三个月; a span without such words is a length and no limit."""
    lead, rest = found["z_pre"] or "", found["z_suf"] or ""
    ahead = lead in ("未来", "接下来", "今后", "之后", "往后")
    if not ahead and (lead or not rest.startswith(("之", "以", "内", "后"))):
        return None
    if _GENERAL.search(found.string) and rest.endswith("内"):
        return None
    return _span(found, local, found["z_n"], found["z_span"].lstrip("个"))


def _span(found: re.Match[str], local: datetime, count: str, unit: str) -> _Mention | None:
    """Give the end of a span from now on: an instant for hours and minutes, the day for longer ones."""
    lead = (found["pre"] or "") if found["pre"] else ""
    if lead:
        before = found.string[max(0, found.start() - 60) : found.start()]
        if _LASTED.search(before) and "next" not in lead:
            return None
        if lead in ("within", "in", "for", "for the") and _GENERAL.search(found.string):
            return None
        if found.string[found.end() : found.end() + 4] == " ago":
            return None
    half = count == "半"
    many = number_of(count)
    if many is None and not half:
        return None
    short = _UNITS.get(unit[:2]) or _UNITS.get(unit[0]) if not unit.startswith(("mo", "h")) else _UNITS.get(unit[0])
    if short is not None:
        return _Mention(*found.span(), at=local.astimezone(UTC) + (short / 2 if half else short * (many or 0)))
    today = local.date()
    if unit[0] in "d天日":
        if half:
            return _Mention(*found.span(), at=local.astimezone(UTC) + timedelta(hours=12))
        day = today + timedelta(days=many or 0)
    elif unit[0] in "w周星礼":
        day = today + timedelta(days=3 if half else 7 * (many or 0))
    elif unit.startswith("mo") or unit[0] == "月":
        day = today + timedelta(days=15) if half else months_on(today, many or 0)
    else:
        day = months_on(today, 6 if half else 12 * (many or 0))
    return _Mention(*found.span(), day=day)
