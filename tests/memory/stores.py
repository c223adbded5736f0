"""A store of memories that stands in a dictionary, for what only reads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from casebook.memory import Memory
from casebook.runtime.answer.isolation import Principal
from casebook.stores.memory_store import MemorySnapshot, Placed


def memory(memory_id: str, text: str, **fields: Any) -> Memory:
    form = {"id": memory_id, "kind": "fact", "tier": "L2", "created_at": "2026-03-01T00:00:00+00:00", **fields}
    return Memory.from_json({**form, "text": text})


def principal(
    user: str | None = None, project: str | None = None, teams: Iterable[str] = (), agent: str | None = None
) -> Principal:
    return Principal(user, project, frozenset(teams), agent)


class Held:
    """A store as the view sees it."""

    def __init__(self, *memories: Memory, layer: str = "") -> None:
        self.layer = layer
        self.unread = 0
        self._placed: dict[str, Placed] = {}
        self._snapshot: MemorySnapshot | None = None
        self._generation = 0
        self.put(*memories)

    def put(self, *memories: Memory, unread: int = 0) -> None:
        """Add or change memories."""
        for each in memories:
            self._placed[each.id] = Placed(each, "medium_term/recent_learnings.json", self.layer)
        self._changed(unread)

    def drop(self, *ids: str, unread: int = 0) -> None:
        for each in ids:
            del self._placed[each]
        self._changed(unread)

    def _changed(self, unread: int) -> None:
        self.unread = unread
        self._snapshot = None

    def unread_bytes(self) -> int:
        return self.unread

    def snapshot(self, wait: bool = True) -> MemorySnapshot:
        if self._snapshot is None:
            self._generation += 1
            self._snapshot = MemorySnapshot(self._generation, dict(self._placed), (), {})
        self.unread = 0
        return self._snapshot

    def stands(self, snapshot: MemorySnapshot) -> bool:
        return snapshot is self._snapshot
