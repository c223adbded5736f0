"""What is known that a piece may be like, or opposed to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from casebook.gate.candidate import Likeness, Weighed
from casebook.gate.labels import unlabelled
from casebook.gate.order import order_of
from casebook.gate.own_words import view_of
from casebook.gate.same import NEAR, UPDATE, Words, is_same, likeness, lost, opposing, overlap_of, words_of
from casebook.memory import Memory
from casebook.memory_facts import is_live
from casebook.runtime.answer.isolation import Principal, within
from casebook.runtime.lint.book import overlap
from casebook.runtime.memory.layers import Layer
from casebook.scope import Scope
from casebook.speakers import outweighs
from casebook.stores.memory_store import Placed

_NEGATION = re.compile(r"\b(?:no|not|never|without|none|cannot)\b|n't\b|[不没无别勿非]")
_LABEL_END = re.compile(r"[:：\]】」—–-]\s*")
_OUTCOMES = ("error", "success")
"""Kinds that tell what became of a call; no person says such a thing."""
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


def echoed_by(piece: Weighed, made: Memory, existing: Iterable[Memory]) -> Memory | None:
    """Give what a person said that an agent or a tool says again as another kind of thing, or of another scope; None where it says more.

    Args:
        piece: what is said.
        made: the same as a memory: by whom, of which kind, and whose.
        existing: what is known, of every kind, and of every scope that may be told beside its own.
    """
    if made.kind in _OUTCOMES:
        return None
    said = words_of(_unlabelled(piece.text))
    others = (each for each in existing if (each.kind, each.scope) != (made.kind, made.scope) and outweighs(each, made))
    return next((each for each in others if _says_no_more(said, words_of(_unlabelled(each.text)))), None)


def _says_no_more(said: Words, known: Words) -> bool:
    """Say whether all that a text says stands in another, in nearly the same words."""
    if said.view == known.view or is_same(said, known):
        return True
    if said.polarity != known.polarity or lost(said, known) or overlap_of(said.tokens, known.tokens) <= UPDATE:
        return False
    return opposing(said, known) is None and order_of(said.view).goes_into(order_of(known.view))


def _unlabelled(text: str) -> str:
    """Give a text without the label at its beginning ("Rule: …", 决定：…), its capitals as they are; of a full stop nothing depends."""
    text = text.rstrip(" .!。！")
    view = view_of(text)
    left = unlabelled(view).strip()
    if left == view:
        return text
    behind = (text[found.end() :] for found in _LABEL_END.finditer(text))
    return next((each for each in behind if view_of(each) == left), left)


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
