"""Journals opened: that of a casebook's folder, and one in memory."""

from __future__ import annotations

from pathlib import Path

from casebook.clock import Clock
from casebook.runtime.journal.database import MemoryDatabase
from casebook.runtime.journal.folder import FileDatabase
from casebook.runtime.journal.sqlite import SqliteJournal


def open_journal(folder: Path, clock: Clock) -> SqliteJournal:
    """Open the journal of a casebook's folder, `.casebook/journal.db`, made where it is missing.

    Args:
        folder: the casebook's folder.
        clock: dates receipts and what is moved aside.

    Returns:
        The journal. Where the folder cannot be written it can be read, and its writes raise StoreError.

    Raises:
        StoreError: it is of a newer release, or something that is no file stands in its place.
    """
    return SqliteJournal(FileDatabase(folder, clock), clock)


def memory_journal(clock: Clock) -> SqliteJournal:
    """Open an empty journal that is in memory alone, and gone when it is closed."""
    return SqliteJournal(MemoryDatabase(), clock)
