"""A production: one distinct conjunction of literals, on behalf of every case that asks exactly it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from casebook.conditions.evaluate import Reading
from casebook.conditions.tree import And, Count, Earlier, Field, Not, Test
from casebook.runtime.matching import literals
from casebook.runtime.matching.alpha import (
    SCALARS,
    AlphaNetwork,
    AlphaNode,
    Tell,
    counter_bound,
    counter_of,
    is_indexed,
)
from casebook.runtime.matching.deciding import Decide
from casebook.runtime.matching.names import property_name
from casebook.runtime.matching.numbers import clamp

if TYPE_CHECKING:
    from casebook.case import LoadedCase
    from casebook.runtime.matching.ruleset import Ruleset

RuleTest = dict[str, object]
"""One test as durable_rules has it: `{"p3": 7}`, `{"$neq": {"p3": 7}}`, `{"$gte": {"p4": 2}}`."""


Check = tuple[int, bool, Decide]
"""An alpha node's number, whether it must hold, and how it is decided."""


@dataclass(frozen=True, slots=True, eq=False)
class Posting:
    """One literal as the engine sees it; each alpha node has one for either sign, shared by all productions.

    Attributes:
        alpha: its alpha node.
        positive: whether the node must hold.
        prop: the property that is posted.
        test: the test of the rule.
        constant: what is posted where the literal stands, if that is always the same; else None and the task is asked.
        tell: gives what is posted for a task where that is not constant; one for each property.
        field: whose shared property it is, or None for a signal of its own.
        check: how it is decided outside the engine, one object for all productions; None where its node is indexed.
    """

    alpha: AlphaNode
    positive: bool
    prop: str
    test: RuleTest
    constant: str | None
    tell: Tell | None = None
    field: Field | None = None
    check: Check | None = None


@dataclass(slots=True, eq=False)
class Production:
    """One distinct conjunction.

    Attributes:
        serial: its place in the order of making; names its rule.
        postings: its literals.
        required: numbers of the indexed nodes that must be passed: without them it cannot hold.
        forbidden: numbers of the indexed nodes that must not be.
        checks: what else must stand for it to hold: the literals whose nodes are not indexed.
        tells: what is asked of a task for the literals that the engine compares itself: `!=` of a scalar field, order of a
            counter.
        constants: what all but the open ones post once they stand, JSON members.
        routes: the alpha nodes under which the router keeps it; empty: it is always a candidate.
        cases: by id, the cases that ask it.
        ruleset: where its rule lives now, or None.
    """

    serial: int
    postings: tuple[Posting, ...]
    required: frozenset[int]
    forbidden: frozenset[int]
    checks: tuple[Check, ...]
    tells: tuple[Tell, ...]
    constants: tuple[str, ...]
    cases: dict[str, LoadedCase]
    routes: tuple[AlphaNode, ...] = ()
    ruleset: Ruleset | None = None

    @property
    def rule(self) -> str:
        """Give the name of its rule."""
        return f"r{self.serial}"

    def ordered(self) -> list[Posting]:
        """Give its literals in the order of its rule: what it is routed by, then the scarce and what decides most, then the rest.

        The engine visits every node that a task satisfies and tries all of its children, so what seldom holds comes first;
        and rules that are routed alike share their first node.
        """
        return sorted(
            self.postings,
            key=lambda posting: (
                posting.alpha not in self.routes,
                posting.alpha.number not in self.required,
                posting.constant is None,
                posting.alpha.uses,
                posting.alpha.number,
            ),
        )

    def condition(self) -> list[RuleTest]:
        """Give the tests of its rule."""
        return [posting.test for posting in self.ordered()] or [{property_name(TRUTH): 1}]


MAX_TESTS = 8
"""Tests in one rule."""
TRUTH = 0
"""The number of the property that is always posted as 1: the one test of a case that always applies."""


