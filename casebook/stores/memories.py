"""The memories of a folder: the files of sessions (L1) and what was learnt lately (L2), which people edit while it runs."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from casebook.faults import Fault, NotFoundError, StoreError
from casebook.forking import guarded
from casebook.limits import FILE_BYTES
from casebook.memory import Memory, UnfitMemoryError
from casebook.stores.atomic import replace_file, sweep
from casebook.stores.confined import hide, lock_path, own_folder
from casebook.stores.file_locks import file_lock
from casebook.stores.memory_file import MemoryFile, load, new_file, parse
from casebook.stores.reading import read_regular
from casebook.stores.splitting import SplitError

LEARNINGS = "medium_term/recent_learnings.json"
"""Where feedback waits to be judged."""

SHORT, MEDIUM = "short_term", "medium_term"

SESSION_ENTRIES = 200
"""Entries of outcomes that a session's file keeps, the newest: a long day of an agent, in a file that is read at a glance.
Older ones are in the journal."""

_LOCK = "memories.lock"
_SPARE_NAMES = 9
_PATIENCE = 5.0
"""Seconds; a write takes milliseconds."""
_HASTE = 0.05
"""The same after one has waited in vain, until one succeeds: an agent does not wait again and again."""
_POLL = 0.002
"""Seconds between two looks at the lock."""
_KNOWN_FILES = 64
"""Files whose layout is remembered, so that an entry more does not cost the reading of the rest."""


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a write.

    Attributes:
        path: the file, relative to the casebook's folder.
        trouble: what is wrong with a file that was left as it is, whose entries therefore went elsewhere; else empty.
    """

    path: str
    trouble: str = ""


class _BrokenError(StoreError):
    """A file that does not serve as it stands, and is therefore not written."""


