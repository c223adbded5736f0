"""One entry of a file of memories: its text and value made a memory that serves, or faults that say why it does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from casebook.case import is_free
from casebook.faults import Fault
from casebook.json_place import key_of, line_column, lone_surrogate, repeated_key, span_of
from casebook.limits import NESTING
from casebook.memory import MEMORY_FIELDS, Memory, memory_problems
from casebook.problems import Path, Problem, dotted, shown
from casebook.stores.memory_store import Placed
from casebook.uncollected import FEW, uncollected

_TOLD = 20
"""Faults that are told of one entry."""
_MOST_SHARED = 20_000
"""Values of a kind that are kept to be shared; past it one begins anew."""
_NO_EXTRA: Final[dict[str, Any]] = {}


@dataclass(frozen=True, slots=True)
class Unfit:
    """An entry that serves no memory.

    Attributes:
        id: its id, as far as it could be read, else None.
        faults: what is wrong, lines and columns counted from the entry's own first character.
    """

    id: str | None
    faults: tuple[Fault, ...]


UNTOLD: Final = Unfit(None, ())
"""One of very many that do not serve, of which each is not told."""


class Shared:
    """What the memories of a casebook have in common, kept once: scopes, sources, steps, sets of fields that were set.

    A memory takes a third of the room so. The garbage collector, which has a third to walk, sees the first `FEW` of them alone.
    """

    def __init__(self) -> None:
        self._scopes: dict[Any, Any] = {}
        self._sources: dict[Any, Any] = {}
        self._steps: dict[Any, Any] = {}
        self._named: dict[frozenset[str], set[str]] = {}
        self._made = 0

    def fit(self, form: Mapping[str, Any]) -> Memory:
        """Make a memory of an object, sharing what is known. Raises ValidationError."""
        value = dict(form)
        scope, scope_key = _known(value, "scope", self._scopes)
        source, source_key = _known(value, "source", self._sources)
        if scope is not None:
            value["scope"] = scope
        if source is not None:
            value["source"] = source
        chain = value.get("rule_chain")
        keys = [_key(step) for step in chain] if type(chain) is list else []
        if type(chain) is list:
            value["rule_chain"] = [self._steps.get(key, step) for key, step in zip(keys, chain, strict=True)]
        memory = Memory.model_validate(value)
        _keep(self._scopes, scope_key, memory.scope)
        _keep(self._sources, source_key, memory.source)
        for key, step in zip(keys, memory.rule_chain, strict=False):
            _keep(self._steps, key, step)
        named = memory.model_fields_set
        if len(self._named) >= _MOST_SHARED:
            self._named.clear()
        object.__setattr__(memory, "__pydantic_fields_set__", self._named.setdefault(frozenset(named), named))
        if not memory.__pydantic_extra__:
            object.__setattr__(memory, "__pydantic_extra__", _NO_EXTRA)
        return memory

    def placed(self, form: Mapping[str, Any], place: tuple[str, str]) -> Placed:
        """Make a memory of an object, where it stands. Raises ValidationError."""
        placed = Placed(self.fit(form), *place)
        self._made += 1
        if self._made > FEW:
            uncollected(placed, placed.memory, placed.memory.__dict__)
        return placed


def _known(value: Mapping[str, Any], name: str, kept: Mapping[Any, Any]) -> tuple[Any, Any]:
    """Give what is kept of a field's value, or None, and the key by which it is kept, or None."""
    key = _key(value.get(name))
    return (None, None) if key is None else (kept.get(key), key)


def _key(form: object) -> Any:
    """Give what an object is told from others by, or None: 1 and true, which are equal to Python, must not be taken for one."""
    if type(form) is not dict:
        return None
    for value in form.values():
        if type(value) is not str and value is not True and value is not False:
            return None
    return tuple(form.items())


def _keep(kept: dict[Any, Any], key: Any, made: Any) -> None:
    if key is not None and key not in kept:
        if len(kept) >= _MOST_SHARED:
            kept.clear()
        kept[key] = made


def entry_of(
    text: str,
    value: Any,
    marks: tuple[str, ...],
    place: tuple[str, str],
    shared: Shared,
    *,
    lenient: bool,
    is_told: bool = True,
) -> Placed | Unfit:
    """Make a memory of an entry, or say what is wrong with it; never raises for what a file may hold.

    Args:
        text: its text.
        value: what that decodes to.
        marks: what is wrong beyond the decoding (`repeated key`, `NaN`, …).
        place: the file and the layer.
        shared: what is shared with others.
        lenient: whether unknown fields are passed over.
        is_told: whether faults are made of what is wrong: that costs more than the rest.
    """
    unsound = _unsound(text, value, marks)
    if unsound is not None and is_told:
        return Unfit(_id_of(value), (_fault(text, unsound[0], value, place, unsound[1]),))
    if unsound is not None:
        return UNTOLD
    form = value
    if lenient:
        form = {name: item for name, item in value.items() if name in Memory.model_fields or is_free(name)}
    try:
        return shared.placed(form, place)
    except ValidationError:
        if not is_told:
            return UNTOLD
    try:
        return Placed(Memory.model_validate(form), *place)
    except ValidationError as error:
        problems = memory_problems(form, error)[:_TOLD]
        return Unfit(_id_of(value), tuple(_fault(text, each, value, place) for each in problems))


def _unsound(text: str, value: Any, marks: tuple[str, ...]) -> tuple[Problem, int] | None:
    """Say why an entry is not worth validating, and at which offset, or give None."""
    if not isinstance(value, dict):
        return Problem((), f"expected a memory as an object, got {shown(value)}"), 0
    if "repeated key" in marks:
        path, at = repeated_key(text) or ((), 0)
        return Problem(path, f'expected "{path[-1] if path else ""}" once, found it again'), at
    if marks:
        return Problem((), f"expected a number, got {marks[0]}, which is no JSON", "leave it out or write null"), 0
    if "\\u" in text and (half := lone_surrogate(text)) is not None:
        told = f"expected a character, got {text[half : half + 6]}, half of a surrogate pair"
        return Problem((), told, "write the character itself"), half
    if text.count("[") + text.count("{") > NESTING and _depth(value) > NESTING:
        return Problem((), f"expected values nested at most {NESTING} deep (limit: nesting)"), 0
    return None


def _depth(value: Any) -> int:
    """Give how deep a value is nested; 0 for one that holds nothing."""
    depth, level = 0, [value]
    while level := [each for each in level if isinstance(each, dict | list)]:
        depth += 1
        level = [below for each in level for below in (each.values() if isinstance(each, dict) else each)]
    return depth


def _id_of(value: Any) -> str | None:
    name = value.get("id") if isinstance(value, dict) else None
    return name if isinstance(name, str) else None


def _fault(text: str, problem: Problem, value: Any, place: tuple[str, str], at: int | None = None) -> Fault:
    """Make a fault of a problem, at an offset or where its path leads."""
    line, column = line_column(text, _offset(text, problem.path) if at is None else at)
    return Fault(
        place[0], problem.message, line, column, case=_id_of(value), field=dotted(problem.path) or None,
        suggestion=problem.suggestion, layer=place[1],
    )  # fmt: skip


def _offset(text: str, path: Path) -> int:
    """Give the offset of a field's value, of an unknown field's key, or of the object that lacks a field."""
    if path and isinstance(path[-1], str) and path[-1] not in MEMORY_FIELDS:
        at = key_of(text, path)
        if at is not None:
            return at
    return span_of(text, path)[0]
