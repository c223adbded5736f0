"""What is asked of the journal's tables: queries over one connection, whose rows come back as records."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from casebook.runtime.journal.records import ActivationRecord, Arrived, Entry, EventRecord, Fired, Version
from casebook.runtime.journal.rows import (
    ACTIVATION,
    ENTRY,
    EVENT,
    FIRING,
    TELLING,
    VERSION,
    Row,
    activation_of,
    entry_of,
    event_of,
    instant_of,
    micros,
    telling_of,
    version_of,
    whole,
)
from casebook.runtime.journal.schema import TELLINGS_SINCE

if TYPE_CHECKING:
    from casebook.memory_facts import Telling

T = TypeVar("T")
Query = Callable[[sqlite3.Connection], T]
"""Reads from a connection. Raises sqlite3.Error, or ValueError where a row is no record any more."""

_MANY = 500
"""So many values stand in one IN; SQLite takes 32,766, and older ones 999."""


class Where:
    """The conditions of a query, all of which must hold, with their values."""

    def __init__(self) -> None:
        self._tests: list[str] = []
        self.values: list[Any] = []

    def add(self, test: str, *values: Any) -> None:
        """Add a condition with its values."""
        self._tests.append(test)
        self.values.extend(whole(each) if isinstance(each, str) else each for each in values)

    def among(self, column: str, values: Iterable[str] | None) -> None:
        """Add that a column is one of the values, where any are named at all."""
        if values is not None:
            named = sorted(set(values))
            self.add(f"{column} IN ({','.join('?' * len(named))})", *named)

    def newest(self, limit: int | None) -> str:
        """Give the end of a query for the newest `limit` rows, the newest first."""
        tests = f" WHERE {' AND '.join(self._tests)}" if self._tests else ""
        if limit is None:
            return f"{tests} ORDER BY seq DESC"
        self.values.append(max(limit, 0))
        return f"{tests} ORDER BY seq DESC LIMIT ?"


def activations(connection: sqlite3.Connection, where: Where, limit: int | None) -> Sequence[ActivationRecord]:
    """Give the newest activations, in order of arrival."""
    query = f"SELECT seq, {ACTIVATION} FROM activation{where.newest(limit)}"  # noqa: S608  # names of ours alone
    rows = connection.execute(query, where.values).fetchall()
    rows.reverse()
    firings: dict[int, list[Row]] = {row[0]: [] for row in rows}
    numbers = list(firings)
    for start in range(0, len(numbers), _MANY):
        some = numbers[start : start + _MANY]
        query = f"SELECT activation, {FIRING} FROM firing WHERE activation IN ({','.join('?' * len(some))}) ORDER BY activation, place"  # noqa: S608
        for row in connection.execute(query, some):
            firings[row[0]].append(row[1:])
    return tuple(activation_of(row[1:], firings[row[0]], row[0]) for row in rows)


def arrived(
    connection: sqlite3.Connection, of_answers: Where, of_events: Where, is_known: Callable[[str], bool], limit: int
) -> Arrived:
    """Give the newest activations and events that are not known; of those that are no more than the id is read."""
    answers, answered = _unknown(connection, "activation", of_answers, is_known, limit)
    seqs, last = _unknown(connection, "event", of_events, is_known, limit)
    return Arrived(
        tuple(each for some in answers for each in activations(connection, some, None)),
        tuple(each for some in seqs for each in events(connection, some, None)),
        answered,
        last,
    )


def _unknown(
    connection: sqlite3.Connection, table: str, where: Where, is_known: Callable[[str], bool], limit: int
) -> tuple[Sequence[Where], int]:
    """Give conditions of the newest rows whose id is not known, in order of arrival, and the seq of the last of all; 0 for none."""
    query = f"SELECT seq, id FROM {table}{where.newest(limit)}"  # noqa: S608  # names of ours alone
    rows = connection.execute(query, where.values).fetchall()
    rows.reverse()
    numbers = [seq for seq, name in rows if not is_known(name)]
    found = []
    for start in range(0, len(numbers), _MANY):
        some = numbers[start : start + _MANY]
        found.append(Where())
        found[-1].add(f"seq IN ({','.join('?' * len(some))})", *some)
    return found, rows[-1][0] if rows else 0


def activation_where(
    activation_id: str | None, case_id: str | None, session: str | None, since: datetime | None, after: int = 0
) -> Where:
    """Give the conditions of activations."""
    where = Where()
    if activation_id is not None:
        where.add("id = ?", activation_id)
    if case_id is not None:
        where.add("seq IN (SELECT activation FROM firing WHERE case_id = ?)", case_id)
    if session is not None:
        where.add("session = ?", session)
    if since is not None:
        where.add("at >= ?", micros(since))
    if after > 0:
        where.add("seq > ?", after)
    return where


def events(connection: sqlite3.Connection, where: Where, limit: int | None) -> Sequence[EventRecord]:
    """Give the newest events, in order of arrival."""
    query = f"SELECT seq, {EVENT} FROM event{where.newest(limit)}"  # noqa: S608
    rows = connection.execute(query, where.values).fetchall()
    return tuple(event_of(row) for row in reversed(rows))


def entries(connection: sqlite3.Connection, where: Where, limit: int | None) -> Sequence[Entry]:
    """Give the newest entries of the audit log, in order of arrival."""
    query = f"SELECT seq, {ENTRY} FROM entry{where.newest(limit)}"  # noqa: S608
    rows = connection.execute(query, where.values).fetchall()
    return tuple(entry_of(row) for row in reversed(rows))


def versions(connection: sqlite3.Connection, case_id: str) -> Sequence[Version]:
    """Give the known texts of a case, in order of arrival."""
    query = f"SELECT {VERSION} FROM version WHERE case_id = ? ORDER BY seq"  # noqa: S608
    return tuple(version_of(row) for row in connection.execute(query, (whole(case_id),)))


def fired(connection: sqlite3.Connection, case_id: str) -> Fired:
    """Give how often a case was selected, and when last."""
    row = connection.execute("SELECT number, last FROM fired WHERE case_id = ?", (whole(case_id),)).fetchone()
    return Fired(0, None) if row is None else Fired(row[0], instant_of(row[1]))


def signatures(connection: sqlite3.Connection, since: datetime | None, user: str | None) -> dict[str, int]:
    """Give the signatures of counted errors with their numbers."""
    query = "SELECT signature, count(*) FROM event WHERE signature IS NOT NULL AND counted = 1"
    values: list[Any] = []
    if since is not None:
        query += " AND at >= ?"
        values.append(micros(since))
    if user is not None:
        query += " AND user = ?"
        values.append(whole(user))
    return dict(connection.execute(f"{query} GROUP BY signature ORDER BY signature", values))


def tellings(
    connection: sqlite3.Connection, memory_ids: Iterable[str] | None, since: datetime | None
) -> dict[str, tuple[Telling, ...]]:
    """Give the tellings of memories, each memory's in order of time, the memories in the order of their names."""
    if not has_tellings(connection):
        return {}
    tests = [] if since is None else ["at >= ?"]
    values = [] if since is None else [micros(since)]
    found: dict[str, list[Telling]] = {}
    if memory_ids is None:
        _collect(connection, found, tests, values)
    else:
        named = sorted({whole(each) for each in memory_ids})
        for start in range(0, len(named), _MANY):
            some = named[start : start + _MANY]
            _collect(connection, found, [f"memory IN ({','.join('?' * len(some))})", *tests], [*some, *values])
    for each in found.values():
        each.sort(key=_told_at)  # stable: of one instant in order of arrival
    return {name: tuple(found[name]) for name in sorted(found)}


def told_in(connection: sqlite3.Connection, key: str) -> tuple[Telling, ...]:
    """Give what an answer told, in order of arrival."""
    if not has_tellings(connection):
        return ()
    query = f"SELECT {TELLING} FROM telling WHERE key = ? ORDER BY seq"  # noqa: S608
    return tuple(telling_of(row) for row in connection.execute(query, (whole(key),)))


def has_tellings(connection: sqlite3.Connection) -> bool:
    """Say whether the file is of a version that holds tellings: an older one that cannot be written stays as it is."""
    return bool(connection.execute("PRAGMA user_version").fetchone()[0] >= TELLINGS_SINCE)


def _collect(
    connection: sqlite3.Connection, found: dict[str, list[Telling]], tests: list[str], values: Sequence[Any]
) -> None:
    where = f" WHERE {' AND '.join(tests)}" if tests else ""
    for row in connection.execute(f"SELECT {TELLING} FROM telling{where} ORDER BY seq", values):  # noqa: S608
        telling = telling_of(row)
        found.setdefault(telling.memory, []).append(telling)


def _told_at(telling: Telling) -> datetime:
    return telling.at
