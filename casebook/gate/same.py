"""Whether a piece is known already: update, merge, propose or create; and what says the opposite (DESIGN section 7)."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

from casebook.conditions.fold import fold
from casebook.gate.candidate import Likeness, Same
from casebook.gate.opposing import SUBJECT, opposes, opposing
from casebook.gate.opposites import STEMS
from casebook.gate.order import order_of
from casebook.gate.polarity import polarity_of
from casebook.gate.words import Words, overlap_of, tokens_of, words_of
from casebook.kinds import Kind
from casebook.memory import Memory

__all__ = [
    "NEAR", "PROPOSE", "SUBJECT", "UPDATE", "Words", "is_same", "likeness", "lost", "opposes", "opposing", "overlap_of", "polarity_of", "ratio_of",
    "tokens_of", "words_of",
]  # fmt: skip

UPDATE, PROPOSE, NEAR = 0.6, 0.3, 0.92
"""Above so much overlap it is an update, or a merge is proposed; from so much likeness on the two are merged (DESIGN section 7)."""

_LONG = 400
"""Characters up to which texts are compared sign by sign; longer ones word by word."""


def ratio_of(first: Words, second: Words, least: float = 0.0) -> float:
    """Give how alike two texts are, sign by sign, 0–1; below `least` some number below it."""
    a, b = first.view, second.view
    if a == b:
        return 1.0
    if max(len(a), len(b)) <= _LONG:
        matcher = SequenceMatcher(None, a, b, autojunk=False)
    else:
        matcher = SequenceMatcher(None, a.split(), b.split(), autojunk=False)
    for quick in (matcher.real_quick_ratio, matcher.quick_ratio):
        bound = quick()
        if bound < least:
            return bound
    return matcher.ratio()


def is_same(first: Words, second: Words) -> bool:
    """Say whether two texts say the same in (nearly) the same words: 0.92 alike, no number and no name differs."""
    if first.polarity != second.polarity or first.numbers != second.numbers or first.times != second.times:
        return False
    if not _spell_alike(first.tokens, second.tokens) or ratio_of(first, second, NEAR) < NEAR:
        return False
    one, two = order_of(first.view), order_of(second.view)
    return one.is_as(two) and all(a == b or _has_twin(a, [b]) for a, b in zip(one.parts, two.parts, strict=True))


def _spell_alike(first: frozenset[str], second: frozenset[str]) -> bool:
    """Say whether tokens differ in spelling at most ("colour", "color"), so that none of them is another fact."""
    ours, theirs = sorted(first - second), sorted(second - first)
    if len(ours) > 4 or len(theirs) > 4:
        return False
    return all(_has_twin(each, theirs) for each in ours) and all(_has_twin(each, ours) for each in theirs)


def _has_twin(token: str, others: list[str]) -> bool:
    return any(
        min(len(token), len(other)) >= 5
        and token[0] == other[0]
        and token.isalpha()
        and other.isalpha()
        and token.isascii()
        and SequenceMatcher(None, token, other, autojunk=False).ratio() >= 0.85
        for other in others
    )


def likeness(text: str, kind: Kind, polarity: int, existing: Iterable[Memory]) -> Likeness:
    """Compare a piece with what is known.

    Args:
        text: the piece.
        kind: its kind; only memories of that kind can be the same.
        polarity: +1 or -1; what says the opposite is never the same.
        existing: memories of the same scope.

    Returns:
        What is to be done: `merge` where one says the same in nearly the same words; `update` where the overlap is more than
        0.6 and no fact of the old one would get lost; `propose` where one would, or where the overlap is more than 0.3; else
        `create`. And the ids of those that say the opposite, whatever their kind.
    """
    piece = words_of(text)
    best: tuple[int, float, float, str, Same] | None = None
    against: list[str] = []
    stems = _stems(piece)
    for memory in existing:
        if stems and not _may_share(stems, memory.text):
            continue
        other = words_of(memory.text)
        if not (piece.tokens & other.tokens or piece.subject & other.subject) and piece.view != other.view:
            continue
        is_opposed = opposing(piece, other, first_polarity=polarity) is not None
        if is_opposed:
            against.append(memory.id)
        if memory.kind != kind or other.polarity != polarity:
            continue
        found = _compared(piece, other)
        if found is None or (is_opposed and found[0] != "propose"):
            continue
        do, overlap, ratio = found
        rank = ("propose", "update", "merge").index(do)
        if best is None or (rank, overlap, ratio, memory.id) > best[:4]:
            best = (rank, overlap, ratio, memory.id, do)
    opposes_ = tuple(sorted(against))
    if best is None:
        why = "nothing of its kind is about the same" if not against else "what is about the same says the opposite"
        return Likeness("create", opposes=opposes_, why=why)
    _, overlap, ratio, other_id, do = best
    return Likeness(do, other_id, round(overlap, 3), round(ratio, 3), opposes_, _WHY[do])


def _stems(piece: Words) -> tuple[str, ...]:
    """Give beginnings of the words of a text, one of which a text that shares a word with it holds; empty where it has no word."""
    found: set[str] = set()
    for key in piece.tokens | piece.subject:
        if key in STEMS:
            found.update(STEMS[key])
        elif not key.endswith("_"):
            found.add(key[: max(2, len(key) - 2)] if key.isascii() and key.isalpha() else key)
    return tuple(sorted(found))


def _may_share(stems: tuple[str, ...], text: str) -> bool:
    """Say whether a text may share a word; much cheaper than to read it."""
    folded = fold(text)
    return any(stem in folded for stem in stems)


_WHY: dict[Same, str] = {
    "merge": "it says the same in nearly the same words",
    "update": "it is about the same, and holds all that is known of it",
    "propose": "it is about something like it; a person is asked whether they are one",
    "create": "it is new",
}


def _compared(piece: Words, other: Words) -> tuple[Same, float, float] | None:
    """Give what a piece is to a memory of the same kind and polarity, None where it is nothing to it."""
    overlap = overlap_of(piece.tokens, other.tokens)
    if piece.view == other.view:
        return "merge", 1.0, 1.0
    if overlap <= PROPOSE:
        return None
    if is_same(piece, other):
        return "merge", overlap, ratio_of(piece, other)
    ratio = ratio_of(piece, other, UPDATE)
    if overlap > UPDATE and not lost(other, piece) and order_of(other.view).goes_into(order_of(piece.view)):
        return "update", overlap, ratio
    return "propose", overlap, ratio


def lost(old: Words, new: Words) -> frozenset[str]:
    """Give the tokens and numbers of an old text that a new one lacks: what an update would drop silently."""
    kept = new.tokens | set(new.numbers) | set(new.times)
    return (old.tokens | set(old.numbers) | set(old.times)) - kept
