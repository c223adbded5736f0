"""What stands in a casebook's folder, and whether it has changed: a stat a file, and a listing only where a folder changed."""

# Strings and os are several times faster than Path, and this runs before every task.
# ruff: noqa: PTH112, PTH116, PTH118, PTH208

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic_ns

Signature = tuple[int, int, int, int]
"""Modification time, size, inode and change time: what differs after any edit that a file system's clock can tell."""

_MILLISECOND = 1_000_000
_FINE = 50 * _MILLISECOND
_COARSE = 2_100 * _MILLISECOND
"""How long a file whose time stands still may still have been edited: kernels move a file's clock every 1 to 10 ms, and some
file systems (whole seconds are their mark) every 2 s."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A name that ends in `.json` below `long_term/`.

    Attributes:
        path: relative to the casebook's folder, with `/`.
        signature: of the file; None where it is none that can be read.
        trouble: why it is none, or None.
    """

    path: str
    signature: Signature | None
    trouble: str | None = None


def signature_of(found: os.stat_result) -> Signature:
    """Give the signature of what `stat` found."""
    return found.st_mtime_ns, found.st_size, found.st_ino, found.st_ctime_ns


def settles_at(signature: Signature) -> int:
    """Give until when, on the monotonic clock in ns, a file first seen now may change without its signature changing."""
    return monotonic_ns() + (_FINE if signature[0] % 1_000_000_000 else _COARSE)


class Watch:
    """Watches the JSON files below `long_term/` and the policy of one folder. Not for many threads at once."""

    def __init__(self, root: Path, policy_name: str) -> None:
        self._root = str(root)
        self._policy = os.path.join(self._root, policy_name)
        self._seen: list[tuple[str, Signature | None]] = []
        self._folders: dict[str, tuple[Signature | None, int]] = {}
        self._entries: list[Entry] = []

    def unchanged(self) -> bool:
        """Say whether all that was seen still has its signature."""
        for path, signature in self._seen:
            try:
                found = os.stat(path)
            except OSError:
                if signature is not None:
                    return False
            else:
                if (found.st_mtime_ns, found.st_size, found.st_ino, found.st_ctime_ns) != signature:
                    return False
        return True

    def scan(self) -> tuple[list[Entry], Signature | None]:
        """List what stands there now.

        Returns:
            The entries in path order, and the policy's signature (None where there is none).
        """
        folders: dict[str, tuple[Signature | None, int]] = {}
        entries = sorted(self._walk("long_term", (), folders), key=lambda entry: entry.path)
        policy = _signature(self._policy)
        self._folders = folders
        self._seen = [(self._policy, policy)]
        self._seen += [(os.path.join(self._root, name), signature) for name, (signature, _) in folders.items()]
        self._seen += [(os.path.join(self._root, entry.path), _plain(entry, self._root)) for entry in entries]
        return entries, policy

    def folders_settle_at(self) -> int:
        """Give until when, on the monotonic clock, a folder's listing may change unseen; 0 once it has been looked at since."""
        return max((at for _, at in self._folders.values()), default=0)

    def _walk(
        self, name: str, above: tuple[tuple[int, int], ...], folders: dict[str, tuple[Signature | None, int]]
    ) -> Iterator[Entry]:
        """List a folder and those below it; hidden names are left out, since editors keep their own files there."""
        full = os.path.join(self._root, name)
        try:
            found = os.stat(full)
            signature = signature_of(found)
            known = self._folders.get(name)
            if known is None or known[0] != signature:
                folders[name] = (signature, settles_at(signature))
            else:  # one last listing once it has settled
                folders[name] = (signature, 0 if monotonic_ns() > known[1] else known[1])
            names = sorted(os.listdir(full))
        except FileNotFoundError:
            folders[name] = (None, 0)
            return
        except OSError as error:
            folders.setdefault(name, (None, 0))
            yield Entry(name, None, f"expected a folder that can be read: {error.strerror}")
            return
        identity = (found.st_dev, found.st_ino)
        if identity in above:
            yield Entry(name, None, "expected a folder, got a link to a folder around it")
            return
        for each in names:
            if each.startswith("."):
                continue
            path = f"{name}/{each}"
            if each.endswith(".json"):
                yield _entry(self._root, path)
            elif os.path.isdir(os.path.join(self._root, path)):
                yield from self._walk(path, (*above, identity), folders)


def _entry(root: str, path: str) -> Entry:
    """Say what a name that ends in `.json` is."""
    try:
        found = os.stat(os.path.join(root, path))
    except OSError as error:
        return Entry(path, None, f"expected a file that can be read: {error.strerror}")
    if stat.S_ISDIR(found.st_mode):
        return Entry(path, None, "expected a file, got a folder")
    if not stat.S_ISREG(found.st_mode):
        return Entry(path, None, "expected a file, got a pipe, socket or device")
    return Entry(path, signature_of(found))


def _plain(entry: Entry, root: str) -> Signature | None:
    """Give what `stat` will say of an entry while nothing changes, whether or not it can be read."""
    return entry.signature if entry.signature is not None else _signature(os.path.join(root, entry.path))


def _signature(path: str) -> Signature | None:
    """Give the signature of a path, or None where there is nothing."""
    try:
        return signature_of(os.stat(path))
    except OSError:
        return None
