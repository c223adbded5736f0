"""The alpha network: every distinct test of all cases once, and which of them a task passes.

Equality, containment and affix tests are *indexed*: what a task passes of them is found through tables and multi-pattern
search, at a cost that grows with the task and not with the number of cases. The others are decided on demand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from casebook.conditions.evaluate import Reading
from casebook.conditions.facts import resolve
from casebook.conditions.fold import fold
from casebook.conditions.tree import Count, Earlier, Field, Node, Test
from casebook.runtime.matching.deciding import Decide, counter, decider, reader
from casebook.runtime.matching.field_index import FieldIndex
from casebook.runtime.matching.names import property_name
from casebook.runtime.matching.numbers import integer_bound

if TYPE_CHECKING:
    from casebook.runtime.matching.production import Posting

SCALARS = frozenset({"tool", "tool_native", "user", "project", "agent", "channel", "model", "origin", "point"})
"""Fields that hold one string: the engine is posted the code of their value, so `!=` is exact."""
COUNTERS = frozenset({("session", "errors"), ("session", "consecutive_errors"), ("session", "tasks")})
"""Fields that hold whole numbers: the engine compares them itself."""
MISSING, OTHER = 0, 1
"""Codes of a scalar field: no value; a value that no case names. Every named value's code is its node's number."""


@dataclass(slots=True, eq=False)
class AlphaNode:
    """One distinct test.

    Attributes:
        number: from 2, unique among the living nodes; names its property and codes its value.
        node: the test, in positive form, zones bound.
        decide: says whether it holds for a task; None for an indexed one, which `AlphaNetwork.passed` tells.
        uses: how many productions ask it: how common it is among the cases.
        postings: by sign, how the engine is told of it (`production.posting`).
    """

    number: int
    node: Node
    decide: Decide | None
    uses: int = 0
    postings: dict[bool, Posting] = field(default_factory=dict)

    @property
    def indexed(self) -> bool:
        """Say whether `AlphaNetwork.passed` tells it."""
        return self.decide is None


Tell = Callable[[Reading], str]
"""Takes a task's reading and gives the JSON member of one property, empty where it is to be absent."""


@dataclass(slots=True, eq=False)
class SharedProperty:
    """The property by which the engine knows a scalar field or a counter, shared by all tests of it."""

    number: int
    name: str
    tell: Tell
    uses: int = 0


def is_indexed(node: Node) -> bool:
    """Say whether a positive test is found through tables."""
    if not isinstance(node, Test):
        return False
    if node.op == "is":
        return True
    return (
        node.op in ("contains", "starts_with", "ends_with") and isinstance(node.value, str) and bool(fold(node.value))
    )


