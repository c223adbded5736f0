"""The seam between the runtime and its engines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from casebook.case import LoadedCase
from casebook.conditions.evaluate import Reading
from casebook.conditions.facts import Facts
from casebook.conditions.tree import Node

EngineName = Literal["durable_rules", "reference"]


@dataclass(frozen=True, slots=True)
class RuleView:
    """How a case stands in the engine, for explanations.

    Attributes:
        engine: which engine.
        ruleset: the name of the ruleset that holds its rule; empty for the reference engine.
        rule: the rule's name.
        definition: the rule as durable_rules has it, `{"all": [{"m": {"$and": […]}}]}`.
        legend: what each test of the definition asks, in the order of the definition: the node, and whether it must hold.
    """

    engine: EngineName
    ruleset: str
    rule: str
    definition: Mapping[str, object]
    legend: tuple[tuple[str, Node, bool], ...]


class Matcher(Protocol):
    """Decides which cases' scope and conditions hold. Safe from many threads and over forks."""

    engine: EngineName

    def update(self, cases: Mapping[str, LoadedCase]) -> None:
        """Bring it to these cases, by id; only what differs is worked out again."""

    def match(self, facts: Facts) -> tuple[LoadedCase, ...]:
        """Give the conflict set: every active case whose scope and conditions hold, whatever its points and times, in no order.

        An exception from outside, such as Ctrl-C, leaves the matcher without cases: it must be brought to them again.

        Raises:
            ClosedError: it was closed.
        """

    def match_at(self, cases: Mapping[str, LoadedCase], reading: Reading) -> tuple[LoadedCase, ...] | None:
        """Give the conflict set among these cases, the very mapping that `update` was given; None where it stands at others.

        What is worked out on the way, such as counts and folded texts, stays in the reading for the answer's words.
        """

    def rule_of(self, case_id: str) -> RuleView | None:
        """Say how a case stands in the engine, or None where it is not active or not here."""

    def figures(self) -> Mapping[str, int]:
        """Give its sizes and counts by name, for `doctor`."""

    def close(self) -> None:
        """Free what it holds outside Python; whoever asks it again gets a ClosedError."""
