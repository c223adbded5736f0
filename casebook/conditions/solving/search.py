"""The search: one way after another in which conditions can be true, each put before the fields, the clock, the session."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import product
from typing import Any
from typing import Literal as Only

from casebook.conditions.facts import Facts
from casebook.conditions.fields import FieldType
from casebook.conditions.solving.clocks import solve_clock
from casebook.conditions.solving.literal import Conflict, Found, Literal, Outcome, Unsure, type_of
from casebook.conditions.solving.logic import Logic, plain_literals
from casebook.conditions.solving.present import this_fields, with_values
from casebook.conditions.solving.sat import WorkBoundError
from casebook.conditions.solving.sessions import solve_session
from casebook.conditions.solving.values import solve_field
from casebook.conditions.tree import Count, Earlier, Field, Node, Test, This, walk

SOLVER_WORK = 2_000_000
"""Clauses looked at by the solver in one question, about a second."""

ROUNDS = 2_000
"""Ways tried in one question."""

UNSURE_ROUNDS = 40
"""Ways in one question that may stay undecided before it is given up."""

GUESSES = 24
"""Combinations of values tried for the fields that `this` refers to."""

AT = datetime(2026, 3, 20, 12, 0, tzinfo=UTC)
"""The instant of a witness in which the clock does not matter."""


@dataclass(slots=True)
class Search:
    """Decides conjunctions over one kind of thing: a task, or an event of its session.

    Attributes:
        zone: the zone of clock tests that name none.
        declared: the fields that a policy adds, with their types.
        cores: the conflicts met, each a set of literals that cannot hold together.
    """

    zone: str
    declared: Mapping[str, FieldType]
    cores: list[Conflict] = field(default_factory=list)
    events: dict[frozenset[Node], Mapping[str, Any] | Only[False] | None] = field(default_factory=dict)

    def solve(self, nodes: Sequence[Node], accept: Callable[[Facts], bool]) -> Found | Conflict | Unsure:
        """Find facts that make all nodes hold and that `accept` takes.

        Returns:
            The `Facts`, a conflict (`cores` has the reasons), or why it could not be decided.
        """
        self.cores = []
        plain = plain_literals(nodes)
        if plain is not None:
            return self._judge(plain, accept)
        logic = Logic(SOLVER_WORK)
        logic.require(nodes)
        unsure: Unsure | None = None
        left = UNSURE_ROUNDS
        try:
            for count, literals in enumerate(logic.choices()):
                outcome = self._judge(literals, accept)
                if isinstance(outcome, Found):
                    return outcome
                if isinstance(outcome, Unsure):
                    unsure, left = outcome, left - 1
                if left == 0 or count == ROUNDS:
                    return unsure or Unsure("more ways in which it might hold than are tried")
                logic.exclude(outcome.core if isinstance(outcome, Conflict) else literals)
        except WorkBoundError:
            return Unsure("more ways in which it might hold than are tried")
        return unsure or Conflict(())

    def _judge(self, literals: Sequence[Literal], accept: Callable[[Facts], bool]) -> Outcome:
        positive = {each.atom: each for each in literals if each.holds}
        for each in literals:
            if not each.holds and each.atom in positive:
                outcome: Outcome = Conflict((positive[each.atom], each))
                break
        else:
            outcome = self.check(literals)
            if isinstance(outcome, Found) and not accept(outcome.value):
                return Unsure("tests that hang together in a way that is not decided")
        if isinstance(outcome, Conflict):
            self.cores.append(outcome)
        return outcome

    def check(self, literals: Sequence[Literal]) -> Outcome:
        """Decide a set of literals: gives `Facts`, a conflict, or that it is not known."""
        fields: dict[Field, list[Literal]] = {}
        clocks: list[Literal] = []
        session: list[Literal] = []
        for each in literals:
            if not isinstance(each.atom, Test):
                (session if isinstance(each.atom, Earlier | Count) else clocks).append(each)
            elif not this_fields(each.atom):
                fields.setdefault(each.atom.field, []).append(each)
        values = self._values(fields)
        if isinstance(values, Conflict):
            return values
        at = (
            Found(AT)
            if not clocks
            else _moment(clocks[0], self.zone)
            if len(clocks) == 1
            else solve_clock(clocks, self.zone)
        )
        if isinstance(at, Conflict):
            return at
        known = values.value if isinstance(values, Found) else {}
        happened = self._session(session, fields, known) if session else Found((known, ()))
        if isinstance(happened, Conflict):
            return happened
        if isinstance(values, Unsure) or isinstance(at, Unsure) or isinstance(happened, Unsure):
            return next(each for each in (values, at, happened) if isinstance(each, Unsure))
        return Found(facts_of(happened.value[0], at.value, happened.value[1]))

    def _values(self, fields: Mapping[Field, list[Literal]]) -> Outcome:
        """Decide the tests of each field; gives a value for each."""
        values: dict[Field, Any] = {}
        unsure: Unsure | None = None
        for wanted, own in fields.items():
            kind = type_of(wanted, self.declared)
            outcome = _alone(wanted, kind, own[0]) if len(own) == 1 else solve_field(wanted, kind, own)
            if isinstance(outcome, Conflict):
                return outcome
            if isinstance(outcome, Unsure):
                unsure = outcome
            else:
                values[wanted] = outcome.value
        return nested(fields) or unsure or Found(values)

    def _session(
        self, literals: Sequence[Literal], fields: Mapping[Field, list[Literal]], values: dict[Field, Any]
    ) -> Outcome:
        """Decide the history literals; gives (the task's values, events), since `this` may ask for values of the task."""
        asked = list(dict.fromkeys(each for literal in literals for each in this_fields(literal.atom)))
        if not asked:
            outcome = solve_session(literals, self._event)
            return Found((values, outcome.value)) if isinstance(outcome, Found) else outcome
        fixed = {each: pin for each in asked if (pin := self._pin(each, fields)) is not None}
        outcome = self._substituted(literals, {each: [_constant(pin)] for each, pin in fixed.items()})
        if isinstance(outcome, Conflict):
            return Conflict((*outcome.core, *fixed.values()))
        for guess in self._guesses(asked, literals, fields, values):
            outcome = self._substituted(literals, {each: _items(guess.get(each)) for each in asked})
            if isinstance(outcome, Found):
                return Found(({**values, **guess}, outcome.value))
        return Unsure("`this` compares the task with an event in a way that is not decided")

    def _pin(self, wanted: Field, fields: Mapping[Field, list[Literal]]) -> Literal | None:
        """Give the literal that leaves the field one value only, if one does."""
        if type_of(wanted, self.declared) not in ("text", "number"):
            return None
        return next((each for each in fields.get(wanted, ()) if each.holds and _constant(each) is not None), None)

    def _substituted(self, literals: Sequence[Literal], known: Mapping[Field, Sequence[Any]]) -> Outcome:
        replaced = {with_values(each, known): each for each in literals}
        if len(replaced) < len(set(literals)):
            return Unsure("two conditions become one")
        outcome = solve_session(list(replaced), self._event)
        if isinstance(outcome, Conflict):
            return Conflict(tuple(replaced[each] for each in outcome.core))
        return outcome

    def _guesses(
        self,
        asked: Sequence[Field],
        literals: Sequence[Literal],
        fields: Mapping[Field, list[Literal]],
        values: Mapping[Field, Any],
    ) -> Iterator[dict[Field, Any]]:
        """Give values for the fields that `this` refers to: present ones, ones that the `where` name, the first found."""
        named = [
            constant
            for literal in literals
            for node in walk(literal.atom)
            if isinstance(node, Test)
            for constant in (node.value if isinstance(node.value, tuple) else (node.value,))
            if isinstance(constant, str | int | float) and node.op in ("is", "is_not", "in", "not_in")
        ]
        options: list[list[Any]] = []
        for wanted in asked:
            own = fields.get(wanted, [])
            kind = type_of(wanted, self.declared)
            tests = [Test(wanted, "exists"), *(Test(wanted, "is", each) for each in dict.fromkeys(named))]
            found = [solve_field(wanted, kind, [*own, Literal(test, True)]) for test in tests]
            choices = [each.value for each in found if isinstance(each, Found)]
            options.append([*choices, values.get(wanted)])
        for count, chosen in enumerate(product(*options)):
            if count == GUESSES:
                return
            yield dict(zip(asked, chosen, strict=True))

    def _event(self, conditions: Sequence[Node]) -> Mapping[str, Any] | Only[False] | None:
        """Decide conditions over one event (`sessions.Decide`)."""
        key = frozenset(conditions)
        if key not in self.events:
            outcome = Search(self.zone, self.declared).solve(conditions, lambda _: True)
            self.events[key] = (
                outcome.value.values if isinstance(outcome, Found) else False if isinstance(outcome, Conflict) else None
            )
        return self.events[key]


@lru_cache(maxsize=8192)
def _alone(field: Field, kind: FieldType, literal: Literal) -> Outcome:
    """Decide a field of which there is one test, as many cases have it."""
    return solve_field(field, kind, (literal,))


@lru_cache(maxsize=1024)
def _moment(literal: Literal, zone: str) -> Outcome:
    """Decide the clock where there is one test of it."""
    return solve_clock((literal,), zone)


def _constant(literal: Literal) -> Any:
    """Give the one value that a literal leaves, or None."""
    test = literal.atom
    return test.value if isinstance(test, Test) and test.op == "is" and not isinstance(test.value, This) else None


def _items(value: Any) -> list[Any]:
    return [] if value is None or isinstance(value, dict) else list(value) if isinstance(value, list) else [value]


def nested(fields: Mapping[Field, list[Literal]]) -> Conflict | None:
    """Find a field that is asked to be something of its own and to have parts (`context.a is "x"`, `context.a.b is 1`)."""
    for inner, literals in fields.items():
        if len(inner.path) < 2 or inner.root == "session":
            continue
        present = next((each for each in literals if each.holds), None)
        for length in range(1, len(inner.path)) if present is not None else ():
            outer = fields.get(Field(inner.path[:length]), ())
            for each in outer:
                test = each.atom
                absent = isinstance(test, Test) and test.op == "exists"
                bare = absent or not isinstance(inner.path[length], int)  # a list has parts and is something itself
                if present is not None and absent is not each.holds and bare:
                    return Conflict((each, present))
    return None


def facts_of(values: Mapping[Field, Any], at: datetime, events: Sequence[tuple[int, str, Mapping[str, Any]]]) -> Facts:
    """Put values by field together to facts; a field that has parts gives way to them."""
    whole: dict[str, Any] = {}
    for wanted in sorted(values, key=lambda each: len(each.path)):
        if values[wanted] is None:
            continue
        path = ("session", "id") if wanted.path == ("session",) else wanted.path
        here = whole
        for segment in path[:-1]:
            below = here.get(str(segment))
            if not isinstance(below, dict):
                below = here[str(segment)] = {}
            here = below
        here[str(path[-1])] = values[wanted]
    longest = int((at - datetime.min.replace(tzinfo=UTC)).total_seconds())
    history = tuple(
        {"kind": kind, "at": at - timedelta(seconds=min(age, longest)), **fields} for age, kind, fields in events
    )
    return Facts(whole, at, history)
