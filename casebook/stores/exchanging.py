"""One file put in another's place so that an edit that came at this very moment comes out again and is not lost.

Linux exchanges two names in one step (`renameat2`): what stood there is then looked at, and put back where it is not what was read.
Elsewhere, and on file systems that cannot, it is looked at right before the rename.
"""

# Names and descriptors as the system takes them.
# ruff: noqa: PTH104, PTH105, PTH108, PTH123

from __future__ import annotations

import ctypes
import errno
import os
import stat
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

_NOREPLACE, _EXCHANGE = 1, 2
_AT_FDCWD = -100
_CANNOT = frozenset((errno.ENOSYS, errno.EINVAL, errno.EPERM, errno.EOPNOTSUPP))
"""What a system or a file system says that knows no such rename."""


def put(temporary: Path, target: Path, data: bytes, still: bytes | None) -> bool:
    """Put a temporary file in a file's place, if that is still what was read; the temporary one is gone afterwards in any case.

    Args:
        temporary: the file that holds `data`, beside the target.
        target: the file.
        data: the new bytes.
        still: what must stand there; None for nothing.

    Returns:
        Whether it was put. Else what somebody saved meanwhile stands there, the last of it where there was more; the one before it
        is kept beside it as `NAME.edit-…`.

    Raises:
        OSError: it cannot be written.
    """
    put_now = _put_new(temporary, target) if still is None else _put_over(temporary, target, data, still)
    if os.path.lexists(temporary):
        os.unlink(temporary)
    return put_now


def take(target: Path, aside: Path, still: bytes) -> bool:
    """Take a file away, if it is still what was read; else it stays. `aside` is a free name beside it. Raises OSError."""
    if standing(target) != still:
        return False
    try:
        os.rename(target, aside)
    except FileNotFoundError:
        return False
    is_ours = standing(aside) == still
    if not is_ours and not _put_new(aside, target):
        _keep(aside, target)  # a newer one that stands there by now stays
    if os.path.lexists(aside):
        os.unlink(aside)
    return is_ours


def _keep(edit: Path, target: Path) -> None:
    """Keep beside a file what somebody saved into it, and somebody else saved over at the very moment of our write."""
    if standing(edit):
        os.rename(edit, target.with_name(f"{target.name}.edit-{edit.name.rpartition('-')[2]}"))


def standing(path: Path) -> bytes | None:
    """Give the bytes of a file; None where nothing, or no file, stands there or it cannot be read."""
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return None
        with open(path, "rb") as stream:
            return stream.read()
    except OSError:
        return None


def _put_over(temporary: Path, target: Path, data: bytes, still: bytes) -> bool:
    if standing(target) != still:
        return False
    try:
        if not _renamed(temporary, target, _EXCHANGE):
            os.replace(temporary, target)
            return True
        if standing(temporary) == still:
            return True
        _renamed(temporary, target, _EXCHANGE)
        if standing(temporary) != data:  # somebody has saved once more, over ours: the last one counts
            _renamed(temporary, target, _EXCHANGE)
            _keep(temporary, target)
    except FileNotFoundError:
        pass  # somebody has taken it away: what was read stands no more
    return False


def _put_new(temporary: Path, target: Path) -> bool:
    """Put a file where none is; False where one is by now."""
    try:
        if not _renamed(temporary, target, _NOREPLACE):
            _linked(temporary, target)
    except FileExistsError:
        return False
    return True


def _linked(temporary: Path, target: Path) -> None:
    """Give a file a name that nothing bears, on systems that only know links, or not even these. Raises FileExistsError, OSError."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError):
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), os.fspath(target)) from None
        os.replace(temporary, target)


def _renamed(source: Path, target: Path, how: int) -> bool:
    """Rename in the way of `renameat2`; False where the system or the file system cannot. Raises OSError."""
    call = _renameat2()
    if call is None:
        return False
    if call(_AT_FDCWD, os.fsencode(source), _AT_FDCWD, os.fsencode(target), how) == 0:
        return True
    number = ctypes.get_errno()
    if number in _CANNOT:
        return False
    raise OSError(number, os.strerror(number), os.fspath(target))


@lru_cache(maxsize=1)
def _renameat2() -> Any:
    """Give the system's call; None where it has none."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return None
    call.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    call.restype = ctypes.c_int
    return call
