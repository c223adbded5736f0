"""The journal's file in a casebook's folder, and connections to it."""

# Descriptors, for a file must be made with its mode.

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import stat
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from casebook.runtime.journal.schema import NotAJournalError, migrate
from casebook.stores.confined import MACHINE

NAME = "journal.db"
PATIENCE = 2.0
"""Seconds that a write waits for another process's; then it goes to the spill file."""
HASTE = 0.05
"""The same after one has waited in vain, until one succeeds: an agent does not wait again and again."""

BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite adds to the name of a database for its files beside it."""
ABSENT = (0, 0)
"""Stands for the device and inode of no file."""


def path_of(root: Path) -> Path:
    """Give the path of a casebook's journal."""
    return root / MACHINE / NAME


def file_of(path: Path) -> tuple[int, int]:
    """Give the device and inode of the journal's file, (0, 0) where there is none.

    Raises:
        OSError: a link, a folder, a pipe or a device stands in its place.
    """
    try:
        found = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return ABSENT
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, f"expected {MACHINE}/{path.name} to be a file, got a link, folder, pipe or device")
    return found.st_dev, found.st_ino


def unlink_all(path: Path) -> None:
    """Take a database away, with what SQLite keeps beside it. Raises OSError."""
    for name in ("", *BESIDE):
        path.with_name(path.name + name).unlink(missing_ok=True)


def write_new(path: Path) -> None:
    """Make a journal without rows, 0600, on disk when it returns. Raises OSError, sqlite3.Error."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    with contextlib.closing(connect(path, "rw", journal="DELETE")) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        migrate(connection, place=str(path))


def connect(
    path: Path,
    mode: Literal["rw", "ro"],
    *options: str,
    journal: Literal["WAL", "DELETE"] = "WAL",
    wait: float = PATIENCE,
) -> sqlite3.Connection:
    """Open a connection to a file that is there, waiting so many seconds for who holds it. Raises sqlite3.Error."""
    told = "&".join((f"mode={mode}", *options))
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?{told}", uri=True, timeout=wait, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        if mode == "rw":
            connection.execute(f"PRAGMA journal_mode = {journal}").fetchone()
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def in_memory() -> sqlite3.Connection:
    """Open an empty journal that is in memory alone."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    migrate(connection, place="the journal in memory")
    return connection


def cannot_write(error: sqlite3.Error) -> bool:
    """Say whether an error tells that the file or its folder is not to be written by us."""
    return primary(error) in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)


DAMAGES = (sqlite3.Error, NotAJournalError)
NO_RECORD = (ValueError, TypeError, OverflowError, LookupError, AttributeError)
"""What reading a row as a record raises where it is none."""


def is_damage(error: BaseException, *, reads: bool) -> bool:
    """Say whether an error tells that the file is no journal any more or, where rows were read, that one of them is no record."""
    if not isinstance(error, sqlite3.Error):
        return isinstance(error, NotAJournalError) or (reads and isinstance(error, NO_RECORD))
    if isinstance(error, sqlite3.InterfaceError | sqlite3.ProgrammingError | sqlite3.IntegrityError):
        return False
    short = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_IOERR_SHORT_READ
    gone = str(error).startswith(("no such table", "no such column", "Could not decode"))
    return short or gone or primary(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def is_busy(error: BaseException) -> bool:
    """Say whether an error tells that somebody else holds the database."""
    return isinstance(error, sqlite3.Error) and primary(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def sync_file(path: str) -> None:
    """Bring a file on disk; where there is none, it has been brought into another that is. Raises OSError."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def primary(error: sqlite3.Error) -> int:
    """Give SQLite's primary result code of an error, 0 where it has none."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
