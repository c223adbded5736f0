"""Packs of the archive: the loose files of past days in one `YYYY-MM-DD_archive.tgz`, the same bytes for the same content."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import zlib
from calendar import timegm
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

from casebook.limits import FILE_BYTES
from casebook.stores.archive_entries import (
    FOLDER,
    Name,
    archive_lock,
    day_of,
    loose,
    name_of,
    names_in,
    own_bytes,
)
from casebook.stores.atomic import remove_file, replace_file, sweep, sync_folder
from casebook.stores.confined import own_folder
from casebook.stores.splitting import SplitError

MOST_MEMBERS: Final = 4096
"""Files in a pack."""
PACK_BYTES: Final = 128 * 1024 * 1024
"""A pack, as it lies on disk (ours)."""
UNPACKED_BYTES: Final = 1024 * 1024 * 1024
"""All files of a pack together that are unpacked at most (ours)."""
_FILL_BYTES = 64 * 1024 * 1024
"""Content that one pack is filled with at most, far within what is read back."""
_BLOCK = tarfile.BLOCKSIZE
_PADDING = 64 * tarfile.RECORDSIZE


class PackError(Exception):
    """A file that is no pack of ours, or damaged; the message says why."""


def packed(members: Mapping[str, bytes]) -> bytes:
    """Give a pack of loose files: sorted, owned by nobody, dated by the days that they bear.

    Args:
        members: names (`YYYY-MM-DD_retired….json`) to bytes.
    """
    dates = {name: _midnight(name) for name in sorted(members)}
    buffer = io.BytesIO()
    newest = max(dates.values())
    with (
        gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=buffer, mtime=newest) as zipped,
        tarfile.open(mode="w", fileobj=zipped, format=tarfile.USTAR_FORMAT) as tar,
    ):
        for name, modified in dates.items():
            told = tarfile.TarInfo(name)
            told.size, told.mtime, told.mode = len(members[name]), modified, 0o600
            tar.addfile(told, io.BytesIO(members[name]))
    return buffer.getvalue()


def _midnight(name: str) -> int:
    found = name_of(name)
    assert found is not None
    return max(timegm(found.day.timetuple()), 0)


def unpacked(data: bytes) -> dict[str, bytes]:
    """Give the loose files in a pack. Nothing is written anywhere, and no more is unpacked than the limits say.

    Raises:
        PackError: it is damaged, over a limit, or holds what no pack of ours does (a link, a folder, another name).
    """
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data), mode="rb") as stream:
            return _members(stream)
    except (OSError, EOFError, zlib.error, tarfile.TarError) as error:
        raise PackError(f"expected a pack of the archive, got a damaged file ({type(error).__name__})") from None


def _members(stream: gzip.GzipFile) -> dict[str, bytes]:
    """Read a tar of plain files, header by header: tarfile itself would take a header's word for how much it reads."""
    found: dict[str, bytes] = {}
    total = 0
    while True:
        block = _read(stream, _BLOCK)
        if block == b"\0" * _BLOCK:
            break
        told = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        name = name_of(told.name)
        if not told.isreg() or name is None or name.kind != "loose" or told.name in found:
            raise PackError("expected a pack of the archive, got another archive: a member is none of ours")
        total += told.size
        if not 0 <= told.size <= FILE_BYTES or total > UNPACKED_BYTES or len(found) >= MOST_MEMBERS:
            raise PackError("expected a pack of at most 4,096 files of at most 16 MB each, 1 GB in all (limit: pack)")
        found[told.name] = _read(stream, told.size)
        _read(stream, -told.size % _BLOCK)
    if stream.read(_PADDING).strip(b"\0") or stream.read(1):
        raise PackError("expected the end of the pack after its last file")
    return found


def _read(stream: gzip.GzipFile, count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise EOFError
    return data


def read_pack(path: Path) -> dict[str, bytes]:
    """Give the loose files in a pack that lies on disk; none where it is gone. Raises PackError."""
    try:
        data = own_bytes(path, PACK_BYTES)
    except SplitError as error:
        raise PackError(error.message) from None
    except OSError as error:
        raise PackError(f"cannot be read: {error.strerror or error}") from None
    return {} if data is None else unpacked(data)


def packs(root: Path, *, newest_first: bool = False) -> Iterator[tuple[Name, dict[str, bytes]]]:
    """Give the packs that can be read, with the loose files in them; others are left alone. Raises OSError as `names_in`."""
    names = names_in(root, "pack")
    for name in reversed(names) if newest_first else names:
        try:
            yield name, read_pack(root / name.path)
        except PackError:
            continue  # not ours to mend; `faults` tells


def pack(root: Path, before: datetime, now: datetime) -> tuple[str, ...]:
    """Put the loose files of past days into a pack.

    The pack is whole on disk before the first of them goes; where that was cut short, the next call takes away those that a pack
    holds byte for byte already. What cannot be read as entries stays loose.

    Args:
        root: the casebook's folder.
        before: loose files of days (UTC) before this instant's are packed.
        now: names the pack; where one of the day is there already, `_2` and so on.

    Returns:
        The packs that were made, relative to the folder: one, or none where there was nothing to pack; more only where the
        content is over what one takes.

    Raises:
        StoreError: something cannot be written; nothing is lost then.
    """
    if not os.path.lexists(root / FOLDER):
        return ()
    with archive_lock(root):
        folder = own_folder(root, FOLDER)
        sweep(folder)
        due = {str(name): data for name, data, _ in loose(root) if name.day < day_of(before)}
        if not due:
            return ()
        for _, members in packs(root):
            for name, data in members.items():
                if due.get(name) == data:
                    _drop(folder / name, due.pop(name))
        made = []
        for members in _shares(due):
            path = _free(root, now).path
            replace_file(root / path, packed(members))
            for each, data in members.items():
                _drop(folder / each, data)
            made.append(path)
        sync_folder(folder)
        return tuple(made)


def _shares(due: Mapping[str, bytes]) -> Iterator[dict[str, bytes]]:
    """Give the files in shares that one pack takes."""
    share: dict[str, bytes] = {}
    size = 0
    for name, data in due.items():
        if share and (size + len(data) > _FILL_BYTES or len(share) == MOST_MEMBERS):
            yield share
            share, size = {}, 0
        share[name] = data
        size += len(data)
    if share:
        yield share


def _free(root: Path, now: datetime) -> Name:
    """Give the first name of a pack of the day that nothing bears."""
    number = 1
    while True:
        name = Name(day_of(now), number, "pack")
        if not os.path.lexists(root / name.path):
            return name
        number += 1


def _drop(path: Path, data: bytes) -> None:
    """Take a loose file away that was packed, unless somebody has edited it meanwhile."""
    remove_file(path, data)
