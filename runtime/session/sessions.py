"""The live sessions of a runtime: made from the journal when they are first asked for, and kept up with other processes."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping

from casebook.faults import StoreError
from casebook.forking import guarded
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.session.live import LiveSession, catch_up, selected_in

SESSIONS = 256
"""Sessions that are kept live; of others the next task reads the journal again."""

EVENTS = 5_000
"""Events of a session that are read from the journal, the newest."""

_log = logging.getLogger("casebook")

Signatures = Callable[[], Mapping[str, str]]
"""Gives for each case that answers an error the signature of it."""


class Sessions:
    """The live sessions by id and user. Safe from many threads."""

    def __init__(self, journal: Journal, signatures: Signatures) -> None:
        """Begin with none."""
        self.lock = guarded(self, rank=4)
        self._journal = journal
        self._signatures = signatures
        self._live: OrderedDict[tuple[str, str | None], LiveSession] = OrderedDict()
        self._changes: dict[tuple[str, str | None], int] = {}

    def of(self, session: str, user: str | None) -> LiveSession:
        """Give a session as it stands now, what other processes wrote included.

        A journal that cannot be read gives the session as far as it is known here: a task is answered all the same.
        """
        key = (session, user)
        with self.lock:
            live, is_whole = self._live.get(key), True
            try:
                changes = self._journal.changes()
                if live is None:
                    live = LiveSession(session, user)
                    self._catch_up(live)
                elif self._changes.get(key) != changes:
                    is_whole = self._take_others(live)  # where it is not, the next task looks again
                if is_whole:
                    self._changes[key] = changes
            except StoreError as error:
                _log.warning("casebook: the session %s is answered from memory alone: %s", session, error)
                live = live or LiveSession(session, user)
            self._live[key] = live
            self._live.move_to_end(key)
            if len(self._live) > SESSIONS:
                gone, _ = self._live.popitem(last=False)
                self._changes.pop(gone, None)
            return live

    def forget(self) -> None:
        """Begin with none again: some of what they hold was forgotten."""
        with self.lock:
            self._live.clear()
            self._changes.clear()

    def absorb(self, event: EventRecord) -> None:
        """Take an event that this process has written; a session that is not live will read it from the journal."""
        if event.session is None:
            return
        with self.lock:
            live = self._live.get((event.session, event.principal.user))
            if live is not None:
                live.absorb(event, self._answered(event) if event.failed else ())

    def _answered(self, event: EventRecord) -> tuple[str, ...]:
        """Give the ids of the cases that were put in front of the agent by the answer to which an event belongs."""
        if event.activation is None:
            return ()
        try:
            return selected_in(self._journal.activation(event.activation))
        except StoreError:
            return ()

    def _catch_up(self, live: LiveSession) -> None:
        """Take what is written of a session, what this process has noted of it included."""
        found = self._journal.activations(session=live.session, limit=EVENTS)
        activations = [each for each in found if each.principal.user == live.user]
        events = self._journal.events(session=live.session, user=live.user, limit=EVENTS)
        catch_up(live, activations, events, self._signatures(), self._answered)
        live.answers = max((each.seq for each in found), default=0)

    def _take_others(self, live: LiveSession) -> bool:
        """Take what others wrote of a session since it was last read; False where it cannot be read now.

        Of what this process wrote, and has in memory, not a row is read: in an hour that is some thousand.
        """
        found = self._journal.arrived(
            live.session, live.user, answers=live.answers, seq=live.seq, is_known=live.knows, limit=EVENTS
        )
        if found is None:
            return False
        activations = [each for each in found.activations if each.principal.user == live.user]
        catch_up(live, activations, found.events, self._signatures(), self._answered)
        live.answers, live.seq = max(live.answers, found.answers), max(live.seq, found.seq)
        return True
