"""What upkeep asks a person about memories and cases, answered: approving does what is proposed, rejecting leaves things as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from casebook.faults import StoreError
from casebook.memory import Memory, Step
from casebook.runtime.review.queue import Item
from casebook.runtime.review.restoring import beside
from casebook.runtime.review.review import Review, memories_of
from casebook.stores.memory_merging import is_left_by_move
from casebook.stores.memory_store import Change, MemoryStore

Changed = Mapping[str, Any]
"""What an entry keeps of one memory that was changed: `id`, and its JSON `before` and `after`, null where it was not in a tier."""


def proposed(item: Item | None) -> str:
    """Give what approving does; "" where nothing was asked.

    archive: it goes to the archive · promote, distil: to L3, to L2 · merge: into another · correct: it says what is proposed · hold: of
    two that say the opposite it holds, and the other goes to the archive · keep: it stays, confirmed.
    """
    entry = item.asked if item is not None else None
    if entry is None:
        return ""
    proposal = entry.body.get("proposal")
    do = proposal.get("do") if isinstance(proposal, Mapping) else None
    return str(do or ("hold" if entry.body.get("reason") == "contradiction" else "keep"))


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
    if proposed(item) == "hold":
        return _held(review, store, placed.memory, item)
    return [_kept(each) for each in _done(review, store, _changes(review, store, placed.memory, item))]


def _held(review: Review, store: MemoryStore, memory: Memory, item: Item) -> list[Changed]:
    """Let a memory hold: what it contradicts goes to the archive, and says there what took its place."""
    body = item.asked.body if item.asked is not None else {}
    standing = store.snapshot().memories
    others = [standing[each].memory for each in body.get("others", ()) if each in standing and each != memory.id]
    after = memory.with_changes(confirmed=True, rule_chain=_chained(memory, "hold"))
    marked = [
        each.with_changes(superseded_by=memory.id, rule_chain=_chained(each, "hold", f"{memory.id} took its place"))
        for each in others
    ]
    why = f"a person said that {memory.id} holds, which says the opposite"
    _done(review, store, [Change(memory, after), *map(Change, others, marked)])
    _done(review, store, [Change(each, None, why) for each in marked])
    return [_kept(Change(memory, after)), *(_kept(Change(each, None, why)) for each in others)]


def refuse(review: Review, item: Item) -> list[Changed]:
    """Leave a memory as it is; one that was held back while it waited is recalled again. Raises StoreError."""
    store, placed = memories_of(review.store), review.memory(item.subject)
    if store is None or placed is None or placed.memory.status != "to_judge":
        return []
    return [
        _kept(each)
        for each in _done(review, store, [Change(placed.memory, placed.memory.with_changes(status="active"))])
    ]


def undo_changes(review: Review, changed: Sequence[Changed]) -> Mapping[str, str]:
    """Bring memories to what they were before a judgment.

    Returns:
        Of those whose id is another memory's by now, the id under which they are back.

    Raises:
        StoreError: somebody has changed them since.
    """
    store = memories_of(review.store)
    renamed: dict[str, str] = {}
    if store is None:
        return renamed
    back = []
    for each in changed:
        before, after = each.get("before"), each.get("after")
        now = Memory.from_json(after) if after else None
        if now is None and before and review.memory(str(each["id"])) is None:
            restored = store.restore(str(each["id"]), review.clock()).memory
            back += [Change(restored, each) for each in _without_heir(restored, before)]
            continue
        stands = review.memory(str(each["id"]))
        if now is None and before and stands is not None:
            former = Memory.from_json(before)
            if not is_left_by_move(stands.memory, former):
                renamed[former.id] = beside(review, store, former)[0].memory.id
                continue
        back.append(Change(now, Memory.from_json(before) if before else None, "undone"))
    _done(review, store, back)
    return renamed


def _without_heir(restored: Memory, before: Changed) -> list[Memory]:
    """Give a memory that is back as it was before another took its place; nothing where none had."""
    if restored.superseded_by == before.get("superseded_by"):
        return []
    return [restored.with_changes(superseded_by=before.get("superseded_by"), rule_chain=before.get("rule_chain"))]


def _changes(review: Review, store: MemoryStore, memory: Memory, item: Item) -> list[Change]:
    """Give what approving changes, the memory that stays before those that go."""
    body = item.asked.body if item.asked is not None else {}
    proposal: Mapping[str, Any] = body.get("proposal") or {}
    held, do = store.snapshot().memories, proposed(item)
    said = {"confirmed": True, "rule_chain": _chained(memory, do)}
    if do == "archive":  # `ids`: of all that is to go, where it is more than one
        ids = proposal.get("ids") or [memory.id]
        return [Change(held[each].memory, None, "a person said so") for each in ids if each in held]
    if do in ("promote", "distil"):
        now = review.clock().isoformat(timespec="milliseconds")
        return [Change(memory, memory.with_changes(tier="L3" if do == "promote" else "L2", tier_since=now, **said))]
    if do == "merge":
        other = held.get(str(proposal.get("into")))
        if other is None:
            raise StoreError(f"the memory into which {memory.id} was to go is in no tier any more")
        return [
            Change(other.memory, _merged(other.memory, memory, proposal)),
            Change(memory, None, f"merged into {other.memory.id}"),
        ]
    if do == "correct":
        return [Change(memory, _corrected(memory, proposal, said))]
    return [Change(memory, memory.with_changes(**said))]


def _chained(memory: Memory, do: str, became: str = "") -> list[dict[str, Any]]:
    step = Step(rule="person", why=f"approved: {do}{'; ' if became else ''}{became}")
    return [each.model_dump() for each in (*memory.rule_chain, step)]


def _merged(into: Memory, memory: Memory, proposal: Mapping[str, Any]) -> Memory:
    """Give a memory that took another in: as it was proposed, where nobody has changed its words since; what the other says is kept."""
    form, made = into.to_json(), proposal.get("memory")
    if isinstance(made, Mapping) and made.get("text") == into.text and made.get("tier") == into.tier:
        form |= {name: value for name, value in made.items() if name not in ("counters", "last_used", "tier_since")}
    kept = [*form.get("exceptions", ()), *into.exceptions]
    if memory.text not in (into.text, *kept):
        kept.append(memory.text)
    form["exceptions"] = list(dict.fromkeys(kept))
    form["merged"] = list(dict.fromkeys([*form.get("merged", ()), *into.merged, *memory.merged, memory.id]))
    return Memory.from_json({name: value for name, value in form.items() if value != []})


def _corrected(memory: Memory, proposal: Mapping[str, Any], said: Mapping[str, Any]) -> Memory:
    """Give a memory with what was proposed in its place. Raises StoreError where its words are others by now."""
    made = proposal.get("memory")
    if not isinstance(made, Mapping) or proposal.get("instead_of", memory.text) != memory.text:
        raise StoreError(f"{memory.id} has been changed since, and is left as it is; look at it again")
    chain = [*made.get("rule_chain", ()), said["rule_chain"][-1]]
    return Memory.from_json({**made, **said, "id": memory.id, "rule_chain": chain})


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
