"""The files of the archive brought to what stays of them: loose ones and packs, each whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from casebook.faults import StoreError
from casebook.stores.archive_entries import FOLDER, Items, Name, archive_lock, file_of, items_of, loose, name_of
from casebook.stores.atomic import remove_file, replace_file, sweep, sync_folder
from casebook.stores.confined import own_folder
from casebook.stores.pack import packed, packs

Keep = Callable[[Name, Items], Sequence[str] | None]
"""Takes a loose file, or one in a pack, and gives the JSON texts that stay of its items; None where all stay as they are."""


def rewrite_archive(
    root: Path, keep: Keep, *, may: Callable[[bytes], bool] = bool, dry: bool = False, is_locked: bool = False
) -> tuple[str, ...]:
    """Bring every file of the archive to what stays of it, loose ones first; a file or pack of which nothing stays goes.

    Each is written whole or not at all; doing it again completes what was cut short. What cannot be read is left alone.

    Args:
        root: the casebook's folder.
        keep: says what stays of a loose file's items.
        may: says of a file's bytes whether it may be concerned; quick.
        dry: nothing is written.
        is_locked: whether the caller holds the archive's lock.

    Returns:
        The paths that were (or would be) changed.

    Raises:
        StoreError: something cannot be read or written.
    """
    if not os.path.lexists(root / FOLDER):
        return ()
    if not is_locked and not dry:
        with archive_lock(root):
            return rewrite_archive(root, keep, may=may, is_locked=True)
    try:
        folder = own_folder(root, FOLDER)
        if not dry:
            sweep(folder)
        changed = [*_rewrite_loose(root, keep, may, dry=dry), *_rewrite_packs(root, keep, may, dry=dry)]
        if changed and not dry:
            sync_folder(folder)
    except OSError as error:
        raise StoreError(f"the archive of {root} cannot be written: {error.strerror or error}") from error
    return tuple(changed)


def _rewrite_loose(root: Path, keep: Keep, may: Callable[[bytes], bool], *, dry: bool) -> Iterator[str]:
    for name, data, items in loose(root, may=may):
        kept = keep(name, items)
        if kept is None:
            continue
        if not dry:
            path = root / name.path
            if not (replace_file(path, file_of(kept), data) if kept else remove_file(path, data)):
                raise StoreError(f"{name.path} is being edited at this moment: doing it again completes it")
        yield name.path


def _rewrite_packs(root: Path, keep: Keep, may: Callable[[bytes], bool], *, dry: bool) -> Iterator[str]:
    for name, members in packs(root):
        changed = dict(members)
        for each, data in sorted(members.items()):
            inner = name_of(each)
            try:
                kept = keep(inner, items_of(data)) if inner is not None and may(data) else None
            except ValueError:
                continue
            if kept:
                changed[each] = file_of(kept)
            elif kept is not None:
                del changed[each]
        if changed == members:
            continue
        if not dry:
            if changed:
                replace_file(root / name.path, packed(changed))
            else:
                (root / name.path).unlink()
        yield name.path
