"""The bytes of a file, read so that nothing hangs, nothing over the limit is read, and no half of an edit is taken."""

from __future__ import annotations

import os
import stat

from casebook.stores.splitting import SplitError
from casebook.stores.watching import Signature, signature_of

_TRIES = 3
_FLAGS = (
    os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
)
"""Without O_NONBLOCK, opening a pipe that took a file's place would wait for a writer."""


def read_bytes(path: str, limit: int, name: str) -> tuple[bytes, Signature]:
    """Read a file that may be a link to one.

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
    data, found = read_regular(path, limit, name)
    return data, signature_of(found)


HEAD_BYTES = 4096
"""Bytes from which a file of memories is told from one of cases, where they tell it."""


def head_of(path: str, *, follow: bool = True) -> tuple[bytes, Signature]:
    """Read the beginning of a file.

    Args:
        path: the file; what is none reads as empty.
        follow: whether the file may be a link; else a link is an OSError.

    Returns:
        At most `HEAD_BYTES` bytes, and the signature that the file had before.

    Raises:
        OSError: it cannot be read.
    """
    handle = os.open(path, _FLAGS if follow else _FLAGS | getattr(os, "O_NOFOLLOW", 0))
    try:
        found = os.fstat(handle)
        return os.read(handle, HEAD_BYTES) if stat.S_ISREG(found.st_mode) else b"", signature_of(found)
    finally:
        os.close(handle)


def read_regular(path: str, limit: int, name: str, *, follow: bool = True) -> tuple[bytes, os.stat_result]:
    """Read a file.

    Args:
        path: the file.
        limit: the most bytes that are read.
        name: what the limit is called.
        follow: whether the file may be a link; else a link is an OSError.

    Returns:
        The bytes, and what the file was when its reading began.

    Raises:
        SplitError: it is no regular file, or over the limit.
        OSError: it cannot be read.
    """
    flags = _FLAGS if follow else _FLAGS | getattr(os, "O_NOFOLLOW", 0)
    for attempt in range(_TRIES):
        handle = os.open(path, flags)
        try:
            found = os.fstat(handle)
            _refuse_bad(found, limit, name)
            with open(handle, "rb", buffering=0, closefd=False) as stream:
                data = stream.read(found.st_size + 1) or b""
            is_whole = len(data) == found.st_size and signature_of(os.fstat(handle)) == signature_of(found)
        finally:
            os.close(handle)
        if is_whole or attempt == _TRIES - 1:
            break
    return data, found


def _refuse_bad(found: os.stat_result, limit: int, name: str) -> None:
    """Raise SplitError where what was opened is no regular file, or over the limit."""
    if not stat.S_ISREG(found.st_mode):
        raise SplitError("expected a file, got a pipe, socket, folder or device")
    if found.st_size > limit:
        most = f"{limit // 2**20} MB" if limit >= 2**20 else f"{limit:,} bytes"
        raise SplitError(f"expected at most {most} (limit: {name}), got {found.st_size:,} bytes")
