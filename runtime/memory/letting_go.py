"""Which memories somebody means who says that something is to be forgotten: those that say just that, and those that are about it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from casebook.conditions.fold import fold
from casebook.gate.letting_go import asks_all_to_go, what_is_to_go, without_present
from casebook.gate.own_words import view_of
from casebook.gate.polarity import polarity_of
from casebook.gate.same import likeness
from casebook.memory import Memory
from casebook.memory_facts import is_live
from casebook.runtime.answer.isolation import Principal, within
from casebook.runtime.memory.layers import Layer
from casebook.runtime.memory.tokens import terms
from casebook.stores.memory_store import Placed

NEWEST = 3
"""Memories that may be meant where nothing is named ("forget it"): the newest (ours)."""
LEAST = 1 / 3
"""The share of the words of what is to go that a memory must hold to be meant perhaps (ours)."""
_ASKING = frozenset(
    map(
        str,
        terms(
            "said say told tell mentioned remember forget memory memories note thing 件事 事情 记忆 刚才 上次 说过 条 事 话"
        ),
    )
)
"""What is said of the saying, and names nothing."""


@dataclass(frozen=True, slots=True)
class Meant:
    """What may be meant.

    Attributes:
        surely: say just what is to go, one a kind at most, each with its casebook.
        perhaps: are about it as well, what fits best first; where nothing is named, the newest; where all is, all of the speaker's.
    """

    surely: tuple[tuple[Layer, Placed], ...] = ()
    perhaps: tuple[Memory, ...] = ()


def meant_by(text: str, layers: Sequence[Layer], principal: Principal, session: str | None, now: datetime) -> Meant:
    """Find what a text asks to forget.

    Args:
        text: the piece that asks ("forget what I said about tabs", "忘了我不吃香菜").
        layers: the casebooks.
        principal: who asks; what is out of their reach does not exist.
        session: in which it was said; where nothing is named, what was said in it goes before.
        now: the instant, aware.
    """
    reach = [
        (place, layer, each)
        for place, layer in enumerate(layers)
        for each in layer.memories.snapshot().memories.values()
        if within(each.memory.scope, principal) and each.memory.status != "archived"
    ]
    said = what_is_to_go(text)
    if asks_all_to_go(view_of(text)):
        own = [
            each.memory for _, _, each in reach if principal.user is None or each.memory.scope.user == principal.user
        ]
        return Meant(perhaps=_newest(own))
    if not said:
        here = [
            each.memory
            for _, _, each in reach
            if session and each.memory.source and each.memory.source.session == session
        ]
        return Meant(perhaps=_newest(here or [each.memory for _, _, each in reach])[:NEWEST])
    live = [known for known in reach if is_live(known[2].memory, now, known[1].policy.timezone)]
    surely = tuple(_surely(said, live))
    sure = {id(each.memory) for _, each in surely}
    return Meant(surely, tuple(_about(said, [each.memory for _, _, each in reach if id(each.memory) not in sure])))


def _surely(said: str, reach: Sequence[tuple[int, Layer, Placed]]) -> Iterable[tuple[Layer, Placed]]:
    """Give what says just what is to go, of each casebook and kind one at most."""
    for place, kind in sorted({(at, each.memory.kind) for at, _, each in reach}):
        own = {each.memory.id: (layer, each) for at, layer, each in reach if at == place}
        plain = without_present(said)
        texts = (each.memory.with_changes(text=without_present(each.memory.text)) for _, each in own.values())
        like = likeness(plain, kind, polarity_of(plain), texts)
        if like.other and like.do == "merge":  # what is only much like it is named, and not taken out
            yield own[like.other]


def _about(said: str, memories: Iterable[Memory]) -> list[Memory]:
    """Give what holds enough of the words of what is to go, most of them first."""
    asked = frozenset(terms(said)) - _ASKING
    found = []
    for memory in memories:
        text = fold(memory.text)
        held = frozenset(terms(memory.text))
        share = sum(each in held or (len(each) == 1 and not each.isascii() and each in text) for each in asked) / max(
            1, len(asked)
        )
        if share >= LEAST or said in text:
            found.append((-share, memory))
    best = min((share for share, _ in found), default=0.0)
    return [memory for share, memory in sorted(found, key=lambda each: (each[0], each[1].id)) if share <= best / 2]


def _newest(memories: Iterable[Memory]) -> tuple[Memory, ...]:
    return tuple(sorted(memories, key=lambda each: (each.created_at or "", each.id), reverse=True))
