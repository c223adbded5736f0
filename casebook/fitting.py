"""A task that is too large or too deep is cut to its limits, value by value: what conditions read is still there to be read.

A call must not escape a case by what stands beside, before or after what the case looks at. So short values stay whole, a long one
keeps its first and last part, and what says what a call does (its command, its path) has the most room.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice
from typing import Any, Final

from casebook.cut_text import ends_of, size_of
from casebook.faults import TaskError
from casebook.limits import NESTING, TASK_BYTES
from casebook.plain import plain
from casebook.task import Task, refuse_large

COMMANDS: Final = frozenset({"command", "cmd", "script", "commands"})
"""Names under which a command line stands."""
TELLING: Final = COMMANDS | {
    "action", "args", "dest", "destination", "dir", "directory", "dir_path", "dirPath", "file", "file_name", "file_path", "file_paths",
    "filename", "filepath", "filePath", "files", "absolute_path", "name", "new_path", "notebook_path", "old_path", "path", "paths", "query",
    "recipient", "relative_path", "relative_workspace_path", "source", "target", "target_directory", "target_file", "text", "tool", "to",
    "uri", "url",
}  # fmt: skip
"""Names of values that say what is done and to what: they come first, and have the most room."""
_WEIGHT: Final = 8
"""So many times the room of another long text has one under such a name (ours)."""
_ROOM: Final = TASK_BYTES - 16_384
"""Bytes; the rest is for what is not told by the caller."""
_ITEMS: Final = 1_000
"""Items of a list, or names of a mapping, at each of its ends that are kept (ours)."""
_VALUES: Final = 20_000
"""Values of a task that are kept (ours)."""
_NAME: Final = 512
"""Bytes of a name."""
_LARGEST: Final = 10**600
"""Of an integer: beyond what conditions compare it with. Python writes none of over 4,300 digits."""
_TOLD: Final = 5
"""Places that are named of those that were cut."""


@dataclass(slots=True)
class _Text:
    """A text, and where it goes."""

    into: Any
    at: Any
    text: str
    place: str
    weight: int
    is_command: bool
    size: int = 0


@dataclass(slots=True)
class _Cutting:
    """What is left of room and values, the texts that were met, the places that were cut."""

    room: int = _ROOM
    values: int = _VALUES
    texts: list[_Text] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Level:
    """A mapping or list that is still to be read, and where what is kept of it goes."""

    source: Any
    into: Any
    place: str
    is_telling: bool = False
    is_command: bool = False


def task_within(fields: Mapping[str, Any]) -> tuple[Task, str]:
    """Give the task of some fields, and what of them could not be taken, for a person; "" where all was.

    Args:
        fields: those of a `Task`. Over its limits they are cut (`fitted`); values of another type than a task has are left out.

    Raises:
        TaskError: what is left is no task: another field has another type.
        Exception: what a value raises that is asked for its text.
    """
    try:
        return Task(**fields), ""
    except TaskError:
        kept, cut = fitted(fields)
    try:
        return Task(**kept), cut
    except TaskError as error:
        odd = [name for name in ("args", "text", "context") if name in kept]
        return Task(**{name: value for name, value in kept.items() if name not in odd}), "; ".join(
            filter(None, (str(error), cut))
        )


def within(fields: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Give fields of a task as they are where they fit into one beside its others, else `fitted`."""
    try:
        refuse_large(plain(fields), _ROOM)
    except TaskError:
        return fitted(fields)
    return dict(fields), ""


