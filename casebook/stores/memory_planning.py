"""What a batch of changes comes to, file by file: planned over what stands now, before anything is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from casebook.faults import StoreError
from casebook.memory import Memory, UnfitMemoryError
from casebook.stores.memory_file import MemoryFile
from casebook.stores.memory_homes import AGED, home_of
from casebook.stores.memory_layout import Layout
from casebook.stores.memory_merging import Merge, is_as_seen, is_left_by_move, is_same, merge
from casebook.stores.memory_store import Became, Change, Placed
from casebook.stores.memory_writing import SOFT_BYTES, checked, names_of
from casebook.stores.rewriting import edited, written


class Retiring(NamedTuple):
    """A memory that goes to the archive.

    Attributes:
        memory: as it stands.
        text: its JSON text.
        origin: the file that it comes from.
        reason: why it goes.
    """

    memory: Memory
    text: str
    origin: str
    reason: str


@dataclass(slots=True)
class Plan:
    """What is to be written.

    Attributes:
        became: what becomes of each change.
        retiring: what goes to the archive, which is written first.
        layouts: what is to become of the entries of each file, by path.
        owners: of a file that is to be made, the memory that it is made for.
        moved: the file that a memory moves to, by its id.
    """

    became: list[Became] = field(default_factory=list)
    retiring: list[Retiring] = field(default_factory=list)
    layouts: dict[str, Layout] = field(default_factory=dict)
    owners: dict[str, Memory] = field(default_factory=dict)
    moved: dict[str, str] = field(default_factory=dict)

    def layout(self, path: str) -> Layout:
        """Give what is to become of a file, to be added to."""
        return self.layouts.setdefault(path, Layout())


class Planner:
    """Plans a batch. Of one id a batch may hold one change."""

    def __init__(
        self,
        files: Mapping[str, MemoryFile],
        closed: frozenset[str],
        standing: Mapping[str, Placed],
        shadows: Mapping[str, Sequence[Placed]],
        moved: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Take what stands.

        Args:
            files: the files that serve, by path.
            closed: paths at which nothing may be written.
            standing: the memories that stand, by id.
            shadows: the other entries of the same ids, by id.
            moved: where an attempt before this one, that somebody's edit ended, has written memories to, by id.
        """
        self._files = files
        self._closed = closed
        self._standing = standing
        self._shadows = shadows
        self._moved = moved
        self._indexes: dict[str, dict[str, int]] = {}
        self._texts: dict[str, str] = {}
        self._growth: dict[str, int] = {}
        self._open: dict[str, str] = {}
        self.plan = Plan()

    def take(self, change: Change) -> None:
        """Plan one change. Raises StoreError where its memory cannot be written as JSON, or its path is none."""
        try:
            self.plan.became.append(self._become(change))
        except ValueError as error:  # half of a character, or what is no JSON, in a free field
            raise StoreError(f"{change.memory_id} cannot be written: {error}") from None

    def _become(self, change: Change) -> Became:
        before, after = change.before, change.after
        placed = self._standing.get(change.memory_id)
        if before is not None and after is not None and before.id != after.id:
            raise StoreError(f"expected a change of one memory, got {before.id} and {after.id}")
        if placed is not None and self._gave_way(placed):
            return "conflict"
        if before is None:
            return self._add(placed, after, change.path)
        if placed is None:
            return "missing"
        if placed.path in self._closed:
            return "conflict"  # its file is broken at this moment: somebody edits it
        if after is None:
            return self._retire(placed, before, change.reason)
        return self._edit(placed, before, after, change.path)

    def _gave_way(self, placed: Placed) -> bool:
        """Leave out what an attempt before has moved where the old entry was edited meanwhile: an edit wins."""
        path = self._moved.get(placed.memory.id)
        both = (placed, *self._shadows.get(placed.memory.id, ()))
        ours = next((each for each in both if each.path == path), None)
        if ours is None or path in self._closed:
            return False
        theirs = [each for each in both if each is not ours]
        if not theirs or all(is_left_by_move(each.memory, ours.memory) for each in theirs):
            return False
        self._drop(ours)
        return True

    def tidy(self) -> None:
        """Complete moves that were cut short: of two entries that say the same, the one that does not stand goes."""
        for memory_id in self._shadows:
            placed = self._standing.get(memory_id)
            if placed is not None and placed.path not in self._closed:
                self._drop_twins(placed)

    def put(self, path: str, text: str, memory: Memory) -> str:
        """Plan an entry more, as its very text, in a file or one in which that goes on; give which."""
        target = self._room(path, text)
        self.plan.layout(target).added.append(text)
        self.plan.owners.setdefault(target, memory)
        return target

    def _add(self, placed: Placed | None, after: Memory | None, path: str | None) -> Became:
        assert after is not None
        if placed is not None:
            return "same" if is_same(placed.memory, after) else "conflict"
        text = written(after.to_json(), "  ", "    ", expand=True)
        target = self._room(checked(path or home_of(after)), text)
        self.plan.layout(target).added.append(after.to_json())
        self.plan.owners.setdefault(target, after)
        return "done"

    def _retire(self, placed: Placed, before: Memory, reason: str) -> Became:
        if not is_as_seen(placed.memory, before):
            return "conflict"
        self.plan.retiring.append(Retiring(placed.memory, self._text(placed), placed.path, reason))
        self._drop(placed)
        self._drop_twins(placed)
        return "done"

    def _edit(self, placed: Placed, before: Memory, after: Memory, path: str | None) -> Became:
        found = merge(placed.memory, before, after)
        if found is None:
            return "conflict"
        target = self._target(placed, before, after, path)
        if target == placed.path:
            if not found:
                return "same"
            self.plan.layout(target).replaced[self._index(placed)] = self._edited(placed, found)
            return "done"
        text = self._edited(placed, found)
        twin = next((each for each in self._shadows.get(after.id, ()) if each.path == target), None)
        if twin is None:
            self.plan.moved[after.id] = self.put(target, text, after)
        elif target not in self._closed and is_left_by_move(twin.memory, placed.memory):
            self.plan.layout(target).replaced[self._index(twin)] = text
        else:
            return "conflict"
        self._drop(placed)
        return "done"

    def _target(self, placed: Placed, before: Memory, after: Memory, path: str | None) -> str:
        """Give the file that a memory is to stand in."""
        if path is not None:
            return placed.path if _is_one_of(placed.path, checked(path)) else path
        if after.tier in (before.tier, placed.memory.tier):
            return placed.path
        home = AGED if after.tier == "L1" else home_of(after)
        return placed.path if _is_one_of(placed.path, home) else home

    def _edited(self, placed: Placed, found: Merge) -> str:
        """Give the text of an entry with a change, which must leave it a memory."""
        memory = placed.memory
        try:
            form = {name: value for name, value in memory.to_json().items() if name not in found.remove}
            Memory.from_json({**form, **found.changes})
        except UnfitMemoryError as error:
            raise StoreError(f"{memory.id} in {placed.path}: {error}") from None
        return edited(self._text(placed), found.changes, found.remove)

    def _room(self, path: str, text: str) -> str:
        """Give of a file's names the first that takes a text more."""
        size = len(text.encode()) + 8
        last = self._open.get(path)
        for name in names_of(path):
            if last is not None and name != last:
                continue  # those before it are full
            last = None
            if name in self._closed:
                continue
            file = self._files.get(name)
            filled = (0 if file is None else len(file.data)) + self._growth.get(name, 0)
            if filled + size <= SOFT_BYTES or filled == 0:
                self._growth[name] = self._growth.get(name, 0) + size
                self._open[path] = name
                return name
        raise AssertionError  # the names have no end

    def _drop_twins(self, placed: Placed) -> None:
        """Leave out the other entries of an id that say the same, but for one that is about to be the one."""
        for shadow in self._shadows.get(placed.memory.id, ()):
            if shadow.path not in self._closed and is_left_by_move(shadow.memory, placed.memory):
                layout = self.plan.layouts.get(shadow.path)
                if layout is None or self._index(shadow) not in layout.replaced:
                    self._drop(shadow)

    def _drop(self, placed: Placed) -> None:
        self.plan.layout(placed.path).dropped.add(self._index(placed))

    def _index(self, placed: Placed) -> int:
        indexes = self._indexes.get(placed.path)
        if indexes is None:
            indexes = self._indexes[placed.path] = self._files[placed.path].indexes()
        return indexes[placed.memory.id]

    def _text(self, placed: Placed) -> str:
        file = self._files[placed.path]
        text = self._texts.get(placed.path)
        if text is None:
            text = self._texts[placed.path] = file.data.decode()
        start, end = file.spans[self._index(placed)]
        return text[start:end]


def _is_one_of(path: str, base: str) -> bool:
    """Say whether a path is a file's own or one of those in which it goes on."""
    rest = path.removesuffix(".json").removeprefix(base.removesuffix(".json"))
    return path == base or (path.startswith(base.removesuffix(".json")) and rest[:1] == "-" and rest[1:].isdecimal())
