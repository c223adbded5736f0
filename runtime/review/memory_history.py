"""What a memory has said, as the audit log tells it, and an earlier text of it brought back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Any

from casebook.faults import NotFoundError, nearest
from casebook.memory import MEMORY_FIELDS
from casebook.runtime.journal.records import Entry
from casebook.runtime.review.history import FEWEST, Difference
from casebook.runtime.review.memories import edit_memory, entries_of, found
from casebook.runtime.review.review import Review

_PLACE = frozenset({"tier", "tier_since", "rule_chain", "counters", "last_used", "status", "confirmed", "merged"})
"""Where a memory stands and what counts: no part of what it says, and never brought back with it."""
_COUNTED = frozenset({"tier_since", "rule_chain", "counters", "last_used"})
"""Fields whose change no step tells."""


@dataclass(frozen=True, slots=True)
class MemoryStep:
    """One step of a memory's history.

    Attributes:
        at: when.
        by: who, as in `Entry.actor`; "" for what the log does not tell.
        action: an action of the audit log; `seen` for a text that somebody wrote by hand.
        entry: the number of its line in the audit log, or None.
        version: of what it said then: the same words have the same; "" where it left the tiers.
        form: the memory then; empty where it left the tiers.
        differences: to the step before.
        stands: whether it says this now.
    """

    at: datetime
    by: str
    action: str
    entry: int | None
    version: str
    form: Mapping[str, Any]
    differences: tuple[Difference, ...]
    stands: bool = False


def memory_history(review: Review, memory_id: str) -> tuple[MemoryStep, ...]:
    """Give what the audit log tells of a memory, the oldest first, and what it says now; nothing where nothing is known of one.

    Raises:
        StoreError: the journal cannot be read.
    """
    placed = review.memory(memory_id)
    now: Mapping[str, Any] = placed.memory.to_json() if placed is not None else {}
    steps: list[MemoryStep] = []
    entries = entries_of(review, memory_id)
    skipped = {str(each.body.get("entry")) for each in entries if each.action == "skip"}
    for entry in entries:
        for before, after in _changes(entry, memory_id) if entry.id not in skipped else ():
            if before and (not steps or _told(before) != _told(steps[-1].form)):
                steps.append(_seen(steps, before, entry.at))
            steps.append(_step(steps, after, entry))
    if now and (not steps or _told(now) != _told(steps[-1].form)):
        steps.append(_seen(steps, now, review.clock()))
    last = max((at for at, each in enumerate(steps) if now and each.version == version_of(now)), default=-1)
    return tuple(replace(each, stands=True) if at == last else each for at, each in enumerate(steps))


def revert_memory(review: Review, memory_id: str, version: str, *, because: str = "") -> Entry | None:
    """Bring back what a memory said; its tier, status and counters stay.

    Args:
        review: the desk.
        memory_id: which.
        version: the version, or its beginning of at least four characters.
        because: the person's reason.

    Returns:
        The line of the log; None where it says just that already.

    Raises:
        NotFoundError: there is no such memory in a tier, or it never said so.
        StoreError: it cannot be written.
    """
    steps = [each for each in memory_history(review, memory_id) if each.version]
    if steps and review.memory(memory_id) is None:
        raise NotFoundError(f"{memory_id} is in no tier: `casebook restore {memory_id}` brings it back first")
    held = found(review, memory_id).memory.to_json()
    form = _named(steps, memory_id, version)
    changes = {name: value for name, value in form.items() if name not in _PLACE}
    gone = [name for name in held if name not in form and name not in _PLACE]
    return edit_memory(review, memory_id, changes, gone, action="revert", because=because)[1]


def version_of(form: Mapping[str, Any]) -> str:
    """Give the version of what a memory says: the same for the same words, wherever it stands."""
    said = {name: value for name, value in form.items() if name not in _PLACE}
    return sha256(json.dumps(said, sort_keys=True, ensure_ascii=True).encode()).hexdigest()[:12] if form else ""


def _changes(entry: Entry, memory_id: str) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Give what a line of the log changed of a memory: before and after, empty where it was in no tier."""
    body = entry.body
    several = body.get("memories")
    if isinstance(several, list):
        yield from ((_form(each, "before"), _form(each, "after")) for each in several if each.get("id") == memory_id)
    elif entry.action in ("remember", "move") or (entry.action == "undo" and body.get("undone") == "move"):
        yield _form(body, "before"), _form(body, "after")


def _form(body: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = body.get(name)
    return value if isinstance(value, Mapping) else {}


def _told(form: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in form.items() if name not in _COUNTED}


def _step(steps: list[MemoryStep], form: Mapping[str, Any], entry: Entry) -> MemoryStep:
    """Give the step that a line of the log tells."""
    return replace(_seen(steps, form, entry.at), by=entry.actor, action=entry.action, entry=entry.seq)


def _seen(steps: list[MemoryStep], form: Mapping[str, Any], at: datetime) -> MemoryStep:
    """Give the step of a text that the log does not tell."""
    former = next((each.form for each in reversed(steps) if each.form), None)
    differences = differ(former, form) if former is not None and form else ()
    return MemoryStep(at, "", "seen", None, version_of(form), form, differences)


def differ(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Difference, ...]:
    """Give the fields in which two texts of a memory differ, in the order of a memory's fields."""
    names = [*MEMORY_FIELDS, *(name for name in {**before, **after} if name not in MEMORY_FIELDS)]
    return tuple(
        Difference(name, before.get(name), after.get(name))
        for name in names
        if name not in _COUNTED and before.get(name) != after.get(name)
    )


def _named(steps: list[MemoryStep], memory_id: str, name: str) -> Mapping[str, Any]:
    """Find what a memory said in the version that is named. Raises NotFoundError."""
    forms = {each.version: each.form for each in steps}
    matching = [name] if name in forms else [each for each in forms if len(name) >= FEWEST and each.startswith(name)]
    if len(matching) == 1:
        return forms[matching[0]]
    if matching:
        raise NotFoundError(f"{memory_id}: more than one version begins with {name}: {', '.join(matching)}")
    near = nearest(name, forms)
    hint = f"did you mean {near}?" if near else f"it has {', '.join(list(forms)[-5:]) or 'none'}"
    raise NotFoundError(f"{memory_id} never had a version {name!r} that is known; {hint}")
