"""The tables of the journal's database, as numbered steps from the first version on."""

from __future__ import annotations

import sqlite3

from casebook.faults import StoreError

APPLICATION = 0x43424A31
"""`PRAGMA application_id` of a journal: "CBJ1"."""

_FIRST = """
CREATE TABLE IF NOT EXISTS about(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT OR REPLACE INTO about VALUES ('min_reader', '1');

CREATE TABLE IF NOT EXISTS activation(
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL,
    session TEXT, user TEXT, project TEXT, teams TEXT, agent TEXT,
    point TEXT NOT NULL, tool TEXT, verdict TEXT NOT NULL, engine TEXT NOT NULL, mode TEXT NOT NULL,
    release TEXT NOT NULL, facts TEXT NOT NULL, words INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX IF NOT EXISTS activation_session ON activation(session) WHERE session IS NOT NULL;
CREATE INDEX IF NOT EXISTS activation_words ON activation(at) WHERE words = 1;

CREATE TABLE IF NOT EXISTS firing(
    activation INTEGER NOT NULL, place INTEGER NOT NULL, case_id TEXT NOT NULL, version TEXT NOT NULL,
    how TEXT NOT NULL, detail TEXT NOT NULL, because TEXT NOT NULL,
    PRIMARY KEY (activation, place)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS firing_case ON firing(case_id);
CREATE TABLE IF NOT EXISTS fired(
    case_id TEXT PRIMARY KEY, number INTEGER NOT NULL, last INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS event(
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, kind TEXT NOT NULL,
    session TEXT, user TEXT, project TEXT, teams TEXT, agent TEXT,
    activation TEXT, tool TEXT, ok INTEGER, signature TEXT, counted INTEGER NOT NULL, turn TEXT,
    body TEXT NOT NULL, words INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX IF NOT EXISTS event_session ON event(session) WHERE session IS NOT NULL;
CREATE INDEX IF NOT EXISTS event_signature ON event(signature, counted, at, user) WHERE signature IS NOT NULL;
CREATE INDEX IF NOT EXISTS event_tool ON event(tool) WHERE tool IS NOT NULL;
CREATE INDEX IF NOT EXISTS event_activation ON event(activation) WHERE activation IS NOT NULL;
CREATE INDEX IF NOT EXISTS event_words ON event(at) WHERE words = 1;

CREATE TABLE IF NOT EXISTS entry(
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL,
    actor TEXT NOT NULL, action TEXT NOT NULL, subject TEXT NOT NULL, signature TEXT, body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS entry_subject ON entry(subject);
CREATE INDEX IF NOT EXISTS entry_signature ON entry(signature) WHERE signature IS NOT NULL;
CREATE INDEX IF NOT EXISTS entry_action ON entry(action);

CREATE TABLE IF NOT EXISTS version(
    seq INTEGER PRIMARY KEY AUTOINCREMENT, case_id TEXT NOT NULL, version TEXT NOT NULL, at INTEGER NOT NULL,
    text TEXT NOT NULL, place TEXT NOT NULL, author TEXT NOT NULL, UNIQUE (case_id, version)
);
"""

_TELLINGS = """
CREATE TABLE IF NOT EXISTS telling(
    seq INTEGER PRIMARY KEY AUTOINCREMENT, memory TEXT NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL,
    session TEXT, user TEXT, UNIQUE (memory, key)
);
CREATE INDEX IF NOT EXISTS telling_key ON telling(key);
CREATE INDEX IF NOT EXISTS telling_session ON telling(session) WHERE session IS NOT NULL;
CREATE INDEX IF NOT EXISTS telling_user ON telling(user) WHERE user IS NOT NULL;
"""

MIGRATIONS: tuple[str, ...] = (_FIRST, _TELLINGS)
"""Step n (from 1) leads from version n-1 to n. Each may be run again over what it has done already. A step whose tables older
releases can still read leaves `about.min_reader` as it is; any other sets it to its own number."""

KNOWN = len(MIGRATIONS)
"""The newest version of the tables that this release writes."""

TELLINGS_SINCE = 2
"""The version from which on there is a table of tellings."""


def migrate(connection: sqlite3.Connection, *, place: str) -> str | None:
    """Bring a database to the newest version, in one transaction for each step.

    Args:
        connection: an open database, of no version (new) or an older one.
        place: what it is called in messages.

    Returns:
        None; or why it may be read and not written: it is of a newer release that says that older ones may read it.

    Raises:
        StoreError: it is of a newer release whose tables this one cannot read.
        NotAJournalError: it is a database of something else.
        sqlite3.Error: it cannot be read or written.
    """
    version, application = _told(connection)
    if application != APPLICATION:
        if application or version or connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise NotAJournalError(f"{place} is a database, but not a journal of Casebook")
    elif version > KNOWN:
        return _newer(connection, version, place)
    for number in range(version, KNOWN):
        _step(connection, number)
    return None


class NotAJournalError(Exception):
    """A database of something else stands in the journal's place."""


def _told(connection: sqlite3.Connection) -> tuple[int, int]:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    return version, connection.execute("PRAGMA application_id").fetchone()[0]


def _step(connection: sqlite3.Connection, number: int) -> None:
    """Do step `number + 1`, unless another process was quicker."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _told(connection)[0] == number:
            for statement in MIGRATIONS[number].split(";\n"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {number + 1}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _newer(connection: sqlite3.Connection, version: int, place: str) -> str:
    found = connection.execute("SELECT value FROM about WHERE name = 'min_reader'").fetchone()
    told = f"{place} is of version {version}, and this release of Casebook writes version {KNOWN}: install a newer one"
    if found is None or not found[0].isdecimal() or int(found[0]) > KNOWN:
        raise StoreError(told)
    return told
