"""Files written so that a reader, or a machine that stops, sees the old one or the new one and never a part."""

# Descriptors, for what is written must be synced.
# ruff: noqa: PTH105, PTH108, PTH116, PTH123, PTH208

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from pathlib import Path
from types import EllipsisType

_MARK = ".casebook-"
_writing: set[str] = set()
"""The temporary files that this process is writing now, by their real paths."""


def replace_file(path: Path, data: bytes, still: bytes | EllipsisType | None = ...) -> bool:
    """Write a file in one step: a temporary one beside it, fsync, rename, fsync of the folder.

    Args:
        path: the file; a link stays a link, and what it leads to is written. A new file is 0600, an old one keeps its mode
            and, as far as may be, its owner.
        data: the bytes.
        still: what must stand there, None for nothing; `...` for whatever does. An edit that comes at this very moment stays.

    Returns:
        Whether it was written; False where something else stands there.

    Raises:
        OSError: it cannot be written; the file is then as it was.
    """
    target = Path(os.path.realpath(path))
    try:
        old = os.stat(target)
    except FileNotFoundError:
        old = None
    temporary = target.with_name(_temporary())
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    _writing.add(os.fspath(temporary))
    try:
        with open(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            if old is not None:
                _take_over(handle, old)
            os.fsync(handle)
        if isinstance(still, EllipsisType):
            os.replace(temporary, target)
            is_put = True
        else:
            from casebook.stores.exchanging import put  # ctypes, for those alone who write over what others may edit

            is_put = put(temporary, target, data, still)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    finally:
        _writing.discard(os.fspath(temporary))
    sync_folder(target.parent)
    return is_put


def remove_file(path: Path, still: bytes) -> bool:
    """Take a file away, if it is still what was read.

    Returns:
        Whether it went; False where somebody has edited it, or taken it away: an edit stays.

    Raises:
        OSError: it cannot be taken away.
    """
    from casebook.stores.exchanging import take

    aside = path.with_name(_temporary())
    _writing.add(os.path.realpath(aside))
    try:
        is_gone = take(path, aside, still)
    finally:
        _writing.discard(os.path.realpath(aside))
    sync_folder(path.parent)
    return is_gone


def _temporary() -> str:
    return f"{_MARK}{os.getpid()}-{secrets.token_hex(4)}"


def sync_folder(folder: Path) -> None:
    """Make a rename last, where the system can."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return  # some systems open no folders; the rename is still whole
    try:
        with contextlib.suppress(OSError):
            os.fsync(handle)
    finally:
        os.close(handle)


def sweep(folder: Path) -> None:
    """Take away temporary files that killed writers left; those of a writer that is alive, perhaps under another lock, stay."""
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            if is_leftover(name) and not _is_being_written(folder, name):
                with contextlib.suppress(OSError):
                    os.unlink(folder / name)


def _is_being_written(folder: Path, name: str) -> bool:
    """Say whether the process that made a temporary file is at work on it: alive, and of this one only what it is writing now."""
    pid = name.removeprefix(_MARK).partition("-")[0]
    if not pid.isdecimal():
        return False
    if int(pid) == os.getpid():
        return os.path.realpath(folder / name) in _writing
    try:
        os.kill(int(pid), 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True


def is_leftover(name: str) -> bool:
    """Say whether a file's name is that of a temporary one."""
    return name.startswith(_MARK)


def _take_over(handle: int, old: os.stat_result) -> None:
    """Give a new file the mode and the owner of the old one."""
    new = os.fstat(handle)
    if hasattr(os, "fchown") and (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        with contextlib.suppress(OSError):  # only root may give files away
            os.fchown(handle, old.st_uid, old.st_gid)
    if hasattr(os, "fchmod"):
        os.fchmod(handle, stat.S_IMODE(old.st_mode))
