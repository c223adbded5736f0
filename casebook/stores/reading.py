"""The bytes of a file, read so that nothing hangs, nothing over the limit is read, and no half of an edit is taken."""

# Descriptors, for a file must be opened without waiting.
# ruff: noqa: PTH123

from __future__ import annotations

import os
import stat

from casebook.stores.splitting import SplitError
from casebook.stores.watching import Signature, signature_of

_TRIES = 3


def read_bytes(path: str, limit: int, name: str) -> tuple[bytes, Signature]:
    """Read a file.

    Args:
        path: the file.
        limit: the most bytes that are read.
        name: what the limit is called.

    Returns:
        The bytes, and the signature that the file had when its reading began.

    Raises:
        SplitError: it is no regular file, or over the limit.
        OSError: it cannot be read.
    """
    data, signature = b"", (0, 0, 0, 0)
    for _ in range(_TRIES):
        # without O_NONBLOCK, opening a pipe that took the file's place would wait for a writer
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0))
        with open(handle, "rb", buffering=0) as stream:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                raise SplitError("expected a file, got a pipe, socket, folder or device")
            if found.st_size > limit:
                raise SplitError(f"expected at most {limit // 2**20} MB (limit: {name}), got {found.st_size:,} bytes")
            signature = signature_of(found)
            data = stream.read(found.st_size + 1) or b""
            if len(data) == found.st_size and signature_of(os.fstat(handle)) == signature:
                return data, signature
    return data, signature
