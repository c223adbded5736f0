"""Flags that a sentence says are missing, or have to be there: the case comes up where the command line does not have them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from casebook.conditions.tree import Field, Node, Not, Pattern, Test
from casebook.runtime.teaching.flag_names import having_pattern, names_are_known
from casebook.runtime.teaching.in_command import quoted
from casebook.runtime.teaching.unsaid import commands_of

_FLAG: Final = r"`?(?P<flag>--?[A-Za-z][\w-]*(?:=[\w./:@-]+)?)`?(?![\w-])"
_VALUE: Final = r"(?:\s+`?(?P<value>[A-Za-z0-9_/~.-]*[./\d][\w./~:-]*\w)`?(?!\w))?"
_WITHOUT: Final = re.compile(
    rf"(?:^|\s)(?:without|w/o)\s+(?:(?:also|ever)\s+)?(?:using\s+|passing\s+|adding\s+|giving\s+)?(?:the\s+|a\s+|an\s+)?{_FLAG}{_VALUE}(?:\s+(?:flag|option|switch))?(?:\s+(?:first|set|on))?"
    rf"|(?:不带上?|不加上?|没有?带?|没加|没用|不用|不使用|不传|缺少?|不指定)\s*{_FLAG.replace('flag', 'zflag')}{_VALUE.replace('value', 'zvalue')}\s*(?:参数|选项|标志)?\s*(?:的情况下|时)?(?:就|来|去|直接|而)*\s*(?:执行|运行|使用|跑|用)?",
    re.IGNORECASE,
)
_REQUIRED: Final = re.compile(
    rf"(?:\b(?:needs?|requires?|wants?|must\s+(?:always\s+)?(?:have|get|use|be\s+run\s+with|come\s+with)|should\s+(?:always\s+)?(?:have|get|use)|always|add|pass|include|forgot|forget|missed|missing|lacks?|use|using|append|set|supply|give\s+it|with)\s+(?:to\s+(?:use|pass|add|set)\s+)?(?:the\s+|a\s+|an\s+|its\s+|me\s+)?{_FLAG}{_VALUE}(?:\s+(?:flag|option|switch))?(?:\s+(?:first|here|too|as\s+well))?)"
    rf"|(?:需要|必须|应该|记得|别忘了|要|得|忘了|忘记了?|少了|缺少?|漏了|加上?|带上?|传)+\s*(?:用|加上?|带上?|使用|传入?|指定)?\s*{_FLAG.replace('flag', 'zflag')}{_VALUE.replace('value', 'zvalue')}\s*(?:这个)?(?:参数|选项|标志)?",
    re.IGNORECASE,
)


def without_in(text: str) -> tuple[tuple[str, ...], str]:
    """Take the flags out of a clause that it says are missing: `run pytest without -x`, `不带 --dry-run 执行 helm upgrade`.

    Returns:
        The flag, with its value where one is said, and the rest of the clause. Of several, which are joined by a word that may
        mean each or all of them, none.
    """
    return _taken(_WITHOUT, text)


def required_in(text: str) -> tuple[tuple[str, ...], str]:
    """Take the flag out of a sentence that it says is needed: `helm needs -n`, `git push 要带 --force-with-lease`; likewise."""
    return _taken(_REQUIRED, text)


def _taken(pattern: re.Pattern[str], text: str) -> tuple[tuple[str, ...], str]:
    found = [*pattern.finditer(text)]
    if len(found) != 1:
        return (), text
    (one,) = found
    if re.match(r"\s*(?:,|and|or|nor|和|或者?|及|、)\s*`?-", text[one.end() :]):
        return (), text
    flag, value = one["flag"] or one["zflag"], one["value"] or one["zvalue"]
    return (" ".join(filter(None, (flag, value))),), f"{text[: one.start()]} {text[one.end() :]}".strip()


def lacking(flag: str, about: Sequence[Node]) -> Node:
    """Give the condition that a command line does not have a flag, by whichever of its names and at whatever place.

    Args:
        flag: the flag, with its value behind it where one is said.
        about: conditions on the command.
    """
    commands = [each for node in about for each in commands_of(node)]
    name, _, value = flag.partition(" ")
    having = "|".join(dict.fromkeys(having_pattern(each, name) for each in commands)) or rf"[\s\"']{quoted(name)}"
    behind = rf"[\s=]*[\"']?{quoted(value)}" if value else ""
    pattern = Pattern(rf"({having}){behind}([\s=;&|)<>`\"']|$)")
    return Not(Test(Field(("args", "command")), "matches", pattern))


def by_another_name(flag: str, about: Sequence[Node]) -> str:
    """Give what `lacking` does not say of a flag: that it may stand there by another name, which no table tells; "" where one does.

    Args:
        flag: as in `lacking`.
        about: as in `lacking`.
    """
    commands = [each for node in about for each in commands_of(node)]
    name = flag.partition(" ")[0].partition("=")[0]
    known = bool(commands) and all(names_are_known(each, name) for each in commands)
    return "" if known else f"{name} by another name"
