"""The job `age`: what of L2 went unused for longer than it is kept goes to L1, to be shown in the digest (P2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from casebook.memory import Memory
from casebook.memory_facts import expires, last_used
from casebook.policy import JobName
from casebook.runtime.upkeep.facts import anew, holds, moved, undoing
from casebook.runtime.upkeep.held import what_held
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
        for placed in desk.each():
            memory = placed.memory
            held = _held(desk, memory) if _may_age(desk, memory) else ""
            if not held or promotion(desk, placed).do == "promote":
                continue
            why = _why(desk, placed, held)
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


def _held(desk: Desk, memory: Memory) -> str:
    """Say which part of the policy's rule says that a memory ages; "" where none does."""
    tellings = desk.told(memory.id)
    step = undoing(memory, "demote")
    if step is not None:
        memory, tellings, since = anew(memory, tellings, step, desk.policy.timezone, explicit=True)
        if since is not None and holds(desk, "age", memory, (), since):
            return ""  # it holds of itself, as it did when a person took it back
    return what_held(desk, "age", memory, tellings) if holds(desk, "age", memory, tellings) else ""


def _why(desk: Desk, placed: Placed, held: str) -> str:
    memory = placed.memory
    used = last_used(memory, desk.told(memory.id), desk.policy.timezone)
    return held if used is None else f"{held}: unused for {(desk.now - used).days} days"
