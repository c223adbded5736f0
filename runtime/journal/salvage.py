"""A damaged journal moved aside, once among many processes, and what can be read of it brought into a new one."""

# ruff: noqa: PTH105, PTH123

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from casebook.runtime.journal.connecting import BESIDE, NAME, file_of, unlink_all, write_new
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
    telling_of,
    version_of,
)
from casebook.stores.atomic import sync_folder

SALVAGING = f"{NAME}.salvaging"
"""What a damaged journal is called until a new one has taken its place: who finds it alone goes on with it."""

_HEADER = 100
_BAD = (sqlite3.Error, ValueError, TypeError, OverflowError, LookupError, AttributeError)


def move_aside(path: Path, file: tuple[int, int], now: datetime) -> str | None:
    """Put a new journal in the place of a damaged one; under the lock.

    Args:
        path: the journal's.
        file: the device and inode of the damaged one.
        now: names what is moved aside.

    Returns:
        What was done, for people; None where another process has done it already.

    Raises:
        OSError, sqlite3.Error: it cannot be done; then the next who tries goes on where this one ended.
    """
    if file_of(path) != file:
        return None
    salvaging = path.with_name(SALVAGING)
    settle(path, now)
    os.replace(path, salvaging)
    return go_on(path, now)


def go_on(path: Path, now: datetime) -> str | None:
    """Make the new journal of one that was moved aside; under the lock. None where there is none. Raises as `move_aside`."""
    salvaging = path.with_name(SALVAGING)
    for name in BESIDE:  # also where nothing is salvaged: a new database must not find an old one's log
        with contextlib.suppress(FileNotFoundError):
            os.replace(path.with_name(NAME + name), path.with_name(SALVAGING + name))
    if not os.path.lexists(salvaging):
        unlink_all(salvaging)
        return None
    new = path.with_name(f".journal.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        write_new(new)
        rows = _salvage(salvaging, new)
        os.replace(new, path)
        sync_folder(path.parent)
    finally:
        unlink_all(new)
    return settle(path, now, rows)


def settle(path: Path, now: datetime, rows: int | None = None) -> str | None:
    """Give what was moved aside its last name, once its successor is in place; under the lock.

    Args:
        path: the journal's.
        now: names what was moved aside.
        rows: how many of its rows are in the successor, where that is known.

    Returns:
        What was done, for people; None where nothing was moved aside.

    Raises:
        OSError: it cannot be renamed.
    """
    salvaging = path.with_name(SALVAGING)
    if not os.path.lexists(salvaging):
        return None
    aside = _free_name(path, now)
    _rename(salvaging, aside)
    told = "" if rows is None else f" ({rows:,} rows)"
    return f"{path} was damaged and is now {aside.name}: what could be read of it{told} is in the new one"


def _free_name(path: Path, now: datetime) -> Path:
    base = f"{NAME}.corrupt-{now:%Y%m%dT%H%M%SZ}"
    names = (base, *(f"{base}-{number}" for number in range(2, 10_000)))
    return next(each for name in names if not os.path.lexists(each := path.with_name(name)))


def _rename(old: Path, new: Path) -> None:
    for name in (*BESIDE, ""):
        with contextlib.suppress(FileNotFoundError):
            os.replace(old.with_name(old.name + name), new.with_name(new.name + name))


def _salvage(old: Path, new: Path) -> int:
    """Bring what can be read of one database into another; give the number of rows. Raises sqlite3.Error of the new one."""
    with contextlib.closing(sqlite3.connect(_uri(new), uri=True, isolation_level=None)) as target:
        target.execute("PRAGMA synchronous = FULL")
        target.execute("BEGIN IMMEDIATE")
        rows = 0
        with contextlib.suppress(_Unreadable), _source(old) as source:
            rows = _copy(source, target)
        if not rows:
            with contextlib.suppress(_Unreadable, OSError), _mended(old, new) as source:
                rows = _copy(source, target)
        target.execute("COMMIT")
    return rows


class _Unreadable(Exception):  # noqa: N818  # not told to anybody
    """Nothing can be read of a database."""


@contextlib.contextmanager
def _source(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        connection = sqlite3.connect(_uri(path), uri=True, isolation_level=None, timeout=0.1)
    except sqlite3.Error:
        raise _Unreadable from None
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        yield connection
    except sqlite3.DatabaseError as error:
        raise _Unreadable from error
    finally:
        with contextlib.suppress(sqlite3.Error):
            connection.close()


@contextlib.contextmanager
def _mended(old: Path, new: Path) -> Iterator[sqlite3.Connection]:
    """Open a copy that bears the header of a new journal: all that a database of ours has of its own stands behind it."""
    copy = new.with_name(f"{new.name}.copy")
    try:
        for name in ("", "-wal"):
            with contextlib.suppress(FileNotFoundError):
                shutil.copyfile(old.with_name(old.name + name), copy.with_name(copy.name + name))
        with open(new, "rb") as stream:
            header = bytearray(stream.read(_HEADER))
        header[28:32] = bytes(4)  # the size in pages, which is then that of the file
        with open(copy, "r+b") as stream:
            stream.write(header)
        copy.chmod(0o600)
        with _source(copy) as source:
            yield source
    finally:
        unlink_all(copy)


_TABLES: tuple[tuple[str, str, Callable[[Row], object]], ...] = (
    ("event", f"seq, {EVENT}, words", event_of),
    ("entry", f"seq, {ENTRY}", entry_of),
    ("version", f"seq, {VERSION}", lambda row: version_of(row[1:])),
    ("telling", f"seq, {TELLING}", lambda row: telling_of(row[1:])),  # none in a journal of before there were any
)
"""The tables beside the activations, with their columns, and what reads a row as a record."""


def _copy(source: sqlite3.Connection, target: sqlite3.Connection) -> int:
    """Copy every row that can be read and is a record."""
    number = 0
    for row in _rows(source, "activation", f"seq, {ACTIVATION}, words"):
        firings = _firings(source, row[0])
        if _is_record(activation_of, row[1:-1], [each[2:] for each in firings]):
            number += _put(target, "activation", f"seq, {ACTIVATION}, words", row)
            number += sum(_put(target, "firing", f"activation, place, {FIRING}", each) for each in firings)
    for table, columns, read in _TABLES:
        for row in _rows(source, table, columns):
            if _is_record(read, row):
                number += _put(target, table, columns, row)
    _count_again(source, target)
    return number


def _rows(source: sqlite3.Connection, table: str, columns: str) -> Iterator[Row]:
    """Give the rows of a table that can be read: forward from each place that can be reached, and back to where that broke off."""
    query = f"SELECT {columns} FROM {table}"  # noqa: S608  # names of ours
    last, step, broken = -(2**63), 0, False
    while step < _FARTHEST:
        found = _forward(source, query, last + step, broken=broken)
        try:
            first = next(found)
        except StopIteration:
            if step:
                yield from reversed(_backward(source, query, 2**63 - 1, last))
            return
        except sqlite3.Error:
            last, step, broken = max(last, 0), max(1, step * 2), True
            continue
        if step:
            yield from reversed(_backward(source, query, first[0], last))
        yield first
        last, step = first[0], 0
        try:
            for row in found:
                yield row
                last = row[0]
        except sqlite3.Error:
            broken = True  # the row that was read last may be whole: it is asked for again, alone
        else:
            return


_FARTHEST = 2**40
"""Seqs beyond which nothing is looked for after a place that cannot be read."""


def _forward(source: sqlite3.Connection, query: str, start: int, *, broken: bool) -> Iterator[Row]:
    """Give rows after a seq; of a table that is broken one at a time, for SQLite reads ahead of what it gives."""
    if not broken:
        for row in source.execute(f"{query} WHERE seq > ? ORDER BY seq", (start,)):
            _must_be(start < row[0])
            yield row
            start = row[0]
        return
    while row := source.execute(f"{query} WHERE seq > ? ORDER BY seq LIMIT 1", (start,)).fetchone():
        _must_be(start < row[0])
        yield row
        start = row[0]


def _backward(source: sqlite3.Connection, query: str, start: int, end: int) -> list[Row]:
    """Give rows before a seq and after another, the newest first, until one cannot be read."""
    rows: list[Row] = []
    ask = f"{query} WHERE seq < ? AND seq > ? ORDER BY seq DESC LIMIT 1"
    with contextlib.suppress(sqlite3.Error):
        while row := source.execute(ask, (start, end)).fetchone():
            _must_be(end < row[0] < start)
            rows.append(row)
            start = row[0]
    return rows


def _must_be(in_order: bool) -> None:  # noqa: FBT001
    """Raise where a damaged tree gives rows out of order, which would never end."""
    if not in_order:
        raise sqlite3.DatabaseError("rows are out of order")


def _firings(source: sqlite3.Connection, seq: int) -> list[Row]:
    query = f"SELECT activation, place, {FIRING} FROM firing WHERE activation = ? ORDER BY place"  # noqa: S608
    with contextlib.suppress(*_BAD):
        return source.execute(query, (seq,)).fetchall()
    return []


def _is_record(read: Callable[..., object], *row: object) -> bool:
    """Say whether a row is a record, as those who ask for it later will read it."""
    try:
        read(*row)
    except _BAD:
        return False
    return True


def _put(target: sqlite3.Connection, table: str, columns: str, row: Row) -> int:
    marks = ", ".join("?" * len(row))
    try:
        done = target.execute(f"INSERT OR IGNORE INTO {table}({columns}) VALUES ({marks})", row)  # noqa: S608
    except (sqlite3.IntegrityError, sqlite3.InterfaceError, UnicodeError):
        return 0
    return done.rowcount


def _count_again(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """Work the counters out again; where the old ones can be read and say more, activations were lost, and they count."""
    target.execute("""
        INSERT INTO fired SELECT case_id, count(*), max(at) FROM activation JOIN firing ON activation = seq
        WHERE how = 'selected' GROUP BY case_id
    """)
    with contextlib.suppress(*_BAD):
        old = source.execute("SELECT case_id, number, last FROM fired WHERE typeof(number) = 'integer'").fetchall()
        target.executemany(
            """
            INSERT INTO fired VALUES (?, ?, ?) ON CONFLICT(case_id)
            DO UPDATE SET number = max(number, excluded.number), last = max(last, excluded.last)
            """,
            old,
        )
    with contextlib.suppress(*_BAD):
        for name, seq in source.execute("SELECT name, seq FROM sqlite_sequence WHERE typeof(seq) = 'integer'"):
            target.execute("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", (seq, name))


def _uri(path: Path) -> str:
    return f"file:{quote(str(path))}?mode=rw"
