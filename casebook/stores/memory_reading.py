"""Keeps the memory files of one folder read: each is read again only when it has changed, and its last good version serves on."""

# Strings are faster than Path, and this runs before every task.
# ruff: noqa: PTH118

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic_ns
from typing import Final

from casebook.faults import Fault
from casebook.limits import FILE_BYTES
from casebook.stores.memory_entry import Shared
from casebook.stores.memory_file import MemoryFile, parse
from casebook.stores.memory_writing import FOLDERS
from casebook.stores.ownership import Owners, strange
from casebook.stores.reading import HEAD_BYTES, head_of, read_regular
from casebook.stores.splitting import SplitError, holds_memories
from casebook.stores.watching import TOP, Signature, settles_at, signature_of, unshown

MOST_FILES: Final = 20_000
"""Memory files of a casebook (ours: the design names no limit): each costs a `stat` before every task."""
MOST_BYTES: Final = 256 * 1024 * 1024
"""The memory files of one casebook together (ours)."""

LEAST: Final = 4
"""Files that are looked at before a task, however long it takes (ours)."""
_LOOKED_BYTES = 8 * 1024 * 1024
"""Of files whose times stand still, and that may have changed all the same, so many bytes are looked at in one call: 5 ms."""
_LAST_GOOD = "its last good version serves"


@dataclass(slots=True)
class _State:
    """A file as it was last seen.

    Attributes:
        signature: what it had then; None where it could not be read.
        settles: until when, on the monotonic clock in ns, it may change without its signature changing.
        seen: its bytes where they do not serve; None where `file` holds them.
        file: what serves of it; None where nothing does, or cases stand in it.
        fault: why its present bytes do not serve, or None.
    """

    signature: Signature | None = None
    settles: int = 0
    seen: bytes | None = None
    file: MemoryFile | None = None
    fault: Fault | None = None


@dataclass(slots=True)
class _Scan:
    """What stands in the folders.

    Attributes:
        files: the signatures of the files, by path, in path order.
        refused: why a name, or a folder, is none of ours, by path.
        taken: names at which something else stands that is not told: others say what is wrong with it.
        folders: the signatures of the folders; None where there is none.
    """

    files: dict[str, Signature] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    folders: dict[str, Signature | None] = field(default_factory=dict)


