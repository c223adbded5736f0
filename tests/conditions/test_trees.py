"""What the parser makes of each form: the tree itself, where canonical text alone could hide a mistake."""

import pytest

from casebook.conditions.lexicon import KEYWORDS
from casebook.conditions.parse import language_of, parse
from casebook.conditions.tree import (
    Always,
    And,
    Count,
    Date,
    Day,
    Earlier,
    Field,
    Month,
    Node,
    Not,
    Or,
    Pattern,
    Test,
    This,
    Time,
    Week,
    Weekday,
)

HOUR = 3600
TOOL, TEXT = Field(("tool",)), Field(("text",))
A, B, C = (Test(TOOL, "is", name) for name in "abc")

TREES = [
    ("tool is a", A),
    ("tool is a and tool is b and tool is c", And((A, B, C))),
    ("tool is a and (tool is b and tool is c)", And((A, B, C))),
    ("tool is a or tool is b and tool is c", Or((A, And((B, C))))),
    ("(tool is a or tool is b) and tool is c", And((Or((A, B)), C))),
    ("tool is a or (tool is b or tool is c)", Or((A, B, C))),
    ("not tool is a and tool is b", And((Not(A), B))),
    ("not (tool is a and tool is b)", Not(And((A, B)))),
    ("not not tool is a", Not(Not(A))),
    ("tool is not a", Test(TOOL, "is_not", "a")),
    ("not tool is not a", Not(Test(TOOL, "is_not", "a"))),
    ("tool not in [a]", Test(TOOL, "not_in", ("a",))),
    ("text not contains a", Not(Test(TEXT, "contains", "a"))),
    ("not text contains a", Not(Test(TEXT, "contains", "a"))),
    ("args.n is 1", Test(Field(("args", "n")), "is", 1)),
    ("args.n is 1.0", Test(Field(("args", "n")), "is", 1.0)),
    ("args.n is 1e2", Test(Field(("args", "n")), "is", 100.0)),
    ("args.n is +1", Test(Field(("args", "n")), "is", 1)),
    ("args.n is -0.0", Test(Field(("args", "n")), "is", 0.0)),
    ("args.n is .5", Test(Field(("args", "n")), "is", 0.5)),
    ("args.n is true", Test(Field(("args", "n")), "is", True)),
    ("args.n is 'true'", Test(Field(("args", "n")), "is", "true")),
    ("args.n is null", Test(Field(("args", "n")), "missing")),
    ("args.n is not null", Test(Field(("args", "n")), "exists")),
    ("args.0.'0'.00.x exists", Test(Field(("args", 0, "0", "00", "x")), "exists")),
    ("args.Dry_Run exists", Test(Field(("args", "Dry_Run")), "exists")),
    ("text contains 404", Test(TEXT, "contains", "404")),
    ("args.n contains 404", Test(Field(("args", "n")), "contains", 404)),
    ("text is 'e\u0301'", Test(TEXT, "is", "é")),
    ("context.e\u0301 exists", Test(Field(("context", "é")), "exists")),
    ("text is 'ＡＢ'", Test(TEXT, "is", "ＡＢ")),
    ("text is ＡＢ", Test(TEXT, "is", "AB")),
    (r"text is 'a\'\"\\\n\t\/é\u00e9'", Test(TEXT, "is", "a'\"\\\n\t/éé")),
    (r"text is “a\n”", Test(TEXT, "is", "a\\n")),
    ("text is 「“x”」", Test(TEXT, "is", "“x”")),
    (r"text like 'a\*b\\?'", Test(TEXT, "like", "a\\*b\\?")),
    (r"text matches /a\/b\\/mi", Test(TEXT, "matches", Pattern(r"a/b\\", "im"))),
    ("time between 22:00 and 06:00", Time(22 * HOUR, 6 * HOUR)),
    ("time between 0 and 24", Time(0, 24 * HOUR)),
    ("time not between 7点半 and 8时15分", Not(Time(7 * HOUR + 1800, 8 * HOUR + 900))),
    ("time between 1:02:03 and 4 on Mon in UTC", Time(3723, 4 * HOUR, ((0, 0),), "UTC")),
    ("时间 不在 1-2 时区 北京时间", Not(Time(HOUR, 2 * HOUR, None, "Asia/Shanghai"))),
    ("time between 1 and 2 on [Sat-Mon, weekdays]", Time(HOUR, 2 * HOUR, ((5, 0), (0, 4)))),
    ("weekday is weekend", Weekday("is", ((5, 6),))),
    ("weekday is [Mon, Tue]", Weekday("in", ((0, 0), (1, 1)))),
    ("星期 不在 周六-周日", Weekday("not_in", ((5, 6),))),
    ("week between Fri 22:00 and Mon 24:00", Week((4, 22 * HOUR), (0, 24 * HOUR))),
    ("date <= 2026-03-01", Date("lte", ("2026-03-01",))),
    ("date between 2026-03-01 and 2026-03-01", Date("between", ("2026-03-01", "2026-03-01"))),
    ("month between 11 and 2", Month("between", (11, 2))),
    ("day not in [1, 31]", Day("not_in", (1, 31))),
    ("earlier tool", Earlier("tool")),
    ("no earlier error within 90s", Not(Earlier("error", None, 90))),
    ("earlier tool where tool is this tool", Earlier("tool", Test(TOOL, "is", This(TOOL)))),
    ("earlier tool where (tool is a or tool is b) within 1w", Earlier("tool", Or((A, B)), 7 * 24 * HOUR)),
    ("earlier tool where tool is a and tool is b", And((Earlier("tool", A), B))),
    ("count of task within 2h >= 3", Count("task", None, 2 * HOUR, "gte", 3)),
    ("always", Always()),
]


