"""The memories of a folder, put together of its files: which of several of an id stands, what ended, what is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

from casebook.faults import Fault
from casebook.instants import instant
from casebook.problems import shown
from casebook.stores.memory_file import MemoryFile, lines_of
from casebook.stores.memory_merging import is_left_by_move, standing
from casebook.stores.memory_store import MemorySnapshot, Placed
from casebook.stores.memory_writing import FOLDERS, SHORT
from casebook.uncollected import FEW, uncollected
from casebook.yielding import let_in

Shadows = Mapping[str, tuple[Placed, ...]]
NOTHING = MemorySnapshot(0, MappingProxyType({}), (), MappingProxyType({}))
"""What stands where nothing was read yet."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was last read.

    Attributes:
        snapshot: as it is given.
        shadows: the entries that do not stand because another of their id does, by id.
        files: the files that serve, by path.
        closed: paths at which nothing may be written.
    """

    snapshot: MemorySnapshot = NOTHING
    shadows: Shadows = field(default_factory=dict)
    files: Mapping[str, MemoryFile] = field(default_factory=dict)
    closed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Stage:
    """The memories of a folder's files, upon those of the folders before it.

    Attributes:
        below: those of the folders before it.
        parts: those of each of its files.
        memories: all together; of an id that stands twice the last.
        twice: the ids that stand twice, in any folder until here.
    """

    below: dict[str, Placed]
    parts: list[dict[str, Placed]]
    memories: dict[str, Placed]
    twice: frozenset[str]


class Assembler:
    """Puts the files of one casebook together, at the cost of what changed and of those that come after it in path order.

    Steps over whole files are in C; single memories are looked at only where an id stands twice.
    """

    def __init__(self, zone: str, layer: str) -> None:
        """Take the IANA zone of times that name none, and the name of the casebook."""
        self._zone = zone
        self._layer = layer
        self._nothing: dict[str, Placed] = {}
        self._stages: dict[str, _Stage] = {}

    def seen(
        self,
        files: Mapping[str, MemoryFile],
        closed: frozenset[str],
        faults: Iterable[Fault],
        generation: int,
        broken: frozenset[str] = frozenset(),
    ) -> Seen:
        """Put files together.

        Args:
            files: the files that serve, in path order.
            closed: paths at which nothing may be written.
            faults: what is wrong in the files.
            generation: of the snapshot.
            broken: the paths of files whose present bytes do not serve.
        """
        memories, twice = self._together(files)
        shadows: Shadows = {}
        told = list(faults)
        if twice:
            memories, chosen, shadows = _chosen(files, twice, self._zone)
            told += _faults_of_twins(files, chosen, shadows, self._layer)
        ended, untold = _ended(files, self._zone, self._layer)
        told = sorted((*told, *untold), key=lambda each: (each.path, each.line or 0))
        snapshot = MemorySnapshot(generation, MappingProxyType(memories), tuple(told), MappingProxyType(ended), broken)
        return Seen(snapshot, shadows, files, closed)

    def _together(self, files: Mapping[str, MemoryFile]) -> tuple[dict[str, Placed], frozenset[str]]:
        """Give the memories of all files, of an id that stands twice the last, and the ids that do."""
        memories, twice = self._nothing, frozenset[str]()
        for folder in FOLDERS:
            parts = [file.placed for path, file in files.items() if path.startswith(folder)]
            if parts:
                stage = _stage(memories, twice, parts, self._stages.get(folder))
                self._stages[folder] = stage
                memories, twice = stage.memories, stage.twice
        return memories, twice


def _stage(
    below: dict[str, Placed], twice: frozenset[str], parts: list[dict[str, Placed]], known: _Stage | None
) -> _Stage:
    """Give the memories of a folder upon those below it; what is known of it serves where it is the same."""
    if known is not None and known.below is below and len(known.parts) == len(parts):
        changed = [(old, new) for old, new in zip(known.parts, parts, strict=True) if old is not new]
        if not changed:
            return known
        if not known.twice and all(list(old) == list(new) for old, new in changed):  # the same ids in the same order
            memories = known.memories.copy()
            for _, new in changed:
                memories.update(new)
            return _made(below, parts, memories, twice)
    memories, found = below.copy(), set(twice)
    for part in parts:
        let_in()
        found |= memories.keys() & part.keys()
        memories.update(part)
    return _made(below, parts, memories, frozenset(found))


def _made(
    below: dict[str, Placed], parts: list[dict[str, Placed]], memories: dict[str, Placed], twice: frozenset[str]
) -> _Stage:
    if len(memories) > FEW:
        uncollected(memories)
    return _Stage(below, parts, memories, twice)


def _chosen(
    files: Mapping[str, MemoryFile], twice: frozenset[str], zone: str
) -> tuple[dict[str, Placed], dict[str, Placed], dict[str, tuple[Placed, ...]]]:
    """Give the memories that stand, of the ids that stand twice which does, and which do not."""
    several: dict[str, list[Placed]] = {name: [] for name in sorted(twice)}
    for file in files.values():
        for name in file.placed.keys() & twice:
            several[name].append(file.placed[name])
    chosen = {name: standing(each, zone) for name, each in several.items()}
    memories: dict[str, Placed] = {}
    for file in files.values():
        let_in()
        lost = {name for name in file.placed.keys() & twice if chosen[name].path != file.path}
        memories.update(
            {name: placed for name, placed in file.placed.items() if name not in lost} if lost else file.placed
        )
    shadows = {name: tuple(each for each in placed if each is not chosen[name]) for name, placed in several.items()}
    return memories, chosen, shadows


def _faults_of_twins(
    files: Mapping[str, MemoryFile], chosen: Mapping[str, Placed], shadows: Shadows, layer: str
) -> list[Fault]:
    """Tell of entries of an id that say something else than the one that stands; two that say the same are a move's."""
    told: dict[str, list[tuple[int, str]]] = {}
    for name, others in shadows.items():
        for placed in others:
            if not is_left_by_move(placed.memory, chosen[name].memory):
                index = files[placed.path].index_of(name)
                assert index is not None
                told.setdefault(placed.path, []).append((index, name))
    faults = []
    for path, found in sorted(told.items()):
        found.sort()
        for (line, column), (_, name) in zip(lines_of(files[path], [at for at, _ in found]), found, strict=True):
            message = f"expected an id that stands once, found {name} in {chosen[name].path}, too, which serves"
            faults.append(Fault(path, message, line, column, case=name, field="id", layer=layer))
    return faults


def _ended(files: Mapping[str, MemoryFile], zone: str, layer: str) -> tuple[dict[str, datetime], list[Fault]]:
    """Give when the sessions of L1's files ended; a file that goes on in another ends with it."""
    ended: dict[str, datetime] = {}
    faults = []
    for path, file in files.items():
        if not path.startswith(SHORT):
            continue
        stem, _, number = path.removesuffix(".json").rpartition("-")
        first = files.get(f"{stem}.json") if number.isdecimal() else None
        own = file.fields.get("ended_at")
        value = own if own is not None or first is None else first.fields.get("ended_at")
        if value is None:
            continue
        try:
            ended[path] = instant(value if isinstance(value, str) else "", zone)
        except ValueError:
            if own is not None:
                told = f'expected an ISO date-time such as "2026-03-20T09:00:00+08:00", got {shown(own)}'
                faults.append(Fault(path, told, field="ended_at", layer=layer))
    return ended, faults
