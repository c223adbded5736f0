"""What was deleted leaves no byte: in the database's free pages, in its log, and in what once was set aside beside it."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from casebook.runtime.journal.connecting import BESIDE, is_busy, path_of
from casebook.runtime.journal.locking import locked
from casebook.runtime.journal.sought import unescaped
from casebook.runtime.journal.spill import UNREAD
from casebook.stores.atomic import sync_folder
from casebook.stores.confined import MACHINE, own_folder

_TIMES = 5
"""How often it is tried, each time waiting for who reads."""
_COPIES = ("journal.db.corrupt-", "journal.db.salvaging", ".journal.")
"""How names begin of damaged journals, and of new ones whose maker was killed."""


def erase(connection: sqlite3.Connection, wait: float) -> bool:
    """Write a database anew without its free pages, and bring its log to its end.

    Args:
        connection: to the database, in no transaction.
        wait: seconds to wait for who holds it, five times.

    Returns:
        Whether it was done: not where somebody reads all the time.

    Raises:
        sqlite3.Error: it cannot be done.
    """
    connection.execute(f"PRAGMA busy_timeout = {int(wait * 1000)}")
    connection.execute("PRAGMA secure_delete = ON")
    is_written = False
    for _ in range(_TIMES):
        try:
            if not is_written:
                connection.execute("VACUUM")
                is_written = True
            if connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0:
                return True
        except sqlite3.OperationalError as error:
            if not is_busy(error):
                raise
    return False


def leftovers(root: Path, concerns: Callable[[str], bool], *, dry: bool) -> Mapping[str, int]:
    """Take away what stands beside the journal and may tell of what is forgotten.

    Of damaged copies nobody can say what a page of them still holds: what could be read of them is in the journal, and they go.

    Args:
        root: the casebook's folder.
        concerns: says of a line that could not be brought in whether it goes; the others stay.
        dry: whether all stays, and is only counted.

    Returns:
        `copies`: damaged copies; `lines`: lines that were no rows.

    Raises:
        OSError: they cannot be read or taken away, or a link stands in the place of the folder.
    """
    try:
        own_folder(root, MACHINE)
    except FileNotFoundError:
        return {"copies": 0, "lines": 0}
    folder = path_of(root).parent
    with locked(folder):
        copies = tuple(_copies(folder))
        if not dry:
            for each in copies:
                each.unlink(missing_ok=True)
            if copies:
                sync_folder(folder)
        lines = _lines(folder / UNREAD, concerns, dry=dry)
    return {"copies": sum(not each.name.endswith(BESIDE) for each in copies), "lines": lines}


def _copies(folder: Path) -> Iterator[Path]:
    for each in sorted(folder.iterdir()):
        if each.name.startswith(_COPIES) and not stat.S_ISDIR(each.lstat().st_mode):
            yield each


def _lines(path: Path, concerns: Callable[[str], bool], *, dry: bool) -> int:
    """Take lines that go out of a file; one without any others is taken away. Give their number."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return 0
    with open(handle, "r+b") as stream:  # noqa: PTH123  # a descriptor
        lines = stream.read().split(b"\n")
        kept = [line for line in lines if not concerns(unescaped(line.decode("utf-8", "replace")))]
        gone = len(lines) - len(kept)
        if gone and not dry:
            stream.seek(0)
            stream.write(b"\n".join(kept))
            stream.truncate()
            stream.flush()
            os.fsync(handle)
            if not any(kept):
                path.unlink()
    return gone
