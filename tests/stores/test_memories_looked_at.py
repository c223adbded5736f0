"""Whether memory files have changed, asked before a task: in a bounded time, and of every file within some tasks."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from math import ceil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from casebook.stores import memory_reading, watching
from casebook.stores.memory_reading import LEAST, MemoryReader

FILES = 23
LONG_AGO = 10**11
"""Nanoseconds after which a time of a file is trusted, many times over."""


class Ticking:
    """A monotonic clock that each look at costs so many nanoseconds."""

    def __init__(self) -> None:
        self.at = LONG_AGO
        self.cost = 0

    def __call__(self) -> int:
        self.at += self.cost
        return self.at


@pytest.fixture(scope="module")
def ticking() -> Ticking:
    return Ticking()


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory, ticking: Ticking) -> MemoryReader:
    root = tmp_path_factory.mktemp("memory")
    (root / "medium_term").mkdir()
    for number in range(FILES):
        _write(root, number, "said first")
    reader = MemoryReader(root, "")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(memory_reading, "monotonic_ns", ticking)
        patched.setattr(watching, "monotonic_ns", ticking)
        settle(reader, ticking)
    return reader


@pytest.fixture(autouse=True)
def _clock(ticking: Ticking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_reading, "monotonic_ns", ticking)
    monkeypatch.setattr(watching, "monotonic_ns", ticking)
    ticking.cost = 0


def settle(reader: MemoryReader, ticking: Ticking) -> None:
    """Read what there is until its times are trusted."""
    ticking.cost = 0
    for _ in range(3):
        reader.refresh()
        ticking.at += LONG_AGO


def _write(root: Path, number: int, text: str) -> None:
    """Write a file in place, so that its folder does not change."""
    entry = {"id": f"m-{number}", "kind": "fact", "text": text, "tier": "L2"}
    (root / "medium_term" / f"f{number:02}.json").write_text(json.dumps({"memories": [entry]}), "utf-8")


def asks_until_seen(reader: MemoryReader, within: int | None, most: int) -> int | None:
    """Give how many times it was asked until it said that something has changed; None where it never did."""
    return next((number for number in range(1, most + 1) if not reader.unchanged(within)), None)


def test_what_has_not_changed_is_unchanged_however_often_and_for_however_long_is_asked(
    reader: MemoryReader, ticking: Ticking
) -> None:
    ticking.cost = 10
    for within in (None, 0, 15, 100, 10**9):
        assert asks_until_seen(reader, within, 3 * FILES) is None


@given(edited=some.integers(0, FILES - 1), asked_before=some.integers(0, 30), looked_at=some.integers(0, FILES + 5))
def test_an_edit_of_any_file_is_seen_once_all_have_had_their_turn(
    reader: MemoryReader, ticking: Ticking, edited: int, asked_before: int, looked_at: int
) -> None:
    ticking.cost = 10
    within = 10 * looked_at
    for _ in range(asked_before):
        assert reader.unchanged(within)
    _write(Path(reader._root), edited, f"said {ticking.at} later")
    assert not reader.unchanged()
    asked = asks_until_seen(reader, within, 2 * FILES)
    settle(reader, ticking)
    a_turn = max(LEAST, min(LEAST + looked_at, FILES))
    assert asked is not None
    assert asked <= ceil(FILES / a_turn) + 1
    assert reader.unchanged()


@pytest.mark.parametrize("within", [0, 25, 10**9])
def test_however_short_the_time_some_files_are_looked_at_and_no_more_than_fit(
    reader: MemoryReader, ticking: Ticking, monkeypatch: pytest.MonkeyPatch, within: int
) -> None:
    ticking.cost = 10
    looked: list[str] = []
    real: Callable[[str], os.stat_result] = os.lstat

    def counted(path: str) -> os.stat_result:
        looked.append(path)
        return real(path)

    monkeypatch.setattr(os, "lstat", counted)
    assert reader.unchanged(within)
    of_files = [each for each in looked if each.endswith(".json")]
    assert len(of_files) == {0: LEAST, 25: LEAST + 2, 10**9: FILES}[within]
    assert len(looked) - len(of_files) == 3  # the folders, each time


def test_a_file_that_comes_or_goes_is_seen_at_once_for_its_folder_changes(
    reader: MemoryReader, ticking: Ticking
) -> None:
    ticking.cost = 10
    root = Path(reader._root)
    _write(root, FILES, "new")
    assert not reader.unchanged(0)
    settle(reader, ticking)
    assert reader.unchanged(0)
    (root / "medium_term" / f"f{FILES}.json").unlink()
    assert not reader.unchanged(0)
    settle(reader, ticking)
    assert reader.unchanged(0)
