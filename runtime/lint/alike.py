"""Cases that stand in each other's way: the same twice, one within the other, effects or corrections that differ."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from casebook.conditions.fold import nfc
from casebook.runtime.answer.isolation import as_wide
from casebook.runtime.lint.book import Book, Finding, Subject

CANDIDATES = 200_000
"""Pairs of cases bound to the same value that are looked at, before any is compared in earnest."""


def find(book: Book) -> Iterator[Finding]:
    """Give the pairs of cases that deserve a look, each at the later or narrower one."""
    active = (each for each in book.subjects if each.loaded.case.status == "active" and each.speaks)
    subjects = [each for each in active if book.example(each) is not None]
    told: set[tuple[str, str]] = set()
    yield from _same_conditions(book, subjects, told)
    yield from _opposite_corrections(book, subjects, told)
    yield from _same_but_for_time(book, subjects, told)
    yield from _within(book, subjects, told)


def _pair(one: Subject, other: Subject) -> tuple[str, str]:
    return (one.id, other.id) if one.id < other.id else (other.id, one.id)


def _same_conditions(book: Book, subjects: list[Subject], told: set[tuple[str, str]]) -> Iterator[Finding]:
    """Find equal conditions, scope and points, up to order."""
    groups: dict[object, list[Subject]] = {}
    for each in subjects:
        case = each.loaded.case
        named = frozenset((key, nfc(name)) for key, name in case.scope.named.items())
        key = (each.parts, named, frozenset(case.on), each.loaded.zone if each.clocked else "")
        groups.setdefault(key, []).append(each)
    for group in groups.values():
        first = group[0]
        for other in group[1:]:
            told.add(_pair(first, other))
            yield from _twice(book, first, other)
        told.update(_pair(one, other) for one, other in combinations(group[:50], 2))


def _twice(book: Book, first: Subject, other: Subject) -> Iterator[Finding]:
    mine, theirs = first.loaded.case, other.loaded.case
    if mine.effect == theirs.effect and _words(mine.correction) == _words(theirs.correction):
        if book.as_long(first, other) or book.as_long(other, first):
            yield other.find(
                "needless", f"says what {first.id} says, under the same conditions", cure=f"archive it or {first.id}"
            )
    elif not book.meet(first, other):
        return
    elif mine.effect != theirs.effect:
        yield other.find(
            "effects",
            f"has the conditions of {first.id}, but is to {theirs.effect} where that is to {mine.effect}",
            field="effect",
            cure="one case, with the effect that is meant",
        )
    else:
        yield other.find(
            "twice",
            f"has the conditions of {first.id}, with another correction: both will be shown",
            field="correction",
            cure="one case, if it is one lesson",
        )


@lru_cache(maxsize=16_384)
def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


_NEGATIVE = re.compile(
    r"\b(?:do not|don't|never|must not|mustn't|not|no|avoid)\b|禁止|不要|不得|不能|不可|不许|切勿|勿|别"
)
_POSITIVE = re.compile(r"\b(?:always|must|do|please|should)\b|必须|务必|应当|应该|一定要|请")


def _polarity(correction: str) -> tuple[str, bool]:
    """Give what a correction is about, and whether it says not to."""
    text = correction.casefold().replace("’", "'")
    rest, negatives = _NEGATIVE.subn(" ", text)
    return _words(_POSITIVE.sub(" ", rest)), negatives % 2 == 1


def _opposite_corrections(book: Book, subjects: list[Subject], told: set[tuple[str, str]]) -> Iterator[Finding]:
    """Find corrections that say the opposite of another's where both cases can fire, each once."""
    groups: dict[str, tuple[list[Subject], list[Subject]]] = {}
    for each in subjects:
        about, negative = _polarity(each.loaded.case.correction)
        if about:
            groups.setdefault(about, ([], []))[negative].append(each)
    for does, does_not in groups.values():
        for other in does_not:
            one = next((each for each in does if book.together(each, other)), None)
            if one is not None:
                told.add(_pair(one, other))
                yield other.find(
                    "opposite",
                    f'can fire together with {one.id}, whose correction says the opposite: "{one.loaded.case.correction}"',
                    field="correction",
                )


