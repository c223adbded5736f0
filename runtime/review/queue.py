"""The review queue: what waits for a person, folded from the audit log; nothing is kept beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from casebook.case import LoadedCase
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import Entry
from casebook.runtime.learning.claims import DRAFT
from casebook.runtime.opening import layer_of
from casebook.runtime.review.review import Review, memories_of

if TYPE_CHECKING:
    from casebook.stores.memory_store import Placed

PROPOSALS = frozenset({"recovery", "hand-edited"})
"""Reasons that offer another text of a case that serves: to refuse it is no word against the case."""

UNSEEN = "unseen"
"""The reason of a case that was learnt elsewhere and came with the folder, as with a clone: nobody here has looked at it."""

_KNOWN = (
    "promote", "share", "widen", "revive", "correct", "written", "queue", "approve", "reject", "edit", "add", "archive",
    "restore", "revert", "mute", "unmute", "wrong", "undo",
)  # fmt: skip
"""Actions of the entries that say that a case was made or looked at here."""

_ANSWERS = frozenset({"approve", "reject", "revert", "archive"})
_ALL = ("queue", "undo", "edit", DRAFT, *sorted(_ANSWERS))


@dataclass(frozen=True, slots=True)
class Item:
    """What waits: all that was queued about one case or memory since it was last judged.

    Attributes:
        subject: the id of the case or memory.
        queued: the entries that put it here, the oldest first.
        loaded: the case as it serves, or None.
        answer: what took it out of the queue, a judgment or the draft that was made of it; None while it waits.
        placed: the memory as it stands, or None.
    """

    subject: str
    queued: tuple[Entry, ...]
    loaded: LoadedCase | None
    answer: Entry | None = None
    placed: Placed | None = None

    @property
    def reasons(self) -> tuple[str, ...]:
        """Give why it is here, each reason once, the oldest first."""
        return tuple(dict.fromkeys(str(each.body.get("reason", "")) for each in self.queued))

    @property
    def since(self) -> datetime:
        """Give since when it waits."""
        return self.queued[0].at

    @property
    def signature(self) -> str | None:
        """Give the signature of the error that it is about, or None."""
        return next((each.signature for each in reversed(self.queued) if each.signature is not None), None)

    @property
    def figures(self) -> Mapping[str, float]:
        """Give the newest figures that were told: matching, failing and clean calls, and the share that failed."""
        return next((found for each in reversed(self.queued) if (found := figures_in(each.body))), {})

    @property
    def notes(self) -> tuple[str, ...]:
        """Give what the newest of it says of why its conditions are what they are, a sentence each."""
        return next((tuple(map(str, told)) for each in reversed(self.queued) if (told := each.body.get("reasons"))), ())

    @property
    def proposing(self) -> Entry | None:
        """Give the newest entry that proposes a case, or None."""
        return next((each for each in reversed(self.queued) if proposal_in(each.body) is not None), None)

    @property
    def proposal(self) -> Mapping[str, Any] | None:
        """Give the newest case that is proposed instead, as JSON, or None."""
        return None if self.proposing is None else proposal_in(self.proposing.body)

    @property
    def asked(self) -> Entry | None:
        """Give the newest entry by which upkeep asks a person about a memory or a case, or None."""
        return next((each for each in reversed(self.queued) if each.id.startswith("ask:")), None)

    @property
    def is_memory(self) -> bool:
        """Say whether it is a memory that a person is asked about."""
        return self.loaded is None and self.asked is not None and bool(self.asked.body.get("memory"))

    @property
    def only_proposes(self) -> bool:
        """Say whether all that waits is a proposal for a case that serves."""
        return self.loaded is not None and all(
            each.body.get("reason") in PROPOSALS or proposal_in(each.body) is not None for each in self.queued
        )

    @property
    def is_words(self) -> bool:
        """Say whether it is a user's words that wait, and no case."""
        return self.loaded is None and "feedback" in self.reasons

    @property
    def is_moot(self) -> bool:
        """Say whether there is nothing left to judge: the case or the memory is gone, and none is proposed."""
        if self.is_memory:
            return self.placed is None
        return self.loaded is None and self.proposal is None and "feedback" not in self.reasons


def figures_in(body: Mapping[str, Any]) -> Mapping[str, float]:
    """Give the figures of a backtest that an entry tells, with the share of the matching calls that failed."""
    told = body.get("figures", body)
    if not isinstance(told, Mapping):
        return {}
    found: dict[str, float] = {
        name: told[name] for name in ("matching", "failing", "clean") if isinstance(told.get(name), int)
    }
    if found.get("matching"):
        found["precision"] = round(found.get("failing", 0) / found["matching"], 4)
    return found


