"""A production: one distinct conjunction of literals, on behalf of every case that asks exactly it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from casebook.conditions.evaluate import Reading
from casebook.conditions.tree import And, Count, Earlier, Field, Not, Test
from casebook.runtime.matching.alpha import COUNTERS, SCALARS, AlphaNetwork, AlphaNode, counter_bound, is_indexed
from casebook.runtime.matching.literals import Literal
from casebook.runtime.matching.names import property_name

if TYPE_CHECKING:
    from casebook.case import LoadedCase
    from casebook.runtime.matching.ruleset import Ruleset

RuleTest = dict[str, object]
"""One test as durable_rules has it: `{"p3": 7}`, `{"$neq": {"p3": 7}}`, `{"$gte": {"p4": 2}}`."""


@dataclass(frozen=True, slots=True, eq=False)
class Posting:
    """One literal as the engine sees it; each alpha node has one for either sign, shared by all productions.

    Attributes:
        alpha: its alpha node.
        positive: whether the node must hold.
        prop: the property that is posted.
        test: the test of the rule.
        constant: what is posted where the literal stands, if that is always the same; else None and the task is asked.
        how: `code` (a scalar's code), `count` (a whole number) or `signal` (1 or 0).
    """

    alpha: AlphaNode
    positive: bool
    prop: str
    test: RuleTest
    constant: str | None
    how: str


@dataclass(slots=True, eq=False)
class Production:
    """One distinct conjunction.

    Attributes:
        serial: its place in the order of making; names its rule.
        postings: its literals.
        required: numbers of the indexed nodes that must be passed: without them it cannot hold.
        signals: the literals beside these that are decided outside the engine: without them it cannot hold either.
        open: the literals that only the engine decides: `!=` of a scalar field, order of a counter.
        constants: what all but the open ones post once they stand, JSON members.
        routes: the alpha nodes under which the router keeps it; empty: it is always a candidate.
        cases: by id, the cases that ask it.
        ruleset: where its rule lives now, or None.
    """

    serial: int
    postings: tuple[Posting, ...]
    required: frozenset[int]
    signals: tuple[Posting, ...]
    open: tuple[Posting, ...]
    constants: tuple[str, ...]
    cases: dict[str, LoadedCase] = field(default_factory=dict)
    routes: tuple[AlphaNode, ...] = ()
    ruleset: Ruleset | None = None

    @property
    def rule(self) -> str:
        """Give the name of its rule."""
        return f"r{self.serial}"

    def condition(self) -> list[RuleTest]:
        """Give the tests of its rule, the scarcest last so that rules of one ruleset share their first alpha nodes."""
        ordered = sorted(self.postings, key=lambda posting: (-posting.alpha.uses, posting.alpha.number))
        return [posting.test for posting in ordered] or [{property_name(TRUTH): 1}]


MAX_TESTS = 8
"""Tests in one rule."""
TRUTH = 0
"""The number of the property that is always posted as 1: the one test of a case that always applies."""


def posting(network: AlphaNetwork, alpha: AlphaNode, *, positive: bool) -> Posting:
    """Give the one posting of a literal."""
    found = alpha.postings.get(positive)
    if found is None:
        found = alpha.postings[positive] = _posting(network, alpha, positive=positive)
    return found


def _posting(network: AlphaNetwork, alpha: AlphaNode, *, positive: bool) -> Posting:
    """Say a literal to the engine: a code or a whole number where it can compare itself, else a shared signal."""
    node = alpha.node
    if isinstance(node, Test) and node.op == "is" and len(node.field.path) == 1 and node.field.root in SCALARS:
        prop = property_name(network.field_number(node.field))
        if positive:
            return Posting(alpha, positive, prop, {prop: alpha.number}, f'"{prop}":{alpha.number}', "code")
        return Posting(alpha, positive, prop, {"$neq": {prop: alpha.number}}, None, "code")
    bound = counter_bound(node) if positive else None
    if bound is not None:
        prop = property_name(network.field_number(counter_field(node)))
        return Posting(alpha, positive, prop, {bound[0]: {prop: bound[1]}}, None, "count")
    prop = property_name(alpha.number)
    value = 1 if positive else 0
    return Posting(alpha, positive, prop, {prop: value}, f'"{prop}":{value}', "signal")


def counter_field(node: object) -> Field:
    """Give the field whose property carries a counter: its own, or one that stands for a distinct history count."""
    if isinstance(node, Count):
        return Field(("count", repr(Earlier(node.kind, node.where, node.within))))
    if isinstance(node, Test) and node.field.path in COUNTERS:
        return node.field
    raise TypeError(f"not a counter test: {node!r}")


def production(network: AlphaNetwork, serial: int, asked: tuple[Literal, ...]) -> Production:
    """Make the production of some literals; each of their alpha nodes counts one use more."""
    postings = tuple(posting(network, network.add(node), positive=positive) for node, positive in bundled(asked))
    required = frozenset(each.alpha.number for each in postings if each.positive and each.alpha.indexed)
    return Production(
        serial,
        postings,
        required,
        tuple(each for each in postings if each.how == "signal" and not (each.positive and each.alpha.indexed)),
        tuple(each for each in postings if each.constant is None),
        tuple(each.constant for each in postings if each.constant is not None) or (f'"{property_name(TRUTH)}":1',),
    )


def bundled(asked: tuple[Literal, ...]) -> tuple[Literal, ...]:
    """Give at most `MAX_TESTS` literals: of a longer conjunction, what is beyond becomes one signal.

    A rule stays small whatever a case asks, and a ruleset's message far below the engine's 251 properties.
    """
    if len(asked) <= MAX_TESTS:
        return asked
    ordered = sorted(asked, key=lambda literal: not (literal[1] and is_indexed(literal[0])))
    rest = tuple(node if positive else Not(node) for node, positive in ordered[MAX_TESTS - 1 :])
    return (*ordered[: MAX_TESTS - 1], (And(rest), True))


class Signals:
    """What the alpha nodes that are not read off tables come to for one task; each is decided at most once."""

    __slots__ = ("_known", "_passed", "_reading")

    def __init__(self, reading: Reading, passed: set[int]) -> None:
        """Begin with a task's facts and the numbers of the indexed nodes that it passes."""
        self._reading = reading
        self._passed = passed
        self._known: dict[int, bool] = {}

    def agree(self, postings: tuple[Posting, ...]) -> bool:
        """Say whether all of some literals stand."""
        for posting in postings:
            alpha = posting.alpha
            held = self._known.get(alpha.number)
            if held is None:
                held = alpha.number in self._passed if alpha.indexed else alpha.decide(self._reading)
                self._known[alpha.number] = held
            if held is not posting.positive:
                return False
        return True
