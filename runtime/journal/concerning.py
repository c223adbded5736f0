"""What of the journal is of a user or a session, or contains a text: its rows, what was said in them, and what came of them alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from casebook.runtime.journal.asking import has_tellings
from casebook.runtime.journal.database import Database
from casebook.runtime.journal.rows import Row
from casebook.runtime.journal.sought import Sought, read, texts_of
from casebook.runtime.journal.words import Words

if TYPE_CHECKING:
    from casebook.stores.memory_store import Forgetting

MANY = 2_000
"""Rows that are read at a time: others are served in between."""

_ACTIVATION = "seq, id, session, user, NULL, NULL, project, teams, agent, tool, facts"
_EVENT = "seq, id, session, user, signature, activation, project, teams, agent, tool, turn, body"
_NAMES = frozenset(
    {"tool", "tool_native", "action", "program", "intent", "channel", "model", "origin", "point", "session"}
)
"""What of facts and bodies is a name from a list, which many bear, and nothing that somebody said."""
_MAKES = frozenset({"add", "teach", "remember", "import", "edit", "correct"})
"""Actions by which a person gives a case or a memory its words."""


@dataclass(slots=True)
class Survey:
    """The rows of activations and events that go, and what is known of them.

    Attributes:
        sought: what is looked for.
        activations, events: the seqs of those that go, with their ids.
        words: what was said in those of the user and the session.
        signatures: of errors that go; `others` of those that stay.
        upto: for each table the seq up to which it was looked at.
    """

    sought: Sought
    activations: dict[int, str] = field(default_factory=dict)
    events: dict[int, str] = field(default_factory=dict)
    words: Words = field(default_factory=Words)
    signatures: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)
    upto: dict[str, int] = field(default_factory=lambda: {"activation": 0, "event": 0})
    _ids: set[str] = field(default_factory=set)

    def look(self, connection: sqlite3.Connection, limit: int) -> bool:
        """Look at the next rows; say whether there were any."""
        found = False
        for row in self._next(connection, "activation", _ACTIVATION, limit):
            found = True
            if self._goes(row):
                self.activations[row[0]] = row[1]
                self._ids.add(row[1])
        for row in self._next(connection, "event", _EVENT, limit):
            found = True
            signature = row[4]
            goes = self._goes(row)
            if goes:
                self.events[row[0]] = row[1]
            if signature is not None:
                (self.signatures if goes else self.others).add(signature)
        return found

    @property
    def own_signatures(self) -> frozenset[str]:
        """Give the signatures of errors that nobody else had."""
        return frozenset(self.signatures - self.others)

    def made(self, activation_or_event: object) -> bool:
        """Say whether an id is that of an activation or event that goes."""
        return activation_or_event in self._ids

    def _next(self, connection: sqlite3.Connection, table: str, columns: str, limit: int) -> Iterator[Row]:
        for row in rows_after(connection, table, columns, self.upto[table], limit):
            self.upto[table] = row[0]
            yield row

    def _goes(self, row: Row) -> bool:
        _, own_id, session, user, _, activation, *_, body = row
        sought = self.sought
        if sought.is_own(user, session) or (activation is not None and activation in self._ids):
            self._ids.add(own_id)
            self.words.add(said(read(body)))
            return True
        if not sought.has_text:
            return False
        named = (each for each in row[1:-1] if isinstance(each, str))
        return sought.has_in(body) or any(map(sought.has, named))


def rows_after(connection: sqlite3.Connection, table: str, columns: str, after: int, limit: int) -> list[Row]:
    """Give the rows of a table after a seq, at most so many (-1: all), in order."""
    query = f"SELECT {columns} FROM {table} WHERE seq > ? ORDER BY seq LIMIT ?"  # noqa: S608  # names of ours
    return connection.execute(query, (after, limit)).fetchall()


def said(body: Any) -> Iterator[str]:
    """Give the texts of facts or of an event's body that somebody said: all but names of lists."""
    if isinstance(body, Mapping):
        error = body.get("error")
        parts = [value for name, value in body.items() if name not in _NAMES and name != "error"]
        if isinstance(error, Mapping):
            parts.append(error.get("message"))
        yield from texts_of([each for each in parts if each is not None])


def surveyed(database: Database, what: Forgetting) -> tuple[Forgetting, Survey]:
    """Give what is to be forgotten with the ids of what came of it alone, and the survey of its rows. Raises StoreError."""
    users = sorted(Sought(what).users)
    shared = what.shared | database.ask(lambda connection: frozenset(_others_sessions(connection, users)))
    ids = what.ids | database.ask(lambda connection: frozenset(_sessions(connection, users)))
    what = replace(what, ids=ids - shared, shared=shared)
    survey = Survey(Sought(what))
    while database.ask(lambda connection: survey.look(connection, MANY)):
        pass
    subjects = _Subjects(survey)
    while database.ask(subjects.look):
        pass
    found = subjects.found()
    if survey.sought.user is not None or survey.sought.session is not None:
        found |= survey.own_signatures
    shared = what.shared | subjects.shared
    what = replace(what, ids=(what.ids | found) - shared, others=what.others | subjects.others, shared=shared)
    survey.sought = Sought(what)
    return what, survey


def _sessions_with_users(connection: sqlite3.Connection) -> str:
    """Give the query for every session with each user who is known in it."""
    tables = ("activation", "event", "telling") if has_tellings(connection) else ("activation", "event")
    return " UNION ".join(f"SELECT session, user FROM {table} WHERE session IS NOT NULL" for table in tables)  # noqa: S608


def _others_sessions(connection: sqlite3.Connection, users: list[str]) -> Iterator[str]:
    """Give the sessions in which somebody else than a user is known."""
    if users:
        query = f"SELECT DISTINCT session FROM ({_sessions_with_users(connection)}) WHERE user NOT IN ({','.join('?' * len(users))})"  # noqa: S608
        yield from (row[0] for row in connection.execute(query, users))


