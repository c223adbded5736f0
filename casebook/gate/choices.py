"""What was not chosen, and why: the alternatives and the reason of a decision, told by its words."""

from __future__ import annotations

import re

_REASON = re.compile(
    r"\b(?:because(?: of)?|since|due to|so that|in order to|as (?=it|we|they|the)|the reason(?: is|:| being)?|reason:)\s*(?P<en>[^\n]{1,600})"
    r"|(?:因为|由于|理由(?:是|:|：)?|原因(?:是|:|：)?|为了|考虑到|鉴于)(?P<zh>[^\n]{1,600})",
    re.IGNORECASE,
)
_NAME = r"[\w.+#/-]+(?: [A-Z][\w.+#-]*){0,3}"
_AGAINST = re.compile(
    rf"\b(?:over|instead of|rather than|against|and not|but not|, not|not)\s+(?:using |the |a |to use )?(?P<en>{_NAME}(?:(?:, | or | and |, or |, and ){_NAME}){{0,4}})"
    rf"|\bfrom (?P<was>{_NAME}) to\b|\b(?:rejected|ruled out|dropped|ditched|considered) (?P<out>{_NAME}(?:(?: or | and |, ){_NAME}){{0,3}})"
    r"|(?:而不是|而非|没选|没用|不选|没有选|放弃了?|弃用了?|不用|不再用|没采用)\s*(?P<zh>[^，。,;；、!！\s因由而]{1,30}(?:[、和或][^，。,;；!！\s因由而]{1,30}){0,4})"
    r"|(?:把|从)\s*(?P<zhwas>[^，。,\s]{1,30}?)\s*(?:换成|改成|迁移?到|改为|切换?到)"
)
_BETWEEN = re.compile(r",? (?:or|and) |, |[、和或]")
_NONE = frozenset(["the", "a", "an", "it", "this", "that", "because", "only", "just", "to"])


def reason_of(text: str) -> str:
    """Give the reason that a decision tells ("because …", 因为 …), or ""."""
    found = _REASON.search(text)
    return "" if found is None else (found["en"] or found["zh"] or "").strip(" .。!！,，")


def alternatives_of(text: str) -> tuple[str, ...]:
    """Give what a decision tells that was not chosen ("over MySQL", 没选 MySQL), in order, each once."""
    given: dict[str, None] = {}
    reason = _REASON.search(text)
    for found in _AGAINST.finditer(text[: reason.start()] if reason and reason.start() > 0 else text):
        said = next(each for each in found.groups() if each)
        for each in _BETWEEN.split(said):
            name = each.strip(" .。,，'\"`")
            if name and name.casefold() not in _NONE:
                given[name] = None
    return tuple(given)
