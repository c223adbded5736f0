"""Words of which a text means one or the other: sides that are opposite (on, off; 升序, 降序), and choices of which one is taken."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from casebook.gate.cue_set import compiled
from casebook.gate.polarity import polarity_of_view

_SIDES: tuple[tuple[str, str, str], ...] = (
    ("on", r"enabl(?:e|es|ed|ing)|(?:turn|switch)(?:s|es|ed|ing)? on|开启|打开|启用", r"disabl(?:e|es|ed|ing)|(?:turn|switch)(?:s|es|ed|ing)? off|关闭|关掉|停用|禁用"),
    ("shown", r"show(?:s|n|ed|ing)?|display(?:s|ed)?|显示|展示", r"hid(?:e|es|den|ing)|隐藏"),
    ("included", r"includ(?:e|es|ed|ing)|包含|包括|带上", r"exclud(?:e|es|ed|ing)|omit(?:s|ted)?|leave out|排除|去掉|略去"),
    ("allowed", r"allow(?:s|ed)?|permit(?:s|ted)?|允许|准许", r"forbid(?:s|den)?|prohibit(?:s|ed)?|disallow(?:s|ed)?|禁止|严禁"),
    ("kept", r"keep(?:s|ing)?|kept|retain(?:s|ed)?|保留", r"delet(?:e|es|ed|ing)|discard(?:s|ed)?|drop(?:s|ped)?|删除|丢弃|丢掉"),
    ("added", r"add(?:s|ed|ing)?|加上|添加|新增", r"remov(?:e|es|ed|ing)|移除"),
    ("raised", r"increas(?:e|es|ed)|rais(?:e|es|ed)|增加|提高|调大|调高", r"decreas(?:e|es|ed)|reduc(?:e|es|ed)|lower(?:s|ed)?|减少|降低|调小|调低"),
    ("rising", r"ascending|asc|oldest first|升序|正序|从小到大", r"descending|desc|newest first|降序|倒序|逆序|从大到小"),
    ("public", r"public(?:ly)?|公开|公有", r"private(?:ly)?|私有|不公开|保密"),
    ("required", r"required|mandatory|compulsory|obligatory|必填|必选|必需", r"optional|可选|选填|非必填|非必选"),
    ("short", r"short|concise(?:ly)?|brief(?:ly)?|terse(?:ly)?|简洁|简短|精简|简要", r"long|detailed|in detail|verbose(?:ly)?|lengthy|thorough(?:ly)?|详细|详尽|冗长"),
    ("automatic", r"automatic(?:ally)?|自动", r"manual(?:ly)?|by hand|手动|人工|手工"),
    ("synchronous", r"synchronous(?:ly)?|(?<!异)同步", r"asynchronous(?:ly)?|async|异步"),
    ("formal", r"formal(?:ly)?|(?<!非)正式", r"informal(?:ly)?|casual(?:ly)?|随意|非正式|口语化"),
    ("upper", r"upper ?case|capitals|大写", r"lower ?case|小写"),
    ("fast", r"faster|更快", r"slower|更慢"),
    ("before", r"before|prior to|(?<=[^目以])之?前(?!端|缀|台|者|提|置|后)|以前(?=[^,。]*[跑做写查看])", r"after|(?<=[^以])之?后(?!端|缀|台|者|续|置|来|果)"),
)  # fmt: skip
"""A name for each pair, and the words of its two sides; a pair counts where both texts have one of it."""

_CHOICES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("packages_", "", ("pnpm", "npm", "yarn", r"bun")),
    ("pypackages_", "", ("pip", "poetry", "pipenv", "uv", "conda")),
    ("jstests_", "", ("jest", "vitest", "mocha")),
    ("indent_", "", (r"tabs?|制表符", r"spaces?|空格")),
    ("theme_", r"\b(?:mode|themes?|schemes?)\b|模式|主题|配色", (r"dark|深色|暗色|黑色", r"light|浅色|亮色|白色")),
    ("quotes_", "", (r"single[ -]quotes?|单引号", r"double[ -]quotes?|双引号")),
    ("casing_", "", (r"camel ?case|驼峰", r"snake[_ ]case|下划线命名", r"kebab[- ]case", r"pascal ?case")),
    ("measures_", "", (r"metric(?: units?)?|公制", r"imperial(?: units?)?|英制")),
    ("english_", "", (r"british(?: english)?|英式(?:英语)?", r"american(?: english)?|us english|美式(?:英语)?")),
    ("chinese_", "", (r"simplified(?: chinese)?|简体(?:中文|字)?", r"traditional(?: chinese)?|繁体(?:中文|字)?")),
    ("language_", r"\b(?:answer|repl(?:y|ies)|respon[ds]e?s?|write|written|writ|reports?|docs|documentation|comments?|commit messages?|explain|summar)|回答|回复|答复|答|写|报告|文档|注释|说明|总结|邮件|提交信息",
     (r"(?<!british )(?<!american )english|英文|英语", r"(?:simplified |traditional )?chinese|(?<!简体)(?<!繁体)(?:中文|汉语)|简体中文|繁体中文", r"german|德文|德语", r"french|法文|法语", r"spanish|西班牙[文语]", r"japanese|日文|日语", r"korean|韩文|韩语", r"russian|俄文|俄语", r"italian|意大利[文语]", r"portuguese|葡萄牙[文语]")),
)  # fmt: skip
"""Of each choice a name, words without which it is none, and what is chosen from: whoever says the one does not say the other."""


def _worded(pattern: str) -> str:
    """Bound the English words of a pattern."""
    return "|".join(rf"\b(?:{each})\b" if each.isascii() and "(?<=" not in each else each for each in _split(pattern))


def _split(pattern: str) -> list[str]:
    """Split a pattern at the bars that stand outside of brackets."""
    parts, depth = [""], 0
    for sign in pattern:
        depth += (sign in "([") - (sign in ")]")
        if sign == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def _loosely(pattern: str) -> str:
    """Give a pattern without what it looks for beside itself: it finds all that the pattern does, and more."""
    return _worded(re.sub(r"\(\?<?[=!][^)]*\)", "", pattern))


_SIDED = tuple((name, re.compile(_worded(one)), re.compile(_worded(other))) for name, one, other in _SIDES)
_CHOSEN = tuple(
    (
        name,
        compiled(_loosely("|".join(values))),
        compiled(where or ""),
        tuple(re.compile(_worded(each)) for each in values),
    )
    for name, where, values in _CHOICES
)
_ANY_SIDE = re.compile("|".join(_worded(f"{one}|{other}") for name, one, other in _SIDES))
_MAY_CHOOSE = compiled("|".join(_loosely("|".join(values)) for _, _, values in _CHOICES))
_MAY_SIDE = compiled("|".join(_loosely(f"{one}|{other}") for _, one, other in _SIDES))
"""What is looked for before the tables are: one quick pass."""
_ANSWER = re.compile(r"\b(?:repl(?:y|ies)|respon(?:d|ds|ses?)|answers|answering)\b|回答|回复|答复")
_MAY_ANSWER = compiled("repl|respon|answer|答|回复")
STEMS: dict[str, tuple[str, ...]] = {
    name: tuple(
        sorted({part for each in values for part in re.findall(r"[a-z]{3,}|[㐀-鿿]{2,}", each) if part not in ("quotes", "case", "units")})
    )
    for name, _, values in _CHOICES
}  # fmt: skip
"""Of each choice words one of which a text that makes it holds."""


class Stand(NamedTuple):
    """Where a text stands.

    Attributes:
        sides: of each pair that it has a side of which, +1 or -1, turned where it is negated.
        choices: of each choice that it makes what it takes, by number.
        polarity: of what is left without them.
    """

    sides: dict[str, int]
    choices: dict[str, frozenset[int]]
    polarity: int

    @property
    def mark(self) -> tuple[tuple[tuple[str, int], ...], tuple[tuple[str, tuple[int, ...]], ...]]:
        """Give the sides and choices, for a comparison of many."""
        chosen = ((name, tuple(sorted(taken))) for name, taken in self.choices.items())
        return tuple(sorted(self.sides.items())), tuple(sorted(chosen))

    def takes_another(self, other: Stand) -> bool:
        """Say whether the other makes the same choice, and takes something else."""
        return any(not self.choices[name] & other.choices[name] for name in self.choices.keys() & other.choices.keys())


_NOWHERE = Stand({}, {}, 0)


@lru_cache(maxsize=8192)
def stand_of(view: str) -> Stand:
    """Give where a folded text stands; a pair both sides of which it names tells nothing."""
    sides = {}
    if _MAY_SIDE.search(view) is not None:
        for name, one, other in _SIDED:
            is_one, is_other = one.search(view) is not None, other.search(view) is not None
            if is_one != is_other:
                sides[name] = 1 if is_one else -1
    choices = _choices(view)
    if not sides and not choices:
        return _NOWHERE
    polarity = polarity_of_view(_ANY_SIDE.sub(lambda found: "_" * len(found[0]), view))
    return Stand({name: side * polarity for name, side in sides.items()}, choices, polarity)


def _choices(view: str) -> dict[str, frozenset[int]]:
    if _MAY_CHOOSE.search(view) is None:
        return {}
    found = {}
    for name, may, where, values in _CHOSEN:
        if may.search(view) is not None and where.search(view) is not None:
            taken = frozenset(at for at, each in enumerate(values) if each.search(view) is not None)
            if taken:
                found[name] = taken
    return found


def without_sides(view: str) -> str:
    """Give a folded text without what says a side."""
    view = _ANSWER.sub(" answer ", view) if _MAY_ANSWER.search(view) is not None else view
    return _ANY_SIDE.sub(" ", view) if _MAY_SIDE.search(view) is not None else view


def without_stand(view: str) -> str:
    """Give a folded text with each choice by its name, and without what says a side: what it is about."""
    view = without_sides(view)
    if _MAY_CHOOSE.search(view) is None:
        return view
    for name, may, where, values in _CHOSEN:
        if may.search(view) is not None and where.search(view) is not None:
            for each in values:
                view = each.sub(f" {name} ", view)
    return view
