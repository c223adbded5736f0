"""The job `age`: what of L2 went unused for longer than it is kept goes to L1, to be shown in the digest (P2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from casebook.memory import Memory
from casebook.memory_facts import expires, last_used
from casebook.policy import JobName
from casebook.runtime.upkeep.facts import anew, holds, moved, undoing
from casebook.runtime.upkeep.promote import promotion
from casebook.runtime.upkeep.protocol import Desk, Move
from casebook.stores.memory_store import Placed

RULE = "P2"


@dataclass(frozen=True, slots=True)
class Age:
    """The job."""

    name: JobName = "age"

    def plan(self, desk: Desk) -> Iterable[Move]:
        """Give the moves that are due."""
        for placed in desk.memories.memories.values():
            memory = placed.memory
            if not _may_age(desk, memory) or not _is_past(desk, memory) or promotion(desk, placed).do == "promote":
                continue
            why = _why(desk, placed)
            after = moved(desk, memory, "L1", RULE, why)
            if after is not None:
                yield Move("demote", memory.id, RULE, why, before=memory, after=after)


def _may_age(desk: Desk, memory: Memory) -> bool:
    """Say whether use decides about a memory at all: not while it waits for a person, is pinned (R4), or its own time is over."""
    end = expires(memory, desk.policy.timezone)
    return (
        memory.tier == "L2"
        and memory.status != "to_judge"
        and not memory.pinned
        and (end is None or desk.now < end or memory.status == "archived")
    )


def _is_past(desk: Desk, memory: Memory) -> bool:
    tellings = desk.told(memory.id)
    step = undoing(memory, "demote")
    if step is not None:
        memory, tellings, since = anew(memory, tellings, step, desk.policy.timezone, explicit=True)
        if since is not None and holds(desk, "age", memory, (), since):
            return False  # it holds of itself, as it did when a person took it back
    return holds(desk, "age", memory, tellings)


def _why(desk: Desk, placed: Placed) -> str:
    memory = placed.memory
    used = last_used(memory, desk.told(memory.id), desk.policy.timezone)
    rule = desk.policy.rules.age
    told = rule if isinstance(rule, str) else "the policy's rule"
    return told if used is None else f"{told}: unused for {(desk.now - used).days} days"
