"""What is known that a piece may be like, or opposed to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from casebook.gate.candidate import Likeness, Weighed
from casebook.gate.own_words import view_of
from casebook.gate.same import NEAR, likeness
from casebook.memory import Memory
from casebook.memory_facts import is_live
from casebook.runtime.answer.isolation import Principal, within
from casebook.runtime.lint.book import overlap
from casebook.runtime.memory.layers import Layer
from casebook.scope import Scope
from casebook.stores.memory_store import Placed

_NEGATION = re.compile(r"\b(?:no|not|never|without|none|cannot)\b|n't\b|[不没无别勿非]")
_OPPOSED = "what is about the same says the opposite"


def known_in(layer: Layer, scope: Scope, now: datetime) -> Mapping[str, Placed]:
    """Give the memories of a scope, to which something that is said may be like, or opposed."""
    zone = layer.policy.timezone
    return {
        name: placed
        for name, placed in layer.memories.snapshot().memories.items()
        if placed.memory.scope == scope and is_live(placed.memory, now, zone)
    }


def met_by(layers: Sequence[Layer], scope: Scope, who: Principal, now: datetime) -> Mapping[str, tuple[Layer, Placed]]:
    """Give the memories of other scopes that may be told beside one of a scope, within reach of whoever speaks, of all casebooks.

    What is about the same there is another's to be one with, but may say the opposite: a project's rule, and a user's preference.
    """
    found: dict[str, tuple[Layer, Placed]] = {}
    for layer in layers:
        zone = layer.policy.timezone
        for name, placed in layer.memories.snapshot().memories.items():
            other = placed.memory.scope
            if other == scope or not overlap(other, scope) or not within(other, who):
                continue
            if is_live(placed.memory, now, zone):
                found.setdefault(name, (layer, placed))
    return found


def opposed_by(piece: Weighed, like: Likeness, others: Iterable[Memory]) -> Likeness:
    """Give a likeness with those of other scopes that say the opposite, too."""
    against = likeness(piece.text, piece.kind, piece.polarity, others).opposes
    if not against:
        return like
    return replace(
        like,
        opposes=tuple(dict.fromkeys((*like.opposes, *against))),
        why=like.why if like.opposes or like.other else _OPPOSED,
    )


def likeness_of(piece: Weighed, existing: Iterable[Memory]) -> Likeness:
    """Compare a piece with what is known; what it says the opposite of is never updated, nor proposed to be one with it."""
    texts = {each.id: each for each in existing}
    like = likeness(piece.text, piece.kind, piece.polarity, texts.values())
    if like.other is None:
        return like
    if like.other in like.opposes:
        return Likeness("create", opposes=like.opposes, why=_OPPOSED)
    if (like.do == "merge" or like.ratio >= NEAR) and _negations(piece.text) % 2 != _negations(
        texts[like.other].text
    ) % 2:
        return Likeness("create", opposes=(*like.opposes, like.other), why=_OPPOSED)
    return like


def _negations(text: str) -> int:
    """Count what negates: of two texts that are the same but for one more of these, neither is the other."""
    return len(_NEGATION.findall(view_of(text)))
