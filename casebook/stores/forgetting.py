"""Forgetting in the files of a folder: tiers, cases, archive and packs, outboxes, caches; all but the journal's own files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from casebook.faults import StoreError
from casebook.limits import FILE_BYTES
from casebook.stores.archive_entries import FOLDER, Items, Name, archive_lock, items_of
from casebook.stores.archive_rewriting import rewrite_archive
from casebook.stores.atomic import remove_file, replace_file
from casebook.stores.confined import lock_path
from casebook.stores.file_locks import file_lock
from casebook.stores.forgetting_json import without, without_entries
from casebook.stores.forgetting_reach import reached, read_file
from casebook.stores.forgetting_walk import Found, is_foreign_clean, walk
from casebook.stores.memory_store import Forgetting
from casebook.stores.reading import read_regular
from casebook.stores.sought import Sought
from casebook.stores.splitting import SplitError

_LOCKS = ("write.lock", "memories.lock")
"""Of cases, then of memories; that of the archive is taken last."""
_LOCKED = ("short_term/", "medium_term/", "long_term/", "archive/")
_PATIENCE = 20.0
_POLL = 0.002
_TRIES = 5
_CACHE_BYTES = 160 * 1024 * 1024


def forget_files(root: Path, what: Forgetting, dry: bool) -> Mapping[str, int]:  # noqa: FBT001 - the contract's form
    """Take all that is to be forgotten out of every file of a folder but the journal's own.

    What goes only because of ids that other files tell goes first, what tells them last: a call that was cut short anywhere is
    completed by the next one. Each file is written in one step.

    Args:
        root: the casebook's folder.
        what: what is to be forgotten; `ids` are those that the journal told.
        dry: nothing is written.

    Returns:
        How much goes: `memories` (of the tiers), `cases`, `archive` (entries of either, loose and packed), `edited` (that stay without
        what named the user), `lines` (of outboxes), `files` (that go as a whole), and `unreadable` (files in which it may still
        stand, which `unreadable_matches` names). Only those that are not 0.

    Raises:
        StoreError: something cannot be read or written, or another process holds a lock for 20 s. The caller holds none of them.
    """
    if dry:
        return _counts(_Pass(root, *reached(root, what)).run())
    with _locked(root):
        for found in list(walk(root)):
            if found.kind == "leftover" and found.path.startswith(_LOCKED):  # nobody writes it any more
                (root / found.path).unlink(missing_ok=True)
        whole, origins = reached(root, what)
        _drop_caches(root, None if whole.ids else Sought(whole))
        first = _Pass(root, whole, origins, writes=True, derived_only=True).run()
        last = _Pass(root, whole, origins, writes=True).run()
        last.counts.update(first.counts)
        if first.changed or last.changed:
            _drop_caches(root)
    return _counts(last)


def unreadable_matches(root: Path, what: Forgetting) -> tuple[str, ...]:
    """Give the files, relative to the folder, that name the user or hold the text and cannot be changed, or not looked into.

    Raises:
        StoreError: something cannot be read.
    """
    return tuple(sorted(_Pass(root, *reached(root, what)).run().left))


def concerned(root: Path, what: Forgetting) -> Forgetting:
    """Give what is to be forgotten with the ids of memories, cases and sessions that the files tell.

    A session counts as the user's where a file of the user bears it or a memory of theirs comes from it, and nobody else's does.

    Raises:
        StoreError: something cannot be read.
    """
    return reached(root, what)[0]


@dataclass(slots=True)
class _Planned:
    """What a pass did, or would do: how much of what, the files in which something is left, that change, and that go."""

    counts: Counter[str] = field(default_factory=Counter)
    left: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)


class _Pass:
    """One walk over all files of a folder."""

    def __init__(
        self,
        root: Path,
        what: Forgetting,
        origins: frozenset[str],
        *,
        writes: bool = False,
        derived_only: bool = False,
    ) -> None:
        self._root = root
        self._sought = Sought(what, origins)
        self._writes = writes
        self._derived_only = derived_only
        self._done = _Planned()

    def run(self) -> _Planned:
        """Look at each file, and write it where that is meant."""
        for found in list(walk(self._root)):
            try:
                self._take(found)
            except SplitError:
                self._done.left.add(found.path)
            except OSError as error:
                raise StoreError(f"{found.path} cannot be forgotten from: {error.strerror or error}") from error
        self._archive()
        return self._done

    def _take(self, found: Found) -> None:
        if found.kind == "cache":
            return  # they go where anything changed
        if found.kind in ("json", "lines"):
            for _ in range(_TRIES):
                if self._rewrite(found):
                    break
            else:
                raise StoreError(f"{found.path} is being edited so often that it cannot be written")
        elif found.kind == "leftover":
            self._drop_leftover(found)
        elif found.kind == "loose":
            self._check_loose(found)
        elif not is_foreign_clean(self._root / found.path, found.kind, self._sought):
            self._done.left.add(found.path)
        is_named_by_day = found.kind in ("loose", "pack")
        if not is_named_by_day and self._sought.mentions(found.path) and found.path not in self._done.gone:
            self._done.left.add(found.path)

    def _rewrite(self, found: Found) -> bool:
        """Bring a file to what stays of it; False where somebody has edited it meanwhile."""
        data = read_file(self._root, found.path)
        if data is None:
            return True
        taken = without(found, data, self._sought, derived_only=self._derived_only)
        if taken.is_unreadable:
            self._done.left.add(found.path)
            return True
        if taken.data != data:
            if self._writes and not self._write(found.path, data, taken.data):
                return False
            self._done.changed.add(found.path)
            self._done.gone.update([found.path] if taken.data is None else [])
        self._done.counts.update(taken.counts)
        if taken.is_left:
            self._done.left.add(found.path)
        return True

    def _write(self, path: str, before: bytes, after: bytes | None) -> bool:
        if read_file(self._root, path) != before:
            return False
        full = self._root / path
        return remove_file(full, before) if after is None else replace_file(full, after, before)

    def _drop_leftover(self, found: Found) -> None:
        """Take a temporary file away that names somebody; where writers are kept out, all were swept before."""
        data = read_file(self._root, found.path)
        if data is None or not self._sought.may_be_in(data):
            return
        if self._writes:
            (self._root / found.path).unlink(missing_ok=True)
        self._done.counts["files"] += 1
        self._done.changed.add(found.path)
        self._done.gone.add(found.path)

    def _check_loose(self, found: Found) -> None:
        """Note a loose file of the archive that is not read as one, being broken or over 16 MB, and holds something."""
        data = read_file(self._root, found.path) or b""
        try:
            is_read = len(data) <= FILE_BYTES and items_of(data) is not None
        except ValueError:
            is_read = False
        if not is_read and self._sought.may_be_in(data):
            self._done.left.add(found.path)

    def _archive(self) -> None:
        """Take everything out of the archive's loose files and packs."""

        def keep(_: Name, items: Items) -> list[str] | None:
            taken = without_entries(items, self._sought, derived_only=self._derived_only)
            self._done.counts.update(taken.counts)
            return taken.kept

        if (self._root / FOLDER).is_symlink():
            return  # `walk` has it as a link, which is read and never written
        changed = rewrite_archive(self._root, keep, dry=not self._writes, is_locked=True)
        self._done.changed.update(changed)


