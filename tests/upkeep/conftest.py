"""What the tests of upkeep share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.upkeep.folder_book import FolderBook


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[FolderBook]:
    """Give an empty casebook in a folder."""
    book = FolderBook(tmp_path / "memory")
    yield book
    book.close()
