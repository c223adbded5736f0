"""What an event costs a host, measured in one run (DESIGN section 12)."""

from __future__ import annotations

from tests.benchmarks.hook import ALONE, UP, measure


def test_a_hook_costs_what_it_may_where_the_service_is_up_and_not_twice_as_much_where_it_is_not() -> None:
    """In process 25 is not reached on every machine: the benchmark prints it."""
    costs = measure(cases=1000, rounds=3)
    assert costs.served / costs.bare <= UP, costs
    assert costs.here / costs.bare <= 2 * ALONE, costs
