"""What writing the memory files of a folder takes: their lock, their folders, and one file written in one step."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path, PurePosixPath

from casebook.faults import StoreError
from casebook.forking import guarded
from casebook.limits import FILE_BYTES
from casebook.stores.atomic import remove_file, replace_file, sweep
from casebook.stores.confined import hide, lock_path, own_folder
from casebook.stores.file_locks import file_lock
from casebook.stores.reading import read_regular
from casebook.stores.splitting import SplitError
from casebook.stores.watching import unshown

LOCK = "memories.lock"
"""Held while one file is read and written."""

BATCH_LOCK = "memories.batch.lock"
"""Held, outside the other, while a batch of changes is planned and written: of those who plan there is one at a time, and who
only adds to a file, such as the outcomes of a task, does not wait for them."""

LONG, MEDIUM, SHORT = FOLDERS = ("long_term", "medium_term", "short_term")
"""Where memories stand, in path order: L3, L2, L1."""

SOFT_BYTES = 2 * 1024 * 1024
"""A file of so many bytes takes no new memories: the next of its names does."""

_HASTE = 0.05
"""Seconds that are waited once one has waited in vain, until one succeeds: an agent does not wait again and again."""
_POLL = 0.002
"""Seconds between two looks at the lock."""


class FolderLock:
    """A lock of a folder's, between threads and processes."""

    def __init__(self, root: Path, name: str, *, patience: float, rank: int) -> None:
        """Take the folder, the lock's name, how many seconds it is waited for, and its rank among locks (`casebook.forking`)."""
        self._root = root
        self._name = name
        self._patience = patience
        self._lock = guarded(self, rank)
        self._is_hasty = False

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock, first against this process's threads, for those would only poll for the file's.

        Raises:
            StoreError: another process holds it for too long.
            OSError: it cannot be made.
        """
        with self._lock:
            lock = file_lock(lock_path(self._root, self._name))
            patience = _HASTE if self._is_hasty else self._patience
            try:
                lock.acquire(timeout=patience, poll_interval=_POLL)
            except TimeoutError:
                self._is_hasty = True
                raise StoreError(
                    f"the memories of {self._root} are being written by another process: waited {patience:g} s"
                ) from None
            self._is_hasty = False
            try:
                yield
            finally:
                lock.release()


class MemoryPen:
    """Writes the memory files of one folder, each under their lock, which is never held for longer than a write takes."""

    def __init__(self, root: Path, patience: float) -> None:
        """Take the folder, and how many seconds another writer is waited for."""
        self._root = root
        self._lock = FolderLock(root, LOCK, patience=patience, rank=6)
        self._swept: set[str] = set()

    def held(self) -> AbstractContextManager[None]:
        """Hold the lock of memory files; as `FolderLock.held`."""
        return self._lock.held()

    def prepare(self, folder: str) -> None:
        """Make a folder where it is missing; the first time take away what a writer that was killed left in it. Raises OSError."""
        made = own_folder(self._root, folder, create=True, mode=0o700 if folder == SHORT else 0o777)
        if folder not in self._swept:
            if folder == SHORT:
                hide(made)
            sweep(made)
            self._swept.add(folder)

    def stored(self, path: str) -> bytes:
        """Give the bytes of a file as it stands. Raises SplitError where something else stands there, and OSError."""
        own_folder(self._root, PurePosixPath(path).parts[0])
        try:
            return read_regular(str(self._root / path), FILE_BYTES, "file", follow=False)[0]
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.EMLINK):
                raise SplitError("expected a file, got a link") from None
            if error.errno == errno.EISDIR:
                raise SplitError("expected a file, got a folder") from None
            raise

    def write(self, path: str, data: bytes, still: bytes | None) -> bool:
        """Write a file where it is still what was read (None: there is none); say whether it was.

        Raises:
            StoreError: it would be too large.
            OSError: it cannot be written.
        """
        if len(data) > FILE_BYTES:
            raise StoreError(f"{path}: expected at most 16 MB (limit: file), it would be {len(data):,} bytes")
        return replace_file(self._root / path, data, still)

    def remove(self, path: str, still: bytes) -> bool:
        """Take a file away where it is still what was read; say whether it was. Raises OSError."""
        return remove_file(self._root / path, still)


def names_of(path: str) -> Iterator[str]:
    """Give the names that a file's entries may stand under: its own, then `…-2.json` and so on, without end."""
    yield path
    stem, number = path.removesuffix(".json"), 2
    while True:
        yield f"{stem}-{number}.json"
        number += 1


def checked(path: str) -> str:
    """Give a file's path, or raise StoreError where no memory may stand there."""
    parts = PurePosixPath(path).parts
    if (
        len(parts) != 2
        or parts[0] not in FOLDERS
        or parts[1].startswith(".")
        or not path.endswith(".json")
        or path != "/".join(parts)
        or "\\" in path
        or unshown(path) is not None
    ):
        raise StoreError(f"expected a .json file in {SHORT}/, {MEDIUM}/ or {LONG}/, got {path!r}")
    return path


def reason_of(error: OSError) -> str:
    """Say why something cannot be read or written."""
    return error.strerror or os.strerror(error.errno) if error.errno else str(error)
