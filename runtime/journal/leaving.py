"""The rows that go, and those that stay without what is forgotten: planned beside the work of others, done in one transaction."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from casebook.runtime.journal.asking import has_tellings
from casebook.runtime.journal.concerning import MANY, Survey, memory_words, rows_after, said
from casebook.runtime.journal.database import Database
from casebook.runtime.journal.rows import Row, dumped
from casebook.runtime.journal.sought import read, texts_of, without, words_of
from casebook.runtime.journal.words import Words

_ENTRY = "seq, id, actor, action, subject, signature, body"
_VERSION = "seq, case_id, version, text, place, author"
_NAMED = 500
"""Ids that stand in one IN."""
_ALL = -1
_KNOWN = 65_536
"""Texts of which it is remembered whether they go: many rows say the same."""
_GONE = "{}"
"""The text of a case that was forgotten."""
_SOMEBODY = "person:"
"""Who did something, once it is forgotten who."""


class Leaving:
    """What goes of one journal: `plan`, then `numbers` or `go`."""

    def __init__(self, survey: Survey) -> None:
        """Take the survey of its activations and events."""
        self._survey = survey
        self._sought = sought = survey.sought
        is_somebodys = sought.user is not None or sought.session is not None
        self._signatures = survey.own_signatures if is_somebodys else frozenset()
        self._said = survey.words
        self._repeated = Words()
        self._goes: Callable[[str], bool] = lru_cache(_KNOWN)(self._tells)
        self._upto = {"entry": 0, "version": 0}
        self._entries: set[int] = set()
        self._versions: set[int] = set()
        self._new_entries: dict[int, tuple[str, str]] = {}
        self._new_versions: dict[int, tuple[str, str, str]] = {}
        self._new_events: dict[int, str] = {}
        self._gone: set[tuple[str, str]] = set()

    def concerns(self, line: str) -> bool:
        """Say whether a line that is no row tells of what is forgotten."""
        return self._sought.names_in_line(line) or self._said.found_in(line)

    # -- planning ------------------------------------------------------------------------------------------------------------

    def plan(self, database: Database) -> None:
        """Find what goes of the audit log and the texts of cases, and how what stays is to read. Raises StoreError."""
        _each(database, "entry", _ENTRY, self._sort_entry)
        _each(database, "version", _VERSION, self._sort_version)
        if self._said:
            _each(database, "entry", _ENTRY, self._repeats_entry)
            _each(database, "version", _VERSION, self._repeats_version)
        if self._repeated:
            _each(database, "event", "seq, signature, body", self._drop_event)
            _each(database, "activation", "seq, facts", self._drop_activation)
        self._repeated.add(self._sought.phrases)
        self._goes = lru_cache(_KNOWN)(self._tells)
        _each(database, "entry", _ENTRY, self._rewrite_entry)
        _each(database, "version", _VERSION, self._rewrite_version)
        if self._sought.ids:
            _each(database, "event", "seq, body", self._rewrite_event)

    def _sort_entry(self, row: Row) -> None:
        self._upto["entry"] = row[0]
        if self._is_concerned(row):
            self._entries.add(row[0])
            self._said.add(memory_words(read(row[-1])))

    def _is_concerned(self, row: Row) -> bool:
        _, own_id, _, _, subject, signature, body = row
        sought = self._sought
        if (subject and sought.is_named(subject)) or sought.names_part(own_id):
            return True
        if signature is not None and (signature in self._signatures or sought.is_named(signature)):
            return True
        return sought.has_text and (sought.has_in(body) or any(sought.has(each) for each in row[1:-1] if each))

    def _sort_version(self, row: Row) -> None:
        self._upto["version"] = row[0]
        if row[1] in self._sought.ids:
            self._versions.add(row[0])
            self._said.add(memory_words(read(row[3])))

    def _repeats_entry(self, row: Row) -> None:
        if row[0] not in self._entries:
            self._repeated.join(self._said.among(texts_of(read(row[-1]))))

    def _repeats_version(self, row: Row) -> None:
        if row[0] not in self._versions:
            self._repeated.join(self._said.among(texts_of(read(row[3]))))

    def _drop_event(self, row: Row) -> None:
        seq, signature, body = row
        if seq not in self._survey.events:
            self._repeated.drop(said(read(body)))
            self._repeated.drop(() if signature is None else (signature,))

    def _drop_activation(self, row: Row) -> None:
        if row[0] not in self._survey.activations:
            self._repeated.drop(said(read(row[1])))

    def _tells(self, text: str) -> bool:
        """Say whether a text of a row that stays tells of what is forgotten."""
        return self._sought.names(text) or self._repeated.found_in(text)

    def _rewrite_entry(self, row: Row) -> None:
        seq, _, actor, action, _, _, body = row
        if seq in self._entries or seq > self._upto["entry"] or action == "forget":
            return
        value = read(body)
        made = without(value, self._goes, users=self._sought.users)
        somebody = _SOMEBODY if self._sought.is_actor(actor) else actor
        if made is not value or somebody is not actor:
            self._new_entries[seq] = (somebody, body if made is value else dumped(made))

    def _rewrite_version(self, row: Row) -> None:
        seq, case_id, version, text, place, author = row
        if seq in self._versions or seq > self._upto["version"]:
            return
        is_gone = self._sought.has_in(text) or any(map(self._goes, words_of(read(text))))
        where = "" if self._goes(place) or self._sought.has(place) else place
        somebody = _SOMEBODY if self._sought.is_actor(author) else author
        if is_gone:
            self._gone.add((case_id, version))
        if (is_gone and text != _GONE) or where is not place or somebody is not author:
            self._new_versions[seq] = (_GONE if is_gone else text, where, somebody)

    def _rewrite_event(self, row: Row) -> None:
        seq, body = row
        if '"case"' in body and seq not in self._survey.events:
            value = read(body)
            if isinstance(value, dict) and value.get("case") in self._sought.ids:
                self._new_events[seq] = dumped({name: each for name, each in value.items() if name != "case"})

    # -- doing ---------------------------------------------------------------------------------------------------------------

    def numbers(self, connection: sqlite3.Connection) -> Mapping[str, int]:
        """Count what goes."""
        return self._count(self._firings(connection), self._tellings(connection), self._conditions(connection))

    def go(self, connection: sqlite3.Connection) -> Mapping[str, int]:
        """Let go what goes, what came since it was planned included, in the transaction that is open; give the numbers."""
        connection.execute("PRAGMA secure_delete = ON")
        self._catch_up(connection)
        firings, tellings, conditions = (
            self._firings(connection),
            self._tellings(connection),
            self._conditions(connection),
        )
        for table, seqs in (
            ("activation", self._survey.activations),
            ("event", self._survey.events),
            ("entry", self._entries),
            ("version", self._versions),
            ("telling", tellings),
        ):
            connection.executemany(f"DELETE FROM {table} WHERE seq = ?", [(seq,) for seq in sorted(seqs)])  # noqa: S608
        connection.executemany("DELETE FROM firing WHERE activation = ? AND place = ?", sorted(firings))
        _count_again(connection, Counter(case_id for case_id, how in firings.values() if how == "selected"))
        connection.executemany("DELETE FROM fired WHERE case_id = ?", [(each,) for each in sorted(self._sought.ids)])
        connection.executemany(
            "UPDATE entry SET actor = ?, body = ? WHERE seq = ?",
            [(*new, seq) for seq, new in self._new_entries.items()],
        )
        connection.executemany(
            "UPDATE version SET text = ?, place = ?, author = ? WHERE seq = ?",
            [(*new, seq) for seq, new in self._new_versions.items()],
        )
        connection.executemany(
            "UPDATE event SET body = ? WHERE seq = ?", [(new, seq) for seq, new in self._new_events.items()]
        )
        connection.executemany(
            "UPDATE firing SET because = ? WHERE activation = ? AND place = ?",
            [(new, *place) for place, new in conditions.items() if place not in firings],
        )
        return self._count(firings, tellings, conditions)

    def _count(self, firings: Mapping[Any, Any], tellings: list[int], conditions: Mapping[Any, Any]) -> dict[str, int]:
        rewritten = len(self._new_entries) + len(self._new_versions) + len(self._new_events) + len(conditions)
        return {
            "activations": len(self._survey.activations),
            "firings": len(firings),
            "events": len(self._survey.events),
            "entries": len(self._entries),
            "versions": len(self._versions),
            "tellings": len(tellings),
            "rewritten": rewritten,
        }

    def _catch_up(self, connection: sqlite3.Connection) -> None:
        """Look at what came since it was planned."""
        self._survey.look(connection, _ALL)
        for row in rows_after(connection, "entry", _ENTRY, self._upto["entry"], _ALL):
            self._sort_entry(row)
            self._rewrite_entry(row)
        for row in rows_after(connection, "version", _VERSION, self._upto["version"], _ALL):
            self._sort_version(row)
            self._rewrite_version(row)

    def _firings(self, connection: sqlite3.Connection) -> dict[tuple[int, int], tuple[str, str]]:
        """Give the case and fate of each firing that goes, by its place."""
        found: dict[tuple[int, int], tuple[str, str]] = {}
        columns = "SELECT activation, place, case_id, how"
        for seq in self._survey.activations:
            for activation, place, *rest in connection.execute(f"{columns} FROM firing WHERE activation = ?", (seq,)):
                found[activation, place] = (rest[0], rest[1])
        ids = sorted(self._sought.ids)
        for some in _some(ids):
            query = f"{columns} FROM firing WHERE case_id IN ({','.join('?' * len(some))})"
            for activation, place, *rest in connection.execute(query, some):
                found[activation, place] = (rest[0], rest[1])
        if self._sought.has_text:
            for activation, place, *rest, detail, because in connection.execute(
                f"{columns}, detail, because FROM firing"
            ):
                if self._sought.has_in(because) or self._sought.has(detail) or self._sought.has(rest[0]):
                    found[activation, place] = (rest[0], rest[1])
        return found

    def _conditions(self, connection: sqlite3.Connection) -> dict[tuple[int, int], str]:
        """Give what firings are to tell of conditions of texts that are gone."""
        found: dict[tuple[int, int], str] = {}
        query = "SELECT activation, place, because FROM firing WHERE case_id = ? AND version = ?"
        for named in sorted(self._gone):
            for activation, place, because in connection.execute(query, named):
                value = read(because)
                made = without(value, self._goes)
                if made is not value and activation not in self._survey.activations:
                    found[activation, place] = dumped(made)
        return found

    def _tellings(self, connection: sqlite3.Connection) -> list[int]:
        if not has_tellings(connection):
            return []
        sought, survey = self._sought, self._survey
        rows = connection.execute("SELECT seq, memory, key, session, user FROM telling")
        return [
            seq
            for seq, memory, key, session, user in rows
            if sought.is_own(user, session)
            or memory in sought.ids
            or survey.made(key)
            or (sought.has_text and any(sought.has(each) for each in (memory, key, session, user) if each))
        ]


def _each(database: Database, table: str, columns: str, see: Callable[[Row], None]) -> None:
    """Show every row of a table, some at a time, so that others are served in between."""
    after = 0
    while rows := database.ask(lambda connection: rows_after(connection, table, columns, after, MANY)):  # noqa: B023
        for row in rows:
            see(row)
        after = rows[-1][0]


def _some(ids: list[str]) -> Iterator[list[str]]:
    return (ids[start : start + _NAMED] for start in range(0, len(ids), _NAMED))


def _count_again(connection: sqlite3.Connection, gone: Counter[str]) -> None:
    """Take firings that went out of the counters; the last of a case is then the last of those that stay."""
    connection.executemany(
        """
        UPDATE fired SET number = number - ?, last = coalesce(
            (SELECT max(at) FROM firing JOIN activation ON seq = activation WHERE case_id = ? AND how = 'selected'), last
        ) WHERE case_id = ?
        """,
        [(number, case_id, case_id) for case_id, number in sorted(gone.items())],
    )
    connection.execute("DELETE FROM fired WHERE number <= 0")
