"""The databases below a journal: what holds its connection, sees that it is the present file's, and writes in transactions."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeVar

from casebook.clock import Clock
from casebook.faults import ClosedError, StoreError
from casebook.forking import guarded
from casebook.runtime.journal.connecting import (
    PATIENCE,
    Opened,
    file_of,
    in_memory,
    is_damage,
    open_file,
    path_of,
    primary,
)
from casebook.runtime.journal.inserting import Inserted, insert
from casebook.runtime.journal.rows import Batch
from casebook.runtime.journal.schema import NotAJournalError

T = TypeVar("T")

_RANK = 4
_TRIES = 3


class Database(Protocol):
    """What a journal is kept in. Safe from many threads; every method raises StoreError, or ClosedError once it is closed."""

    location: str

    @property
    def troubles(self) -> tuple[str, ...]:
        """Give what went wrong and was got over, for people."""
        ...

    def write(self, batch: Batch, *, durable: bool) -> Inserted:
        """Write a batch in one transaction; on disk when it returns where it is durable."""
        ...

    def sync(self) -> None:
        """Bring on disk what was written without being durable."""
        ...

    def ask(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """Give what a query reads."""
        ...

    def change(self, step: Callable[[sqlite3.Connection], T]) -> T:
        """Do a step of upkeep in a transaction of its own, durable."""
        ...

    def changes(self) -> int:
        """Give a number that grows when anybody else has written."""
        ...

    def close(self) -> None:
        """Let go."""
        ...

    def leave(self) -> None:
        """Forget what belongs to the parent, in a child that was forked."""
        ...


class MemoryDatabase:
    """A journal in memory, gone when it is closed."""

    location = ":memory:"
    troubles: tuple[str, ...] = ()

    def __init__(self) -> None:
        self._lock = guarded(self, _RANK)
        self._connection: sqlite3.Connection | None = in_memory()

    def write(self, batch: Batch, *, durable: bool) -> Inserted:  # noqa: ARG002  # nothing here outlives the process
        """Write a batch in one transaction."""
        return self.change(lambda connection: insert(connection, batch))

    def sync(self) -> None:
        """Do nothing: there is no disk."""

    def ask(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """Give what a query reads."""
        with self._lock:
            try:
                return query(self._open())
            except sqlite3.Error as error:
                raise StoreError(f"the journal in memory cannot be read: {error}") from error

    def change(self, step: Callable[[sqlite3.Connection], T]) -> T:
        """Do a step in a transaction of its own."""
        with self._lock:
            connection = self._open()
            try:
                return in_transaction(connection, step)
            except sqlite3.Error as error:
                raise StoreError(f"the journal in memory cannot be written: {error}") from error

    def changes(self) -> int:
        """Give 0: nobody else can write it."""
        self._open()
        return 0

    def close(self) -> None:
        """Let go."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def leave(self) -> None:
        """Keep all: a child's memory is its own, and the fork waited for the lock."""

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            raise ClosedError
        return self._connection


class FileDatabase:
    """The journal of a folder."""

    def __init__(self, root: Path, clock: Clock) -> None:
        """Take the casebook's folder and what dates what is moved aside. Raises StoreError."""
        self.location = str(path_of(root))
        self._root = root
        self._path = path_of(root)
        self._clock = clock
        self._lock = guarded(self, _RANK)
        self._opened: Opened | None = None
        self._is_closed = False
        self._is_durable: bool | None = None
        self._unsynced = False
        self._seen = 0
        self._base = 0
        self._troubles: list[str] = []
        self.ask(lambda _: None)

    @property
    def troubles(self) -> tuple[str, ...]:
        """Give what went wrong and was got over, for people."""
        return tuple(self._troubles)

    def write(self, batch: Batch, *, durable: bool) -> Inserted:
        """Write a batch in one transaction."""
        with self._lock:
            return self._change(lambda connection: insert(connection, batch), durable=durable)

    def sync(self) -> None:
        """Bring on disk what was written without being durable."""
        with self._lock:
            if self._unsynced:
                self._sync()
                self._unsynced = False

    def _sync(self) -> None:
        try:
            handle = os.open(f"{self._path}-wal", os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            return  # a checkpoint has brought all of it to the file
        try:
            os.fsync(handle)
        except OSError as error:
            raise StoreError(f"{self.location}: the journal cannot be written: {error.strerror}") from error
        finally:
            os.close(handle)

    def ask(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """Give what a query reads."""
        with self._lock:
            try:
                return query(self._current().connection)
            except (sqlite3.Error, OSError, NotAJournalError) as error:
                raise StoreError(f"{self.location}: the journal cannot be read: {_told(error)}") from error

    def change(self, step: Callable[[sqlite3.Connection], T]) -> T:
        """Do a step of upkeep in a transaction of its own, durable."""
        with self._lock:
            return self._change(step, durable=True)

    def changes(self) -> int:
        """Give a number that grows when anybody else has written."""
        return self.ask(self._count)

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
            self._opened = None
            self._base += self._seen + 1
        self._unsynced = False

    def _change(self, step: Callable[[sqlite3.Connection], T], *, durable: bool) -> T:
        try:
            opened = self._current(writing=True)
            if opened.refusal is not None:
                raise StoreError(f"{self.location}: the journal cannot be written: {opened.refusal}")
            self._make_durable(opened.connection, durable=durable)
            return in_transaction(opened.connection, step)
        except (sqlite3.Error, OSError, NotAJournalError) as error:
            raise StoreError(f"{self.location}: the journal cannot be written: {_told(error)}") from error

    def _make_durable(self, connection: sqlite3.Connection, *, durable: bool) -> None:
        """Choose whether the next transaction is on disk when it ends; one that is brings those before it there too."""
        if self._is_durable is not durable:
            connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            self._is_durable = durable
        self._unsynced = not durable

    def _current(self, *, writing: bool = False) -> Opened:
        """Give the connection to the file that is there now."""
        if self._is_closed:
            raise ClosedError
        opened = self._opened
        if opened is not None and (file_of(self._path) != opened.file or (writing and opened.refusal is not None)):
            self._drop()
            opened = None
        if opened is None:
            opened = self._opened = open_file(self._root)
        return opened

    def _drop(self) -> None:
        if self._opened is not None:
            with contextlib.suppress(sqlite3.Error):
                self._opened.connection.close()
            self._opened = None
            self._base += self._seen + 1
            self._is_durable = None


def in_transaction(connection: sqlite3.Connection, step: Callable[[sqlite3.Connection], T]) -> T:
    """Do a step in a transaction of its own: all of it or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        done = step(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            with contextlib.suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
        raise
    return done


def _told(error: BaseException) -> str:
    """Say an error for people."""
    if isinstance(error, sqlite3.Error):
        code = primary(error)
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return f"another process holds it: waited {PATIENCE:.0f} s"
        return f"it is damaged ({error})" if is_damage(error) else str(error)
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error)


def _never_free(connection: sqlite3.Connection) -> None:
    """Keep a connection for ever: freeing it would close it, which is the parent's to do."""
    import ctypes  # only in a child

    ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))