def _sessions(connection: sqlite3.Connection, users: list[str]) -> Iterator[str]:
    """Give the sessions in which a user, whose id may be written in several ways, was alone."""
    if users:
        rows = _sessions_with_users(connection)
        query = f"SELECT session FROM ({rows}) GROUP BY session HAVING count(user) = count(*) AND sum(user NOT IN ({','.join('?' * len(users))})) = 0"  # noqa: S608
        yield from (row[0] for row in connection.execute(query, users))


class _Subjects:
    """Finds the memories and cases that came of what goes alone, by what the audit log tells of them."""

    def __init__(self, survey: Survey) -> None:
        self._survey = survey
        self._sought = survey.sought
        self._after = 0
        self._own: set[str] = set()
        self._others: set[str] = set()
        self._worded_own: set[str] = set()
        self._worded_by_others: set[str] = set()
        self._elsewhere: set[str] = set()
        self._shared: set[str] = set()
        self._users: dict[str, str | None] = {}
        self._has_text: dict[str, bool] = {}

    def look(self, connection: sqlite3.Connection) -> bool:
        """Look at the next entries; say whether there were any."""
        rows = rows_after(connection, "entry", "seq, actor, action, subject, signature, body", self._after, MANY)
        for seq, actor, action, subject, signature, body in rows:
            self._after = seq
            if subject:
                self._see(subject, actor, action, signature, read(body))
        return bool(rows)

    def found(self) -> frozenset[str]:
        """Give their ids: what is last known as the user's by its scope, what came of nobody else, what last contained the text."""
        sought = self._sought
        named = {subject: user for subject, user in self._users.items() if user is not None}
        scoped = {subject for subject, user in named.items() if sought.is_own(user, None)}
        theirs = set() if sought.user is None else named.keys() - scoped
        texts = {subject for subject, has in self._has_text.items() if has}
        others = self._others | self._worded_by_others | (self._elsewhere - self._worded_own)
        return frozenset(scoped | (self._own - others - theirs) | texts)

    @property
    def others(self) -> frozenset[str]:
        """Give the ids of what somebody else has given words to; empty where no user is looked for."""
        return frozenset(self._worded_by_others if self._sought.user is not None else ())

    @property
    def shared(self) -> frozenset[str]:
        """Give the sessions in which somebody else has given words to something; empty where no user is looked for."""
        return frozenset(self._shared if self._sought.user is not None else ())

    def _see(self, subject: str, actor: str, action: str, signature: str | None, body: Any) -> None:
        sought = self._sought
        if sought.has_text and isinstance(body, Mapping) and ("after" in body or "case" in body):
            self._has_text[subject] = any(map(sought.has, texts_of(body.get("after", body.get("case")))))
        if sought.user is None and sought.session is None:
            return
        if actor.startswith("person:") and action in _MAKES:
            self._worded(subject, actor, body)
        self._signed(subject, signature)
        for form in _own_forms(body):
            self._came(subject, form)

    def _worded(self, subject: str, actor: str, body: Any) -> None:
        """See that a person has given words to something: that is its making where nothing was before."""
        if not self._sought.is_actor(actor):
            self._worded_by_others.add(subject)
            if not (isinstance(body, Mapping) and body.get("before")):
                sessions = (_in(form, "source", "session") for form in _own_forms(body))
                self._shared.update(each for each in sessions if each is not None)
        elif not (isinstance(body, Mapping) and body.get("before")):
            self._own.add(subject)
            self._worded_own.add(subject)

    def _came(self, subject: str, form: Mapping[str, Any]) -> None:
        """See what a memory or case, or any other part of an entry's body, tells of where it came from."""
        survey, sought = self._survey, self._sought
        if "correction" in form or "text" in form:
            self._users[subject] = _in(form, "scope", "user")
        self._signed(subject, _in(form, "source", "signature"))
        session = _in(form, "source", "session")
        if session is not None:
            (self._own if session in sought.sessions else self._elsewhere).add(subject)
        if any(survey.made(_in(form, *path)) for path in _ORIGINS):
            self._own.add(subject)

    def _signed(self, subject: str, signature: object) -> None:
        if isinstance(signature, str):
            if signature in self._survey.others:
                self._others.add(subject)
            elif signature in self._survey.signatures:
                self._own.add(subject)


_ORIGINS = (("event",), ("activation",), ("source", "event"), ("source", "activation"))


def _in(form: Mapping[str, Any], *path: str) -> Any:
    """Give the value at a path, None where it is not there or can be nothing's name."""
    value: Any = form
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, str) else None


def _own_forms(body: Any) -> Iterator[Mapping[str, Any]]:
    """Give an entry's body, and the memory or case that it is about, as it was and, last, as it is."""
    if isinstance(body, Mapping):
        yield body
        for name in ("before", "memory", "case", "after"):
            yield from _own_forms(body.get(name))


def _forms(value: Any) -> Iterator[Mapping[str, Any]]:
    """Give every mapping in a value."""
    if isinstance(value, Mapping):
        yield value
        yield from chain.from_iterable(map(_forms, value.values()))
    elif isinstance(value, list | tuple):
        yield from chain.from_iterable(map(_forms, value))


def memory_words(body: Any) -> Iterator[str]:
    """Give what the memories, and the corrections of cases, in an entry's body say."""
    for form in _forms(body):
        if "kind" in form and "tier" in form:
            yield from texts_of([form.get(name) for name in ("text", "reason", "alternatives", "exceptions")])
        elif form.get("correction_by", "person") in ("person", "agent"):
            yield from texts_of([form.get("correction"), form.get("situation")])
