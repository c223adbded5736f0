"""Numbers that are written in words, written in digits, so that 两个人 and 2 个人, "two days" and "2 days" say the same."""

from __future__ import annotations

import re

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
_DIGITS = {"〇": 0, "零": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_POWERS = {"十": 10, "百": 100, "千": 1000}


def in_digits(text: str) -> str:
    """Give a text with its counts in digits: where a word that can be counted follows; 一下, 十分 and "one of" stay."""
    return _WRITTEN.sub(lambda found: _value(found[1]) if found[1] else str(_ENGLISH[found[2].lower()]), text)


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
