"""The archive of a folder, for memories: retired, looked for, brought back, and after their time gone for good."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime, timedelta
from pathlib import Path

from casebook.faults import StoreError
from casebook.instants import before
from casebook.limits import FILE_BYTES
from casebook.memory import Memory, UnfitMemoryError
from casebook.stores.archive import may_hold
from casebook.stores.archive_entries import (
    FOLDER,
    NOTHING,
    SOFT_BYTES,
    Entry,
    Items,
    Name,
    archive_lock,
    day_of,
    entry_text,
    free_names,
    is_full,
    items_of,
    loose,
    name_of,
    own_bytes,
)
from casebook.stores.archive_faults import faults
from casebook.stores.archive_rewriting import rewrite_archive
from casebook.stores.atomic import replace_file, sweep
from casebook.stores.confined import own_folder
from casebook.stores.memory_store import Retired
from casebook.stores.mentions import folded
from casebook.stores.pack import pack, packs
from casebook.stores.splitting import SplitError

__all__ = ["archived", "drop_retired", "faults", "find_retired", "pack", "purge", "retire", "withdraw"]

_ID = re.compile(rb'"id"[ \t\r\n]*:[ \t\r\n]*"([^"]*)"')
_ESCAPED = b"\\u00"
"""Where an id may be written in escapes, nobody does so, the file is read."""
_OVERLAP = timedelta(days=1)
"""A run that was killed is repeated at once, or after midnight."""


def retire(root: Path, items: Sequence[tuple[str, str, str]], now: datetime) -> None:
    """Add memories to the day's file of the archive, in one write (more only where they are over its cap of 4 MB).

    What came today or yesterday with the same id, text and origin is there already and is not added: a killed run repeated.

    Args:
        root: the casebook's folder.
        items: of each memory its JSON text, the file that it comes from, and why it is retired.
        now: the present instant.

    Raises:
        StoreError: a text is no memory's, or the archive cannot be written; it is then as it was.
    """
    if not items:
        return
    at = now.astimezone(UTC).isoformat(timespec="milliseconds")
    keys = [(_id_of(text), text, origin) for text, origin, _ in items]
    with archive_lock(root):
        sweep(own_folder(root, FOLDER, create=True))
        there = _recent(root, {key[0] for key in keys}, now)
        entries = {
            key: entry_text("memory", text, origin, reason, at)
            for key, (text, origin, reason) in zip(keys, items, strict=True)
            if key not in there
        }
        _write_entries(root, list(entries.values()), now)


def withdraw(root: Path, texts: AbstractSet[tuple[str, str]]) -> bool:
    """Take memories that were just retired out of the archive again, by id and JSON text; say whether there were some.

    Raises:
        StoreError: something cannot be written.
    """

    def keep(_: Name, items: Items) -> list[str] | None:
        return _without(items, lambda entry: entry.kind == "memory" and (entry.id, entry.text) in texts)

    return bool(rewrite_archive(root, keep, may=lambda data: any(may_hold(data, each) for each, _ in texts)))


def _id_of(text: str) -> str:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or not isinstance(value.get("id"), str):
        raise StoreError("expected the JSON text of a memory to archive, got something else")
    return str(value["id"])


def _recent(root: Path, ids: AbstractSet[str], now: datetime) -> frozenset[tuple[str, str, str]]:
    """Give id, text and origin of the memories that came today or yesterday, of these ids."""
    since = day_of(before(now, _OVERLAP))

    def may(data: bytes) -> bool:
        return _ESCAPED in data or not ids.isdisjoint(found.decode("utf-8", "replace") for found in _ID.findall(data))

    return frozenset(
        (entry.id, entry.text, entry.origin)
        for _, _, items in loose(root, newest_first=True, since=since, may=may)
        for entry in items.entries()
        if entry.kind == "memory" and entry.id in ids
    )


def _write_entries(root: Path, entries: list[str], now: datetime) -> None:
    """Write entries to the day's files, each filled up to its cap."""
    for name in free_names(now):
        if not entries:
            return
        path = root / name.path
        if is_full(path):
            continue
        try:
            before = own_bytes(path)
            items = NOTHING if before is None else items_of(before)
        except (ValueError, SplitError):
            continue
        share, size = 0, 0 if before is None else len(before)
        while share < len(entries) and size < SOFT_BYTES:
            size += len(entries[share].encode()) + 4
            if size > FILE_BYTES:
                break
            share += 1
        if share and replace_file(path, items.with_more(entries[:share]), before):
            del entries[:share]


