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
from casebook.stores.memory_writing import SHORT

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


def seen_of(
    files: Mapping[str, MemoryFile],
    closed: frozenset[str],
    faults: Iterable[Fault],
    generation: int,
    *,
    zone: str,
    layer: str,
) -> Seen:
    """Put files together.

    Args:
        files: the files that serve, in path order.
        closed: paths at which nothing may be written.
        faults: what is wrong in the files.
        generation: of the snapshot.
        zone: the IANA zone of times that name none.
        layer: the name of the casebook.
    """
    memories, shadows, twice = _assembled(files, zone, layer)
    ended, untold = _ended(files, zone, layer)
    told = sorted((*faults, *twice, *untold), key=lambda each: (each.path, each.line or 0))
    snapshot = MemorySnapshot(generation, MappingProxyType(memories), tuple(told), MappingProxyType(ended))
    return Seen(snapshot, shadows, files, closed)


def _assembled(
    files: Mapping[str, MemoryFile], zone: str, layer: str
) -> tuple[dict[str, Placed], dict[str, tuple[Placed, ...]], list[Fault]]:
    """Put the files together: the memories that stand, the entries that do not because another of their id does, and faults.

    Steps over whole files are in C; single memories are looked at only where an id stands twice.
    """
    memories: dict[str, Placed] = {}
    twice: set[str] = set()
    for file in files.values():
        twice |= memories.keys() & file.placed.keys()
        memories.update(file.placed)
    if not twice:
        return memories, {}, []
    several = {name: [file.placed[name] for file in files.values() if name in file.placed] for name in sorted(twice)}
    chosen = {name: standing(each, zone) for name, each in several.items()}
    memories = {}
    for file in files.values():
        rivals = file.placed.keys() & twice
        lost = {name for name in rivals if chosen[name].path != file.path}
        memories.update(
            {name: placed for name, placed in file.placed.items() if name not in lost} if lost else file.placed
        )
    shadows = {name: tuple(each for each in placed if each is not chosen[name]) for name, placed in several.items()}
    return memories, shadows, _faults_of_twins(files, chosen, shadows, layer)


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
