"""The words for days, spans and hours in English and Chinese, and what they mean at an instant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from casebook.gate.cue_set import compiled

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DIGITS = {"零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

_NUMBER = r"\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:a )?couple(?: of)?|a few"
_HAN_NUMBER = r"\d{1,4}|[一二两三四五六七八九十]{1,3}|半"
_MONTH = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?"
)
_LONG_DAY = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"

DAY = re.compile(
    r"(?<![\w./-])(?P<iso>\d{4}-\d{1,2}-\d{1,2}(?:t\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?: ?z|[+-]\d{2}:?\d{2})?)?)(?![\w/-])(?!\.\d)"
    r"|(?<![\w./-])(?P<slash>\d{4}/\d{1,2}/\d{1,2})(?![\w/-])"
    rf"|\b(?:(?P<emod>end of(?: the)?(?: month of)? )(?P<emonth>{_MONTH})|(?P<mmonth>{_MONTH})\.? (?P<mday>\d{{1,2}})(?:st|nd|rd|th)?(?!\d|:| ?[ap]m)"
    rf"(?:,? (?P<myear>\d{{4}}))?|(?P<dday>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<dmonth>{_MONTH})(?:,? (?P<dyear>\d{{4}}))?)\b"
    r"|\b(?P<after>(?:the )?day after tomorrow)\b|\b(?P<tomorrow>tomorrow|tmrw)\b"
    r"|\b(?P<today>today|tonight|this (?:morning|afternoon|evening)|eod|(?:the )?end of (?:the |this )?day|close of business|cob)\b"
    rf"|\b(?:(?P<wmod>this coming|this|next|coming|upcoming|last|every|each|any|black|good) )?(?P<wday>{_LONG_DAY})\b"
    rf"|\b(?P<smod>by|until|till|before|due|this|next) (?P<sday>mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)\b(?!')"
    r"|\b(?P<week>(?P<weekof>(?:the )?end of (?:the |this |next )?|later |this |next |for the )(?P<unit>week|month|year|quarter|weekend|sprint)|eow|eom|eoy)\b"
    rf"|\b(?P<pre>in|within|for(?: the)?(?: next| another| the coming)?|over the next|during the next|the next|next|valid for|expires in|lasts)(?: about| around| another)? (?P<n>{_NUMBER})"
    r" ?(?:more |business |working |full )?(?P<span>minutes?|mins?|hours?|hrs?|h|days?|d|weeks?|months?|years?)\b"
    r"|(?P<z_day>大后天|后天|明天|明日|明早|明晚|今天|今日|今晚|今夜|今早)"
    r"|(?P<z_mod>每个?|这个?|本|下下个?|下个?|上个?)?(?<![一二两三四五六七八九十\d])(?:周|星期|礼拜)(?P<z_wday>[一二三四五六日天末])(?!期|次|天)"
    r"|(?P<z_year>\d{4}|明|今|后|去|前)年(?P<z_ym>\d{1,2}|[一二三四五六七八九十]{1,3})月(?:份)?(?P<z_yd>\d{1,2}|[一二三四五六七八九十]{1,3}|底|末)[日号]?"
    r"|(?<![\d.年])(?<!\d-)(?P<z_m>\d{1,2}|十[一二]?|[一二三四五六七八九])月(?:份)?(?P<z_d>\d{1,2}|[一二三四五六七八九十]{1,3}|底|末)(?:[日号]|(?<=[底末]))"
    r"|(?P<z_end>(?:每个?|这个?|本|下个?|上个?)?(?:月底|月末|月内)|(?:每|今|明|去)?年(?:底|末|内)|(?:这个?|本|下个?|上个?)(?:周内?|星期内?|礼拜|月内?|季度末?)(?![一二三四五六日天末期份]))"
    r"|(?P<z_dom>(?<![\d.])\d{1,2})[号日](?=之?以?前|为?止|截止|要|得|交|到期|上线|发布|开会|下午|上午|晚上)"
    rf"|(?P<z_pre>未来|接下来|今后|之后|往后|这|近|头|前|过去|最近|已经?|用了|花了|做了|干了|每)?(?:的)?(?P<z_n>{_HAN_NUMBER})(?P<z_span>个?小时|个?钟头?|分钟|天|日|周|个?星期|个?礼拜|个?月|年)(?P<z_suf>之内|以内|内|之后|以后|后|(?<=[天日周月期拜时])(?:都|要|有效|过期))?",
    re.ASCII,
)  # fmt: skip
"""A mention of a day or a span, in folded text."""

HOUR = re.compile(
    r"\b(?P<h>\d{1,2})(?::(?P<m>\d{2}))? ?(?P<ap>am|pm|a\.m\.|p\.m\.)(?![a-z])|\b(?P<h24>\d{1,2}):(?P<m24>\d{2})\b|\b(?P<word>noon|midnight)\b"
    r"|(?P<part>凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|晚|半夜)?(?P<zh>\d{1,2}|十[一二]|二十[一二三]?|[一二两三四五六七八九十])(?:点钟?|时(?![间候段]))(?P<zm>半|一刻|三刻|\d{1,2}分?)?",
    re.ASCII,
)
"""A mention of an hour of the day, in folded text."""


_MAY_HAVE_DAY = compiled(
    r"\d{4}[-/]\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|tomorrow|tmrw|tonight|eod|eow|eom|eoy|cob|close of|this (?:morning|afternoon|evening))|"
    r"(?:day|week|month|year|quarter|weekend|minute|min|hour|hr|\d [hd]|\d[hd])s?\b|[天日周月年号]|星期|礼拜|小时|钟头|分钟|今[晚夜早]|明[早晚]|\b(?:by|until|till|before|due|this|next) [mtwfs][a-z]{2,4}\b"
)
_MAY_HAVE_HOUR = compiled(r"\d ?[ap]\.?m|\d:\d\d|\bnoon\b|\bmidnight\b|[点时]")


def days_in(view: str) -> Iterator[re.Match[str]]:
    """Give the mentions of days and spans in a folded text."""
    return DAY.finditer(view) if _MAY_HAVE_DAY.search(view) else iter(())


def hours_in(view: str) -> Iterator[re.Match[str]]:
    """Give the mentions of hours in a folded text."""
    return HOUR.finditer(view) if _MAY_HAVE_HOUR.search(view) else iter(())


def without_times(view: str) -> str:
    """Give a folded text without its days, spans and hours."""
    if _MAY_HAVE_DAY.search(view):
        view = DAY.sub(" ", view)
    return HOUR.sub(" ", view) if _MAY_HAVE_HOUR.search(view) else view


def number_of(text: str) -> int | None:
    """Give the number that an English or Chinese word or digits say; None for none ("a few", "几")."""
    text = text.strip()
    if text.isdecimal():
        return int(text)
    if text in ("a", "an"):
        return 1
    if "couple" in text:
        return 2
    if text in _WORDS:
        return _WORDS.index(text)
    if text and all(sign in _DIGITS or sign == "十" for sign in text):
        tens, ten, ones = text.partition("十")
        if not ten:
            return _DIGITS[text] if len(text) == 1 else None
        return (_DIGITS.get(tens, 1) if tens else 1) * 10 + (_DIGITS.get(ones, 0) if ones else 0)
    return None


def month_of(name: str) -> int:
    """Give the month that a name or a number says, 0 for none."""
    if name[:3] in _MONTHS:
        return _MONTHS.index(name[:3]) + 1
    return number_of(name) or 0


def weekday_of(name: str) -> int:
    """Give the weekday that a name says, Monday is 0."""
    return (
        "一二三四五六日天".index(name) % 7
        if name in "一二三四五六日"
        else 6
        if name == "天"
        else _WEEKDAYS.index(name[:3])
    )


def last_of_month(year: int, month: int) -> date:
    """Give the last day of a month. Raises ValueError outside the calendar."""
    return date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)


def months_on(day: date, months: int) -> date:
    """Give the same day some months on, the last of the month where it has no such day. Raises ValueError, OverflowError."""
    count = day.year * 12 + day.month - 1 + months
    last = last_of_month(count // 12, count % 12 + 1)
    return last.replace(day=min(day.day, last.day))


def hour_of(found: re.Match[str]) -> time | None:
    """Give the time of day that a match of `HOUR` says, None where there is no such time."""
    minute = 0
    if found["word"]:
        return time(12) if found["word"] == "noon" else time(23, 59, 59)
    if found["h"]:
        hour = int(found["h"])
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if found["ap"].startswith("p") else 0)
        minute = int(found["m"] or 0)
    elif found["h24"]:
        hour, minute = int(found["h24"]), int(found["m24"])
    else:
        said = number_of(found["zh"])
        if said is None:
            return None
        part = found["part"] or ""
        hour = said + 12 if part in ("下午", "傍晚", "晚上", "晚") and said < 12 else said
        hour = 12 if part == "中午" and said == 12 else said + 12 if part == "中午" and said < 3 else hour
        extra = found["zm"] or ""
        minute = {"半": 30, "一刻": 15, "三刻": 45}.get(extra, int(re.sub(r"\D", "", extra) or 0) if extra else 0)
    if hour == 24 and minute == 0:
        return time(23, 59, 59)
    return time(hour, minute) if hour < 24 and minute < 60 else None


def start_of(day: date, zone: ZoneInfo) -> datetime:
    """Give the first instant of a local day, aware; where the clock skips midnight, the first after the gap."""
    return datetime.combine(day, time(), tzinfo=zone)


def end_of(day: date, zone: ZoneInfo) -> datetime:
    """Give the instant at which a local day is over. Raises OverflowError at the end of the calendar."""
    return start_of(day + timedelta(days=1), zone)
