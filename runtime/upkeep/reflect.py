"""The job `reflect`: what says the same becomes one, what says nearly the same or the opposite is put to review (DESIGN section 8)."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from casebook.gate.same import PROPOSE, UPDATE, is_same, overlap_of, words_of
from casebook.memory import Memory
from casebook.memory_facts import is_live
from casebook.policy import JobName
from casebook.runtime.upkeep.audit_asking import Asking
from casebook.runtime.upkeep.contradicting import asks_of
from casebook.runtime.upkeep.facts import is_aged, undoing
from casebook.runtime.upkeep.protocol import Desk, Move
from casebook.runtime.upkeep.reflect_merging import RULE, age, merged, retired
from casebook.runtime.upkeep.reflect_pairs import Budget, near_pairs
from casebook.speakers import is_persons, outweighs, speaker_of
from casebook.stores.memory_store import Placed

PAIRS = 500_000
"""Pairs of memories that are compared (ours)."""

_NEAR = 0.5
"""Overlap of words below which no two texts are near-identical: these differ in the spelling of a few words at most (ours)."""
_SUBJECT = ("tool", "action", "case", "signature")


@dataclass(frozen=True, slots=True)
class Reflect:
    """The job."""

    name: JobName = "reflect"

    def plan(self, desk: Desk) -> Iterable[Move]:
        """Give the moves that are due: each merge as three, the one that stays first. Raises StoreError."""
        asking = Asking.of(desk.journal, desk.now)
        budget = Budget(PAIRS)
        after: dict[str, Memory | None] = {}
        for group in _groups(desk):
            pairs = list(_pairs(group, budget))
            merges = list(_merges(desk, group, pairs))
            yield from merges
            after |= {each.subject: each.after for each in merges}
            left = [each for one in group if (each := after.get(one.id, one)) is not None] if merges else group
            for one, other in _pairs(left, budget) if merges else pairs:
                yield from _proposal(desk, asking, left[one], left[other])
        if budget.skipped:
            desk.troubles.append(f"so much is alike that {budget.skipped:,} pairs were not compared with each other")
        yield from asks_of(_merged_desk(desk, after), asking, job=RULE)


def _merged_desk(desk: Desk, after: Mapping[str, Memory | None]) -> Desk:
    """Give the casebook as it is once the merges are made: so that the next run has nothing to ask that this one did not."""
    if not after:
        return desk
    memories: dict[str, Placed] = {}
    for name, placed in desk.memories.memories.items():
        memory = after.get(name, placed.memory)
        if memory is not None:
            memories[name] = placed if memory is placed.memory else replace(placed, memory=memory)
    return replace(desk, memories=replace(desk.memories, memories=memories))


def _groups(desk: Desk) -> Sequence[Sequence[Memory]]:
    """Give the memories that may be one with others, by kind and scope, each group the oldest first."""
    found: dict[Any, list[Memory]] = defaultdict(list)
    for placed in desk.each():
        memory = placed.memory
        lasting = memory.tier in ("L2", "L3") or is_aged(placed)
        is_one = memory.superseded_by is None and memory.kind not in ("error", "success")
        if lasting and is_one and is_live(memory, desk.now, desk.policy.timezone):
            found[memory.kind, memory.scope].append(memory)
    return [sorted(group, key=age) for group in found.values() if len(group) > 1]


def _pairs(group: Sequence[Memory], budget: Budget) -> Iterator[tuple[int, int]]:
    """Give the pairs of a group that are near each other, the older first, each once."""
    known: dict[Any, int] = {}
    marks = array("L")
    for each in group:
        words = words_of(each.text)
        marks.append(known.setdefault((words.polarity, words.numbers, words.times), len(known)))
    told: set[tuple[int, int]] = set()
    for places, least in _rounds(group):
        tokens = (words_of(group[at].text).tokens for at in places)
        for one, other in near_pairs(tokens, least, budget, stances=[marks[at] for at in places]):
            first, second = sorted((places[one], places[other]))
            if (first, second) not in told and marks[first] == marks[second]:
                told.add((first, second))
                yield first, second


def _rounds(group: Sequence[Memory]) -> Iterator[tuple[Sequence[int], float]]:
    """Give what is to be compared, and how near it has to be: all of a group, and closer those that are about the same thing."""
    yield range(len(group)), _NEAR
    about: dict[Any, list[int]] = defaultdict(list)
    for at, each in enumerate(group):
        subject = _subject(each)
        if subject:
            about[subject].append(at)
    for places in about.values():
        if len(places) > 1:
            yield places, PROPOSE


def _subject(memory: Memory) -> tuple[tuple[str, str], ...]:
    return tuple((name, str(memory.about[name])) for name in _SUBJECT if memory.about.get(name))


def near_identical(one: Memory, other: Memory) -> bool:
    """Say whether two memories of a kind and scope say the same: polarity first, then numbers and times, then the characters."""
    return is_same(words_of(one.text), words_of(other.text))


def _merges(desk: Desk, group: Sequence[Memory], pairs: Sequence[tuple[int, int]]) -> Iterator[Move]:
    """Give the moves of a group's merges; whoever goes is near-identical to the one that stays, not to some other in between."""
    taken: dict[int, list[int]] = defaultdict(list)
    home: dict[int, int] = {}
    for one, other in sorted(pairs):
        into = home.get(one, one)
        if other in home or other in taken or into == other:
            continue
        if _may_merge(group[into], group[other]) and near_identical(group[into], group[other]):
            taken[into].append(other)
            home[other] = into
    for into, others in sorted(taken.items()):
        yield from _merge(desk, group[into], [group[at] for at in others])


