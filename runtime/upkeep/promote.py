"""The job `promote`: what of L2 has earned its place in L3 (P1), or is to be put to a person first (R3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from casebook.memory import Memory, Step
from casebook.memory_facts import Telling, is_live
from casebook.policy import JobName
from casebook.runtime.upkeep.facts import anew, extra, holds, iso, moved, since_of, undoing
from casebook.runtime.upkeep.held import what_held
from casebook.runtime.upkeep.protocol import Desk, Move
from casebook.stores.memory_store import Placed

TELLINGS = 500
"""Instants of tellings at which the rule is asked, the newest (ours: a rule that counts more than that sees them all at each)."""


@dataclass(frozen=True, slots=True)
class Earned:
    """What a memory of L2 has earned.

    Attributes:
        do: to be promoted, to be put to a person (R3 keeps an unconfirmed observation below L3), or nothing.
        rule, why: the rule that decided it, and what it saw; it quotes no text.
    """

    do: Literal["promote", "ask", "no"]
    rule: str = ""
    why: str = ""


_NOTHING = Earned("no")


@dataclass(frozen=True, slots=True)
class Promote:
    """The job."""

    name: JobName = "promote"

    def plan(self, desk: Desk) -> Iterable[Move]:
        """Give the moves that are due."""
        for placed in desk.each():
            memory = placed.memory
            earned = promotion(desk, placed)
            if earned.do == "ask":
                since = since_of(desk, memory)
                yield Move(
                    "ask", memory.id, earned.rule, earned.why, before=memory, reason="unconfirmed",
                    proposal={"do": "promote"}, key="" if since is None else iso(since),
                )  # fmt: skip
            elif earned.do == "promote":
                after = moved(desk, memory, "L3", earned.rule, earned.why)
                if after is not None:
                    yield Move("promote", memory.id, earned.rule, earned.why, before=memory, after=after)


def promotion(desk: Desk, placed: Placed) -> Earned:
    """Say what a memory has earned by P1: the rule is asked at the instant of each telling, and now, whenever the job runs.

    Pinned (R4) it goes to L3 whatever the rule says. What a person took back has to be earned anew.
    """
    memory = placed.memory
    if memory.tier != "L2" or memory.superseded_by is not None or not is_live(memory, desk.now, desk.policy.timezone):
        return _NOTHING
    step = undoing(memory, "promote")
    held = _earned_by(desk, memory, step)
    is_pinned = memory.pinned and not (step is not None and extra(step).get("pinned"))
    if not held and not is_pinned:
        return _NOTHING
    from casebook.gate.rules import decide_promotion

    tier, decided, asked = decide_promotion(memory, bool(held))
    why = f"{decided.why} ({'; '.join(filter(None, (held, _counted(desk, memory))))})"
    if tier == "L3":
        return Earned("promote", decided.rule, why)
    return Earned("ask", decided.rule, why) if asked else _NOTHING


def _counted(desk: Desk, memory: Memory) -> str:
    """Say how often a memory was told and recalled."""
    told = desk.told(memory.id)
    uses = max(len(told), memory.counters.get("triggers", 0))
    recalls = max(len({each.counts_as for each in told}), memory.counters.get("recalls", 0))
    return f"told {_times(uses)}, recalled {_times(recalls)}"


def _earned_by(desk: Desk, memory: Memory, step: Step | None) -> str:
    """Say by which part the policy's rule has held, now or at a telling, after the step that took it back, where there is one; else ""."""
    tellings: Sequence[Telling] = sorted(desk.told(memory.id), key=lambda each: each.at)
    if step is not None:
        memory, tellings, since = anew(memory, tellings, step, desk.policy.timezone)
        if since is not None and holds(desk, "promote", _unpinned(memory), (), since):
            return ""  # it holds of itself, as it did when a person took it back
    if holds(desk, "promote", memory, tellings):
        return what_held(desk, "promote", memory, tellings)
    told = [each for each in tellings if each.at <= desk.now]
    for at, moment in _instants(told):
        if holds(desk, "promote", memory, told[: at + 1], moment):
            return what_held(desk, "promote", memory, told[: at + 1], moment)
    return ""


def _unpinned(memory: Memory) -> Memory:
    return memory.with_changes(pinned=None) if memory.pinned else memory


def _instants(told: Sequence[Telling]) -> Iterable[tuple[int, datetime]]:
    """Give the instants of the newest tellings, each with the index of the last telling at it."""
    for at in range(max(0, len(told) - TELLINGS), len(told)):
        if at + 1 == len(told) or told[at + 1].at != told[at].at:
            yield at, told[at].at


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
