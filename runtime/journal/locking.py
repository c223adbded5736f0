"""The lock that is held while the journal's files are made, moved aside, or written beside the database."""

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
def locked(folder: Path, *, tries: int = _TRIES) -> Iterator[None]:
    """Hold the lock, against threads and processes alike.

    Args:
        folder: the folder of machine state, which must be there.
        tries: how often it is tried, a hundredth of a second apart (tries, for clocks can be frozen): two seconds.

    Raises:
        TimeoutError: another process held it all the while.
        OSError: it cannot be made, or a link stands in its place.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    handle = os.open(folder / _NAME, flags, 0o600)
    try:
        _acquire(handle, folder, tries)
        try:
            yield
        finally:
            fcntl.flock(handle, fcntl.LOCK_UN)  # a child forked meanwhile bears a copy of the descriptor
    finally:
        os.close(handle)


def _acquire(handle: int, folder: Path, tries: int) -> None:
    for attempt in range(tries):
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if attempt < tries - 1:
                time.sleep(_PAUSE)
        else:
            return
    raise TimeoutError(errno.ETIMEDOUT, f"another process holds {folder / _NAME}: waited {tries * _PAUSE:.0f} s")
