"""Words that a sentence opens with, what it says to use, and whether all of it is an order. By words alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_INSTEAD: Final = re.compile(
    r"\b(?:use|using|prefer|run|call|take|try)\s+|(?:改用|换成|请用|要用|使用|用)\s*", re.IGNORECASE
)
_OPENING: Final = re.compile(
    r"^\W*(?:(?:please|from now on|next time|in future|in the future|always|remember(?: to)?|no|ok(?:ay)?)[,:\s]+|(?:以后|今后|下次|每次|记住|记得|请|务必|一定要|不对|错了)[，,：:\s]*)+",
    re.IGNORECASE,
)
_SPEAKS_OF: Final = re.compile(
    r"\b(?:needs?|requires?|must|should|has\s+to|have\s+to|is|are|wants?|takes?|may|can|fails?|breaks?|works?|hangs?)\b|[:：]"
    r"|要|需|必须|应|得|会|是|失败|报错|先|注意|小心|谨慎|请",
    re.IGNORECASE,
)
"""What makes of the words before it what is spoken of, and no order."""
_FIRST: Final = re.compile(r"^\W*(?:[\w.-]+(?:\s+[\w.-]+){0,2})")


def opened(text: str) -> str:
    """Give a sentence without the words that it opens with and that say only that it is meant for later: `from now on`, `以后`."""
    return _OPENING.sub("", text.strip())


def without_instead(text: str) -> str:
    """Give a sentence without the words that it says to use: `use pnpm in this repo` is not about calls of pnpm."""
    bare = opened(text)
    pieces: list[str] = []
    at = 0
    for each in _INSTEAD.finditer(bare):
        pieces.append(bare[at : each.start()])
        end = re.search(r"[,.;，。；]\s|[，。；]|$", bare[each.end() :])
        at = each.end() + (end.start() if end is not None else 0)
    return " ".join([*pieces, bare[at:]])


def is_order(text: str, names: Callable[[str], bool]) -> bool:
    """Say whether a sentence that says nowhere when it applies only orders what it names: `always write tests`.

    Args:
        text: the sentence.
        names: whether a piece of it names what all of it does.
    """
    bare = opened(text)
    spoken = _SPEAKS_OF.search(bare)
    if spoken is not None and names(bare[: spoken.start()]):
        return False
    first = _FIRST.match(bare)
    return first is not None and names(first[0])
