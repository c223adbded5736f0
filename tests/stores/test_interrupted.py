"""An exception from outside (Ctrl-C, a host's alarm, no memory) anywhere in a refresh, or a fork in it, loses no edit."""

import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casebook.stores import case_file
from casebook.stores.folder import FolderStore
from casebook.stores.layers import LayeredStore
from casebook.stores.writing import Writer
from tests.stores.folders import case, opened, seen, told, write

STORES = str(Path(case_file.__file__).parent)


class Interrupted(BaseException):
    """What comes from outside."""


def interrupted(call: Callable[[], object], at: int, source: str = STORES) -> bool:
    """Call, and raise out of the n-th line of a source (of the stores) that runs; say whether it came so far."""
    left = at

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.startswith(source):
            return None
        if event == "line":
            left -= 1
            if left == 0:
                raise Interrupted
        return trace

    sys.settrace(trace)
    try:
        call()
    except Interrupted:
        return True
    finally:
        sys.settrace(None)
    return False


def changes(root: Path) -> None:
    """An edit of each kind: a case patched, one added before others, a file made, one gone, one broken, one read at last."""
    write(root, "patched.json", [case("new"), case("p1", correction="other"), case("p2")])
    write(root, "made.json", [case("m", supersedes=["p1"])])
    (root / "long_term" / "gone.json").unlink()
    write(root, "broken.json", '[{"id": ')
    write(root, "mended.json", [case("mended")])
    (root / "memory-policy.yaml").write_text("timezone: Asia/Shanghai\n")


def prepared(root: Path) -> FolderStore:
    write(root, "patched.json", [case("p1"), case("p2")])
    write(root, "gone.json", [case("g")])
    write(root, "broken.json", "[]")
    write(root, "mended.json", "[")
    store = opened(root)
    store.snapshot()
    return store


def test_wherever_a_refresh_is_interrupted_the_next_one_sees_every_edit(tmp_path: Path) -> None:
    at, came = 1, True
    while came:
        root = tmp_path / str(at) / "memory"
        (root / "long_term").mkdir(parents=True)
        store = prepared(root)
        changes(root)
        came = interrupted(store.snapshot, at)
        time.sleep(0 if at % 40 else 0.06)  # with what the young signatures would still let pass, and without
        now, fresh = store.snapshot(), opened(root).snapshot()
        lines = [line for line in told(now) if "last good" not in line]
        assert lines == [line for line in told(fresh) if "broken.json" not in line], at
        assert seen(now)[0] == seen(fresh)[0], at
        assert now.policy == fresh.policy, at
        assert store.snapshot() is now
        at += 7
    assert at > 300


@settings(max_examples=15, deadline=None)
@given(at=st.integers(1, 400), turns=st.integers(1, 3))
def test_interrupted_again_and_again_it_gets_there(at: int, turns: int) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        (root / "long_term").mkdir()
        store = prepared(root)
        changes(root)
        for turn in range(turns):
            interrupted(store.snapshot, at + 13 * turn)
        assert seen(store.snapshot())[0] == seen(opened(root).snapshot())[0]


def places(store: FolderStore) -> list[tuple[int, int, int, str]]:
    (file,) = store._loader.files
    return [(element.start, element.end, element.line, file.text(element)) for element in file.elements]


def test_wherever_the_patch_of_a_file_is_interrupted_it_is_read_as_a_whole(tmp_path: Path) -> None:
    before = [case("a"), case("b"), case("c"), case("d", correction="中")]
    after = [case("a"), case("b2", supersedes=["a"]), case("b", tags=["x\n"]), case("c"), case("d", correction="中")]
    at, came = 1, True
    while came:
        root = tmp_path / str(at) / "memory"
        path = write(root, "a.json", before)
        store = opened(root)
        store.snapshot()
        write(root, "a.json", after)
        came = interrupted(store.snapshot, at, case_file.__file__)
        fresh = opened(root)
        assert seen(store.snapshot()) == seen(fresh.snapshot()), at
        assert places(store) == places(fresh), at
        path.write_text("")
        assert "got an empty file" in told(store.snapshot())[0], at
        at += 1
    assert at > 60


