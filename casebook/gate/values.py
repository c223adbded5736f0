"""What has one value at a time: the owner of billing, the default branch, 负责人; two values of one are a contradiction."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from casebook.gate.cue_set import compiled
from casebook.gate.words import tokens_in

_ONE = (
    "branch|owner|lead|leader|manager|boss|maintainer|assignee|contact|deadline|due date|name|address|email|phone|url|host|hostname|domain|"
    "region|time ?zone|database|editor|ide|package manager|framework|test runner|linter|formatter|shell|os|operating system|browser|"
    "native language|mother tongue|favou?rite \\w+|default \\w+|main \\w+|primary \\w+|official \\w+|capital|port|version|budget|role|job|title|birthday|"
    "base image|cloud provider|provider|registry|orm|bundler"
)
_ENGLISH = re.compile(
    rf"^(?P<subject>(?:the |our |my |your )?(?:[\w'-]+ ){{0,4}}?(?:{_ONE})(?: (?:of|for|in|on) [\w' -]{{1,40}}?)?) (?:is|are|=)(?: called| set to)? (?P<value>[\w.@#/+-]+(?: [\w.@#/+-]+){{0,2}})[.! ]*$"
)
_CHINESE = re.compile(
    "^(?P<subject>[^,。;!?]{0,20}?(?:负责人|分支|所有者|经理|组长|主管|老板|域名|地址|仓库|名字|名称|时区|母语|编辑器|框架|包管理器|数据库|版本|浏览器|"
    "操作系统|截止日期|生日|职位|邮箱|电话|城市|默认[^是为,]{1,8}|主要[^是为,]{1,8}))(?:现在|目前|已经)?(?:是|为|叫做?|用|改成了?|改为|换成了?|换为|[:=]) ?(?P<value>[^,。;!?的]{1,15})[。.! ]*$"
)
_LIVES = re.compile(
    r"^(?:i|we|my team|the team) (?:live|lives|work|works|am based|are based|is based|moved)(?: now)? (?:in|at|for|to) (?P<value>[\w.-]+(?: [\w.-]+){0,2}?)(?: now)?[.! ]*$"
    "|^我(?:现在|目前)?(?:住在|定居在?|在)(?P<zh>[^,。;!?的]{2,8}?)(?:工作|生活|上班)?[。.! ]*$"
)
_MOST = 120
"""Characters of a text that may say the value of something (ours)."""
_QUALITY = re.compile(
    r"^(?:in|at|on|for|with|from|under|behind|near|about|to|of)$|(?:ed|ing|able|ible|ful|ive|ous|less|ier)$|^(?:not|no|too|very|so|on|off|up|down|slow|fast|busy|full|empty|new|old|ok|fine|wrong|right|"
    r"broken|ready|done|closed|open|here|there|sick|away|the|same|a|an|also|still|always|never|only|being|stable|unknown|important|read-only)$"
    "|^(?:不|没|很|太|非常|空|满|一样|固定|必|最)"
)
"""What is said of a thing beside its value: "is protected", "is slow"."""


_MAY_BE = compiled(
    rf"\b(?:{_ONE})\b.*(?:\b(?:is|are)\b|=)|\b(?:live|work|based|moved)|我.*在|(?:负责人|分支|者|理|长|管|板|名|址|库|称|区|语|器|架|本|系统|期|日|位|箱|话|市|默认|主要).*(?:是|为|叫|用|成|[:=])"
)


class Value(NamedTuple):
    """What a text says that something is.

    Attributes:
        subject: the words of the thing.
        value: the words of its value.
    """

    subject: frozenset[str]
    value: frozenset[str]


@lru_cache(maxsize=8192)
def value_of(view: str) -> Value | None:
    """Give what a folded text says the value of something is that has one at a time; None where it does not."""
    if len(view) > _MOST or _MAY_BE.search(view) is None:
        return None
    lives = _LIVES.match(view)
    if lives is not None:
        verb = "live" if lives["zh"] or re.search(r"\b(?:live|moved|based)", view) else "work"
        return _made(frozenset((f"{verb}_",)), lives["value"] or lives["zh"])
    found = _ENGLISH.match(view) or (None if view.isascii() else _CHINESE.match(view))
    return None if found is None else _made(frozenset(tokens_in(found["subject"])), found["value"])


def _made(subject: frozenset[str], value: str) -> Value | None:
    words = value.split()
    if not words or any(_QUALITY.search(word) for word in (words[0], words[-1])):
        return None
    tokens = frozenset(tokens_in(value))
    return Value(subject, tokens) if subject and tokens else None


def are_apart(first: str, second: str) -> bool:
    """Say whether two folded texts give one thing two values that have no word in common."""
    one, other = value_of(first), value_of(second)
    return one is not None and other is not None and one.subject == other.subject and not one.value & other.value