def _drop_caches(root: Path, only: Sought | None = None) -> None:
    """Take the caches away; where `only` is given, those that hold something of it. Raises StoreError."""
    for found in list(walk(root)):
        if found.kind != "cache":
            continue
        path = root / found.path
        try:
            if only is None or only.may_be_in(read_regular(str(path), _CACHE_BYTES, "cache", follow=False)[0]):
                path.unlink(missing_ok=True)
        except FileNotFoundError:
            continue
        except SplitError:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"{found.path} cannot be taken away: {error.strerror or error}") from error


def _counts(planned: _Planned) -> dict[str, int]:
    counts = {name: count for name, count in sorted(planned.counts.items()) if count}
    if planned.left:
        counts["unreadable"] = len(planned.left)
    return counts


@contextmanager
def _locked(root: Path) -> Iterator[None]:
    """Keep the writers of cases, of memories and of the archive out. Raises StoreError."""
    with ExitStack() as held:
        for name in _LOCKS:
            try:
                lock = file_lock(lock_path(root, name))
                lock.acquire(timeout=_PATIENCE, poll_interval=_POLL)
            except TimeoutError:
                raise StoreError(f"{root} is being written by another process: waited 20 s") from None
            except OSError as error:
                raise StoreError(f"{root} cannot be written: {error.strerror or error}") from error
            held.callback(lock.release)
        held.enter_context(archive_lock(root))
        yield
