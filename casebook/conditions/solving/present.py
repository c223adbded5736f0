"""`this` in a `where`: the fields of the present task that it names, and its values put in their place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from casebook.conditions.solving.literal import Literal
from casebook.conditions.tree import Always, And, Count, Earlier, Field, Node, Not, Or, Test, This, walk


def this_fields(node: Node) -> tuple[Field, ...]:
    """Give the fields of the task that a condition refers to by `this`."""
    return tuple(
        each.field
        for part in walk(node)
        if isinstance(part, Test)
        for each in (part.value if isinstance(part.value, tuple) else (part.value,))
        if isinstance(each, This)
    )


def with_values(literal: Literal, known: Mapping[Field, Sequence[Any]]) -> Literal:
    """Put the task's values in the place of `this` in a history literal, where they are known."""
    atom = literal.atom
    assert isinstance(atom, Earlier | Count)
    if atom.where is None or not any(each in known for each in this_fields(atom.where)):
        return literal
    where = _replaced(atom.where, known)
    if isinstance(atom, Earlier):
        return Literal(Earlier(atom.kind, where, atom.within), literal.holds)
    return Literal(Count(atom.kind, where, atom.within, atom.op, atom.value), literal.holds)


def _replaced(root: Node, known: Mapping[Field, Sequence[Any]]) -> Node:
    results: list[Node] = []
    stack: list[tuple[Node, bool]] = [(root, False)]
    while stack:
        node, built = stack.pop()
        if isinstance(node, Test):
            results.append(_replaced_test(node, known))
        elif isinstance(node, Not) and not built:
            stack += [(node, True), (node.item, False)]
        elif isinstance(node, Not):
            results.append(Not(results.pop()))
        elif isinstance(node, And | Or) and not built:
            stack.append((node, True))
            stack.extend((item, False) for item in node.items)
        elif isinstance(node, And | Or):
            parts = tuple(reversed(results[-len(node.items) :]))
            del results[-len(node.items) :]
            results.append(type(node)(parts))
        else:
            results.append(node)
    return results[0]


def _replaced_test(test: Test, known: Mapping[Field, Sequence[Any]]) -> Node:
    named = test.value if isinstance(test.value, tuple) else (test.value,)
    if not any(isinstance(each, This) and each.field in known for each in named):
        return test
    if any(isinstance(each, This) and each.field not in known for each in named):
        return test
    constants = [value for each in named for value in (known[each.field] if isinstance(each, This) else (each,))]
    positive = {"is_not": "is", "not_in": "is", "in": "is"}.get(test.op, test.op)
    parts: list[Node] = [Test(test.field, positive, each) for each in constants]  # type: ignore[arg-type]  # values of a task
    whole = Not(Always()) if not parts else parts[0] if len(parts) == 1 else Or(tuple(parts))
    return Not(whole) if test.op in ("is_not", "not_in") else whole
