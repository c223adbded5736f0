"""A case that serves is tested anew on what has happened since, and narrowed by what tells its errors from successes by now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Final

from casebook.case import Case
from casebook.conditions.tree import Node
from casebook.policy import Policy
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.anchors import Anchor, anchor_in
from casebook.runtime.learning.backtest import Backtest, Calls, Figures, figures_of, trials_of
from casebook.runtime.learning.learnt_form import Lived, Proposal, texts_of
from casebook.runtime.learning.narrowing import COVERED, narrowed
from casebook.runtime.learning.reasons import Condition, backtest_words, feature_words, narrowing_conditions
from casebook.runtime.learning.sharing import Feature, distinct_calls, features_of
from casebook.runtime.learning.widening import bound_to, conditions_in

CLEAR: Final = 0.01
"""How likely chance may be as the reason of a feature that narrows a case which is precise enough: a fifth of what a new case
is given, for a case is looked at again and again, and each look may be deceived."""

_STAYED: Final = "as it was"


@dataclass(frozen=True, slots=True)
class Tightened:
    """What came of a test.

    Attributes:
        figures: of the case as it stands.
        narrower: the case as it should be, or None where there is nothing to add.
        low: fewer than `policy.detector.precision` of the calls fail this way, and what may be added does not mend it.
    """

    figures: Figures
    narrower: Proposal | None
    low: bool


def tightened(
    case: Case,
    occurrences: Sequence[EventRecord],
    calls: Calls,
    policy: Policy,
    now: datetime,
    *,
    shared: bool,
    helps: bool = False,
) -> Tightened | None:
    """Test a case anew, and give the narrower one that the journal asks for; conditions are only ever added.

    What all occurrences that it covers share and the successes that it comes up at do not is added where that is clear
    (`CLEAR`). Where fewer than `policy.detector.precision` of the calls failed this way, what would do for a new case does, and
    else it is narrowed as a new case is. Its correction stays; the other texts are told anew.

    Args:
        case: the case that serves.
        occurrences: all that count of its group, in order of arrival.
        calls: the past that it is tested on.
        policy: of the casebook.
        now: the present instant, aware.
        shared: as in `propose`.
        helps: its error is rarer with it than without it, by counts. Then most calls succeed because of it: it is not narrowed
            for that, and is not `low`.

    Returns:
        None where it cannot be tested: it has no anchor, it covers none of the occurrences, or its conditions are not read.
    """
    nodes = conditions_in(case, policy)
    anchor = next((found for node in nodes or () if (found := anchor_in(node))), None)
    if nodes is None or anchor is None or case.source is None or not case.source.signature:
        return None
    lived = Lived(case.source.signature, occurrences, calls, policy, shared)
    trials = trials_of(lived.signature, occurrences, calls.of(anchor.called, anchor.intents), case.scope)
    tested = Backtest(trials, calls, policy.timezone)
    covered = [each for each in occurrences if tested.all_hold(nodes, each)]
    if not covered:
        return None
    figures = figures_of(tested.matching(nodes))
    is_low = figures.precision < policy.detector.precision and not helps
    added, low = _added(nodes, anchor, covered, lived, tested, is_low=is_low)
    if not added:
        return Tightened(figures, None, low)
    wanted = [*nodes, *(each.node for each in added)]
    after = figures_of(tested.matching(wanted))
    told = {
        name: text
        for name, text in texts_of(lived, anchor, after).items()
        if name not in ("correction", "correction_by")
    }
    reasons = (*[_STAYED for _ in nodes], *(each.reason for each in added), _before(figures), backtest_words(after))
    made = Proposal(bound_to(wanted, case, told, lived, now), after, reasons, case.status == "draft")
    return Tightened(figures, made, low)


def _added(
    nodes: Sequence[Node],
    anchor: Anchor,
    covered: Sequence[EventRecord],
    lived: Lived,
    tested: Backtest,
    *,
    is_low: bool,
) -> tuple[list[Condition], bool]:
    """Give the conditions to add, and whether the case comes up too often with them, too."""
    succeeded = [each.record for each in tested.matching(nodes) if each.clean]
    features = features_of(covered, succeeded, tested, users=lived.users)
    clear = list(takewhile(lambda each: _is_clear(each, covered), features))
    if not is_low:
        return _conditions(clear, covered), False
    floor = lived.policy.detector.precision
    for few in (clear, features):
        wanted = [*nodes, *(each.node for each in few)]
        if figures_of(tested.matching(wanted)).precision >= floor:
            return _conditions(few, covered), False
    least = min(1.0, COVERED * len(lived.occurrences) / len(covered))
    found = narrowed(wanted, anchor, covered, tested, floor, least=least, users=lived.users)
    if found is None:
        return _conditions(clear, covered), True
    return [*_conditions(features, covered), *narrowing_conditions(found, len(covered))], False


def _is_clear(feature: Feature, covered: Sequence[EventRecord]) -> bool:
    return feature.prevalence ** distinct_calls(covered) <= CLEAR


def _conditions(features: Sequence[Feature], covered: Sequence[EventRecord]) -> list[Condition]:
    return [Condition(each.node, feature_words(each, covered)) for each in features]


def _before(figures: Figures) -> str:
    return (
        f"tested anew while it served: as it stood, {figures.failing} of the {figures.matching} journaled calls that it would "
        f"have come up at failed this way, and {figures.clean} succeeded"
    )
