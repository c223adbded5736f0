"""What people write for the calendar (`guesses.py` tries each at the place of a fault)."""

from __future__ import annotations

import re
from calendar import monthrange
from typing import Final

from casebook.conditions.guess_words import Rule, bounds_of, has_han, in_language
from casebook.conditions.lexicon import KEYWORDS

_MONTHS: Final = {
    spelling: number
    for number, name in enumerate(
        ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"),
        1,
    )
    for spelling in (name, name[:3])
} | {"sept": 9} | {f"{digits}月": n for n, digits in enumerate(["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"], 1)}  # fmt: skip
_MONTH: Final = "|".join(sorted(_MONTHS, key=lambda name: -len(name)))
_ENGLISH_MONTH: Final = "|".join(sorted((name for name in _MONTHS if name.isascii()), key=lambda name: -len(name)))

_DAY: Final = "|".join(
    sorted((spelling for spelling, key in KEYWORDS if key.terminal in ("WDAY", "DAYSET")), key=lambda name: -len(name))
)
DAYS: Final = rf"(?:{_DAY}|weekends)(?:s(?!\w))?"
SEVERAL: Final = rf"{DAYS}(?:(?:\s*,?\s*\b(?:or|and)\b\s*|\s*[,、/&|]+\s*|\s*(?:或者|或|和|与|及)\s*){DAYS})*"
SPAN: Final = rf"(?:{DAYS})\s*(?:-|–|~|\bto\b|\bthrough\b|\buntil\b|到|至)\s*(?:{DAYS})"

_DATE_WORDS: Final = {"after": ">", "since": ">=", "from": ">=", "before": "<", "until": "<="}


def _days(found: re.Match[str]) -> str:
    """One, several or a span of weekdays, standing alone or after what people say before them."""
    spelled, named = found["days"], list(re.finditer(DAYS, found["days"], re.IGNORECASE))
    days = [day_of(each[0]) for each in named]
    word = in_language(spelled, "weekday", "星期")
    negative = "not" in (found.groupdict().get("op") or "").lower() or "不" in (found.groupdict().get("op") or "")
    member = in_language(spelled, "not in" if negative else "in", "不在" if negative else "在")
    if len(days) == 2 and re.fullmatch(SPAN, spelled, re.IGNORECASE):
        return f"{word} {member} {days[0]}-{days[1]}"
    if len(days) == 1:
        return f"{word} {in_language(spelled, 'is not' if negative else 'is', '不为' if negative else '为')} {days[0]}"
    return f"{word} {member} [{', '.join(days)}]"


def day_of(spelled: str) -> str:
    """Give a weekday, or a named set of them, as it is spelled in a condition (`fridays` → Friday)."""
    for each in (spelled, spelled[:-1]):
        if re.fullmatch(_DAY, each, re.IGNORECASE):
            return each if has_han(each) or each.lower().startswith("week") else each.capitalize()
    return spelled


def _date(found: re.Match[str]) -> str | None:
    """A date without a year: `date is 12-25` → `month is 12 and day is 25`."""
    parts = found.groupdict()
    month_word = parts.get("name")
    month = _MONTHS[month_word.lower()] if month_word else int(parts["month"])
    negative = "not" in found["op"].lower() or found["op"] in ("!=", "<>", "≠") or "不" in found["op"]
    if not (1 <= month <= 12 and 1 <= int(parts["day"]) <= 31):
        return None
    if parts.get("year") and found["field"] in ("日期", "今天", "今日"):
        return f"日期 {found['op']} {parts['year']}-{month:02}-{int(parts['day']):02}"
    if parts.get("year"):
        return f"{found['field']} {found['op']} {parts['year']}-{month:02}-{int(parts['day']):02}"
    whole = (
        f"月份 为 {month} 且 日号 为 {int(parts['day'])}"
        if has_han(found["field"])
        else f"month is {month} and day is {int(parts['day'])}"
    )
    if not negative:
        return whole
    return f"非 ({whole})" if has_han(found["field"]) else f"not ({whole})"


