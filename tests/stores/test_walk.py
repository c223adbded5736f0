"""However folders stand in one another, and wherever links lead, the walk ends and says which limit it met."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from casebook.stores import watching
from tests.stores.folders import case, opened, told, write


@pytest.mark.parametrize("depth, serves", [(32, True), (33, False)])
def test_folders_are_listed_up_to_the_limit_of_their_depth(root: Path, depth: int, *, serves: bool) -> None:
    write(root, "/".join(["d"] * depth) + "/a.json", [case("a")])
    snapshot = opened(root).snapshot()
    assert list(snapshot.cases) == (["a"] if serves else [])
    assert [line.partition(": ")[2] for line in told(snapshot)] == (
        [] if serves else ["expected folders at most 32 deep (limit: depth)"]
    )


def test_folders_1200_deep_are_one_fault(root: Path) -> None:
    write(root, "a.json", [case("a")])
    top = handle = os.open(root / "long_term", os.O_RDONLY)
    handles = [top]
    for _ in range(1200):
        os.mkdir("d", dir_fd=handle)
        handle = os.open("d", os.O_RDONLY, dir_fd=handle)
        handles.append(handle)
        if len(handles) > 2:
            os.close(handles.pop(1))
    try:
        snapshot = opened(root).snapshot()
    finally:
        for handle in handles:
            os.close(handle)
        subprocess.run(["rm", "-rf", str(root / "long_term" / "d")], check=True)  # shutil, and so pytest, would recurse
    assert list(snapshot.cases) == ["a"]
    assert len(snapshot.faults) == 1


def test_links_that_would_unfold_without_end_are_followed_once(root: Path) -> None:
    for number in range(30):
        write(root, f"x{number}/c{number}.json", [case(f"c{number}")])
        for name in "ab" if number else "":
            (root / "long_term" / f"x{number - 1}" / name).symlink_to(f"../x{number}")
    began = time.monotonic()
    store = opened(root)
    snapshot = store.snapshot()
    assert store.snapshot() is snapshot
    assert time.monotonic() - began < 5
    assert len(snapshot.cases) == 30
    assert len(snapshot.faults) == 58
    assert "got a link to one that is read already, as long_term/x1" in told(snapshot)[0]


def test_a_folder_is_read_by_its_own_path_before_any_link_to_it(root: Path, tmp_path: Path) -> None:
    write(root, "real/a.json", [case("a")])
    (root / "long_term" / "early").symlink_to("real")
    (tmp_path / "shared" / "deep").mkdir(parents=True)
    (tmp_path / "shared" / "deep" / "b.json").write_text("[]")
    write(root, "x.json", [case("x")])
    (root / "long_term" / "m").symlink_to(tmp_path / "shared")
    (root / "long_term" / "n").symlink_to(tmp_path / "shared")
    snapshot = opened(root).snapshot()
    assert snapshot.cases["a"].path == "long_term/real/a.json"
    assert told(snapshot) == [
        "long_term/early: expected a folder, got a link to one that is read already, as long_term/real",
        "long_term/n: expected a folder, got a link to one that is read already, as long_term/m",
    ]


@pytest.mark.parametrize("most, over", [(4, False), (3, True)])
def test_names_are_taken_up_to_their_limit_and_hidden_ones_are_not_counted(
    root: Path, monkeypatch: pytest.MonkeyPatch, most: int, *, over: bool
) -> None:
    for name in (".h1.json", ".h2.json", ".h3.json", "a.json", "b.json", "d/c.json"):
        write(root, name, [case(name.strip(".").replace("/", ".").removesuffix(".json"))])
    monkeypatch.setattr(watching, "MOST_NAMES", most)
    store = opened(root)
    snapshot = store.snapshot()
    assert len(snapshot.cases) == (2 if over else 3)
    assert [line for line in told(snapshot) if "(limit: names)" in line] == (
        ["long_term/d: expected at most 3 names of files and folders (limit: names), the rest is not read"]
        if over
        else []
    )
    assert store.snapshot() is snapshot


def test_files_are_read_up_to_the_limit_of_all_together(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = write(root, "a.json", [case("a")]).stat().st_size
    (root / "long_term" / "b.json").symlink_to("a.json")
    write(root, "c.json", b" " * 17_000_000)  # refused by its own size, and not counted
    write(root, "d.json", [case("d")])
    monkeypatch.setattr(watching, "MOST_BYTES", 2 * size)
    snapshot = opened(root).snapshot()
    assert list(snapshot.cases) == ["a"]
    assert [line for line in told(snapshot) if "(limit: casebook)" in line] == [
        "long_term/d.json: expected files of at most 0 MB in all (limit: casebook), and this one is over it"
    ]
