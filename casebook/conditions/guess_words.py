"""The words that guesses are made of: fields, values, operators and joiners as regular expressions, numbers as people say them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from casebook.conditions.lexicon import FIELD_NAMES_ZH, KEYWORDS

Make = str | Callable[[re.Match[str]], str | None]
Rule = tuple[str, Make]
"""A regular expression, in any case, over a condition whose strings are masked, and what to write for what it finds."""
Rules = tuple[tuple[re.Pattern[str], Make], ...]

_SEGMENTS: Final = r"""(?:\.[^\s()\[\]=<>!,"'.&|:]+)*"""
_NO_NAMES: Final = r"(?!(?:and|or|not|is|in|if|when|but|then|between|the|on|at|no|earlier|where|within|count)\b)"
_CLOCKS_ZH: Final = "|".join(
    spelling
    for spelling, keyword in sorted(KEYWORDS, key=lambda entry: -len(entry[0]))
    if keyword.terminal in ("TIME", "WEEKDAY", "DATE", "MONTH", "DAY") and not spelling.isascii()
)
FIELD: Final = (
    rf"(?:(?<![\w.\"']){_NO_NAMES}[A-Za-z_]\w*(?<![\u4e00-\u9fff]){_SEGMENTS}"
    rf"|(?:{'|'.join(FIELD_NAMES_ZH)}|{_CLOCKS_ZH}){_SEGMENTS})"
).replace(r"[A-Za-z_]\w*", r"[A-Za-z_][A-Za-z0-9_]*")
"""A field as it may have been meant; that it is none shows when the rewritten condition is read."""

VALUE: Final = (
    r"(?:[\ue000-\uf8ff]+|(?!(?:and|or|not|is|in|where|within)\b)"
    r"(?:(?!或|并且|且|和|与|以及|及|、)[\w./@:+#*\-])+)"
)
"""A string, a number or a word."""

OR: Final = r"(?:\s*,?\s*\bor\b\s*|\s*\|\|?\s*|\s*(?:或者是|或者|或是|还是|或)\s*|\s*[,、;]\s*)"
AND: Final = r"(?:\s*,?\s*\band\b\s*|\s*&&?\s*|\s*(?:以及|并且|且|和|与|及)\s*)"
EITHER: Final = rf"(?:{OR}|{AND})"

IS_NOT: Final = r"(?:!=|<>|≠|\bis\s+not\b|不等于|不为|不是)"
IS: Final = r"(?:==?|\bis\b|\bequals\b|等于|为|是)"
COMPARED: Final = r"(?:>=|<=|>|<|大于等于|小于等于|大于|小于|超过|不超过|不小于|不大于|至少|至多)"
TEXTUAL: Final = (
    r"(?:(?:\bnot\s+)?\b(?:contains|starts\s+with|ends\s+with|like|matches)\b"
    r"|不?(?:包含|含有|开头为|结尾为|形如|匹配))"
)
OPERATOR: Final = rf"(?:{IS_NOT}|{COMPARED}|{TEXTUAL}|{IS})"

_DIGITS_ZH: Final = {"〇": 0, "零": 0, **{digit: n for n, digit in enumerate("一二三四五六七八九", 1)}, "两": 2}
_SIZES_ZH: Final = {"十": 10, "百": 100, "千": 1000}
NUMBER_ZH: Final = "[〇零一二三四五六七八九两十百千万]+"


def compiled(rules: Iterable[Rule]) -> Rules:
    """Give rules with their expressions compiled."""
    return tuple((re.compile(pattern, re.IGNORECASE), make) for pattern, make in rules)


def has_han(text: str) -> bool:
    """Say whether there are Chinese characters in a text."""
    return any("\u4e00" <= character <= "\u9fff" for character in text)


def in_language(like: str, english: str, chinese: str) -> str:
    """Give the one of two spellings that is in the language of a text."""
    return chinese if has_han(like) else english


def number_zh(spelled: str) -> int | None:
    """Read a Chinese numeral (`十二`, `两千五百`, `一万`) or digits; None where it is none."""
    if spelled.isascii():
        return int(spelled) if spelled.isdigit() and len(spelled) < 10 else None
    total = section = digit = 0
    for character in spelled[:20]:
        if character in _DIGITS_ZH:
            digit = _DIGITS_ZH[character]
        elif character in _SIZES_ZH:
            section += (digit or 1) * _SIZES_ZH[character]
            digit = 0
        elif character == "万":
            total, section, digit = (section + digit) * 10_000, 0, 0
        else:
            return None
    return total + section + digit


def values_of(found: str) -> list[str]:
    """Give the single values of an enumeration such as `a, b or c`."""
    inner = found.strip().strip("([{)]}").strip()
    if not re.search(EITHER, inner, re.IGNORECASE):
        return inner.split()
    return [each for part in re.split(EITHER, inner, flags=re.IGNORECASE) if (each := part.strip())]


def bounds_of(op: str, number: int, last: int) -> tuple[int, int]:
    """Give the ends, both in, of what a comparison with a whole number leaves of 0 … last."""
    match op:
        case ">=" | "大于等于" | "不小于" | "至少":
            return number, last
        case ">" | "大于" | "超过":
            return number + 1, last
        case "<" | "小于":
            return 0, number - 1
        case "<=" | "小于等于" | "不大于" | "不超过" | "至多":
            return 0, number
        case _:
            return number, number
