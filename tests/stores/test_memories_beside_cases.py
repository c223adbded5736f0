"""Files of memories under `long_term/` are none of cases, no faults, and cost the cases nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from casebook.faults import StoreError
from casebook.stores import case_file, loading, watching
from casebook.stores.memory_folder import FolderMemories
from casebook.stores.splitting import holds_memories
from tests.stores.folders import case, opened, told, write
from tests.stores.memory_conformance import NOW, memory, new


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"memories": []}', True),
        ('\ufeff\n{ "format": 1, "session" : "s", "memories":', True),
        ('{"$comment": {"cases": 1}, "memories"  : [{"id"', True),
        ('{"memories": [], "cases": []}', True),
        ('{"cases": [], "memories": []}', False),
        ('{"format": 1, "cases": [', False),
        ('{"id": "a", "memories": []}', False),
        ('{"trigger_conditions": [', False),
        ("[", False),
        ("7", False),
        ("", None),
        ("  \n", None),
        ("{", None),
        ('{"format": 1', None),
        ('{"format": 1, "$comment": "mem', None),
        ('{"format": 1, "memories"', None),
        ('{"memories" 1', None),
        ("{}", None),
        ('{"x-a": ' + "[" * 100_000, None),
    ],
)
def test_memories_are_told_from_cases_by_the_first_key_that_tells(text: str, expected: bool | None) -> None:
    assert holds_memories(text) is expected


def test_memories_are_no_cases_and_no_fault_and_broken_ones_are_not_told_twice(root: Path) -> None:
    write(root, "cases.json", [case("a")])
    FolderMemories(root).change(new(memory("m", tier="L3")), NOW)
    write(root, "decisions.json", '{"memories": [{"id": ')
    write(root, "sub.json", {"x-long": "x" * 9000, "memories": [7]})
    store = opened(root)
    assert (list(store.snapshot().cases), told(store.snapshot())) == (["a"], [])
    assert [fault.path for fault in FolderMemories(root).snapshot().faults] == [
        "long_term/decisions.json",
        "long_term/sub.json",
    ]


def test_a_change_of_memories_is_none_of_cases_and_nothing_of_it_is_parsed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, "cases.json", [case("a")])
    memories = FolderMemories(root)
    memories.change(new(memory("m", tier="L3")), NOW)
    store = opened(root)
    first = store.snapshot()
    read: list[Any] = []
    for module, name in ((loading, "read"), (loading, "reread"), (case_file, "split")):
        monkeypatch.setattr(module, name, lambda *given: read.append(given))
    memories.change(new(*(memory(f"m{at}", tier="L3", text="x" * 3000) for at in range(50))), NOW)
    assert store.snapshot() is first
    assert read == []
    assert store._loader.read_cold == (root / "long_term" / "cases.json").stat().st_size


def test_half_of_an_edit_of_memories_is_no_fault_of_cases_and_the_memories_serve_on(root: Path) -> None:
    store, memories = opened(root), FolderMemories(root)
    memories.change(new(memory("m", tier="L3")), NOW)
    first = store.snapshot()
    for half in ("", "{", '{"form', '{"format": 1'):
        write(root, "knowledge.json", half)
        assert told(store.snapshot()) == []
        assert store.snapshot().cases == first.cases
        assert list(memories.snapshot().memories) == ["m"]
        assert len(memories.snapshot().faults) == 1


def test_a_file_of_memories_may_become_one_of_cases_and_the_other_way_round(root: Path) -> None:
    store = opened(root)
    write(root, "x.json", {"memories": []})
    assert dict(store.snapshot().cases) == {}
    write(root, "x.json", [case("a")])
    assert list(store.snapshot().cases) == ["a"]
    write(root, "x.json", {"format": 1, "memories": []})
    assert (dict(store.snapshot().cases), told(store.snapshot())) == ({}, [])
    write(root, "x.json", "[{")
    assert [line.split(":")[0] for line in told(store.snapshot())] == ["long_term/x.json"]


def test_a_case_is_never_written_among_memories(root: Path) -> None:
    FolderMemories(root).change(new(memory("m", tier="L3")), NOW)
    before = (root / "long_term" / "knowledge.json").read_bytes()
    store = opened(root)
    from casebook.case import Case

    with pytest.raises(StoreError, match="holds memories, not cases"):
        store.put(Case(**case("a")), file="knowledge.json")
    assert (root / "long_term" / "knowledge.json").read_bytes() == before


def test_memories_do_not_count_towards_the_limit_of_all_cases(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "MOST_BYTES", 2000)
    memories = FolderMemories(root)
    memories.change(new(*(memory(f"m{at}", tier="L3") for at in range(30))), NOW)
    write(root, "zz.json", [case("a")])
    assert (list(opened(root).snapshot().cases), told(opened(root).snapshot())) == (["a"], [])
    write(root, "zzz.json", [case("b", correction="x" * 900), case("c", correction="x" * 900)])
    assert [line.split(":")[0] for line in told(opened(root).snapshot())] == ["long_term/zzz.json"]


def test_the_cache_of_cases_keeps_nothing_of_memories(root: Path) -> None:
    write(root, "cases.json", [case("a")])
    FolderMemories(root).change(new(memory("m", tier="L3", text="unmistakable")), NOW)
    store = opened(root, cache=True)
    store.snapshot()
    store.close()
    kept = (root / ".casebook" / "compiled.cache").read_bytes()
    assert b"unmistakable" not in kept
    assert b"knowledge.json" not in kept
    assert json.loads((root / "long_term" / "knowledge.json").read_text())["memories"][0]["id"] == "m"
    again = opened(root, cache=True)
    assert (list(again.snapshot().cases), told(again.snapshot())) == (["a"], [])