def posting(network: AlphaNetwork, alpha: AlphaNode, *, positive: bool) -> Posting:
    """Give the one posting of a literal."""
    found = alpha.postings.get(positive)
    if found is None:
        found = _posting(network, alpha, positive=positive)
        if alpha.decide is not None:
            found = replace(found, check=(alpha.number, positive, alpha.decide))
        alpha.postings[positive] = found
    return found


def _posting(network: AlphaNetwork, alpha: AlphaNode, *, positive: bool) -> Posting:
    """Say a literal to the engine: a code or a whole number where it can compare itself, else a shared signal."""
    node = alpha.node
    if isinstance(node, Test) and node.op == "is" and len(node.field.path) == 1 and node.field.root in SCALARS:
        field = node.field
        shared = network.share(field, lambda name: _code_teller(network, field.root, name))
        if positive:
            constant = f'"{shared.name}":{alpha.number}'
            return Posting(alpha, positive, shared.name, {shared.name: alpha.number}, constant, None, field)
        test: RuleTest = {"$neq": {shared.name: alpha.number}}
        return Posting(alpha, positive, shared.name, test, None, shared.tell, field)
    bound = counter_bound(node) if positive else None
    if bound is not None and isinstance(node, Test | Count):
        field = counter_field(node)
        read = counter_of(node)
        shared = network.share(field, lambda name: _count_teller(read, name))
        test = {bound[0]: {shared.name: bound[1]}}
        return Posting(alpha, positive, shared.name, test, None, shared.tell, field)
    prop = property_name(alpha.number)
    value = 1 if positive else 0
    return Posting(alpha, positive, prop, {prop: value}, f'"{prop}":{value}')


def _code_teller(network: AlphaNetwork, root: str, prop: str) -> Tell:
    return lambda reading: f'"{prop}":{network.code(root, reading.facts.values.get(root))}'


def _count_teller(read: Callable[[Reading], int | None], prop: str) -> Tell:
    def tell(reading: Reading) -> str:
        count = read(reading)
        return "" if count is None else f'"{prop}":{clamp(count)}'

    return tell


def counter_field(node: Test | Count) -> Field:
    """Give the field whose property carries a counter: its own, or one that stands for a distinct history count."""
    if isinstance(node, Count):
        return Field(("count", repr(Earlier(node.kind, node.where, node.within))))
    return node.field


def production(
    network: AlphaNetwork,
    serial: int,
    asked: Iterable[tuple[AlphaNode, bool]],
    cases: dict[str, LoadedCase],
) -> Production:
    """Make the production of some literals, whose alpha nodes have counted it already."""
    postings = tuple(posting(network, alpha, positive=positive) for alpha, positive in asked)
    indexed = [each for each in postings if each.alpha.indexed]
    return Production(
        serial,
        postings,
        required=frozenset(each.alpha.number for each in indexed if each.positive),
        forbidden=frozenset(each.alpha.number for each in indexed if not each.positive),
        checks=tuple(each.check for each in postings if each.check is not None),
        tells=tuple(dict.fromkeys(each.tell for each in postings if each.tell is not None)),
        constants=tuple(each.constant for each in postings if each.constant is not None)
        or (f'"{property_name(TRUTH)}":1',),
        cases=cases,
    )


def bundled(asked: tuple[literals.Literal, ...]) -> tuple[literals.Literal, ...]:
    """Give at most `MAX_TESTS` literals: of a longer conjunction, what is beyond becomes one signal.

    A rule stays small whatever a case asks, and a ruleset's message far below the engine's 251 properties.
    """
    if len(asked) <= MAX_TESTS:
        return asked
    ordered = sorted(asked, key=lambda literal: not (literal[1] and is_indexed(literal[0])))
    rest = tuple(node if positive else Not(node) for node, positive in ordered[MAX_TESTS - 1 :])
    return (*ordered[: MAX_TESTS - 1], (And(rest), True))


def cases_of(productions: Iterable[Production]) -> tuple[LoadedCase, ...]:
    """Give the cases of productions, in no particular order."""
    return tuple([case for each in productions for case in each.cases.values()])
