"""Rows put into the journal's tables: once each, in the order in which they came."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from casebook.runtime.journal.rows import ACTIVATION, ENTRY, EVENT, FIRING, TELLING, VERSION, Batch, Row


@dataclass(frozen=True, slots=True)
class Inserted:
    """What became of a batch: for each event and each entry its seq, or None where its id was there."""

    events: tuple[int | None, ...]
    entries: tuple[int | None, ...]

    def joined(self, again: Inserted) -> Inserted:
        """Give what became of a batch that was inserted a second time, into another file: the later seq, else the earlier."""
        return Inserted(_either(self.events, again.events), _either(self.entries, again.entries))


def _either(first: tuple[int | None, ...], again: tuple[int | None, ...]) -> tuple[int | None, ...]:
    return tuple(old if new is None else new for old, new in zip(first, again, strict=True))


def insert(connection: sqlite3.Connection, batch: Batch) -> Inserted:
    """Put a batch into the tables, within the transaction that is open. Raises sqlite3.Error."""
    for row, firings in batch.activations:
        _insert_activation(connection, row, firings)
    events = tuple(_once(connection, _EVENT, row) for row in batch.events)
    entries = tuple(_once(connection, _ENTRY, row) for row in batch.entries)
    for row in batch.versions:
        connection.execute(_VERSION, row)
    connection.executemany(_TELLING, batch.tellings)
    return Inserted(events, entries)


def _insert_activation(connection: sqlite3.Connection, row: Row, firings: tuple[Row, ...]) -> None:
    seq = _once(connection, _ACTIVATION, row)
    if seq is None:
        return
    connection.executemany(_FIRING, [(seq, place, *each) for place, each in enumerate(firings)])
    connection.executemany(_FIRED, [(each[0], row[1]) for each in firings if each[2] == "selected"])


def _once(connection: sqlite3.Connection, statement: str, row: Row) -> int | None:
    """Insert a row; give its seq, or None where its id was there."""
    done = connection.execute(statement, row)
    return done.lastrowid if done.rowcount == 1 else None


_KEYS = {"version": "case_id, version", "telling": "memory, key"}


def _statement(table: str, columns: str) -> str:
    marks = ", ".join("?" * (columns.count(",") + 1))
    key = _KEYS.get(table, "id")
    return f"INSERT INTO {table}({columns}) VALUES ({marks}) ON CONFLICT({key}) DO NOTHING"  # noqa: S608


_ACTIVATION = _statement("activation", ACTIVATION)
_EVENT = _statement("event", EVENT)
_ENTRY = _statement("entry", ENTRY)
_VERSION = _statement("version", VERSION)
_TELLING = _statement("telling", TELLING)
_FIRING = f"INSERT INTO firing(activation, place, {FIRING}) VALUES (?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
_FIRED = """
    INSERT INTO fired(case_id, number, last) VALUES (?, 1, ?)
    ON CONFLICT(case_id) DO UPDATE SET number = number + 1, last = max(last, excluded.last)
"""
