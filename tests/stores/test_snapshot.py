"""A snapshot notices every edit, and is the same object while there is none."""

import os
import threading
from pathlib import Path

import pytest
from freezegun import freeze_time

from casebook import StoreError
from tests.stores.folders import case, opened, told, write


def test_the_same_object_comes_back_while_nothing_has_changed(root: Path) -> None:
    write(root, "a.json", [case("a")])
    store = opened(root)
    first = store.snapshot()
    assert all(store.snapshot() is first for _ in range(10))
    os.utime(root / "long_term" / "a.json")
    assert store.snapshot() is first


def test_each_visible_change_grows_the_generation_by_one(root: Path) -> None:
    store = opened(root)
    for number in range(1, 6):
        assert store.snapshot().generation == number
        write(root, f"{number}.json", [case(f"c{number}")])


@pytest.mark.parametrize("wait", [False, True])
def test_an_edit_of_the_same_size_and_the_same_time_is_seen(root: Path, wait: bool) -> None:
    path = write(root, "a.json", [case("a", priority=1)])
    store = opened(root)
    assert store.snapshot().cases["a"].case.priority == 1
    if wait:
        os.utime(path, ns=(10**18 + 5, 10**18 + 5))
        store.snapshot()
    stamp = path.stat().st_mtime_ns
    with path.open("r+") as stream:
        stream.write(path.read_text().replace('"priority": 1', '"priority": 2'))
    os.utime(path, ns=(stamp, stamp))
    assert store.snapshot().cases["a"].case.priority == 2


def test_a_file_renamed_over_another_is_seen(root: Path) -> None:
    path = write(root, "a.json", [case("a", priority=1)])
    store = opened(root)
    store.snapshot()
    other = root / "other"
    other.write_text(path.read_text().replace('"priority": 1', '"priority": 3'))
    other.replace(path)
    assert store.snapshot().cases["a"].case.priority == 3


def test_files_that_come_move_and_go_are_seen(root: Path) -> None:
    store = opened(root)
    assert list(store.snapshot().cases) == []
    path = write(root, "deep/er/a.json", [case("a")])
    assert list(store.snapshot().cases) == ["a"]
    path.rename(root / "long_term" / "b.json")
    assert store.snapshot().cases["a"].path == "long_term/b.json"
    (root / "long_term" / "b.json").unlink()
    assert list(store.snapshot().cases) == []


def test_a_half_written_file_leaves_its_last_good_version_serving_and_is_announced(root: Path) -> None:
    path = write(root, "a.json", [case("a"), case("b")])
    store = opened(root)
    store.snapshot()
    whole = path.read_bytes()
    for length in (0, 1, 30, len(whole) - 1):
        path.write_bytes(whole[:length])
        snapshot = store.snapshot()
        assert list(snapshot.cases) == ["a", "b"]
        assert len(snapshot.faults) == 1
        assert "; its last good version serves" in told(snapshot)[0]
        assert store.snapshot() is snapshot
    path.write_bytes(whole)
    snapshot = store.snapshot()
    assert (list(snapshot.cases), snapshot.faults) == (["a", "b"], ())


def test_a_case_that_turns_bad_is_quarantined_alone_and_comes_back_when_it_is_mended(root: Path) -> None:
    write(root, "a.json", [case("a"), case("b")])
    store = opened(root)
    before = store.snapshot()
    write(root, "a.json", [case("a", priority=99), case("b")])
    bad = store.snapshot()
    assert list(bad.cases) == ["b"]
    assert bad.cases["b"] is before.cases["b"]
    write(root, "a.json", [case("a"), case("b")])
    assert store.snapshot().cases == before.cases


def test_a_policy_that_cannot_be_read_leaves_the_last_good_one_serving(root: Path) -> None:
    policy = root / "memory-policy.yaml"
    policy.write_text("language: zh\n")
    store = opened(root)
    assert store.snapshot().policy.language == "zh"
    policy.write_text("language: [\n")
    snapshot = store.snapshot()
    assert snapshot.policy.language == "zh"
    assert "its last good version serves" in told(snapshot)[0]
    policy.unlink()
    snapshot = store.snapshot()
    assert (snapshot.policy.language, snapshot.faults) == ("en", ())
    policy.write_text("language: [\n")
    assert "the defaults serve" in told(store.snapshot())[0]


def test_cases_stand_in_path_order_and_then_in_the_order_of_their_file(root: Path) -> None:
    write(root, "b.json", [case("b2"), case("b1")])
    write(root, "a/z.json", [case("z")])
    write(root, "a.json", case("single"))
    assert list(opened(root).snapshot().cases) == ["single", "z", "b2", "b1"]


def test_a_snapshot_cannot_be_changed_by_who_takes_it(root: Path) -> None:
    write(root, "a.json", [case("a")])
    cases = opened(root).snapshot().cases
    with pytest.raises(TypeError):
        cases["b"] = cases["a"]  # type: ignore[index]


def test_many_threads_see_one_snapshot_and_whole_ones_only(root: Path) -> None:
    write(root, "a.json", [case(f"c{at}", priority=0) for at in range(20)])
    store = opened(root)
    seen: list[set[int]] = []
    stop = threading.Event()

    def look() -> None:
        while not stop.is_set():
            seen.append({loaded.case.priority for loaded in store.snapshot().cases.values()})

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(1, 8):
        path = write(root, "../new", [case(f"c{at}", priority=number) for at in range(20)])
        path.replace(root / "long_term" / "a.json")
    stop.set()
    for thread in threads:
        thread.join()
    assert all(len(priorities) == 1 for priorities in seen)


def test_a_folder_that_is_not_there_is_a_store_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="casebook init"):
        opened(tmp_path / "none")


@pytest.mark.parametrize("instant", ["2020-01-01", "2040-01-01"])
def test_edits_are_seen_while_the_clock_stands_still(root: Path, instant: str) -> None:
    with freeze_time(instant):
        store = opened(root)
        for number in range(1, 9):
            write(root, "a.json", [case("a", priority=number)])
            assert store.snapshot().cases["a"].case.priority == number
        assert store.snapshot() is store.snapshot()
