"""Activations and tellings noted in memory, and written by one thread in the background, in batches."""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import sys
import threading
import weakref
from collections import deque
from collections.abc import Iterable
from queue import SimpleQueue
from typing import TYPE_CHECKING

from casebook.clock import elapsed
from casebook.faults import CasebookError, ClosedError
from casebook.runtime.journal.database import Database
from casebook.runtime.journal.protocol import Note
from casebook.runtime.journal.rows import Batch, activation_rows, event_row, telling_row, version_row

if TYPE_CHECKING:
    from casebook.memory_facts import Telling

_log = logging.getLogger("casebook.journal")
_EVERY = 0.05
"""Seconds without a note after which the writer writes."""
_PAUSES = 20
"""So many times it waits for a moment in which nothing is noted: a second in all."""
_MANY = 2_000
"""With more notes than that waiting the writer waits for nothing."""
_MOST = 10_000
"""With more notes than that waiting, whoever notes the next writes some of them."""
_BATCH = 256
"""Notes that are written in one transaction."""

_all: weakref.WeakSet[Notes] = weakref.WeakSet()


class Notes:
    """What was noted and is not written yet, of one journal."""

    def __init__(self, database: Database) -> None:
        """Take where it is written to."""
        self._database = database
        self._pending: deque[Note | tuple[Telling, ...]] = deque()
        self._is_awake = False
        self._is_closed = False
        self.troubles: tuple[str, ...] = ()
        self._start_anew()
        _all.add(self)

    def _start_anew(self) -> None:
        """Begin without a thread."""
        self._writing = threading.RLock()
        self._starting = threading.Lock()
        self._hurry = threading.Event()
        self._thread: threading.Thread | None = None
        self._wakes: SimpleQueue[Notes | None] = SimpleQueue()
        self._farewell = weakref.finalize(self, self._wakes.put, None)

    def add(self, make: Note) -> None:
        """Note an activation; the thread is woken where it sleeps."""
        self._take(make)

    def tell(self, tellings: Iterable[Telling]) -> None:
        """Note tellings, in the order in which activations are."""
        told = tuple(tellings)
        if told:
            self._take(told)

    def _take(self, noted: Note | tuple[Telling, ...]) -> None:
        self._pending.append(noted)
        if not self._is_awake:
            self._wake()
        elif len(self._pending) > _MOST:
            self.write_quietly(batches=1)

    def write(self, batches: int | None = None) -> None:
        """Write what was noted, or so many batches of it, not yet durable.

        Raises:
            StoreError: it can be kept nowhere: it is dropped then.
        """
        with self._writing:
            while self._pending and batches != 0:
                batches = None if batches is None else batches - 1
                batch = self._made()
                if batch:
                    self._database.write(batch, durable=False)

    def write_quietly(self, batches: int | None = None) -> None:
        """As `write`; what cannot be kept is dropped, and that is logged."""
        try:
            self.write(batches)
        except ClosedError:
            raise
        except CasebookError as error:
            told = f"activations were not journaled: {error}"
            if told not in self.troubles:
                self.troubles = (*self.troubles[-9:], told)
                _log.warning("%s", told)

    def close(self) -> None:
        """Write what was noted, quietly, and end the thread."""
        if self._is_closed:
            return
        try:
            self.write_quietly()
        finally:
            self._is_closed = True
            self._hurry.set()
            self._wakes.put(None)
            _all.discard(self)

    def leave(self) -> None:
        """Drop what is the parent's to write, in a child that was forked."""
        self._farewell.detach()
        self._pending.clear()
        self._is_awake = False
        self._start_anew()
        self._database.leave()

    def _made(self) -> Batch:
        """Give the rows of what waits now; what cannot be made is dropped, and that is logged."""
        batch = Batch()
        for _ in range(min(len(self._pending), _BATCH)):
            make = self._pending.popleft()
            try:
                if isinstance(make, tuple):
                    batch.tellings += [telling_row(each) for each in make]
                    continue
                activation, events, versions = make()
                rows = [event_row(each) for each in events], [version_row(each) for each in versions]
                batch.activations.append(activation_rows(activation))
            except Exception:  # noqa: BLE001  # whatever a maker raises, the rest is written
                _log.exception("what was noted was not journaled: its rows cannot be made")
                continue
            batch.events += rows[0]
            batch.versions += rows[1]
        return batch

    def _wake(self) -> None:
        """Have the thread write soon."""
        if self._is_closed:
            self._pending.clear()
            raise ClosedError
        self._is_awake = True
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=_run, args=(self._wakes,), name="casebook-journal", daemon=True)
                self._thread.start()
                _write_as_a_worker_ends()
        self._wakes.put(self)

    def write_soon(self) -> None:
        """Collect for a while, then write, until nothing waits; on the thread.

        Whoever asks shares the interpreter with it: it waits for a pause, and rests twice as long as it wrote.
        """
        rest = 0.0
        while not self._is_closed:
            self._hurry.wait(rest)
            self._await_pause()
            try:
                started = elapsed()
                self.write_quietly()
                rest = 2 * (elapsed() - started) if len(self._pending) < _MANY else 0
            except ClosedError:
                return
            except Exception:  # noqa: BLE001  # the thread goes on for what is noted next
                _log.exception("activations were not journaled")
            self._is_awake = False
            if not self._pending:  # looked at after the sleep was told: whoever notes later wakes the thread again
                return
            self._is_awake = True

    def _await_pause(self) -> None:
        """Wait until nothing was noted for a moment, at most a second; not where much waits."""
        for _ in range(_PAUSES):
            waiting = len(self._pending)
            if waiting > _MANY or self._hurry.wait(_EVERY) or len(self._pending) == waiting:
                return


def _run(wakes: SimpleQueue[Notes | None]) -> None:
    """Write for whoever wakes; holds no journal while it sleeps, so that one that nobody holds is let go."""
    while (notes := wakes.get()) is not None:
        notes.write_soon()
        del notes


def _leave_all() -> None:
    for notes in list(_all):
        notes.leave()


def _write_all() -> None:
    for notes in list(_all):
        with contextlib.suppress(CasebookError):
            notes.write_quietly()


def _write_as_a_worker_ends() -> None:
    """Have a child of `multiprocessing` write as it ends, for it leaves without what is registered with `atexit`."""
    processes = sys.modules.get("multiprocessing.process")
    if processes is not None and processes.parent_process() is not None:
        from multiprocessing.util import Finalize  # only in such a child, which has it already

        Finalize(None, _write_all, exitpriority=0)


atexit.register(_write_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_all)
