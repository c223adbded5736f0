"""The closed keyword table of the trigger language, English and Chinese (`docs/language.md`): how each lexeme is spelled.

A terminal of `grammar.lark` maps to what it means and its spellings. English is lower case here and matches in any case, its
words parted by one space here and by any white space in a condition.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

Meaning = str | int | tuple[int, int] | None


class Keyword(NamedTuple):
    """One keyword: the terminal it is, what it means to the tree, and its spellings in both languages."""

    terminal: str
    meaning: Meaning
    spellings: str


def _keywords() -> tuple[Keyword, ...]:
    """Give the whole table; the spellings of one keyword are parted by ` / `."""
    rows: list[tuple[str, Meaning, str]] = [
        ("_AND", None, "and / && / 且 / 并且"),
        ("_OR", None, "or / || / 或 / 或者"),
        ("_NOT", None, "not / ! / 非"),
        ("ALWAYS", None, "always / 始终 / 总是"),
        ("_LPAR", None, "("),
        ("_RPAR", None, ")"),
        ("LSQB", None, "["),
        ("_RSQB", None, "]"),
        ("_COMMA", None, ", / 、"),
        ("EQ", "is", "is / == / = / equals / 为 / 是 / 等于"),
        ("NE", "is_not", "is not / != / <> / 不是 / 不为 / 不等于 / ≠"),
        ("IN", "in", "in / 属于"),
        ("AT", "in", "在"),
        ("NOT_IN", "not_in", "not in / is not in / 不属于"),
        ("NOT_AT", "not_in", "不在"),
        ("CMP", "gt", "> / 大于 / 超过"),
        ("CMP", "gte", ">= / 大于等于 / 不小于 / 至少"),
        ("CMP", "lt", "< / 小于"),
        ("CMP", "lte", "<= / 小于等于 / 不大于 / 不超过 / 至多"),
        ("BETWEEN", "between", "between / 介于"),
        ("NOT_BETWEEN", "between", "not between / 不介于"),
        ("WIN", "in", "between / in / 在 / 介于 / 属于"),
        ("NOT_WIN", "not_in", "not between / not in / is not in / 不在 / 不介于 / 不属于"),
        ("_TILL", None, "and / 和 / 与 / 到 / 至 / - / – / ~"),
        ("_DASH", None, "- / – / ~ / 到 / 至"),
        ("TAIL", None, "之间 / 之内 / 中 / 内 / 里"),
        ("TEXT", "contains", "contains / 包含 / 含有"),
        ("TEXT", "starts_with", "starts with / 开头为"),
        ("TEXT", "ends_with", "ends with / 结尾为"),
        ("TEXT", "like", "like / 形如"),
        ("NOT_TEXT", "contains", "not contains / 不包含 / 不含有"),
        ("NOT_TEXT", "starts_with", "not starts with / 不开头为"),
        ("NOT_TEXT", "ends_with", "not ends with / 不结尾为"),
        ("NOT_TEXT", "like", "not like / 不形如"),
        ("BY", None, "以"),
        ("NOT_BY", None, "不以"),
        ("AT_START", "starts_with", "开头"),
        ("AT_END", "ends_with", "结尾"),
        ("MATCHES", "matches", "matches / 匹配"),
        ("NOT_MATCHES", "matches", "not matches / 不匹配"),
        ("PRESENT", "exists", "exists / 存在 / 不为空"),
        ("MISSING", "missing", "is missing / 缺失 / 不存在 / 为空"),
        ("TIME", None, "time / 时间 / 当前时间"),
        ("WEEKDAY", None, "weekday / 星期 / 今天"),
        ("WEEK", None, "week / 一周"),
        ("DATE", None, "date / 日期"),
        ("MONTH", None, "month / 月份"),
        ("DAY", None, "day / 日号"),
        ("IN_ZONE", None, "in / 在 / 时区"),
        ("NEXT_DAY", None, "次日"),
        ("_ON", None, "on / 始于"),
        ("EARLIER", None, "earlier / 此前有"),
        ("NO_EARLIER", None, "no earlier / 此前没有"),
        ("COUNT", None, "count of / 统计"),
        ("WHERE", None, "where / 满足"),
        ("_WITHIN", None, "within"),
        ("_INSIDE", None, "内"),
        ("KIND", "tool", "tool / 工具"),
        ("KIND", "task", "task / 任务"),
        ("KIND", "error", "error / 错误"),
        ("KIND", "feedback", "feedback / 反馈"),
        ("KIND", "recall", "recall"),
        ("KIND", "reuse", "reuse"),
        ("DAYSET", (5, 6), "weekend / 周末"),
        ("DAYSET", (0, 4), "weekdays / 工作日"),
        *[("WDAY", day, spellings) for day, spellings in enumerate(_WEEKDAYS)],
    ]
    return tuple(Keyword(*row) for row in rows)


_WEEKDAYS: Final = (
    "mon / monday / 周一 / 星期一",
    "tue / tues / tuesday / 周二 / 星期二",
    "wed / wednesday / 周三 / 星期三",
    "thu / thur / thurs / thursday / 周四 / 星期四",
    "fri / friday / 周五 / 星期五",
    "sat / saturday / 周六 / 星期六",
    "sun / sunday / 周日 / 周天 / 星期日 / 星期天",
)


KEYWORDS: Final[tuple[tuple[str, Keyword], ...]] = tuple(
    (spelling, keyword) for keyword in _keywords() for spelling in keyword.spellings.split(" / ")
)
"""Every spelling with its keyword."""

FIELD_NAMES_ZH: Final[Mapping[str, str]] = MappingProxyType(
    {
        "文本": "text", "意图": "intent", "工具": "tool", "操作": "action", "程序": "program", "路径": "path", "用户": "user",
        "项目": "project", "团队": "team", "智能体": "agent", "会话": "session", "渠道": "channel", "模型": "model",
        "来源": "origin",
    }
)  # fmt: skip
"""The Chinese names of fields; the others have their English name only."""

THIS: Final = ("this", "本次")
CONSTANTS: Final[Mapping[str, bool | None]] = MappingProxyType(
    {"true": True, "false": False, "null": None, "真": True, "假": False, "空": None}
)
ZONES_ZH: Final[Mapping[str, str]] = MappingProxyType({"北京时间": "Asia/Shanghai"})
UNITS: Final[Mapping[str, int]] = MappingProxyType(
    {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800, "秒": 1, "分钟": 60, "小时": 3600, "天": 86400, "周": 604800}
)
"""The units of a duration, in seconds."""

NAMING: Final = frozenset({"KIND", "WDAY", "DAYSET", "TIME", "WEEKDAY", "WEEK", "DATE", "MONTH", "DAY"})
"""Terminals whose words are names, and so may stand as a bare value (`point is tool`); any other keyword must be quoted."""

RESERVED: Final = frozenset(
    word
    for spelling, keyword in KEYWORDS
    if keyword.terminal not in NAMING
    for word in (spelling.split() if spelling.isascii() else [spelling])
    if word[0].isalpha()
) - {"no", "count", "of", "on", "with"}
"""Words that may not stand bare where a value is expected (the common words out of two-word keywords may)."""

MISTAKES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "does not contain": "not contains", "doesn": "not contains", "contain": "contains",
        "includes": "contains", "include": "contains", "has": "contains", "===": "==", "!==": "!=", "=~": "matches",
        "~": "matches", "startswith": "starts with", "endswith": "ends with", "begins with": "starts with",
        "match": "matches", "regex": "matches", "equal": "equals", "are": "is", "isnt": "is not", "isn": "is not",
        "not exists": "is missing", "does not exist": "is missing", "exist": "exists", "missing": "is missing",
        "=>": ">=", "=<": "<=", "is exists": "exists", "is not missing": "exists", "within": "in", "notin": "not in",
        "after": ">", "before": "<", "since": ">=", "until": "<=", "at least": ">=", "at most": "<=", "&": "&&",
        "|": "||", "less than": "<", "greater than": ">", "more than": ">", "等": "等于", "不等": "不等于", "包括": "包含",
        "开头是": "开头为", "结尾是": "结尾为", "并": "且", "和": "且", "from": "between", ",": "and", ";": "and", "；": "且",
    }
)  # fmt: skip
"""What people write for a keyword, to the keyword."""
