"""One mention of a day or a span, and the day that it names at an instant."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from casebook.gate.spoken_dates import last_of_month, month_of, months_on, number_of, weekday_of

_LASTED = re.compile(
    r"\b(?:have|has|had|'ve|been|was|were|worked|lived|ran|did|took|used|studied|spent|waited|served|lasted|for over|experience|built|finished|shipped|wrote|fixed|completed|done|made|learned|migrated)\b"
)
_GENERAL = re.compile(
    r"\b(?:must|should|shall|always|never|every|each|any|all|whenever|within)\b|必须|都|每|一律|任何|务必|应"
)
_SERVICE = re.compile(
    r"(?:要求|规定|承诺|标准|客服|sla)[^,。]{0,10}(?:小时|分钟|钟头|秒)(?:之|以)?内[^,。]{0,6}(?:回复|响应|答复|处理|返回|恢复|解决|接听)"
)
"""How soon something is answered, always: a promise and no deadline."""
_KEEPS = re.compile(
    r"\b(?:are|is|gets?|be) (?:cached|kept|stored|retained|valid|held|locked|saved|logged|buffered|reused|remembered) $"
)
"""How long something is kept whenever it is: "responses are cached for an hour"."""
_ON_TO = re.compile(
    r" ?(?:-|–|—|~|to|through|thru|until|till) ?(?P<en>\d{1,2})(?:st|nd|rd|th)?(?![\d:/.-]| ?[ap]m\b| ?[a-z]{3,9}\b(?<=day)|[日号月点时])|(?:到|至|-|–|—|~)(?P<zh>\d{1,2})[日号]",
    re.ASCII,
)
"""What follows the first of several days of one month."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A day or an instant that a text names.

    Attributes:
        start, end: where it stands.
        day: the local day, or None where it is an instant.
        at: the instant, or None.
        is_bare: a weekday without "this" or "next", which may be meant in general.
        is_present: today, this week and the like, which may tell when something was found.
        is_moving: a day without a year, which may be meant next year.
        gone: says that the words name a day that is past.
        is_range: whether it is the last of several days.
    """

    start: int
    end: int
    day: date | None = None
    at: datetime | None = None
    is_bare: bool = False
    is_present: bool = False
    is_moving: bool = False
    gone: bool = False
    is_range: bool = False


def mention_of(found: re.Match[str], local: datetime, zone: ZoneInfo) -> Mention | None:
    """Read one match of `spoken_dates.DAY`.

    Args:
        found: the match, in a folded text.
        local: the instant at which it was said, in the zone of its days.
        zone: that zone.

    Returns:
        The day or instant; None where it sets none, such as a span that is over.

    Raises:
        ValueError, OverflowError: there is no such day.
    """
    if found["iso"] or found["slash"]:
        return _written(found, zone)
    if found["pre"]:
        return _span(found, local, found["n"], found["span"])
    if found["z_n"]:
        return _chinese_span(found, local)
    is_chinese = any(found[name] for name in ("z_day", "z_wday", "z_ym", "z_m", "z_end", "z_dom"))
    said = _said_in_chinese(found, local.date()) if is_chinese else _said_in_english(found, local.date())
    is_of_month = any(found[name] for name in ("mmonth", "z_ym", "z_m"))
    return _to_its_end(said, found.string) if said is not None and is_of_month else said


def _to_its_end(first: Mention, view: str) -> Mention:
    """Give the last of several days where the month is said once ("December 10-20", 12月10号到20号). Raises ValueError for no such day."""
    found = _ON_TO.match(view, first.end)
    if found is None or first.day is None:
        return first
    last = int(found["en"] or found["zh"])
    return (
        first
        if last <= first.day.day
        else replace(first, end=found.end(), day=first.day.replace(day=last), is_range=True)
    )


def _said_in_english(found: re.Match[str], today: date) -> Mention | None:
    """Read tomorrow, next Friday, Dec 1, the end of the month."""
    if found["emonth"]:
        month = month_of(found["emonth"])
        return Mention(*found.span(), day=last_of_month(today.year + (month < today.month), month))
    if found["mmonth"] or found["dmonth"]:
        month, day = month_of(found["mmonth"] or found["dmonth"]), int(found["mday"] or found["dday"])
        year = found["myear"] or found["dyear"]
        return _in_year(found, today, month, day, int(year) if year else None)
    if found["after"] or found["tomorrow"]:
        return Mention(*found.span(), day=today + timedelta(days=2 if found["after"] else 1))
    if found["today"]:
        return Mention(*found.span(), day=today, is_present=True)
    if found["wday"] or found["sday"]:
        return _weekday(found, today, found["wmod"] or found["smod"] or "", weekday_of(found["wday"] or found["sday"]))
    return _english_period(found, today)


def _said_in_chinese(found: re.Match[str], today: date) -> Mention | None:
    """Read 明天, 下周五, 12月1日, 月底, 15号."""
    if found["z_day"]:
        days = {"大": 3, "后": 2, "明": 1, "今": 0}[found["z_day"][0]]
        return Mention(*found.span(), day=today + timedelta(days=days), is_present=days == 0)
    if found["z_wday"]:
        modifier = (found["z_mod"] or "").replace("个", "")
        said = found["z_wday"]
        return None if modifier == "每" else _weekday(found, today, modifier, 6 if said == "末" else weekday_of(said))
    if found["z_ym"]:
        said = found["z_year"]
        year = int(said) if said.isdecimal() else today.year + {"明": 1, "今": 0, "后": 2, "去": -1, "前": -2}[said]
        return _chinese_day(found, today, found["z_ym"], found["z_yd"], year)
    if found["z_m"]:
        return _chinese_day(found, today, found["z_m"], found["z_d"], None)
    if found["z_end"]:
        return _chinese_period(found, today)
    named = today.replace(day=int(found["z_dom"]))
    return Mention(*found.span(), day=named if named >= today else months_on(named, 1))


def _written(found: re.Match[str], zone: ZoneInfo) -> Mention:
    """Read an ISO date or date-time, or one with slashes."""
    text = (found["iso"] or found["slash"].replace("/", "-")).replace("t", "T").replace(" z", "Z").replace("z", "Z")
    digits, _, clock = text.partition("T")
    year, month, day = (int(part) for part in digits.split("-"))
    if not clock:
        return Mention(*found.span(), day=date(year, month, day))
    read = datetime.fromisoformat(f"{year:04}-{month:02}-{day:02}T{clock}")
    return Mention(*found.span(), at=read.replace(tzinfo=zone) if read.tzinfo is None else read)


def _in_year(found: re.Match[str], today: date, month: int, day: int, year: int | None) -> Mention:
    """Give a day of a year, this one's where none is named, or the next that has it (29 February)."""
    if year is not None:
        return Mention(*found.span(), day=date(year, month, day))
    for years in range(9):
        try:
            return Mention(*found.span(), day=date(today.year + years, month, day), is_moving=True)
        except ValueError:
            continue
    raise ValueError("no such day")


