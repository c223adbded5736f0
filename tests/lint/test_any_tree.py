"""Whatever a tree of the language holds, `satisfiable` answers, and its witnesses hold."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings

from casebook.conditions.evaluate import evaluate
from casebook.conditions.satisfiable import Contradiction, Unknown, Witness, satisfiable
from tests.conditions import strategies


@given(node=strategies.trees())
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_tree_gets_an_answer_and_a_witness_holds(node):
    outcome = satisfiable([node], "Asia/Shanghai")
    if isinstance(outcome, Witness):
        assert evaluate(node, outcome.facts, "Asia/Shanghai")
    assert isinstance(outcome, Witness | Contradiction | Unknown)
