"""What a text says of its subject: whether it is for or against it, with which numbers, at which times; and how two of them differ."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from casebook.conditions.fold import fold
from casebook.gate.own_words import view_of
from casebook.gate.polarity import POLAR, polarity_of
from casebook.runtime.memory.tokens import terms
from casebook.runtime.upkeep.reflect_pairs import overlap

Difference = Literal["polarity", "number", "time"]

SAME_SUBJECT = 0.6
"""Share of the words of two texts, without what makes them be for or against, from which on they are about the same (DESIGN section 7:
overlap > 0.6 is what an update takes for the same)."""
SAME_STATEMENT = 0.75
"""The same for two texts that differ in a number or a time alone: more has to agree, for few words say little (ours)."""

_HAN_DIGITS = "〇零一二两三四五六七八九十百千万半"
_UNITS = "个|天|次|小时|分钟|秒|周|月|年|号|日|点|倍|人|行|字|条|页|元|块|米|公里|岁|遍|份|层|位|台|轮|格|空格"
_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|fifty|hundred|thousand"
_NUMBER = re.compile(
    r"(?<![\w#.\-])v?\d+(?:[.,]\d+)*%?(?![\w\-]*[a-z]{4})"
    rf"|[{_HAN_DIGITS}]+(?={_UNITS})"
    rf"|\b(?:{_WORDS})(?= (?:days?|hours?|minutes?|seconds?|weeks?|months?|years?|times?|lines?|spaces?|characters?|people|retries|"
    r"reviews?|reviewers?|approvals?|files?|pages?|percent)\b)"
)
_TIME = re.compile(
    r"\d{4}-\d\d?-\d\d?|\d{1,2}:\d\d(?::\d\d)?|每?(?:周|星期|礼拜)[一二三四五六日天末]|工作日|节假日|每[天日周月年]|"
    r"早上|早晨|上午|中午|下午|傍晚|晚上|夜里|夜间|凌晨|今天|明天|昨天|后天|[一二三四五六七八九十\d]{1,2}月(?:[一二三四五六七八九十\d]{1,3}[日号])?|"
    r"[一二三四五六七八九十\d]{1,3}[点时号](?:半)?|之前|之后|(?:提交|发布|上线|部署|合并|推送|上班|下班|开会|评审)[前后]|"
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\bweek(?:days?|ends?)\b|\b(?:dai|week|month|hour|year)ly\b|"
    r"\b(?:mornings?|noon|afternoons?|evenings?|nights?|midnight|today|tomorrow|yesterday|before|after|until|during)\b|"
    r"\b(?:january|february|march|april|june|july|august|september|october|november|december)\b|\b\d{1,2} ?[ap]m\b"
)
_DIGITS = {
    "〇": 0,
    "零": 0,
    "半": 0.5,
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
_ENGLISH = {name: at + 1 for at, name in enumerate(_WORDS.split("|")[:12])} | {
    "twenty": 20, "thirty": 30, "fifty": 50, "hundred": 100, "thousand": 1000,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Stance:
    """What a text says.

    Attributes:
        polarity: +1, or -1 where it is against.
        words: its subject: its terms without words of liking and negation, without numbers and times.
        numbers: its numbers in their order, in digits.
        times: words of time, days and clock times, in order.
    """

    polarity: int
    words: frozenset[str]
    numbers: tuple[str, ...]
    times: tuple[str, ...]


@lru_cache(maxsize=65_536)
def stance_of(text: str) -> Stance:
    """Give what a text says; a pure function."""
    view = view_of(text)
    times = tuple(found[0].strip() for found in _TIME.finditer(view))
    rest = _TIME.sub(" ", view)
    numbers = tuple(_number(found[0]) for found in _NUMBER.finditer(rest))
    rest = POLAR.sub(" ", _NUMBER.sub(" ", rest))
    return Stance(polarity_of(text), frozenset(terms(rest)), numbers, times)


def differ(one: Stance, other: Stance) -> Difference | None:
    """Say how two texts about the same subject contradict each other; None where they do not.

    What is said for another time is no contradiction, nor is what is said for one time against what is said for all: that is an
    exception. Of more than one number each has to stand for the same, so that their numbers must be as many.
    """
    same = overlap(one.words, other.words)
    if same < SAME_SUBJECT:
        return None
    if one.polarity != other.polarity:
        return "polarity" if one.times == other.times and one.numbers == other.numbers else None
    if same < SAME_STATEMENT:
        return None
    if one.numbers != other.numbers and one.times == other.times:
        return "number" if len(one.numbers) == len(other.numbers) else None
    if one.times != other.times and one.numbers == other.numbers:
        return "time" if len(one.times) == len(other.times) else None
    return None


def _number(text: str) -> str:
    """Give a number in digits, in one form."""
    text = fold(text).removeprefix("v").replace(",", "")
    if text in _ENGLISH:
        return str(_ENGLISH[text])
    if text and all(sign in _HAN_DIGITS for sign in text):
        return f"{_han(text):g}"
    return text


def _han(text: str) -> float:
    """Give the value of a Chinese numeral below a hundred million."""
    total = section = 0.0
    digit = 0.0
    for sign in text:
        if sign == "万":
            total, section, digit = (total + section + digit or 1) * 10_000, 0.0, 0.0
        elif sign in "十百千":
            section += (digit or 1) * {"十": 10, "百": 100, "千": 1000}[sign]
            digit = 0.0
        else:
            digit = digit * 10 + _DIGITS[sign] if sign != "半" else digit + 0.5
    return total + section + digit
