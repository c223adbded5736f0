"""The reference matcher: the same alpha network and router, every candidate decided by the reference evaluator."""

from __future__ import annotations

from collections.abc import Mapping

from casebook.case import LoadedCase
from casebook.conditions.evaluate import Reading
from casebook.conditions.facts import Facts
from casebook.forking import guarded
from casebook.runtime.matching.production import cases_of
from casebook.runtime.matching.protocol import EngineName, RuleView
from casebook.runtime.matching.rete import view
from casebook.runtime.matching.rulebase import RuleBase


class ReferenceMatcher:
    """Decides in plain Python, where durable_rules cannot be imported or is not wanted. Safe from many threads."""

    engine: EngineName = "reference"

    def __init__(self) -> None:
        """Begin with no cases."""
        self._lock = guarded(self, rank=3)
        self._base = RuleBase()

    def update(self, cases: Mapping[str, LoadedCase]) -> None:
        """Bring it to these cases, by id; only what differs is worked out again."""
        with self._lock:
            try:
                self._base.update(cases)
            except BaseException:
                self._base = RuleBase()  # half an update must not answer: the next one begins anew
                raise

    def match(self, facts: Facts) -> tuple[LoadedCase, ...]:
        """Give the conflict set."""
        with self._lock:
            reading = Reading(facts)
            passed = self._base.network.passed(reading)
            return cases_of(self._base.router.candidates(passed, reading))

    def rule_of(self, case_id: str) -> RuleView | None:
        """Say how a case would stand in the engine; it stands in no ruleset."""
        with self._lock:
            production = self._base.production_of(case_id)
            return None if production is None else view(self.engine, "", production)

    def figures(self) -> Mapping[str, int]:
        """Give its sizes by name."""
        with self._lock:
            return {"productions": len(self._base), "alpha_nodes": len(self._base.network)}

    def close(self) -> None:
        """Nothing to free."""