def _may_merge(one: Memory, other: Memory) -> bool:
    """Say whether two memories may become one without a person: both are of the same source, and nobody has taken such a merge back."""
    if (speaker_of(one), is_persons(one)) != (speaker_of(other), is_persons(other)):
        return False
    return undoing(one, "merge") is None and undoing(other, "merge") is None


def _merge(desk: Desk, into: Memory, others: Sequence[Memory]) -> Iterator[Move]:
    """Give the moves of one merge, with as many of the others as can be one with it."""
    why = f"near-identical to {into.id}"
    fit: list[Memory] = []
    after: Memory | None = None
    for each in others:
        made = merged(into, [*fit, each], desk.now, "", desk.policy.timezone)
        if made is not None:
            fit.append(each)
    ids = tuple(each.id for each in fit)
    if ids:
        after = merged(into, fit, desk.now, f"{', '.join(ids)} said the same", desk.policy.timezone)
    if after is None:
        return
    marked = {each.id: retired(each, into.id, desk.now, why) for each in fit}
    if any(each is None for each in marked.values()):
        return
    yield Move("merge", into.id, RULE, f"{', '.join(ids)} said the same", before=into, after=after, others=ids)
    for each in fit:
        yield Move("merge", each.id, RULE, why, before=each, after=marked[each.id], others=(into.id,))
    for each in fit:
        reason = f"merged into {into.id}"
        yield Move("merge", each.id, RULE, why, before=marked[each.id], reason=reason, others=(into.id,))


def _proposal(desk: Desk, asking: Asking, one: Memory, other: Memory) -> Iterator[Move]:
    """Ask whether two memories are one; what a person said is what the other goes into."""
    if outweighs(other, one):
        one, other = other, one
    shared = overlap_of(words_of(one.text).tokens, words_of(other.text).tokens)
    least = PROPOSE if _subject(one) and _subject(one) == _subject(other) else UPDATE
    if shared <= least or other.id in one.merged or asking.is_asked("merge", one.id, other.id):
        return
    key = asking.key("merge", other.id, one.id)
    if key is None:
        return
    why = f"it shares {shared:.0%} of its words with {one.id}"
    yield Move(
        "ask", other.id, RULE, why, before=other, reason="merge", proposal=_proposed(desk, one, other), others=(one.id,),
        key=key,
    )  # fmt: skip


def _proposed(desk: Desk, one: Memory, other: Memory) -> Mapping[str, Any]:
    """Give what approving does; where their fields cannot be joined, the words of the other become an exception of the one."""
    made = merged(one, [other], desk.now, f"{other.id} was merged into it", desk.policy.timezone)
    if made is None or outweighs(one, other):
        made = one.with_changes(exceptions=list(dict.fromkeys((*one.exceptions, other.text))))
    return {"do": "merge", "into": one.id, "memory": made.to_json()}
