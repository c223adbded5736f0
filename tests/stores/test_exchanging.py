"""An edit that comes at the very moment of a write stays; nothing that anybody saved is dropped, whatever the system can."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from casebook.faults import StoreError
from casebook.stores import exchanging
from casebook.stores.atomic import remove_file, replace_file
from casebook.stores.memory_folder import FolderMemories
from casebook.stores.memory_store import Change
from tests.stores.memory_conformance import NOW, memory

SYSTEMS = ["as it is", "without renameat2"]


@pytest.fixture(params=SYSTEMS)
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "without renameat2":
        monkeypatch.setattr(exchanging, "_renameat2", lambda: None)
    return str(request.param)


@pytest.mark.parametrize(
    "there, still, after",
    [
        (b"old", b"old", b"new"),
        (b"edited", b"old", b"edited"),
        (None, None, b"new"),
        (b"edited", None, b"edited"),
        (None, b"old", None),
        (b"old", ..., b"new"),
    ],
)
def test_a_file_is_written_where_it_is_what_was_read(
    tmp_path: Path, system: str, there: bytes | None, still: Any, after: bytes | None
) -> None:
    path = tmp_path / "a.json"
    if there is not None:
        path.write_bytes(there)
    assert replace_file(path, b"new", still) is (after == b"new")
    assert (path.read_bytes() if path.exists() else None) == after
    assert [each.name for each in tmp_path.iterdir()] == (["a.json"] if after is not None else [])


@pytest.mark.parametrize("there, gone", [(b"old", True), (b"edited", False), (None, False)])
def test_a_file_goes_where_it_is_what_was_read(tmp_path: Path, system: str, there: bytes | None, gone: bool) -> None:
    path = tmp_path / "a.json"
    if there is not None:
        path.write_bytes(there)
    assert remove_file(path, b"old") is gone
    assert [each.read_bytes() for each in tmp_path.iterdir()] == ([there] if there is not None and not gone else [])


def _saving(path: Path, how: str, saves: list[bytes]) -> Callable[..., bool]:
    """Save something at each rename, just before it, in the way of an editor."""
    real = exchanging._renamed

    def renamed(source: Path, target: Path, kind: int) -> bool:
        if saves:
            if how == "in place":
                path.write_bytes(saves.pop(0))
            else:
                other = path.with_name("editor.tmp")
                other.write_bytes(saves.pop(0))
                os.replace(other, path)  # noqa: PTH105 - as an editor does
        return real(source, target, kind)

    return renamed


@pytest.mark.skipif(exchanging._renameat2() is None, reason="the system exchanges no files")
@pytest.mark.parametrize("how", ["in place", "by a rename"])
@pytest.mark.parametrize("count", [1, 2])
def test_the_last_save_in_the_moment_of_a_write_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, count: int
) -> None:
    """After the look of any writer, and before its rename, or between its rename and its look at what came out."""
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    saves = [b"first", b"second"][:count]
    last = saves[-1]
    monkeypatch.setattr(exchanging, "_renamed", _saving(path, how, saves))
    assert replace_file(path, b"new", b"old") is False
    assert path.read_bytes() == last
    beside = [each for each in tmp_path.iterdir() if each != path]
    assert [each.read_bytes() for each in beside] == [b"first"][: count - 1]


def test_a_memory_that_is_edited_while_it_moves_stands_once_as_it_was_edited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its new place is written, then somebody edits the old one: the edit wins, and the next call moves it."""
    store = FolderMemories(tmp_path)
    a = memory("a")
    store.change([Change(None, a)], NOW)
    path = tmp_path / store.snapshot().memories["a"].path
    real = FolderMemories._write

    def write(self: Any, file: Any, layout: Any, *, is_new: bool) -> Any:
        if layout.dropped and "by hand" not in path.read_text():
            path.write_text(path.read_text().replace("about a", "by hand"))
        return real(self, file, layout, is_new=is_new)

    monkeypatch.setattr(FolderMemories, "_write", write)
    higher = a.with_changes(tier="L3", tier_since=NOW.isoformat())
    assert store.change([Change(a, higher)], NOW) == ("conflict",)
    assert (_count(tmp_path, "a"), store.snapshot().memories["a"].memory.text) == (1, "by hand")
    assert store.snapshot().faults == ()


