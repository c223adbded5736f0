"""The journal over SQLite."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from casebook.clock import Clock
from casebook.runtime.journal import asking
from casebook.runtime.journal.asking import Where
from casebook.runtime.journal.background import Notes
from casebook.runtime.journal.database import Database
from casebook.runtime.journal.protocol import Note
from casebook.runtime.journal.records import ActivationRecord, Arrived, Entry, EventKind, EventRecord, Fired, Version
from casebook.runtime.journal.retention import drop, drop_entries, drop_tellings, retain
from casebook.runtime.journal.rows import Batch, entry_row, event_row, micros, version_row

if TYPE_CHECKING:
    from casebook.memory_facts import Telling
    from casebook.stores.memory_store import Forgetting

T = TypeVar("T")


class SqliteJournal:
    """What happened in one casebook, in a SQLite database: `Journal`, whose words these methods follow.

    Attributes:
        location: the path of its file, or `:memory:`.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        """Take the database, which is closed with the journal, and what dates receipts."""
        self.location = database.location
        self._database = database
        self._clock = clock
        self._notes = Notes(database)

    @property
    def troubles(self) -> tuple[str, ...]:
        """Give what went wrong and was got over: each a sentence for people."""
        return (*self._database.troubles, *self._notes.troubles)

    def note(self, make: Note) -> None:
        """Take an activation in memory, to be written within a fraction of a second or by the next `flush`; never waits."""
        self._notes.add(make)

    def tell(self, tellings: Iterable[Telling]) -> None:
        """Take what was told in memory, to be written as what `note` takes; never waits."""
        self._notes.tell(tellings)

    def flush(self) -> None:
        """Write all that was noted; on disk when it returns."""
        self._notes.write()
        self._database.sync()

    def record(self, event: EventRecord) -> int | None:
        """Write an event, after all that was noted; on disk when it returns.

        Returns:
            Its seq; 0 where it had to be kept beside the database for now; None where an event of this id was there already.
        """
        batch = Batch(events=[event_row(event)])
        self._notes.write_quietly()
        return self._database.write(batch, durable=True).events[0]

    def append(self, entries: Iterable[Entry]) -> tuple[bool, ...]:
        """Write entries of the audit log in one transaction; for each whether it was written (False: its id was there)."""
        batch = Batch(entries=[entry_row(each) for each in entries])
        self._notes.write_quietly()
        if not batch:
            return ()
        return tuple(seq is not None for seq in self._database.write(batch, durable=True).entries)

    def keep(self, versions: Iterable[Version]) -> None:
        """Keep texts of cases; a (case_id, version) that is known stays as it is."""
        batch = Batch(versions=[version_row(each) for each in versions])
        if batch:
            self._notes.write_quietly()
            self._database.write(batch, durable=True)

    def activation(self, activation_id: str) -> ActivationRecord | None:
        """Give an activation, or None."""
        where = asking.activation_where(activation_id, None, None, None)
        return _first(self._ask(lambda connection: asking.activations(connection, where, 1)))

    def activations(
        self,
        *,
        case_id: str | None = None,
        session: str | None = None,
        after: int = 0,
        since: datetime | None = None,
        limit: int | None = None,
    ) -> Sequence[ActivationRecord]:
        """Give activations, the newest `limit` of them, in order of arrival: in which a case fired (in any way), of a session."""
        where = asking.activation_where(None, case_id, session, since, after)
        return self._ask(lambda connection: asking.activations(connection, where, limit))

    def arrived(
        self, session: str, user: str | None, *, answers: int, seq: int, is_known: Callable[[str], bool], limit: int
    ) -> Arrived | None:
        """Give what others have written of a session; None where this process is writing. Nothing that was noted is waited for."""
        of_answers = asking.activation_where(None, None, session, None, answers)
        of_events = Where()
        of_events.add("session = ?", session)
        of_events.add("user IS ?", user)
        of_events.add("seq > ?", seq)
        return self._database.ask_soon(
            lambda connection: asking.arrived(connection, of_answers, of_events, is_known, limit)
        )

    def event(self, event_id: str) -> EventRecord | None:
        """Give an event, or None."""
        where = Where()
        where.add("id = ?", event_id)
        return _first(self._ask(lambda connection: asking.events(connection, where, 1)))

    def events(
        self,
        *,
        session: str | None = None,
        user: str | None = None,
        signature: str | None = None,
        tools: Iterable[str] | None = None,
        kinds: Iterable[EventKind] | None = None,
        activation: str | None = None,
        counted: bool | None = None,
        after: int = 0,
        since: datetime | None = None,
        limit: int | None = None,
    ) -> Sequence[EventRecord]:
        """Give events that satisfy all that is named, the newest `limit` of them, in order of arrival."""
        where = Where()
        if session is not None:
            where.add("session = ?", session)
            where.add("user IS ?", user)
        if signature is not None:
            where.add("signature = ?", signature)
        where.among("tool", tools)
        where.among("kind", kinds)
        if activation is not None:
            where.add("activation = ?", activation)
        if counted is not None:
            where.add("counted = ?", int(counted))
        if after > 0:
            where.add("seq > ?", after)
        if since is not None:
            where.add("at >= ?", micros(since))
        return self._ask(lambda connection: asking.events(connection, where, limit))

    def entries(
        self,
        *,
        subject: str | None = None,
        signature: str | None = None,
        actions: Iterable[str] | None = None,
        after: int = 0,
        since: datetime | None = None,
        limit: int | None = None,
    ) -> Sequence[Entry]:
        """Give entries of the audit log that satisfy all that is named, the newest `limit`, in order of arrival."""
        where = Where()
        if subject is not None:
            where.add("subject = ?", subject)
        if signature is not None:
            where.add("signature = ?", signature)
        where.among("action", actions)
        if after > 0:
            where.add("seq > ?", after)
        if since is not None:
            where.add("at >= ?", micros(since))
        return self._ask(lambda connection: asking.entries(connection, where, limit))

    def entry(self, entry_id: str) -> Entry | None:
        """Give an entry, or None."""
        where = Where()
        where.add("id = ?", entry_id)
        return _first(self._ask(lambda connection: asking.entries(connection, where, 1)))

    def versions(self, case_id: str) -> Sequence[Version]:
        """Give the known texts of a case, in order of arrival."""
        return self._ask(lambda connection: asking.versions(connection, case_id))

    def fired(self, case_id: str) -> Fired:
        """Give how often a case was selected, what is noted and not yet written included."""
        return self._ask(lambda connection: asking.fired(connection, case_id))

    def signatures(self, *, since: datetime | None = None, user: str | None = None) -> Mapping[str, int]:
        """Give the signatures of counted errors with their numbers; of one user where one is named."""
        return self._ask(lambda connection: asking.signatures(connection, since, user))

    def tellings(
        self, memory_ids: Iterable[str] | None = None, *, since: datetime | None = None
    ) -> Mapping[str, tuple[Telling, ...]]:
        """Give when memories were told, each memory's tellings in order of time; all of them, of some, from an instant on."""
        named = None if memory_ids is None else frozenset(memory_ids)
        return self._ask(lambda connection: asking.tellings(connection, named, since))

    def told_in(self, key: str) -> tuple[Telling, ...]:
        """Give what an answer (an activation or a recall) told, in order of arrival."""
        return self._ask(lambda connection: asking.told_in(connection, key))

    def changes(self) -> int:
        """Give a number that grows when another process, or another journal object, has written; quick (some microseconds).

        While this process is writing it may be what it was before.
        """
        return self._database.changes()

    def retain(self, before: datetime) -> Mapping[str, int]:
        """Take the words of tasks out of what is older than an instant: facts, texts, args and messages; counts and ids stay.

        Returns:
            How many rows of each table were changed; where any were, an entry `retain` of the audit log says so too.
        """
        self._notes.write_quietly()
        return retain(self._database, before, self._clock())

    def drop_tellings(self, memory_ids: Iterable[str]) -> int:
        """Take the tellings of memories that are gone for good; give how many there were."""
        named = frozenset(memory_ids)
        self._notes.write_quietly()
        return drop_tellings(self._database, named)

    def drop_entries(self, subjects: Iterable[str]) -> int:
        """Take the entries about memories that are gone for good, which hold their words; give how many there were."""
        named = frozenset(subjects)
        self._notes.write_quietly()
        return drop_entries(self._database, named)

    def drop(self, entry_ids: Iterable[str]) -> int:
        """Take entries out that hold nobody's words and that nothing asks for any more, such as old runs; give how many there were."""
        named = frozenset(entry_ids)
        self._notes.write_quietly()
        return drop(self._database, named)

    def concerned(self, what: Forgetting) -> Forgetting:
        """Give what is to be forgotten with the ids of what came of it alone: sessions, memories, cases, signatures."""
        from casebook.runtime.journal.forgetting import concerned  # a rare thing, of which no task pays

        self._notes.write_quietly()
        return concerned(self._database, what)

    def forget(self, what: Forgetting, *, dry: bool = False) -> Mapping[str, int]:
        """Delete what is of the user or the session, contains the text, or has one of the ids, with what came of it alone.

        See `casebook.runtime.journal.forgetting.forget`.
        """
        from casebook.runtime.journal.forgetting import forget

        self._notes.write()
        return forget(self._database, what, self._clock(), dry=dry)

    def close(self) -> None:
        """Write what was noted and let go. Closing twice is fine; what cannot be written is logged."""
        try:
            self._notes.close()
        finally:
            self._database.close()

    def _ask(self, query: asking.Query[T]) -> T:
        self._notes.write_quietly()
        return self._database.ask(query)


def _first(found: Sequence[T]) -> T | None:
    return found[0] if found else None
