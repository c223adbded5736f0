"""Memories and cases that say the opposite of each other: found without a model, put to review, never resolved silently."""

from __future__ import annotations

import re
from array import array
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, cast

from casebook.case import LoadedCase
from casebook.gate.clauses import conditions_of
from casebook.gate.opposites import stand_of
from casebook.gate.picking import pick_of
from casebook.gate.same import SUBJECT, Words, opposing, words_of
from casebook.gate.values import value_of
from casebook.kinds import Kind
from casebook.memory import Memory
from casebook.memory_facts import is_live
from casebook.runtime.lint.book import Book, Subject, book_of, overlap
from casebook.runtime.upkeep.audit_asking import Asking
from casebook.runtime.upkeep.protocol import Desk, Move
from casebook.runtime.upkeep.reflect_pairs import Budget, near_pairs
from casebook.scope import Scope
from casebook.stores.memory_store import Placed
from casebook.stores.protocol import Snapshot

PAIRS = 500_000
"""Pairs of texts that share a rare word and are compared, about a second (ours)."""
CASE_PAIRS = 2_000
"""Pairs of cases of which it is worked out whether they can speak for the same task (ours)."""

_EVENTS: frozenset[Kind] = frozenset({"error", "success", "feedback", "temporary"})
"""Kinds that tell what happened once: two of them may differ and both be true."""
Difference = Literal["polarity", "number", "time", "choice", "value"]
_FRAMED = re.compile(
    r"\b(?:uses?|using|prefers?|preferred|runs?|chose|choose|likes?|wants?|picked)\b.*\b(?:for|as|when|in|over|instead of|rather than|to|not)\b"
    "|用|都|一律|统一|默认"
)
"""Words without which no text chooses one thing for another."""
_HOURS = re.compile(
    r"\b(?:mornings?|noon|afternoons?|evenings?|nights?|midnight|weekdays?|weekends?|holidays?)\b"
    "|凌晨|早上|早晨|清晨|上午|中午|下午|傍晚|晚上|夜里|夜间|深夜|工作日|周末|节假日"
)
"""Parts of the day and the week: what is said for one of them is not said for another."""
_CHOICE = 0.3
"""Share of their words that two texts have in common at least that choose differently in the same frame (ours)."""
_ANCHORS = ("tool", "action", "intent")
_DIFFERS: Mapping[Difference, str] = {
    "polarity": "one says to, or is for it, where the other says not to, or is against it",
    "number": "they differ in a number",
    "time": "they differ in a time",
    "choice": "they choose differently",
    "value": "they say different things of what has one value",
}


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two that say the opposite.

    Attributes:
        one: the id of the younger one, a person's eye falls on it.
        other: the id of the older one.
        differs: in what.
        why: that in a sentence, which quotes neither.
        cases: those of the two ids that are cases.
    """

    one: str
    other: str
    differs: Difference
    why: str
    cases: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Said:
    """Something that is said.

    Attributes:
        id: of the memory or case.
        text: what is said.
        scope: whose it is.
        since: when it was made, as it is written, for the order of two.
        memory: where it is one.
        subject: where it is a case.
    """

    id: str
    text: str
    scope: Scope
    since: str
    memory: Memory | None = None
    subject: Subject | None = None


@dataclass(slots=True)
class Search:
    """What a search may cost, and what it left out.

    Attributes:
        texts: pairs of texts that may be compared.
        book: the cases, prepared; it counts pairs, too.
    """

    texts: Budget = field(default_factory=lambda: Budget(PAIRS))
    book: Book | None = None

    @property
    def skipped(self) -> int:
        """Give how many pairs were not looked at."""
        return self.texts.skipped + (0 if self.book is None else self.book.pairs_skipped)


def contradictions(
    memories: Iterable[Memory], cases: Snapshot | None, *, now: datetime | None = None, search: Search | None = None
) -> Iterator[Contradiction]:
    """Give the memories and cases that contradict each other: same subject, overlapping scope, another polarity, number or time.

    Of two cases the conditions have to be bound to the same tool, action or intent, and must be able to hold together; what is
    for other times or conditions contradicts nothing. Not quadratic: only what shares a rare word of its subject is compared.

    Args:
        memories: those that are in service; events (errors, feedback, …) among them are passed over.
        cases: the casebook's cases, of which the active ones count; None for none.
        now: the present instant, with which cases that have begun count as begun.
        search: bounds the work, and tells what was left out.

    Returns:
        Each pair once, the younger ones in order of age. Of several that say the same in the same words for the same people only
        the oldest is compared with others.
    """
    search = search or Search()
    said = sorted((*_of_memories(memories), *_of_cases(cases, now, search)), key=lambda each: (each.since, each.id))
    found: dict[tuple[str, str], Contradiction] = {}
    for first, second in _candidates(said, search.texts):
        one, other = said[first], said[second]
        difference = differ(words_said(one.text), words_said(other.text))
        if difference is not None and _meet(one, other, difference, search.book):
            found[one.id, other.id] = _told(one, other, difference)
    order = {each.id: place for place, each in enumerate(said)}
    yield from sorted(found.values(), key=lambda each: (order[each.one], order[each.other]))


def differ(one: Words, other: Words) -> Difference | None:
    """Say how two texts contradict each other; None where they do not.

    What is said for another time is no contradiction, nor is what is said for one time against what is said for all: that is an
    exception to it.
    """
    found = opposing(one, other)
    if found == "polarity" and (one.times, _HOURS.findall(one.view)) != (other.times, _HOURS.findall(other.view)):
        return None
    return cast("Difference", found)


def words_said(text: str) -> Words:
    """Give a text as it is compared."""
    return words_of(text)


def _candidates(said: Sequence[_Said], budget: Budget) -> Iterator[tuple[int, int]]:
    """Give the pairs that are about the same, and those that may choose differently for the same."""
    places = [(each.scope.user, each.scope.project) for each in said]
    known: dict[Hashable, int] = {}
    stances, framed = array("L"), array("L")

    def read() -> Iterator[frozenset[str]]:
        for at, each in enumerate(said):
            words = words_said(each.text)
            stances.append(known.setdefault(_stance(each, words), len(known)))
            if _FRAMED.search(words.view) or value_of(words.view) is not None:
                framed.append(at)
            yield words.subject

    yield from near_pairs(read(), SUBJECT, budget, places=places, stances=stances)
    chosen = near_pairs(
        (words_said(said[at].text).tokens for at in framed),
        _CHOICE,
        budget,
        places=[places[at] for at in framed],
        stances=[stances[at] for at in framed],
    )
    for first, second in chosen:
        yield framed[first], framed[second]


def _stance(said: _Said, words: Words) -> Hashable:
    """Give what else than its words tells a text from one of the same words."""
    view = words.view
    turned = stand_of(view).mark, pick_of(view), value_of(view), conditions_of(view)
    return words.polarity, words.numbers, words.times, turned, said.scope, said.id if said.subject else ""


def _of_memories(memories: Iterable[Memory]) -> Iterator[_Said]:
    for memory in memories:
        if memory.kind not in _EVENTS and memory.superseded_by is None:
            yield _Said(memory.id, memory.text, memory.scope, memory.created_at or "", memory=memory)


def _of_cases(snapshot: Snapshot | None, now: datetime | None, search: Search) -> Iterator[_Said]:
    if snapshot is None:
        return
    search.book = book_of(snapshot, now=now, pairs=CASE_PAIRS)
    for subject in search.book.subjects:
        loaded = subject.loaded
        if loaded.case.status == "active" and not _is_over(loaded, now) and subject.speaks:
            text = loaded.case.correction
            yield _Said(loaded.id, text, loaded.case.scope, loaded.case.created_at or "", subject=subject)


def _is_over(loaded: LoadedCase, now: datetime | None) -> bool:
    return now is not None and loaded.expires is not None and loaded.expires <= now


def _meet(one: _Said, other: _Said, difference: Difference, book: Book | None) -> bool:
    """Say whether both can be put in front of the same task."""
    if one.id == other.id or not overlap(one.scope, other.scope):
        return False
    if one.memory is not None and other.memory is not None:
        return _alike_in_kind(one.memory, other.memory, difference)
    if one.subject is not None and other.subject is not None:
        return (
            _same_anchor(one.subject, other.subject) and book is not None and book.together(one.subject, other.subject)
        )
    memory, subject = (one.memory, other.subject) if one.memory is not None else (other.memory, one.subject)
    return memory is not None and subject is not None and difference != "time" and _is_about(memory, subject)


def _alike_in_kind(one: Memory, other: Memory, difference: Difference) -> bool:
    """Say whether two memories can contradict each other: what differs in a number, time or value alone has to be of one kind.

    Who takes npm over pnpm contradicts who takes pnpm over npm, whether that is called a rule, a preference or a decision.
    """
    if one.id in other.merged or other.id in one.merged:
        return False
    apart = any(
        one.about[key] != other.about[key] for key in one.about.keys() & other.about.keys() & {"tool", "action", "case"}
    )
    return not apart and (difference in ("polarity", "choice") or one.kind == other.kind)


def _same_anchor(one: Subject, other: Subject) -> bool:
    """Say whether two cases are bound to the same tool, action or intent, or neither to any."""
    mine = {each for each in one.anchors if each[0] in _ANCHORS}
    theirs = {each for each in other.anchors if each[0] in _ANCHORS}
    return not mine.isdisjoint(theirs) if mine or theirs else True


def _is_about(memory: Memory, subject: Subject) -> bool:
    """Say whether a memory may speak of the calls of a case: it names no other tool or action."""
    for name in ("tool", "action"):
        told = memory.about.get(name)
        bound = {value for field_name, value in subject.anchors if field_name == name}
        if isinstance(told, str) and bound and repr(told) not in bound:
            return False
    return True


def _told(one: _Said, other: _Said, difference: Difference) -> Contradiction:
    older, younger = sorted((one, other), key=lambda each: (each.since, each.id))
    cases = frozenset(each.id for each in (one, other) if each.subject is not None)
    why = f"{younger.id} and {older.id} are about the same, and {_DIFFERS[difference]}"
    return Contradiction(younger.id, older.id, difference, why, cases)


@dataclass(frozen=True, slots=True)
class _WorkedOut:
    """The contradictions of a casebook, of which neither memories nor cases have changed since."""

    memories: Mapping[str, Placed]
    cases: Snapshot
    at: datetime
    found: Sequence[Contradiction]
    skipped: int


def found_on(desk: Desk) -> Sequence[Contradiction]:
    """Give the contradictions of a casebook as it stands; what was too much to compare its troubles tell.

    A job before this one, of the same run of `hygiene`, may have worked them out: then that is given.
    """
    cases, memories = desk.cases.snapshot(), desk.memories.memories
    known: _WorkedOut | None = desk.worked_out.get("contradictions")
    if known is None or known.memories is not memories or known.cases is not cases or known.at != desk.now:
        live = [each.memory for each in desk.each() if is_live(each.memory, desk.now, desk.policy.timezone)]
        search = Search()
        found = tuple(contradictions(live, cases, now=desk.now, search=search))
        known = desk.worked_out["contradictions"] = _WorkedOut(memories, cases, desk.now, found, search.skipped)
    if known.skipped:
        desk.troubles.append(
            f"so much is alike that {known.skipped:,} pairs were not compared: contradictions among them are not told"
        )
    return known.found


def asks_of(desk: Desk, asking: Asking, *, job: str, lasting: bool = False) -> Iterator[Move]:
    """Give the moves that ask a person about contradictions, each pair once.

    Args:
        desk: the casebook.
        asking: what was asked and answered, by the write gate, too.
        job: the rule that the moves name.
        lasting: only where one of the two is a case, or stands in L3.
    """
    memories = desk.memories.memories
    for each in found_on(desk):
        ids = (each.one, each.other)
        if lasting and not each.cases and all(memories[name].memory.tier != "L3" for name in ids):
            continue
        if asking.is_asked("contradiction", each.other, each.one):
            continue
        key = asking.key("contradiction", each.one, each.other)
        if key is not None:
            before = None if each.one in each.cases else memories[each.one].memory
            yield Move(
                "ask", each.one, job, each.why, before=before, reason="contradiction", others=(each.other,), key=key
            )