class AlphaNetwork:
    """Registers tests and says which of the indexed ones a task passes. Not safe for two threads: its matcher locks."""

    def __init__(self) -> None:
        """Begin empty."""
        self._nodes: dict[Node, AlphaNode] = {}
        self._free: list[int] = []
        self._next = 2
        self._fields: dict[Field, SharedProperty] = {}
        self._flat: dict[str, FieldIndex] = {}
        self._nested: dict[str, dict[str, dict[Field, FieldIndex]]] = {}

    def __len__(self) -> int:
        """Give how many distinct tests there are."""
        return len(self._nodes)

    def number(self) -> int:
        """Take a number that no living node or property has."""
        if self._free:
            return self._free.pop()
        self._next += 1
        return self._next - 1

    def share(self, field: Field, make: Callable[[str], Tell]) -> SharedProperty:
        """Give the one property of a scalar or counter field, made where there is none, and count one more use.

        Args:
            field: the field.
            make: takes the property's name and gives what tells a task's value of it.
        """
        found = self._fields.get(field)
        if found is None:
            number = self.number()
            name = property_name(number)
            found = self._fields[field] = SharedProperty(number, name, make(name))
        found.uses += 1
        return found

    def _release(self, field: Field) -> None:
        shared = self._fields[field]
        shared.uses -= 1
        if not shared.uses:
            del self._fields[field]
            self._free.append(shared.number)

    def add(self, node: Node) -> AlphaNode:
        """Give the alpha node of a test, made where there is none, and count one more use."""
        found = self._nodes.get(node)
        if found is None:
            found = self._nodes[node] = AlphaNode(self.number(), node, None if is_indexed(node) else decider(node))
            if found.indexed:
                self._index(node).add(found)  # type: ignore[arg-type]  # indexed nodes are tests
        found.uses += 1
        return found

    def remove(self, alpha: AlphaNode) -> None:
        """Count one use less; the last one takes the node out and frees its number."""
        alpha.uses -= 1
        if alpha.uses:
            return
        del self._nodes[alpha.node]
        self._free.append(alpha.number)
        for posting in alpha.postings.values():
            if posting.field is not None:
                self._release(posting.field)
        if alpha.indexed:
            index = self._index(alpha.node)  # type: ignore[arg-type]  # as above
            index.remove(alpha)
            if index.is_empty():
                self._unindex(alpha.node)  # type: ignore[arg-type]  # as above

    def find(self, node: Node) -> AlphaNode | None:
        """Give the alpha node of a test that a case asks, or None."""
        return self._nodes.get(node)

    def _index(self, test: Test) -> FieldIndex:
        path = test.field.path
        if len(path) == 1:
            return self._flat.setdefault(str(path[0]), FieldIndex())
        below = self._nested.setdefault(str(path[0]), {}).setdefault(str(path[1]), {})
        return below.setdefault(test.field, FieldIndex())

    def _unindex(self, test: Test) -> None:
        root = test.field.root
        if len(test.field.path) == 1:
            del self._flat[root]
            return
        below = self._nested[root]
        group = below[str(test.field.path[1])]
        del group[test.field]
        if not group:
            del below[str(test.field.path[1])]
        if not below:
            del self._nested[root]

    def code(self, root: str, value: object) -> int:
        """Give what the engine is posted for a scalar field: the value's code, `OTHER` or `MISSING`."""
        if value is None:
            return MISSING
        index = self._flat.get(root)
        return OTHER if index is None or not isinstance(value, str) else index.equal.get(value, OTHER)

    def passed(self, reading: Reading) -> set[int]:
        """Give the numbers of the indexed nodes that a task passes."""
        found: set[int] = set()
        values = reading.facts.values
        for root, index in self._flat.items():
            value = values.get(root)
            if value is not None:
                index.collect(resolve(values, Field((root,))) if root == "session" else value, reading, found)
        for root, below in self._nested.items():
            group = values.get(root)
            if isinstance(group, Mapping):
                for field, index in _reached(below, group):
                    value = resolve(values, field)
                    if value is not None:
                        index.collect(value, reading, found)
            elif group is not None:
                for fields in below.values():
                    for field, index in fields.items():
                        index.collect(resolve(values, field), reading, found)
        return found


def _reached(
    below: Mapping[str, dict[Field, FieldIndex]], group: Mapping[str, Any]
) -> Iterator[tuple[Field, FieldIndex]]:
    shorter = group if len(group) < len(below) else below
    for key in shorter:
        if key in group and key in below:
            yield from below[key].items()


def counter_of(node: Test | Count) -> Callable[[Reading], int | None]:
    """Give the function that reads the whole number a counter test compares; None is no number: no such test then holds."""
    if isinstance(node, Count):
        return counter(Earlier(node.kind, node.where, node.within))
    read = reader(node.field)

    def number(reading: Reading) -> int | None:
        value = read(reading)
        if isinstance(value, float) and value.is_integer():
            return int(value)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    return number


def counter_bound(node: Node) -> tuple[str, int] | None:
    """Give the engine's op and whole number of an order test on a counter, or None where the node is no such test."""
    if isinstance(node, Count) and node.op in ("gt", "gte", "lt", "lte"):
        return integer_bound(node.op, node.value)
    if isinstance(node, Test) and node.field.path in COUNTERS and node.op in ("gt", "gte", "lt", "lte"):
        return integer_bound(node.op, node.value)  # type: ignore[arg-type]  # the parser lets numbers only stand here
    return None