def archived(root: Path, *, text: str | None = None, memory_id: str | None = None) -> Iterator[Retired]:
    """Give the memories in the archive, loose and packed, the newest first; what is there twice (a pack cut short) once.

    Args:
        root: the casebook's folder.
        text: only those whose text contains it (after NFKC and case folding).
        memory_id: only those of an id.

    Raises:
        StoreError: a link or a file stands in the archive's place, or it may not be read.
    """
    for entry, at, path in _found(root, memory_id, None if text is None else folded(text)):
        retired = _retired(entry, at, path)
        if retired is not None:
            yield retired


def find_retired(root: Path, memory_id: str) -> tuple[Retired, str] | None:
    """Give the newest memory of an id in the archive, with its JSON text byte for byte; None where there is none.

    Raises:
        StoreError: a link or a file stands in the archive's place, or it may not be read.
    """
    for entry, at, path in _found(root, memory_id):
        retired = _retired(entry, at, path)
        if retired is not None:
            return retired, entry.text
    return None


def drop_retired(root: Path, memory_id: str) -> bool:
    """Take all entries of a memory out of the archive, loose and packed; say whether there were some.

    Raises:
        StoreError: something cannot be written; doing it again completes it.
    """

    def keep(_: Name, items: Items) -> list[str] | None:
        return _without(items, lambda entry: entry.kind == "memory" and entry.id == memory_id)

    return bool(rewrite_archive(root, keep, may=lambda data: may_hold(data, memory_id)))


def purge(root: Path, before: datetime, dry: bool = False) -> tuple[str, ...]:  # noqa: FBT001, FBT002 - the contract's form
    """Take what came into the archive before an instant out of it for good: memories and cases, loose and packed.

    Args:
        root: the casebook's folder.
        before: what came at this very instant stays.
        dry: nothing is written.

    Returns:
        The ids, each once, the oldest first. Of a call that was cut short, the next one gives what was left.

    Raises:
        StoreError: something cannot be written.
    """
    gone: dict[str, datetime] = {}

    def keep(name: Name, items: Items) -> list[str] | None:
        def is_old(entry: Entry) -> bool:
            at = entry.archived_at(name.day)
            if at >= before:
                return False
            gone[entry.id] = min(at, gone.get(entry.id, at))
            return True

        return _without(items, is_old)

    rewrite_archive(root, keep, dry=dry)
    return tuple(sorted(gone, key=lambda each: (gone[each], each)))


def _without(items: Items, is_gone: Callable[[Entry], bool]) -> list[str] | None:
    """Give the texts of the items that stay; None where all do."""
    kept = []
    for index in range(len(items.values)):
        entry = items.entry(index)
        if entry is None or not is_gone(entry):
            kept.append(items.raw(index))
    return None if len(kept) == len(items.values) else kept


def _found(root: Path, memory_id: str | None, wanted: str | None = None) -> list[tuple[Entry, datetime, str]]:
    """Give the entries of memories, each with when it came and the file that holds it, the newest first, each once.

    Loose files are read before packs: what is being packed meanwhile is seen in one or the other.
    """
    found: dict[tuple[str, datetime, str], tuple[Entry, datetime, str]] = {}
    try:
        for name, items, path in _all_items(root, memory_id):
            for entry in items.entries():
                if entry.kind == "memory" and memory_id in (None, entry.id) and _says(entry, wanted):
                    at = entry.archived_at(name.day)
                    found.setdefault((entry.id, at, entry.text), (entry, at, path))
    except OSError as error:
        raise StoreError(f"the archive of {root} cannot be read: {error.strerror or error}") from error
    ordered = sorted(found.values(), key=lambda each: each[1])
    ordered.reverse()  # of one instant, too, the last that came is the first
    return ordered


def _says(entry: Entry, wanted: str | None) -> bool:
    """Say whether the text of a memory contains a folded one."""
    text = entry.value["memory"].get("text")
    return wanted is None or (isinstance(text, str) and wanted in folded(text))


def _all_items(root: Path, memory_id: str | None) -> Iterator[tuple[Name, Items, str]]:
    """Give the loose files, then those in packs, that may hold a memory, each with the file of the archive that it lies in."""
    for name, _, items in loose(root, may=lambda data: memory_id is None or may_hold(data, memory_id)):
        yield name, items, name.path
    for name, members in packs(root):
        for each, data in sorted(members.items()):
            inner = name_of(each)
            if inner is None or (memory_id is not None and not may_hold(data, memory_id)):
                continue
            try:
                yield inner, items_of(data), name.path
            except ValueError:
                continue


def _retired(entry: Entry, at: datetime, path: str) -> Retired | None:
    try:
        memory = Memory.from_json(entry.value["memory"])
    except UnfitMemoryError:
        return None
    return Retired(memory, at, entry.reason, entry.origin, path)
