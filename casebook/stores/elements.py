"""One element of a file of cases: its text and value made a case that serves, or faults that say why it does not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from hashlib import blake2b
from typing import Any

from pydantic import ValidationError

from casebook.case import Case, LoadedCase, case_problems, is_free, with_points
from casebook.conditions.fields import FieldType
from casebook.conditions.tree import Node
from casebook.faults import ConditionError, Fault, Severity, TaskError
from casebook.instants import instant
from casebook.json_place import key_of, line_column, lone_surrogate, repeated_key, span_of, within_string
from casebook.limits import CASE_BYTES
from casebook.problems import Path, Problem, dotted, shown
from casebook.scope import Point
from casebook.stores.points import reads_tool
from casebook.task import Task

_ID = re.compile(r"[A-Za-z0-9_.\-]{1,128}\Z")
_Parsed = tuple[Node, bool]


@dataclass(slots=True)
class Reading:
    """What the elements of one file are read with.

    Attributes:
        path: the file, relative to the casebook's folder.
        layer: the name of its layer.
        zone: the policy's time zone.
        declared: the policy's further fields.
        lenient: whether unknown fields are kept.
        parsed: conditions already parsed, by text: equal ones share a tree while a file is read.
        named: sets of fields that were set: cases with the same ones share a set.
    """

    path: str
    layer: str
    zone: str
    declared: Mapping[str, FieldType]
    lenient: bool = False
    parsed: dict[str, _Parsed] = field(default_factory=dict)
    named: dict[frozenset[str], set[str]] = field(default_factory=dict)


@dataclass(slots=True)
class Element:
    """An element as it stands in its file.

    Attributes:
        start: the offset in bytes of its first character; moves as the file changes before it.
        end: the offset past its last.
        line: the line of its first character, from 1; moves likewise.
        loaded: the case that serves, or None.
        faults: what is wrong, lines and columns counted from the element's own first character.
        id: the id, as far as one could be read, else None.
        version: a short hash of the text.
    """

    start: int
    end: int
    line: int
    loaded: LoadedCase | None
    faults: tuple[Fault, ...]
    id: str | None
    version: str


def version_of(text: bytes) -> str:
    """Give the short hash by which a case's text is told from another: 16 digits of base 16."""
    return blake2b(text, digest_size=8).hexdigest()


def load(text: str, value: Any, marks: tuple[str, ...], reading: Reading, version: str) -> Element:
    """Make an element of its text and what the text decodes to; its places are for the caller to set.

    Never raises for what a file may hold: all that is wrong becomes faults.
    """
    found = _Faults(text, reading.path)
    found.case = _id_of(value)
    loaded = None
    if _sound(text, value, marks, found):
        loaded = _loaded(value, reading, found, version)
    return Element(0, 0, 0, loaded, tuple(found.faults), found.case, version)


_TOLD = 20
"""Faults that are told of one case."""


class _Faults:
    """Collects the faults of one element and finds their places in its text."""

    __slots__ = ("case", "faults", "path", "text")

    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self.path = path
        self.case: str | None = None
        self.faults: list[Fault] = []

    def add(self, problem: Problem, *, at: int | None = None, severity: Severity = "error") -> None:
        """Note a problem, at an offset or where its path leads; of very many the first."""
        if len(self.faults) >= _TOLD and (severity == "warning" or self.is_full):
            return
        if at is None:
            at = self._place(problem.path)
        line, column = line_column(self.text, at)
        self.faults.append(
            Fault(
                path=self.path, message=problem.message, line=line, column=column, case=self.case,
                field=dotted(problem.path) or None, suggestion=problem.suggestion, severity=severity,
            )
        )  # fmt: skip

    @property
    def is_full(self) -> bool:
        """Say whether so much is wrong that the case does not serve, and no more is told: finding each place reads the text."""
        return len(self.faults) >= _TOLD and any(fault.severity == "error" for fault in self.faults)

    def _place(self, path: Path) -> int:
        """Give the offset of a field's value, of an unknown field's key, or of the object that lacks a field."""
        if path and path[-1] not in Case.model_fields and isinstance(path[-1], str):
            at = key_of(self.text, path)
            if at is not None:
                return at
        return span_of(self.text, path)[0]


def _id_of(value: Any) -> str | None:
    """Give the id where the value has one that could be."""
    found = value.get("id") if isinstance(value, dict) else None
    return found if isinstance(found, str) and _ID.match(found) else None


def _sound(text: str, value: Any, marks: tuple[str, ...], found: _Faults) -> bool:
    """Say whether the element is worth validating; note why not."""
    size = len(text) if text.isascii() else len(text.encode())
    if size > CASE_BYTES:
        found.add(Problem((), f"expected a case of at most 64 KB (limit: case), got {size:,} bytes"), at=0)
    elif not isinstance(value, dict):
        found.add(Problem((), f"expected a case as an object, got {shown(value)}"), at=0)
    elif "repeated key" in marks:
        path, at = repeated_key(text) or ((), 0)
        found.add(Problem(path, f'expected "{path[-1] if path else ""}" once, found it again'), at=at)
    elif marks:
        at = _outside_strings(text, marks[0])
        found.add(
            Problem((), f"expected a number, got {marks[0]}, which is no JSON", "leave it out or write null"), at=at
        )
    elif "\\u" in text and (at_half := lone_surrogate(text)) is not None:
        half = text[at_half : at_half + 6]
        found.add(
            Problem((), f"expected a character, got {half}, half of a surrogate pair", "write the character itself"),
            at=at_half,
        )
    return not found.faults


