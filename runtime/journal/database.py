"""What a journal is kept in, and the one that is in memory."""

from __future__ import annotations

import sqlite3
import threading
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Protocol, TypeVar

from casebook.faults import ClosedError, StoreError
from casebook.forking import guarded
from casebook.runtime.journal.connecting import in_memory
from casebook.runtime.journal.inserting import Inserted, insert
from casebook.runtime.journal.rows import Batch

T = TypeVar("T")
Owner = TypeVar("Owner")

Concerns = Callable[[str], bool]
"""Says whether a text tells of what is forgotten."""

PATIENT = 0.005
"""Seconds that a task waits for a thread that is writing: a commit may take a tenth of a second where others write to the disk, too."""

RANK = 5
"""Of a journal's lock, within whatever may note or record: nothing else is taken under it."""


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

    def ask_soon(self, query: Callable[[sqlite3.Connection], T]) -> T | None:
        """Give what a query reads; None where another thread is at work for longer than `PATIENT`."""
        ...

    def change(self, step: Callable[[sqlite3.Connection], T]) -> T:
        """Do a step of upkeep in a transaction of its own, durable."""
        ...

    def erase(self) -> None:
        """Leave nothing of what was deleted in free pages and in the log."""
        ...

    def awaits(self) -> bool:
        """Say whether rows wait beside it."""
        ...

    def leftovers(self, concerns: Concerns, *, dry: bool) -> Mapping[str, int]:
        """Take away what stands beside the database and may tell of what is forgotten; give how much of which kind."""
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
        self._lock = guarded(self, RANK)
        self._connection: sqlite3.Connection | None = in_memory()
        close_with(self, self._connection)

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

    def ask_soon(self, query: Callable[[sqlite3.Connection], T]) -> T | None:
        """Give what a query reads; None where another thread is at work for longer than `PATIENT`."""
        return soon(self._lock, lambda: self.ask(query))

    def change(self, step: Callable[[sqlite3.Connection], T]) -> T:
        """Do a step in a transaction of its own."""
        with self._lock:
            connection = self._open()
            try:
                return in_transaction(connection, step)
            except sqlite3.Error as error:
                raise StoreError(f"the journal in memory cannot be written: {error}") from error

    def erase(self) -> None:
        """Leave nothing of what was deleted in free pages."""
        self.ask(lambda connection: connection.execute("VACUUM").fetchall())

    def awaits(self) -> bool:
        """Give False: it is always written."""
        return False

    def leftovers(self, concerns: Concerns, *, dry: bool) -> Mapping[str, int]:  # noqa: ARG002
        """Do nothing: there is nothing beside it."""
        return {}

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


def soon(lock: threading.RLock, step: Callable[[], T]) -> T | None:
    """Do a step under a lock; None where others hold it for longer than `PATIENT`."""
    if not lock.acquire(timeout=PATIENT):
        return None
    try:
        return step()
    finally:
        lock.release()


def close_with(owner: Owner, connection: sqlite3.Connection) -> weakref.finalize[..., Owner]:
    """Close a connection when its owner is let go; not as the process ends, when the owner may still be asked to write."""
    closing = weakref.finalize(owner, connection.close)
    closing.atexit = False
    return closing


def in_transaction(connection: sqlite3.Connection, step: Callable[[sqlite3.Connection], T]) -> T:
    """Do a step in a transaction of its own: all of it or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        done = step(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
        raise
    return done
