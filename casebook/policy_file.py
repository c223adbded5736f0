"""Reading `memory-policy.yaml`: a bad key is a fault with its line, and the default of that key serves."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import yaml
from pydantic import BaseModel, ValidationError

from casebook.faults import Fault
from casebook.instants import nearest_zone
from casebook.kinds import KINDS
from casebook.limits import NESTING, POLICY_BYTES, YAML_NODES
from casebook.policy import FORMAT, JOBS, Detector, Intent, JournalPolicy, Limits, Policy, Rules, Sink, Tiers
from casebook.problems import Path, dotted, problems_of

_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _CoreLoader(_Base):  # type: ignore[misc]
    """YAML with the scalars of its 1.2 core schema: `off`, `no` and `04:10` are text."""

    yaml_implicit_resolvers: ClassVar[dict[str | None, list[Any]]] = {}


for _tag, _pattern, _first in (
    ("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", list("tTfF")),
    ("int", r"^[-+]?[0-9]+$", list("-+0123456789")),
    ("float", r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$", list("-+.0123456789")),
):
    _CoreLoader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(_pattern), _first)


class _UnreadableError(Exception):
    """The file as a whole cannot be read: a message and a place (line and column from 1)."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        self.message, self.line, self.column = message, line, column
        super().__init__(message)


@dataclass(slots=True)
class _Read:
    """A document as plain values under its keys, with the places of its keys and items, and keys that stand twice."""

    value: dict[str, Any]
    places: dict[Path, tuple[int, int]]
    repeated: list[Path]


def read_policy(data: bytes, path: str) -> tuple[Policy | None, tuple[Fault, ...]]:
    """Read the bytes of a policy.

    Args:
        data: the file.
        path: its name, for the faults.

    Returns:
        The policy and the faults. A bad key is left out, so that its default serves; a file that cannot be read as a whole
        gives None and one fault.
    """
    try:
        read = _read(data)
        lenient = _may_read(read)
    except _UnreadableError as error:
        return None, (Fault(path, error.message, error.line, error.column),)
    faults = [
        Fault(
            path,
            f'expected "{where[-1]}" once, found it again: the first serves',
            *read.places[where],
            field=dotted(where),
        )
        for where in read.repeated
    ]
    values = {key: value for key, value in read.value.items() if not key.startswith(("x-", "$"))}
    if lenient:
        values = {key: value for key, value in values.items() if key in Policy.model_fields}
    policy, more = _validated(values, read.places, path)
    return policy, tuple(sorted((*faults, *more), key=lambda fault: (fault.line or 0, fault.column or 0)))


def place_of(data: bytes, field: str) -> tuple[int | None, int | None]:
    """Give the line and the column, from 1, of a key of a policy, or of the nearest one around it.

    Args:
        data: the file.
        field: the key as faults name it, such as `sinks.pager.url`.
    """
    try:
        places = _read(data).places
    except _UnreadableError:
        return None, None
    near = [path for path in places if path and (dotted(path) == field or field.startswith(f"{dotted(path)}."))]
    return places[max(near, key=len)] if near else (1, None)


_NAMES: dict[str, Iterable[str]] = {
    "": tuple(Policy.model_fields),
    "limits": tuple(Limits.model_fields),
    "detector": tuple(Detector.model_fields),
    "journal": tuple(JournalPolicy.model_fields),
    "rules": tuple(Rules.model_fields),
    "tiers": tuple(Tiers.model_fields),
    "schedules": JOBS,
    "ttl": KINDS,
}


def _validated(values: dict[str, Any], places: dict[Path, tuple[int, int]], path: str) -> tuple[Policy, list[Fault]]:
    """Validate, leaving out what is bad, until the rest is good."""
    faults: list[Fault] = []
    while True:
        try:
            return Policy.model_validate(values), faults
        except ValidationError as error:
            intents = values.get("intents")
            names = dict(_NAMES)
            if isinstance(intents, dict):
                names.update({f"intents.{name}": tuple(Intent.model_fields) for name in intents})
            sinks = values.get("sinks")
            if isinstance(sinks, dict):
                names.update({f"sinks.{name}": tuple(Sink.model_fields) for name in sinks})
            problems = problems_of(error, names)
            for problem in problems:
                line, column = _place(problem.path, places)
                cure = problem.suggestion
                if problem.path == ("timezone",):
                    cure = nearest_zone(str(values.get("timezone")))
                faults.append(
                    Fault(path, problem.message, line, column, field=dotted(problem.path) or None, suggestion=cure)
                )
            for problem in reversed(problems):  # of a list the last first, so that the places before it stay
                _leave_out(values, problem.path)


def _leave_out(values: dict[str, Any], path: Path) -> None:
    """Take a bad value out: the entry of a table or a list, else the key."""
    table = values.get(str(path[0])) if path else None
    if isinstance(table, list) and len(path) > 1 and isinstance(path[1], int) and path[1] < len(table):
        values[str(path[0])] = [*table[: path[1]], *table[path[1] + 1 :]]
        return
    fields = Policy.model_fields[str(path[0])] if path and path[0] in Policy.model_fields else None
    if isinstance(table, dict) and len(path) > 1 and path[1] in table and fields is not None:
        kind = fields.annotation
        nested = table[path[1]]
        is_model = isinstance(kind, type) and issubclass(kind, BaseModel)
        is_elsewhere = path[:1] == ("sinks",) and path[2:] == (
            "kind",
        )  # its default would bring things to another place
        if not (is_model or is_elsewhere) and isinstance(nested, dict) and len(path) > 2 and path[2] in nested:
            values[str(path[0])] = {**table, path[1]: {key: item for key, item in nested.items() if key != path[2]}}
        else:
            values[str(path[0])] = {key: item for key, item in table.items() if key != path[1]}
    elif path:
        values.pop(str(path[0]), None)
    else:
        values.clear()


