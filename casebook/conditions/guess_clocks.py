"""What people write for times of day (`guesses.py` tries each at the place of a fault)."""

from __future__ import annotations

import re
from typing import Final

from casebook.conditions.guess_calendar import DAYS, SEVERAL, SPAN, day_of
from casebook.conditions.guess_words import NUMBER_ZH, Rule, bounds_of, has_han, in_language, number_zh

_PARTS: Final = {
    "凌晨": 0, "清晨": 0, "早上": 0, "早晨": 0, "早": 0, "上午": 0, "半夜": 0, "中午": 11, "下午": 12, "午后": 12, "傍晚": 12, "晚上": 12,
    "夜里": 12, "夜间": 12, "夜晚": 12, "深夜": 12, "晚": 12,
}  # fmt: skip
"""By a part of the day, the hour below which twelve is added."""
_TIME_ZH: Final = (
    rf"(?P<part>{'|'.join(_PARTS)})?\s*(?P<h>\d{{1,2}}|{NUMBER_ZH})\s*(?:[点时]钟?|(?=:\d))"
    rf"(?:(?P<half>半)|(?P<quarter>[一三]刻)|:?(?P<m>\d{{1,2}}|{NUMBER_ZH})分?)?"
)
_TIME: Final = r"\d{1,2}(?::\d\d)?\s*(?:[ap]\.?m\b\.?)?|noon|midnight"
_NAMED: Final = {
    "noon": "12:00",
    "midday": "12:00",
    "midnight": "00:00",
    "正午": "12:00",
    "中午": "12:00",
    "午夜": "00:00",
    "零点": "00:00",
}


def _clock(hour: int, minute: int = 0) -> str:
    return f"{hour:02}:{minute:02}"


def _time_zh(found: re.Match[str]) -> str | None:
    """`晚上十点半` → 22:30; midnight after 晚上 is 24:00 as an end and 00:00 as a start."""
    hour, minute = number_zh(found["h"]), number_zh(found["m"]) if found["m"] else 0
    if hour is None or minute is None or hour > 24 or minute > 59:
        return None
    if found["half"] or found["quarter"]:
        minute = 30 if found["half"] else {"一刻": 15, "三刻": 45}[found["quarter"]]
    from_hour = _PARTS.get(found["part"] or "", 0)
    if from_hour == 12 and hour == 12 and found["part"] not in ("下午", "午后"):
        before = found.string[: found.start()].rstrip()
        return _clock(24) if re.search(r"(?:到|至|-|~|和|与)\s*(?:次日)?$", before) else _clock(0, minute)
    if from_hour and hour < 12 and not (from_hour == 11 and hour == 11):
        hour += 12
    return _clock(hour, minute)


def _spoken(found: re.Match[str]) -> str | None:
    """As `_time_zh`; a whole hour without a part of the day stays as open as it was."""
    if found["part"] is None and not (found["half"] or found["quarter"] or found["m"]):
        hour = number_zh(found["h"])
        return None if hour is None or found["h"].isascii() else f"{hour}点"
    return _time_zh(found)


def _twelve(found: re.Match[str]) -> str | None:
    hour = int(found["h"])
    if not 1 <= hour <= 12:
        return None
    return _clock(hour % 12 + (12 if found["half"].lower() == "p" else 0), int(found["m"] or 0))


def _hours(found: re.Match[str]) -> str | None:
    """`hour >= 22` → `time between 22:00 and 24:00`."""
    low, high = bounds_of(found["op"], int(found["n"]), 23)
    if not 0 <= low <= high <= 23 or (low, high) == (0, 23):
        return None
    return _window(found["op"] + found["name"], _clock(low), _clock(high + 1))


def _hour_list(found: re.Match[str]) -> str:
    hours = [int(each) for each in re.findall(r"\d+", found["vs"])]
    windows = [_window(found["name"], _clock(hour), _clock(hour + 1)) for hour in hours if hour < 24]
    return "(" + in_language(found["name"], " or ", " 或 ").join(windows) + ")"


def _window(like: str, start: str, end: str) -> str:
    return f"时间 在 {start} 到 {end}" if has_han(like) else f"time between {start} and {end}"


def _time_compared(found: re.Match[str]) -> str | None:
    """`time >= 22:00`, `时间 在 22点 以后`, `after 10pm`."""
    return _compared(found, found["op"])


