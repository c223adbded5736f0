"""Times of day, dates, weekdays, durations and zones: read from text and JSON, and written in both languages."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

from casebook.conditions.complaints import complain, named_shape, shown
from casebook.conditions.lexicon import KEYWORDS, UNITS, ZONES_ZH
from casebook.faults import nearest

if TYPE_CHECKING:
    from casebook.conditions.tree import DaySpan

Language = Literal["zh", "en"]

DAY_SECONDS: Final = 86_400
LONGEST_SECONDS: Final = 36_525 * DAY_SECONDS
"""A hundred years: beyond it the instant would leave the calendar."""

TIME_TEXT: Final = re.compile(r"([0-9]+)(?:[点时](?:([0-9]+)分?|(半))?|:([0-9]+)(?::([0-9]+))?)?")
DATE_TEXT: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
DURATION_TEXT: Final = re.compile(r"([0-9]+)\s*(分钟|小时|[秒天周smhdwSMHDW])")
_TWELVE: Final = re.compile(r"([0-9]{1,2})(?::([0-9]{2}))?\s*([ap])\.?m\.?", re.IGNORECASE)
_LOOSE_DATE: Final = re.compile(r"([0-9]{4})[-/.年]([0-9]{1,2})[-/.月]([0-9]{1,2})日?")

DAYS_EN: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
DAYS_ZH: Final = ("周一", "周二", "周三", "周四", "周五", "周六", "周日")
_DAYS: Final = {spelling: key.meaning for spelling, key in KEYWORDS if key.terminal == "WDAY"}
_DAY_SETS: Final = {spelling: key.meaning for spelling, key in KEYWORDS if key.terminal == "DAYSET"}
_NAMED_SETS: Final[dict[Language, dict[DaySpan, str]]] = {
    "en": {(5, 6): "weekend", (0, 4): "weekdays"},
    "zh": {(5, 6): "周末", (0, 4): "工作日"},
}


def read_time(spelled: str, at: int | None, *, ends: bool = False) -> int:
    """Read a time of day.

    Args:
        spelled: such as `22:00`, `6`, `7点半`.
        at: where it stands, from 0, or None.
        ends: whether it may be 24:00, the end of a window.

    Returns:
        seconds of the day, 0 … 86,400.

    Raises:
        ConditionError: it is not a time of day.
    """
    found = TIME_TEXT.fullmatch(spelled)
    if found is None or len(found[1]) > 2:
        raise not_a_time(spelled, at)
    minute_text, second_text = found[2] or found[4], found[5]
    for part in (minute_text, second_text):
        if part is not None and len(part) != 2 and (part is second_text or found[4]):
            padded = ":".join(each.zfill(2) for each in (found[1], found[4], second_text) if each)
            raise complain(f"expected two digits of minutes and seconds, got {shown(spelled)}", at, padded)
    hour, minute, second = int(found[1]), 30 if found[3] else int(minute_text or 0), int(second_text or 0)
    if hour > 24:
        raise complain(f"expected an hour from 0 to 24, got {shown(spelled)}", at)
    if minute > 59 or second > 59:
        raise complain(f"expected minutes and seconds from 00 to 59, got {shown(spelled)}", at)
    seconds = hour * 3600 + minute * 60 + second
    if seconds > DAY_SECONDS:
        raise complain(f"expected a time up to 24:00, got {shown(spelled)}", at)
    if seconds == DAY_SECONDS and not ends:
        raise complain(f"expected a start before 24:00, got {shown(spelled)}", at, "00:00")
    return seconds


def not_a_time(spelled: str, at: int | None) -> Exception:
    """Give the error for something that is no time, with the cure for the twelve-hour clock."""
    cure = None
    if twelve := _TWELVE.fullmatch(spelled.strip()):
        hour = int(twelve[1]) % 12 + (12 if twelve[3].lower() == "p" else 0)
        cure = f"{hour:02}:{twelve[2] or '00'}"
    elif quoted := re.fullmatch(r"""["'“‘「](.*)["'”’」]""", spelled, re.DOTALL):
        cure = f"{shown(quoted[1])[1:-1]} without quotes"
    return complain(f"expected a time such as 06:00, got {shown(spelled)}", at, cure)


def write_time(seconds: int) -> str:
    """Give seconds of the day as `HH:MM`, with `:SS` where there are any."""
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}"
    return f"{text}:{seconds % 60:02}" if seconds % 60 else text


def read_date(spelled: str, at: int | None) -> str:
    """Give an ISO date back when it is one that the calendar has; raises ConditionError otherwise."""
    if DATE_TEXT.fullmatch(spelled) is None:
        loose = _LOOSE_DATE.fullmatch(spelled.strip("\"'“”‘’「」"))
        cure = f"{loose[1]}-{int(loose[2]):02}-{int(loose[3]):02}" if loose else None
        raise complain(f"expected a date such as 2026-03-01, got {shown(spelled)}", at, cure)
    try:
        date.fromisoformat(spelled)
    except ValueError:
        raise complain(
            f"expected a date that the calendar has, got {shown(spelled)}", at, _closest_date(spelled)
        ) from None
    return spelled


def _closest_date(spelled: str) -> str | None:
    year, month, day = (int(part) for part in spelled.split("-"))
    if not (year >= 1 and 1 <= month <= 12 and day > 28):
        return None
    for last in (31, 30, 29, 28):
        try:
            return f"{date(year, month, last)} is the last day of that month"
        except ValueError:
            continue
    return None


