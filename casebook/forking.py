"""Locks that a fork leaves whole: taken before the fork, released in parent and child, so nothing is caught half done."""

from __future__ import annotations

import os
import threading
import weakref
from typing import Any

_locks: weakref.WeakKeyDictionary[object, tuple[int, threading.RLock]] = weakref.WeakKeyDictionary()
_held: list[Any] = []
_registry = threading.RLock()


def guarded(owner: object, rank: int) -> threading.RLock:
    """Give a new lock that is held during every fork for as long as its owner lives.

    Args:
        owner: whose lock it is; weakly held.
        rank: where it stands among locks that are taken one inside another, outermost first: 0 a runtime, 1 layers of stores,
            2 a store, 3 a matcher, 4 what is live of the past, 5 the routing of outcomes, 6 the files of memories, 7 the events of a
            session. The fork takes them in this order, as everybody does, so that it waits for nobody who waits for it.
    """
    lock = threading.RLock()
    with _registry:
        _locks[owner] = (rank, lock)
    return lock


def _before() -> None:
    with _registry:  # not held while waiting: whoever holds one of the locks may be making another
        known = sorted(_locks.values(), key=lambda pair: pair[0])
    for _, lock in known:
        lock.acquire()
        _held.append(lock)
    _registry.acquire()


def _after() -> None:
    _registry.release()
    while _held:
        _held.pop().release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_after, after_in_child=_after)
