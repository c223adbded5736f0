"""Locks that a fork leaves whole: taken before the fork, released in parent and child, so nothing is caught half done."""

from __future__ import annotations

import logging  # noqa: F401 - its lock is taken under ours: its hook has to be there before ours (see `outermost`)
import os
import threading
import weakref
from typing import Any

_locks: weakref.WeakKeyDictionary[object, tuple[int, threading.RLock]] = weakref.WeakKeyDictionary()
_held: list[Any] = []
_registry = threading.RLock()
_forking: int | None = None
"""The thread that holds them all for its fork."""


def guarded(owner: object, rank: int) -> threading.RLock:
    """Give a new lock that is held during every fork for as long as its owner lives.

    Args:
        owner: whose lock it is; weakly held.
        rank: where it stands among locks that are taken one inside another, outermost first: 0 a runtime, 1 layers of stores,
            2 a store, 3 a matcher, 4 what is live of the past, 5 the routing of outcomes, and changes of memories, 6 the files of
            memories, 7 the events of a session, 8 the memories as they were last read. The fork takes them in this order, as
            everybody does, so that it waits for nobody who waits for it.
    """
    lock = threading.RLock()
    with _registry:
        _locks[owner] = (rank, lock)
    return lock


def outermost() -> None:
    """Take the locks before what has registered itself for forks until now takes its own.

    For a library whose locks are taken under ours, once it is imported: the hooks of a fork run from the last one registered to
    the first, and would take its locks first.
    """
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=_before, after_in_parent=_after, after_in_child=_after)


def _before() -> None:
    global _forking  # noqa: PLW0603 - one fork at a time holds the locks
    if _forking == threading.get_ident():  # registered more than once
        return
    with _registry:  # not held while waiting: whoever holds one of the locks may be making another
        known = sorted(_locks.values(), key=lambda pair: pair[0])
    for _, lock in known:
        lock.acquire()
        _held.append(lock)
    _registry.acquire()
    _forking = threading.get_ident()


def _after() -> None:
    global _forking  # noqa: PLW0603 - see above
    if _forking != threading.get_ident():
        return
    _forking = None
    _registry.release()
    while _held:
        _held.pop().release()


outermost()
