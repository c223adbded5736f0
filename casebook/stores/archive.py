"""The archive of a folder, for cases: what was retired, with its whole text, in the day's loose file and later in a pack."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from casebook.instants import before
from casebook.limits import FILE_BYTES
from casebook.stores.archive_entries import (
    FOLDER,
    NOTHING,
    Entry,
    archive_lock,
    day_of,
    entry_text,
    free_names,
    is_full,
    items_of,
    loose,
    own_bytes,
)
from casebook.stores.atomic import is_leftover, sweep
from casebook.stores.confined import own_folder
from casebook.stores.pack import packs
from casebook.stores.splitting import SplitError

__all__ = ["FOLDER", "Archived", "append", "find", "is_kept", "own_bytes", "sweep_archive"]

_OVERLAP = timedelta(days=1)
"""A run that was killed is repeated at once, or after midnight."""


@dataclass(frozen=True, slots=True)
class Archived:
    """A case in the archive.

    Attributes:
        text: its JSON text, byte for byte as it stood.
        origin: the file that it came from, relative to the casebook's folder.
    """

    text: str
    origin: str


def find(root: Path, case_id: str) -> Archived | None:
    """Find the newest text of an id in the archive of a folder, loose or packed; None where there is none.

    Raises:
        OSError: a link or a file stands in the archive's place, or it may not be read.
    """
    for _, _, items in loose(root, newest_first=True, may=lambda data: may_hold(data, case_id)):
        found = _newest(items.entries(), case_id)
        if found is not None:
            return found
    best: tuple[datetime, Archived] | None = None
    for name, members in packs(root):
        for data in members.values():
            if not may_hold(data, case_id):
                continue
            try:
                entries = [each for each in items_of(data).entries() if each.kind == "case" and each.id == case_id]
            except ValueError:
                continue
            for entry in entries:
                at = entry.archived_at(name.day)
                if best is None or at >= best[0]:
                    best = at, _archived(entry)
    return None if best is None else best[1]


def is_kept(root: Path, case: Archived, case_id: str, now: datetime) -> bool:
    """Say whether a case came into the archive today or yesterday, as it stands: a run that was killed after that is repeated.

    An older one does not count: what is archived a second time is kept from then on. Raises OSError as `find`.
    """
    since = day_of(before(now, _OVERLAP))
    return any(
        entry.kind == "case" and entry.id == case_id and entry.text == case.text and entry.origin == case.origin
        for _, _, items in loose(root, newest_first=True, since=since, may=lambda data: may_hold(data, case_id))
        for entry in items.entries()
    )


def append(
    root: Path, case: Archived, reason: str, now: datetime, write: Callable[[str, bytes | None, bytes], bool]
) -> None:
    """Add a case to the day's file; a file that cannot be read, or is full, is left, and the next one taken.

    Args:
        root: the casebook's folder.
        case: its text, and where it comes from.
        reason: why it is retired.
        now: the present instant.
        write: takes a path relative to the folder, the bytes that must stand there, and the new ones; says whether it wrote.

    Raises:
        StoreError: a link or a file stands in the archive's place, it cannot be made, or another process holds it.
    """
    with archive_lock(root):
        own_folder(root, FOLDER, create=True)
        entry = entry_text("case", case.text, case.origin, reason, now.isoformat(timespec="seconds"))
        for name in free_names(now):
            if is_full(root / name.path):
                continue
            try:
                before = own_bytes(root / name.path)
                items = NOTHING if before is None else items_of(before)
            except (ValueError, SplitError):
                continue
            data = items.with_more([entry])
            if len(data) <= FILE_BYTES and write(name.path, before, data):
                return


def sweep_archive(root: Path) -> None:
    """Take away what a writer that was killed left in the archive. Raises OSError, StoreError."""
    try:
        folder = own_folder(root, FOLDER)
    except FileNotFoundError:
        return
    if any(is_leftover(path.name) for path in folder.iterdir()):  # else nobody waits for who packs
        with archive_lock(root):
            sweep(folder)


def may_hold(data: bytes, name: str) -> bool:
    """Say whether a file may hold an id; quick, and never wrongly no: an id in escapes may stand wherever there are some."""
    return name.encode() in data or b"\\u00" in data


def _newest(entries: Iterable[Entry], case_id: str) -> Archived | None:
    """Give the last of the entries of a case."""
    found = None
    for entry in entries:
        if entry.kind == "case" and entry.id == case_id:
            found = entry
    return None if found is None else _archived(found)


def _archived(entry: Entry) -> Archived:
    return Archived(entry.text, entry.origin or "long_term/cases.json")
