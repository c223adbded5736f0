"""Times that a sentence says and that conditions can ask for, exactly: weekdays, and from one hour to another. Nothing else is read."""

from __future__ import annotations

import re
from typing import Final

from casebook.conditions.tree import DaySpan, Node, Time, Weekday

_DAY_EN: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_DAYS_EN: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY_ZH: Final = r"(?:周|星期|礼拜)[一二三四五六日天]"
_WEEKDAYS: Final = re.compile(
    rf"(?:\b(?:on|every)\s+(?:a\s+|the\s+)?(?P<en>{_DAY_EN}s?(?:(?:\s*,\s*|\s+(?:and|or)\s+){_DAY_EN}s?)*)"
    r"|\b(?:on|at|over|every)\s+(?:a\s+|the\s+)?(?P<end>weekends?|weekdays|workdays))(?!\s*(?:morning|afternoon|evening|night|after|before|from|at|between))\b"
    rf"|(?<![非上下每\w])(?:(?:在|每逢|每到|每个?|逢)\s*)?(?P<zh>{_DAY_ZH}(?:\s*(?:和|或|、|及)\s*{_DAY_ZH})*|周末|工作日)(?!\s*(?:到|至|之|以|前|后|下午|上午|早|晚|凌晨|夜|中午|的))",
    re.IGNORECASE,
)
_SPAN: Final = re.compile(
    rf"\b(?:from\s+)?(?P<a>{_DAY_EN})s?\s*(?:to|through|until|-|–)\s*(?P<b>{_DAY_EN})s?\b"
    rf"|(?<![非除\w])(?:每|从|在)?(?P<za>{_DAY_ZH})\s*(?:到|至|-|–|~)\s*(?P<zb>{_DAY_ZH})(?!\s*(?:之|以|前|后|的))",
    re.IGNORECASE,
)
_HOUR_EN: Final = r"(?:\d{1,2}:\d{2}|\d{1,2}\s*[ap]m)"
_HOUR_ZH: Final = r"(?:凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里)?\s*(?:\d{1,2}:\d{2}|(?:\d{1,2}|[一二三四五六七八九十]{1,3})\s*点半?)"
_WINDOW: Final = re.compile(
    rf"\b(?:between|from)\s+(?P<a>{_HOUR_EN})\s+(?:and|to|until|till)\s+(?P<b>{_HOUR_EN})\b"
    rf"|(?:每天|每日)?\s*(?:从|在)?\s*(?P<za>{_HOUR_ZH})\s*(?:到|至|-|–|~)\s*(?:第二天|次日)?(?P<zb>{_HOUR_ZH})(?:\s*(?:之间|期间|这段时间))?",
    re.IGNORECASE,
)
_DIGITS: Final = {each: number for number, each in enumerate("零一二三四五六七八九十")}


def times_in(text: str) -> tuple[tuple[Node, ...], str]:
    """Take the times out of a piece of a sentence.

    Returns:
        Their conditions, and the piece without them. What is not exact, such as `at night` or `晚上十点以后` (until when?), stays.
    """
    nodes: list[Node] = []

    def window(found: re.Match[str]) -> str:
        ends = [_seconds(each) for each in (found["a"] or found["za"], found["b"] or found["zb"])]
        if ends[0] is None or ends[1] is None or ends[0] == ends[1] or ends[0] == 86_400:
            return found[0]
        nodes.append(Time(ends[0], ends[1] or 86_400))
        return " "

    def weekday(found: re.Match[str]) -> str:
        days = _days(found)
        nodes.append(Weekday("in", days))
        return " "

    def span(found: re.Match[str]) -> str:
        nodes.append(Weekday("in", ((_day(found["a"] or found["za"]), _day(found["b"] or found["zb"])),)))
        return " "

    rest = _WINDOW.sub(window, text)
    rest = _WEEKDAYS.sub(weekday, _SPAN.sub(span, rest))
    kinds = {type(each) for each in nodes}
    over_midnight = any(isinstance(each, Time) and each.end <= each.start for each in nodes)
    if len(kinds) != len(nodes) or (len(nodes) > 1 and over_midnight):  # of two days it is open which is meant
        return (), text
    return tuple(nodes), rest.strip()


def _days(found: re.Match[str]) -> tuple[DaySpan, ...]:
    told = (found["en"] or found["end"] or found["zh"]).casefold()
    if told.startswith("weekend") or told == "周末":
        return ((5, 6),)
    if told in ("weekdays", "workdays", "工作日"):
        return ((0, 4),)
    days = [_day(each) for each in re.findall(rf"{_DAY_EN}|{_DAY_ZH}", told)]
    return tuple((each, each) for each in sorted({*days}))


def _day(name: str) -> int:
    told = name.casefold()
    return _DAYS_EN.index(told) if told in _DAYS_EN else 6 if told[-1] in "日天" else _DIGITS[told[-1]] - 1


def _seconds(hour: str) -> int | None:
    """Give the second of the day that an hour of the clock is; None where it is none, or which half of the day is open."""
    text = hour.strip().casefold()
    found = re.fullmatch(r"(\d{1,2}):(\d{2})", text)
    if found is not None:
        return _at(int(found[1]), int(found[2]))
    found = re.fullmatch(r"(\d{1,2})\s*([ap])m", text)
    if found is not None:
        number = int(found[1])
        return _at(number % 12 + (12 if found[2] == "p" else 0), 0) if 1 <= number <= 12 else None
    found = re.fullmatch(
        r"(凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里)?\s*(?:(\d{1,2}):(\d{2})|(\d{1,2}|[一二三四五六七八九十]+)\s*点(半?))",
        text,
    )
    if found is None:
        return None
    number = int(found[2] or 0) if found[2] else _number(found[4])
    minute = int(found[3]) if found[3] else 30 if found[5] else 0
    if found[1] in ("下午", "傍晚", "晚上", "凌晨") and number == 12:
        return None  # noon or midnight, and which day's
    if found[1] in ("下午", "傍晚", "晚上") and 1 <= number < 12:
        number += 12
    elif found[1] is None and found[2] is None and number < 13:
        return None  # `9 点` is the morning's or the evening's
    elif found[1] in ("中午", "夜里") or (found[1] in ("凌晨", "早上", "早晨", "上午") and number > 12):
        return None
    return _at(number, minute)


def _number(text: str) -> int:
    if text.isdigit():
        return int(text)
    tens, ten, ones = text.partition("十")
    return _DIGITS.get(tens, 1 if ten else 0) * (10 if ten else 1) + _DIGITS.get(ones, 0)


def _at(hour: int, minute: int) -> int | None:
    return hour * 3600 + minute * 60 if hour <= 24 and minute < 60 and hour * 60 + minute <= 1440 else None


def is_time(word: str, clause: str) -> bool:
    """Say whether a word of a clause is a day or an hour, and no word of a command line: `at 5pm`, `to friday`."""
    if re.fullmatch(rf"(?:{_DAY_EN}s?|\d{{1,2}}[ap]m|noon|midnight|today|tomorrow|tonight)", word, re.IGNORECASE):
        return True
    timed = rf"\b(?:at|by|after|before|from|until|till|between)\s+(?:the\s+)?{re.escape(word)}(?!\w)"
    return re.fullmatch(r"(?:[01]?\d|2[0-4]):[0-5]\d", word) is not None and re.search(timed, clause) is not None