def _number_of_month(found: re.Match[str]) -> str:
    return re.sub(_MONTH, lambda name: str(_MONTHS[name[0].lower()]), found[0], flags=re.IGNORECASE)


def _calendar(found: re.Match[str]) -> str | None:
    """`month > 3` → `month between 4 and 12`."""
    last = 12 if found["unit"].lower() in ("month", "月份") else 31
    low, high = bounds_of(found["op"], int(found["n"]), last)
    low = max(low, 1)
    if low > high:
        return None
    return (
        f"{found['unit']} 在 {low} 到 {high}" if has_han(found["unit"]) else f"{found['unit']} between {low} and {high}"
    )


def _whole_span(found: re.Match[str]) -> str | None:
    """`date in 2026-03` → from its first day to its last."""
    year, month = int(found["y"] or found["year"]), found["month"]
    if month and not 1 <= int(month) <= 12:
        return None
    last = monthrange(year, int(month))[1] if month and year else 31
    return f"date between {year:04}-{month or '01'}-01 and {year:04}-{month or '12'}-{last}"


def _yearly(found: re.Match[str]) -> str | None:
    """`date between 12-20 and 01-05`, of every year."""
    first, last = (int(found["m1"]), int(found["d1"])), (int(found["m2"]), int(found["d2"]))
    if not all(1 <= month <= 12 and 1 <= day <= 31 for month, day in (first, last)):
        return None
    if first[0] == last[0]:
        return f"month is {first[0]} and day between {first[1]} and {last[1]}" if first[1] <= last[1] else None
    between = (last[0] - first[0]) % 12 - 1
    middle = f" or month between {first[0] % 12 + 1} and {(last[0] - 2) % 12 + 1}" if between else ""
    return (
        f"(month is {first[0]} and day between {first[1]} and 31{middle}"
        f" or month is {last[0]} and day between 1 and {last[1]})"
    )


def _weekday(found: re.Match[str]) -> str:
    """`weekday between Mon and Fri`, `day is Friday`."""
    if re.search(r"between|from", found["op"], re.IGNORECASE):
        days = [day_of(each[0]) for each in re.finditer(DAYS, found["days"], re.IGNORECASE)]
        return f"weekday in {days[0]}-{days[-1]}"
    return _days(found)


def _date_named(found: re.Match[str]) -> str | None:
    made = _date(found)
    field = found["field"].lower()
    return made and (re.sub(rf"^{field}\b", "date", made, flags=re.IGNORECASE) if field.isascii() else made)


def _date_zh(found: re.Match[str]) -> str | None:
    word = found["late"] or found["op"]
    if word in (None, "在"):
        return None
    return f"日期 {'小于' if word[-1] == '前' or word == '早于' else '大于'} {found['d']}"


def _any_date(found: re.Match[str]) -> str:
    """`date in [2026-03-01, 2026-03-02]`."""
    dates = [f"date is {each.strip()}" for each in found["vs"].split(",") if each.strip()]
    return dates[0] if len(dates) == 1 else f"({' or '.join(dates)})"


