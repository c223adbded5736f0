"""The loose files of the archive: an array of entries a day, its names, its lock, and how entries are added and taken out."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from json import JSONDecoder
from pathlib import Path
from typing import Any, Literal

from casebook.faults import StoreError
from casebook.json_place import skip_space, span_of
from casebook.limits import FILE_BYTES
from casebook.stores.confined import lock_path, own_folder
from casebook.stores.file_locks import file_lock
from casebook.stores.reading import read_regular
from casebook.stores.splitting import SplitError

FOLDER = "archive"
SOFT_BYTES = 4 * 1024 * 1024
"""A file that has so many bytes takes no further entries; the day goes on in `…_2.json`."""

_NAME = re.compile(r"(\d{4}-\d{2}-\d{2})_(retired|archive)(?:_([1-9]\d{0,5}))?\.(json|tgz)", re.ASCII)
_KINDS = {("retired", "json"): "loose", ("archive", "tgz"): "pack"}
_LOCK = "archive.lock"
_PATIENCE = 20.0
"""Seconds; packing a month takes one or two."""
_POLL = 0.002
_DECODER = JSONDecoder()


@dataclass(frozen=True, slots=True, order=True)
class Name:
    """The name of a file of the archive; in order of age.

    Attributes:
        day: that its entries came on (a pack: on which it was made), UTC.
        number: 1 for the day's first.
        kind: a loose file or a pack.
    """

    day: date
    number: int
    kind: Literal["loose", "pack"]

    def __str__(self) -> str:
        """Give the file's name."""
        stem, end = ("retired", "json") if self.kind == "loose" else ("archive", "tgz")
        return f"{self.day.isoformat()}_{stem}{f'_{self.number}' if self.number > 1 else ''}.{end}"

    @property
    def path(self) -> str:
        """Give its path, relative to the casebook's folder."""
        return f"{FOLDER}/{self}"


def name_of(name: str) -> Name | None:
    """Read a file's name; None where it is none of the archive's."""
    found = _NAME.fullmatch(name)
    kind = _KINDS.get((found[2], found[4])) if found else None
    if found is None or kind is None:
        return None
    try:
        made = Name(date.fromisoformat(found[1]), int(found[3] or 1), "loose" if kind == "loose" else "pack")
    except ValueError:
        return None
    return made if str(made) == name else None


