"""What every store of memories must do, whatever it is kept in. A store's own test subclasses this and gives `store` and `other`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from casebook.faults import NotFoundError, StoreError
from casebook.memory import Memory
from casebook.stores.memory_store import Change, MemoryStore

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
THEN = NOW - timedelta(days=10)


def stamp(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds")


def memory(name: str, **fields: Any) -> Memory:
    """A memory of L2, in the project's file, unless it is said otherwise."""
    form = {
        "id": name, "kind": "fact", "text": f"about {name}", "tier": "L2", "created_at": stamp(THEN), "tier_since": stamp(THEN),
        **fields,
    }  # fmt: skip
    return Memory.from_json({key: value for key, value in form.items() if value is not None})


def new(*memories: Memory) -> list[Change]:
    return [Change(None, each) for each in memories]


def moved(before: Memory, tier: str, at: datetime = NOW, **fields: Any) -> Change:
    return Change(before, before.with_changes(tier=tier, tier_since=stamp(at), **fields))


class MemoryStoreConformance:
    """`store` is empty; `other` is the same casebook opened a second time, as another process would."""

    def test_an_empty_store_has_no_memories_and_no_faults(self, store: MemoryStore) -> None:
        snapshot = store.snapshot()
        assert (dict(snapshot.memories), snapshot.faults, dict(snapshot.ended), snapshot.generation) == ({}, (), {}, 1)
        assert store.unread_bytes() == 0
        assert list(store.archived()) == []

    def test_what_is_new_stands_as_it_was_given_and_adding_it_again_is_the_same(
        self, store: MemoryStore, other: MemoryStore
    ) -> None:
        given = memory(
            "a", scope={"user": "ann"}, source={"origin": "user", "session": "s", "asked": True}, counters={"recalls": 2},
            rule_chain=[{"rule": "R1", "why": "by kind", "at": stamp(NOW)}], **{"x-free": [1, {"中": None}]},
        )  # fmt: skip
        assert store.change(new(given), NOW) == ("done",)
        placed = other.snapshot().memories["a"]
        assert (placed.memory, placed.memory.to_json(), placed.layer) == (given, given.to_json(), store.layer)
        assert store.change(new(given), NOW) == ("same",)
        assert store.change(new(memory("a", text="otherwise")), NOW) == ("conflict",)
        assert other.snapshot().memories["a"].memory == given

    def test_the_same_snapshot_comes_back_until_something_changes(self, store: MemoryStore, other: MemoryStore) -> None:
        store.change(new(memory("a")), NOW)
        first = store.snapshot()
        assert store.snapshot() is first
        assert store.snapshot(wait=False) is first
        store.change((), NOW)
        assert store.snapshot() is first
        other.change(new(memory("b")), NOW)
        assert store.unread_bytes() > 0
        second = store.snapshot()
        assert list(second.memories) == ["a", "b"]
        assert second.generation > first.generation
        assert second.memories["a"] == first.memories["a"]
        assert list(first.memories) == ["a"]
        assert store.unread_bytes() == 0

    @pytest.mark.parametrize(
        ("fields", "path"),
        [
            ({"kind": "identity"}, "medium_term/user_prefs.json"),
            ({"kind": "principle"}, "medium_term/user_prefs.json"),
            ({"kind": "preference"}, "medium_term/user_prefs.json"),
            ({"kind": "project_state"}, "medium_term/active_projects.json"),
            ({"kind": "decision"}, "medium_term/active_projects.json"),
            ({"kind": "rule"}, "medium_term/active_projects.json"),
            ({"kind": "lesson"}, "medium_term/recent_learnings.json"),
            ({"kind": "feedback"}, "medium_term/recent_learnings.json"),
            ({"kind": "identity", "tier": "L3"}, "long_term/identity.json"),
            ({"kind": "principle", "tier": "L3"}, "long_term/principles.json"),
            ({"kind": "rule", "tier": "L3"}, "long_term/principles.json"),
            ({"kind": "preference", "tier": "L3"}, "long_term/preferences.json"),
            ({"kind": "decision", "tier": "L3"}, "long_term/decisions.json"),
            ({"kind": "lesson", "tier": "L3"}, "long_term/knowledge.json"),
        ],
    )
    def test_each_has_the_file_of_its_tier_and_kind(
        self, store: MemoryStore, fields: dict[str, Any], path: str
    ) -> None:
        store.change(new(memory("a", **fields)), NOW)
        assert store.snapshot().memories["a"].path == path

    def test_fields_are_changed_where_they_stand_and_those_of_others_stay(
        self, store: MemoryStore, other: MemoryStore
    ) -> None:
        seen = memory("a", counters={"recalls": 1}, ttl="30d", tags=["x"])
        store.change(new(memory("z"), seen, memory("b")), NOW)
        other.change([Change(seen, seen.with_changes(status="to_judge", tags=None))], NOW)
        mine = Change(seen, seen.with_changes(counters={"recalls": 2}, last_used=stamp(NOW), ttl=None))
        assert store.change([mine], NOW) == ("done",)
        stands = other.snapshot().memories["a"].memory
        assert stands == seen.with_changes(
            status="to_judge", tags=None, counters={"recalls": 2}, last_used=stamp(NOW), ttl=None
        )
        assert list(other.snapshot().memories) == ["z", "a", "b"]
        assert store.change([mine], NOW) == ("same",)

    def test_a_field_that_somebody_else_changed_otherwise_is_a_conflict_and_nothing_of_the_change_is_made(
        self, store: MemoryStore, other: MemoryStore
    ) -> None:
        seen = memory("a", counters={"recalls": 1})
        store.change(new(seen), NOW)
        other.change([Change(seen, seen.with_changes(counters={"recalls": 5}))], NOW)
        before = other.snapshot().memories["a"].memory
        mine = Change(seen, seen.with_changes(counters={"recalls": 2}, status="disabled"))
        assert store.change([mine, *new(memory("b"))], NOW) == ("conflict", "done")
        assert store.snapshot().memories["a"].memory == before

    def test_what_is_not_there_is_missing(self, store: MemoryStore) -> None:
        gone = memory("a")
        assert store.change([Change(gone, gone.with_changes(tags=["x"])), Change(memory("b"), None)], NOW) == (
            "missing",
            "missing",
        )
        assert dict(store.snapshot().memories) == {}

    def test_a_move_between_tiers_takes_all_of_a_memory_along_and_leaves_nothing_behind(
        self, store: MemoryStore, other: MemoryStore
    ) -> None:
        a, b, c = memory("a", **{"x-free": 1}), memory("b"), memory("c", tier="L1", source={"session": "s"})
        store.change(new(a, b, c), NOW)
        made = store.change([moved(a, "L3"), moved(b, "L1"), moved(c, "L2")], NOW)
        assert made == ("done", "done", "done")
        places = {name: (placed.memory.tier, placed.path) for name, placed in other.snapshot().memories.items()}
        assert places == {
            "a": ("L3", "long_term/knowledge.json"),
            "b": ("L1", "short_term/aged.json"),
            "c": ("L2", "medium_term/active_projects.json"),
        }
        assert other.snapshot().memories["a"].memory == a.with_changes(tier="L3", tier_since=stamp(NOW))
        assert store.change([moved(a, "L3"), moved(b, "L1"), moved(c, "L2")], NOW) == ("same", "same", "same")

    def test_a_path_that_is_named_is_taken(self, store: MemoryStore) -> None:
        a = memory("a")
        store.change([Change(None, a, path="medium_term/mine.json")], NOW)
        store.change([Change(a, a.with_changes(tags=["x"]))], NOW)
        assert store.snapshot().memories["a"].path == "medium_term/mine.json"
        store.change([Change(a, a.with_changes(tier="L3"), path="long_term/ours.json")], NOW)
        assert store.snapshot().memories["a"].path == "long_term/ours.json"

    def test_several_changes_of_one_memory_in_one_call_are_made_in_order(self, store: MemoryStore) -> None:
        a = memory("a")
        b = a.with_changes(tags=["x"])
        c = moved(b, "L3")
        assert c.after is not None
        assert store.change([*new(a), Change(a, b), c, Change(c.after, None, "done with")], NOW) == ("done",) * 4
        assert dict(store.snapshot().memories) == {}
        assert [each.memory for each in store.archived()] == [c.after]

    def test_what_is_archived_is_in_no_tier_and_comes_back_with_its_time_begun_anew(
        self, store: MemoryStore, other: MemoryStore
    ) -> None:
        a, b = memory("a", **{"x-free": [1, None]}), memory("b")
        store.change(new(a, b), NOW)
        assert store.change([Change(a, None, "unused"), Change(b, None, "wrong")], NOW) == ("done", "done")
        assert dict(other.snapshot().memories) == {}
        (found,) = other.archived(memory_id="a")
        assert (found.memory, found.reason, found.origin, found.archived_at) == (
            a, "unused", "medium_term/active_projects.json", NOW,
        )  # fmt: skip
        assert [each.memory.id for each in store.archived(text="ABOUT B")] == ["b"]
        placed = other.restore("a", NOW + timedelta(days=1))
        assert placed.memory == a.with_changes(tier_since=stamp(NOW + timedelta(days=1)))
        assert placed.path == "medium_term/active_projects.json"
        assert store.snapshot().memories["a"] == placed
        assert [each.memory.id for each in store.archived()] == ["b"]
        assert store.restore("a", NOW) == placed

    def test_restoring_what_is_in_no_archive_or_stands_otherwise_is_refused(self, store: MemoryStore) -> None:
        with pytest.raises(NotFoundError, match="no memory called a"):
            store.restore("a", NOW)
        a = memory("a")
        store.change([*new(a), Change(a, None, "x"), *new(memory("a", text="another"))], NOW)
        with pytest.raises(StoreError, match="stands already"):
            store.restore("a", NOW)
        assert store.snapshot().memories["a"].memory.text == "another"
        assert [each.memory for each in store.archived()] == [a]

    def test_what_somebody_changed_since_is_not_archived_but_for_what_is_counted(
        self, store: MemoryStore, other: MemoryStore
    ) -> None:
        a, b = memory("a"), memory("b")
        store.change(new(a, b), NOW)
        other.change([Change(a, a.with_changes(pinned=True)), Change(b, b.with_changes(counters={"recalls": 3}))], NOW)
        assert store.change([Change(a, None, "x"), Change(b, None, "x")], NOW) == ("conflict", "done")
        assert list(store.snapshot().memories) == ["a"]
        assert [each.memory.counters for each in store.archived()] == [{"recalls": 3}]

    def test_a_memory_that_would_be_none_is_refused_and_nothing_is_written(self, store: MemoryStore) -> None:
        a, b = memory("a"), memory("b")
        store.change(new(a), NOW)
        broken = a.model_copy(update={"text": ""})
        with pytest.raises(StoreError, match="text"):
            store.change([*new(b), Change(a, broken)], NOW)
        with pytest.raises(StoreError, match="c cannot be written"):
            store.change(new(b, memory("c", **{"x-free": "\ud800"})), NOW)
        with pytest.raises(StoreError, match="one memory"):
            store.change([Change(a, b)], NOW)
        with pytest.raises(StoreError, match=r"expected a \.json file"):
            store.change([Change(None, b, path="../x.json")], NOW)
        assert list(store.snapshot().memories) == ["a"]
