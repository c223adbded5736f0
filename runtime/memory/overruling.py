"""What the user's own words take the place of, where they say that something known is wrong, or otherwise by now (P3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from casebook.gate.candidate import Candidate, Likeness, Weighed
from casebook.gate.correcting import is_change, takes_place_of
from casebook.gate.own_words import view_of
from casebook.gate.same import words_of
from casebook.memory import Memory, Step
from casebook.runtime.memory.layers import Layer

_WHY = "it corrects what was said before"
_P3 = Step(rule="P3", why="the user says that it is otherwise by now: judged on these words alone")


class Overruled(NamedTuple):
    """What a piece corrects.

    Attributes:
        surely: the memory whose place it takes, or None.
        like: how the piece stands to what is known; what it may correct is opposed to it, and never one with it.
    """

    surely: Memory | None
    like: Likeness


def corrects(piece: Weighed) -> bool:
    """Say whether the words of a piece say that something known is wrong, or otherwise by now."""
    return any(step.rule == "P3" for step in piece.chain) or is_change(view_of(piece.text))


def overruled_by(piece: Weighed, like: Likeness, existing: Iterable[Memory]) -> Overruled:
    """Give what a piece corrects, whose words say that it does.

    Args:
        piece: what is said.
        like: how it stands to what is known.
        existing: what is known.

    Returns:
        Surely what alone says the opposite, or else what alone says the same but for a few words in one place. Where several do, or
        one is only about something like it, they are opposed: a person is asked.
    """
    if like.do in ("merge", "update") and not like.opposes:
        return Overruled(None, like)
    texts = {each.id: each for each in existing}
    found = [texts[each] for each in like.opposes if each in texts]
    if not found:
        said = words_of(piece.text)
        found = [each for each in texts.values() if takes_place_of(said, words_of(each.text))]
    surely = found[0] if len(found) == 1 else None
    if not found and like.do == "propose" and like.other in texts:
        found = [texts[like.other]]
    if not found:
        return Overruled(None, like)
    opposes = tuple(sorted({*like.opposes, *(each.id for each in found)}))
    return Overruled(surely, Likeness("create", opposes=opposes, why=_WHY))


def without_p3(piece: Weighed) -> Weighed:
    """Give a piece of which nothing was corrected: P3 stands in a chain only where something was."""
    return replace(piece, chain=tuple(step for step in piece.chain if step.rule != "P3"))


def is_theirs(layer: Layer, memory: Memory, candidate: Candidate, actor: str) -> bool:
    """Say whether whoever speaks may correct a memory at once: it is their own, or they said it themselves.

    Args:
        layer: the casebook in which it stands.
        memory: what is corrected.
        candidate: what is said.
        actor: who says it, as in `Entry.actor`.
    """
    if memory.scope.user is not None:
        return memory.scope.user == candidate.user
    said = layer.journal.entries(subject=memory.id, actions=("remember",))
    who = [each.actor for each in said if each.body.get("did") in ("created", "updated", "corrected")]
    return who[-1] == actor if who else candidate.user is None


def as_correction(piece: Weighed) -> Weighed:
    """Give a piece with P3 in its chain."""
    return piece if any(step.rule == "P3" for step in piece.chain) else replace(piece, chain=(*piece.chain, _P3))
