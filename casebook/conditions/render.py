"""From a tree to its canonical text, in English or Chinese; `parse` gives the tree back. Nothing here recurses."""

from __future__ import annotations

from typing import Final, Literal

from casebook.conditions.literals import quote
from casebook.conditions.moments import Language, write_days, write_duration, write_time
from casebook.conditions.names import write_field
from casebook.conditions.patterns import write_pattern
from casebook.conditions.tree import (
    Always,
    And,
    Count,
    Date,
    Day,
    DaySpan,
    Earlier,
    Month,
    Node,
    Not,
    Or,
    Pattern,
    Test,
    This,
    Time,
    Value,
    Week,
    Weekday,
)

_WORDS: Final[dict[Language, dict[str, str]]] = {
    "en": {
        "and": "and", "or": "or", "not": "not", "always": "always", "this": "this", "true": "true", "false": "false",
        "is": "is", "is_not": "is not", "in": "in", "not_in": "not in", "exists": "exists", "missing": "is missing",
        "contains": "contains", "starts_with": "starts with", "ends_with": "ends with", "like": "like",
        "matches": "matches", "between": "between", "to": "and", "on": "on", "zone": "in",
        "time": "time", "weekday": "weekday", "week": "week", "date": "date", "month": "month", "day": "day",
        "earlier": "earlier", "no_earlier": "no earlier", "count": "count of", "where": "where",
        "tool": "tool", "task": "task", "error": "error", "feedback": "feedback", "recall": "recall", "reuse": "reuse",
    },
    "zh": {
        "and": "且", "or": "或", "not": "非", "always": "始终", "this": "本次", "true": "真", "false": "假",
        "is": "为", "is_not": "不为", "in": "属于", "not_in": "不属于", "exists": "存在", "missing": "缺失",
        "contains": "包含", "starts_with": "开头", "ends_with": "结尾", "like": "形如",
        "matches": "匹配", "between": "在", "to": "到", "on": "始于", "zone": "时区",
        "time": "时间", "weekday": "星期", "week": "一周", "date": "日期", "month": "月份", "day": "日号",
        "earlier": "此前有", "no_earlier": "此前没有", "count": "统计", "where": "满足",
        "tool": "工具", "task": "任务", "error": "错误", "feedback": "反馈", "recall": "recall", "reuse": "reuse",
    },
}  # fmt: skip
_COMPARED: Final = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
_NEGATED_OPS: Final = frozenset({"contains", "starts_with", "ends_with", "like", "matches", "between"})


def render(node: Node, language: Literal["zh", "en"] = "en") -> str:
    """Give the canonical text of a tree.

    Args:
        node: any tree that `parse` or `from_json` can give.
        language: of the keywords and field names; constants stay as they are.

    Returns:
        one line (but for line ends inside patterns); `parse` of it is `node` again.
    """
    written: list[str] = []
    waiting: list[Node | str] = [node]
    while waiting:
        top = waiting.pop()
        if isinstance(top, str):
            written.append(top)
        else:
            waiting.extend(reversed(_pieces(top, _WORDS[language], language)))
    return "".join(written)


def _pieces(node: Node, words: dict[str, str], language: Language) -> list[Node | str]:
    """Give what a node is written as: text, and the nodes below it."""
    match node:
        case Always():
            return [words["always"]]
        case And(items) | Or(items):
            between = f" {words['and' if isinstance(node, And) else 'or']} "
            pieces: list[Node | str] = []
            for item in items:
                pieces += [between] if pieces else []
                pieces += _operand(item) if isinstance(node, And) or isinstance(item, Or) else [item]
            return pieces
        case Not(item):
            if isinstance(item, Earlier):
                return _earlier(item, words["no_earlier"], words, language)
            if _has_negated_form(item):
                return [_leaf(item, words, language, negated=True)]
            return [words["not"] + " ", *_operand(item)]
        case Earlier():
            return _earlier(node, words["earlier"], words, language)
        case Count(kind, where, within, op, value):
            return [
                f"{words['count']} {words[kind]}",
                *_tail(where, within, words, language),
                f" {_COMPARED.get(op) or words[op]} {value}",
            ]
        case _:
            return [_leaf(node, words, language, negated=False)]


def _operand(node: Node) -> list[Node | str]:
    """Give a node with parentheses where it is made of several."""
    return ["(", node, ")"] if isinstance(node, And | Or) else [node]


def _has_negated_form(node: Node) -> bool:
    match node:
        case Test(op=op):
            return op in _NEGATED_OPS
        case Date(op=op) | Month(op=op) | Day(op=op):
            return op == "between"
        case _:
            return isinstance(node, Time | Week)