def proposal_in(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Give the case that an entry of the queue proposes, or None."""
    found = body.get("proposal")
    return found if isinstance(found, Mapping) and "trigger_conditions" in found else None


def undone_in(entries: Iterable[Entry]) -> frozenset[str]:
    """Give the ids of the entries that a later `undo` took back."""
    return frozenset(str(each.body.get("entry")) for each in entries if each.action == "undo")


def answers(entry: Entry) -> bool:
    """Say whether an entry takes its subject out of the queue; an edit does so where it was made as a judgment."""
    return entry.action in _ANSWERS or (entry.action == "edit" and bool(entry.body.get("judged")))


def queue(review: Review, *, everything: bool = False) -> tuple[Item, ...]:
    """Give what waits, the longest waiting first.

    Args:
        review: the desk.
        everything: with what was judged already, and what has become moot.
    """
    entries = review.journal.entries(actions=_ALL)
    items = [*_unseen(review), *_with_memories(review, _folded(entries, review.store.snapshot().cases))]
    return tuple(each for each in items if everything or (each.answer is None and not each.is_moot))


def waiting(review: Review, subject: str) -> Item | None:
    """Give what waits of one subject, or None."""
    entries = review.journal.entries(subject=subject, actions=_ALL)
    items = _with_memories(review, _folded(entries, review.store.snapshot().cases))
    waits = next((each for each in items if each.answer is None), None)
    return waits or next(iter(_unseen(review, subject)), None)


def _unseen(review: Review, subject: str | None = None) -> list[Item]:
    """Give the learnt cases of this casebook of which its journal knows nothing, the oldest first.

    Args:
        review: the desk.
        subject: the id of the one that is asked about; None is all.
    """
    layer = layer_of(review.store)
    found = [
        each
        for each in review.store.snapshot().cases.values()
        if subject in (None, each.id) and _came_along(each) and layer in (None, each.layer)
    ]
    if not found:
        return []
    entries = review.journal.entries(subject=subject, actions=_KNOWN)
    undone = undone_in(entries)
    known = {
        each.subject
        for each in entries
        if each.action != "undo"
        and (each.action == "queue" or not each.actor.startswith("agent:"))
        and each.id not in undone
        and str(each.body.get("wrong")) not in undone
    }
    now = review.clock()
    items = [
        Item(
            each.id,
            (
                Entry(
                    f"{UNSEEN}:{each.id}", each.created or now, "detector", "queue", each.id, None, {"reason": UNSEEN}
                ),
            ),
            each,
        )
        for each in found
        if each.id not in known
    ]
    return sorted(items, key=lambda item: (item.since, item.subject))


def _came_along(loaded: LoadedCase) -> bool:
    """Say whether a case was learnt, and no person has made it theirs."""
    case = loaded.case
    learnt = case.source is not None and case.source.origin == "detector"
    return learnt and case.correction_by != "person" and case.status in ("active", "draft")


def subjects(journal: Journal) -> set[str]:
    """Give the ids of all that was ever queued."""
    return {each.subject for each in journal.entries(actions=("queue",))}


def _folded(entries: Sequence[Entry], cases: Mapping[str, LoadedCase]) -> list[Item]:
    """Walk the log once; what was undone counts for nothing, and what a judgment that was undone had answered waits again.

    A judgment that says `of` which entry it is answers that one alone: what else is asked about the same memory waits on.
    """
    undone = undone_in(entries)
    open_items: dict[str, list[Entry]] = {}
    done: list[Item] = []
    for entry in entries:
        if entry.id in undone or str(entry.body.get("wrong")) in undone:
            continue
        if entry.action == "queue":
            open_items.setdefault(entry.subject, []).append(entry)
        elif answers(entry) and entry.subject in open_items:
            queued = open_items.pop(entry.subject)
            meant = [each for each in queued if each.id == entry.body.get("of")] or queued
            if rest := [each for each in queued if each not in meant]:
                open_items[entry.subject] = rest
            done.append(Item(entry.subject, tuple(meant), cases.get(entry.subject), entry))
    drafts = {event: each for each in entries if each.action == DRAFT for event in each.body.get("events", ())}
    waits = [
        Item(subject, tuple(queued), cases.get(subject), _draft_of(queued, drafts))
        for subject, queued in open_items.items()
    ]
    return sorted([*waits, *done], key=lambda item: (item.queued[0].seq, item.subject))


def _draft_of(queued: Sequence[Entry], drafts: Mapping[str, Entry]) -> Entry | None:
    """Give the entry that made a draft of a user's words, which wait no more by themselves: they are judged with it; else None."""
    found = [drafts.get(str(each.body.get("event"))) for each in queued if each.body.get("reason") == "feedback"]
    return found[-1] if len(found) == len(queued) and None not in found else None


def _with_memories(review: Review, items: Sequence[Item]) -> list[Item]:
    """Give items with the memories that they are about, as they stand."""
    if not any(each.is_memory for each in items) or (store := memories_of(review.store)) is None:
        return list(items)
    held = store.snapshot().memories
    return [replace(each, placed=held.get(each.subject)) if each.is_memory else each for each in items]
