"""The job `promote`: what of L2 has earned its place in L3 (P1), or is to be put to a person first (R3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from casebook.memory import Memory
from casebook.memory_facts import Telling, is_live
from casebook.policy import JobName
from casebook.runtime.upkeep.facts import anew, holds, iso, moved, since_of, undoing
from casebook.runtime.upkeep.protocol import Desk, Move
from casebook.stores.memory_store import Placed

RULE = "P1"
CAP = "R3"

TELLINGS = 500
"""Instants of tellings at which the rule is asked, the newest (ours: a rule that counts more than that sees them all at each)."""


@dataclass(frozen=True, slots=True)
class Promote:
    """The job."""

    name: JobName = "promote"

    def plan(self, desk: Desk) -> Iterable[Move]:
        """Give the moves that are due."""
        for placed in desk.memories.memories.values():
            memory = placed.memory
            earned = promotion(desk, placed)
            if earned == "no":
                continue
            why = reason(desk, memory)
            if earned == "ask":
                since = since_of(desk, memory)
                yield Move(
                    "ask", memory.id, CAP, f"{why}; it was observed, and nobody has confirmed it", before=memory,
                    reason="unconfirmed", proposal={"do": "promote"}, key="" if since is None else iso(since),
                )  # fmt: skip
                continue
            after = moved(desk, memory, "L3", RULE, why)
            if after is not None:
                yield Move("promote", memory.id, RULE, why, before=memory, after=after)


def promotion(desk: Desk, placed: Placed) -> Literal["promote", "ask", "no"]:
    """Say what becomes of a memory of L2 by P1: it is asked at the instant of each telling, and now, whenever the job runs.

    Returns:
        `ask`: it has earned it, and R3 keeps an unconfirmed observation below L3.
    """
    memory = placed.memory
    if memory.tier != "L2" or not is_live(memory, desk.now, desk.policy.timezone):
        return "no"
    if memory.superseded_by is not None or not _has_earned(desk, memory):
        return "no"
    return "ask" if is_unconfirmed(memory) else "promote"


def is_unconfirmed(memory: Memory) -> bool:
    """Say whether a memory is a tool's or a model's observation that no person has confirmed (R3)."""
    source = memory.source
    if source is None or memory.confirmed or memory.pinned or source.asked:
        return False
    if source.by in ("person", "user"):
        return False
    return source.origin in ("tool", "agent", "outcome") or source.by in ("tool", "model", "agent")


def reason(desk: Desk, memory: Memory) -> str:
    """Say in a sentence what speaks for a memory."""
    told = desk.told(memory.id)
    recalls = len({each.counts_as for each in told})
    said = ", pinned" if memory.pinned else ""
    return f"{desk_rule(desk)}: told {_times(len(told))}, recalled {_times(recalls)}{said}"


def desk_rule(desk: Desk) -> str:
    """Give the rule of the policy in words for a chain."""
    rule = desk.policy.rules.promote
    return rule if isinstance(rule, str) else "the policy's rule"


def _has_earned(desk: Desk, memory: Memory) -> bool:
    tellings: Sequence[Telling] = sorted(desk.told(memory.id), key=lambda each: each.at)
    step = undoing(memory, "promote")
    if step is not None:
        memory, tellings, since = anew(memory, tellings, step, desk.policy.timezone)
        if since is not None and holds(desk, "promote", _unpinned(memory), (), since):
            return False  # it holds of itself, as it did when a person took it back
    if holds(desk, "promote", memory, tellings):
        return True
    told = [each for each in tellings if each.at <= desk.now]
    return any(holds(desk, "promote", memory, told[: at + 1], moment) for at, moment in _instants(told))


def _unpinned(memory: Memory) -> Memory:
    return memory.with_changes(pinned=None) if memory.pinned else memory


def _instants(told: Sequence[Telling]) -> Iterable[tuple[int, datetime]]:
    """Give the instants of the newest tellings, each with the index of the last telling at it."""
    for at in range(max(0, len(told) - TELLINGS), len(told)):
        if at + 1 == len(told) or told[at + 1].at != told[at].at:
            yield at, told[at].at


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
