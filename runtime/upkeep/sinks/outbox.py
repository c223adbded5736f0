"""A sink: a file of JSON Lines in the casebook, for whoever reads it."""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path

from casebook.policy import Sink as Settings
from casebook.runtime.upkeep.sinks.protocol import SECONDS, Delivery, Place, SinkError
from casebook.stores.atomic import sync_folder
from casebook.stores.confined import MACHINE, lock_path, machine_folder, refuse_outside
from casebook.stores.file_locks import file_lock

NAME = f"{MACHINE}/outbox.jsonl"
"""The file where the policy names none, relative to the casebook's folder."""
ROTATED = 16 * 1024 * 1024
"""Bytes of a file from which on the next line begins a new one; the old one is kept beside it, numbered (ours)."""
_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


class Outbox:
    """A file to which each delivery is appended as a line; on disk when it has arrived. Safe from many processes."""

    seconds = SECONDS

    def __init__(self, root: Path, path: str) -> None:
        """Take the casebook's folder and the file in it."""
        self._root = root
        self.path = root / path

    def deliver(self, delivery: Delivery) -> None:
        """Append a line. Raises SinkError."""
        line = json.dumps({"id": delivery.id, **delivery.body}, ensure_ascii=False, separators=(",", ":")).encode()
        try:
            with file_lock(lock_path(self._root, "outbox.lock")).acquire(timeout=self.seconds / 2):
                self._append(line + b"\n")
        except TimeoutError:
            raise SinkError(f"{self.path}: another process holds its lock") from None
        except (OSError, ValueError) as error:
            told = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise SinkError(f"{self.path}: it cannot be written: {told}") from error

    def _append(self, line: bytes) -> None:
        folder = self.path.parent
        machine_folder(self._root)
        refuse_outside(self._root, folder)
        folder.mkdir(parents=True, exist_ok=True)
        handle = self._opened()
        try:
            size = os.fstat(handle).st_size
            if size and size + len(line) > ROTATED:
                self.path.rename(self._free_name())
                full, handle, size = handle, self._opened(), 0
                os.close(full)
            torn = (
                bool(size) and os.pread(handle, 1, size - 1) != b"\n"
            )  # a machine that stopped: the rest is a line of its own
            _write_whole(handle, b"\n" + line if torn else line, size)
            os.fsync(handle)
        finally:
            os.close(handle)
        if not size:
            sync_folder(folder)

    def _opened(self) -> int:
        handle = os.open(self.path, _FLAGS, 0o600)
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise OSError(errno.EINVAL, "expected a file, got a folder, pipe or device")
        return handle

    def _free_name(self) -> Path:
        number = 1
        while os.path.lexists(name := self.path.with_name(f"{self.path.stem}-{number}{self.path.suffix}")):
            number += 1
        return name


def _write_whole(handle: int, data: bytes, size: int) -> None:
    """Append data whole, or cut the file back to its size and raise OSError."""
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(handle, left) :]
    except OSError:
        os.ftruncate(handle, size)
        raise


def open_sink(settings: Settings, place: Place) -> Outbox:
    """Give the outbox that the policy describes. Raises SinkError."""
    if place.root is None:
        raise SinkError("an outbox: expected a casebook in a folder, got one without")
    path = settings.path or NAME
    parts = Path(path).parts
    if Path(path).is_absolute() or ".." in parts or "\0" in path or Path(path).suffix != ".jsonl":
        raise SinkError(f"an outbox: expected the path of a .jsonl file within the casebook, got {path!r}")
    if parts[0] == MACHINE and not (len(parts) == 2 and parts[1].startswith("outbox")):
        raise SinkError(f"an outbox: expected a file in {MACHINE} that is called outbox…, got {path!r}")
    return Outbox(place.root, path)
