"""What stands in a casebook's folder, and whether it has changed: a stat a file, and a listing only where a folder changed."""

# Strings and os are several times faster than Path, and this runs before every task.
# ruff: noqa: PTH112, PTH114, PTH116, PTH118

from __future__ import annotations

import os
import re
import stat
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from time import monotonic_ns
from typing import Final

from casebook.limits import FILE_BYTES
from casebook.stores.ownership import Owners, strange

Signature = tuple[int, int, int, int]
"""Modification time, size, inode and change time: what differs after any edit that a file system's clock can tell."""

TOP: Final = "long_term"
"""The folder that the cases stand in."""

MOST_NAMES: Final = 20_000
"""Names below `long_term/`, of files and folders (ours: the design names no limit): each costs a `stat` before every task."""
MOST_DEEP: Final = 32
"""How deep folders may stand in one another (ours)."""
MOST_BYTES: Final = 64 * 1024 * 1024
"""The files of one casebook together (ours): a link costs a repository nothing, and what it leads to is read and kept."""

_UNSHOWN = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""What would forge lines, or turn them round, wherever a name is shown; and the halves that stand for bytes that are no UTF-8."""

_MILLISECOND = 1_000_000
_FINE = 50 * _MILLISECOND
_COARSE = 2_100 * _MILLISECOND
"""How long a file whose time stands still may still have been edited: kernels move a file's clock every 1 to 10 ms, and some
file systems (whole seconds are their mark) every 2 s."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A name that ends in `.json` below `long_term/`.

    Attributes:
        path: relative to the casebook's folder, with `/`; in quotes where it could not be shown as it stands.
        signature: of the file; None where it is none that can be read.
        trouble: why it is none, or None.
        is_strange: whether others could have written it, so that nothing of it serves, not even what was read before.
    """

    path: str
    signature: Signature | None
    trouble: str | None = None
    is_strange: bool = False


def unshown(name: str) -> str | None:
    """Give a name as it may be shown where it holds control characters or bytes that are no UTF-8; None where it is plain."""
    if _UNSHOWN.search(name) is None:
        return None
    doubled = name.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + _UNSHOWN.sub(lambda found: f"\\u{ord(found[0]):04x}", doubled) + '"'


def signature_of(found: os.stat_result) -> Signature:
    """Give the signature of what `stat` found."""
    return found.st_mtime_ns, found.st_size, found.st_ino, found.st_ctime_ns


def settles_at(signature: Signature) -> int:
    """Give until when, on the monotonic clock in ns, a file first seen now may change without its signature changing."""
    return monotonic_ns() + (_FINE if signature[0] % 1_000_000_000 else _COARSE)


class Watch:
    """Watches the JSON files below `long_term/` and the policy of one folder. Not for many threads at once.

    Attributes:
        lost: which folder was not there, or could not be read, at the last scan: `.` (the casebook's own), `long_term`, or None.
    """

    def __init__(self, root: Path, policy_name: str, owners: Owners = None) -> None:
        self._root = str(root)
        self._owners = owners
        self._policy = os.path.join(self._root, policy_name)
        self._seen: list[tuple[str, Signature | None]] = []
        self._folders: dict[str, tuple[Signature | None, int]] = {}
        self.lost: str | None = None

    def unchanged(self) -> bool:
        """Say whether all that was seen still has its signature."""
        for path, signature in self._seen:
            if signature is None:  # asked without the exception, which costs more than the call
                if os.access(path, os.F_OK):
                    return False
                continue
            try:
                found = os.stat(path)
            except OSError:
                return False
            else:
                if (found.st_mtime_ns, found.st_size, found.st_ino, found.st_ctime_ns) != signature:
                    return False
        return True

    def scan(self) -> tuple[list[Entry], Signature | None]:
        """List what stands there now, within the limits above; what is over one is an entry that says so.

        Returns:
            The entries in path order, and the policy's signature (None where there is none).
        """
        policy = _signature(self._policy)
        # asked after the policy, which must not seem deleted where its folder is gone
        has_root = policy is not None or os.path.isdir(self._root)
        walk = _Walk(self._root, self._folders, self._owners)
        walk.run(TOP)
        entries = _within(self._root, sorted(walk.entries, key=lambda entry: entry.path), walk.sizes)
        self._folders = walk.folders
        self._seen = [(self._policy, policy), *walk.seen]
        has_top = not walk.lost and os.path.isdir(os.path.join(self._root, TOP))  # it may have gone while it was walked
        has_root = has_top or (has_root and os.path.isdir(self._root))
        self.lost = "." if not has_root else None if has_top else TOP
        if self.lost == ".":
            self._seen.append((self._root, None))  # it may come back without a policy and without `long_term/`
        return entries, policy

    def folders_settle_at(self) -> int:
        """Give until when, on the monotonic clock, a folder's listing may change unseen; 0 once it has been looked at since."""
        return max((at for _, at in self._folders.values()), default=0)


@dataclass(slots=True)
class _Walk:
    """One walk through a folder and those below it, each real folder once: by its own path, else by the first link to it.

    Attributes:
        root: the casebook's folder.
        known: the folders of the walk before.
        owners: whose the files and folders may be.
        folders: each folder's signature, and until when it may change unseen.
        entries: what was found.
        sizes: the sizes of the files among them.
        seen: what `stat` will say of all that was found, while nothing changes.
        lost: whether the folder that the walk began with is not there, or cannot be read.
    """

    root: str
    known: dict[str, tuple[Signature | None, int]]
    owners: Owners
    folders: dict[str, tuple[Signature | None, int]] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    sizes: dict[str, int] = field(default_factory=dict)
    seen: list[tuple[str, Signature | None]] = field(default_factory=list)
    lost: bool = False
    _names: int = 0
    _visited: dict[tuple[int, int], str] = field(default_factory=dict)
    _links: deque[tuple[str, int]] = field(default_factory=deque)

    def run(self, top: str) -> None:
        """Walk: a folder and all real ones below it first, then what links lead to."""
        self._links.append((top, 0))
        while self._links:
            pending = [self._links.popleft()]
            while pending and self._names <= MOST_NAMES:
                name, depth = pending.pop()
                pending += [(below, depth + 1) for below in reversed(self._list(name, depth))]

    def _list(self, name: str, depth: int) -> Sequence[str]:
        """List a folder, and give the real ones in it; hidden names are left out, since editors keep their own files there."""
        full = os.path.join(self.root, name)
        try:
            found = os.stat(full)
            whose = strange(found, self.owners)
            trouble = whose or self._trouble(name, found, depth)
            if trouble is not None:
                self._refuse(name, full, trouble, is_strange=whose is not None)
                return ()
            self._note(name, full, signature_of(found))
            with os.scandir(full) as listed:
                plain = (each.name for each in listed if not each.name.startswith("."))
                names = sorted(islice(plain, MOST_NAMES + 1))
        except FileNotFoundError:
            self.lost |= name == TOP
            if name not in self.folders:
                self._note(name, full, None)
            return ()
        except OSError as error:
            self.lost |= name == TOP
            self._refuse(name, full, f"expected a folder that can be read: {error.strerror}")
            return ()
        below = []
        for each in names:
            self._names += 1
            if self._names > MOST_NAMES:
                told = (
                    f"expected at most {MOST_NAMES:,} names of files and folders (limit: names), the rest is not read"
                )
                self.entries.append(Entry(name, None, told))
                break
            if self._take(f"{name}/{each}", depth):
                below.append(f"{name}/{each}")
        return below

    def _trouble(self, name: str, found: os.stat_result, depth: int) -> str | None:
        """Say why a folder is not to be listed, or give None and note that it is."""
        if depth > MOST_DEEP:
            return f"expected folders at most {MOST_DEEP} deep (limit: depth)"
        if not found.st_ino:  # a file system that numbers nothing; the other limits hold
            return None
        before = self._visited.setdefault((found.st_dev, found.st_ino), name)
        if before == name:
            return None
        if name.startswith(f"{before}/"):
            return "expected a folder, got a link to a folder around it"
        return f"expected a folder, got a link to one that is read already, as {before}"

    def _take(self, path: str, depth: int) -> bool:
        """Take in a name; say whether it is a real folder. Folders that links lead to wait for their turn."""
        full = os.path.join(self.root, path)
        is_file = path.endswith(".json")
        if not is_file and not os.path.isdir(full):
            return False
        shown = unshown(path)
        if shown is not None:
            self.seen.append((full, _signature(full)))
            self.entries.append(Entry(shown, None, "expected a name without control characters, in UTF-8"))
            return False
        if is_file:
            self._take_file(path, full)
            return False
        if os.path.islink(full):
            self._links.append((path, depth + 1))
            return False
        return True

    def _take_file(self, path: str, full: str) -> None:
        """Take in what a name that ends in `.json` is."""
        try:
            found = os.stat(full)
        except OSError as error:
            self._refuse(path, full, f"expected a file that can be read: {error.strerror}")
            return
        if stat.S_ISDIR(found.st_mode):
            self._refuse(path, full, "expected a file, got a folder")
        elif not stat.S_ISREG(found.st_mode):
            self._refuse(path, full, "expected a file, got a pipe, socket or device")
        elif whose := strange(found, self.owners):
            self._refuse(path, full, whose, is_strange=True)
        else:
            signature = signature_of(found)
            self.entries.append(Entry(path, signature))
            self.sizes[path] = found.st_size
            self.seen.append((full, signature))

    def _note(self, name: str, full: str, signature: Signature | None) -> None:
        """Note a folder, which is to be listed once more when it has settled."""
        known = self.known.get(name)
        if signature is None:
            settles = 0
        elif known is None or known[0] != signature:
            settles = settles_at(signature)
        else:
            settles = 0 if monotonic_ns() > known[1] else known[1]
        self.folders[name] = (signature, settles)
        self.seen.append((full, signature))

    def _refuse(self, path: str, full: str, trouble: str, *, is_strange: bool = False) -> None:
        """Note what is none of ours, and why."""
        self.entries.append(Entry(path, None, trouble, is_strange))
        self.seen.append((full, _signature(full)))


def _within(root: str, entries: list[Entry], sizes: dict[str, int]) -> list[Entry]:
    """Refuse, in path order, the files that are over the limit of all of them together."""
    if sum(sizes.values()) <= MOST_BYTES:
        return entries
    sizes = {path: size for path, size in sizes.items() if not _holds_memories(os.path.join(root, path))}
    kept, total = [], 0
    for entry in entries:
        size = sizes.get(entry.path, 0) if entry.trouble is None else 0
        size = size if size <= FILE_BYTES else 0  # refused, and not read
        if total + size > MOST_BYTES:
            told = (
                f"expected files of at most {MOST_BYTES // 2**20} MB in all (limit: casebook), and this one is over it"
            )
            kept.append(Entry(entry.path, None, told))
            continue
        total += size
        kept.append(entry)
    return kept


def _holds_memories(full: str) -> bool:
    """Say whether a file is one of memories, which is not read as cases and does not weigh."""
    from casebook.stores.reading import head_of  # which itself imports this
    from casebook.stores.splitting import holds_memories

    try:
        return bool(holds_memories(head_of(full)[0].decode("utf-8", "ignore")))
    except OSError:
        return False


def _signature(path: str) -> Signature | None:
    """Give the signature of a path, or None where there is nothing."""
    try:
        return signature_of(os.stat(path))
    except OSError:
        return None
