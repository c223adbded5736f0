"""A folder that disappears while it is served takes nothing with it: what was read last serves, a fault says so."""

import shutil
from pathlib import Path

import pytest

from casebook import StoreError
from casebook.case import Case
from tests.stores.folders import case, opened, seen, told, write

GONE = "the folder is gone, or cannot be read; what was read last serves"


def filled(root: Path) -> Path:
    write(root, "a.json", [case("a"), case("b")])
    write(root, "deep/c.json", [case("c")])
    (root / "memory-policy.yaml").write_text("timezone: Asia/Shanghai\n", "utf-8")
    return root


@pytest.mark.parametrize(("which", "place"), [(".", "."), ("long_term", "long_term")])
@pytest.mark.parametrize("settle", [False, True])
def test_a_folder_that_is_moved_away_serves_on_with_one_fault_and_moved_back_serves_without_it(
    root: Path, which: str, place: str, settle: bool
) -> None:
    store = opened(filled(root))
    before = store.snapshot()
    if settle:
        for path in [*root.rglob("*")]:
            path.touch()
        store.snapshot()
    moved = root / which
    away = moved.rename(root.parent / "away")
    gone = store.snapshot()
    assert (list(gone.cases), gone.policy) == (["a", "b", "c"], before.policy)
    assert [(fault.path, fault.message, fault.severity) for fault in gone.faults] == [(place, GONE, "error")]
    assert all(store.snapshot() is gone for _ in range(5))
    away.rename(moved)
    back = store.snapshot()
    assert seen(back) == seen(before)
    assert back.generation == gone.generation + 1
    assert all(store.snapshot() is back for _ in range(5))


@pytest.mark.parametrize("which", [".", "long_term"])
def test_a_folder_made_again_serves_what_stands_in_it_then(root: Path, which: str) -> None:
    store = opened(filled(root))
    store.snapshot()
    shutil.rmtree(root / which)
    assert list(store.snapshot().cases) == ["a", "b", "c"]
    write(root, "a.json", [case("d")])
    made = store.snapshot()
    assert list(made.cases) == ["d"]
    assert made.faults == ()
    assert made.policy.timezone == ("UTC" if which == "." else "Asia/Shanghai")


def test_the_folder_made_again_with_nothing_in_it_serves_what_was_read_of_the_cases_alone(root: Path) -> None:
    store = opened(filled(root))
    store.snapshot()
    shutil.rmtree(root)
    store.snapshot()
    root.mkdir()
    made = store.snapshot()
    assert (list(made.cases), made.policy.timezone) == (["a", "b", "c"], "UTC")
    assert [fault.path for fault in made.faults] == ["long_term"]
    (root / "long_term").mkdir()
    assert (dict(store.snapshot().cases), store.snapshot().faults) == ({}, ())


def test_a_file_or_a_folder_deleted_while_long_term_stays_ends_its_cases(root: Path) -> None:
    store = opened(filled(root))
    store.snapshot()
    (root / "long_term/a.json").unlink()
    assert list(store.snapshot().cases) == ["c"]
    shutil.rmtree(root / "long_term/deep")
    assert (dict(store.snapshot().cases), store.snapshot().faults) == ({}, ())


def test_a_policy_edited_while_long_term_is_gone_serves(root: Path) -> None:
    store = opened(filled(root))
    store.snapshot()
    away = (root / "long_term").rename(root / "away")
    (root / "memory-policy.yaml").write_text("timezone: Europe/Berlin\n", "utf-8")
    assert store.snapshot().policy.timezone == "Europe/Berlin"
    away.rename(root / "long_term")
    assert {loaded.zone for loaded in store.snapshot().cases.values()} == {"Europe/Berlin"}


def test_a_folder_that_a_file_takes_the_place_of_serves_on(root: Path) -> None:
    store = opened(filled(root))
    store.snapshot()
    shutil.rmtree(root / "long_term")
    (root / "long_term").write_text("x", "utf-8")
    assert list(store.snapshot().cases) == ["a", "b", "c"]
    assert told(store.snapshot()) != []


def test_a_folder_opened_without_long_term_is_empty_without_a_fault(tmp_path: Path) -> None:
    store = opened(tmp_path)
    first = store.snapshot()
    assert (dict(first.cases), first.faults) == ({}, ())
    assert store.snapshot() is first


@pytest.mark.parametrize("which", [".", "long_term"])
def test_nothing_is_written_into_a_folder_that_is_gone(root: Path, which: str) -> None:
    store = opened(filled(root))
    store.snapshot()
    (root / which).rename(root.parent / "away")
    for write_it in (
        lambda: store.put(Case.model_validate(case("new"))),
        lambda: store.put(Case.model_validate(case("a", priority=3)), file="a.json"),
        lambda: store.edit("a", {"priority": 3}),
        lambda: store.archive("a"),
    ):
        with pytest.raises(StoreError):
            write_it()
    assert not (root / "long_term").exists()
    assert list(store.snapshot().cases) == ["a", "b", "c"]
