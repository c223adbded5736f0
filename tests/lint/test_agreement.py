"""`satisfiable` agrees with trying everything out, wherever everything can be tried."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from casebook.conditions.evaluate import evaluate
from casebook.conditions.satisfiable import Contradiction, Unknown, Witness, implies, satisfiable
from tests.lint import universe

ZONE = "UTC"
WORLDS = {
    "texts": (universe.text_tests, universe.TEXT_FACTS),
    "lists": (universe.list_tests, universe.LIST_FACTS),
    "numbers": (universe.number_tests, universe.NUMBER_FACTS),
    "clocks": (universe.clocks, universe.CLOCK_FACTS),
    "sessions": (universe.histories, universe.SESSION_FACTS),
}
# made once: Hypothesis spends longer on making a recursive strategy than on drawing from it
TREES = {world: universe.trees(leaves) for world, (leaves, _) in WORLDS.items()}
CONJUNCTIONS = {world: st.lists(each, min_size=1, max_size=3) for world, each in TREES.items()}
MIXED = st.lists(universe.trees(st.one_of(*(each for each, _ in WORLDS.values()))), min_size=1, max_size=4)


@pytest.mark.parametrize("world", WORLDS)
@given(data=st.data())
@settings(max_examples=600, deadline=None, suppress_health_check=list(HealthCheck))
def test_what_holds_for_some_facts_is_no_contradiction_and_a_witness_holds(world, data):
    """Contradiction: no facts of the world fulfil them. Witness: the evaluator says so. Both ways, over random trees."""
    _, facts = WORLDS[world]
    nodes = data.draw(CONJUNCTIONS[world])
    outcome = satisfiable(nodes, ZONE)
    if isinstance(outcome, Witness):
        assert all(evaluate(node, outcome.facts, ZONE) for node in nodes)
    elif isinstance(outcome, Contradiction):
        assert not any(all(evaluate(node, each, ZONE) for node in nodes) for each in facts)
        part = [nodes[place] for place in outcome.conditions]
        assert isinstance(satisfiable(part, ZONE), Contradiction)
        for place in outcome.conditions if len(part) > 1 else ():
            rest = [nodes[each] for each in outcome.conditions if each != place]
            assert not isinstance(satisfiable(rest, ZONE), Contradiction)
    else:
        assert world == "sessions", f"undecided: {outcome.reason}"


@given(nodes=MIXED)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_mixed_worlds_are_decided_and_every_witness_holds(nodes):
    """Fields, clocks and sessions in one tree: no exception, witnesses verified, contradictions minimal."""
    outcome = satisfiable(nodes, "Europe/Berlin")
    if isinstance(outcome, Witness):
        assert all(evaluate(node, outcome.facts, "Europe/Berlin") for node in nodes)
    assert isinstance(outcome, Witness | Contradiction | Unknown)


@given(a=TREES["lists"], b=TREES["lists"])
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_an_implication_has_no_counterexample(a, b):
    """Where a implies b, no facts of the world have a without b; where it does not, the negation has a witness."""
    said = implies([a], b, ZONE)
    counter = [each for each in universe.LIST_FACTS if evaluate(a, each, ZONE) and not evaluate(b, each, ZONE)]
    assert not (said and counter)
    assert said is not None
