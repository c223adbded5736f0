"""The journal's file in a casebook's folder: made, opened, and replaced where it is damaged."""

# ruff: noqa: PTH105, PTH116

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from casebook.runtime.journal.connecting import (
    ABSENT,
    BESIDE,
    NAME,
    PATIENCE,
    cannot_write,
    connect,
    file_of,
    in_memory,
    path_of,
    unlink_all,
    write_new,
)
from casebook.runtime.journal.locking import locked
from casebook.runtime.journal.salvage import SALVAGING, go_on, move_aside, settle
from casebook.runtime.journal.schema import NotAJournalError, migrate
from casebook.stores.atomic import sync_folder
from casebook.stores.confined import MACHINE, machine_folder, own_folder


@dataclass(frozen=True, slots=True)
class Opened:
    """An open journal.

    Attributes:
        connection: to the file; or, where there is no file, to an empty database in memory.
        file: the device and inode of the file, (0, 0) where there is none.
        refusal: why it cannot be written, or None.
        is_newer: whether that is because it is of a newer release.
        trouble: what was got over on the way, for people, or None.
    """

    connection: sqlite3.Connection
    file: tuple[int, int]
    refusal: str | None = None
    is_newer: bool = False
    trouble: str | None = None


def open_file(root: Path, now: datetime, *, make: bool, wait: float = PATIENCE, tries: int = 3) -> Opened:
    """Open the journal of a casebook.

    Args:
        root: the casebook's folder.
        now: names what is moved aside.
        make: whether it is made where it is missing.
        wait: seconds to wait for somebody who holds it.
        tries: how often it is begun anew where the file is replaced meanwhile.

    Returns:
        The journal; where it is not there and not made, or cannot be made or written, one that can only be read.

    Raises:
        OSError: something else stands in the place of its file.
        StoreError: it is of a newer release that this one cannot read.
        NotAJournalError, sqlite3.Error: it cannot be read.
    """
    path = path_of(root)
    with contextlib.suppress(FileNotFoundError):
        own_folder(root, MACHINE)
    for name in ("", *BESIDE):
        file_of(path.with_name(NAME + name))
    trouble = None
    if make or os.path.lexists(path.with_name(SALVAGING)):
        try:
            trouble = make_file(root, now)
        except (OSError, sqlite3.Error) as error:
            return _only_read(path, getattr(error, "strerror", None) or str(error))
    file = file_of(path)
    if file == ABSENT:
        return Opened(in_memory(), file, f"there is no {path.name}")
    try:
        return _open(path, file, trouble, wait)
    except (FileNotFoundError, sqlite3.OperationalError) as error:
        if tries > 1 and file_of(path) != file:  # another process has moved it aside between two looks
            return open_file(root, now, make=make, wait=wait, tries=tries - 1)
        if isinstance(error, FileNotFoundError) or not cannot_write(error):
            raise
        return _only_read(path, str(error))


def _open(path: Path, file: tuple[int, int], trouble: str | None, wait: float) -> Opened:
    """Open what is there for writing."""
    if not os.stat(path).st_size:  # a new one is whole before it bears its name
        raise NotAJournalError(f"{path} is empty")
    connection = connect(path, "rw", wait=wait)
    try:
        refusal = migrate(connection, place=str(path))
    except BaseException:
        connection.close()
        raise
    return Opened(connection, file, refusal, is_newer=refusal is not None, trouble=trouble)


def _only_read(path: Path, reason: str) -> Opened:
    """Open what is there without writing."""
    file = file_of(path)
    if file == ABSENT:
        return Opened(in_memory(), file, reason)
    with contextlib.suppress(OSError):
        if os.stat(f"{path}-wal").st_size:
            return Opened(connect(path, "ro"), file, reason)
    return Opened(connect(path, "ro", "immutable=1"), file, reason)


def make_file(root: Path, now: datetime) -> str | None:
    """Make the journal's file where it is missing: empty of rows, or of what could be read of one that was moved aside.

    It is whole before it bears its name.

    Returns:
        What was got over, for people, or None.

    Raises:
        OSError, sqlite3.Error: it cannot be made.
    """
    path = path_of(root)
    if file_of(path) != ABSENT and not os.path.lexists(path.with_name(SALVAGING)):
        return None
    root.mkdir(parents=True, exist_ok=True)
    folder = machine_folder(root)
    with contextlib.suppress(OSError):
        folder.chmod(0o700)
    with locked(folder):
        if file_of(path) != ABSENT:
            return settle(path, now)
        trouble = go_on(path, now)
        if trouble is None:
            _make(path)
    return trouble


def replace_damaged(root: Path, file: tuple[int, int], now: datetime) -> str | None:
    """Put a new journal in the place of a damaged one, with what can be read of it. Arguments and errors as `move_aside`."""
    with locked(machine_folder(root)):
        return move_aside(path_of(root), file, now)


def _make(path: Path) -> None:
    """Make the file, under the lock."""
    temporary = path.with_name(f".journal.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        write_new(temporary)
        os.replace(temporary, path)
        sync_folder(path.parent)
    finally:
        unlink_all(temporary)