def _weekday(found: re.Match[str], today: date, modifier: str, weekday: int) -> Mention | None:
    """Give a weekday: of this ISO week, of the next, or the next one from today on where neither is said."""
    if modifier in ("every", "each", "any", "black", "good"):
        return None
    monday = today - timedelta(days=today.weekday())
    weeks = {"this": 0, "这": 0, "本": 0, "next": 1, "下": 1, "下下": 2, "last": -1, "上": -1}.get(modifier)
    if weeks is None:
        is_limit = modifier in ("by", "until", "till", "before", "due")
        start = found.start() + (len(modifier) + 1 if is_limit else 0)
        return Mention(
            start, found.end(), today + timedelta(days=(weekday - today.weekday()) % 7),
            is_bare=not is_limit and modifier not in ("this coming", "coming", "upcoming"),
        )  # fmt: skip
    day = monday + timedelta(days=7 * weeks + weekday)
    return Mention(*found.span(), day=day, gone=day < today)


def _english_period(found: re.Match[str], today: date) -> Mention | None:
    """Give the last day of this or the next week, month, quarter or year."""
    unit = found["unit"] or {"eow": "week", "eom": "month", "eoy": "year"}[found["week"]]
    said = found["weekof"] or "end"
    if unit == "sprint" or (unit in ("year", "quarter") and "end" not in said):
        return None
    return _period(found, today, unit, 1 if "next" in said else 0, is_present="end" not in said and "next" not in said)


