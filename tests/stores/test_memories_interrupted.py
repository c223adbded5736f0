"""Whatever kills a writer, and whoever writes beside it, no memory is lost, and doing the same again completes it."""

from __future__ import annotations

import importlib
import json
import multiprocessing
import os
import shutil
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from casebook.faults import StoreError
from casebook.memory import Memory
from casebook.stores import memory_writing
from casebook.stores.atomic import replace_file
from casebook.stores.memories import Memories
from casebook.stores.memory_folder import FolderMemories
from casebook.stores.memory_store import Became, Change
from casebook.stores.session_names import session_file
from tests.stores.memory_conformance import NOW, memory, moved, new

SESSION = session_file("s", None)


class KilledError(BaseException):
    """The process ends here."""


def start(root: Path) -> list[Change]:
    """Fill a folder, and give changes of every kind: in place, between tiers both ways, to the archive, and new ones."""
    several = {f"m{at}": memory(f"m{at}") for at in range(6)}
    first = {f"f{at}": memory(f"f{at}", tier="L1", source={"session": "s"}) for at in range(4)}
    last = {f"l{at}": memory(f"l{at}", tier="L3") for at in range(4)}
    FolderMemories(root).change(new(*several.values(), *first.values(), *last.values()), NOW)
    return [
        moved(several["m0"], "L3"), moved(several["m1"], "L1"), moved(first["f0"], "L2"), moved(last["l0"], "L2"),
        Change(several["m2"], None, "unused"), Change(first["f1"], None, "over"), Change(last["l1"], None, "wrong"),
        Change(several["m3"], several["m3"].with_changes(tags=["x"])), Change(first["f2"], first["f2"].with_changes(pinned=True)),
        *new(memory("n0"), memory("n1", tier="L3"), memory("n2", tier="L1", source={"session": "other"})),
    ]  # fmt: skip


def everywhere(root: Path) -> dict[str, Memory]:
    """All memories of the tiers and, for what is in none, of the archive."""
    store = FolderMemories(root)
    kept = {each.memory.id: each.memory for each in store.archived()}
    return kept | {name: placed.memory for name, placed in store.snapshot().memories.items()}


def counted(root: Path) -> dict[str, int]:
    """How often each id stands in the tiers and in the archive together."""
    counts: dict[str, int] = {}
    for path in sorted(root.glob("*_term/*.json")):
        for each in json.loads(path.read_text())["memories"]:
            counts[each["id"]] = counts.get(each["id"], 0) + 1
    for retired in FolderMemories(root).archived():
        counts[retired.memory.id] = counts.get(retired.memory.id, 0) + 1
    return counts


def kill_at(patch: pytest.MonkeyPatch, count: int, *, after: bool) -> Callable[[], int]:
    """End the process at the write of a number, just before or just after it; give how many there were."""
    importlib.import_module("casebook.stores.memory_archive")  # loaded late elsewhere
    writes = 0

    def killing(path: Path, data: bytes, still: Any = ...) -> bool:
        nonlocal writes
        writes += 1
        if writes == count and not after:
            raise KilledError
        is_written = replace_file(path, data, still)
        if writes == count:
            raise KilledError
        return is_written

    for name, module in sorted(sys.modules.items()):
        if name.startswith("casebook.stores.") and getattr(module, "replace_file", None) is replace_file:
            patch.setattr(module, "replace_file", killing)
    return lambda: writes


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_batch_that_is_killed_at_any_write_loses_nothing_and_is_completed_by_the_same_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, after: bool
) -> None:
    template = tmp_path / "template"
    template.mkdir()
    changes = start(template)
    whole = tmp_path / "whole"
    shutil.copytree(template, whole)
    with monkeypatch.context() as patch:
        writes = kill_at(patch, -1, after=False)
        assert set(FolderMemories(whole).change(changes, NOW)) == {"done"}
        total = writes()
    assert total == 1 + 2 * 2 + 1 + 2  # the archive; two files that take and give, one that gives, two that take
    wanted, ids = everywhere(whole), {each.memory_id for each in changes}
    for at in range(1, total + 1):
        root = tmp_path / f"{at}"
        shutil.copytree(template, root)
        with monkeypatch.context() as patch:
            kill_at(patch, at, after=after)
            with pytest.raises(KilledError):
                FolderMemories(root).change(changes, NOW)
        there = everywhere(root)
        assert set(wanted) - {"n0", "n1", "n2"} <= set(there)
        assert max(counted(root).values()) <= 2
        became: tuple[Became, ...] = FolderMemories(root).change(changes, NOW)
        assert "conflict" not in became
        assert everywhere(root) == wanted
        assert set(counted(root).values()) == {1}
        assert ids <= set(everywhere(root))
        assert FolderMemories(root).snapshot().faults == ()


def test_a_return_that_is_killed_at_any_write_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for at in (1, 2):
        for after in (False, True):
            root = tmp_path / f"{at}{after}"
            root.mkdir()
            a, b = memory("a"), memory("b")
            FolderMemories(root).change([*new(a, b), Change(a, None, "x"), Change(b, None, "x")], NOW)
            with monkeypatch.context() as patch:
                kill_at(patch, at, after=after)
                with pytest.raises(KilledError):
                    FolderMemories(root).restore("a", NOW)
            assert set(everywhere(root)) == {"a", "b"}
            assert FolderMemories(root).restore("a", NOW).memory.text == "about a"
            assert counted(root) == {"a": 1, "b": 1}


