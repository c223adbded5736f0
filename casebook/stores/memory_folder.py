"""The memories of one folder: read while people edit them, changed in batches, retired to the archive and brought back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from casebook.faults import NotFoundError, StoreError
from casebook.forking import guarded
from casebook.memory import Memory
from casebook.stores.memory_assembling import NOTHING, Assembler, Seen
from casebook.stores.memory_file import MemoryFile
from casebook.stores.memory_homes import home_of
from casebook.stores.memory_layout import Layout, new_file, relaid
from casebook.stores.memory_merging import is_left_by_move
from casebook.stores.memory_planning import Plan, Planner, Retiring
from casebook.stores.memory_reading import MemoryReader
from casebook.stores.memory_store import Became, Change, Forgetting, MemorySnapshot, Placed, Retired, UnwritableError
from casebook.stores.memory_writing import BATCH_LOCK, FOLDERS, SHORT, FolderLock, MemoryPen, checked, reason_of
from casebook.stores.ownership import Owners
from casebook.stores.rewriting import edited
from casebook.stores.session_names import session_file
from casebook.stores.splitting import SplitError

_PATIENCE = 20.0
"""Seconds that another writer is waited for."""
_LOOKING = 3_000_000
"""Nanoseconds for which files are looked at before a task: of 500 files it takes a fifth, where nothing else runs."""
_TRIES = 20
_MOST = 500
"""Changes that are made at a time: whoever remembers something meanwhile waits for less than a second."""

_Made = TypeVar("_Made")


class _EditedError(Exception):
    """Somebody has edited a file between the reading and the writing of it."""


class FolderMemories:
    """The store of memories of one folder (DESIGN section 9). Safe from many threads and, for writing, from many processes.

    Attributes:
        layer: the name that its memories bear; empty for a single casebook.
    """

    def __init__(self, root: Path | str, *, layer: str = "", zone: str = "UTC", owners: Owners = None) -> None:
        """Take the casebook's folder; nothing is read before the first snapshot, nothing made before the first write.

        Args:
            root: the folder.
            layer: the name that its memories bear.
            zone: the IANA zone of times that name none: the policy's.
            owners: numbers of the users to whom the files may belong; others', and those to which everybody may write, are passed
                over. None for anybody's.
        """
        self.layer = layer
        self._root = Path(root)
        self._assembler = Assembler(zone, layer)
        self._reader = MemoryReader(self._root, layer, owners)
        self._reading: threading.RLock = guarded(self._reader, rank=8)
        self._pen = MemoryPen(self._root, _PATIENCE)
        self._batch = FolderLock(self._root, BATCH_LOCK, patience=_PATIENCE, rank=5)
        self._seen = Seen()
        self._is_whole = True
        self._is_writing = False

    def snapshot(self, wait: bool = True) -> MemorySnapshot:  # noqa: FBT001, FBT002 - read as `snapshot(wait=False)`
        """Give what stands now; the same object while nothing has changed. Costs a `stat` a file where nothing has.

        Args:
            wait: whether to wait while another thread reads, or to read what another is writing; else what was last read is given
                at once, with generation 0 and no memories where nothing was.
        """
        if (self._is_writing and not wait) or not self._reading.acquire(blocking=wait):
            return self._seen.snapshot
        try:
            return self._refreshed().snapshot
        finally:
            self._reading.release()

    def unread_bytes(self) -> int:
        """Give how many bytes the next snapshot has to read, by names and times alone. Never waits."""
        return self._reader.unread_bytes()

    def stands(self, snapshot: MemorySnapshot) -> bool:
        """Say whether a snapshot is the last one, and nothing has changed since, as far as that is settled. Never waits.

        Of many files, beside threads that are busy, some are looked at by the next call: a file that somebody edits in place, so that
        its folder does not change, is seen then.
        """
        return snapshot is self._seen.snapshot and self._reader.unchanged(_LOOKING)

    def change(self, changes: Sequence[Change], now: datetime) -> tuple[Became, ...]:
        """Make changes, in as few writes as may be; for each what became of it.

        What was left by a move that was cut short is cleared up, too. Raises StoreError.
        """
        self.snapshot()  # a long reading is not for the time when others wait to write
        if not changes and not self._seen.shadows:
            return ()
        became: list[Became] = []
        for batch in _batches(changes):
            with self._alone(), self._writing():
                became += self._apply(batch, now)
        return tuple(became)

    def archived(self, *, text: str | None = None, memory_id: str | None = None) -> Iterable[Retired]:
        """Give what is in the archive, packs included, the newest first. Raises StoreError."""
        from casebook.stores.memory_archive import archived

        stands = self.snapshot().memories
        return (
            each
            for each in archived(self._root, text=text, memory_id=memory_id)
            if not _stands_too(stands.get(each.memory.id), each.memory)
        )

    def restore(self, memory_id: str, now: datetime) -> Placed:
        """Bring the newest archived memory of an id back: into its file, or that of its tier and kind; its time there begins anew.

        Raises:
            NotFoundError: there is none in the archive.
            StoreError: another memory of this id stands, or it cannot be written.
        """
        from casebook.stores.memory_archive import drop_retired, find_retired

        with self._alone(), self._writing():
            found = find_retired(self._root, memory_id)
            stands = self.snapshot().memories.get(memory_id)
            if found is None:
                if stands is not None:
                    return stands
                raise NotFoundError(f"no memory called {memory_id} is in the archive of {self._root}")
            retired, text = found
            if stands is not None and not is_left_by_move(stands.memory, retired.memory):
                raise StoreError(f"{memory_id} stands already, in {stands.path}, and says something else")
            if stands is None:
                self._repeat(lambda: self._bring_back(retired, text, now))
            drop_retired(self._root, memory_id)
            return self.snapshot().memories[memory_id]

    def pack(self, before: datetime, now: datetime) -> tuple[str, ...]:
        """Pack the loose files of the archive from before an instant; give the packs made. Raises StoreError.

        What stands in a tier with the same words, because an editor has saved what it had read before, leaves the archive.
        """
        from casebook.stores.memory_archive import archived, drop_retired, pack

        with self._alone():  # who retires meanwhile has it in both for a moment
            stands = self._refreshed_now().snapshot.memories
            for name in {
                each.memory.id for each in archived(self._root) if _stands_too(stands.get(each.memory.id), each.memory)
            }:
                drop_retired(self._root, name)
        return tuple(pack(self._root, before, now))

    def purge(self, before: datetime, *, dry: bool = False) -> tuple[str, ...]:
        """Take what came into the archive before an instant out of it for good, cases too; give the ids that stand nowhere now.

        Raises StoreError.
        """
        from casebook.stores.memory_archive import purge

        stands = self.snapshot().memories
        return tuple(each for each in purge(self._root, before, dry) if each not in stands)

    def forget(self, what: Forgetting, *, dry: bool = False) -> Mapping[str, int]:
        """Take all that is to be forgotten out of every file of the casebook but the journal's. Raises StoreError."""
        from casebook.stores.forgetting import forget_files

        with self._alone():  # what is planned meanwhile would bring back what goes
            taken = dict(forget_files(self._root, what, dry))
        self.snapshot()  # what was read before goes from this process, too
        return taken

    def _apply(self, batch: Sequence[Change], now: datetime) -> list[Became]:
        """Make the changes of a batch in which each id stands once."""
        done: list[bool] = [False] * len(batch)
        kept: dict[str, Retiring] = {}
        moved: dict[str, str] = {}

        def once(*, tidies: bool = True) -> list[Became]:
            seen = self._refreshed_now()
            planner = Planner(seen.files, seen.closed, seen.snapshot.memories, seen.shadows, dict(moved))
            for change in batch:
                planner.take(change)
            if tidies:
                planner.tidy()
            plan = planner.plan
            for at, became in enumerate(plan.became):
                done[at] |= became == "done"  # what is repeated because somebody edited meanwhile, is done already
            plan.retiring = [
                each
                for each in plan.retiring
                if each.memory.id not in kept or kept[each.memory.id].memory != each.memory
            ]
            self._retire(plan, now)
            kept.update((each.memory.id, each) for each in plan.retiring)
            moved.update(plan.moved)
            self._execute(plan, seen.files)
            self._withdraw(
                [
                    kept[it.memory_id]
                    for it, was in zip(batch, plan.became, strict=True)
                    if was == "conflict" and it.memory_id in kept
                ]
            )
            return [
                "done" if was and (it == "same" or (it == "missing" and change.after is None)) else it
                for it, was, change in zip(plan.became, done, batch, strict=True)
            ]

        try:
            try:
                return self._repeat(once)
            except UnwritableError:  # perhaps of a file that only would have been cleared up
                return self._repeat(lambda: once(tidies=False))
        except UnwritableError:
            stands = self._refreshed_now().snapshot.memories
            self._withdraw([each for memory_id, each in kept.items() if memory_id in stands])
            raise

    def _retire(self, plan: Plan, now: datetime) -> None:
        """Write what goes to the archive, before anything else is written."""
        if plan.retiring:
            from casebook.stores.memory_archive import retire

            retire(self._root, [(each.text, each.origin, each.reason) for each in plan.retiring], now)

    def _withdraw(self, retired: Sequence[Retiring]) -> None:
        """Take out of the archive again what stays because somebody has edited it at that moment."""
        if retired:
            from casebook.stores.memory_archive import withdraw

            withdraw(self._root, {(each.memory.id, each.text) for each in retired})

    def _execute(self, plan: Plan, seen: Mapping[str, MemoryFile]) -> None:
        """Write what is planned of the tiers: first what takes something in, then what gives something away."""
        files = dict(seen)
        taking = [path for path, layout in sorted(plan.layouts.items()) if layout.added]
        for path in taking:
            layout = plan.layouts[path]
            file = files.get(path) or new_file(path, _fields_of(path, plan.owners.get(path)), self.layer)
            is_new = path not in files
            files[path] = self._write(file, Layout(layout.replaced, set(), layout.added), is_new=is_new)
        for path, layout in sorted(plan.layouts.items()):
            if layout.dropped or (layout.replaced and not layout.added):
                replaced = {} if layout.added else layout.replaced
                self._write(files[path], Layout(replaced, layout.dropped, []), is_new=False)

    def _write(self, file: MemoryFile, layout: Layout, *, is_new: bool) -> MemoryFile:
        """Write a file, unless it is no longer what was read; that of a session, of which nothing is left, goes.

        Raises:
            _EditedError: somebody has changed it since.
            UnwritableError: this file may not be written.
            StoreError: it would be too large.
            OSError: it cannot be written.
        """
        changed = relaid(file, layout, self._reader.shared)
        with self._pen.held():
            self._pen.prepare(file.path.partition("/")[0])
            try:
                there: bytes | None = self._pen.stored(file.path)
            except FileNotFoundError:
                there = None
            except SplitError:
                raise _EditedError from None
            still = None if is_new else file.data
            if there != still:
                raise _EditedError
            is_over = changed.says_nothing and file.path.startswith(_SESSIONS)
            try:
                if is_over and still is not None:
                    is_made = self._pen.remove(file.path, still)  # of many thousand sessions nothing is to be left
                else:
                    is_made = self._pen.write(file.path, changed.data, still)
            except PermissionError as error:
                raise UnwritableError(f"{file.path} in {self._root} cannot be written: {reason_of(error)}") from error
            if not is_made:
                raise _EditedError
        with self._reading:
            if is_over:
                self._reader.note_gone()
            else:
                self._reader.adopt(changed)
        return changed

    def _bring_back(self, retired: Retired, text: str, now: datetime) -> None:
        """Write a memory from the archive where it stood, or where such as it stand."""
        seen = self._refreshed_now()
        changes: dict[str, Any] = {"tier_since": now.astimezone(UTC).isoformat(timespec="milliseconds")}
        if retired.memory.status == "archived":
            changes["status"] = "active"
        try:
            path = checked(retired.origin)
        except StoreError:
            path = ""
        if not path or path.partition("/")[0] != _FOLDER_OF[retired.memory.tier]:
            path = home_of(retired.memory)
        planner = Planner(seen.files, seen.closed, seen.snapshot.memories, seen.shadows)
        planner.put(path, edited(text, changes, ()), retired.memory)
        self._execute(planner.plan, seen.files)

    def _repeat(self, once: Callable[[], _Made]) -> _Made:
        """Do it over what stands there now, until nobody's edit comes in between."""
        for _ in range(_TRIES):
            try:
                return once()
            except _EditedError:
                with self._reading:
                    self._reader.forget_signatures()
            except SplitError as error:
                raise StoreError(f"the memories of {self._root} cannot be written: {error.message}") from None
        raise StoreError(f"the memories of {self._root} are being edited so often that they cannot be written")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Let those who do not wait have what was last read until all is written, and read by the one who wrote it."""
        self._is_writing = True
        try:
            yield
            self._refreshed_now()
        finally:
            self._is_writing = False

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the lock of those who plan; say as StoreError what the system refuses."""
        try:
            with self._batch.held():
                yield
        except OSError as error:
            raise StoreError(f"the memories of {self._root} cannot be written: {reason_of(error)}") from error

    def _refreshed_now(self) -> Seen:
        with self._reading:
            return self._refreshed()

    def _refreshed(self) -> Seen:
        """Read what has changed, under the lock of reading. What ends it from outside (Ctrl-C) leaves it to the next call."""
        if self._is_whole and self._reader.unchanged():
            return self._seen
        is_whole, self._is_whole = self._is_whole, False
        changed = self._reader.refresh()
        if changed or not is_whole or self._seen.snapshot is NOTHING:
            reader, generation = self._reader, self._seen.snapshot.generation + 1
            self._seen = self._assembler.seen(reader.files, reader.closed, reader.faults(), generation, reader.broken)
        elif self._reader.closed != self._seen.closed:
            self._seen = replace(self._seen, closed=self._reader.closed)
        self._is_whole = True
        return self._seen


_SESSIONS = f"{SHORT}/session_"


def _stands_too(placed: Placed | None, retired: Memory) -> bool:
    """Say whether what is in the archive stands, too, with the same words: then that one counts."""
    return placed is not None and is_left_by_move(placed.memory, retired)


_FOLDER_OF = dict(zip(("L3", "L2", "L1"), FOLDERS, strict=True))


def _batches(changes: Sequence[Change]) -> Iterator[list[Change]]:
    """Cut changes into runs in which no id stands twice; an empty run where there are none, for what was left to be cleared up."""
    batch: list[Change] = []
    ids: set[str] = set()
    for change in changes:
        if change.memory_id in ids or len(batch) == _MOST:
            yield batch
            batch, ids = [], set()
        batch.append(change)
        ids.add(change.memory_id)
    yield batch


def _fields_of(path: str, owner: Memory | None) -> dict[str, Any]:
    """Give the fields of a session's file that is to be made."""
    session = owner.source.session if owner is not None and owner.source is not None else None
    user = owner.scope.user if owner is not None else None
    if path != session_file(session, user):
        return {}
    fields = {"session": session, "user": user}
    return {name: value for name, value in fields.items() if value is not None}
