"""Work that nobody waits for: one thread, that ends where nothing is left to do."""

from __future__ import annotations

import logging
import os
import threading
import time
import weakref
from collections.abc import Callable, Hashable

from casebook.yielding import yielding

_log = logging.getLogger("casebook.memory")

_FEW = 1_000
"""Objects that may be dropped at once."""
_STRETCH, _REST = 200, 0.003
"""Objects that are dropped between two rests, under a millisecond, and seconds of a rest."""
_NEVER = threading.Event()
"""What nobody waits for."""

_all: weakref.WeakSet[Backstage] = weakref.WeakSet()


class Backstage:
    """Pieces of work by name, done one after another. A child that was forked has none, and no thread."""

    def __init__(self) -> None:
        """Begin without work."""
        self._start_anew()
        _all.add(self)

    def _start_anew(self) -> None:
        self._lock = threading.Lock()
        self._work: dict[Hashable, tuple[Callable[[], object], threading.Event]] = {}
        self._thread: threading.Thread | None = None
        self._outdated: list[list[object]] = []

    def ask(self, name: Hashable, work: Callable[[], object]) -> threading.Event:
        """Have a piece of work done, unless it waits or is being done already; give what is set when it is done."""
        with self._lock:
            waiting = self._work.get(name)
            if waiting is not None:
                return waiting[1]
            done = threading.Event()
            self._work[name] = work, done
            self._start()
            return done

    def let_go(self, outdated: list[object]) -> None:
        """Drop many objects a few at a time, when nothing else is to do; the list is emptied.

        Whoever drops the last of 100,000 memories at once holds up everybody for as long as they take to be taken apart.
        """
        if len(outdated) > _FEW:
            with self._lock:
                self._outdated.append(outdated)
                self._start()

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="casebook-memory", daemon=True)
            self._thread.start()

    def is_at(self, name: Hashable) -> bool:
        """Say whether a piece of work waits or is being done."""
        return name in self._work

    def settled(self) -> None:
        """Wait until nothing is left to do."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def close(self) -> None:
        """Drop what is to do; what is being done is finished by its thread, that nobody waits for."""
        with self._lock:
            for _, done in self._work.values():
                done.set()
            self._work.clear()
            self._outdated.clear()

    def leave(self) -> None:
        """Drop what is the parent's to do, in a child that was forked."""
        self._start_anew()

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._work and not self._outdated:
                    self._thread = None
                    return
                name, (work, done) = next(iter(self._work.items()), (None, (self._drop_some, _NEVER)))
            try:
                with yielding():
                    work()
            except Exception:  # noqa: BLE001  # the thread goes on with the rest; whoever asks is answered from what stands
                _log.exception("memories were not read anew")
            finally:
                with self._lock:
                    self._work.pop(name, None)
                done.set()

    def _drop_some(self) -> None:
        with self._lock:
            outdated = self._outdated[0] if self._outdated else []
            if not outdated:
                del self._outdated[:1]
                return
        time.sleep(_REST)  # first of all until those who are still asking what was there have their answer
        del outdated[-_STRETCH:]


def _leave_all() -> None:
    for each in list(_all):
        each.leave()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_all)
