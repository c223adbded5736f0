"""What a sentence says of when it applies and no condition does: told before a person agrees to a case that is wider than it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from casebook.conditions.tree import Node, Pattern, Test
from casebook.policy import Policy
from casebook.runtime.facts.programs import ALIASES
from casebook.runtime.teaching.names import PHRASES, Known, Names, names_in

_TRIVIAL_TEXT: Final = """
a an the this that any every all ever again please here there now anymore also directly yourself by hand
manually use using used run running call calling execute executing do doing with and or of to in on at for from
into it them you we i command commands tool program repo repository project codebase anything at namespace
branch folder directory dir database db schema cluster host server bucket environment env remote context region
profile workspace table service container volume registry file files pipe piped just edit editing change
changing modify modifying touch touching write writing overwrite update updating
"""
_TRIVIAL: Final = frozenset(_TRIVIAL_TEXT.split())
_TRIVIAL_ZH: Final = re.compile(r"[的了着过再直接用使运行跑执调命令工具文件去做在到上里中和或 ]+")
_ASKING: Final = re.compile(
    r"\bwithout\s+(?:my|asking|permission|approval|confirmation|telling|checking)\b[^,;.]*", re.IGNORECASE
)
_PIECE: Final = re.compile(r"[\w@~*./:+'’-]*\w[\w@~*/:+'’-]*")


def unsaid_in(clause: str, names: Names, nodes: Sequence[Node], policy: Policy, known: Known) -> str:
    """Give the words of a clause that no condition says, as they stand there; "" where every one is said or says nothing of its own.

    Args:
        clause: what the conditions were read off.
        names: what it names.
        nodes: the conditions.
        policy: for its tools and intents.
        known: what is known besides.
    """
    if names.intents or (names.tools and not names.files):
        rest = _without_core(clause, lambda text: _same(names_in(text, policy, known), names))
    else:
        rest = _without_command(clause, names, nodes)
    pieces: list[str] = []
    for each in re.split(r"\0+|[,;，。；|`“”\"]", rest):
        words = _PIECE.findall(each)
        if any(word.casefold() not in _TRIVIAL and _TRIVIAL_ZH.sub("", word) for word in words):
            pieces.append(re.sub(r"\s+", " ", each).strip(" .:!?"))
    return " … ".join(pieces)


def asks_only(unsaid: str) -> bool:
    """Say whether what is left says only that a person is to be asked: `without asking me`, which a case that confirms does."""
    return not _PIECE.search(_ASKING.sub("", unsaid))


def _same(found: Names, names: Names) -> bool:
    return found.intents == names.intents and found.tools == names.tools


def _without_core(clause: str, says: Callable[[str], bool]) -> str:
    """Take the shortest stretch that still names the same out of a clause."""
    if not says(clause):
        return ""
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
    return f"{clause[:start]}\0{clause[end:]}"


def _without_command(clause: str, names: Names, nodes: Sequence[Node]) -> str:
    """Take what names the command, and what its further conditions hold, out of a clause."""
    text = clause.replace("`", " ")
    for pattern, action, _ in PHRASES:
        if action in (*names.actions, *names.programs):
            text = pattern.sub("\0", text)
    own = {word for each in (*names.actions, *names.programs, *names.together) for word in each.split()}
    said = {*own, *names.words, *names.files}
    sources = [each.value.source for each in nodes if isinstance(each, Test) and isinstance(each.value, Pattern)]

    def kept(found: re.Match[str]) -> str:
        word = found[0].rstrip(".:")
        plain = word.casefold()
        flag = word.startswith("-")
        aliased = ALIASES.get(plain, plain) in own or (plain == "i" and "install" in own)
        held = flag and any(re.search(each, f"rm push {word} ") for each in sources)
        held = held or (
            len(plain) > 1 and any(re.search(rf"(?<![a-z]){re.escape(plain)}(?![a-z])", each) for each in sources)
        )
        return "\0" if word in said or aliased or held else found[0]

    return re.sub(r"(?<![\w./-])-{0,2}[\w@~*./:+]+[\w@~*./:+-]*", kept, text)
