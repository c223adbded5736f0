"""How often cases with `max_fires` were injected: read from the journal once, and counted on from there."""

from __future__ import annotations

import logging
import threading

from casebook.faults import StoreError
from casebook.runtime.journal.protocol import Journal

_log = logging.getLogger("casebook")


class JournalBudget:
    """The injections of cases, over all processes. Tasks at the same moment may overshoot a budget by one each."""

    def __init__(self, journal: Journal, lock: threading.RLock) -> None:
        """Begin with nothing read.

        Args:
            journal: what is counted.
            lock: held while it is; under it an injection is noted in the journal and counted here, both or neither for whoever asks.
        """
        self._journal = journal
        self._counts: dict[str, int] = {}
        self._changes = -1
        self._lock = lock

    def injections(self, case_id: str) -> int:
        """Give how often a case was injected; a journal that cannot be read gives what is known here."""
        with self._lock:
            try:
                changes = self._journal.changes()
                if changes != self._changes:
                    self._counts.clear()
                    self._changes = changes
                if case_id not in self._counts:
                    self._counts[case_id] = self._journal.fired(case_id).count
            except StoreError as error:
                _log.warning("casebook: the budget of %s is counted from memory alone: %s", case_id, error)
            return self._counts.setdefault(case_id, 0)

    def forget(self) -> None:
        """Begin with nothing read again: injections were forgotten."""
        with self._lock:
            self._counts.clear()
            self._changes = -1

    def inject(self, case_id: str) -> None:
        """Count an injection that this process makes, before it is written."""
        with self._lock:
            if case_id in self._counts:
                self._counts[case_id] += 1