def day_of(instant: datetime) -> date:
    """Give the day, UTC, that an instant falls on."""
    return instant.astimezone(UTC).date()


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: a memory or a case, when it came, from where, and why.

    Attributes:
        raw: its JSON text, as it stands.
        value: the same, decoded.
        kind: what it holds.
    """

    raw: str
    value: Mapping[str, Any]
    kind: Literal["memory", "case"]

    @property
    def id(self) -> str:
        """Give the id of what it holds."""
        return str(self.value[self.kind].get("id"))

    @property
    def text(self) -> str:
        """Give the JSON text of what it holds, byte for byte as it stood."""
        start, end = span_of(self.raw, (self.kind,))
        return self.raw[start:end]

    @property
    def origin(self) -> str:
        """Give the file that it came from; empty where that is not told."""
        origin = self.value.get("from")
        return origin if isinstance(origin, str) else ""

    @property
    def reason(self) -> str:
        """Give why it was retired."""
        reason = self.value.get("reason")
        return reason if isinstance(reason, str) else ""

    def archived_at(self, day: date) -> datetime:
        """Give when it came, aware, UTC; the end of the file's day where the entry does not tell."""
        told = self.value.get("archived_at")
        if isinstance(told, str):
            try:
                read = datetime.fromisoformat(told)
                return (read.replace(tzinfo=UTC) if read.tzinfo is None else read).astimezone(UTC)
            except (ValueError, OverflowError):
                pass  # the file's day has to do
        return datetime(day.year, day.month, day.day, 23, 59, 59, 999999, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Items:
    """The bytes of a loose file, split.

    Attributes:
        text: the whole, decoded, without a byte order mark.
        spans: the offsets in the text of each item's first character and past its last.
        values: the items, decoded.
        tail: the offset of the closing bracket.
    """

    text: str
    spans: tuple[tuple[int, int], ...]
    values: tuple[Any, ...]
    tail: int

    def raw(self, index: int) -> str:
        """Give the JSON text of an item."""
        start, end = self.spans[index]
        return self.text[start:end]

    def entry(self, index: int) -> Entry | None:
        """Give an item as an entry; None where it is none."""
        value = self.values[index]
        if isinstance(value, dict):
            for kind in ("memory", "case"):
                if isinstance(value.get(kind), dict):
                    return Entry(self.raw(index), value, "memory" if kind == "memory" else "case")
        return None

    def entries(self) -> Iterator[Entry]:
        """Give its entries, the oldest first."""
        for index in range(len(self.values)):
            entry = self.entry(index)
            if entry is not None:
                yield entry

    def with_more(self, entries: Iterable[str]) -> bytes:
        """Give the file with further entries at its end; the rest keeps its bytes."""
        more = ",\n  ".join(entries)
        if not self.spans:
            return f"[\n  {more}\n]\n".encode()
        end = self.spans[-1][1]
        return f"{self.text[:end]},\n  {more}{self.text[end:]}".encode()


NOTHING = Items("[]", (), (), 1)
"""A file without entries."""


def items_of(data: bytes) -> Items:
    """Split the bytes of a loose file.

    Raises:
        ValueError: they are no array in JSON, of UTF-8 (RecursionError is turned into one).
    """
    text = data.removeprefix(codecs.BOM_UTF8).decode()
    at = skip_space(text, 0)
    if text[at : at + 1] != "[":
        raise ValueError("expected an array of entries")
    spans, values, tail = array_at(text, at)
    if skip_space(text, tail + 1) < len(text):
        raise ValueError("expected the end of the file after the array")
    return Items(text, spans, values, tail)


def array_at(text: str, at: int) -> tuple[tuple[tuple[int, int], ...], tuple[Any, ...], int]:
    """Split the JSON array whose bracket stands at an offset.

    Returns:
        The offsets of each item's first character and past its last, the items decoded, and the offset of the closing bracket.

    Raises:
        ValueError: it is none.
    """
    spans: list[tuple[int, int]] = []
    values: list[Any] = []
    at = skip_space(text, at + 1)
    try:
        while text[at : at + 1] != "]":
            if spans:
                if text[at : at + 1] != ",":
                    raise ValueError("expected , or ] after an item")
                at = skip_space(text, at + 1)
            value, end = _DECODER.raw_decode(text, at)
            spans.append((at, end))
            values.append(value)
            at = skip_space(text, end)
    except RecursionError:
        raise ValueError("expected values nested less deep") from None
    return tuple(spans), tuple(values), at


def file_of(raws: Iterable[str]) -> bytes:
    """Give a loose file of these entries."""
    inner = ",\n  ".join(raws)
    return f"[\n  {inner}\n]\n".encode() if inner else b"[]\n"


def entry_text(kind: Literal["memory", "case"], text: str, origin: str, reason: str, archived_at: str) -> str:
    """Write an entry; the text of what it holds stands in it byte for byte."""
    head = {"archived_at": archived_at, "from": origin, "reason": reason}
    lines = [f'    "{key}": {json.dumps(value, ensure_ascii=False)},' for key, value in head.items()]
    return "{\n" + "\n".join(lines) + f'\n    "{kind}": {text}\n  }}'


def own_bytes(path: Path, limit: int = FILE_BYTES) -> bytes | None:
    """Give the bytes of a file of the archive, or None where there is none. Raises SplitError (a link is none, either), OSError."""
    if path.is_symlink():
        raise SplitError("expected a file of the archive's own, got a link")
    try:
        return read_regular(str(path), limit, "file", follow=False)[0]
    except FileNotFoundError:
        return None


def names_in(root: Path, kind: Literal["loose", "pack"]) -> list[Name]:
    """Give the names of the archive's files of a kind, the oldest first; none where there is no archive.

    Raises:
        OSError: a link or a file stands in the archive's place, or it may not be read.
    """
    try:
        folder = own_folder(root, FOLDER)
        found = [name_of(path.name) for path in folder.iterdir()]
    except FileNotFoundError:
        return []
    return sorted(name for name in found if name is not None and name.kind == kind)


def loose(
    root: Path, *, newest_first: bool = False, since: date = date.min, may: Callable[[bytes], bool] = bool
) -> Iterator[tuple[Name, bytes, Items]]:
    """Give the loose files that can be read, with their bytes; others are left alone.

    Args:
        root: the casebook's folder.
        newest_first: the order; else the oldest is the first.
        since: only those of this day and later ones.
        may: says of a file's bytes whether it is wanted, before it is read as JSON.

    Raises:
        OSError: as `names_in`, or one of them may not be read.
    """
    names = names_in(root, "loose")
    for name in reversed(names) if newest_first else names:
        try:
            data = own_bytes(root / name.path) if name.day >= since else None
            if data is not None and may(data):
                yield name, data, items_of(data)
        except (ValueError, SplitError):
            continue  # not ours to mend; `faults` tells


def is_full(path: Path) -> bool:
    """Say whether a loose file takes no further entries. Raises OSError."""
    try:
        return path.lstat().st_size >= SOFT_BYTES
    except FileNotFoundError:
        return False


def free_names(now: datetime) -> Iterator[Name]:
    """Give the names of the day's loose files, the first first."""
    for number in range(1, 1_000_000):
        yield Name(day_of(now), number, "loose")


@contextmanager
def archive_lock(root: Path) -> Iterator[None]:
    """Hold the lock of the archive's files, which cases and memories share; it is taken last, under either's own lock or none.

    Raises:
        StoreError: another process holds it for 20 s, or (from the block as well) something cannot be read or written.
    """
    try:
        lock = file_lock(lock_path(root, _LOCK))
        try:
            lock.acquire(timeout=_PATIENCE, poll_interval=_POLL)
        except TimeoutError:
            raise StoreError(f"the archive of {root} is being written by another process: waited 20 s") from None
        try:
            yield
        finally:
            lock.release()
    except OSError as error:
        raise StoreError(f"{root} cannot be written: {error.strerror or error}") from error
