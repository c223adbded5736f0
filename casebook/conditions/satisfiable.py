"""Can conditions ever hold together? The language is closed, so this is decided, not guessed (`solving`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from casebook.conditions.evaluate import evaluate
from casebook.conditions.facts import Facts
from casebook.conditions.fields import FieldType
from casebook.conditions.solving.literal import Conflict, Found, Unsure
from casebook.conditions.solving.reasons import reason_of
from casebook.conditions.solving.search import Search
from casebook.conditions.tree import Node, Not

SMALL = 12
"""Up to so many conditions the smallest contradicting subset is looked for by size; beyond, one that cannot be reduced."""

_NONE: Mapping[str, FieldType] = {}


@dataclass(frozen=True, slots=True)
class Witness:
    """They can hold: `facts` for which the reference evaluator says that all of them do."""

    facts: Facts


@dataclass(frozen=True, slots=True)
class Contradiction:
    """They can never hold.

    Attributes:
        conditions: the places (from 0) of the smallest set of them that cannot hold together.
        reason: why, in words.
    """

    conditions: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Not decided within the bounds, with what it stopped at."""

    reason: str


def satisfiable(
    nodes: Sequence[Node], zone: str, *, declared: Mapping[str, FieldType] = _NONE
) -> Witness | Contradiction | Unknown:
    """Decide whether conditions can all hold for one task.

    Fields hold what the table of `fields` says (the counts of a session whole numbers from 0), lists where a list is
    possible; fields, clock and session are free of each other. Instants are those from 1970 on.

    Args:
        nodes: the conditions; none of them hold together trivially.
        zone: the IANA zone of clock tests that name none.
        declared: the fields that a policy adds, with their types; any other root may hold anything.
    """
    outcome, reasons = _decide(nodes, zone, declared)
    if isinstance(outcome, Witness | Unknown):
        return outcome
    places = _smallest(nodes, zone, declared)
    if len(places) < len(nodes):
        _, reasons = _decide([nodes[place] for place in places], zone, declared)
    return Contradiction(places, reason_of(reasons))


def implies(a: Sequence[Node], b: Node, zone: str, *, declared: Mapping[str, FieldType] = _NONE) -> bool | None:
    """Say whether a condition holds whenever others do; None where that is not known.

    Args:
        a: the conditions that hold.
        b: the one in question.
        zone: as in `satisfiable`.
        declared: as in `satisfiable`.
    """
    outcome, _ = _decide([*a, Not(b)], zone, declared)
    return None if isinstance(outcome, Unknown) else not isinstance(outcome, Witness)


def _decide(
    nodes: Sequence[Node], zone: str, declared: Mapping[str, FieldType]
) -> tuple[Witness | Unknown | None, list[Conflict]]:
    """Give a witness, why it is not known, or None for a contradiction with the conflicts that made it one."""
    search = Search(zone, declared)
    outcome = search.solve(nodes, lambda facts: all(evaluate(node, facts, zone) for node in nodes))
    if isinstance(outcome, Found):
        return Witness(outcome.value), []
    if isinstance(outcome, Unsure):
        return Unknown(outcome.reason), []
    return None, search.cores


def _smallest(nodes: Sequence[Node], zone: str, declared: Mapping[str, FieldType]) -> tuple[int, ...]:
    """Give the places of the smallest contradicting subset of contradicting conditions."""

    def contradict(places: Sequence[int]) -> bool:
        return _decide([nodes[place] for place in places], zone, declared)[0] is None

    if len(nodes) <= SMALL:
        for size in (1, 2, 3):
            for places in combinations(range(len(nodes)), size):
                if size == len(nodes) or contradict(places):
                    return places
    kept = list(range(len(nodes)))
    for place in range(len(nodes)):
        rest = [each for each in kept if each != place]
        if rest and contradict(rest):
            kept = rest
    return tuple(kept)