def test_a_memory_that_is_edited_while_it_is_retired_is_not_in_the_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FolderMemories(tmp_path)
    a = memory("a")
    store.change([Change(None, a)], NOW)
    path = tmp_path / store.snapshot().memories["a"].path
    real = FolderMemories._write

    def write(self: Any, file: Any, layout: Any, *, is_new: bool) -> Any:
        path.write_text(path.read_text().replace("about a", "by hand"))
        return real(self, file, layout, is_new=is_new)

    monkeypatch.setattr(FolderMemories, "_write", write)
    assert store.change([Change(a, None, "x")], NOW) == ("conflict",)
    assert [each.memory.id for each in store.archived()] == []
    assert not list((tmp_path / "archive").iterdir())


def test_what_an_editor_brings_back_leaves_the_archive(tmp_path: Path) -> None:
    """Saved from what it had read before the memory went: it stands, and is in the archive no more, at once and on disk when it is packed."""
    from datetime import timedelta

    store = FolderMemories(tmp_path)
    a = memory("a")
    store.change([Change(None, a), Change(None, memory("b"))], NOW)
    path = tmp_path / store.snapshot().memories["a"].path
    read = path.read_bytes()
    store.change([Change(a, None, "x")], NOW)
    assert [each.memory.id for each in store.archived()] == ["a"]
    path.write_bytes(read)
    assert (sorted(store.snapshot().memories), list(store.archived())) == (["a", "b"], [])
    store.pack(NOW + timedelta(days=2), NOW + timedelta(days=2))
    assert not list((tmp_path / "archive").iterdir())
    assert sorted(store.snapshot().memories) == ["a", "b"]


SECONDS = 4.0


def test_beside_two_editors_that_save_all_the_time_nothing_is_lost_and_nothing_stands_twice(tmp_path: Path) -> None:
    """Each adds lines of its own, read and saved at once, one in place and one by a rename."""
    store = FolderMemories(tmp_path)
    theirs = memory("seed")
    store.change([Change(None, theirs)], NOW)
    path = tmp_path / store.snapshot().memories["seed"].path
    until = time.monotonic() + SECONDS
    added: dict[str, list[str]] = {"x": [], "y": []}
    turn = threading.Lock()  # the two do not overwrite each other, as people do not

    def editor(name: str) -> None:
        at = 0
        while time.monotonic() < until:
            with turn:
                read = path.read_bytes()
                try:
                    form = json.loads(read)
                except ValueError:
                    continue
                one = f"{name}{at}"
                form["memories"].append({"id": one, "kind": "fact", "text": f"by hand {one}", "tier": "L2"})
                other = path.with_name(f"{name}.tmp")
                other.write_text(json.dumps(form))
                if path.read_bytes() != read:
                    continue  # an editor that looks, too; what it overwrote in between would be its own doing
                os.replace(other, path)  # noqa: PTH105 - as an editor does
                added[name].append(one)
            at += 1
            time.sleep(0.02)

    threads = [threading.Thread(target=editor, args=(name,)) for name in added]
    for thread in threads:
        thread.start()
    made, gone, refused = [], [], []
    at = 0
    while time.monotonic() < until:
        one = memory(f"m{at}")
        try:
            if store.change([Change(None, one)], NOW) == ("done",):
                made.append(one.id)
            if at % 3 == 0 and store.change([Change(one, None, "x")], NOW) == ("done",):
                gone.append(one.id)
            elif at % 3 == 1:
                store.change([Change(one, one.with_changes(tier="L3", tier_since=NOW.isoformat()))], NOW)
        except StoreError as error:  # it is edited so often that it cannot be written: it says so, and has lost nothing
            refused.append(str(error))
        at += 1
    for thread in threads:
        thread.join()
    store.change([], NOW)
    stands = set(store.snapshot().memories)
    archived = {each.memory.id for each in store.archived()}
    aside = "".join(each.read_text() for each in path.parent.glob("*.edit-*"))
    lost = {each for each in (*added["x"], *added["y"]) if each not in stands and f'"{each}"' not in aside}
    assert made
    assert added["x"]
    assert all("edited so often" in each for each in refused)
    assert stands & archived == set()
    assert {each for each in stands if _count(tmp_path, each) != 1} == set()
    # between an editor's own look and its rename ours may come: what it overwrites then is not ours to keep, its own lines are
    assert lost == set()


def _count(root: Path, memory_id: str) -> int:
    return sum(
        each["id"] == memory_id
        for folder in ("short_term", "medium_term", "long_term")
        for path in (root / folder).glob("*.json")
        for each in json.loads(path.read_text())["memories"]
    )