def fitted(fields: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Cut a task's fields to its limits: `NESTING` deep, and `TASK_BYTES` as JSON.

    Args:
        fields: names to values as `casebook.plain` takes them; a ring of references ends at the depth.

    Returns:
        The fields, and a sentence that names what was cut; "" where nothing was.
    """
    cutting = _Cutting()
    made: dict[str, Any] = {}
    levels = [_Level(fields, made, "", is_telling=True)]
    depth = 1
    while levels:
        inner: list[_Level] = []
        for each in sorted(levels, key=_order):
            _read(each, depth, inner, cutting)
        levels, depth = inner, depth + 1
    _share(cutting)
    return made, _sentence(cutting.cut)


def bounded(digits: str) -> int:
    """Give the integer of its digits, as `json.loads` hands them to `parse_int`; one beyond all that conditions compare with is that bound."""
    if len(digits) <= 600:
        return int(digits)
    return -_LARGEST if digits.startswith("-") else _LARGEST


def _order(level: _Level) -> tuple[bool, int]:
    return not level.is_telling, len(level.source)


def _read(level: _Level, depth: int, inner: list[_Level], cutting: _Cutting) -> None:
    """Read one mapping or list: what is short is put in its place, texts are kept for later, what is in it is read after it."""
    is_mapping = isinstance(level.source, Mapping)
    kept = 0
    for key, value in _some(level.source):
        name = (key if isinstance(key, str) else str(key)) if is_mapping else ""
        if is_mapping and size_of(name) > _NAME:
            name = ends_of(name, _NAME)
            cutting.cut.append(f"a name in {level.place}" if level.place else "a name")
        place = f"{level.place}.{name}" if level.place and is_mapping else level.place or name
        cost = (size_of(name) if is_mapping else 0) + 32
        if cutting.values <= 0 or cutting.room < cost:
            break
        cutting.values -= 1
        cutting.room -= cost
        kept += 1
        is_telling = name in TELLING if is_mapping else level.is_telling
        is_command = name in COMMANDS if is_mapping else level.is_command
        at: Any = name
        if not is_mapping:
            at = len(level.into)
            level.into.append(None)
        if isinstance(value, str) and not isinstance(value, Enum):
            weight = _WEIGHT if is_telling else 1
            cutting.texts.append(_Text(level.into, at, str.__str__(value), place, weight, is_command))
        elif _is_compound(value):
            if depth >= NESTING + 1:
                cutting.cut.append(f"what is over {NESTING} deep")
                continue
            made: Any = {} if isinstance(value, Mapping) else []
            level.into[at] = made
            source = value if isinstance(value, Mapping | Sequence) else sorted(value, key=repr)
            inner.append(_Level(source, made, place, is_telling, is_command))
        else:
            level.into[at] = _scalar(value, place, cutting)
    if kept < len(level.source):
        cutting.cut.append(level.place or "fields")


def _some(source: Any) -> Iterable[tuple[Any, Any]]:
    """Give what of a mapping or list is read: all of it, else what has a telling name, and both ends."""
    size = len(source)
    if isinstance(source, Mapping):
        if size <= 2 * _ITEMS:
            return source.items()
        telling = {name: source[name] for name in TELLING if name in source}
        ends = (*islice(source.items(), _ITEMS), *islice(source.items(), size - _ITEMS, None))
        return (telling | {name: value for name, value in ends if name not in telling}).items()
    if size <= 2 * _ITEMS:
        return ((None, each) for each in source)
    return ((None, each) for each in (*source[:_ITEMS], *source[size - _ITEMS :]))


def _is_compound(value: Any) -> bool:
    if isinstance(value, Mapping):
        return True
    is_several = isinstance(value, Sequence | AbstractSet)
    return is_several and not isinstance(value, str | bytes | bytearray | memoryview)


def _scalar(value: Any, place: str, cutting: _Cutting) -> Any:
    if type(value) is int and not -_LARGEST <= value <= _LARGEST:
        cutting.room -= 600
        cutting.cut.append(place)
        return _LARGEST if value > 0 else -_LARGEST
    if type(value) is int:
        cutting.room -= value.bit_length() // 3
    return value


def _share(cutting: _Cutting) -> None:
    """Give each text its part of the room: the shorter ones all that they take, the longer ones what is left, by their weight."""
    weights = 0
    for each in cutting.texts:
        each.size = size_of(each.text)
        weights += each.weight
    room = max(cutting.room, 0)
    for each in sorted(cutting.texts, key=_hunger):
        share = room * each.weight // weights
        weights -= each.weight
        if each.size <= share:
            each.into[each.at] = each.text
            room -= each.size
        else:
            each.into[each.at] = ends_of(each.text, share, command=each.is_command)
            cutting.cut.append(each.place)
            room -= share


def _hunger(text: _Text) -> float:
    return text.size / text.weight


def _sentence(cut: Sequence[str]) -> str:
    if not cut:
        return ""
    places = list(dict.fromkeys(each[:80] for each in cut))
    more = f" and {len(places) - _TOLD} more" if len(places) > _TOLD else ""
    return f"the task is larger than its limits: of {', '.join(places[:_TOLD])}{more} a part was not looked at"
