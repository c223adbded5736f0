"""The past that a case is tested on, read out of the journal."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence

from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.backtest import NEWEST_CALLS, words_of


class JournalCalls:
    """`Calls` over a journal, for one proposal: the events of a session are read once. Raises StoreError as the journal does."""

    __slots__ = ("_journal", "_sessions")

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._sessions: dict[tuple[str, str | None], Sequence[EventRecord]] = {}

    def of(self, tools: Collection[str], intents: Collection[str]) -> Sequence[EventRecord]:
        """Give the newest calls of some tools, then the newest turns without a tool of some intents."""
        found: list[EventRecord] = []
        if tools:
            found += self._journal.events(tools=tools, kinds=("tool",), limit=NEWEST_CALLS)
        if intents:
            turns = self._journal.events(kinds=("task", "error", "success"), limit=NEWEST_CALLS)
            wanted = frozenset(intents)
            found += [
                each for each in turns if each.tool is None and wanted.intersection(words_of(each.body, "intent"))
            ]
        return found

    def earlier(self, record: EventRecord) -> Sequence[EventRecord]:
        """Give the events before a record in its session; before one that is not written yet, all others."""
        events = self._session_of(record)
        if not record.seq:
            return [each for each in events if each.id != record.id]
        return events[: bisect_left(events, record.seq, key=_seq)]

    def later(self, record: EventRecord) -> Sequence[EventRecord]:
        """Give the events after a record in its session."""
        events = self._session_of(record)
        return events[bisect_right(events, record.seq, key=_seq) :] if record.seq else ()

    def _session_of(self, record: EventRecord) -> Sequence[EventRecord]:
        if record.session is None:
            return ()
        key = (record.session, record.principal.user)
        events = self._sessions.get(key)
        if events is None:
            events = self._sessions[key] = self._journal.events(session=key[0], user=key[1])
        return events


def _seq(record: EventRecord) -> int:
    return record.seq
