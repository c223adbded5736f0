"""Amounts as they are compared: counts in digits, lengths of time and sizes in one unit, so that "60 s" and "1 minute" say the same."""

from __future__ import annotations

import re

from casebook.gate.cue_set import compiled

_HAN = "〇零一二两三四五六七八九十百千万半"
_UNITS = "个|天|次|小时|分钟|秒|周|月|年|倍|人|行|字|条|页|元|块|米|公里|岁|遍|份|层|位|台|轮|格|空格"
_SMALL = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_LARGE = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "thousand": 1000}
_ENGLISH = {name: at for at, name in enumerate(_SMALL.split("|"), start=1)} | _LARGE
_COUNTED = (
    "days?|hours?|minutes?|seconds?|weeks?|months?|years?|times?|lines?|spaces?|characters?|people|persons?|retries|reviews?|"
    "reviewers?|approvals?|files?|pages?|percent|copies|backups?"
)
_WRITTEN = re.compile(
    rf"(?<![周期拜{_HAN}\d第])([{_HAN}]+)(?={_UNITS})|\b({'|'.join(_ENGLISH)})\b(?=[ -](?:{_COUNTED})\b)", re.IGNORECASE
)
_MAY_BE_WRITTEN = compiled(rf"[{_HAN}]|\b(?:{'|'.join(_ENGLISH)})\b".replace("(?:", "(?i:", 1))
_DIGITS = {"〇": 0, "零": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_POWERS = {"十": 10, "百": 100, "千": 1000}

_MEASURES: tuple[tuple[str, str, float], ...] = (
    (r"ms|msecs?|milliseconds?|毫秒", "sec_", 0.001),
    (r"s|secs?|seconds?|秒钟?", "sec_", 1),
    (r"mins?|minutes?|分钟", "sec_", 60),
    (r"h|hrs?|hours?|个?小时|个?钟头", "sec_", 3_600),
    (r"days?|天", "sec_", 86_400),
    (r"weeks?|个?星期|周(?![一二三四五六日天])", "sec_", 604_800),
    (r"months?|个月", "month_", 1),
    (r"years?|年(?![\d底末初])", "month_", 12),
    (r"bytes?|字节", "byte_", 1),
    (r"ki?b|kilobytes?", "byte_", 1 << 10),
    (r"mi?b|megabytes?", "byte_", 1 << 20),
    (r"gi?b|gigabytes?", "byte_", 1 << 30),
    (r"ti?b|terabytes?", "byte_", 1 << 40),
    (r"km|kilomet(?:er|re)s?|公里|千米", "metre_", 1_000),
    (r"cm|centimet(?:er|re)s?|厘米", "metre_", 0.01),
    (r"met(?:er|re)s?|米", "metre_", 1),
    (r"kg|kilograms?|公斤|千克", "gram_", 1_000),
    (r"grams?|克", "gram_", 1),
)
"""Units, the one that each is counted in, and how many of that it is; sizes by powers of 1,024, whether written KB or KiB."""
_AMOUNT = re.compile(
    r"(?<![a-z0-9_.:/#-])(?P<number>\d{1,9}(?:\.\d{1,6})?)[ -]?(?:"
    + "|".join(rf"(?P<u{at}>{pattern})" for at, (pattern, _, _) in enumerate(_MEASURES))
    + r")(?![a-z0-9_])"
)
_PERCENT = re.compile(r"(?<=\d) ?(?:percent|per cent)\b|百分之(\d+)")
_HAS_AMOUNT = re.compile(r"\d")


def in_digits(text: str) -> str:
    """Give a text with its counts in digits: where a word that can be counted follows; 一下, 十分 and "one of" stay."""
    if _MAY_BE_WRITTEN.search(text) is None:
        return text
    return _WRITTEN.sub(lambda found: _value(found[1]) if found[1] else str(_ENGLISH[found[2].lower()]), text)


def in_one_unit(view: str) -> str:
    """Give a folded text with its amounts in one unit for each measure: `60 sec_` for "60 s", "1 minute" and 1 分钟 alike."""
    if _HAS_AMOUNT.search(view) is None:
        return view
    view = _PERCENT.sub(lambda found: f"{found[1] or ''}%", view)
    return _AMOUNT.sub(_measured, view)


def _measured(found: re.Match[str]) -> str:
    number = found["number"]
    at = next(at for at in range(len(_MEASURES)) if found[f"u{at}"])
    _, unit, factor = _MEASURES[at]
    if unit == "month_" and len(number) == 4:  # 2026年 is a year's name
        return found[0]
    ends = found.end() == len(found.string) or not found.string[found.end()].isalnum()
    return f"{round(float(number) * factor, 6):.12g} {unit}" + ("" if ends else " ")


def _value(numeral: str) -> str:
    """Give a Chinese numeral below a hundred million in digits."""
    total = section = digit = 0.0
    for sign in numeral:
        if sign == "万":
            total, section, digit = (total + section + digit or 1) * 10_000, 0.0, 0.0
        elif sign in _POWERS:
            section, digit = section + (digit or 1) * _POWERS[sign], 0.0
        elif sign == "半":
            digit += 0.5
        else:
            digit = digit * 10 + _DIGITS[sign]
    return f"{total + section + digit:g}"
