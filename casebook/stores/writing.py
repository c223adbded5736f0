"""Changes to a folder's files: under a lock, one element at a time, over what stands there now."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path, PurePosixPath
from typing import Any

from casebook.case import Case
from casebook.clock import Clock
from casebook.faults import Fault, NotFoundError, StoreError
from casebook.limits import FILE_BYTES
from casebook.stores import archive
from casebook.stores.archive import Archived
from casebook.stores.atomic import replace_file, sweep
from casebook.stores.case_file import CaseFile
from casebook.stores.confined import lock_path, refuse_outside
from casebook.stores.elements import Element, load, version_of
from casebook.stores.file_locks import file_lock
from casebook.stores.loading import Loader
from casebook.stores.reading import read_bytes
from casebook.stores.rewriting import Layout, appended, edited, removed, replaced, written
from casebook.stores.splitting import SplitError
from casebook.stores.watching import unshown

_PATIENCE = timedelta(seconds=20)
_TRIES = 20
_NO_FILE = b"\0"
"""Stands for bytes that could not be read: equal to those of no file that serves."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a case stands: its file, and which of its elements it is."""

    file: CaseFile
    index: int

    @property
    def element(self) -> Element:
        """Give the element."""
        return self.file.elements[self.index]


class Writer:
    """Writes the files of one folder."""

    def __init__(
        self, root: Path, clock: Clock, loader: Loader, refresh: Callable[[], object], lock: threading.RLock
    ) -> None:
        """Take the folder, what dates the archive, what reads the files and brings it up to date, and the lock of both."""
        self._root = root
        self._clock = clock
        self._loader = loader
        self._refresh = refresh
        self._lock = lock

    def put(self, case: Case, file: str | None) -> None:
        """Add a case, or bring the one of its id to the same content, where it stands."""
        form = case.to_json()
        with self._locked():
            self._repeat(lambda: self._put_once(case.id, form, file))

    def edit(self, case_id: str, changes: Mapping[str, Any], remove: Sequence[str], if_version: str | None) -> None:
        """Change fields of a case."""
        with self._locked():
            self._repeat(lambda: self._edit_once(case_id, changes, remove, if_version))

    def archive(self, case_id: str, reason: str) -> None:
        """Move a case to the archive: written there first, so that nothing is lost between the two writes."""
        with self._locked():
            self._repeat(lambda: self._archive_once(case_id, reason))

    def restore(self, case_id: str) -> None:
        """Bring the newest archived text of an id back; what was archived stays in the archive, which only grows."""
        with self._locked():
            self._repeat(lambda: self._restore_once(case_id))

    def _put_once(self, case_id: str, form: Mapping[str, Any], name: str | None) -> bool:
        place = self._find(case_id)
        if place is None:
            kind = "rules" if form.get("type") == "rule" else "cases"
            return self._append(name or f"long_term/{kind}.json", form)
        if name is not None and _relative(name) != place.file.path:
            raise StoreError(f"{case_id} stands in {place.file.path}, not in {name}")
        text = place.file.text(place.element)
        old = json.loads(text)
        remove = [key for key in old if key not in form and not key.startswith(("x-", "$"))]
        return self._replace(place, edited(text, form, remove))

    def _edit_once(
        self, case_id: str, changes: Mapping[str, Any], remove: Sequence[str], if_version: str | None
    ) -> bool:
        place = self._found(case_id)
        if if_version is not None and place.element.version != if_version:
            raise StoreError(
                f"{case_id} has changed since it was read: expected version {if_version}, found {place.element.version}"
            )
        renamed = changes.get("id", case_id) != case_id
        if "id" in remove or (renamed and self._find(str(changes["id"])) is not None):
            raise StoreError(f"{case_id} needs an id that no other case has")
        text = place.file.text(place.element)
        if not text.startswith("{"):
            raise StoreError(f"{place.file.path}:{place.element.line} is no case, and cannot be edited as one")
        try:
            return self._replace(place, edited(text, changes, remove))
        except ValueError as error:
            raise StoreError(f"{case_id}: {error}") from None

    def _archive_once(self, case_id: str, reason: str) -> bool:
        place = self._found(case_id)
        text = place.file.text(place.element)
        kept = Archived(text, place.file.path)
        if not archive.is_kept(self._root, kept, case_id, self._clock()):
            archive.append(self._root, kept, reason, self._clock(), self._write)
        return self._write(place.file.path, place.file.data, removed(_layout(place.file), place.index))

    def _restore_once(self, case_id: str) -> bool:
        kept = archive.find(self._root, case_id)
        place = self._find(case_id)
        if kept is None:
            raise NotFoundError(f"no case called {case_id} is in the archive of {self._root}")
        if place is not None:
            if place.file.text(place.element) == kept.text:
                return True
            raise StoreError(f"{case_id} serves already, from {place.file.path}:{place.element.line}")
        return self._append(kept.origin, kept.text)

    def _append(self, name: str, content: Mapping[str, Any] | str) -> bool:
        """Add an element to a file, or make the file."""
        path = _relative(name)
        self._refuse_bad(content if isinstance(content, str) else written(dict(content), "  ", expand=True), path)
        file = self._file(path)
        if file is None:
            text = content if isinstance(content, str) else written(dict(content), "  ", "  ", expand=True)
            return self._write(path, None, f"[\n  {text}\n]\n".encode())
        if file.shape == "other":
            raise StoreError(f"{path} holds memories, not cases")
        return self._write(path, file.data, appended(_layout(file), content))

    def _replace(self, place: _Place, text: str) -> bool:
        """Put another text in the place of an element."""
        before = place.file.text(place.element)
        if text == before:
            return True
        self._refuse_bad(text, place.file.path)
        return self._write(place.file.path, place.file.data, replaced(_layout(place.file), place.index, text))

    def _write(self, path: str, expected: bytes | None, data: bytes) -> bool:
        """Write a file, unless it is no longer what was read (then False: somebody edits it at this moment)."""
        if len(data) > FILE_BYTES:
            raise StoreError(
                f"{path}: expected at most 16 MB (limit: file), the change would make it {len(data):,} bytes"
            )
        full = self._root / path
        try:
            refuse_outside(self._root, full.parent)
            full.parent.mkdir(parents=True, exist_ok=True)
            sweep(full.parent)
            if bytes_of(full) != expected:
                return False
            return replace_file(full, data, expected)
        except OSError as error:
            raise StoreError(f"{path} cannot be written: {error.strerror}") from error

    def _refuse_bad(self, text: str, path: str) -> None:
        """Raise StoreError where an element would not serve."""
        made = load(text, json.loads(text), (), self._loader.reading(path), version_of(text.encode()))
        errors = [fault for fault in made.faults if fault.severity == "error"]
        if errors:
            raise StoreError("; ".join(_told(fault) for fault in errors))

    def _find(self, case_id: str) -> _Place | None:
        """Find the element of an id: the one that serves, else the first that bears it."""
        places = [
            _Place(file, index)
            for file in self._loader.files
            for index, element in enumerate(file.elements)
            if element.id == case_id
        ]
        chosen = next((place for place in places if place.element.loaded is not None), places[0] if places else None)
        if chosen is not None:
            self._refuse_unreadable(chosen.file.path)
        return chosen

    def _found(self, case_id: str) -> _Place:
        place = self._find(case_id)
        if place is None:
            raise NotFoundError(f"no case called {case_id} is in {self._root}")
        return place

    def _file(self, path: str) -> CaseFile | None:
        """Give a file by its path, or None where there is none."""
        self._refuse_unreadable(path)
        return next((file for file in self._loader.files if file.path == path), None)

    def _refuse_unreadable(self, path: str) -> None:
        """Raise StoreError where a file does not serve as it stands: it is never rewritten."""
        fault = self._loader.fault_of(path)
        if fault is not None:
            raise StoreError(f"not written, because the file does not serve as it stands: {fault}")

    def _repeat(self, once: Callable[[], bool]) -> None:
        """Do it over what stands there now, until nobody's edit came in between."""
        for _ in range(_TRIES):
            self._refresh()
            try:
                done = once()
            except OSError as error:
                raise StoreError(f"{self._root} cannot be written: {error.strerror or error}") from error
            if done:
                return
        raise StoreError(f"{self._root} is being edited so often that it cannot be written")

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the folder's lock against other writers, or raise StoreError; then that against this process's readers.

        In this order, for readers must not wait for what another process writes.
        """
        try:
            lock = file_lock(lock_path(self._root))
            lock.acquire(timeout=_PATIENCE.total_seconds())
        except TimeoutError:
            raise StoreError(
                f"{self._root} is being written by another process: waited {_PATIENCE.seconds} s"
            ) from None
        except OSError as error:
            raise StoreError(f"{self._root} cannot be written: {error.strerror or error}") from error
        try:
            with self._lock:
                self._sweep_archive()
                yield
        finally:
            lock.release()

    def _sweep_archive(self) -> None:
        """Take away what a writer that was killed left in the archive; other folders are swept when they are written."""
        with suppress(OSError, StoreError):
            archive.sweep_archive(self._root)


def bytes_of(path: Path) -> bytes | None:
    """Give what stands in a file's place: None where nothing does; what is no file is equal to no bytes. Raises OSError."""
    try:
        return read_bytes(str(path), FILE_BYTES, "file")[0]
    except FileNotFoundError:
        return None
    except SplitError:
        return _NO_FILE


def _layout(file: CaseFile) -> Layout:
    """Give a file's layout in bytes."""
    spans = [(element.start, element.end) for element in file.elements]
    return Layout(file.data, None if file.shape == "one" else file.head, file.tail, spans)


def _relative(name: str) -> str:
    """Give a file's path relative to the folder, or raise StoreError where no case may stand there."""
    if shown := unshown(name):
        raise StoreError(f"expected a file's name without control characters, in UTF-8, got {shown}")
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or any(part.startswith(".") for part in path.parts):
        raise StoreError(f"expected a file below long_term/, got {name}")
    if path.parts[:1] != ("long_term",):
        path = PurePosixPath("long_term") / path
    if path.suffix != ".json":
        raise StoreError(f"expected a file whose name ends in .json, got {name}")
    return str(path)


def _told(fault: Fault) -> str:
    """Say a fault of a case that is in no file yet."""
    place = " ".join(part for part in (fault.case, fault.field) if part)
    cure = f" ({fault.suggestion})" if fault.suggestion else ""
    return f"{place}: {fault.message}{cure}"
