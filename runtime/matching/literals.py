"""From the conditions of a case to literals: a flat conjunction of nodes, each asked positively or negatively.

This is the negation normal form of the whole, kept flat: a disjunction stays one node, decided as one signal.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from casebook.conditions.fold import nfc
from casebook.conditions.tree import (
    Always,
    And,
    Date,
    Day,
    Field,
    Month,
    Node,
    Not,
    Or,
    Test,
    Time,
    Week,
    Weekday,
)
from casebook.scope import Scope

Literal = tuple[Node, bool]
"""A node and whether it must hold (True) or must not (False)."""

_NEGATIVE = {"is_not": "is", "not_in": "in", "missing": "exists"}


def bind(node: Node, zone: str) -> Node:
    """Give the tree with every clock test that names no zone bound to `zone`, so that equal nodes mean the same."""
    if isinstance(node, Time | Week | Weekday | Date | Month | Day):
        return node if node.zone is not None else replace(node, zone=zone)
    if isinstance(node, And | Or):
        items = tuple(bind(item, zone) for item in node.items)
        return node if all(old is new for old, new in zip(node.items, items, strict=True)) else type(node)(items)
    if isinstance(node, Not):
        item = bind(node.item, zone)
        return node if item is node.item else Not(item)
    return node


def literals(conditions: Iterable[Node], scope: Scope, zone: str) -> tuple[Literal, ...]:
    """Give the literals that must all come out as asked for a case to apply: its scope's first, then its conditions'.

    Args:
        conditions: the parsed conditions of a case, all of which must hold.
        scope: whom the case is for; each key it names is a test like any other.
        zone: the IANA zone of clock tests that name none.
    """
    found: dict[Literal, None] = {}
    for key in ("user", "project", "team", "agent"):
        wanted = getattr(scope, key)
        if wanted is not None:
            found[Test(Field((key,)), "is", nfc(wanted)), True] = None
    stack: list[Literal] = [(node, True) for node in reversed(tuple(conditions))]
    while stack:
        node, positive = stack.pop()
        if isinstance(node, Not):
            stack.append((node.item, not positive))
        elif isinstance(node, And if positive else Or):
            stack.extend((item, positive) for item in reversed(node.items))
        elif isinstance(node, Test) and node.op in _NEGATIVE:
            stack.append((_positive_form(node), not positive))
        elif not (isinstance(node, Always) and positive):
            found[bind(_affix(node), zone), positive] = None
    return tuple(found)


def _positive_form(test: Test) -> Test:
    return Test(test.field, _NEGATIVE[test.op], test.value)  # type: ignore[arg-type]  # the table holds ops only


def _affix(node: Node) -> Node:
    """Say a `like` with one wildcard at an end, or one at each, as the plain text test it is: those are indexed."""
    if not (isinstance(node, Test) and node.op == "like" and isinstance(node.value, str)):
        return node
    bare = node.value.strip("*")
    if not bare or any(sign in bare for sign in "*?\\") or node.value.startswith("**") or node.value.endswith("**"):
        return node
    match node.value.startswith("*"), node.value.endswith("*"):
        case True, True:
            return Test(node.field, "contains", bare) if _is_scalar_text(node.field) else node
        case False, True:
            return Test(node.field, "starts_with", bare)
        case True, False:
            return Test(node.field, "ends_with", bare)
    return node


def _is_scalar_text(field: Field) -> bool:
    # `contains` over a list asks for an equal item, `like` for a matching one: only where no list can stand are they one
    return field.path == ("text",)
