"""What engineers write before they have read the page: it parses to what is meant, or the fault says how to write it."""

import pytest

from casebook.conditions.parse import parse
from casebook.conditions.render import render
from casebook.faults import ConditionError

MEANT = [
    # written, the canonical text of what it means
    ('tool = "Bash"', 'tool is "Bash"'),
    ("tool is Bash", 'tool is "Bash"'),
    ("project is 'a' && !(user is 'b')", 'project is "a" and not user is "b"'),
    ("project is 'a' AND user is 'b' or always", 'project is "a" and user is "b" or always'),
    ("args.x ==null", "args.x is missing"),
    ("args.x != null", "args.x exists"),
    ("args.x 为空", "args.x is missing"),
    ("args.x 为 空", "args.x is missing"),
    ("args.x 不为空", "args.x exists"),
    ("args.amount between 10-20", "args.amount between 10 and 20"),
    ("args.amount 在 10~20 之间", "args.amount between 10 and 20"),
    ("时间在22:00-06:00", "time between 22:00 and 06:00"),
    ("time in 22:00-06:00", "time between 22:00 and 06:00"),
    ("time between 9 and 17:30", "time between 09:00 and 17:30"),
    ("weekday in [Sat, Sun]", "weekday in [Sat, Sun]"),
    ("weekday is Mon-Fri", "weekday is weekdays"),
    ("今天是周末", "weekday is weekend"),
    ("星期 在 周一到周五", "weekday in Mon-Fri"),
    ("月份 为 6月", "month is 6"),
    ("月份 在 [6月, 7月]", "month in [6, 7]"),
    ("月份 在 6月 到 8月 之间", "month between 6 and 8"),
    ("日号 为 1号", "day is 1"),
    ("日号为1日", "day is 1"),
    ("日号 在 1日 到 7日 之间", "day between 1 and 7"),
    ("month is 03", "month is 3"),
    ("text contains 007", 'text contains "007"'),
    ("text contains 1.50", 'text contains "1.50"'),
    ("文本 不 包含 “x”", 'text not contains "x"'),
    ("工具 ！= shell", 'tool is not "shell"'),
    ("point is tool", 'point is "tool"'),
    ("tool is agent", 'tool is "agent"'),
    ("model is gpt-4.1", 'model is "gpt-4.1"'),
    ("channel is #general", 'channel is "#general"'),
    ("args.url is https://x.y/z", 'args.url is "https://x.y/z"'),
    ("action like git*", 'action like "git*"'),
    ("意图为定时", 'intent is "定时"'),
    ("用户为张和平", 'user is "张和平"'),
]  # fmt: skip
REWRITTEN = [
    # written, the whole condition that is suggested
    ("intent is push or refund", "intent in [push, refund]"),
    ('intent is "push" || "refund"', 'intent in ["push", "refund"]'),
    ("intent is not push or refund", "intent not in [push, refund]"),
    ("intent is push and refund", "intent is push and intent is refund"),
    ("intent is push, refund", "intent in [push, refund]"),
    ("user is either ann or bob", "user in [ann, bob]"),
    ("user is neither ann nor bob", "user not in [ann, bob]"),
    ("工具 是 shell 或者 edit", "工具 在 [shell, edit]"),
    ("工具 在 shell、edit 中", "工具 在 [shell, edit]"),
    ("tool is one of (a, b)", "tool in [a, b]"),
    ("tool in (a, b)", "tool in [a, b]"),
    ("tool is in [a, b]", "tool in [a, b]"),
    ("tool in a, b", "tool in [a, b]"),
    ('text contains "a" or "b"', 'text contains "a" or text contains "b"'),
    ('text contains ["a","b"]', 'text contains "a" or text contains "b"'),
    ('text contains any of ["a", "b"]', 'text contains "a" or text contains "b"'),
    ('text contains all of ["a", "b"]', 'text contains "a" and text contains "b"'),
    ('text not contains "a" or "b"', 'text not contains "a" and text not contains "b"'),
    ('text contains "a" and not "b"', 'text contains "a" and text not contains "b"'),
    ('文本 包含 "a" 或 "b"', '文本 包含 "a" 或 文本 包含 "b"'),
    ('text !contains "x"', 'text not contains "x"'),
    ('text not contain "x"', 'text not contains "x"'),
    ('text startsWith "x"', 'text starts with "x"'),
    ('text.startsWith("x")', 'text starts with "x"'),
    ('contains(text, "x")', 'text contains "x"'),
    ('text ~ "x"', 'text matches "x"'),
    ('"rm -rf" in text', 'text contains "rm -rf"'),
    ('文本里有"x"', '文本 包含 "x"'),
    ('文本 以 "x" 开始', '文本 以 "x" 开头'),
    ("path in /etc", "path starts with /etc"),
    ("not exists args.x", "args.x is missing"),
    ("exists(args.x)", "args.x exists"),
    ("args.x does not exist", "args.x is missing"),
    ("args.amount > 1,000", "args.amount > 1000"),
    ("args.amount > $1_000", "args.amount > 1000"),
    ("args.amount 超过 1万元", "args.amount 超过 10000"),
    ("args.timeout > 30s", "args.timeout > 30"),
    ("args.amount > 10 and < 20", "args.amount > 10 and args.amount < 20"),
    ("args.amount 大于 100 且 小于 200", "args.amount 大于 100 且 args.amount 小于 200"),
    ("10 < args.amount < 20", "args.amount > 10 and args.amount < 20"),
    ("args.amount is between 10 to 20", "args.amount between 10 and 20"),
    ("args.x is at least 5", "args.x >= 5"),
    ("args.amount 不低于 100", "args.amount 大于等于 100"),
    ("amount > 1,000", "args.amount > 1000"),
    ('args["x"] is 1', 'args."x" is 1'),
    ("args.items[0].name is x", "args.items.0.name is x"),
    ("tool: shell", "tool is shell"),
    ("tool isn't shell", "tool is not shell"),
    ("tool is shell, user is b", "tool is shell and user is b"),
    ('project is "a" unless user is "b"', 'project is "a" and not (user is "b")'),
    ("如果 工具 为 shell", "工具 为 shell"),
    ("当工具为shell时", "工具为shell"),
    ("if tool is shell then", "tool is shell"),
    ("when tool is shell", "tool is shell"),
    ("工具是shell同时用户是b", "工具是shell 且 用户是b"),
    ("工具为shell，用户为b", "工具为shell 且 用户为b"),
    ("星期 为 周六 或 周日", "星期 在 [周六, 周日]"),
    ("weekday is Sat or Sun", "weekday in [Sat, Sun]"),
    ("weekday between Tue and Thu", "weekday in Tue-Thu"),
    ("每周五", "星期 为 周五"),
    ("现在是周末", "星期 为 周末"),
    ("周末", "星期 为 周末"),
    ("weekend", "weekday is weekend"),
    ("tool is shell and weekend", "tool is shell and weekday is weekend"),
    ("on Friday", "weekday is Friday"),
    ("day is Friday", "weekday is Friday"),
    ("工作日 9点到18点", "时间 在 9点 到 18点 始于 工作日"),
    ("hour >= 22", "time between 22:00 and 24:00"),
    ("hour < 6", "time between 00:00 and 06:00"),
    ("time >= 22:00", "time between 22:00 and 24:00"),
    ("时间 在 22点 以后", "时间 在 22:00 到 24:00"),
    ("时间是 22点到6点", "时间 在 22:00 到 06:00 之间"),
    ("时间 是 9:00到18:00 始于 工作日", "时间 在 09:00 到 18:00 之间 始于 工作日"),
    ("时间为晚上十点至早上六点 且 工具 是 shell", "时间 在 22:00 到 06:00 之间 且 工具 是 shell"),
    ("time is 9am to 5pm", "time between 09:00 and 17:00"),
    ("between 9am and 5pm", "time between 09:00 and 17:00"),
    ("time between 9am and 5pm", "time between 09:00 and 17:00"),
    ("时间 在 晚上10点 到 早上6点 之间", "时间 在 22:00 到 06:00 之间"),
    ("时间在晚上十点到早上六点", "时间在22:00到06:00"),
    ("time between 22:00 and 06:00, Mon-Fri", "time between 22:00 and 06:00 on Mon-Fri"),
    ("time between 22:00 and 06:00 UTC+8", "time between 22:00 and 06:00 in Etc/GMT-8"),
    ("month is March", "month is 3"),
    ("月份 为 六月", "月份 为 6"),
    ("month > 3", "month between 4 and 12"),
    ("date is 12-25", "month is 12 and day is 25"),
    ("日期 为 12月25日", "月份 为 12 且 日号 为 25"),
    ("date after 2026-03-01", "date > 2026-03-01"),
    ("earlier tool where action is pytest within the last hour", "earlier tool where action is pytest within 1h"),
    ("earlier tool action is pytest", "earlier tool where action is pytest"),
    ("count of errors > 2 within 30m", "count of error within 30m > 2"),
    ("最近1小时内有错误", "此前有 错误 1小时内"),
    ("统计错误 >= 2次", "统计错误 >= 2"),
    ("意图为推送或退款", "意图 在 [推送, 退款]"),
    ("date is 2026-03-01 or 2026-03-02", "date is 2026-03-01 or date is 2026-03-02"),
    ("time between 8:00-12:00 and 14:00-18:00", "time between 8:00-12:00 or time between 14:00-18:00"),
    ("true", "always"),
]  # fmt: skip
COMPARED = "fields cannot be compared with one another"
TOLD = [
    # written, a part of the message, the suggestion
    ("args.currency is not context.currency", COMPARED, '"context.currency" in quotes where the text is meant'),
    ("args.x is Session.tools", COMPARED, '"Session.tools" in quotes where the text is meant'),
    ("args.x > args.y", COMPARED, '"args.y" in quotes where the text is meant'),
    ("args.x in [a, error.type]", COMPARED, '"error.type" in quotes where the text is meant'),
    ("用户 为 上下文.所有者", COMPARED, '"上下文.所有者" in quotes where the text is meant'),
    ("args.x 为 会话.渠道", COMPARED, '"会话.渠道" in quotes where the text is meant'),
    ("text matches args.pattern", COMPARED, '"args.pattern" in quotes where the text is meant'),
    ("args.owner is user", COMPARED, '"user" in quotes where the text is meant'),
    ("user is agent", COMPARED, '"agent" in quotes where the text is meant'),
    ("args.x contains user", COMPARED, '"user" in quotes where the text is meant'),
    ("earlier tool where args.x is args.y", COMPARED, 'this args.y, or "args.y" in quotes where the text is meant'),
    ("args.x is empty", "reads as missing", 'is missing, or "empty" in quotes'),
    ("text is not empty", "reads as missing", 'exists, or "empty" in quotes'),
    ("args.x is None", "reads as missing", 'is missing, or "None" in quotes'),
    ("args.x is not set", "reads as being there", 'is missing, or "set" in quotes'),
    ("user is anyone", "reads as being there", 'exists, or "anyone" in quotes'),
    ("args.dry_run is yes", "reads as true or false", 'true, or "yes" in quotes'),
    ("args.zip is 01234", "which as a number is 1234", '"01234" for the text, 1234 for the number'),
    ("args.phone is +8613800000000", "which as a number is", '"+8613800000000" for the text, 8613800000000 for the number'),
    ("path is *.py", "looks like a pattern", 'like "*.py", or "*.py" in quotes where the star itself is meant'),
    ("tool is shell.", "ends like a sentence", "tool is shell"),
    ("意图为推送时", "which ends in", "意图为推送"),
    ("时间 在 九点 到 五点", "expected a time", None),
    ("time between 9 and 5", "halves of the day", "09:00 and 17:00, or 21:00 and 05:00, or 09:00 and 05:00"),
    ("时间 在 9点 到 5点", "halves of the day", "09:00 and 17:00, or 21:00 and 05:00, or 09:00 and 05:00"),
    ("用户不是ann也不是bob", "which reads as several", '"ann也不是bob" in quotes, or a list [a, b]'),
    ("工具是shell吗", "which ends in", 'shell, or "shell吗" in quotes'),
    ("text contains /x/i", "looks like a pattern", 'matches /x/i, or "/x/i" in quotes'),
    ("amount > 5", "unknown field", "args.amount"),
    ("金额 大于 5", "unknown field", "args.金额"),
    ("参数.金额 大于 5", "unknown field", "args.金额"),
    ("errors >= 2", "unknown field", "session.errors"),
    ("会话.错误 >= 2", "unknown field", "session.errors"),
    ("session.user is x", "unknown field", "user"),
    ("toolName is shell", "unknown field", "tool"),
    ('args.amount >= "5"', "expected a number", "5 without quotes"),
    ("args.size > 10%", "expected a value", "10 as a plain number, in the unit of the field"),
    ("args.command contains rm -rf", "expected and, or", '"rm -rf"'),
    ("args.command contains --force", "expected a value", 'write "--force" in quotes'),
    ("user is ~", "expected a value", 'write "~" in quotes'),
    ("用户 是 ～", "expected a value", 'write "～" in quotes'),
    ("path starts with ~/notes", "expected a value", 'write "~/notes" in quotes'),
    ("args.dry_run", "expected an operator", "args.dry_run exists, or args.dry_run is true"),
    ("weekday is 6", "expected a weekday", "Sat, where Monday is 1"),
    ("time between 22:00 and 06:00 in Beijing", "expected an IANA time zone", "Asia/Shanghai"),
    ("len(args.x) > 5", "unknown field", "there are no functions: text matches /^.{100,}$/s is a length"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "meant"), MEANT)