def _earlier(node: Earlier, keyword: str, words: dict[str, str], language: Language) -> list[Node | str]:
    return [f"{keyword} {words[node.kind]}", *_tail(node.where, node.within, words, language)]


def _tail(where: Node | None, within: int | None, words: dict[str, str], language: Language) -> list[Node | str]:
    pieces: list[Node | str] = [] if where is None else [f" {words['where']} ", *_operand(where)]
    if within is not None:
        duration = write_duration(within, language)
        pieces.append(f" within {duration}" if language == "en" else f" {duration}内")
    return pieces


def _leaf(node: Node, words: dict[str, str], language: Language, *, negated: bool) -> str:
    """Give the text of a test or clock, negated in its own way where that is asked."""
    if isinstance(node, Test):
        return _test(node, words, language, negated=negated)
    text = _clock(node, words, language, negated=negated)
    zone = getattr(node, "zone", None)
    return text if zone is None else f"{text} {words['zone']} {zone}"


def _test(test: Test, words: dict[str, str], language: Language, *, negated: bool) -> str:
    field = write_field(test.field, language)
    value = test.value
    if value is None:
        return f"{field} {words[test.op]}"
    if test.op == "between" and isinstance(value, tuple):
        low, high = (_value(each, words, language) for each in value)
        return f"{field} {_span(low, high, words, language, negated=negated)}"
    if isinstance(value, tuple):
        return f"{field} {words[test.op]} [{', '.join(_value(each, words, language) for each in value)}]"
    written = write_pattern(value) if isinstance(value, Pattern) else _value(value, words, language)
    if language == "zh" and test.op in ("starts_with", "ends_with"):
        if isinstance(value, str):
            return f"{field} {'不以' if negated else '以'} {written} {words[test.op]}"
        return f"{field} {'不' if negated else ''}{words[test.op]}为 {written}"
    keyword = _COMPARED.get(test.op) or words[test.op]
    negation = ("not " if language == "en" else "不") if negated else ""
    return f"{field} {negation}{keyword} {written}"


def _value(value: Value, words: dict[str, str], language: Language) -> str:
    if isinstance(value, bool):
        return words["true" if value else "false"]
    if isinstance(value, This):
        return f"{words['this']} {write_field(value.field, language)}"
    return quote(value) if isinstance(value, str) else repr(value)


def _span(low: str, high: str, words: dict[str, str], language: Language, *, negated: bool) -> str:
    """Give `between low and high`, 在 low 到 high 之间."""
    if language == "en":
        return f"{'not ' if negated else ''}between {low} and {high}"
    return f"{'不' if negated else ''}{words['between']} {low} {words['to']} {high} 之间"


def _days(spans: tuple[DaySpan, ...], language: Language, *, named: bool = False) -> str:
    written = [write_days(span, language, named=named) for span in spans]
    return written[0] if len(written) == 1 else f"[{', '.join(written)}]"


def _clock(node: Node, words: dict[str, str], language: Language, *, negated: bool) -> str:
    match node:
        case Time(start, end, days):
            window = _span(write_time(start), write_time(end), words, language, negated=negated)
            on = "" if days is None else f" {words['on']} {_days(days, language)}"
            return f"{words['time']} {window}{on}"
        case Weekday(op, days):
            return f"{words['weekday']} {_set_op(op, words, language)} {_days(days, language, named=op in ('is', 'is_not'))}"
        case Week(start, end):
            first, last = (f"{write_days((day, day), language)} {write_time(seconds)}" for day, seconds in (start, end))
            return f"{words['week']} {_span(first, last, words, language, negated=negated)}"
        case Date(op, values):
            if op == "between":
                return f"{words['date']} {_span(values[0], values[1], words, language, negated=negated)}"
            return f"{words['date']} {_COMPARED.get(op) or words[op]} {values[0]}"
        case Month(op, values) | Day(op, values):
            unit = words["month" if isinstance(node, Month) else "day"]
            if op == "between":
                return f"{unit} {_span(str(values[0]), str(values[1]), words, language, negated=negated)}"
            if op in ("in", "not_in"):
                return f"{unit} {_set_op(op, words, language)} [{', '.join(map(str, values))}]"
            return f"{unit} {words[op]} {values[0]}"
        case _:
            raise AssertionError(f"no leaf: {type(node).__name__}")


def _set_op(op: str, words: dict[str, str], language: Language) -> str:
    """Give the word before a set of days or months: in Chinese 在 rather than 属于."""
    if language == "zh" and op in ("in", "not_in"):
        return "在" if op == "in" else "不在"
    return words[op]
