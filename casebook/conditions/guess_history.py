"""What people write for the history of a session (`guesses.py` tries each at the place of a fault)."""

from __future__ import annotations

import re
from typing import Final

from casebook.conditions.guess_words import FIELD, NUMBER_ZH, OPERATOR, VALUE, Rule, has_han, number_zh
from casebook.conditions.lexicon import UNITS


def _duration(found: re.Match[str]) -> str:
    """`within the last 2 hours` → `within 2h`."""
    amount = found["n"] or "1"
    amount = "1" if amount.lower() in ("a", "an", "one", "half an") else amount
    unit = found["unit"].lower()
    if not unit.isascii():
        return f"{number_zh(amount)}{_UNITS_ZH.get(unit, unit)}内"
    return f"within {amount}{unit[0]}"


_UNITS_ZH: Final = {
    "分": "分钟",
    "个小时": "小时",
    "个钟头": "小时",
    "时": "小时",
    "日": "天",
    "个星期": "周",
    "星期": "周",
    "秒钟": "秒",
}
_LENGTH: Final = (
    r"(?P<n>\d+|an?|one)?\s*-?\s*(?P<unit>seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|[smhdw])(?!\w)"
)
_LENGTH_ZH: Final = rf"(?P<n>\d+|{NUMBER_ZH})\s*(?P<unit>{'|'.join(sorted([*_UNITS_ZH, *(u for u in UNITS if has_han(u))], key=lambda u: -len(u)))})"
_KINDS: Final = {
    "错误": "错误",
    "报错": "错误",
    "失败": "错误",
    "任务": "任务",
    "反馈": "反馈",
    "工具": "工具",
    "工具调用": "工具",
}
_KIND_ZH: Final = "|".join(sorted(_KINDS, key=lambda kind: -len(kind)))


def _history_zh(found: re.Match[str]) -> str:
    """`最近1小时内有错误`, `过去30分钟错误超过2次`."""
    length = f"{number_zh(found['n'])}{_UNITS_ZH.get(found['unit'], found['unit'])}内"
    kind = _KINDS[found["kind"]]
    if found["op"]:
        return f"统计 {kind} {length} {found['op']} {found['count']}"
    return f"此前{'没有' if found['none'] else '有'} {kind} {length}"


_TESTED: Final = rf"(?={FIELD}\s*(?:{OPERATOR}|exists))"

HISTORY_RULES: Final[tuple[Rule, ...]] = (
    (rf"\b(?:within|in|during|over)\s+(?:the\s+)?(?:last|past|previous)?\s*{_LENGTH}", _duration),
    (rf"在?\s*(?:最近|过去)?\s*{_LENGTH_ZH}\s*之?内", _duration),
    (r"\b(?P<kind>tool|task|error|feedback)s\b", r"\g<kind>"),
    (r"\b(?:count|number|amount)\s*(?:of\s+|\(\s*)?(?P<kind>tool|task|error|feedback)s?\b(?:\s*\))?", r"count of \g<kind>"),
    (r"\b(?P<kind>tool|task|error)\s+count\b|\berrors\b", lambda found: f"count of {found['kind'] or 'error'}"),
    (r"(?P<head>\bcount\s+of\s+\w+)(?P<where>\s+where\s.+?)?\s*(?P<cmp>(?:>=|<=|>|<|==?|!=|is)\s*\d+)\s*(?:within|in)\s+(?:the\s+)?(?:last\s+)?(?P<d>\d+\s*[smhdw])(?!\w)", lambda found: f"{found['head']}{found['where'] or ''} within {found['d']} {found['cmp']}"),
    (r"\bsession\.errors\s*(?P<cmp>(?:>=|<=|>|<|==?|is)\s*\d+)\s*(?:within|in)\s+(?P<d>\d+[smhdw])(?!\w)", r"count of error within \g<d> \g<cmp>"),
    (r"\bearlier\s+(?:tool\s+)?(?:calls?|invocations?)\b", "earlier tool"),
    (rf"(?P<head>\bearlier\s+(?:tool|task|error|feedback))\s+(?:with|where|whose|having)\s+(?P<f>{FIELD})\s+(?P<v>[\ue000-\uf8ff]+)", r"\g<head> where \g<f> is \g<v>"),
    (rf"(?P<head>\bearlier\s+(?:tool|task|error|feedback)|\bcount\s+of\s+(?:tool|task|error|feedback))\s+(?:with|whose|that|which|having|when|if|and)?\s*{_TESTED}", r"\g<head> where "),
    (r"(?P<head>\bearlier\s+(?:tool|task|error|feedback))\s+(?=is\b|==?|contains\b)", r"\g<head> where tool "),
    (rf"\bearlier\s+(?!tool\b|task\b|error\b|feedback\b|where\b|within\b)(?P<v>{VALUE})", r"earlier tool where tool is \g<v>"),
    (rf"(?P<head>(?:此前有|此前没有|统计)\s*(?:工具|任务|错误|反馈))\s*(?:其|的|且)?\s*{_TESTED}", r"\g<head> 满足 "),
    (r"(?:此前|之前|先前|以前)\s*(?:(?P<no>没有?|无)|有过?)", lambda found: "此前没有" if found["no"] else "此前有"),
    (rf"(?:此前|最近|过去|近)?\s*{_LENGTH_ZH}\s*之?内?的?\s*(?P<none>没)?有?\s*(?P<kind>{_KIND_ZH})(?:次数|数量?)?\s*(?:(?P<op>>=|<=|>|<|超过|大于等于|大于|至少|不超过|不小于)\s*(?P<count>\d+)\s*次?)?", _history_zh),
    (r"(?<=\d)\s*(?:次|times?\b)", ""),
    (r"(?:错误次数|错误数量?|报错次数)", "session.errors"),
)  # fmt: skip