def _same_but_for_time(book: Book, subjects: list[Subject], told: set[tuple[str, str]]) -> Iterator[Finding]:
    """Find cases about the same thing at times that overlap, of which only one blocks."""
    groups: dict[object, list[Subject]] = {}
    for each in subjects:
        if each.anchors and each.timed:
            groups.setdefault(each.parts - each.timed, []).append(each)
    for group in groups.values():
        for one, other in combinations(group, 2):
            effects = {one.loaded.case.effect, other.loaded.case.effect}
            if len(effects) < 2 or _pair(one, other) in told:
                continue
            if book.together(one, other):
                told.add(_pair(one, other))
                yield other.find(
                    "effects",
                    f"is to {other.loaded.case.effect} where {one.id} is to {one.loaded.case.effect}, at times that overlap",
                    field="effect",
                )


def _within(book: Book, subjects: list[Subject], told: set[tuple[str, str]]) -> Iterator[Finding]:
    """Find cases that fire only where another one does, and add nothing to it."""
    done: set[str] = set()
    for narrow, wide in _candidates(book, subjects):
        reason = None if narrow.id in done or _pair(narrow, wide) in told else _adds_nothing(narrow, wide)
        if reason is not None and book.implies(narrow, wide):
            done.add(narrow.id)
            told.add(_pair(narrow, wide))
            yield narrow.find(
                "needless", f"fires only where {wide.id} does too, {reason}", cure=f"archive it, or narrow {wide.id}"
            )


def _adds_nothing(narrow: Subject, wide: Subject) -> str | None:
    """Say why the narrow case adds nothing where the wide one fires too; None where it adds something."""
    mine, theirs = narrow.loaded.case, wide.loaded.case
    if _words(mine.correction) == _words(theirs.correction) and mine.effect == theirs.effect:
        return "and says the same"
    if theirs.effect == "block" and wide.enforced and mine.effect != "block":
        return f"and that one blocks, so that what this one is to {mine.effect} never happens"
    return None


def _candidates(book: Book, subjects: list[Subject]) -> Iterator[tuple[Subject, Subject]]:
    """Give pairs (narrow, wide) of which one may be within the other.

    Only a case with the same correction, or a block, makes another one needless. Of each block the field that the fewest
    others are bound by in the same way is followed.
    """
    same: dict[str, list[Subject]] = {}
    holders: dict[tuple[str, str], list[Subject]] = {}
    for each in subjects:
        same.setdefault(_words(each.loaded.case.correction), []).append(each)
        for anchor in each.anchors:
            holders.setdefault(anchor, []).append(each)
    looked = 0
    for wide in subjects:
        others = same[_words(wide.loaded.case.correction)]
        if wide.loaded.case.effect == "block" and wide.anchors:
            by_field: dict[str, list[Subject]] = {}
            for anchor in sorted(wide.anchors):
                by_field.setdefault(anchor[0], []).extend(holders[anchor])
            others = [*others, *min(by_field.values(), key=len)]
        looked += len(others)
        if looked > CANDIDATES:
            looked -= len(others)
            book.pairs_skipped += len(others)
            continue
        for narrow in dict.fromkeys(others):
            if narrow is not wide and _may_be_within(book, narrow, wide):
                yield narrow, wide


def _may_be_within(book: Book, narrow: Subject, wide: Subject) -> bool:
    """Say whether it is worth asking: the wide case reads nothing that the narrow one leaves open, and speaks wherever it holds."""
    mine, theirs = narrow.loaded.case, wide.loaded.case
    return (
        wide.anchored <= narrow.anchored
        and wide.roots <= narrow.roots
        and book.as_long(wide, narrow)
        and wide.id not in mine.supersedes
        and set(mine.on) <= set(theirs.on)
        and as_wide(theirs.scope, mine.scope)
    )
