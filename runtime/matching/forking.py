"""Locks that a fork leaves whole: taken before the fork, released in parent and child, so no session is caught half asked."""

from __future__ import annotations

import os
import threading
import weakref
from typing import Any

_locks: weakref.WeakKeyDictionary[object, threading.RLock] = weakref.WeakKeyDictionary()
_held: list[Any] = []
_registry = threading.Lock()


def guarded(owner: object) -> threading.RLock:
    """Give a new lock that is held during every fork for as long as its owner lives."""
    lock = threading.RLock()
    with _registry:
        _locks[owner] = lock
    return lock


def _before() -> None:
    _registry.acquire()
    for lock in list(_locks.values()):
        lock.acquire()
        _held.append(lock)


def _after() -> None:
    while _held:
        _held.pop().release()
    _registry.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_after, after_in_child=_after)