class MemoryReader:
    """Reads the memory files of one folder. Not for many threads at once, but for `unread_bytes`.

    Attributes:
        shared: what the memories have in common.
    """

    def __init__(self, root: Path, layer: str, owners: Owners = None) -> None:
        self._root = str(root)
        self._owners = owners
        self._layer = layer
        self.shared = Shared()
        self._states: dict[str, _State] = {}
        self._scan = _Scan()
        self._refused: dict[str, str] = {}
        self._folders_settle = 0
        self._watched: list[tuple[str, Signature | None]] = []
        self._next = 0
        self._is_dirty = False
        self._is_settled = False

    @property
    def files(self) -> dict[str, MemoryFile]:
        """Give the files that serve, in path order."""
        states = sorted(self._states.items())
        return {path: state.file for path, state in states if state.file is not None}

    @property
    def closed(self) -> frozenset[str]:
        """Give the paths at which nothing may be written: what stands there does not serve, or is no file of memories."""
        found = {path for path, state in self._states.items() if state.file is None or state.fault is not None}
        return frozenset(found | self._scan.taken | self._scan.refused.keys())

    @property
    def broken(self) -> frozenset[str]:
        """Give the paths of the files, or what should be files, whose present bytes do not serve."""
        found = {path for path, state in self._states.items() if state.fault is not None}
        return frozenset(found | self._refused.keys())

    def faults(self) -> Iterator[Fault]:
        """Give what is wrong, in path order, within a file in its order."""
        of_files = {path: state for path, state in self._states.items() if state.fault or state.file}
        for path in sorted({*of_files, *self._refused}):
            if path in self._refused:
                yield Fault(path, self._refused[path], layer=self._layer)
            state = of_files.get(path)
            if state is not None and state.fault is not None:
                yield state.fault
            if state is not None and state.file is not None:
                yield from state.file.faults

    def unchanged(self, within: int | None = None) -> bool:
        """Say whether all that was seen has its signature still, and had it for long enough. A `stat` a file.

        Args:
            within: nanoseconds after which no further file is looked at, though some may be left, with which the next call begins.
                (Each `stat` lets other threads in, and beside a busy one waits for its turn again.) The folders are looked at always,
                and `LEAST` files, so that each has its turn, however long the turns take.
        """
        if self._is_dirty or not self._is_settled:
            return False
        watched, begin = self._watched, 0
        if within is not None:
            end, folders = monotonic_ns() + within, len(FOLDERS)
            begin = self._next if folders <= self._next < len(watched) else folders
            watched = [*watched[:folders], *watched[begin:], *watched[folders:begin]]
        for at, (path, signature) in enumerate(watched):
            if within is not None and at >= folders + LEAST and monotonic_ns() > end:
                self._next = (begin - folders + at - folders) % (len(watched) - folders) + folders
                return True
            try:
                found = os.lstat(path)
            except OSError:
                if signature is not None:
                    return False
            else:
                if (found.st_mtime_ns, found.st_size, found.st_ino, found.st_ctime_ns) != signature:
                    return False
        return True

    def unread_bytes(self) -> int:
        """Give how many bytes are to be read, by names and times alone."""
        if self.unchanged():
            return 0
        states = self._states
        total = 0
        for path, signature in _scanned(self._root, self._owners).files.items():
            state = states.get(path)
            if state is None or state.signature != signature:
                is_of_cases = state is not None and state.file is None and path.startswith(TOP)
                total += min(signature[1], HEAD_BYTES) if is_of_cases else signature[1]
        return total

    def refresh(self) -> bool:
        """Read what has changed; say whether anything that can be seen has."""
        changed, self._is_dirty = self._is_dirty, True  # an exception from outside leaves it so
        before = self._scan.folders
        began = monotonic_ns()
        scan = _scanned(self._root, self._owners)
        self._note_folders(before, scan, began)
        changed |= self._refuse_some(scan)
        total = looked = 0
        for path, signature in scan.files.items():
            total += signature[1] if signature[1] <= FILE_BYTES else 0
            state = self._states.get(path)
            if state is None:
                state = self._states[path] = _State()
            if state.signature == signature and state.settles:
                if looked >= _LOOKED_BYTES:
                    continue  # it is unsettled on, and one of the next calls looks
                looked += signature[1]
            if state.signature != signature or state.settles:
                if total > MOST_BYTES:
                    told = f"expected memory files of at most {MOST_BYTES // 2**20} MB in all (limit: memories)"
                    changed |= self._refuse(path, state, told)
                    state.signature, state.settles = None, 0
                else:
                    changed |= self._refresh_file(path, state, signature)
        for path in [path for path in self._states if path not in scan.files]:
            changed |= self._states.pop(path).file is not None
        self._scan = scan
        self._watched = [
            *((os.path.join(self._root, name), found) for name, found in scan.folders.items()),
            *((os.path.join(self._root, path), state.signature) for path, state in self._states.items()),
        ]
        self._is_settled = not self._folders_settle and not any(state.settles for state in self._states.values())
        self._is_dirty = False
        return changed

    def adopt(self, file: MemoryFile) -> None:
        """Take in a file as it was just written; the next refresh tells of it."""
        state = self._states.setdefault(file.path, _State())
        state.file, state.fault, state.seen, state.signature = file, None, None, None
        self._is_dirty = True

    def note_gone(self) -> None:
        """Note that a file was just taken away; the next refresh tells of it."""
        self._is_dirty = True

    def forget_signatures(self) -> None:
        """Let the next refresh read every file again, whatever its time says."""
        for state in self._states.values():
            state.signature = None
        self._is_dirty = True

    def _note_folders(self, before: Mapping[str, Signature | None], scan: _Scan, began: int) -> None:
        """Note until when a folder's listing may change without its signature doing so."""
        young = [found for name, found in scan.folders.items() if found is not None and before.get(name) != found]
        if young:
            self._folders_settle = max(settles_at(found) for found in young)
        elif began > self._folders_settle:
            self._folders_settle = 0

    def _refuse_some(self, scan: _Scan) -> bool:
        """Note what is none of ours; say whether that is news."""
        changed = scan.refused != self._refused
        self._refused = scan.refused
        return changed

    def _refresh_file(self, path: str, state: _State, signature: Signature) -> bool:
        """Read one file; say whether anything changed."""
        full = os.path.join(self._root, path)
        began = monotonic_ns()
        try:
            if path.startswith(TOP):
                head, found = head_of(full, follow=False)
                if holds_memories(head.decode("utf-8", "ignore")) is False:
                    return self._leave(state, found, began)
            data, status = read_regular(full, FILE_BYTES, "file", follow=False)
        except FileNotFoundError:
            return False  # it went while it was looked at: the next scan tells
        except (SplitError, OSError) as error:
            told = error.message if isinstance(error, SplitError) else f"cannot be read: {error.strerror}"
            news = self._refuse(path, state, told)
            state.seen, state.signature, state.settles = None, signature, 0
            return news
        found = signature_of(status)
        if path.startswith(TOP) and state.file is None and not holds_memories(data.decode("utf-8", "replace")):
            return self._leave(state, found, began)
        changed = self._take(path, state, data)
        _note(state, found, began)
        return changed

    def _leave(self, state: _State, signature: Signature, began: int) -> bool:
        """Note a file of cases, which others read; say whether anything changed."""
        changed = state.file is not None or state.fault is not None
        state.file = state.fault = state.seen = None
        _note(state, signature, began)
        return changed

    def _take(self, path: str, state: _State, data: bytes) -> bool:
        """Take in a file's bytes; say whether anything changed."""
        known = state.file
        if data == (state.seen if state.seen is not None else known.data if known is not None else None):
            return False
        try:
            state.file = parse(data, path, self._layer, known, self.shared)
        except SplitError as error:
            news = self._refuse(path, state, error.message, error)
            state.seen = data
            return news
        state.seen = state.fault = None
        return True

    def _refuse(self, path: str, state: _State, message: str, error: SplitError | None = None) -> bool:
        """Note why a file does not serve; say whether that is news."""
        told = f"{message}; {_LAST_GOOD}" if state.file is not None else message
        fault = Fault(path, told, layer=self._layer)
        if error is not None:
            fault = Fault(path, told, error.line, error.column, suggestion=error.suggestion, layer=self._layer)
        news = fault != state.fault
        state.fault = fault
        return news


