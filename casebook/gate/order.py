"""In which order a text says what it says: who does what to whom, under which condition. The same words in another order are another fact."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from casebook.gate.words import FRAME_WORDS, FUNCTION_WORDS

_PART = re.compile(
    r"(?P<number>(?:(?<![\w.)])-)?\d+(?:[.:,/-]\d+)*%?)|(?P<word>[a-z][a-z0-9'_]*(?:[.+#/-][a-z0-9+#]+)*[+#]*)|(?P<han>[㐀-鿿])|(?P<other>[^\W\d_]+)"
)
_TURNS = re.compile(
    r"\b(?:no longer|not|never|no|nor|none|nothing|nobody|without|cannot|\w+n't|only|unless|if|might|or|(?<!since )(?<!in )(?<!by )(?<!of )(?<!until )(?<!from )may(?! \d))\b"
    "|如果|除非|可能|也许|或|[不没别勿未无非只]"
)
"""Words that turn, narrow or loosen what they stand beside."""
_WHO = {
    **dict.fromkeys(("i", "i'm", "i've", "i'd", "me", "my", "mine", "我"), "i"),
    **dict.fromkeys(("we", "we're", "us", "our", "ours", "我们", "咱们"), "we"),
    **dict.fromkeys(("you", "your", "yours", "你", "您", "你们"), "you"),
    **dict.fromkeys(("he", "him", "his", "他"), "he"),
    **dict.fromkeys(("she", "her", "hers", "她"), "she"),
    **dict.fromkeys(("they", "them", "their", "他们", "她们"), "they"),
}
_PERSON = re.compile(
    r"\b(?:" + "|".join(sorted(filter(str.isascii, _WHO), key=len, reverse=True)) + r")\b|[我咱你他她]们|[我你您他她]"
)
_SAYS_NOTHING = frozenset(
    word for word in FUNCTION_WORDS | FRAME_WORDS if word not in _WHO and _TURNS.fullmatch(word) is None
)
"""Words that say nothing where the order counts: those that say nothing at all but for persons and for what turns something."""
_PARTICLES = frozenset("的了吧呢啊呀哦嘛哈啦也就都很太更最是个在请和与")
_FRAMES = re.compile(
    "喜欢|讨厌|偏好|偏爱|习惯|倾向于?|爱用|受不了|使用|必须|应该|总是|一直|以后|今后|往后|一律|禁止|严禁|决定|选了|采用|改用"
)


class Order(NamedTuple):
    """What a text says, in order.

    Attributes:
        parts: words, numbers with their sign, and Chinese characters; without frames ("I like"), function words and particles.
        turns: the words that turn or narrow something, each with the part that it stands before.
        persons: who is spoken of.
    """

    parts: tuple[str, ...]
    turns: tuple[tuple[str, str], ...]
    persons: tuple[str, ...]

    def goes_into(self, other: Order) -> bool:
        """Say whether the other says all of this in the same order, turns nothing of it, and speaks of the same persons."""
        return self._is_like(other) and _is_within(self.parts, other.parts)

    def is_as(self, other: Order) -> bool:
        """Say whether the other has as many parts, and turns the same."""
        return self._is_like(other) and len(self.parts) == len(other.parts)

    def _is_like(self, other: Order) -> bool:
        is_of_others = bool(self.persons) and bool(other.persons) and self.persons != other.persons
        return not is_of_others and self.turns == other.turns


@lru_cache(maxsize=4096)
def order_of(view: str) -> Order:
    """Give the order of a folded text."""
    turns = []
    for found in _TURNS.finditer(view):
        turned = next(iter(_parts(view[found.end() : found.end() + 60])), "")
        turns.append((found[0] if not found[0].endswith("n't") else "not", turned))
    persons = tuple(_WHO[found[0]] for found in _PERSON.finditer(view))
    return Order(tuple(_parts(view)), tuple(turns), persons)


def _parts(view: str) -> list[str]:
    plain = _PERSON.sub(" ", _TURNS.sub(" ", view))
    plain = plain if plain.isascii() else _FRAMES.sub(" ", plain)
    parts = []
    for found in _PART.finditer(plain):
        word = found[0].removesuffix("'s")
        if word not in _SAYS_NOTHING and word not in _PARTICLES:
            parts.append(word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word)
    return parts


def _is_within(some: tuple[str, ...], more: tuple[str, ...]) -> bool:
    """Say whether all of some stand in more, in their order."""
    left = iter(more)
    return all(any(part == each for each in left) for part in some)