def read_duration(spelled: str, at: int | None) -> int:
    """Read a duration such as `30m` or `30分钟`; gives seconds, one or more; raises ConditionError."""
    found = DURATION_TEXT.fullmatch(spelled.strip())
    if found is None:
        raise complain(f"expected a duration such as 30m, 1h, 7d or 30分钟, got {shown(spelled)}", at, _cured(spelled))
    amount = int(found[1]) if len(found[1]) < 12 else LONGEST_SECONDS
    return check_duration(amount * UNITS[found[2].lower()], spelled, at)


def check_duration(seconds: int, spelled: object, at: int | None) -> int:
    """Give seconds back when they are from 1 to a hundred years; raises ConditionError otherwise."""
    if not 1 <= seconds <= LONGEST_SECONDS:
        raise complain(f"expected a duration from 1s to 36525d, got {shown(spelled)}", at)
    return seconds


def _cured(spelled: str) -> str | None:
    if re.fullmatch(r"(?:[0-9]{1,9}[smhdwSMHDW]){2,}", spelled):
        total = sum(int(amount) * UNITS[unit.lower()] for amount, unit in re.findall(r"([0-9]+)([A-Za-z])", spelled))
        return write_duration(total, "en")
    found = re.fullmatch(r"\s*([0-9]+)\s*-?([A-Za-z]*|分|[个]?小?时|日|星期)\s*", spelled)
    if found is None:
        return None
    if not found[2]:
        return f"{found[1]}m for minutes"
    unit = {"分": "分钟", "个小时": "小时", "时": "小时", "日": "天", "星期": "周"}.get(found[2], found[2][0].lower())
    return f"{found[1]}{unit}" if unit in UNITS else None


def write_duration(seconds: int, language: Language) -> str:
    """Give seconds in the largest unit, up to the day, that holds them exactly."""
    names = {"en": ("d", "h", "m", "s"), "zh": ("天", "小时", "分钟", "秒")}[language]
    for size, name in zip((86400, 3600, 60, 1), names, strict=True):
        if seconds % size == 0:
            return f"{seconds // size}{name}"
    raise AssertionError("every whole number of seconds is divisible by one")


@lru_cache(maxsize=1024)
def _known_zone(name: str) -> bool:
    from zoneinfo import available_timezones

    return name in available_timezones()


def read_zone(spelled: str, at: int | None) -> str:
    """Give the IANA name of a zone (`北京时间` is Asia/Shanghai, UTC in any case); raises ConditionError."""
    name = ZONES_ZH.get(spelled, spelled)
    if name.upper() in ("UTC", "Z"):
        return "UTC"
    if len(name) > 64 or not _known_zone(name):
        from zoneinfo import available_timezones

        raise complain(
            f"expected an IANA time zone such as Asia/Shanghai, got {shown(spelled)}",
            at,
            _nearest_zone(name[:64], available_timezones()),
        )
    return name


_ZONE_ALIASES: Final = {
    "beijing": "Asia/Shanghai", "北京": "北京时间", "上海": "Asia/Shanghai", "中国": "北京时间", "china": "Asia/Shanghai",
    "香港": "Asia/Hong_Kong", "台北": "Asia/Taipei", "东京": "Asia/Tokyo", "jst": "Asia/Tokyo", "pst": "America/Los_Angeles",
    "pdt": "America/Los_Angeles", "est": "America/New_York", "edt": "America/New_York", "cet": "Europe/Berlin",
    "bst": "Europe/London", "+08:00": "Etc/GMT-8", "utc+8": "Etc/GMT-8", "gmt+8": "Etc/GMT-8",
}  # fmt: skip


def _nearest_zone(name: str, known: set[str]) -> str | None:
    by_city = {each.rpartition("/")[2].casefold(): each for each in sorted(known)}
    if name.casefold() in _ZONE_ALIASES:
        return _ZONE_ALIASES[name.casefold()]
    wanted = name.replace(" ", "_").rpartition("/")[2].casefold()
    if wanted in by_city:
        return by_city[wanted]
    return nearest(name, sorted(known)) or by_city.get(nearest(wanted, by_city) or "")


def read_days(spelled: str, at: int | None) -> DaySpan:
    """Read a weekday, a span of them or a named set out of JSON; raises ConditionError."""
    text = spelled.strip()
    if text.casefold() in _DAY_SETS:
        return _DAY_SETS[text.casefold()]  # type: ignore[return-value]
    first, dash, last = re.fullmatch(r"([^-–~到至]*)([-–~到至]?)(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    start = read_day(first.strip(), at)
    return (start, read_day(last.strip(), at) if dash else start)


def read_day(spelled: object, at: int | None) -> int:
    """Read one weekday, Monday 0 … Sunday 6; raises ConditionError."""
    if not isinstance(spelled, str):
        raise complain(f"expected a weekday such as Mon, got {named_shape(spelled)}", at)
    day = _DAYS.get(spelled.strip().casefold())
    if day is None:
        close = nearest(spelled[:64], [*DAYS_EN, *DAYS_ZH, *_DAYS, *_DAY_SETS])
        raise complain(f"expected a weekday such as Mon or Mon-Fri, got {shown(spelled)}", at, close)
    return day  # type: ignore[return-value]


def write_days(span: DaySpan, language: Language, *, named: bool = False) -> str:
    """Give a span of weekdays as text: `Mon-Fri`, `Fri`, or with `named` also `weekend` and `weekdays`."""
    if named and span in _NAMED_SETS[language]:
        return _NAMED_SETS[language][span]
    names = DAYS_EN if language == "en" else DAYS_ZH
    return names[span[0]] if span[0] == span[1] else f"{names[span[0]]}-{names[span[1]]}"
