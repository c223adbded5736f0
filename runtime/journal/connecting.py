"""The journal's file in a casebook's folder, and connections to it."""

# Descriptors, for a file must be made with its mode.
# ruff: noqa: PTH105, PTH116

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import sqlite3
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from casebook.runtime.journal.locking import locked
from casebook.runtime.journal.schema import migrate
from casebook.stores.atomic import sync_folder
from casebook.stores.confined import MACHINE, machine_folder, own_folder

NAME = "journal.db"
PATIENCE = 2.0
"""Seconds that a write waits for another process's; then it goes to the spill file."""

_BESIDE = ("-wal", "-shm", "-journal")
_ABSENT = (0, 0)


@dataclass(frozen=True, slots=True)
class Opened:
    """An open journal.

    Attributes:
        connection: to the file; or, where there is no file and none can be made, to an empty database in memory.
        file: the device and inode of the file, (0, 0) where there is none.
        refusal: why it cannot be written, or None.
    """

    connection: sqlite3.Connection
    file: tuple[int, int]
    refusal: str | None


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
        return _ABSENT
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, f"expected {MACHINE}/{path.name} to be a file, got a link, folder, pipe or device")
    return found.st_dev, found.st_ino


def open_file(root: Path) -> Opened:
    """Open the journal of a casebook, made where it is missing.

    Args:
        root: the casebook's folder.

    Returns:
        The journal; where the folder cannot be written, one that can only be read.

    Raises:
        OSError: something else stands in the place of its file.
        StoreError: it is of a newer release that this one cannot read.
        NotAJournalError, sqlite3.Error: it cannot be read.
    """
    path = path_of(root)
    for name in ("", *_BESIDE):
        file_of(path.with_name(NAME + name))
    try:
        make_file(root)
    except OSError as error:
        return _only_read(path, error.strerror or str(error))
    file = file_of(path)
    try:
        connection = connect(path, "rw")
    except sqlite3.OperationalError as error:
        if not cannot_write(error):
            raise
        return _only_read(path, str(error))
    try:
        refusal = migrate(connection, place=str(path))
    except BaseException as error:
        connection.close()
        if isinstance(error, sqlite3.OperationalError) and cannot_write(error):
            return _only_read(path, str(error))
        raise
    return Opened(connection, file, refusal)


def _only_read(path: Path, reason: str) -> Opened:
    """Open what is there without writing."""
    file = file_of(path)
    if file == _ABSENT:
        return Opened(in_memory(), file, reason)
    wal = path.with_name(f"{NAME}-wal")
    with contextlib.suppress(OSError):
        if os.stat(wal).st_size:
            return Opened(connect(path, "ro"), file, reason)
    return Opened(connect(path, "ro", "immutable=1"), file, reason)


def make_file(root: Path) -> None:
    """Make the journal's file where it is missing: empty of rows, whole before it bears its name. Raises OSError, sqlite3.Error."""
    path = path_of(root)
    if file_of(path) != _ABSENT:
        return
    root.mkdir(parents=True, exist_ok=True)
    folder = machine_folder(root)
    with contextlib.suppress(OSError):
        folder.chmod(0o700)
    with locked(folder):
        if file_of(path) == _ABSENT:
            _make(path)


def _make(path: Path) -> None:
    """Make the file, under the lock."""
    temporary = path.with_name(f".journal.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        write_new(temporary)
        os.replace(temporary, path)
        sync_folder(path.parent)
    finally:
        for name in ("", *_BESIDE):
            temporary.with_name(temporary.name + name).unlink(missing_ok=True)


def write_new(path: Path) -> None:
    """Make a journal without rows, 0600, on disk when it returns. Raises OSError, sqlite3.Error."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    with contextlib.closing(connect(path, "rw", journal="DELETE")) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        migrate(connection, place=str(path))


def connect(
    path: Path, mode: Literal["rw", "ro"], *options: str, journal: Literal["WAL", "DELETE"] = "WAL"
) -> sqlite3.Connection:
    """Open a connection to a file that is there. Raises sqlite3.Error."""
    told = "&".join((f"mode={mode}", *options))
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?{told}", uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False
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


def is_damage(error: BaseException) -> bool:
    """Say whether an error tells that the file is no journal any more."""
    if isinstance(error, sqlite3.Error):
        return primary(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    return False


def primary(error: sqlite3.Error) -> int:
    """Give SQLite's primary result code of an error, 0 where it has none."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def machine_of(root: Path) -> Path:
    """Give the folder of machine state, which must be there. Raises OSError."""
    return own_folder(root, MACHINE)