def _place(path: Path, places: dict[Path, tuple[int, int]]) -> tuple[int | None, int | None]:
    """Give the line and column of a key, or of the nearest one around it."""
    for length in range(len(path), 0, -1):
        found = places.get(path[:length])
        if found:
            return found
    return 1, None


def _may_read(read: _Read) -> bool:
    """Say whether the file is of a newer format that this release may read, or raise."""
    form, reader = read.value.get("format", FORMAT), read.value.get("min_reader")
    if not isinstance(form, int) or isinstance(form, bool) or form <= FORMAT:
        return False
    if not isinstance(reader, int) or reader > FORMAT:
        line, column = read.places[("format",)]
        raise _UnreadableError(f"expected format {FORMAT}, got {form}, which asks for a newer release", line, column)
    return True


def _read(data: bytes) -> _Read:
    """Read YAML into plain values, or raise `_UnreadableError`."""
    if len(data) > POLICY_BYTES:
        raise _UnreadableError(f"expected a policy of at most 1 MB (limit: policy), got {len(data):,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        at = error.start
        raise _UnreadableError(
            f"expected UTF-8, got the byte 0x{data[at]:02x} (byte {at})", data.count(b"\n", 0, at) + 1
        ) from None
    try:
        _check_depth(text)
        root = yaml.compose(io.StringIO(text), Loader=_CoreLoader)
    except yaml.MarkedYAMLError as error:
        told = ", ".join(part for part in (error.problem, error.context) if part)
        mark: yaml.Mark | None = error.problem_mark or error.context_mark
        place = (None, None) if mark is None else (mark.line + 1, mark.column + 1)
        raise _UnreadableError(f"expected YAML: {told}", *place) from None
    except yaml.YAMLError as error:
        raise _UnreadableError(f"expected YAML: {' '.join(str(error).split())}") from None
    found = _Read({}, {}, [])
    value = {} if root is None else _Building(found).value(root, ())
    if value is None:
        value = {}
    if not isinstance(value, dict):
        raise _UnreadableError(f"expected keys and values, got {type(value).__name__}", 1, 1)
    found.value = value
    return found


def _check_depth(text: str) -> None:
    """Refuse a document nested too deep before anything recurses into it."""
    depth = 0
    for event in yaml.parse(io.StringIO(text), Loader=_CoreLoader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > NESTING:
                mark: Any = event.start_mark
                raise _UnreadableError(f"expected values at most {NESTING} deep", mark.line + 1, mark.column + 1)
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


class _Building:
    """Builds plain values from YAML's nodes, with a budget, since an alias may unfold without end."""

    def __init__(self, read: _Read) -> None:
        self._read = read
        self._left = YAML_NODES

    def value(self, node: Any, path: Path) -> Any:
        """Give the value of a node."""
        self._left -= 1
        if self._left < 0 or len(path) > NESTING:
            line, column = node.start_mark.line + 1, node.start_mark.column + 1
            raise _UnreadableError(f"expected at most {YAML_NODES:,} values with aliases followed", line, column)
        self._read.places.setdefault(path, (node.start_mark.line + 1, node.start_mark.column + 1))
        if isinstance(node, yaml.CollectionNode) and node.tag not in _PLAIN_TAGS:
            raise _tag_refused(node)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, (*path, index)) for index, item in enumerate(node.value)]
        return _scalar(node)

    def _mapping(self, node: Any, path: Path) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line, column = key_node.start_mark.line + 1, key_node.start_mark.column + 1
            if not isinstance(key_node, yaml.ScalarNode):
                raise _UnreadableError("expected a word as a key", line, column)
            key = str(key_node.value)
            if key in made:
                self._read.repeated.append((*path, key))
                self._read.places[(*path, key)] = (line, column)
                continue
            self._read.places[(*path, key)] = (line, column)
            made[key] = self.value(value_node, (*path, key))
        return made


def _scalar(node: Any) -> Any:
    """Give the value of a scalar node, by its tag in the core schema; a tag of another kind is refused."""
    tag, text = node.tag.removeprefix("tag:yaml.org,2002:"), node.value
    if tag == "null":
        return None
    if tag == "bool":
        return text.lower() == "true"
    if tag in ("int", "float"):
        try:
            return int(text) if tag == "int" else float(text)
        except ValueError:
            return text
    if tag == "str":
        return text
    raise _tag_refused(node)


_PLAIN_TAGS = ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")


def _tag_refused(node: Any) -> _UnreadableError:
    """Say that a tag would make more than plain values."""
    return _UnreadableError(
        f"expected plain YAML, got the tag {node.tag}", node.start_mark.line + 1, node.start_mark.column + 1
    )
