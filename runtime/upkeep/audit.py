"""The job `audit`: what of L3, and which cases, are outdated, wrong, idle or dead, or contradict each other (DESIGN section 8).

Nothing lasting goes for less than its own time being over or a person's word: all else is put to review.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from casebook.faults import Fault
from casebook.instants import instant
from casebook.memory import Memory
from casebook.memory_facts import Telling, expires, facts_of, holds_rule, is_live, last_used
from casebook.policy import JobName
from casebook.runtime.upkeep.audit_asking import Asking, broken
from casebook.runtime.upkeep.audit_cases import audit_cases
from casebook.runtime.upkeep.audit_feedback import feedback_about
from casebook.runtime.upkeep.contradicting import asks_of
from casebook.runtime.upkeep.protocol import Desk, Move

_ARCHIVE: Mapping[str, Any] = {"do": "archive"}
_KEEP: Mapping[str, Any] = {"do": "keep"}


@dataclass(frozen=True, slots=True)
class Audit:
    """The job."""

    name: JobName = "audit"

    def plan(self, desk: Desk) -> Iterable[Move]:
        """Give the moves that are due. Raises StoreError where the journal or a store cannot be read."""
        asking = Asking.of(desk.journal, desk.now)
        feedback = feedback_about(desk)
        for placed in desk.each():
            if placed.memory.tier == "L3" and placed.memory.status != "archived":
                yield from _memory(desk, asking, placed.memory, feedback)
        yield from _faults(asking, desk.memories.faults)
        yield from audit_cases(desk, asking, feedback)
        yield from asks_of(desk, asking, job="audit", lasting=True)


def _memory(desk: Desk, asking: Asking, memory: Memory, feedback: Mapping[str, tuple[str, ...]]) -> Iterator[Move]:
    over = ends(memory, desk.told(memory.id), desk.policy.timezone)
    if over is not None and over <= desk.now:
        if not asking.was_brought_back(memory.id, over):
            yield Move("expire", memory.id, "audit", "its time is over", before=memory, reason="expired")
            return
        why = "its time is over, and a person brought it back"
        yield from _ask(asking, "outdated", memory, why, known=f"over:{over.isoformat()}", proposal=_ARCHIVE)
    if memory.status == "active":
        yield from _outdated(desk, asking, memory)
        yield from _wrong(asking, memory, feedback.get(memory.id, ()))
        yield from _idle(desk, asking, memory)


def ends(memory: Memory, tellings: Iterable[Telling], zone: str) -> datetime | None:
    """Give the instant at which the time of a memory of L3 is over, or None where it has no end.

    Args:
        memory: the memory.
        tellings: of it.
        zone: the casebook's.

    Returns:
        The earlier of `expires_at`, and of its own ttl after its last use. A ttl that it brought along from L2, where that speaks
        of the tier, is none of L3: what has a step of a move in its chain has earned its place.
    """
    found = [] if (end := expires(memory, zone)) is None else [end]
    length = memory.ttl_length
    used = None if length is None or _was_moved(memory) else last_used(memory, tellings, zone)
    if length is not None and used is not None:
        with suppress(OverflowError):  # beyond the years of the calendar: never
            found.append(used + length)
    return min(found, default=None)


def _was_moved(memory: Memory) -> bool:
    return any("at" in (step.model_extra or {}) for step in memory.rule_chain)


def _outdated(desk: Desk, asking: Asking, memory: Memory) -> Iterator[Move]:
    zone = desk.policy.timezone
    heir = desk.memories.memories.get(memory.superseded_by or "")
    if heir is not None and heir.memory.id != memory.id and is_live(heir.memory, desk.now, zone):
        why, known = f"{heir.memory.id} took its place", f"by:{heir.memory.id}"
        yield from _ask(asking, "outdated", memory, why, known=known, proposal=_ARCHIVE, others=(heir.memory.id,))
    if memory.review_after is not None and instant(memory.review_after, zone) <= desk.now:
        why = f"it was to be looked at from {memory.review_after} on"
        yield from _ask(asking, "outdated", memory, why, known=f"review:{memory.review_after}", proposal=_KEEP)


def _wrong(asking: Asking, memory: Memory, feedback: tuple[str, ...]) -> Iterator[Move]:
    """Ask about what a person has said against it since it was last judged; the newest word is enough."""
    said = [each.id for each in asking.unheard(memory.id)]
    if said:
        yield from _ask(asking, "wrong", memory, "somebody said that it is wrong", known=said[-1], proposal=_ARCHIVE)
    elif feedback:
        yield from _ask(asking, "wrong", memory, "a person gave feedback about it", known=feedback[-1], proposal=_KEEP)


def _idle(desk: Desk, asking: Asking, memory: Memory) -> Iterator[Move]:
    told = desk.told(memory.id)
    if not holds_rule(desk.policy.rules.idle, facts_of(memory, desk.now, desk.policy, told), desk.policy.timezone):
        return
    used = last_used(memory, told, desk.policy.timezone)
    since = "since nobody knows when" if used is None else f"since {used.isoformat(timespec='seconds')}"
    known = "never" if used is None else used.isoformat(timespec="seconds")
    yield from _ask(asking, "idle", memory, f"it was not told {since}", known=known, proposal=_ARCHIVE)


def _ask(
    asking: Asking,
    reason: str,
    memory: Memory,
    why: str,
    *,
    known: str,
    proposal: Mapping[str, Any],
    others: tuple[str, ...] = (),
) -> Iterator[Move]:
    """Give the move that asks a person about a memory, unless that was asked and nothing is new."""
    key = asking.key(reason, memory.id, known)
    if key is not None:
        yield Move(
            "ask", memory.id, "audit", why, before=memory, reason=reason, proposal=proposal, others=others, key=key
        )


def _faults(asking: Asking, faults: Iterable[Fault]) -> Iterator[Move]:
    """Ask about what does not serve in the files of L3; what is wrong with it `casebook check` says, which quotes it."""
    for fault in faults:
        if fault.severity == "error" and fault.path.startswith("long_term/"):
            yield from broken(asking, fault)
