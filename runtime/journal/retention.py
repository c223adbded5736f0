"""The words of tasks, taken out of what is old; counts, ids, names and types stay."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from casebook.runtime.journal.database import Database
from casebook.runtime.journal.records import Entry
from casebook.runtime.journal.rows import Batch, entry_row, micros, whole, without_words

_MANY = 1000
"""Rows that are changed in one transaction, so that nobody waits long for it."""
_NAMES = 500
"""Memories whose tellings are taken in one transaction, likewise."""


def retain(database: Database, before: datetime, now: datetime) -> Mapping[str, int]:
    """Take the words out of activations and events older than an instant.

    Args:
        database: the journal's.
        before: the instant; what is of it or later stays as it is.
        now: dates the receipt, an entry `retain` of the audit log, which is written where anything was changed.

    Returns:
        How many rows of `activation` and `event` were changed.

    Raises:
        StoreError: the journal cannot be written; what was changed until then stays so.
    """
    limit = micros(before)
    changed = {
        "activation": _all(database, limit, _activations),
        "event": _all(database, limit, _events),
    }
    if any(changed.values()):
        body = {"before": before.isoformat(), "changed": changed}
        receipt = Entry(f"retain:{limit}:{micros(now)}", now, "upkeep", "retain", body=body)
        database.write(Batch(entries=[entry_row(receipt)]), durable=True)
        database.ask(_forget_pages)
    return changed


def drop_tellings(database: Database, memory_ids: Iterable[str]) -> int:
    """Take the tellings of memories out of the journal.

    Args:
        database: the journal's.
        memory_ids: of which memories.

    Returns:
        How many tellings there were.

    Raises:
        StoreError: the journal cannot be written; what was taken until then stays so.
    """
    named = sorted({whole(each) for each in memory_ids})
    dropped = 0
    for start in range(0, len(named), _NAMES):
        some = named[start : start + _NAMES]
        dropped += database.change(lambda connection: _tellings(connection, some))  # noqa: B023  # called at once
    if dropped:
        database.ask(_forget_pages)
    return dropped


def drop_entries(database: Database, subjects: Iterable[str]) -> int:
    """Take the entries of the audit log about memories out of the journal; what speaks of others stays word for word.

    Args:
        database: the journal's.
        subjects: ids of memories that are gone for good.

    Returns:
        How many entries there were.

    Raises:
        StoreError: the journal cannot be written; what was taken until then stays so.
    """
    named = sorted({whole(each) for each in subjects if each})
    dropped = 0
    for start in range(0, len(named), _NAMES):
        some = named[start : start + _NAMES]
        dropped += database.change(lambda connection: _entries(connection, some))  # noqa: B023  # called at once
    if dropped:
        database.ask(_forget_pages)
    return dropped


def drop(database: Database, entry_ids: Iterable[str]) -> int:
    """Take entries of the audit log out of the journal.

    Args:
        database: the journal's.
        entry_ids: of which entries.

    Returns:
        How many there were.

    Raises:
        StoreError: the journal cannot be written; what was taken until then stays so.
    """
    named = sorted({whole(each) for each in entry_ids})
    dropped = 0
    for start in range(0, len(named), _NAMES):
        rows = [(each,) for each in named[start : start + _NAMES]]
        dropped += database.change(
            lambda connection: connection.executemany("DELETE FROM entry WHERE id = ?", rows).rowcount  # noqa: B023
        )
    return dropped


def _entries(connection: sqlite3.Connection, subjects: list[str]) -> int:
    connection.execute("PRAGMA secure_delete = ON")
    marks = ", ".join("?" * len(subjects))
    return connection.execute(f"DELETE FROM entry WHERE subject IN ({marks})", subjects).rowcount  # noqa: S608


def _all(database: Database, limit: int, some: Callable[[sqlite3.Connection, int], int]) -> int:
    changed = 0
    while number := database.change(lambda connection: some(connection, limit)):
        changed += number
    return changed


def _activations(connection: sqlite3.Connection, limit: int) -> int:
    connection.execute("PRAGMA secure_delete = ON")
    query = f"SELECT seq FROM activation WHERE words = 1 AND at < ? LIMIT {_MANY}"  # noqa: S608
    rows = connection.execute(query, (limit,)).fetchall()
    connection.executemany("UPDATE activation SET facts = '{}', words = 0 WHERE seq = ?", rows)
    connection.executemany("UPDATE firing SET because = '[]' WHERE activation = ?", rows)
    return len(rows)


def _events(connection: sqlite3.Connection, limit: int) -> int:
    connection.execute("PRAGMA secure_delete = ON")
    query = f"SELECT seq, body FROM event WHERE words = 1 AND at < ? LIMIT {_MANY}"  # noqa: S608
    rows = connection.execute(query, (limit,)).fetchall()
    kept = [(without_words(body), seq) for seq, body in rows]
    connection.executemany("UPDATE event SET body = ?, words = 0 WHERE seq = ?", kept)
    return len(rows)


def _tellings(connection: sqlite3.Connection, named: list[str]) -> int:
    connection.execute("PRAGMA secure_delete = ON")
    marks = ",".join("?" * len(named))
    return connection.execute(f"DELETE FROM telling WHERE memory IN ({marks})", named).rowcount  # noqa: S608


def _forget_pages(connection: sqlite3.Connection) -> None:
    """Bring the write-ahead log, which holds the pages as they were, to its end, where nobody reads from it."""
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