class Memories:
    """The memory files of one folder. Safe from many threads and processes; raises StoreError where it cannot be written."""

    def __init__(self, root: Path | str, *, layer: str = "") -> None:
        """Take the casebook's folder; nothing is read or made before the first write."""
        self._root = Path(root)
        self._layer = layer
        self._lock = guarded(self, rank=6)
        self._known: dict[str, MemoryFile] = {}
        self._swept: set[str] = set()
        self._is_hasty = False

    def add(
        self,
        path: str,
        entries: Sequence[Memory],
        *,
        fields: Mapping[str, Any] | None = None,
        newest: int | None = None,
    ) -> Written:
        """Add memories to a file, or make it. What stands in it stays as it is; an id that it has is not added again.

        Args:
            path: the file, below `short_term/` or `medium_term/`.
            entries: the memories.
            fields: fields of the file itself, such as its session.
            newest: of the entries that come from outcomes only so many stay, the newest; others are never dropped.

        Returns:
            Where they stand: where a file is broken it is left as it is, and they go into `…-2.json` beside it.

        Raises:
            StoreError: it cannot be written, with the reason; everything is then as it was.
        """

        def change(file: MemoryFile) -> MemoryFile:
            there = file.ids()
            new = list({memory.id: memory for memory in entries if memory.id not in there}.values())
            if newest is not None:
                new = new[-newest:]
            drop = _oldest(file.values, newest - len(new)) if newest is not None else frozenset()
            changed = file.with_entries(new, drop) if new else file
            missing = {name: value for name, value in (fields or {}).items() if file.fields.get(name) != value}
            return changed.with_fields(missing) if missing else changed

        return self._change(path, change, fields or {})

    def edit(self, path: str, memory_id: str, changes: Mapping[str, Any]) -> Written:
        """Change fields of a memory, such as its status once it was judged; the rest of its text stays.

        Raises:
            NotFoundError: there is none of this id in the file (nor in `…-2.json` beside it).
            StoreError: the change makes it none that serves, or it cannot be written.
        """

        def change(file: MemoryFile) -> MemoryFile:
            for index, value in enumerate(file.values):
                if isinstance(value, dict) and value.get("id") == memory_id:
                    try:
                        Memory.from_json({**value, **changes})
                    except UnfitMemoryError as error:
                        raise StoreError(f"{memory_id} in {file.path}: {error}") from None
                    return file.with_entry(index, changes)
            raise NotFoundError(f"no memory called {memory_id} is in {file.path}")

        missing: StoreError | NotFoundError = NotFoundError(f"no memory called {memory_id} is in {path}")
        for name in _names(path):
            if not os.path.lexists(self._root / name):
                continue
            try:
                return self._change(name, change, {}, spare=False)
            except NotFoundError:
                continue
            except _BrokenError as error:
                missing = error
        raise missing

    def read(self, path: str) -> tuple[tuple[Memory, ...], tuple[Fault, ...]]:
        """Give the memories of one file, and what is wrong in it; nothing of either where there is no such file.

        A file that cannot be read or parsed is one fault.
        """
        path = _checked(path)
        try:
            file = parse(self._bytes(path), path)
        except FileNotFoundError:
            return (), ()
        except SplitError as error:
            return (), (self._whole(path, error),)
        except OSError as error:
            return (), (Fault(path, f"cannot be read: {_reason(error)}", layer=self._layer),)
        return load(file, self._layer)

    def paths(self) -> tuple[str, ...]:
        """Give the memory files there are, in path order."""
        found: list[str] = []
        for folder in (SHORT, MEDIUM):
            try:
                names = os.listdir(own_folder(self._root, folder))  # noqa: PTH208 - names are all that is wanted
            except OSError:
                continue
            found.extend(f"{folder}/{name}" for name in names if name.endswith(".json") and not name.startswith("."))
        return tuple(sorted(found))

    def _change(
        self, path: str, change: Callable[[MemoryFile], MemoryFile], fields: Mapping[str, Any], *, spare: bool = True
    ) -> Written:
        path = _checked(path)
        try:
            with self._locked():
                self._prepare(PurePosixPath(path).parts[0])
                file, trouble = self._found(path, fields, spare=spare)
                changed = change(file)
                if changed is not file:
                    self._write(changed)
                self._remember(changed)
                return Written(changed.path, trouble)
        except OSError as error:
            self._known.pop(path, None)
            raise StoreError(f"{path} in {self._root} cannot be written: {_reason(error)}") from error

    def _prepare(self, name: str) -> None:
        """Make a folder where it is missing; the first time take away what a writer that was killed left in it."""
        made = own_folder(self._root, name, create=True, mode=0o700 if name == SHORT else 0o777)
        if name not in self._swept:
            if name == SHORT:
                hide(made)
            sweep(made)
            self._swept.add(name)

    def _found(self, path: str, fields: Mapping[str, Any], *, spare: bool) -> tuple[MemoryFile, str]:
        """Give the file to write to as it stands now: of its names the first that is free or that serves."""
        trouble = ""
        for name in _names(path) if spare else (path,):
            try:
                file = self._as_it_stands(name)
            except FileNotFoundError:
                file = new_file(name, fields)
            except SplitError as error:
                trouble = trouble or str(self._whole(name, error))
                continue
            return file, f"{trouble}; it is left as it is, see {name}" if trouble else ""
        raise _BrokenError(f"not written, because the file does not serve as it stands: {trouble}")

    def _as_it_stands(self, name: str) -> MemoryFile:
        """Give a file; the very object of the last write where nobody has changed it since. Raises SplitError, OSError."""
        try:
            data = self._bytes(name)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.EMLINK):
                raise SplitError("expected a file, got a link") from None
            if error.errno == errno.EISDIR:
                raise SplitError("expected a file, got a folder") from None
            raise
        known = self._known.get(name)
        return known if known is not None and known.data == data else parse(data, name)

    def _bytes(self, path: str) -> bytes:
        own_folder(self._root, PurePosixPath(path).parts[0])
        return read_regular(str(self._root / path), FILE_BYTES, "file", follow=False)[0]

    def _write(self, file: MemoryFile) -> None:
        if len(file.data) > FILE_BYTES:
            raise StoreError(f"{file.path}: expected at most 16 MB (limit: file), it would be {len(file.data):,} bytes")
        replace_file(self._root / file.path, file.data)

    def _remember(self, file: MemoryFile) -> None:
        self._known.pop(file.path, None)
        self._known[file.path] = file
        while len(self._known) > _KNOWN_FILES:
            del self._known[next(iter(self._known))]

    def _whole(self, path: str, error: SplitError) -> Fault:
        return Fault(path, error.message, error.line, error.column, suggestion=error.suggestion, layer=self._layer)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the lock of memory files, first against this process's threads, for those would only poll for the file's."""
        with self._lock:
            lock = file_lock(lock_path(self._root, _LOCK))
            patience = _HASTE if self._is_hasty else _PATIENCE
            try:
                lock.acquire(timeout=patience, poll_interval=_POLL)
            except TimeoutError:
                self._is_hasty = True
                raise StoreError(
                    f"the memories of {self._root} are being written by another process: waited {patience:g} s"
                ) from None
            self._is_hasty = False
            try:
                yield
            finally:
                lock.release()


def _oldest(values: Iterable[Any], most: int) -> frozenset[int]:
    """Give the indexes of the entries of outcomes that are too many, in the order of the file."""
    ours = [
        index
        for index, value in enumerate(values)
        if isinstance(value, dict)
        and isinstance(source := value.get("source"), dict)
        and source.get("origin") == "outcome"
    ]
    return frozenset(ours[: max(0, len(ours) - max(0, most))])


def _names(path: str) -> Iterator[str]:
    """Give the names that a file's entries may stand under: its own, then `…-2.json` and so on."""
    yield path
    for number in range(2, _SPARE_NAMES + 1):
        yield f"{path.removesuffix('.json')}-{number}.json"


def _checked(path: str) -> str:
    """Give a file's path, or raise StoreError where no memory may stand there."""
    parts = PurePosixPath(path).parts
    if (
        len(parts) != 2
        or parts[0] not in (SHORT, MEDIUM)
        or parts[1].startswith(".")
        or not path.endswith(".json")
        or "\0" in path
        or "\\" in path
    ):
        raise StoreError(f"expected a .json file in {SHORT}/ or {MEDIUM}/, got {path!r}")
    return path


def _reason(error: OSError) -> str:
    return error.strerror or str(error)
