"""The job `expire`: what of L1 is over is distilled to L2 or archived, and whatever has an end of its own goes when that has come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from casebook.duration import duration
from casebook.memory import Memory
from casebook.memory_facts import expires
from casebook.policy import JobName
from casebook.runtime.upkeep.facts import anew, brought_back, holds, is_aged, moved, since_of, undoing, voted_for
from casebook.runtime.upkeep.held import what_held
from casebook.runtime.upkeep.protocol import Desk, Move
from casebook.runtime.upkeep.shown import aged_shown
from casebook.stores.memory_store import Placed

RULE = "expire"
AGED_RULE = "P2"
BROUGHT_BACK = "a person brought it back from the archive"


@dataclass(frozen=True, slots=True)
class Expire:
    """The job."""

    name: JobName = "expire"

    def plan(self, desk: Desk) -> Iterable[Move]:
        """Give the moves that are due. Raises StoreError where the journal cannot be read."""
        back, votes = brought_back(desk), voted_for(desk)
        shown: Mapping[str, datetime] | None = None
        for placed in desk.each():
            if placed.memory.status == "to_judge":  # it stays until somebody has judged it
                continue
            move = None
            if _has_ended(desk, placed.memory, back):
                move = _archive(placed.memory, RULE, "its time is over (expires_at)")
            elif is_aged(placed):
                shown = aged_shown(desk) if shown is None else shown
                move = _aged(desk, placed.memory, shown, votes)
            elif placed.memory.tier == "L1":
                move = _short(desk, placed, votes)
            if move is not None:
                yield move


def _has_ended(desk: Desk, memory: Memory, back: Mapping[str, datetime]) -> bool:
    """Say whether a memory's `expires_at` has come, and nobody has brought it back since."""
    end = expires(memory, desk.policy.timezone)
    if end is None or desk.now < end:
        return False
    returned = back.get(memory.id)
    return returned is None or returned < end


def _archive(memory: Memory, rule: str, why: str) -> Move:
    return Move("expire", memory.id, rule, why, before=memory, reason=why)


def _distil(desk: Desk, memory: Memory, rule: str, why: str) -> Move | None:
    after = moved(desk, memory, "L2", rule, why)
    return None if after is None else Move("distil", memory.id, rule, why, before=memory, after=after)


def _is_voted(memory: Memory, since: datetime | None, votes: Mapping[str, datetime]) -> bool:
    """Say whether a person has brought a memory back from the archive into the tier in which it stands: that is their word for it."""
    returned = votes.get(memory.id)
    return returned is not None and (since is None or since <= returned)


def _aged(desk: Desk, memory: Memory, shown: Mapping[str, datetime], votes: Mapping[str, datetime]) -> Move | None:
    """What aged goes back where it was told again or brought back, and to the archive once it was shown or its grace is over (P2)."""
    since = since_of(desk, memory)
    if since is None:
        return None
    if memory.status == "active" and _is_voted(memory, since, votes):
        return _distil(desk, memory, AGED_RULE, BROUGHT_BACK)
    if memory.status == "active" and any(since < each.at <= desk.now for each in desk.told(memory.id)):
        return _distil(desk, memory, AGED_RULE, "it was told again since it aged")
    seen = shown.get(memory.id)
    if seen is not None and seen >= since:
        return _archive(memory, AGED_RULE, "it aged, and a digest that shows it was seen")
    grace = desk.policy.tiers.grace
    if desk.now - since >= duration(grace):
        return _archive(memory, AGED_RULE, f"it aged, and its grace of {grace} is over")
    return None


def _short(desk: Desk, placed: Placed, votes: Mapping[str, datetime]) -> Move | None:
    """What is in L1 for too long, or of a session that has ended since it came there, leaves it."""
    memory = placed.memory
    why = _is_over(desk, placed)
    if not why:
        return None
    tellings = desk.told(memory.id)
    ended = desk.has_ended(placed)
    step = undoing(memory, "distil")
    weighed = memory
    if step is not None:  # a person has said that it is none for L2: what was known then speaks for it no more
        weighed, tellings, _ = anew(memory, tellings, step, desk.policy.timezone)
    if memory.status == "active" and holds(desk, "distil", weighed, tellings, ended=ended):
        held = what_held(desk, "distil", weighed, tellings, ended=ended)
        return _distil(desk, memory, RULE, f"{why}; {held}")
    is_back = undoing(memory, "expire", "archive") is not None or _is_voted(memory, since_of(desk, memory), votes)
    if memory.status == "active" and step is None and is_back:
        return _distil(desk, memory, RULE, f"{why}; {BROUGHT_BACK}")
    return _archive(memory, RULE, why)


def _is_over(desk: Desk, placed: Placed) -> str:
    """Say why a memory's time in L1 is over, or nothing."""
    since = since_of(desk, placed.memory)
    if since is not None and desk.now - since > desk.policy.short_length:
        return f"in L1 for more than {desk.policy.tiers.short}"
    ended = desk.memories.ended.get(placed.path)
    if ended is not None and ended <= desk.now and (since is None or since <= ended):
        return "its session has ended"
    return ""
