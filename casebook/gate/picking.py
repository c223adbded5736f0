"""What a text takes, and what it expressly does not: "use A, not B", "B instead of A", 用 A，不要用 B."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from casebook.gate.cue_set import compiled
from casebook.gate.words import tokens_in

_NAME = r"[\w.+#/@-]+(?: [\w.+#/@-]+){0,3}?"
_END = r"(?=[.! ]*$|[,;:!?]|\. | (?:for|in|when|as|on|if|unless|because|any ?more|instead|and)\b)"
_USE = r"(?:(?:to )?(?:use|using|go with|run|running|in|with|on|by) )?(?:the |an? )?"
_ENGLISH = (
    rf",? (?:and |but )?(?:instead of|rather than|in place of) {_USE}(?P<no>{_NAME}){_END}",
    rf"(?:^|[,;.] ?)(?:instead of|rather than|in place of) {_USE}(?P<no>{_NAME})[,;:]",
    rf"(?<=\w)(?:, ?(?:and |but )?| and | but )(?:not|never) {_USE}(?P<no>{_NAME}){_END}",
    rf"(?<=\w)[,;:.] ?(?:and |but )?(?:do not|don't|avoid|stop|no longer) (?:use |using )?(?P<no>{_NAME}){_END}",
    rf"\b(?:prefers?|preferred|like|likes|use|uses|chose|choose|chosen|picked|pick)\b[^,;.]{{1,40}} over {_USE}(?P<no>{_NAME}){_END}",
    rf"\bprefers?\b[^,;.]{{1,40}} to {_USE}(?P<no>{_NAME}){_END}",
    rf"\b(?:switch|mov|migrat|chang|went|go|convert)\w* from {_USE}(?P<no>{_NAME}) (?:to|over to)\b",
    rf"\breplac\w+ (?P<no>{_NAME}) (?:with|by)\b",
    rf"^(?:please )?(?:do not|don't|stop|never|avoid|no longer|no) (?:use |using )?(?P<no>{_NAME})[,;.:] ?(?:but |and |please )*(?:use|prefer|go with|rather)\b",
    rf"\bnot {_USE}(?P<no>{_NAME}),? but(?: rather)?\b",
)
_OVER = re.compile(r" over | to ")
_CHINESE = (
    r",?(?:而不是|而非|而不用|而不选)用?(?P<no>[^,。;!?因]{1,20})",
    r"(?<=[^,。;])[,;。]?(?:也)?(?:不要用|不用|别用|不使用|不要使用|不再用|不选|没选|没用|不要|不是)(?P<no>[^,。;!?因]{1,20})",
    r"(?:代替|替代|取代|替换)(?P<no>[^,。;!?因]{1,20})",
    r"^(?:请|以后|我们)?(?:不要用|不用|别用|不再用|不要使用|不要|不是)(?P<no>[^,。;!?]{1,20})[,;。](?:要|而|请|改|应该)*(?:用|选|采用|使用|是)",
    r"(?:从|把|由)(?P<no>[^,。;]{1,15}?)(?:迁移|切换|切|换|改)(?:到|成|为|用)",
)
_PATTERNS = tuple(map(re.compile, (*_ENGLISH, *_CHINESE)))
_MAY = compiled(
    r"\b(?:not|never|instead|rather|place|over|prefers?|from|replac\w+|don't|avoid|stop|no)\b|不|别|没|而非|替|取代|[换改切]"
)
_REASON = re.compile(
    r",?;? ?\b(?:because|since|so that|due to|as (?=it|we|they))\b.*|[,，]?(?:因为|由于|以便|以免|是为了).*"
)
_NOTHING_SAID = frozenset(
    ["project", "repo", "repository", "now", "instead", "let", "future", "用", "项目", "任何", "here"]
)
_MOST = 240
"""Characters in which a choice is looked for (ours): who takes one thing over another says so in a sentence."""


class Pick(NamedTuple):
    """What is taken, and what is not.

    Attributes:
        taken: the words of the rest: what is taken, and for what.
        refused: the words of what is not taken.
        name: what is not taken, as it is written.
    """

    taken: frozenset[str]
    refused: frozenset[str]
    name: str


@lru_cache(maxsize=8192)
def pick_of(view: str) -> Pick | None:
    """Give what a folded text takes over what; None where it does not say both."""
    if len(view) > _MOST or _MAY.search(view) is None:
        return None
    said = _REASON.sub("", view)
    for pattern in _PATTERNS:
        found = pattern.search(said)
        if found is None:
            continue
        start, end = found.span("no")
        refused = _words(said[start:end])
        rest = f"{said[: _cut(said, found.start(), start)]} , {said[end:]}"
        taken = _words(rest)
        if refused and taken - refused:
            return Pick(taken - refused, refused, said[start:end].strip(" .!"))
    return None


def _cut(said: str, begins: int, no: int) -> int:
    """Give where what stands before the refused ends: at the word that refuses it, for a pattern may begin with the verb."""
    over = [each.start() for each in _OVER.finditer(said, begins, no)]
    return over[-1] if over else begins


def _words(text: str) -> frozenset[str]:
    return frozenset(tokens_in(text)) - _NOTHING_SAID


def pick_apart(first: str, second: str) -> bool:
    """Say whether of two folded texts one takes what the other does not, for the same."""
    one, other = pick_of(first), pick_of(second)
    if one is not None and other is not None:
        if one.refused <= other.taken and other.refused <= one.taken:
            mine, theirs = one.taken - other.refused, other.taken - one.refused
            return mine == theirs or 2 * len(mine & theirs) >= len(mine | theirs)
        return _takes_refused(other.taken, one) or _takes_refused(one.taken, other)
    if one is not None:
        return _says_refused(second, one)
    return other is not None and _says_refused(first, other)


def _says_refused(view: str, pick: Pick) -> bool:
    """Say whether a text that refuses nothing takes what another refuses, and for the same."""
    before, name, after = view.partition(pick.name)
    return bool(name) and _is_for_the_same(_words(f"{before} , {after}"), pick.taken)


def _takes_refused(taken: frozenset[str], pick: Pick) -> bool:
    """Say whether what one takes is what another refuses, and for the same."""
    return pick.refused <= taken and _is_for_the_same(taken - pick.refused, pick.taken)


def _is_for_the_same(purpose: frozenset[str], taken: frozenset[str]) -> bool:
    """Say whether what one takes something for is what the other takes another thing for."""
    return purpose < taken and len(taken - purpose) <= 3
