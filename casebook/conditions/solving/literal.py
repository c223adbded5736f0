"""Literals: a leaf of the syntax tree in its positive form, and whether it has to hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from typing import Literal as Only

from casebook.conditions.fields import EVENT_FIELDS, GROUPS, FieldType
from casebook.conditions.tree import Count, Date, Day, Field, Month, Node, Not, Test, Weekday


@dataclass(frozen=True, slots=True)
class Literal:
    """A leaf and the truth value that is asked of it. The leaf is positive: never `is_not`, `not_in` or `missing`."""

    atom: Node
    holds: bool


@dataclass(frozen=True, slots=True)
class Found:
    """Something that makes all the literals hold: a field's value, an instant, the events of a session."""

    value: Any


@dataclass(frozen=True, slots=True)
class Conflict:
    """Literals that cannot hold together; minimal, as far as it was worth the work."""

    core: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class Unsure:
    """Neither found nor refuted within what this reasoning can do; says what it stopped at."""

    reason: str


Outcome = Found | Conflict | Unsure

_POSITIVE = {"is_not": "is", "not_in": "in", "missing": "exists"}


def literal_of(leaf: Node, *, holds: bool) -> Literal:
    """Give the literal of a leaf that has to hold or not to hold, negative ops turned into their positive form."""
    if isinstance(leaf, Test):
        op, value = leaf.op, leaf.value
        if op in _POSITIVE:
            op, holds = _POSITIVE[op], not holds  # type: ignore[assignment]  # the table gives ops
        if op == "in" and isinstance(value, tuple) and len(value) == 1:
            op, value = "is", value[0]
        return Literal(leaf if op == leaf.op and value is leaf.value else Test(leaf.field, op, value), holds)
    if isinstance(leaf, Weekday):
        return Literal(Weekday("in", leaf.days, leaf.zone), holds is (leaf.op in ("is", "in")))
    if isinstance(leaf, Month | Day) and leaf.op != "between":
        return Literal(type(leaf)("in", leaf.values, leaf.zone), holds is (leaf.op in ("is", "in")))
    if isinstance(leaf, Date) and leaf.op == "is_not":
        return Literal(Date("is", leaf.values, leaf.zone), not holds)
    if isinstance(leaf, Count) and leaf.op == "is_not":
        return Literal(Count(leaf.kind, leaf.where, leaf.within, "is", leaf.value), not holds)
    return Literal(leaf, holds)


def node_of(literal: Literal) -> Node:
    """Give the condition that a literal stands for, written with the op that people use: `is`, `is not`, `missing`."""
    atom = literal.atom
    if isinstance(atom, Test) and atom.op in ("is", "in", "exists") and not literal.holds:
        negative = {"is": "is_not", "in": "not_in", "exists": "missing"}[atom.op]
        return Test(atom.field, negative, atom.value)  # type: ignore[arg-type]  # the table gives ops
    if isinstance(atom, Weekday):
        one = len(atom.days) == 1 and atom.days[0][0] == atom.days[0][1]
        return Weekday(_SET_OPS[one, literal.holds], atom.days, atom.zone)
    if isinstance(atom, Month | Day) and atom.op == "in":
        return type(atom)(_SET_OPS[len(atom.values) == 1, literal.holds], atom.values, atom.zone)
    return atom if literal.holds else Not(atom)


_SET_OPS: Mapping[tuple[bool, bool], Only["is", "is_not", "in", "not_in"]] = {
    (True, True): "is",
    (True, False): "is_not",
    (False, True): "in",
    (False, False): "not_in",
}


def minimal(literals: Iterable[Literal], decide: Callable[[Sequence[Literal]], Outcome], most: int = 24) -> Conflict:
    """Drop literals from a conflict as long as what is left stays one; beyond `most` of them it is left as it is."""
    core = list(dict.fromkeys(literals))
    if 2 < len(core) <= most:
        for literal in tuple(core):
            rest = [each for each in core if each is not literal]
            if rest and isinstance(decide(rest), Conflict):
                core = rest
    elif len(core) == 2:
        for literal in tuple(core):
            if isinstance(decide([literal]), Conflict):
                return Conflict((literal,))
    return Conflict(tuple(core))


def type_of(field: Field, declared: Mapping[str, FieldType]) -> FieldType:
    """Give what kind of value a field holds: `text`, `texts`, `number` or `any` (also for groups named as a whole)."""
    root = field.root
    if root in GROUPS:
        if len(field.path) == 1:
            return "text" if root == "session" else "any"
        return GROUPS[root].get(str(field.path[1]), "any")
    kind = declared.get(root) or EVENT_FIELDS.get(root, "any")
    return "any" if kind == "group" else kind


WHOLE_COUNTS = frozenset({("session", "errors"), ("session", "consecutive_errors"), ("session", "tasks")})
"""Fields that hold whole numbers, never below 0."""

NEVER_NEGATIVE = WHOLE_COUNTS | {("session", "minutes")}
