"""What an activation said and why: what was asked, what became of each case, replayed, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass

from casebook.faults import NotFoundError
from casebook.memory import Memory
from casebook.runtime.journal.records import ActivationRecord, EventRecord
from casebook.runtime.review.replaying import CaseReplay, Verdict, overall, replay
from casebook.runtime.review.review import Review


@dataclass(frozen=True, slots=True)
class Told:
    """An activation, looked at again.

    Attributes:
        record: as the journal has it.
        replays: each case that matched then, asked again.
        verdict: whether all come out as they did.
        today: whether they were asked in the texts of today.
        outcomes: what answered it, in order.
        memories: the ids of the memories that it told, with each as it stands today; None where it is in no tier any more.
    """

    record: ActivationRecord
    replays: tuple[CaseReplay, ...]
    verdict: Verdict
    today: bool
    outcomes: tuple[EventRecord, ...]
    memories: tuple[tuple[str, Memory | None], ...] = ()


def why_activation(review: Review, activation_id: str, *, today: bool = False) -> Told:
    """Look at an activation again.

    Args:
        review: the desk.
        activation_id: which.
        today: whether the texts that serve now are asked, instead of those of then.

    Raises:
        NotFoundError: the journal knows no such activation.
        StoreError: the journal cannot be read.
    """
    record = review.journal.activation(activation_id)
    if record is None:
        raise NotFoundError(f"there is no activation {activation_id!r} in the journal")
    replays = replay(review, record, today=today)
    events = review.journal.events(activation=activation_id)
    outcomes = tuple(each for each in events if each.kind != "task")
    return Told(record, replays, overall(replays), today, outcomes, memories_told(review, activation_id))


def memories_told(review: Review, activation_id: str) -> tuple[tuple[str, Memory | None], ...]:
    """Give the memories of a desk's casebook that an activation told, in the order of their ids. Raises StoreError."""
    told = [name for name, each in review.journal.tellings().items() if any(one.key == activation_id for one in each)]
    placed = [(name, review.memory(name)) for name in told]
    return tuple((name, each.memory if each is not None else None) for name, each in placed)