def _note(state: _State, signature: Signature, began: int) -> None:
    """Note that a file was read: from when on, and until when what it had then may change unseen."""
    if state.signature != signature:
        state.settles, state.signature = settles_at(signature), signature
    elif began > state.settles:
        state.settles = (
            0  # this was the last look: an edit may have come after the one before, as the signature settled
        )


def _scanned(root: str, owners: Owners) -> _Scan:
    """List the folders; what others could have written is refused."""
    scan = _Scan()
    for folder in FOLDERS:
        full = os.path.join(root, folder)
        try:
            found = os.lstat(full)
        except OSError:
            scan.folders[folder] = None
            continue
        scan.folders[folder] = signature_of(found)
        if not stat.S_ISDIR(found.st_mode):
            if folder != TOP:  # what is wrong with that one, the cases' own reading tells
                got = "a link" if stat.S_ISLNK(found.st_mode) else "no folder"
                scan.refused[folder] = f"expected a folder of the casebook's own, got {got}"
            continue
        if whose := strange(found, owners):
            if folder != TOP:
                scan.refused[folder] = whose
            continue
        try:
            with os.scandir(full) as listed:
                _list(folder, listed, scan, owners)
        except OSError as error:
            if folder != TOP:
                scan.refused[folder] = f"expected a folder that can be read: {error.strerror}"
    scan.files = dict(sorted(scan.files.items()))
    return scan


def _list(folder: str, listed: Iterator[os.DirEntry[str]], scan: _Scan, owners: Owners) -> None:
    """Take in the names of a folder; hidden ones are left out, since editors and writers keep their own files there."""
    for each in listed:
        name = each.name
        if not name.endswith(".json") or name.startswith("."):
            continue
        path = f"{folder}/{name}"
        shown = unshown(path)
        if shown is not None:
            trouble = "expected a name without control characters, in UTF-8"
        elif len(scan.files) >= MOST_FILES:
            trouble = f"expected at most {MOST_FILES:,} memory files (limit: names), the rest is not read"
            path = folder
        else:
            try:
                found = each.stat(follow_symlinks=False)
            except OSError:
                continue  # it went while it was looked at
            is_file = stat.S_ISREG(found.st_mode)
            whose = strange(found, owners) if is_file else None
            if is_file and whose is None:
                scan.files[path] = signature_of(found)
                continue
            trouble = whose or f"expected a file, got {_what(found.st_mode)}"
        if folder == TOP:
            scan.taken.add(path)
        else:
            scan.refused[shown or path] = trouble


def _what(mode: int) -> str:
    return "a link" if stat.S_ISLNK(mode) else "a folder" if stat.S_ISDIR(mode) else "a pipe, socket or device"
