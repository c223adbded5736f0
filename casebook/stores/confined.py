"""Writing stays within a casebook's own folder, whatever links a cloned repository ships in the place of its folders."""

# Descriptors, for a file must be made only where nothing stands.
# ruff: noqa: PTH102, PTH123

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path

MACHINE = ".casebook"
"""The folder of machine state: locks and the compiled cache."""


def own_folder(root: Path, name: str, *, create: bool = False, mode: int = 0o777) -> Path:
    """Give a folder that is the casebook's own.

    Args:
        root: the casebook's folder, which may itself be reached by a link, since a person named it.
        name: the folder in it.
        create: whether it is made where nothing stands.
        mode: of a new one.

    Returns:
        Its path: a real folder inside `root`.

    Raises:
        FileNotFoundError: there is none, and it is not to be made.
        OSError: a link or a file stands in its place, or it cannot be made.
    """
    folder = root / name
    try:
        found = os.lstat(folder)
    except FileNotFoundError:
        if not create:
            raise
        with contextlib.suppress(FileExistsError):  # another process made it
            os.mkdir(folder, mode)
        found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode):
        got = "a link" if stat.S_ISLNK(found.st_mode) else "no folder"
        raise NotADirectoryError(errno.ENOTDIR, f"expected {name} to be a folder of the casebook's own, got {got}")
    return folder


def machine_folder(root: Path) -> Path:
    """Give the folder of machine state, made where it is missing, and hidden from git. Raises OSError."""
    folder = own_folder(root, MACHINE, create=True, mode=0o700)
    hide(folder)
    return folder


def lock_path(root: Path, name: str = "write.lock") -> Path:
    """Give the file of the writers' lock, in the folder of machine state. Raises OSError where something else stands there."""
    path = machine_folder(root) / name
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return path
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, f"expected {MACHINE}/{name} to be a file, got a link, folder, pipe or device")
    return path


def hide(folder: Path) -> None:
    """Keep git from seeing a folder; whatever stands in the place of its `.gitignore`, a dangling link too, is left."""
    try:
        handle = os.open(folder / ".gitignore", os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        return
    with open(handle, "wb") as stream:
        stream.write(b"*\n")


def refuse_outside(root: Path, folder: Path) -> None:
    """Raise OSError where links lead a folder (which need not be there yet) out of the casebook's."""
    inside = Path(os.path.realpath(root))
    if not Path(os.path.realpath(folder)).is_relative_to(inside):
        told = f"a link leads {folder.relative_to(root)} out of the casebook, and nothing is written there"
        raise OSError(errno.EXDEV, told)
