"""docs/recall.md says what is so: what it shows runs, and its figures are those that are measured."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from casebook.runtime.memory import floor, indices, view
from casebook.runtime.memory.related_text import ITEM_CHARS
from casebook.runtime.memory.view import MemoryView
from tests.docs.reading import ROOT, run_page
from tests.memory.labelled import memories, questions, scored
from tests.memory.stores import Held
from tests.memory.test_floor import told

PAGE = (ROOT / "docs" / "recall.md").read_text(encoding="utf-8")


def test_what_it_shows_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_page("docs/recall.md")


def test_every_file_that_it_names_is_there() -> None:
    named = re.findall(r"`((?:runtime|tests)/[\w./]+)`", PAGE)
    assert len(named) > 8
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("half, is_held_out", [("tuned", False), ("held out", True)])
def test_its_figures_are_those_that_are_measured(half: str, is_held_out: bool) -> None:
    over = MemoryView([Held(*memories())])
    asked = [each for each in questions() if each.is_held_out == is_held_out]
    got = scored(asked, lambda query: told(over, query))
    bare = scored(asked, lambda query: told(over, query, floor=False))
    row = f"| {half}, {len(asked)} questions | {got.precision:.2f} | {got.recall:.2f} | {bare.precision:.2f}, {bare.recall:.2f} |"
    assert row in PAGE


def test_its_numbers_are_those_of_the_code() -> None:
    assert f"At least {floor.LEAST_SHARE} of the weight" in PAGE
    assert floor.LEAST_WORDS == 2
    assert f"Up to {view._READ_AT_ONCE // 1000} KB of changed files" in PAGE
    assert f"up to {indices._FRESH} changed memories" in PAGE
    assert f"{indices._PAIRS // 1_000_000} million pairs" in PAGE
    assert f"of which {ITEM_CHARS} characters are told" in PAGE
    assert f"{len(questions())} questions over {len(memories())} memories" in PAGE
