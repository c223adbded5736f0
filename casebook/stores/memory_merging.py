"""A change of a memory, laid over what stands there now: field by field, so that nobody's edit is dropped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from casebook.instants import instant
from casebook.memory import Memory, Tier
from casebook.stores.memory_store import Placed

MOVED = frozenset(
    {
        "tier", "tier_since", "status", "rule_chain", "counters", "last_used", "ttl", "expires_at", "review_after", "pinned",
        "confirmed", "superseded_by", "merged",
    }
)  # fmt: skip
"""The fields of where a memory stands, and not of what it says."""

_COUNTED = ("counters", "last_used")
"""Floors of what the journal counts: no reason not to archive what has been counted since."""

_RANK: Mapping[Tier, int] = {"L1": 1, "L2": 2, "L3": 3}


class Merge(NamedTuple):
    """What is to be changed of an entry.

    Attributes:
        changes: new values, by field.
        remove: fields that go.
    """

    changes: dict[str, Any]
    remove: tuple[str, ...]

    def __bool__(self) -> bool:
        """Say whether anything is to be changed."""
        return bool(self.changes or self.remove)


def merge(stands: Memory, before: Memory, after: Memory) -> Merge | None:
    """Lay the change from `before` to `after` over what stands.

    Returns:
        What is to be changed; None where somebody has changed the same fields otherwise since.
    """
    old, new, now = before.to_json(), after.to_json(), stands.to_json()
    changes: dict[str, Any] = {}
    remove: list[str] = []
    for name in {**new, **old}:  # the order of the new one's fields, then of those that go
        wanted = new.get(name, _NONE)
        if old.get(name, _NONE) == wanted or now.get(name, _NONE) == wanted:
            continue
        if now.get(name, _NONE) != old.get(name, _NONE):
            return None
        if wanted is _NONE:
            remove.append(name)
        else:
            changes[name] = wanted
    return Merge(changes, tuple(remove))


_NONE = object()


def is_as_seen(stands: Memory, before: Memory) -> bool:
    """Say whether a memory is what it was when it was seen, but for what is counted."""
    return _without(stands, _COUNTED) == _without(before, _COUNTED)


def is_same(one: Memory, other: Memory) -> bool:
    """Say whether two memories are equal in every field."""
    return one.to_json() == other.to_json()


def is_left_by_move(one: Memory, other: Memory) -> bool:
    """Say whether two entries of an id say the same, so that they are the two that a move leaves which was cut short."""
    return _without(one, MOVED) == _without(other, MOVED)


def _without(memory: Memory, names: frozenset[str] | tuple[str, ...]) -> dict[str, Any]:
    return {name: value for name, value in memory.to_json().items() if name not in names}


def standing(several: list[Placed], zone: str) -> Placed:
    """Give which of several entries of an id stands: the one that came last into its tier, else that of the higher tier, else the first.

    Args:
        several: at least one, in path order.
        zone: of times that name none.
    """
    return max(several, key=lambda placed: _age(placed.memory, zone))


def _age(memory: Memory, zone: str) -> tuple[bool, float, int]:
    since = memory.tier_since or memory.created_at
    try:
        at = None if since is None else instant(since, zone).timestamp()
    except ValueError:  # readable in UTC, but past the years 1 to 9999 in this zone
        at = None
    return at is not None, at or 0.0, _RANK[memory.tier]
