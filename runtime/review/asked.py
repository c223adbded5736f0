"""What upkeep asks a person about memories and cases, answered: approving does what is proposed, rejecting leaves things as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from casebook.faults import StoreError
from casebook.memory import Memory, Step
from casebook.runtime.review.queue import Item
from casebook.runtime.review.review import Review, memories_of
from casebook.stores.memory_store import Change, MemoryStore

Changed = Mapping[str, Any]
"""What an entry keeps of one memory that was changed: `id`, and its JSON `before` and `after`, null where it was not in a tier."""


def proposed(item: Item | None) -> str:
    """Give what approving does: `archive`, `promote`, `merge`, `distil`, `keep`; "" where nothing was asked."""
    entry = item.asked if item is not None else None
    if entry is None:
        return ""
    proposal = entry.body.get("proposal")
    return str(proposal.get("do", "keep")) if isinstance(proposal, Mapping) else "keep"


def do_proposed(review: Review, item: Item) -> list[Changed]:
    """Do to memories what was proposed about one.

    Returns:
        What was changed, for the entry that can undo it.

    Raises:
        StoreError: somebody has changed the memory meanwhile, it is gone, or it cannot be written.
    """
    entry, store = item.asked, memories_of(review.store)
    placed = review.memory(item.subject)
    if entry is None or store is None:
        return []
    if placed is None:
        raise StoreError(
            f"{item.subject} is in no tier any more; `casebook review reject {item.subject}` takes it out of the queue"
        )
    proposal = entry.body.get("proposal") or {}
    return [_kept(each) for each in _done(review, store, _changes(review, store, placed.memory, proposal))]


def refuse(review: Review, item: Item) -> list[Changed]:
    """Leave a memory as it is; one that was held back while it waited is recalled again. Raises StoreError."""
    store, placed = memories_of(review.store), review.memory(item.subject)
    if store is None or placed is None or placed.memory.status != "to_judge":
        return []
    return [
        _kept(each)
        for each in _done(review, store, [Change(placed.memory, placed.memory.with_changes(status="active"))])
    ]


def undo_changes(review: Review, changed: Sequence[Changed]) -> None:
    """Bring memories to what they were before a judgment. Raises StoreError where somebody has changed them since."""
    store = memories_of(review.store)
    if store is None:
        return
    back = []
    for each in changed:
        before, after = each.get("before"), each.get("after")
        now = Memory.from_json(after) if after else None
        if now is None and before and review.memory(str(each["id"])) is None:
            store.restore(str(each["id"]), review.clock())
            continue
        back.append(Change(now, Memory.from_json(before) if before else None, "undone"))
    _done(review, store, back)


def _changes(review: Review, store: MemoryStore, memory: Memory, proposal: Mapping[str, Any]) -> list[Change]:
    now = review.clock().isoformat(timespec="milliseconds")
    do = proposal.get("do", "keep")
    chain = [step.model_dump() for step in (*memory.rule_chain, Step(rule="person", why=f"approved: {do}"))]
    if do == "archive":  # `ids`: of all that is to go, where it is more than one
        held, ids = store.snapshot().memories, proposal.get("ids") or [memory.id]
        return [Change(held[each].memory, None, "a person said so") for each in ids if each in held]
    if do in ("promote", "distil"):
        tier = "L3" if do == "promote" else "L2"
        return [Change(memory, memory.with_changes(tier=tier, tier_since=now, confirmed=True, rule_chain=chain))]
    if do == "merge":
        other = store.snapshot().memories.get(str(proposal.get("into")))
        merged = proposal.get("memory")
        if other is None or not isinstance(merged, Mapping):
            raise StoreError(f"the memory into which {memory.id} was to go is in no tier any more")
        into = Memory.from_json({**other.memory.to_json(), **merged, "merged": [*other.memory.merged, memory.id]})
        return [Change(other.memory, into), Change(memory, None, f"merged into {into.id}")]
    return [Change(memory, memory.with_changes(confirmed=True, rule_chain=chain))]


def _done(review: Review, store: MemoryStore, changes: Sequence[Change]) -> Sequence[Change]:
    for change, became in zip(changes, store.change(changes, review.clock()), strict=True):
        if became in ("conflict", "missing"):
            raise StoreError(f"{change.memory_id} has been changed since, and is left as it is; look at it again")
    return changes


def _kept(change: Change) -> Changed:
    return {
        "id": change.memory_id,
        "before": change.before.to_json() if change.before is not None else None,
        "after": change.after.to_json() if change.after is not None else None,
    }