@pytest.mark.parametrize(("text", "tree"), TREES)
def test_a_text_becomes_this_tree(text: str, tree: Node) -> None:
    assert repr(parse(text)) == repr(tree)


LANGUAGES = [
    ("tool is shell", "en"),
    ("当前时间在 00:00-06:00", "zh"),
    ("意图为 '主动推送'", "zh"),
    ("intent is '主动推送'", "en"),
    ("intent is “主动推送”", "en"),
    ("context.客户 is vip", "en"),
    ("args.amount 大于 3", "zh"),
    ("session.errors 至少 2", "zh"),
    ("统计 错误 30分钟内 >= 2", "zh"),
    ("tool is shell and user is x or 用户 is y", "en"),
    ("", "en"),
    ("no language 的", "en"),
    ("args.cc 匹配 /x/", "zh"),
    ("args.cc 不匹配 /x/", "zh"),
    ("args.x is 操作", "en"),
    ("text matches /匹配/", "en"),
    ("args.x exists 且 context.y is z", "en"),
    ("args.x 存在 and context.y 为 z", "zh"),
]
ALONE = {
    "_AND": "args.x 存在 {} args.y 存在", "_OR": "args.x 存在 {} args.y 存在", "_NOT": "{} args.x 存在", "ALWAYS": "{}",
    "_COMMA": "args.x 在 [a{} b]", "EQ": "args.x {} 5", "NE": "args.x {} 5", "IN": "args.x {} [5]", "AT": "args.x {} [5]",
    "NOT_IN": "args.x {} [5]", "NOT_AT": "args.x {} [5]", "CMP": "args.x {} 5", "BETWEEN": "args.x {} 1-5",
    "NOT_BETWEEN": "args.x {} 1-5", "WIN": "时间 {} 1-5", "NOT_WIN": "时间 {} 1-5", "_TILL": "args.x 介于 1 {} 5",
    "_DASH": "星期 在 周一 {} 周五", "TAIL": "args.x 在 1-5 {}", "TEXT": "args.x {} y", "NOT_TEXT": "args.x {} y",
    "BY": "args.x {} y 开头", "NOT_BY": "args.x {} y 开头", "AT_START": "args.x 以 y {}", "AT_END": "args.x 以 y {}",
    "MATCHES": "args.cc {} /x/", "NOT_MATCHES": "args.cc {} /x/", "PRESENT": "args.x {}", "MISSING": "args.x {}",
    "TIME": "{} 在 1-5", "WEEKDAY": "{} 为 周五", "WEEK": "{} 在 周五 1 到 周六 2", "DATE": "{} 为 2026-03-01",
    "MONTH": "{} 为 5", "DAY": "{} 为 5", "IN_ZONE": "时间 在 1-5 {} UTC", "NEXT_DAY": "时间 在 5-{}1",
    "_ON": "时间 在 1-5 {} 周五", "EARLIER": "{} 错误", "NO_EARLIER": "{} 错误", "COUNT": "{} 错误 > 5",
    "WHERE": "此前有 错误 {} args.x > 5", "_INSIDE": "此前有 错误 5m{}", "KIND": "此前有 {}", "DAYSET": "星期 为 {}",
    "WDAY": "星期 为 {}",
}  # fmt: skip
"""By terminal, a condition in which a Chinese spelling of it stands; what else is a keyword there is Chinese."""


@pytest.mark.parametrize(("text", "language"), LANGUAGES)
def test_the_language_of_a_condition_is_that_of_its_keywords(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("spelling", "terminal"), [(spelling, key.terminal) for spelling, key in KEYWORDS if "一" <= spelling[0] <= "龥"]
)
def test_every_chinese_keyword_counts_as_chinese(spelling: str, terminal: str) -> None:
    text = ALONE[terminal].format(spelling)
    parse(text)
    assert language_of(text) == "zh"


def test_the_same_text_gives_the_same_tree_object() -> None:
    assert parse("tool is shell") is parse("tool is shell")
