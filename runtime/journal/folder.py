"""The journal of a folder: a connection to the file that is there now, and what is done where it fails."""

from __future__ import annotations

import errno
import logging
import os
import sqlite3
import weakref
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TypeVar

from casebook.clock import Clock
from casebook.faults import ClosedError, StoreError
from casebook.forking import guarded
from casebook.runtime.journal.connecting import (
    DAMAGES,
    HASTE,
    NO_RECORD,
    PATIENCE,
    file_of,
    is_busy,
    is_damage,
    path_of,
    sync_file,
)
from casebook.runtime.journal.database import RANK, Concerns, close_with, in_transaction, soon
from casebook.runtime.journal.file import Opened, open_file, replace_damaged
from casebook.runtime.journal.inserting import Inserted, insert
from casebook.runtime.journal.rows import Batch
from casebook.runtime.journal.schema import NotAJournalError
from casebook.runtime.journal.spill import NAME as SPILL
from casebook.runtime.journal.spill import UNREAD, Spill, bring_in
from casebook.stores.confined import machine_folder

T = TypeVar("T")

_TRIES = 3
_MOST_TROUBLES = 10
_log = logging.getLogger("casebook.journal")


class FileDatabase:
    """The journal of a folder.

    What cannot be written goes to a spill file; what is damaged is replaced, once, by what can be read of it. A file that was
    replaced by another process is let go before the next step, and what was written to it meanwhile is written again.
    """

    def __init__(self, root: Path, clock: Clock) -> None:
        """Take the casebook's folder, and what dates what is moved aside.

        Raises:
            StoreError: it cannot be read; one that somebody holds is read, and written, when that is over.
        """
        self._root = root
        self._path = path_of(root)
        self.location = str(self._path)
        self._clock = clock
        self._lock = guarded(self, RANK)
        self._spill = Spill(self._path.with_name(SPILL))
        self._opened: Opened | None = None
        self._closing: weakref.finalize[..., FileDatabase] | None = None
        self._is_closed = False
        self._is_durable: bool | None = None
        self._is_hasty = False
        self._waits = True
        self._wait: float | None = None
        self._unsynced = False
        self._spilled = self._spill.is_there()
        self._seen = 0
        self._base = 0
        self._troubles: list[str] = []
        try:
            self.ask(lambda _: None)
        except StoreError as error:
            if error.__cause__ is None or not is_busy(error.__cause__):
                raise
            self._tell(str(error))
        self._tell_what_is_not_recorded()

    def _tell_what_is_not_recorded(self) -> None:
        """Tell at once what the first write would find: answers are written off their path, too late to say so."""
        if self._opened is not None and self._opened.is_newer:
            self._tell(f"what happens here is not recorded: {self._opened.refusal}")
        elif self._root.is_dir() and not os.access(self._root, os.W_OK):
            self._tell(f"what happens here is not recorded: {self._root} cannot be written")

    @property
    def troubles(self) -> tuple[str, ...]:
        """Give what went wrong and was got over, for people."""
        return tuple(self._troubles)

    def write(self, batch: Batch, *, durable: bool) -> Inserted:
        """Write a batch in one transaction; where that cannot be, to the spill file, with 0 for each seq."""
        with self._lock:
            try:
                return self._write(batch, durable=durable)
            except _FAILURES as error:
                return self._beside(batch, error, durable=durable)

    def _write(self, batch: Batch, *, durable: bool) -> Inserted:
        first: Inserted | None = None
        for _ in range(_TRIES):
            done = self._change(lambda connection: insert(connection, batch), durable=durable)
            first = done if first is None else first.joined(done)
            if self._is_present():
                break
        return first or Inserted((), ())

    def _beside(self, batch: Batch, reason: Exception, *, durable: bool) -> Inserted:
        """Keep a batch in the spill file."""
        try:
            machine_folder(self._root)
            done = self._spill.append(batch, self._has, durable=durable)
        except OSError as error:
            told = f"{_told(reason)}; nor can {self._spill.path.name} beside it: {_told(error)}"
            raise StoreError(f"{self.location}: the journal cannot be written: {told}") from reason
        self._spilled = True
        self._tell(f"{self.location} could not be written ({_told(reason)}): {self._spill.path.name} keeps it for now")
        return done

    def _has(self, table: str, row_id: str) -> bool:
        """Say whether the database has a row, as far as it can be asked."""
        try:
            query = f"SELECT 1 FROM {table} WHERE id = ?"  # noqa: S608  # a name of ours
            return self._current().connection.execute(query, (row_id,)).fetchone() is not None
        except _FAILURES:
            return False

    def sync(self) -> None:
        """Bring on disk what was written without being durable."""
        with self._lock:
            if self._unsynced:
                try:
                    sync_file(f"{self.location}-wal")
                except OSError as error:
                    raise StoreError(f"{self.location}: the journal cannot be written: {_told(error)}") from error
                self._unsynced = False

    def ask(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """Give what a query reads."""
        with self._lock:
            if self._spilled:
                self._bring_in()
            try:
                return self._whole(lambda: query(self._current().connection), reads=True)
            except _FAILURES as error:
                self._is_hasty = self._is_hasty or is_busy(error)
                raise StoreError(f"{self.location}: the journal cannot be read: {_told(error)}") from error

    def change(self, step: Callable[[sqlite3.Connection], T]) -> T:
        """Do a step of upkeep in a transaction of its own, durable."""
        with self._lock:
            try:
                return self._change(step, durable=True)
            except _FAILURES as error:
                raise StoreError(f"{self.location}: the journal cannot be written: {_told(error)}") from error

    def erase(self) -> None:
        """Leave nothing of what was deleted in free pages and in the write-ahead log.

        Raises:
            StoreError: it cannot be done now, for somebody reads, say; what was deleted is deleted, and this may be done again.
        """
        from casebook.runtime.journal.erasing import erase  # a rare thing, of which no task pays

        with self._lock:
            try:
                opened = self._current()
                if opened.refusal is None and not erase(opened.connection, PATIENCE):
                    raise _RefusedError("somebody reads it all the time")
            except _FAILURES as error:
                raise StoreError(
                    f"{self.location}: what was forgotten is deleted, but its bytes are not overwritten yet: {_told(error)}; "
                    "say it once more when nobody uses the journal"
                ) from error
            finally:
                self._wait = None

    def awaits(self) -> bool:
        """Say whether rows wait in the spill file."""
        return self._spill.is_there()

    def leftovers(self, concerns: Concerns, *, dry: bool) -> Mapping[str, int]:
        """Take away damaged copies of the journal, and lines that could not be brought in; see `erasing.leftovers`."""
        from casebook.runtime.journal.erasing import leftovers

        with self._lock:
            try:
                self._current()
                return leftovers(self._root, concerns, dry=dry)
            except _FAILURES as error:
                raise StoreError(
                    f"{self._path.parent}: copies of the journal cannot be taken away: {_told(error)}"
                ) from error

    def ask_soon(self, query: Callable[[sqlite3.Connection], T]) -> T | None:
        """Give what a query reads; None where another thread is at work for longer than `PATIENT`."""
        return soon(self._lock, lambda: self.ask(query))

    def changes(self) -> int:
        """Give a number that grows when anybody else has written; while another thread is at work, what it was."""
        found = self.ask_soon(self._count)
        return self._base + self._seen if found is None else found

    def _count(self, connection: sqlite3.Connection) -> int:
        self._seen = connection.execute("PRAGMA data_version").fetchone()[0]
        return self._base + self._seen

    def close(self) -> None:
        """Let go."""
        with self._lock:
            self._is_closed = True
            self._drop()

    def leave(self) -> None:
        """Forget the parent's connection, in a child that was forked: it is neither used nor closed."""
        if self._opened is not None:
            _never_free(self._opened.connection)
            self._forget()

    def _change(self, step: Callable[[sqlite3.Connection], T], *, durable: bool) -> T:
        """Do a step in a transaction of its own, after what waits in the spill file."""
        return self._whole(lambda: self._change_once(step, durable=durable))

    def _change_once(self, step: Callable[[sqlite3.Connection], T], *, durable: bool) -> T:
        opened = self._current(make=True)
        if opened.is_newer:
            raise StoreError(str(opened.refusal))
        if opened.refusal is not None:
            raise _RefusedError(opened.refusal)
        connection = opened.connection
        waits = self._spill.is_there()
        self._prepare(connection, durable=durable or waits)
        try:
            done = self._after_spill(connection, step) if waits else in_transaction(connection, step)
        except sqlite3.OperationalError as error:
            self._is_hasty = self._is_hasty or is_busy(error)
            raise
        self._spilled = self._is_hasty = False
        return done

    def _after_spill(self, connection: sqlite3.Connection, step: Callable[[sqlite3.Connection], T]) -> T:
        """Do a step in a transaction of its own that brings in first what waits in the spill file."""
        with ExitStack() as held:
            unread: list[bytes] = []

            def both(connection: sqlite3.Connection) -> T:
                lines = held.enter_context(self._spill.taken())
                unread.extend(line for line in lines if not bring_in(connection, line))
                return step(connection)

            done = in_transaction(connection, both)
            if unread:
                self._spill.set_aside(unread)
                self._tell(f"{len(unread)} lines of {self._spill.path} are no rows, and are in {UNREAD} now")
            if not self._is_present():
                raise BlockingIOError(errno.EAGAIN, "it was replaced meanwhile")  # so that the spill file stays
        return done

    def _bring_in(self) -> None:
        """Bring in what waits in the spill file, if that can be done at once."""
        self._waits = False
        try:
            with suppress(StoreError, *_FAILURES):
                self._change(lambda _: None, durable=True)
        finally:
            self._waits = True

    def _whole(self, step: Callable[[], T], *, reads: bool = False) -> T:
        """Do a step; where the file turns out to be damaged, or a row that it reads to be no record, it is replaced, and the step done again."""
        try:
            return step()
        except (*DAMAGES, *NO_RECORD) as error:
            if not is_damage(error, reads=reads) or (self._opened is not None and self._opened.is_newer):
                raise
            self._replace()
            return step()

    def _replace(self) -> None:
        """Put a new file in the place of the damaged one."""
        file = self._opened.file if self._opened is not None else file_of(self._path)
        self._drop()
        told = replace_damaged(self._root, file, self._clock())
        if told is not None:
            self._tell(told)

    def _prepare(self, connection: sqlite3.Connection, *, durable: bool) -> None:
        """Choose whether the next transaction is on disk when it ends (it brings those before it there too), and how long it waits."""
        if self._is_durable is not durable:
            connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            self._is_durable = durable
        self._unsynced = not durable
        wait = (HASTE if self._is_hasty else PATIENCE) if self._waits else 0.0
        if self._wait != wait:
            connection.execute(f"PRAGMA busy_timeout = {int(wait * 1000)}")
            self._wait = wait

    def _is_present(self) -> bool:
        return self._opened is not None and file_of(self._path) == self._opened.file

    def _current(self, *, make: bool = False) -> Opened:
        """Give the connection to the file that is there now; for writing, where it can be."""
        if self._is_closed:
            raise ClosedError
        opened = self._opened
        if opened is not None and ((make and opened.refusal is not None) or not self._is_present()):
            self._drop()
            opened = None
        if opened is None:
            try:
                opened = open_file(self._root, self._clock(), make=make, wait=HASTE if self._is_hasty else PATIENCE)
            except sqlite3.OperationalError as error:
                self._is_hasty = self._is_hasty or is_busy(error)
                raise
            self._opened = opened
            self._closing = close_with(self, opened.connection)
            if opened.trouble is not None:
                self._tell(opened.trouble)
        return opened

    def _drop(self) -> None:
        if self._opened is not None:
            with suppress(sqlite3.Error):
                self._opened.connection.close()
            self._forget()

    def _forget(self) -> None:
        """Begin without a connection; what counts changes goes on from a greater number."""
        self._opened = None
        if self._closing is not None:
            self._closing.detach()
        self._base += self._seen + 1
        self._seen = 0
        self._is_durable = None
        self._wait = None
        self._unsynced = False

    def _tell(self, told: str) -> None:
        """Tell a trouble, once."""
        if told not in self._troubles:
            self._troubles = [*self._troubles[-_MOST_TROUBLES + 1 :], told]
            _log.warning("%s", told)


class _RefusedError(Exception):
    """The file is there to be read only."""


_FAILURES = (*DAMAGES, *NO_RECORD, OSError, _RefusedError)


def _told(error: BaseException) -> str:
    """Say an error for people."""
    if isinstance(error, sqlite3.Error):
        if is_busy(error):
            return f"another process holds it: waited {PATIENCE:.0f} s"
        return f"it is damaged ({error})" if is_damage(error, reads=False) else str(error)
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error) if isinstance(error, NotAJournalError | _RefusedError) else f"it is damaged ({error!r})"


def _never_free(connection: sqlite3.Connection) -> None:
    """Keep a connection for ever: freeing it would close it, which is the parent's to do."""
    import ctypes  # only in a child

    ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))