def test_an_edit_by_hand_between_reading_and_writing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = FolderMemories(tmp_path)
    a, b, c = memory("a"), memory("b"), memory("c")
    store.change(new(a, b, c), NOW)
    stored = memory_writing.MemoryPen.stored
    edits = iter(("first", "second"))

    def edited(self: Any, path: str) -> bytes:
        file = tmp_path / path
        edit = next(edits, None)
        if edit is not None and file.exists():
            form = json.loads(file.read_text())
            form["memories"].append({"id": edit, "kind": "fact", "text": "by hand", "tier": "L2"})
            file.write_text(json.dumps(form))
        return stored(self, path)

    monkeypatch.setattr(memory_writing.MemoryPen, "stored", edited)
    changes = [Change(a, a.with_changes(tags=["x"])), Change(b, None, "x"), moved(c, "L3"), *new(memory("n"))]
    assert store.change(changes, NOW) == ("done",) * 4
    assert {"a", "c", "n", "second"} <= set(store.snapshot().memories)
    assert [each.memory.id for each in store.archived()] == ["b"]


def test_where_somebody_never_stops_editing_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = FolderMemories(tmp_path)
    store.change(new(memory("a")), NOW)
    monkeypatch.setattr(memory_writing.MemoryPen, "stored", lambda *_: b"another")
    with pytest.raises(StoreError, match="edited so often"):
        store.change(new(memory("b")), NOW)


def test_a_full_disk_is_told_and_tears_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = FolderMemories(tmp_path)
    store.change(new(memory("a")), NOW)
    before = store.snapshot()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(memory_writing, "replace_file", full)
        with pytest.raises(StoreError, match="No space left on device"):
            store.change(new(memory("b")), NOW)
    assert store.snapshot().memories == before.memories
    assert store.change(new(memory("b")), NOW) == ("done",)


# -- many at once ---------------------------------------------------------------------------------------------------------


def _work(root: str, number: int) -> None:
    """Add, count, move and retire, while others do."""
    store, files = FolderMemories(root), Memories(root)
    for at in range(8):
        mine = memory(f"p{number}-{at}", tier="L1", source={"session": "s"})
        store.change(new(mine), NOW)
        files.add(SESSION, [memory(f"o{number}-{at}", tier="L1", source={"origin": "outcome"})], newest=200)
        shared = store.snapshot().memories["shared"].memory
        store.change([Change(shared, shared.with_changes(tags=[*shared.tags, f"{number}-{at}"]))], NOW)
        if at % 2:
            store.change([moved(mine, "L2")], NOW)
        elif at % 4:
            store.change([Change(mine, None, "over")], NOW)


def test_processes_that_change_the_same_files_lose_nothing(tmp_path: Path) -> None:
    FolderMemories(tmp_path).change(new(memory("shared")), NOW)
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_work, args=(str(tmp_path), number)) for number in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    names = {f"{kind}{a}-{b}" for kind in "po" for a in range(3) for b in range(8)}
    assert set(everywhere(tmp_path)) == {"shared", *names}
    assert set(counted(tmp_path).values()) == {1}
    memories = FolderMemories(tmp_path).snapshot().memories
    assert {name: placed.memory.tier for name, placed in memories.items() if name.startswith("p")} == {
        f"p{a}-{b}": "L2" if b % 2 else "L1" for a in range(3) for b in range(8) if b % 2 or not b % 4
    }


def test_threads_of_one_store_lose_nothing_and_readers_see_whole_states(tmp_path: Path) -> None:
    store, files = FolderMemories(tmp_path), Memories(tmp_path)
    stop = threading.Event()
    troubles: list[object] = []

    def read() -> None:
        seen: set[str] = set()
        while not stop.is_set():
            snapshot = store.snapshot(wait=False)
            if snapshot.faults or not seen <= set(snapshot.memories):
                troubles.append((snapshot.faults, seen - set(snapshot.memories)))
            seen = set(snapshot.memories)

    def write(number: int) -> None:
        for at in range(10):
            mine = memory(f"t{number}-{at}", tier="L1", source={"session": "s"})
            store.change(new(mine), NOW)
            files.add(SESSION, [memory(f"o{number}-{at}", tier="L1", source={"origin": "outcome"})], newest=200)
            store.change([moved(mine, "L2")], NOW)

    reader = threading.Thread(target=read)
    writers = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in (reader, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    stop.set()
    reader.join()
    assert troubles == []
    assert len(store.snapshot().memories) == 80


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_in_the_midst_of_changes_leaves_parent_and_child_able_to_go_on(tmp_path: Path) -> None:
    store = FolderMemories(tmp_path)
    store.change(new(memory("shared")), NOW)
    stop = threading.Event()

    def work() -> None:
        at = 0
        while not stop.is_set():
            store.change(new(memory(f"t{at}")), NOW)
            store.snapshot()
            at += 1

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for at in range(8):
            child = os.fork()
            if child == 0:  # pragma: no cover - in the child
                became = store.change(new(memory(f"c{at}")), NOW)
                os._exit(0 if became == ("done",) and f"c{at}" in store.snapshot().memories else 1)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        stop.set()
        thread.join()
    names = set(store.snapshot().memories)
    assert {f"c{at}" for at in range(8)} <= names
    assert len([name for name in names if name.startswith("t")]) > 2