def _compared(found: re.Match[str], op: str) -> str | None:
    word = re.sub(r"\s+", " ", op.lower())
    time = _plain_time(found["t"])
    if time is None:
        return None
    early = bool(re.search(r"before|until|till|earlier|by|<|小于|早于|不超过|至多|不大于|以前|之前|前$", word))
    if word in ("is", "==", "=", "at", "为", "是", "等于"):
        hour, minute = (int(each) for each in time.split(":"))
        later = hour * 60 + minute + 1
        return _window(found[0], time, _clock(later // 60, later % 60))
    if time == "00:00":
        return None
    return _window(found[0], "00:00", time) if early else _window(found[0], time, "24:00")


def _plain_time(spelled: str) -> str | None:
    text = spelled.strip().lower()
    if text in _NAMED:
        return _NAMED[text]
    if twelve := re.fullmatch(r"(?P<h>\d{1,2})(?::(?P<m>\d\d))?\s*(?P<half>[ap])\.?m\.?", text):
        return _twelve(twelve)
    if chinese := re.fullmatch(_TIME_ZH, text):
        return _time_zh(chinese)
    if plain := re.fullmatch(r"(\d{1,2})(?::(\d\d))?", text):
        return _clock(int(plain[1]), int(plain[2] or 0)) if int(plain[1]) < 25 else None
    return None


def _days_and_window(found: re.Match[str]) -> str:
    """`工作日 9点到18点` → the window, on those days."""
    spelled = found["days"]
    days = re.sub(r"\s*(?:到|至|~|–|\bto\b)\s*", "-", spelled)
    days = days[:-1] if re.fullmatch(r"weekends", days, re.IGNORECASE) else days
    on = f" 始于 {days}" if has_han(spelled) else f" on {days}"
    start, end = found["a"].strip(), found["b"].strip()
    return (f"时间 在 {start} 到 {end}" if has_han(spelled) else f"time between {start} and {end}") + on


_COMPARED_TIME: Final = (
    r"is\s+(?:after|past|later\s+than|before|earlier\s+than)|after|past|later\s+than|since|before|until|till|earlier\s+than|is|at"
    r"|[<>]=?|==?|大于等于|小于等于|大于|小于|晚于|早于|超过|不超过|至少|至多|在|为|是|等于"
)


def _time_late(found: re.Match[str]) -> str | None:
    """A time compared; 在 asks for 以后 or 以前 after it."""
    if found["op"] == "在" and not found["late"]:
        return None
    if found["op"] in ("为", "是", "等于", "is", "==", "=", "at") and found["late"]:
        return None
    return _compared(found, found["late"] or found["op"])


def _window_of(found: re.Match[str]) -> str | None:
    """`between 9am and 5pm`, alone."""
    start, end = _plain_time(found["a"]), _plain_time(found["b"])
    return f"time between {start} and {end}" if start and end else None


def _time_span(found: re.Match[str]) -> str | None:
    """`时间是 22点到6点`, `time is 22:00 to 6:00` → the window."""
    start, end = _plain_time(found["a"]), _plain_time(found["b"])
    if start is None or end is None:
        return None
    return f"时间 在 {start} 到 {end} 之间" if has_han(found[0]) else f"time between {start} and {end}"


def _on_days(found: re.Match[str]) -> str:
    """`time between 22:00 and 06:00, Fri and Sat` → `… on [Fri, Sat]`."""
    spelled = found["days"]
    days = [day_of(each[0]) for each in re.finditer(DAYS, spelled, re.IGNORECASE)]
    span = len(days) == 2 and re.fullmatch(SPAN, spelled, re.IGNORECASE)
    listed = days[0] if len(days) == 1 else "-".join(days) if span else f"[{', '.join(days)}]"
    return f" {in_language(spelled, 'on', '始于')} {listed}"


CLOCK_RULES: Final[tuple[Rule, ...]] = (
    # times of day
    (r"(?P<h>\d{1,2})(?::(?P<m>\d\d))?\s*(?P<half>[ap])\.?m\b\.?", _twelve),
    (rf"(?:(?<=到)|(?<=至)|(?<![\u4e00-\u9fff])|(?<=在)|(?<=和)|(?<=日)){_TIME_ZH}", _spoken),
    (r"\b(?:noon|midday|midnight)\b|正午|午夜", lambda found: _NAMED[found[0].lower()]),
    (r"\b(?:hours?|hour_of_day|hour\s+of\s+day)\s+(?:is\s+)?(?:between|in|from)\s+(\d{1,2})\s*(?:and|to|-)\s*(\d{1,2})", r"time between \1 and \2"),
    (r"(?P<name>\bhours?\b|\bhour_of_day\b|小时|钟点)\s*(?P<op>>=|<=|>|<|==|=|\bis\b|大于等于|小于等于|大于|小于|超过|不超过|至少|至多|为|是|等于)\s*(?P<n>\d{1,2})(?![\d:])", _hours),
    (r"(?P<name>\bhours?\b|小时)\s*(?:in|在|属于)\s*(?P<vs>\[[\d\s,]+\])", _hour_list),
    (rf"(?:\btime\s+is\b|(?:当前)?时间\s*(?:是|为|等于))\s*(?P<a>{_TIME_ZH.replace('?P<', '?P<y')}|{_TIME})\s*(?:-|–|~|\b(?:to|until|till|and)\b|到|至)\s*(?P<b>{_TIME_ZH.replace('?P<', '?P<z')}|{_TIME})(?:之间)?", _time_span),
    (rf"(?:\b(?:time|now|it\s+is)\b|(?:当前)?时间|现在)\s*(?P<op>{_COMPARED_TIME})\s*(?P<t>{_TIME_ZH.replace('?P<', '?P<z')}|{_TIME})\s*(?P<late>(?:以|之)[前后]|[前后])?(?!\s*(?:-|–|~|:|and\b|to\b|到|至))", _time_late),
    (rf"^\s*(?P<op>after|past|before|until|since)\s+(?P<t>{_TIME})(?![-\d:])", _time_compared),
    (rf"(?P<days>(?<!\w){DAYS}(?:\s*(?:-|–|~|\bto\b|到|至)\s*{DAYS})?)\s*,?\s*(?:的|between|from|在)?\s*(?P<a>[\d:]+[点时]半?|{_TIME})\s*(?:-|–|~|\bto\b|\band\b|到|至)\s*(?P<b>[\d:]+[点时]半?|{_TIME})(?:之间)?", _days_and_window),
    (r"(?:\b(?:now|it|the\s+time|current\s+time|current_time|clock)\b|\btime\b(?=\s+is\b)|现在|目前|此刻)\s*(?:is\s+|是|为)?(?P<op>(?:not\s+)?between|(?:not\s+)?in|不?在)(?=[\s\d])", lambda found: f"{in_language(found[0], 'time', '时间')} {found['op']}"),
    (r"\btime\s+(?:is\s+)?(?P<not>not\s+)?(?:from|between|within|in)\s+\[?(?P<a>[\d:]+(?:\s*[ap]m)?)\s*(?:to|until|till|through|,|and)\s*(?P<b>[\d:]+(?:\s*[ap]m)?)\]?",
     lambda found: f"time {found['not'] or ''}between {found['a']} and {found['b']}"),
    (r"(?:^|(?<=and )|(?<=or ))\s*(?:between|from)\s+(?P<a>[\d:]+(?:\s*[ap]m)?)\s*(?:and|to|until|till|-)\s*(?P<b>[\d:]+(?:\s*[ap]m)?)", _window_of),
    (r"^\s*(?P<a>\d[\d:]*(?:[点时]半?)?)\s*(?:到|至|-|~)\s*(?P<b>\d[\d:]*(?:[点时]半?)?)(?:之间)?", r"时间 在 \g<a> 到 \g<b>"),
    # a second window
    (r"(?<=\d)\s*(?:\b(?:and|or)\b|,)\s*(?P<a>\d{1,2}:\d\d\s*-\s*\d{1,2}:\d\d)", r" or time between \g<a>"),
    # weekdays after a window
    (rf"(?<=[\d点分半])\s*,?\s*(?:\bon\s+|\bevery\s+)?(?P<days>{SPAN}|{SEVERAL})(?!\w)", _on_days),
    # zones
    (r"(?<=\d)\s+\(?((?:UTC|[A-Z][A-Za-z]+/[A-Za-z_/]+|北京时间))\)?", r" in \1"),
    (r"(?:\bin\s+|时区\s*|\b)\(?(?:UTC|GMT)\s*(?P<sign>[+-])\s*0?(?P<n>\d{1,2})(?::?00)?\)?", lambda found: f"in Etc/GMT{'-' if found['sign'] == '+' else '+'}{found['n']}"),
)  # fmt: skip
