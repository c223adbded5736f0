"""What an event costs a host is within DESIGN section 12, measured in one run."""

from __future__ import annotations

from tests.benchmarks.hook import measure


def test_a_hook_costs_what_it_may() -> None:
    costs = measure(cases=1000, rounds=3)
    assert [row.reached for row in costs.rows()] == [True, True], costs