CALENDAR_RULES: Final[tuple[Rule, ...]] = (
    # weekdays
    (rf"(?:\b(?:on|every|each|it\s+is|it['’]s|today\s+is|now\s+is)\s+)(?P<days>{SPAN}|{SEVERAL})(?!\w)", _days),
    (rf"(?:每逢?个?|逢|现在是|现在为|今天是|今天为|今日[是为]|当天[是为]|在)\s*(?P<days>{SPAN}|{SEVERAL})", _days),
    (rf"\btoday\s+(?P<op>is\s+not|isn['’]t|!=)\s+(?P<days>{SEVERAL})(?!\w)", _days),
    (rf"(?:现在|今日)(?P<op>不是|不为)\s*(?P<days>{SEVERAL})", _days),
    (rf"(?:\b(?:weekday|today|day|week)\s+|(?:星期|今天)\s*)(?P<op>is\s+not\s+in|not\s+in|is\s+not|!=|不是|不为|不在|is\s+in|is|==?|in|(?:is\s+)?between|from|为|是|等于|在)\s*[\[(]?(?P<days>{DAYS}\s+and\s+{DAYS}|{SPAN}|{SEVERAL})[\])]?(?!\w)", _weekday),
    (rf"(?<![\w.])(?P<days>{SPAN}|{SEVERAL})(?![\w.])", _days),
    (rf"(?<![\u4e00-\u9fff])(?P<days>{SPAN}|{SEVERAL})(?=且|或|并且|$|\s)", _days),
    (r"(?:星期|周|礼拜)\s*(?:为|是|等于)?\s*([一二三四五六日天])(?![\u4e00-\u9fff]*月)", r"星期 为 周\1"),
    (r"礼拜(?=[一二三四五六日天])", "周"),
    # dates
    (r"(?P<before>\bdate\s+is\s+\d{4}-\d\d-\d\d)\s*(?:\bor\b|,)\s*(?=\d{4}-)", r"\g<before> or date is "),
    (r"(?P<field>\bdate\b|\btoday\b|日期|今天|今日)\s*(?P<op>is\s+not|!=|不是|不为|is|==?|为|是|等于)\s*(?:(?P<year>\d{4})[-/.年])?(?P<month>\d{1,2})[-/.月](?P<day>\d{1,2})[日号]?(?![-/\d])", _date_named),
    (rf"(?P<field>\bdate\b|\btoday\b)\s+(?P<op>is\s+not|!=|is|==?|on)\s+(?P<name>{_ENGLISH_MONTH})\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(?P<year>\d{{4}}))?(?!\w)", _date_named),
    (rf"(?P<field>\bdate\b|\btoday\b)\s+(?P<op>is\s+not|!=|is|==?|on)\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<name>{_ENGLISH_MONTH})(?:,?\s+(?P<year>\d{{4}}))?(?!\w)", _date_named),
    (r"(?:\bdate\s+)?(?P<op>\bis\s+after|\bafter|\bsince|\bis\s+before|\bbefore|\buntil|\bfrom)\s+(?=\d{4}-)", lambda found: f"date {_DATE_WORDS[found['op'].lower().split()[-1]]} "),
    (r"日期\s*(?P<op>晚于|早于|在)?\s*(?P<d>\d{4}-\d\d-\d\d)\s*(?P<late>(?:以|之)?[前后])?", _date_zh),
    (r"\bdate\s+(?:is\s+)?(?:in|one\s+of)\s*[\[(](?P<vs>[\d\-,\s]+)[\])]", _any_date),
    (r"\bdate\s+(?:is|in|==?)\s+(?P<year>\d{4})(?:-(?P<month>\d\d))?(?![-\d])|\byear\s*(?:is|==?|in)\s*(?P<y>\d{4})(?!\d)", _whole_span),
    (r"\bdate\s+(?:between|in|from)\s+(?P<m1>\d\d?)[-/](?P<d1>\d\d?)\s+(?:and|to|-)\s+(?P<m2>\d\d?)[-/](?P<d2>\d\d?)(?![-/\d])", _yearly),
    (r"(?:今天|现在|今日)\s*(?:为|是)\s*(\d{1,2})[号日]", r"日号 为 \1"),
    (r"(?:今天|现在|今日)\s*(?:为|是)\s*(\d{1,2})月(?:份)?", r"月份 为 \1"),
    # months and days of the month
    (rf"\b(?:month)\s+[^()]*?(?:{_MONTH})\b[^()]*", lambda found: re.sub(r"\bin\s+(?=\d+\s*-)|\bfrom\s+", "between ", _number_of_month(found))),
    (rf"月份\s*[^()]*?(?:{_MONTH})[^()]*", _number_of_month),
    (r"(?P<unit>\bmonth\b|\bday\b|月份|日号)\s*(?P<op>>=|<=|>|<|大于等于|小于等于|大于|小于|超过|不超过|至少|至多)\s*(?P<n>\d{1,2})(?!\d)", _calendar),
    (r"(?<=\d)(?:st|nd|rd|th)\b", ""),
)  # fmt: skip
