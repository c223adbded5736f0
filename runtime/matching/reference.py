"""The reference matcher: the same alpha network and router, every candidate decided by the reference evaluator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from casebook.case import LoadedCase
from casebook.conditions.evaluate import Reading
from casebook.conditions.facts import Facts
from casebook.faults import ClosedError
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
        self._at: Mapping[str, LoadedCase] | None = None
        self._closed = False

    def update(self, cases: Mapping[str, LoadedCase]) -> None:
        """Bring it to these cases, by id; only what differs is worked out again."""
        with self._lock, self._whole():
            self._at = None
            self._base.update(cases)
            self._at = cases

    def match(self, facts: Facts) -> tuple[LoadedCase, ...]:
        """Give the conflict set; see `Matcher.match`."""
        return self._match(Reading(facts))

    def _match(self, reading: Reading) -> tuple[LoadedCase, ...]:
        with self._lock, self._whole():
            return cases_of(self._base.router.candidates(self._base.network.passed(reading), reading))

    def match_at(self, cases: Mapping[str, LoadedCase], reading: Reading) -> tuple[LoadedCase, ...] | None:
        """Give the conflict set among these cases; see `Matcher.match_at`."""
        with self._lock:
            return self._match(reading) if self._closed or cases is self._at else None

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """Let nothing half done answer: what is interrupted leaves the matcher without cases."""
        if self._closed:
            raise ClosedError
        try:
            yield
        except BaseException:
            self._at = None
            self._base = RuleBase()
            raise

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
        """Answer no more."""
        with self._lock:
            self._closed = True
