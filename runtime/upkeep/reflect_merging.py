"""Two memories that say the same become one, in which nothing that either said is lost."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from casebook.conditions.fold import fold
from casebook.duration import duration
from casebook.instants import instant
from casebook.memory import Memory, UnfitMemoryError
from casebook.runtime.memory.tokens import terms

TIERS = ("L1", "L2", "L3")
EXCEPTIONS = 20
"""Exceptions that one memory holds at most by merging (ours): more of them are a list, for a person to write."""
RULE = "reflect"


def age(memory: Memory) -> tuple[str, str]:
    """Give what memories are ordered by, the oldest first; one that does not say when it was made is the youngest."""
    return memory.created_at or "9999", memory.id


def merged(into: Memory, others: Sequence[Memory], now: datetime, why: str, zone: str) -> Memory | None:
    """Give what several memories become together: the oldest one's id, and all that any of them says.

    Its text is the oldest one's, or one that holds all words of it and more; what another says in words that are not in it is
    kept among its exceptions. It bears all tags, exceptions and alternatives, the earliest `created_at`, the latest `last_used`, the highest
    tier with the instant since when it is held, the longest ttl; pinned and confirmed where any was. Counters are added up, for
    what was told of either was told of it, but `recalls`, of which two may be of one session.

    Args:
        into: the oldest.
        others: the rest, of the same kind and scope.
        now: dates the step in its chain.
        why: says in that step what was seen.
        zone: of times that name none.

    Returns:
        The memory; None where they cannot be one without a person: their ends, reasons or free fields differ.
    """
    every = (into, *others)
    changes: dict[str, Any] = {}
    for fields in (_about(every), _extra(every), _reason(every)):
        if fields is None:
            return None
        changes |= fields
    if len({each.expires_at and instant(each.expires_at, zone) for each in every}) > 1:
        return None
    text = _text(every)
    exceptions = _exceptions(every, text)
    if len(exceptions) > max(EXCEPTIONS, *(len(each.exceptions) for each in every)):
        return None
    top = max(every, key=lambda each: (TIERS.index(each.tier), -every.index(each)))
    steps = [step.model_dump(mode="json") for step in into.rule_chain]
    if top is not into:
        steps += [step.model_dump(mode="json") for step in top.rule_chain]
    steps.append({"rule": RULE, "why": why, "at": now.isoformat(timespec="milliseconds")})
    changes |= {
        "text": text,
        "exceptions": exceptions,
        "alternatives": _union(each.alternatives for each in every),
        "tags": _union(each.tags for each in every),
        "merged": _union((*each.merged, *((each.id,) if each is not into else ())) for each in every),
        "created_at": _extreme((each.created_at for each in every), zone, latest=False),
        "last_used": _extreme((each.last_used for each in every), zone, latest=True),
        "review_after": _extreme((each.review_after for each in every), zone, latest=False),
        "tier": top.tier,
        "tier_since": top.tier_since or top.created_at,
        "ttl": max((each.ttl for each in every if each.ttl is not None), key=duration, default=None)
        if all(each.ttl is not None for each in every)
        else None,
        "pinned": any(each.pinned for each in every) or None,
        "confirmed": any(each.confirmed for each in every) or None,
        "counters": _counters(every) or None,
        "rule_chain": steps,
        **_source(every),
    }
    try:
        return into.with_changes(**{name: value for name, value in changes.items() if value not in ((), [])})
    except UnfitMemoryError:
        return None


def retired(memory: Memory, into: str, now: datetime, why: str) -> Memory | None:
    """Give a memory as it goes to the archive: it says what took its place. None where it cannot be changed."""
    steps = [step.model_dump(mode="json") for step in memory.rule_chain]
    steps.append({"rule": RULE, "why": why, "at": now.isoformat(timespec="milliseconds")})
    try:
        return memory.with_changes(superseded_by=into, rule_chain=steps)
    except UnfitMemoryError:
        return None


_RESTRICTING = re.compile(
    r"\b(?:only|except|unless|but|without|if|when|while|until|after|before|all|some|most)\b|只|仅|除|但|若|如果|当|之前|之后|都|部分|大多"
)


def _words(text: str) -> set[str]:
    """Give what a text says, for what another lacks: its terms, and the little words that restrict them."""
    return {*terms(text), *_RESTRICTING.findall(fold(text))}


def _text(every: Sequence[Memory]) -> str:
    text = every[0].text
    for each in every[1:]:
        if _words(each.text) > _words(text):
            text = each.text
    return text


def _exceptions(every: Sequence[Memory], text: str) -> list[str]:
    known = _words(text)
    said = _union(each.exceptions for each in every)
    said += [each.text for each in every if not _words(each.text) <= known]
    return list(dict.fromkeys(each for each in said if each != text))


def _about(every: Sequence[Memory]) -> dict[str, Any] | None:
    found = _joined(each.about for each in every)
    return None if found is None else {"about": found or None}


def _extra(every: Sequence[Memory]) -> dict[str, Any] | None:
    return _joined(each.extra for each in every)


def _reason(every: Sequence[Memory]) -> dict[str, Any] | None:
    said = list(dict.fromkeys(each.reason for each in every if each.reason))
    return None if len(said) > 1 else {"reason": said[0]} if said else {}


def _joined(each: Iterable[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Give what mappings say together; None where two of them say different things of one name."""
    found: dict[str, Any] = {}
    for mapping in each:
        for name, value in mapping.items():
            if found.setdefault(name, value) != value:
                return None
    return found


def _source(every: Sequence[Memory]) -> dict[str, Any]:
    """Give the source of the oldest, which was asked for where any was; without one, that of the next."""
    source = next((each.source for each in every if each.source is not None), None)
    if source is None:
        return {}
    form = source.model_dump(mode="json", exclude_unset=True)
    if any(each.source is not None and each.source.asked for each in every):
        form["asked"] = True
    return {"source": form}


def _counters(every: Sequence[Memory]) -> dict[str, int]:
    names = dict.fromkeys(name for each in every for name in each.counters)
    gather = {"recalls": max}
    return {name: gather.get(name, sum)([each.counters.get(name, 0) for each in every]) for name in names}


def _extreme(texts: Iterable[str | None], zone: str, *, latest: bool) -> str | None:
    known = [each for each in texts if each is not None]
    return (max if latest else min)(known, key=lambda each: instant(each, zone), default=None)


def _union(each: Iterable[Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(item for items in each for item in items))
