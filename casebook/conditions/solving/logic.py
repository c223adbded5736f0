"""From trees to sets of literals: each way in which a conjunction of conditions can be true, one after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from casebook.conditions.solving.literal import Literal, literal_of
from casebook.conditions.solving.sat import Clauses
from casebook.conditions.tree import Always, And, Node, Not, Or


def plain_literals(nodes: Sequence[Node]) -> list[Literal] | None:
    """Give the literals of a conjunction that has no choice in it, None where it has; `always` is left out."""
    found: dict[Literal, None] = {}
    stack = [(node, True) for node in reversed(nodes)]
    while stack:
        node, holds = stack.pop()
        if isinstance(node, Not):
            stack.append((node.item, not holds))
        elif isinstance(node, And | Or):
            if isinstance(node, And) is not holds:
                return None
            stack.extend((item, holds) for item in reversed(node.items))
        elif not isinstance(node, Always):
            found[literal_of(node, holds=holds)] = None
        elif not holds:
            return None
    return list(found)


@dataclass(slots=True)
class Logic:
    """The truth structure of some conditions as clauses; `choices` gives sets of literals that make them all true.

    Attributes:
        work: the bound of the solver, in clauses looked at.
    """

    work: int
    clauses: Clauses = field(init=False)
    atoms: dict[Node, int] = field(default_factory=dict)
    leaves: dict[int, Node] = field(default_factory=dict)
    gates: dict[int, tuple[bool, list[int]]] = field(default_factory=dict)
    tops: list[int] = field(default_factory=list)
    true: int = field(init=False)

    def __post_init__(self) -> None:
        self.clauses = Clauses(self.work)
        self.true = self.clauses.variable()
        self.clauses.add([self.true])

    def require(self, nodes: Sequence[Node]) -> None:
        """Ask that these conditions hold."""
        for node in nodes:
            top = self._literal(node)
            self.tops.append(top)
            self.clauses.add([top])

    def _literal(self, root: Node) -> int:
        """Give the literal that stands for a tree; on a stack, since a tree may be 1,000 deep."""
        results: list[int] = []
        stack: list[tuple[Node, bool, bool]] = [(root, True, False)]
        while stack:
            node, holds, built = stack.pop()
            if isinstance(node, Not):
                stack.append((node.item, not holds, False))
            elif isinstance(node, Always):
                results.append(self.true if holds else -self.true)
            elif not isinstance(node, And | Or):
                results.append(self._leaf(node, holds=holds))
            elif not built:
                stack.append((node, holds, True))
                stack.extend((item, holds, False) for item in node.items)
            else:
                parts = list(dict.fromkeys(reversed(results[-len(node.items) :])))
                del results[-len(node.items) :]
                results.append(self._gate(parts, conjunction=isinstance(node, And) is holds))
        return results[0]

    def _leaf(self, node: Node, *, holds: bool) -> int:
        literal = literal_of(node, holds=holds)
        number = self.atoms.get(literal.atom)
        if number is None:
            number = self.atoms[literal.atom] = self.clauses.variable()
            self.leaves[number] = literal.atom
        return number if literal.holds else -number

    def _gate(self, parts: list[int], *, conjunction: bool) -> int:
        gate = self.clauses.variable()
        self.gates[gate] = (conjunction, parts)
        if conjunction:
            for part in parts:
                self.clauses.add([-gate, part])
        else:
            self.clauses.add([-gate, *parts])
        return gate

    def choices(self) -> Iterator[list[Literal]]:
        """Give sets of literals, each enough to make every condition true; ends when there is none left.

        After each, the caller says with `exclude` what of it cannot be, or the same one comes again.

        Raises:
            WorkBoundError: the solver's bound was reached.
        """
        while self.clauses.solve():
            yield [Literal(self.leaves[abs(each)], each > 0) for each in self._needed()]

    def _needed(self) -> list[int]:
        """Give the leaves that the solution really rests on: of a disjunction one part only."""
        needed: dict[int, None] = {}
        seen: set[int] = set()
        stack = list(reversed(self.tops))
        while stack:
            literal = stack.pop()
            if literal in self.gates:
                if literal in seen:
                    continue
                seen.add(literal)
                conjunction, parts = self.gates[literal]
                held = parts if conjunction else [each for each in parts if self.clauses.true(each)]
                if conjunction:
                    stack.extend(reversed(held))
                elif not any(each in needed or each in seen or each == self.true for each in held):
                    stack.append(held[0])
            elif abs(literal) != self.true:
                needed[literal] = None
        return list(needed)

    def exclude(self, literals: Sequence[Literal]) -> None:
        """Say that these literals cannot all hold."""
        numbers = ((self.atoms[each.atom], each.holds) for each in literals)
        self.clauses.add([-number if holds else number for number, holds in numbers])
