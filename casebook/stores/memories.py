"""The memory files of a folder, one at a time, for what writes as it goes: the file of a session, and feedback that waits."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any, Final

from casebook.faults import Fault, NotFoundError, StoreError
from casebook.memory import Memory, UnfitMemoryError
from casebook.stores.confined import own_folder
from casebook.stores.memory_entry import Unfit
from casebook.stores.memory_file import MemoryFile, parse
from casebook.stores.memory_homes import AGED, LEARNINGS, home_of
from casebook.stores.memory_layout import Layout, new_file, relaid, with_fields
from casebook.stores.memory_store import Placed
from casebook.stores.memory_writing import (
    FOLDERS,
    LONG,
    MEDIUM,
    SHORT,
    SOFT_BYTES,
    MemoryPen,
    checked,
    names_of,
    reason_of,
)
from casebook.stores.splitting import SplitError, holds_memories

__all__ = ["AGED", "LEARNINGS", "LONG", "MEDIUM", "SESSION_ENTRIES", "SHORT", "Memories", "Written", "home_of"]

SESSION_ENTRIES: Final = 200
"""Entries of outcomes that a session's file keeps, the newest: a long day of an agent, in a file that is read at a glance.
Older ones are in the journal."""

_PATIENCE = 5.0
"""Seconds; a write takes milliseconds."""
_TRIES = 20
"""How often a file is written anew that somebody edits at that very moment (ours)."""
_KNOWN_FILES = 64
"""Files whose layout is remembered, so that an entry more does not cost the reading of the rest."""
_SPARE_NAMES = 1000
"""Names that are tried for a file that does not serve, or is full."""


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
    """The memory files of one folder. Safe from many threads and processes; raises StoreError where it cannot be written.

    It shares the lock of its files with `casebook.stores.memory_folder.FolderMemories`.
    """

    def __init__(self, root: Path | str, *, layer: str = "") -> None:
        """Take the casebook's folder; nothing is read or made before the first write."""
        self._root = Path(root)
        self._layer = layer
        self._pen = MemoryPen(self._root, _PATIENCE)
        self._known: dict[str, MemoryFile] = {}

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
            path: the file, below `short_term/`, `medium_term/` or `long_term/`.
            entries: the memories.
            fields: fields of the file itself, such as its session.
            newest: of the entries that come from outcomes only so many stay, the newest; others are never dropped.

        Returns:
            Where they stand: where a file is broken it is left as it is, and they go into `…-2.json` beside it; where it is full,
            too.

        Raises:
            StoreError: it cannot be written, with the reason; everything is then as it was.
        """

        def change(file: MemoryFile) -> MemoryFile:
            there = file.ids()
            new = list({memory.id: memory for memory in entries if memory.id not in there}.values())
            if newest is not None:
                new = new[-newest:]
            drop = _oldest(file, newest - len(new)) if newest is not None else set()
            changed = file
            if new:
                changed = relaid(file, Layout(dropped=drop, added=[memory.to_json() for memory in new]))
            missing = {name: value for name, value in (fields or {}).items() if file.fields.get(name) != value}
            return with_fields(changed, missing) if missing else changed

        ids = {memory.id for memory in entries} if newest is None else None
        return self._change(path, change, fields or {}, ids)

    def edit(self, path: str, memory_id: str, changes: Mapping[str, Any]) -> Written:
        """Change fields of a memory, such as its status once it was judged; the rest of its text stays.

        Raises:
            NotFoundError: there is none of this id in the file (nor in `…-2.json` beside it and so on).
            StoreError: the change makes it none that serves, or it cannot be written.
        """
        from casebook.stores.rewriting import edited

        def change(file: MemoryFile) -> MemoryFile:
            index = file.index_of(memory_id)
            if index is None:
                raise NotFoundError(f"no memory called {memory_id} is in {file.path}")
            try:
                Memory.from_json({**file.placed[memory_id].memory.to_json(), **changes})
            except UnfitMemoryError as error:
                raise StoreError(f"{memory_id} in {file.path}: {error}") from None
            return relaid(file, Layout(replaced={index: edited(file.text(index), changes, ())}))

        missing: StoreError | NotFoundError = NotFoundError(f"no memory called {memory_id} is in {path}")
        for name in islice(names_of(checked(path)), _SPARE_NAMES):
            if not os.path.lexists(self._root / name):
                break
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
        path = checked(path)
        try:
            file = self._parsed(path, self._pen.stored(path))
        except FileNotFoundError:
            return (), ()
        except SplitError as error:
            return (), (self._whole(path, error),)
        except OSError as error:
            return (), (Fault(path, f"cannot be read: {reason_of(error)}", layer=self._layer),)
        return file.memories, file.faults

    def paths(self) -> tuple[str, ...]:
        """Give the memory files there are, in path order; of `long_term/` those that hold memories, and not cases."""
        found: list[str] = []
        for folder in FOLDERS:
            try:
                names = os.listdir(own_folder(self._root, folder))  # noqa: PTH208 - names are all that is wanted
            except OSError:
                continue
            paths = [f"{folder}/{name}" for name in names if name.endswith(".json") and not name.startswith(".")]
            found.extend(path for path in paths if folder != LONG or self._holds_memories(path))
        return tuple(sorted(found))

    def _holds_memories(self, path: str) -> bool:
        try:
            return bool(holds_memories(self._pen.stored(path).decode("utf-8", "replace")))
        except (OSError, SplitError):
            return False

    def _change(
        self,
        path: str,
        change: Callable[[MemoryFile], MemoryFile],
        fields: Mapping[str, Any],
        ids: set[str] | None = None,
        *,
        spare: bool = True,
    ) -> Written:
        path = checked(path)
        try:
            with self._pen.held():
                self._pen.prepare(PurePosixPath(path).parts[0])
                for _ in range(_TRIES):
                    file, still, trouble = self._found(path, fields, ids, spare=spare)
                    changed = change(file)
                    if changed is file or self._pen.write(changed.path, changed.data, still):
                        self._remember(changed)
                        return Written(changed.path, trouble)
            raise StoreError(f"{path} in {self._root} is being edited so often that it cannot be written")
        except OSError as error:
            self._known.pop(path, None)
            raise StoreError(f"{path} in {self._root} cannot be written: {reason_of(error)}") from error
        except ValueError as error:  # half of a character, or what is no JSON
            raise StoreError(f"{path} in {self._root} cannot be written: {error}") from None

    def _found(
        self, path: str, fields: Mapping[str, Any], ids: set[str] | None, *, spare: bool
    ) -> tuple[MemoryFile, bytes | None, str]:
        """Give the file to write to as it stands now: of its names the first that is free or that serves, and is not full.

        With it the bytes that stand there, and what is wrong with the names before it.

        A file that is full serves what it has already.
        """
        trouble = ""
        for name in islice(names_of(path), _SPARE_NAMES) if spare else (path,):
            try:
                file = self._as_it_stands(name)
                still: bytes | None = file.data
            except FileNotFoundError:
                file, still = new_file(name, fields, self._layer), None
            except SplitError as error:
                trouble = trouble or str(self._whole(name, error))
                continue
            if spare and ids and len(file.data) >= SOFT_BYTES and not ids <= file.ids():
                continue
            return file, still, f"{trouble}; it is left as it is, see {name}" if trouble else ""
        raise _BrokenError(f"not written, because the file does not serve as it stands: {trouble}")

    def _as_it_stands(self, name: str) -> MemoryFile:
        """Give a file; the very object of the last write where nobody has changed it since. Raises SplitError, OSError."""
        data = self._pen.stored(name)
        known = self._known.get(name)
        return known if known is not None and known.data == data else self._parsed(name, data)

    def _parsed(self, path: str, data: bytes) -> MemoryFile:
        return parse(data, path, self._layer, self._known.get(path))

    def _remember(self, file: MemoryFile) -> None:
        self._known.pop(file.path, None)
        self._known[file.path] = file
        while len(self._known) > _KNOWN_FILES:
            del self._known[next(iter(self._known))]

    def _whole(self, path: str, error: SplitError) -> Fault:
        return Fault(path, error.message, error.line, error.column, suggestion=error.suggestion, layer=self._layer)


def _oldest(file: MemoryFile, most: int) -> set[int]:
    """Give the indexes of the entries of outcomes that are too many, in the order of the file."""
    ours = [index for index, item in enumerate(file.items) if _is_outcome(item)]
    return set(ours[: max(0, len(ours) - max(0, most))])


def _is_outcome(item: Placed | Unfit) -> bool:
    """Say whether an entry comes from an outcome; one that does not serve was written by somebody, and is never dropped."""
    return isinstance(item, Placed) and item.memory.source is not None and item.memory.source.origin == "outcome"
