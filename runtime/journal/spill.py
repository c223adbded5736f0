"""Rows kept beside the database while it cannot be written: `.casebook/journal.pending.jsonl`, a line for each batch.

Whoever can write the database next brings them in, in order, and takes the file away. Rows that are there already are passed
over, so that bringing them in twice, where a process is killed in between, does no harm.
"""

# Descriptors, for that is what is locked, synced and cut back.

from __future__ import annotations

import contextlib
import errno
import json
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from casebook.runtime.journal.connecting import NO_RECORD
from casebook.runtime.journal.inserting import Inserted, insert
from casebook.runtime.journal.locking import hold
from casebook.runtime.journal.rows import Batch, Row
from casebook.stores.atomic import sync_folder

NAME = "journal.pending.jsonl"
UNREAD = "journal.unread.jsonl"
"""Where lines go that cannot be brought in."""

_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
_NEWLINE = 10

Known = Callable[[str, str], bool]
"""Takes a table and an id and says whether the database has that row; False where it cannot be asked."""


class Spill:
    """The file of one folder of machine state. Safe from many processes; its owner keeps threads apart."""

    def __init__(self, path: Path) -> None:
        """Take the file's path, in the folder of machine state, which is made and looked at by who appends."""
        self.path = path
        self._inode = 0
        self._upto = 0
        self._ids: set[tuple[str, str]] = set()

    def is_there(self) -> bool:
        """Say whether anything may wait in it."""
        return os.path.lexists(self.path)

    def append(self, batch: Batch, known: Known, *, durable: bool) -> Inserted:
        """Keep a batch; on disk when it returns where it is durable.

        Args:
            batch: the rows.
            known: rows that the database has are not kept again.
            durable: whether it must outlive a stop of the machine.

        Returns:
            0 for each event and entry that was kept, None where its id was there, here or in the database.

        Raises:
            OSError: it cannot be written, or another process holds it; the file is then as it was.
        """
        is_new = not self.is_there()
        with self._held(_FLAGS | os.O_CREAT) as handle:
            self._learn(handle)
            kept, inserted = self._unknown(batch, known)
            if kept:
                _write(handle, _line(kept), durable=durable)
                if is_new and durable:
                    sync_folder(self.path.parent)
        return inserted

    @contextmanager
    def taken(self) -> Iterator[list[bytes]]:
        """Give the lines that wait, the oldest first, none where there is no file; take it away at the end of a block that raises nothing.

        Raises:
            OSError: it cannot be read or taken away, or another process holds it.
        """
        try:
            with self._held(_FLAGS) as handle:
                yield [line for line in _read(handle, 0).split(b"\n") if line.strip()]
                self.path.unlink()
        except FileNotFoundError:
            if self.is_there():
                raise
            yield []

    def set_aside(self, lines: list[bytes]) -> None:
        """Keep lines that are no rows where a person finds them. Raises OSError."""
        handle = os.open(self.path.with_name(UNREAD), _FLAGS | os.O_CREAT, 0o600)
        try:
            _write(handle, b"".join(line + b"\n" for line in lines), durable=True)
        finally:
            os.close(handle)

    @contextmanager
    def _held(self, flags: int) -> Iterator[int]:
        """Open the file and hold it against everybody else. Raises OSError."""
        while True:
            handle = os.open(self.path, flags, 0o600)
            try:
                found = os.fstat(handle)
                if not stat.S_ISREG(found.st_mode):
                    raise OSError(errno.EINVAL, f"expected {self.path.name} to be a file, got a pipe, folder or device")
                with hold(handle, self.path):
                    if self._is_present(handle):
                        yield handle
                        return
            finally:
                os.close(handle)

    def _is_present(self, handle: int) -> bool:
        """Say whether the file that was opened still bears the name: another process may have taken it away meanwhile."""
        try:
            found = os.lstat(self.path)
        except FileNotFoundError:
            return False
        mine = os.fstat(handle)
        return (found.st_dev, found.st_ino) == (mine.st_dev, mine.st_ino)

    def _learn(self, handle: int) -> None:
        """Read the ids of what was appended since this process last looked."""
        inode = os.fstat(handle).st_ino
        if inode != self._inode:
            self._inode, self._upto, self._ids = inode, 0, set()
        data = _read(handle, self._upto)
        whole, _, _ = data.rpartition(b"\n")
        for line in whole.split(b"\n"):
            batch = read_line(line)
            if batch is not None:
                self._ids.update(_ids_of(batch))
        self._upto += len(whole)

    def _unknown(self, batch: Batch, known: Known) -> tuple[Batch, Inserted]:
        """Give what of a batch is not kept yet."""

        def is_new(table: str, row: Row) -> bool:
            if (table, row[0]) in seen or known(table, row[0]):
                return False
            seen.add((table, row[0]))
            return True

        seen = set(self._ids)
        activations = [each for each in batch.activations if is_new("activation", each[0])]
        events = [is_new("event", row) for row in batch.events]
        entries = [is_new("entry", row) for row in batch.entries]
        kept = Batch(
            activations,
            [row for row, new in zip(batch.events, events, strict=True) if new],
            [row for row, new in zip(batch.entries, entries, strict=True) if new],
            batch.versions,
            batch.tellings,
        )
        return kept, Inserted(tuple(0 if new else None for new in events), tuple(0 if new else None for new in entries))


def read_line(line: bytes) -> Batch | None:
    """Give the batch of a line, or None where it is none, such as the rest of one whose writer was killed."""
    try:
        read = json.loads(line)
        batch = Batch(
            [(tuple(row), tuple(map(tuple, firings))) for row, firings in read["activations"]],
            list(map(tuple, read["events"])),
            list(map(tuple, read["entries"])),
            list(map(tuple, read["versions"])),
            list(map(tuple, read.get("tellings", ()))),  # a release without them wrote the line
        )
    except (ValueError, TypeError, LookupError, RecursionError):
        return None
    return batch


def bring_in(connection: sqlite3.Connection, line: bytes) -> bool:
    """Put the rows of a line of the spill file into the tables, within the transaction; False where it holds none."""
    batch = read_line(line)
    if batch is None:
        return False
    connection.execute("SAVEPOINT line")
    try:
        insert(connection, batch)
    except (sqlite3.IntegrityError, sqlite3.InterfaceError, sqlite3.ProgrammingError, *NO_RECORD):
        connection.execute("ROLLBACK TO line")
        return False
    finally:
        if connection.in_transaction:
            connection.execute("RELEASE line")
    return True


_TABLES = ("activations", "events", "entries", "versions", "tellings")


def _line(batch: Batch) -> bytes:
    form = {name: getattr(batch, name) for name in _TABLES}
    return json.dumps(form, separators=(",", ":")).encode() + b"\n"


def _ids_of(batch: Batch) -> Iterator[tuple[str, Any]]:
    yield from (("activation", row[0]) for row, _ in batch.activations if row)
    yield from (("event", row[0]) for row in batch.events if row)
    yield from (("entry", row[0]) for row in batch.entries if row)


def _read(handle: int, start: int) -> bytes:
    os.lseek(handle, start, os.SEEK_SET)
    with open(handle, "rb", closefd=False) as stream:
        return stream.read()


def _write(handle: int, data: bytes, *, durable: bool) -> None:
    """Append, all or nothing; what a killed writer left without an end is ended first."""
    size = os.fstat(handle).st_size
    if size and os.pread(handle, 1, size - 1)[0] != _NEWLINE:
        data = b"\n" + data
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(handle, rest) :]
        if durable:
            os.fsync(handle)
    except BaseException:
        with contextlib.suppress(OSError):
            os.ftruncate(handle, size)
        raise
