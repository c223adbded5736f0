"""Locks on files, between processes: `filelock`, imported by the first who writes, so that forks go on as they should."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from casebook.forking import outermost

if TYPE_CHECKING:
    from filelock import BaseFileLock

_is_imported = False


def file_lock(path: Path | str) -> BaseFileLock:
    """Give a lock on a file, made 0600; not held yet. It is the caller's who takes it under one of our own locks, or before."""
    global _is_imported  # noqa: PLW0603 - once a process
    from filelock import FileLock  # 13 ms that only a writer pays

    if not _is_imported:  # two threads may both: to register twice does no harm
        outermost()  # it has a lock of its own that a fork takes, and that is taken under ours
        _is_imported = True
    return FileLock(path, mode=0o600)
