"""What a sentence says of when it applies and no condition does: told before a person agrees to a case that is wider than it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from casebook.conditions.tree import Node, Or, Pattern, Test, walk
from casebook.policy import Policy
from casebook.runtime.facts.programs import ALIASES
from casebook.runtime.teaching.names import PHRASES, Known, Names, names_in

_TRIVIAL_TEXT: Final = """
a an the any every all ever anymore again please here also directly manually yourself by hand straight simply
use used using run used running call calling execute executing invoke issue do doing type
with and or of to in on at for from into inside our my your you we i
tool program pipe piped just
"""
_TRIVIAL: Final = frozenset(_TRIVIAL_TEXT.split())
_OF_FILES_TEXT: Final = """
file files edit editing change changing modify modifying touch touching write writing overwrite overwriting update updating
"""
_OF_FILES: Final = frozenset(_OF_FILES_TEXT.split())
"""What says nothing where a file is what is named; behind a command it is what the command is used for."""
_OF_FILES_ZH: Final = re.compile(r"文件|修改|编辑|改动|改|写|动")
_CALLED: Final = (
    re.compile(r"[\0\x01]\s*(?:commands?\b|命令)|(?:\bcommands?|命令)\s*(?=\0)"),
    re.compile(
        r"(?:\x01|\0(?=.*\x02))\s*(?:(?:flags?|options?|switch)\b|参数|选项)|(?:\b(?:flags?|options?|switch)|参数|选项)\s*(?=\x01)"
    ),
    re.compile(r"\x01\s*(?:files?\b|文件)|(?:\bfiles?|文件)\s*(?=\x01)"),
)
"""`the git push command`, `the --no-verify flag`: what that is which is named, and no limit of its own."""
_AGAIN: Final = re.compile(r"\b(?:again\s+and\s+again|over\s+and\s+over|more\s+than\s+once)\b", re.IGNORECASE)
_DELETING: Final = re.compile(r"\b(?:delet|remov)(?:e|es|ing)\b|删除|删掉|删", re.IGNORECASE)
_HERE: Final = re.compile(
    r"\b(?:in|for|inside|of|within)\s+(?:this|the|our|my)\s+(?:repo(?:sitory)?|project|codebase)\b|在?(?:这个|本|该)(?:仓库|项目|代码库)[里中]?",
    re.IGNORECASE,
)
_KIND: Final = (
    "namespace|branch|folder|directory|dir|database|db|schema|cluster|host|server|bucket|environment|env|remote|context"
    "|region|profile|workspace|table|service|container|volume|registry|分支|目录|文件夹|环境|集群|命名空间|数据库|仓库"
)
_BY_KIND: Final = re.compile(
    rf"\x01\s*(?:the\s+)?(?:{_KIND})(?![a-z])|\b(?:{_KIND})\s+(?:named\s+|called\s+)?\x01", re.IGNORECASE
)
"""`prod namespace`: what a word that is a condition is, and no limit of its own."""
_TRIVIAL_ZH: Final = re.compile(
    r"的|了|着|过|再|直接|使用|运行|执行|调用|工具|任何|所有|一切|随便|擅自|手动|私自|用|跑|去|做|在|到|里|上|中|和|或者?|把|将|对|给|来|往|向"
)
_ASKING: Final = re.compile(
    r"\bwithout\s+(?:my|asking|permission|approval|confirmation|telling|checking)\b[^,;.]*|\bask\s+(?:me|us|first|for\s+(?:my\s+)?(?:permission|approval))\b[^,;.]*|先?问(?:一下)?我[^，。；]*"
    r"|\bunless\s+I\s+(?:say|agree|approve|allow|confirm)\b[^,;.]*|未经我?(?:的)?(?:同意|允许|批准|许可)|(?:不|没有?)(?:先)?问过?我就?|除非我(?:同意|允许|批准|确认)了?",
    re.IGNORECASE,
)
_LIMITED: Final = re.compile(
    r"\b(?:unless|except|if|when|while|only|until|during|before|after|night|weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|除非|如果|仅|时",
    re.IGNORECASE,
)
"""What makes of `ask me` a thing to be done at some calls alone."""
_PIECE: Final = re.compile(r"[\w@~*./:+'’-]*\w[\w@~*/:+'’-]*|(?<!\S)[~*./]+(?!\S)")


def unsaid_in(clause: str, names: Names, nodes: Sequence[Node], policy: Policy, known: Known) -> str:
    """Give the words of a clause that no condition says, as they stand there; "" where every one is said or says nothing of its own.

    Args:
        clause: what the conditions were read off.
        names: what it names.
        nodes: the conditions.
        policy: for its tools and intents.
        known: what is known besides.
    """
    clause = _AGAIN.sub("repeatedly", _HERE.sub(" ", clause))
    names = _conditional(names, nodes)
    for each in sorted(_values(nodes), key=len, reverse=True):
        clause = re.sub(rf"(?<![\w./-]){re.escape(each)}(?![\w/-])", "\x01", clause, flags=re.IGNORECASE)
    if names.intents or (names.tools and not names.files):
        for each in names.intents:
            clause = clause.replace(each, "\0") if not each.isascii() else clause
        rest = _without_core(clause, lambda text: _same(names_in(text, policy, known), names))
    else:
        rest = _without_command(clause, names, nodes)
    has_flag = "\x02" if re.search(r"(?<![\w-])--?[A-Za-z]", clause) else ""
    for said in _CALLED:
        rest = said.sub(lambda found: found[0][0] if found[0][0] in "\0\x01" else " ", rest + has_flag).rstrip("\x02")
    of_a_file = not _lines(nodes) and any(isinstance(each, Test) and each.field.root == "path" for each in nodes)
    trivial, trivial_zh = (_TRIVIAL | _OF_FILES, _OF_FILES_ZH) if of_a_file else (_TRIVIAL, None)
    pieces: list[str] = []
    for each in re.split(r"[\0\x01]+|[,;，。；|`“”\"]", _BY_KIND.sub("\x01", rest)):
        words = _PIECE.findall(each)
        if any(
            word.casefold() not in trivial and _TRIVIAL_ZH.sub("", trivial_zh.sub("", word) if trivial_zh else word)
            for word in words
        ):
            pieces.append(re.sub(r"\s+", " ", each).strip(" .:!?") or each.strip())
    return " … ".join(pieces)


def _conditional(names: Names, nodes: Sequence[Node]) -> Names:
    """Give what a clause names without the intents and tools of which there is no condition: bound to a call, it may be about another."""
    tests = [each for node in nodes for each in walk(node) if isinstance(each, Test)]
    held = {
        root: {
            str(one)
            for each in tests
            if each.field.root == root
            for one in (each.value if isinstance(each.value, tuple) else (each.value,))
        }
        for root in ("intent", "tool")
    }
    return replace(
        names,
        intents=names.intents if held["intent"] & {*names.intents} else (),
        tools=names.tools if held["tool"] & {*names.tools} else (),
    )


def _values(nodes: Sequence[Node]) -> list[str]:
    """Give the values of arguments that conditions want."""
    tests = (each for node in nodes for each in walk(node) if isinstance(each, Test))
    return [
        each.value for each in tests if each.field.root == "args" and isinstance(each.value, str) and each.value.strip()
    ]


def unrelated(clause: str, names: Names) -> str:
    """Give the commands of a clause where they are several, and it neither lists them nor says one thing of all; "" else."""
    named = (*names.actions, *names.programs)
    if len(named) < 2 or names.together:
        return ""
    if names.actions and names.programs:
        return ", ".join(named)
    text = clause.replace("`", " ")
    for pattern, action, _ in PHRASES:
        if action in names.actions:
            text = pattern.sub("\0", text)
    own = {word for each in named for word in each.split()}
    text = re.sub(
        r"[A-Za-z][\w.+-]*",
        lambda found: "\0" if ALIASES.get(found[0].casefold(), found[0].casefold()) in own else found[0],
        text,
    )
    if len(names.programs) > 1 and re.search(r"\0[ \t]+\0", text):  # `pkill node`: the one is what the other is given
        return ", ".join(named)
    between = [each.strip() for each in re.split(r"\0(?:\s*\0)*", text)[1:-1]]
    listed = all(re.fullmatch(r"(?:,|、|/|,?\s*(?:or|and|nor)|或者?|和|及|以及|与)", each) for each in between)
    return ", ".join(named) if not listed or names.words or names.patterns else ""


def asks_only(unsaid: str) -> bool:
    """Say whether what is left says only that a person is to be asked: `without asking me`, which a case that confirms does."""
    return not _PIECE.search(_ASKING.sub(lambda found: found[0] if _LIMITED.search(found[0][6:]) else "", unsaid))


def _same(found: Names, names: Names) -> bool:
    return found.intents == names.intents and found.tools == names.tools


def _without_core(clause: str, says: Callable[[str], bool]) -> str:
    """Take what names something out of a clause: of the shortest stretch that still names it the words that another does not replace."""
    if not says(clause):
        return clause
    low, high = 0, len(clause)
    while low < high:  # the last start that still says it
        middle = (low + high + 1) // 2
        low, high = (middle, high) if says(clause[middle:]) else (low, middle - 1)
    start, high = low, len(clause)
    while low < high:  # the first end
        middle = (low + high) // 2
        low, high = (low, middle) if says(clause[start:middle]) else (middle + 1, high)
    end = low
    while end < len(clause) and clause[end].isascii() and clause[end].isalpha():
        end += 1
    while start and clause[start - 1].isascii() and clause[start - 1].isalpha():
        start -= 1
    core = clause[start:end]
    for each in reversed([*re.finditer(r"[A-Za-z][\w'’-]*|[\u4e00-\u9fff]", core, re.ASCII)]):
        other = "x" if each[0].isascii() else "某"
        if not says(f"{core[: each.start()]}{other}{core[each.end() :]}"):
            core = f"{core[: each.start()]}\0{core[each.end() :]}"
    return f"{clause[:start]}\0{core}\0{clause[end:]}"


def _without_command(clause: str, names: Names, nodes: Sequence[Node]) -> str:
    """Take what names the command, and what its further conditions hold, out of a clause."""
    text = clause.replace("`", " ")
    for pattern, action, _ in PHRASES:
        if action in names.actions:
            text = pattern.sub("\0", text)
    own = {word for each in nodes for told in commands_of(each) for word in told.split()}
    if "rm" in own:
        text = _DELETING.sub("\0", text)
    tests = [each for node in nodes for each in walk(node) if isinstance(each, Test)]
    sources = [each.value.source for each in tests if isinstance(each.value, Pattern)]
    paths = {each.value for each in tests if each.field.root in ("path", "args") and isinstance(each.value, str)}
    names_of_files = [
        each.value.source for each in tests if isinstance(each.value, Pattern) and each.field.root == "path"
    ]
    lines = [*_lines(nodes), "rm", "push", "x"]

    def held(word: str) -> bool:
        """Say whether a condition is about a word: it holds of a line with it, and of the same line without it does not."""
        return any(re.search(each, word, re.IGNORECASE) for each in names_of_files) or any(
            re.search(source, f" {made} ") and not re.search(source, f" {line} ")
            for source in sources
            for line in lines
            for made in (f"{line} {word}", f"{word} {line}", f"{line} x | {word}")
        )

    def kept(found: re.Match[str]) -> str:
        word = found[0].rstrip(".:") or found[0]
        plain = word.casefold()
        if ALIASES.get(plain, plain) in own or (plain == "i" and "install" in own):
            return "\0"
        return "\x01" if word in paths or held(word) else found[0]

    return re.sub(r"(?<![\w./-])-{0,2}[\w@~*./:+=]+[\w@~*./:+=-]*", kept, text, flags=re.ASCII)


def commands_of(node: Node) -> list[str]:
    """Give the actions and programs of which a condition wants one."""
    if isinstance(node, Or):
        return [each for item in node.items for each in commands_of(item)]
    if not isinstance(node, Test) or node.field.root not in ("action", "program") or node.op not in ("is", "in"):
        return []
    return [str(each) for each in (node.value if isinstance(node.value, tuple) else (node.value,))]


def _lines(nodes: Sequence[Node]) -> list[str]:
    return [each for node in nodes for each in commands_of(node)]
