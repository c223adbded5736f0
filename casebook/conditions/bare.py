"""Bare values that read as something else: a field, emptiness, a pattern, two values. They are faults; quotes make text of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from casebook.conditions.complaints import complain, shown
from casebook.conditions.fields import EVENT_FIELDS
from casebook.conditions.lexicon import FIELD_NAMES_ZH, KEYWORDS
from casebook.conditions.literals import CLOSING, NUMBER, quote

if TYPE_CHECKING:
    from casebook.conditions.lexing import Lexeme
    from casebook.conditions.names import Declared, Named

_MISSING: Final = (
    "empty", "blank", "none", "nil", "undefined", "unset", "absent", "空值", "空白", "空的", "空字符串", "无", "未设置",
    "未定义", "没有",
)  # fmt: skip
_PRESENT: Final = ("set", "present", "defined", "given", "provided", "nonempty", "non-empty", "非空", "有值", "已设置")
_ANY: Final = ("any", "anything", "anyone", "anybody", "something", "someone", "任何", "任意", "任何人", "所有人")
_TRUE: Final = ("yes", "on", "是的", "对")
_FALSE: Final = ("no", "off", "否", "不是")
_NAMES: Final = frozenset(EVENT_FIELDS) | frozenset(FIELD_NAMES_ZH)
_GROUPS: Final = frozenset(
    {"参数", "上下文", "错误", "arg", "arguments", "param", "params", "parameters", "ctx", "event"}
)
"""What people write for `args`, `context` and `error`."""
_TOLD: Final = frozenset({*_MISSING, *_PRESENT, *_ANY, *_TRUE, *_FALSE, *_NAMES})
_PRINCIPALS: Final = frozenset({"user", "project", "team", "agent", "session", "channel", "model"})
_LIKE_REGEX: Final = re.compile("/[^/]+/[ims]{1,3}")
_SIGNED: Final = re.compile(r"[+-]?0[0-9]|\+[0-9]{7}")

_ZH_NAMES: Final = "|".join(FIELD_NAMES_ZH)
_ZH_OPERATORS: Final = "|".join(
    spelling
    for spelling, keyword in sorted(KEYWORDS, key=lambda entry: -len(entry[0]))
    if not spelling.isascii()
    and keyword.terminal in ("EQ", "NE", "CMP", "TEXT", "NOT_TEXT", "MATCHES", "NOT_MATCHES", "AT")
)
_ANOTHER_TEST: Final = re.compile(
    rf"(?<=.)(?:同时|而且|并且|以及|且|并|和|或者|或)?(?:(?:{_ZH_NAMES})(?:{_ZH_OPERATORS})|(?:当前)?时间[在为]|星期[在为是]|今天[是为]|此前(?:没)?有)"
)
_JOINED: Final = re.compile(
    "并且|以及|而且|同时|且|或者|或|也不?是|不是|(?<=[!-~])也|(?<=[!-~])[和与及]|[和与及](?=[!-~])|(?<=[一-鿿]{2})[和与及](?=[一-鿿]{2})"
)
_TRAILING: Final = re.compile(
    "(?:的时候|的话|之一|吗|呢|吧)$|(?<=[!-~])(?:时候?|则|就|的|了|中|里)$|(?<=[^小定实临及延超按随同暂平工计耗限准即届过历]{2})时$"
)


def check_word(word: str, at: int, declared: Declared, *, like: bool, pattern: bool, inside: bool, ends: bool) -> None:
    """Refuse a bare word that reads as something else wherever it stands.

    Args:
        word: as it was written.
        at: where it stands, from 0.
        declared: extra fields of the policy.
        like: whether it is the pattern of a `like`.
        pattern: whether it is the pattern of a `matches`.
        inside: whether a `where` stands before it.
        ends: whether white space, a bracket, a comma or the end follows it.

    Raises:
        ConditionError: it begins with a field's name and a dot, ends like a sentence, or has a star in it.
    """
    root, dot, _ = word.partition(".")
    if dot and (root.lower() in _NAMES or root.lower() in _GROUPS or root in declared):
        cure = f"{quote(word)} in quotes where the text is meant"
        raise complain(
            f"expected a value, got the field {shown(word)}: fields cannot be compared with one another",
            at,
            f"this {word}, or {cure}" if inside else cure,
        )
    if pattern:
        return
    if ends and word[-1] in ".:":
        plain = word.rstrip(".:")
        cure = f"{plain}, or {quote(word)} in quotes" if plain else quote(word)
        raise complain(f"expected a value, got {shown(word)}, which ends like a sentence", at, cure)
    if _LIKE_REGEX.fullmatch(word) and not like:
        cure = f"matches {word}, or {quote(word)} in quotes"
        raise complain(f"expected a value, got {shown(word)}, which looks like a pattern", at, cure)
    if "*" in word and not like:
        raise complain(
            f"expected a value, got {shown(word)}, which looks like a pattern",
            at,
            f"like {quote(word)}, or {quote(word)} in quotes where the star itself is meant",
        )
    if not word.isascii():
        _check_chinese(word, at)


def _check_chinese(word: str, at: int) -> None:
    """Refuse a bare word in which Chinese, which needs no spaces, says more than one value."""
    if another := _ANOTHER_TEST.search(word):
        place = another.start()
        raise complain(
            f"expected a value, got {shown(word)}, in which another condition seems to begin",
            at,
            f"{word[:place]} {word[place:]}",
        )
    if (joined := _JOINED.search(word)) and joined.start():
        raise complain(
            f"expected a value, got {shown(word)}, which reads as several",
            at,
            f"{quote(word)} in quotes, or a list [a, b]",
        )
    if trailing := _TRAILING.search(word):
        plain = word[: trailing.start()]
        raise complain(
            f"expected a value, got {shown(word)}, which ends in {shown(trailing[0])}",
            at,
            f"{plain}, or {quote(word)} in quotes",
        )


def is_bare(lexeme: Lexeme) -> bool:
    """Say whether a value stood without quotes."""
    return lexeme.type == "VALUE" and lexeme.scan.text[lexeme.at] not in CLOSING


def check_equal(named: Named, op: str, value: Lexeme) -> None:
    """Refuse a bare value of `is` or `in` that reads as something else with this field; raises ConditionError."""
    found = value.value
    if type(found) is str:
        word = found.lower()
        if word in _TOLD and is_bare(value) and (told := _told(named, op, word, found)):
            raise complain(told[0], value.at, told[1])
    elif type(found) in (int, float) and value.scan.folded[value.at] in "+0-" and is_bare(value):
        check_digits(value)


def check_digits(value: Lexeme) -> None:
    """Refuse a number whose sign or zeros would be lost; raises ConditionError."""
    if _SIGNED.match(value.scan.folded, value.at):
        spelled = spelled_number(value)
        raise complain(
            f"expected a value, got {shown(spelled)}, which as a number is {value.value}",
            value.at,
            f"{quote(spelled)} for the text, {value.value} for the number",
        )


def spelled_number(value: Lexeme) -> str:
    """Give a number as it was written."""
    found = NUMBER.match(value.scan.folded, value.at)
    return found[0] if found else str(value.value)


def check_needle(named: Named, value: Lexeme) -> None:
    """Refuse a bare field's name after `contains` and its like on a free field; raises ConditionError."""
    found = value.value
    if type(found) is str and found.lower() in _NAMES and is_bare(value) and named.type == "any":
        message, cure = _of_field(found)
        raise complain(message, value.at, cure)


def _of_field(word: str) -> tuple[str, str]:
    return (
        f"expected a value, got the field {shown(word)}: fields cannot be compared with one another",
        f"{quote(word)} in quotes where the text is meant",
    )


def _told(named: Named, op: str, word: str, written: str) -> tuple[str, str] | None:
    """Give the message and the cure for a word that reads as something else, or None where it may be a value here."""
    if word in _NAMES:
        principal = len(named.field.path) == 1 and named.field.root in _PRINCIPALS
        return _of_field(written) if named.type == "any" or principal else None
    free = named.type == "any"
    if word in _TRUE or word in _FALSE:
        cure = ("true" if word in _TRUE else "false") + f", or {quote(written)} in quotes"
        return (f"expected a value, got {shown(written)}, which reads as true or false", cure) if free else None
    if op not in ("is", "is_not"):
        return None
    gone = (word in _MISSING) is (op == "is")
    return (
        f"expected a value, got {shown(written)}, which reads as {'missing' if word in _MISSING else 'being there'}",
        f"{'is missing' if gone else 'exists'}, or {quote(written)} in quotes",
    )