def _outside_strings(text: str, word: str) -> int:
    """Give the offset of a bare word of JSON."""
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"|(-?[A-Za-z]+)', text, re.DOTALL):
        if match.group(1) == word:
            return match.start()
    return 0


def _loaded(value: dict[str, Any], reading: Reading, found: _Faults, version: str) -> LoadedCase | None:
    """Validate a case and parse its conditions; every fault at once, so that a person mends a case in one go."""
    if reading.lenient:
        value = {name: item for name, item in value.items() if name in Case.model_fields or is_free(name)}
    try:
        case = Case.model_validate(value)
    except ValidationError as error:
        for problem in case_problems(value, error):
            found.add(problem)
        _conditions(value.get("trigger_conditions"), reading, found)
        _check_examples(value.get("examples"), found)
        return None
    conditions, reads_tool = _conditions(case.trigger_conditions, reading, found)
    if case.examples is not None:
        _check_examples(value["examples"], found)
    zone = case.timezone or reading.zone
    created, expires = _times(case, reading.zone, found)
    if any(fault.severity == "error" for fault in found.faults):
        return None
    if "on" not in case.model_fields_set:
        with_points(case, _BOTH if reads_tool else _TURN)
    share(case, reading.named)
    return LoadedCase(
        case=case, conditions=conditions, zone=zone, created=created, expires=expires, path=reading.path, line=0,
        layer=reading.layer, version=version,
    )  # fmt: skip


_NO_EXTRA: dict[str, Any] = {}


def share(case: Case, named: dict[frozenset[str], set[str]]) -> None:
    """Let a case share what pydantic notes about it with its likes: a kilobyte less for each (cases never change)."""
    put = object.__setattr__
    put(case, "__pydantic_fields_set__", named.setdefault(frozenset(case.model_fields_set), case.model_fields_set))
    if not case.__pydantic_extra__:
        put(case, "__pydantic_extra__", _NO_EXTRA)


_TURN: tuple[Point, ...] = ("task",)
_BOTH: tuple[Point, ...] = ("task", "tool")


def _conditions(forms: object, reading: Reading, found: _Faults) -> tuple[tuple[Node, ...], bool]:
    """Parse the conditions; say whether one reads a tool call."""
    nodes = []
    reads_tool = False
    for index, form in enumerate(forms if isinstance(forms, list | tuple) else ()):
        if not isinstance(form, str | dict):
            continue  # validation has told of it
        if found.is_full:
            break
        try:
            node, reads = _parsed(form, reading)
        except ConditionError as error:
            path: Path = ("trigger_conditions", index)
            at = span_of(found.text, path)[0]
            if isinstance(form, str) and error.column is not None:
                at = within_string(found.text, at, error.column - 1)
            found.add(Problem(path, error.message, error.suggestion), at=at)
        else:
            nodes.append(node)
            reads_tool = reads_tool or reads
    return tuple(nodes), reads_tool


@cache
def _language() -> tuple[Any, Any]:
    """Give the parsers of both forms; loaded late, for they cost an import of lark."""
    from casebook.conditions.json_form import from_json
    from casebook.conditions.parse import parse

    return parse, from_json


def _parsed(form: str | dict[str, Any], reading: Reading) -> _Parsed:
    """Parse a condition, or give the tree of an equal one of the same file."""
    if isinstance(form, str):
        known = reading.parsed.get(form)
        if known is None:
            node = _language()[0](form, declared=reading.declared)
            known = reading.parsed[form] = (node, reads_tool(node))
        return known
    node = _language()[1](form, declared=reading.declared)
    return node, reads_tool(node)


def _check_examples(examples: object, found: _Faults) -> None:
    """Hold the tasks of a case's examples to the form of a task; what is no task at all, validation has told of."""
    for name in ("fires", "silent"):
        tasks = examples.get(name) if isinstance(examples, dict) else None
        for index, form in enumerate(tasks if isinstance(tasks, list | tuple) else ()):
            if found.is_full:
                return
            if not isinstance(form, dict):
                continue
            try:
                Task.from_json(form)
            except TaskError as error:
                place, _, message = str(error).partition(": ")
                named = re.fullmatch(r"[\w\-.$]+(\[\d+\])*(\.[\w\-.$]+)*", place) if message else None
                path: Path = ("examples", name, index, *((place,) if named else ()))
                at = span_of(found.text, ("examples", name, index, *re.findall(r"[^.\[\]]+", place)[:1]))[0]
                found.add(Problem(path, message if named else str(error)), at=at)


def _times(case: Case, zone: str, found: _Faults) -> tuple[datetime | None, datetime | None]:
    """Give the instants of a case's creation and expiry, in the casebook's zone where they name none."""
    created = expires = None
    try:
        if case.created_at is not None:
            created = instant(case.created_at, zone)
        if case.expires_at is not None:
            expires = instant(case.expires_at, zone)
    except ValueError as error:  # readable in UTC, but past the years 1 to 9999 in this zone
        found.add(Problem(("created_at" if created is None else "expires_at",), str(error)))
        return None, None
    length = case.ttl_length
    if length is None:
        return created, expires
    if created is None:
        found.add(
            Problem(("ttl",), "a ttl counts from created_at, and there is none: it never ends", "add created_at"),
            severity="warning",
        )
        return created, expires
    try:
        end = created + length
    except OverflowError:  # past the year 9999: never, for all that a clock can say
        return created, expires
    return created, end if expires is None else min(end, expires)


def placed(fault: Fault, line: int, column: int) -> Fault:
    """Move a fault of an element to where the element stands: its first character's line and column, from 1."""
    if fault.line is None:
        return fault
    moved = fault.column
    if fault.line == 1 and moved is not None:
        moved += column - 1
    return replace(fault, line=fault.line + line - 1, column=moved)
