"""Locks on the journal's files: on one of its own while the database is made or moved aside, on the spill file while it is used."""

# Descriptors, for that is what is locked.

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_NAME = "journal.lock"
_TRIES = 200
_PAUSE = 0.01


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock under which the database is made and moved aside, against threads and processes alike.

    Args:
        folder: the folder of machine state, which must be there.

    Raises:
        TimeoutError: another process held it for two seconds.
        OSError: it cannot be made, or a link stands in its place.
    """
    path = folder / _NAME
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    try:
        with hold(handle, path):
            yield
    finally:
        os.close(handle)


@contextmanager
def hold(handle: int, path: Path) -> Iterator[None]:
    """Hold a file that is open.

    Args:
        handle: the open file.
        path: what it is called in messages.

    Raises:
        TimeoutError: another process held it for two seconds (tries a hundredth apart, for clocks can be frozen).
    """
    for attempt in range(_TRIES):
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            if attempt < _TRIES - 1:
                time.sleep(_PAUSE)
    else:
        raise TimeoutError(errno.ETIMEDOUT, f"another process holds {path}: waited {_TRIES * _PAUSE:.0f} s")
    try:
        yield
    finally:
        fcntl.flock(handle, fcntl.LOCK_UN)  # closing is not enough: a child forked meanwhile bears a copy of the handle
