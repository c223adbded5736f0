"""Which folder it is that was trusted: its path, its place on the disk, a mark that only this user's machine has, and its owners.

The real path alone would pass on trust to whatever is cloned there after `rm -rf`. The inode tells most of these apart, but file
systems give the number of a deleted folder to the next one; so trusting also leaves a random mark in `.casebook`, which git does
not see. The mark alone would travel with a copy. Device numbers are left out: they change with a reboot.
"""

# Descriptors, for the mark must be made where nothing stands.
# ruff: noqa: PTH116, PTH123

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from casebook.stores.confined import MACHINE, machine_folder, own_folder
from casebook.stores.reading import read_regular
from casebook.stores.splitting import SplitError

_PARTS = ("", "long_term", "medium_term", "short_term", "memory-policy.yaml", MACHINE)
"""What decides what a casebook says: who may write there may make it say anything."""
_MARK = re.compile("[0-9a-f]{32}")
_MARKS = 32
"""Marks that are kept in a folder, the newest: one for each state folder, such as a container's, in which this user trusts it."""
_MOST_BYTES = 4096


def user_number() -> int:
    """Give the number of the user that this process acts as."""
    return os.geteuid()


@dataclass(frozen=True, slots=True)
class FolderIdentity:
    """A folder as it stands.

    Attributes:
        path: its real path.
        inode: of the folder.
        marks: what trusting it has left in it.
        strangers: the numbers of other users to whom it, or a part of it, belongs.
        open_part: a part that everybody may write to, relative to the folder, `.` for itself; empty where there is none.
    """

    path: str
    inode: int
    marks: frozenset[str]
    strangers: frozenset[int]
    open_part: str


def identity_of(folder: Path) -> FolderIdentity:
    """Look at a folder, through links to it. Raises OSError where there is none."""
    real = Path(os.path.realpath(folder))
    found = os.stat(real)
    if not stat.S_ISDIR(found.st_mode):
        raise NotADirectoryError(20, "expected a folder", str(folder))
    strangers, opened = set(), ""
    for name, part in _parts(real):
        if part.st_uid != user_number():
            strangers.add(part.st_uid)
        if part.st_mode & stat.S_IWOTH and not opened:
            opened = name or "."
    return FolderIdentity(str(real), found.st_ino, frozenset(_marks_of(real)), frozenset(strangers), opened)


def _parts(real: Path) -> Iterator[tuple[str, os.stat_result]]:
    for name in _PARTS:
        with contextlib.suppress(OSError):
            yield name, os.stat(real / name)


def _file_of(machine: Path) -> Path:
    return machine / f"trusted-by-{user_number()}"


def _marks_of(real: Path) -> list[str]:
    """Give the marks in this user's own file, the oldest first; what a repository brings may stand there, and is nobody's proof."""
    try:
        path = _file_of(own_folder(real, MACHINE))
        data, found = read_regular(str(path), _MOST_BYTES, "mark", follow=False)
    except (OSError, SplitError):
        return []
    return _MARK.findall(data.decode("ascii", "replace")) if found.st_uid == user_number() else []


def marked(folder: Path, old: str = "") -> tuple[FolderIdentity, str]:
    """Leave a new mark in a folder.

    Args:
        folder: the casebook's.
        old: the mark that the new one takes the place of; those of other state folders stay.

    Returns:
        The folder as it then stands, and the mark.

    Raises:
        OSError: there is no such folder, or the mark cannot be left in it, or not be read where it was left.
    """
    real = Path(os.path.realpath(folder))
    mark = secrets.token_hex(16)
    _write(real, [*(each for each in _marks_of(real) if each != old), mark][-_MARKS:])
    identity = identity_of(real)
    if mark not in identity.marks:
        raise OSError(f"what was written to {_file_of(real / MACHINE)} is not read back")
    return identity, mark


def unmarked(folder: Path, mark: str) -> None:
    """Take a mark out of a folder, where it is there and can be."""
    real = Path(os.path.realpath(folder))
    marks = _marks_of(real)
    if mark in marks:
        with contextlib.suppress(OSError):
            _write(real, [each for each in marks if each != mark])


def _write(real: Path, marks: list[str]) -> None:
    machine = machine_folder(real)
    temporary = machine / f".trusted.{os.getpid()}.{secrets.token_hex(4)}"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with open(handle, "wb") as stream:
            stream.write("".join(f"{each}\n" for each in marks).encode())
        temporary.replace(_file_of(machine))  # a link in its place goes, and what it leads to stays
    finally:
        temporary.unlink(missing_ok=True)
