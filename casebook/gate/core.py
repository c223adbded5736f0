"""What of a statement is left without its label, its reason and what only says that it may be or goes well: its core."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from casebook.gate.labels import unlabelled
from casebook.gate.opposites import stand_of, without_stand
from casebook.gate.polarity import POLAR, polarity_of_view
from casebook.gate.spoken_dates import days_in, hours_in, without_times
from casebook.gate.words import PART, overlap_of, tokens_in

_REASON = re.compile(
    r"[,;]? ?\b(?:because|since|so that|in order to|due to|now that|thanks to)\b.*$|[,;]? ?(?:因为|由于|以便|是为了|毕竟).*$"
)
_WELL = re.compile(
    r"\b(?:now|today|nowadays|again|by now|from now on|as of now)\b"
    r"|\b(?:works?|worked|working|goes|went) (?:very |really |just |perfectly )?(?:well|fine|ok|okay|great|smoothly)\b"
    r"|\b(?:is|are|was|were|be|seems?)(?: (?:now|totally|perfectly|completely|absolutely|quite|just))? "
    r"(?:fine|ok|okay|allowed|permitted|possible|welcome|no problem|acceptable|approved)\b(?: (?:by|with) (?:the )?(?:team|everybody|everyone|us))?"
    r"|\b(?:can|may|could|will|shall|must|should)\b|\bfeel free to\b|\b(?:agreed|decided|chose|chosen|allowed|free|ok|okay|fine) to\b|\bgo ahead and\b|\blet's\b"
    r"|\b(?:the (?:whole )?team|everybody|everyone|people|all of us|we|you|i)\b"
)
_WELL_ZH = re.compile(
    "(?:效果|运行|进展)?(?:很好|不错|挺好|良好|没有?问题|没事|顺利|安全)|是?(?:可以|允许|许可|准许)的?|可行|(?:已经)?(?:同意|批准|选择|决定|允许|准许)(?:了|后)?|(?:我们|团队|大家|公司|项目组)(?:都)?"
    "|从?现在(?:起|开始)?|目前|如今|以后|今后|都行|也行|放心|尽管|在(?=每?(?:周|星期|礼拜))|去(?=部署|发布|上线)|(?<=[日一二三四五六天末])(?:进行|做)"
)
_ENDING = re.compile(r"(?:ments?|ing|ed|s)$")
_LEAST, _ALIKE = 3, 0.75
"""Letters that are left of a word without its ending, and so much of two cores is common where they are about the same (ours)."""


class Core(NamedTuple):
    """The core of a statement.

    Attributes:
        polarity: +1 or -1, of the whole.
        subject: what it is about, words without their endings.
        times: days and hours, "every Friday" as "Friday".
        numbers: in order.
        takes_sides: whether it has a side (on, off) or makes a choice: what it is for or against is told by that.
    """

    polarity: int
    subject: frozenset[str]
    times: tuple[str, ...]
    numbers: tuple[str, ...]
    takes_sides: bool


@lru_cache(maxsize=8192)
def core_of(view: str) -> Core:
    """Give the core of a folded text."""
    said = _REASON.sub("", unlabelled(view).strip()) or view
    times = tuple(each[0].removeprefix("every ").removeprefix("每") for each in (*days_in(said), *hours_in(said)))
    timeless = without_times(said)
    bare = _WELL_ZH.sub(" ", _WELL.sub(" ", timeless))
    tokens = tokens_in(POLAR.sub(" ", without_stand(bare)))
    subject = frozenset(map(_stem, (token for token in tokens if not token[0].isdigit())))
    numbers = tuple(found[0] for found in PART.finditer(timeless) if found["number"])
    stand = stand_of(bare)
    takes_sides = bool(stand.choices) or not stand.sides.keys() <= {"allowed"}
    return Core(polarity_of_view(unlabelled(view)), subject, times, numbers, takes_sides)


def cores_apart(first: str, second: str) -> bool:
    """Say whether of two folded texts one is for just what the other is against: "never deploy on Fridays", "Friday deploys work well".

    What the one that is for it adds makes it another thing (an exception, a part of it), which contradicts nothing.
    """
    one, other = core_of(first), core_of(second)
    if one.polarity == other.polarity or one.times != other.times or one.numbers != other.numbers:
        return False
    stands, against = (one, other) if one.polarity > 0 else (other, one)
    is_alike = stands.subject <= against.subject and overlap_of(stands.subject, against.subject) >= _ALIKE
    return is_alike and not one.takes_sides and not other.takes_sides


def _stem(word: str) -> str:
    """Take the ending off an English word, and what its spelling does before one: deploying, deployments; merging, merge; skipping, skip."""
    if not (word.isascii() and word.isalpha()):
        return word
    left = _ENDING.sub("", word)
    left = (left if len(left) >= _LEAST else word).removesuffix("e")
    return left[:-1] if left[-2:-1] == left[-1:] else left