def test_layers_interrupted_as_they_are_merged_see_the_edit(root: Path, tmp_path: Path, monkeypatch: Any) -> None:
    from casebook.stores import layers

    (tmp_path / "user").mkdir()
    store = LayeredStore([opened(root), opened(tmp_path / "user")])
    store.snapshot()
    write(root, "a.json", [case("a")])

    def raising(_: object) -> Any:
        raise Interrupted

    monkeypatch.setattr(layers, "_merged", raising)
    with pytest.raises(Interrupted):
        store.snapshot()
    monkeypatch.undo()
    assert list(store.snapshot().cases) == ["a"]


def test_a_file_broken_while_the_zone_changes_is_read_in_the_new_zone_once_it_is_mended(root: Path) -> None:
    write(root, "a.json", [case("a")])
    store = opened(root)
    store.snapshot()
    write(root, "a.json", "[")
    (root / "memory-policy.yaml").write_text("timezone: Asia/Shanghai\n")
    assert store.snapshot().cases["a"].zone == "UTC"
    write(root, "a.json", [case("a")])
    assert store.snapshot().cases["a"].zone == "Asia/Shanghai"


def child_reads(store: Any, names: list[str], seconds: float = 5) -> bool:
    """Fork, and say whether the child could take a snapshot."""
    child = os.fork()
    if child == 0:
        os._exit(0 if list(store.snapshot().cases) == names else 1)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.005)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return False


@pytest.mark.parametrize("is_layered", [False, True])
def test_a_child_forked_while_another_thread_is_inside_snapshot_can_read(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_layered: bool
) -> None:
    write(root, "a.json", [case("a")])
    (tmp_path / "user").mkdir()
    store: Any = LayeredStore([opened(root), opened(tmp_path / "user")]) if is_layered else opened(root)
    store.snapshot()
    inside = threading.Event()
    whole = case_file._reindex

    def slowly(*parts: Any) -> None:
        inside.set()
        time.sleep(0.2)
        whole(*parts)

    monkeypatch.setattr(case_file, "_reindex", slowly)
    write(root, "a.json", [case("a"), case("b")])
    reader = threading.Thread(target=store.snapshot)
    reader.start()
    assert inside.wait(5)
    assert child_reads(store, ["a", "b"])
    reader.join()


def test_children_forked_while_threads_read_and_edit_never_hang(root: Path) -> None:
    write(root, "a.json", [case("a")])
    store = opened(root)
    stop = threading.Event()

    def reading() -> None:
        while not stop.is_set():
            store.snapshot()

    def editing() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            path = root / "long_term" / ".t"
            path.write_text(f'[{{"id": "a", "trigger_conditions": ["always"], "correction": "{number}"}}]')
            path.replace(root / "long_term" / "a.json")
            time.sleep(0.001)

    threads = [threading.Thread(target=each) for each in (reading, reading, editing)]
    for thread in threads:
        thread.start()
    try:
        assert all(child_reads(store, ["a"]) for _ in range(40))
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_readers_and_forks_do_not_wait_for_a_writer_that_waits_for_another_process(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from filelock import FileLock

    write(root, "a.json", [case("a")])
    (root / ".casebook").mkdir()
    store = opened(root)
    store.snapshot()
    waits = threading.Event()
    whole = Writer._locked

    def noting(writer: Writer) -> Any:
        waits.set()
        return whole(writer)

    monkeypatch.setattr(Writer, "_locked", noting)
    with FileLock(root / ".casebook" / "write.lock"):
        writer = threading.Thread(target=lambda: store.edit("a", {"priority": 9}))
        writer.start()
        assert waits.wait(5)
        time.sleep(0.1)
        began = time.monotonic()
        assert store.snapshot().cases["a"].case.priority == 5
        assert child_reads(store, ["a"])
        assert time.monotonic() - began < 1
        assert writer.is_alive()
    writer.join()
    assert store.snapshot().cases["a"].case.priority == 9
