"""What the journal's tests share: a folder, and journals that are closed at the end."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from casebook.clock import fixed_clock
from casebook.runtime.journal.opening import memory_journal, open_journal
from casebook.runtime.journal.sqlite import SqliteJournal
from tests.journal.made import NOW

Open = Callable[[], SqliteJournal]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "memory"
    folder.mkdir()
    return folder


@pytest.fixture
def open_(root: Path) -> Iterator[Open]:
    """Open the folder's journal, as often as is asked."""
    made: list[SqliteJournal] = []

    def opened() -> SqliteJournal:
        made.append(open_journal(root, fixed_clock(NOW)))
        return made[-1]

    yield opened
    for each in made:
        each.close()


@pytest.fixture
def memory() -> Iterator[SqliteJournal]:
    journal = memory_journal(fixed_clock(NOW))
    yield journal
    journal.close()
