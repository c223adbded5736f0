"""The past of a runtime: opened when it is first needed, for `match` in a new folder needs neither sqlite3 nor the detector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casebook.clock import Clock
from casebook.faults import ClosedError
from casebook.forking import guarded
from casebook.runtime.answering import Answering
from casebook.runtime.opening import folder_of

if TYPE_CHECKING:
    from casebook.runtime.journal.protocol import Journal
    from casebook.runtime.remembering import Remembering


class Past:
    """Opens the journal of a casebook and all that stands on it, once, and closes it. Safe from many threads."""

    def __init__(self, answering: Answering, clock: Clock, journal: Journal | None, *, completes: bool = True) -> None:
        """Open nothing yet.

        Args:
            answering: the casebook in service.
            clock: gives the present instant, aware.
            journal: instead of the one in the store's folder; it is closed with this.
            completes: whether what a process that was killed has left is completed as the journal is opened; else before the first
                outcome is taken.
        """
        self._answering = answering
        self._clock = clock
        self._journal = journal
        self._completes = completes
        self._lock = guarded(self, rank=-1)
        self._open: Remembering | None = None
        self._told: set[str] = set()
        self._is_closed = False

    def remembering(self, *, asks: bool = False) -> Remembering:
        """Give the past; what a killed process left is completed as it is opened.

        Args:
            asks: whether it is for a question, which takes no old words out of the journal, whatever the clock says.

        Raises:
            ClosedError: it was closed before it was ever opened.
        """
        past = self._open
        if past is None:
            with self._lock:
                past = self._open
                if past is None:
                    past = self._opened(asks=asks)
        return past

    def _opened(self, *, asks: bool) -> Remembering:
        from casebook.runtime.remembering import Remembering, opened

        if self._is_closed:
            raise ClosedError
        store = self._answering.store
        folder = folder_of(store)
        journal, trouble = (self._journal, "") if self._journal is not None else opened(folder, self._clock)
        past = self._open = Remembering(journal, store, self._clock, folder, trouble)
        if self._completes:
            policy = self._answering.policy_of(store.snapshot())
            past.catch_up(policy)
            if not asks:
                past.learner.let_go(policy)
        return past

    def remembered(self) -> Remembering | None:
        """Give the past for a question that leaves no trace: None where it has nothing to say, and no journal is made."""
        if self._open is not None or self._journal is not None:
            return self.remembering(asks=True)
        folder = folder_of(self._answering.store)
        if folder is None or not (folder / ".casebook" / "journal.db").exists():
            return None
        return self.remembering(asks=True)

    def new_troubles(self) -> tuple[str, ...]:
        """Give what is wrong with the journal, a sentence each, each once."""
        troubles = self._open.troubles if self._open is not None else ()
        new = tuple(each for each in troubles if each not in self._told)
        self._told.update(new)
        return new

    def flush(self) -> None:
        """Write what was journaled so far. Raises StoreError."""
        if self._open is not None:
            self._open.journal.flush()

    def close(self) -> None:
        """Write the journal and let it go. Closing twice is fine."""
        with self._lock:
            self._is_closed = True
        if self._open is not None:
            self._open.close()
        elif self._journal is not None:
            self._journal.close()