def _chinese_period(found: re.Match[str], today: date) -> Mention | None:
    """Give the last day of a week, month, quarter or year, in Chinese."""
    said = found["z_end"]
    if said[0] in "每上去":
        return None
    ahead = 1 if said[0] in "下明" else 0
    unit = "year" if "年" in said else "quarter" if "季" in said else "month" if "月" in said else "week"
    if unit == "quarter" and said[-1] == "度":
        return None
    return _period(found, today, unit, ahead, is_present=not ahead and said[-1] not in "底末内")


def _period(found: re.Match[str], today: date, unit: str, ahead: int, *, is_present: bool) -> Mention:
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
    return Mention(*found.span(), day=day, is_present=is_present)


def _chinese_day(found: re.Match[str], today: date, month: str, day: str, year: int | None) -> Mention:
    """Read 12月1日, 十二月一号, 12月底, with or without a year."""
    number = month_of(month)
    if not 1 <= number <= 12:
        raise ValueError("no such month")
    if day in ("底", "末"):
        return Mention(*found.span(), day=last_of_month(year or today.year, number), is_moving=year is None)
    return _in_year(found, today, number, number_of(day) or 0, year)


def _chinese_span(found: re.Match[str], local: datetime) -> Mention | None:
    """Read 三天内, 两周后, 未来三个月; a span without such words is a length and no limit."""
    lead, rest = found["z_pre"] or "", found["z_suf"] or ""
    ahead = lead in ("未来", "接下来", "今后", "之后", "往后")
    if not ahead and (lead or not rest.startswith(("之", "以", "内", "后"))):
        return None
    if rest.endswith("内") and (_GENERAL.search(found.string) or _SERVICE.search(found.string)):
        return None
    return _span(found, local, found["z_n"], found["z_span"].lstrip("个"))


def _span(found: re.Match[str], local: datetime, count: str, unit: str) -> Mention | None:
    """Give the end of a span from now on: an instant for hours and minutes, the day for longer ones."""
    half, many = count == "半", number_of(count) or 0
    if (many == 0 and not half) or _is_over(found):
        return None
    short = _short_unit(unit)
    if short is not None:
        return Mention(*found.span(), at=local.astimezone(UTC) + (short / 2 if half else short * many))
    today = local.date()
    if unit[0] in "d天日":
        if half:
            return Mention(*found.span(), at=local.astimezone(UTC) + timedelta(hours=12))
        day = today + timedelta(days=many)
    elif unit[0] in "w周星礼":
        day = today + timedelta(days=3 if half else 7 * many)
    elif unit.startswith("mo") or unit[0] == "月":
        day = today + timedelta(days=15) if half else months_on(today, many)
    else:
        day = months_on(today, 6 if half else 12 * many)
    return Mention(*found.span(), day=day)


def _short_unit(unit: str) -> timedelta | None:
    """Give the length of a minute or an hour, None for days and more."""
    if unit.startswith("mi") or unit[0] == "分":
        return timedelta(minutes=1)
    return timedelta(hours=1) if unit[0] in "h小钟" else None


def _is_over(found: re.Match[str]) -> bool:
    """Say whether an English span tells how long something took, or what is due in general, and not until when it holds."""
    lead = found["pre"]
    if not lead:
        return False
    text = found.string
    if text[found.end() : found.end() + 4] == " ago":
        return True
    if lead.startswith("for") and _short_unit(found["span"]) is not None and _KEEPS.search(text[: found.start()]):
        return True
    if "next" not in lead and _LASTED.search(text[max(0, found.start() - 60) : found.start()]):
        return True
    return lead in ("within", "in", "for", "for the") and _GENERAL.search(text) is not None
