"""What is of somebody, or contains a text, taken out of the journal (DESIGN section 10), and a receipt without content."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from casebook.runtime.journal.concerning import surveyed
from casebook.runtime.journal.database import Database
from casebook.runtime.journal.inserting import insert
from casebook.runtime.journal.leaving import Leaving
from casebook.runtime.journal.records import Entry
from casebook.runtime.journal.rows import Batch, entry_row, micros

if TYPE_CHECKING:
    from casebook.stores.memory_store import Forgetting

_ROUNDS = 3
"""How often it is begun anew where somebody wrote beside the database meanwhile."""


def concerned(database: Database, what: Forgetting) -> Forgetting:
    """Give what is to be forgotten with the ids of sessions, memories, cases and signatures that came of it alone.

    A session is a user's where nobody else is named in it; a signature where nobody else had the error; a memory or a case
    where the audit log tells that its scope names the user, or that it was made by them or of their sessions, events or
    signatures, and that nobody else has given it words; and where its last words contain the text.

    Raises:
        StoreError: the journal cannot be read.
    """
    return surveyed(database, what)[0]


def forget(database: Database, what: Forgetting, now: datetime, *, dry: bool = False) -> Mapping[str, int]:
    """Take out of the journal what is of a user or session, contains a text, or has one of the ids.

    Args:
        database: the journal's, in which all that was noted is written.
        what: what is to be forgotten; what came of it alone (`concerned`) goes too.
        now: dates the receipt, an entry `forget` with the counts, which is written where anything went.
        dry: whether nothing is changed, and it is only counted.

    Returns:
        How many `activations firings events entries versions tellings` went, how many rows were `rewritten` without what is
        forgotten, and how many damaged `copies` and unreadable `lines` beside the journal were taken away.

    Raises:
        StoreError: the journal cannot be read or written; or what was deleted could not be overwritten yet, for somebody reads:
            doing it again completes it.
    """
    counts: Counter[str] = Counter()
    by = [name for name in ("user", "session", "text", "ids") if getattr(what, name)]
    if not dry:
        database.change(lambda _: None)  # what waits beside the database comes in, or is set aside
    for _ in range(1 if dry else _ROUNDS):
        what, survey = surveyed(database, what)
        leaving = Leaving(survey)
        leaving.plan(database)
        counts.update(database.leftovers(leaving.concerns, dry=dry))
        if dry:
            counts.update(database.ask(leaving.numbers))
            break
        counts.update(database.change(lambda connection: _done(connection, leaving, counts, by, now)))  # noqa: B023
        if not database.awaits():
            break
    if not dry:
        counts.update(database.leftovers(leaving.concerns, dry=False))
        database.erase()
    return dict(counts)


def _done(
    connection: sqlite3.Connection, leaving: Leaving, before: Mapping[str, int], by: Sequence[str], now: datetime
) -> Mapping[str, int]:
    """Let go what is planned, and write the receipt, in the transaction that is open; give the numbers."""
    numbers = leaving.go(connection)
    told = {name: before.get(name, 0) + numbers.get(name, 0) for name in {**before, **numbers}}
    if any(told.values()):
        body = {"by": list(by), "counts": {name: told[name] for name in sorted(told)}}
        number = 0
        while insert(connection, Batch(entries=[entry_row(_receipt(now, number, body))])).entries == (None,):
            number += 1
    return numbers


def _receipt(now: datetime, number: int, body: Mapping[str, object]) -> Entry:
    """Give the receipt: its id is made of the instant, and of a number where another bears it."""
    ending = f":{number}" if number else ""
    return Entry(f"forget:{micros(now)}{ending}", now, "upkeep", "forget", body=body)