def test_a_guess_that_is_of_the_language_means_what_a_reader_takes_it_for(written: str, meant: str) -> None:
    assert render(parse(written)) == meant


@pytest.mark.parametrize(("written", "meant"), REWRITTEN)
def test_a_guess_that_is_not_is_answered_with_the_whole_condition_that_was_meant(written: str, meant: str) -> None:
    with pytest.raises(ConditionError) as raised:
        parse(written)
    assert raised.value.suggestion == meant
    parse(meant)


@pytest.mark.parametrize(("written", "message", "suggestion"), TOLD)
def test_a_guess_that_may_mean_two_things_is_answered_with_how_to_say_either(
    written: str, message: str, suggestion: str | None
) -> None:
    with pytest.raises(ConditionError) as raised:
        parse(written)
    assert message in raised.value.message
    assert raised.value.suggestion == suggestion


@pytest.mark.parametrize("value", ["context.currency", "user", "empty", "*.py", "shell.", "01234", "推送或退款", "yes"])
def test_in_quotes_every_text_is_itself(value: str) -> None:
    assert render(parse(f'args.x is "{value}"')) == f'args.x is "{value}"'


def test_what_stands_in_quotes_is_never_rewritten() -> None:
    with pytest.raises(ConditionError) as raised:
        parse('if text contains "if a is 1,000 or b" then')
    assert raised.value.suggestion == 'text contains "if a is 1,000 or b"'


def test_a_long_condition_is_not_rewritten() -> None:
    with pytest.raises(ConditionError) as raised:
        parse(f'if text contains "{"x" * 400}"')
    assert raised.value.suggestion is None
