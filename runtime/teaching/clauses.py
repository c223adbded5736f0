"""The part of a sentence that says when it applies: what is not to be done, what something comes before. By words alone."""

from __future__ import annotations

import re
from typing import Final

_END: Final = r"(?:(?<!\s)(?=[,.;:!?，。；：！？、)](?:\s|$|[\u4e00-\u9fff]))|(?=[，。；：！？]|\s+(?:but|instead|unless|use|because|since)\b|$))"

_CONTRAST: Final = re.compile(
    rf"(?:\b(?:instead of|rather than|in place of)|(?<!do )(?<!should )(?<!must )(?<!can )\bnot)\s+(?:using\s+|use\s+|with\s+)?(?P<what>.+?){_END}"
    rf"|(?:而不是|而非|不是|代替|替代|取代)\s*(?:用|使用)?\s*(?P<zh>.+?){_END}",
    re.IGNORECASE,
)
_WHEN: Final = re.compile(
    rf"\b(?:before|when(?:ever)?|while|every time|each time|if)\s+(?:(?:you|we|i)\s+)?(?P<what>.+?){_END}"
    r"|(?P<zhs>[^，。；,;]{1,24}?)(?:之前|之后|的时候|的時候|的话)"
    r"|(?P<zh>[^，。；,;]{1,24}?)(?:以前|前|之時|时)(?=[，,]?\s*(?:先|要|都|必须|必須|请|請|记得|一定|得|应|需|不要|别|不能|检查|确认))",
    re.IGNORECASE,
)
_FORBIDDEN: Final = re.compile(
    rf"(?:\b(?:never|don[’']?t|do not|stop|avoid|must ?n[’']?o?t|should ?n[’']?o?t|cannot|can[’']?t|no more)(?:\s+ever)?)\s+(?:use\s+|using\s+|run\s+|running\s+|call\s+)?(?P<what>.+?){_END}"
    rf"|(?:不要|不准|不许|不得|不能|不可以?|不应该?|禁止|严禁|切勿|请勿|勿|绝不|别)(?:再|直接)?(?:用|使用|跑|执行|运行|调用)?\s*(?P<zh>.+?){_END}",
    re.IGNORECASE,
)
_EXCEPT: Final = re.compile(r"\b(?:unless|except)\b[^,;.，。；]*|(?:除非|除了)[^，。；,;]*", re.IGNORECASE)
_INSTEAD_ENDS: Final = re.compile(
    r"[,.;，。；](?:\s|$|[\u4e00-\u9fff])|[，。；]|\b(?:instead|rather than|in place of|not|never|before|when|while|if|unless|because|since)\b|之前|而不是|而非|不是|代替|替代|取代",
    re.IGNORECASE,
)
_NEVER: Final = re.compile(
    r"\b(?:never|under no circumstances|must ?n[’']?o?t|forbidden|not allowed)\b|禁止|严禁|绝不|绝对不|永远不|决不|从不|不准|不许|不得|切勿",
    re.IGNORECASE,
)
_INSTEAD: Final = re.compile(
    r"\b(?:use|using|prefer|run|call|take|try)\s+|(?:改用|换成|请用|要用|使用|用)\s*", re.IGNORECASE
)
_OPENING: Final = re.compile(
    r"^\W*(?:(?:please|from now on|next time|in future|in the future|always|remember(?: to)?|no|ok(?:ay)?)[,:\s]+|(?:以后|今后|下次|每次|记住|记得|请|务必|一定要|不对|错了)[，,：:\s]*)+",
    re.IGNORECASE,
)


def opened(text: str) -> str:
    """Give a sentence without the words that it opens with and that say only that it is meant for later: `from now on`, `以后`."""
    return _OPENING.sub("", text.strip())


def trigger_clauses(text: str) -> tuple[str, ...]:
    """Give the parts of a sentence that say when it applies, the most telling first.

    What is put against something else (`not npm`, `而不是 npm`), then what something comes before or with (`before pushing`,
    `推送前先…`), then what is forbidden (`never push`, `不要推送`).
    """
    bare = opened(text)
    found: list[str] = []
    for pattern in (_CONTRAST, _WHEN, _FORBIDDEN):
        for each in pattern.finditer(bare):
            clause = next(filter(None, each.groups()), "").strip()
            if clause and clause not in found:
                found.append(clause)
    return tuple(found)


def when_clauses(text: str) -> tuple[str, ...]:
    """Give the parts that say before or at what it applies, and what it does not apply to (`unless …`)."""
    found = _WHEN.finditer(opened(text))
    return tuple(clause for each in found if (clause := next(filter(None, each.groups()), "").strip()))


def exceptions(text: str) -> tuple[str, ...]:
    """Give the parts that take something out of what is said: `unless the tests pass`, `除非…`."""
    return tuple(each[0].strip() for each in _EXCEPT.finditer(opened(text)))


def instead_in(text: str) -> str:
    """Give what a sentence says to use; "" where it does not."""
    bare = opened(text)
    triggers = [each.span() for pattern in (_CONTRAST, _WHEN, _FORBIDDEN) for each in pattern.finditer(bare)]
    found = next(
        (each for each in _INSTEAD.finditer(bare) if not any(begin <= each.start() < end for begin, end in triggers)),
        None,
    )
    if found is None:
        return ""
    rest = bare[found.end() :]
    end = _INSTEAD_ENDS.search(rest)
    return rest[: end.start()] if end is not None else rest


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


def says_never(text: str) -> bool:
    """Say whether a sentence forbids something for good, so that a case may block: `never …`, `禁止…`."""
    return _NEVER.search(text) is not None
