"""A learnt case that did not come up at an error of its kind is widened until it would have (DESIGN section 6, Promotion)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from casebook.case import Case
from casebook.conditions.json_form import from_json
from casebook.conditions.render import render
from casebook.conditions.tree import Node
from casebook.faults import ConditionError
from casebook.policy import Policy
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.anchors import Anchor, anchor_in, extended, tellable
from casebook.runtime.learning.backtest import Backtest, Calls, figures_of, reads_session, trials_of
from casebook.runtime.learning.learnt_form import Lived, Proposal, condition_forms, evidence_of, texts_of
from casebook.runtime.learning.narrowing import COVERED, narrowed, reaches_any_path
from casebook.runtime.learning.reasons import backtest_words, narrowing_conditions
from casebook.runtime.learning.sample_task import sample_tasks
from casebook.runtime.learning.typed_name import is_typed_condition

_STAYED: Final = "as it was"
_WIDENED: Final = "the anchor, widened to the newest occurrence"
_RANK: Final = {"caution": 0, "mined": 1, "agent": 2, "person": 3}


def widened(  # noqa: PLR0917  # as `propose`
    case: Case,
    occurrence: EventRecord,
    occurrences: Sequence[EventRecord],
    calls: Calls,
    policy: Policy,
    now: datetime,
    *,
    shared: bool,
    corrections: Sequence[EventRecord] = (),
) -> Proposal | None:
    """Give the case that comes up at one more occurrence, too; it never covers less than before.

    Features that the occurrence does not have are dropped, and the anchor takes in its tool, action, program or intent. A condition on
    errors earlier in the session stays, where it still covers `COVERED` of all occurrences. Status, scope, lifetime and a
    correction that somebody said stay; the other texts are told anew.

    Args:
        case: the case, as the detector wrote it.
        occurrence: the error that it may have missed.
        occurrences: all that count of its group, this one among them.
        calls: the past that it is tested on.
        policy: of the casebook.
        now: the present instant, aware.
        shared: as in `propose`.
        corrections: as in `propose`.

    Returns:
        None where there is nothing to change: it comes up already, its anchor is full, the occurrence has nothing to bind it
        to, or it would come up at every shell call, at every call of a tool of paths, or so often that fewer than `policy.detector.precision` of the calls failed
        this way, however it were narrowed.
    """
    nodes = conditions_in(case, policy)
    if nodes is None:
        return None
    signature = (
        case.source.signature if case.source is not None and case.source.signature else (occurrence.signature or "")
    )
    everything = tuple({each.id: each for each in (*occurrences, occurrence)}.values())
    anchors = [(at, found) for at, node in enumerate(nodes) if (found := anchor_in(node))]
    alone = Backtest((), calls, policy.timezone)
    if not anchors or alone.all_hold(nodes, occurrence):
        return None
    place, anchor = anchors[0]
    if not alone.holds(nodes[place], occurrence):
        told = tellable(everything, policy.detector.users) if shared else None
        anchor = extended(anchor, occurrence, told)
    kept = [anchor.node() if at == place else node for at, node in enumerate(nodes)]
    kept = [node for node in kept if alone.holds(node, occurrence) or _covers_enough(node, kept, everything, alone)]
    if kept == nodes or not alone.holds(anchor.node(), occurrence):
        return None
    if len(kept) == 1 and (anchor.is_bare_shell or (len(nodes) > 1 and reaches_any_path(anchor, [occurrence]))):
        return None
    lived = Lived(signature, everything, calls, policy, shared, corrections)
    trials = trials_of(signature, everything, calls.of(anchor.called, anchor.intents), case.scope)
    return _proposal(case, nodes, kept, anchor, lived, Backtest(trials, calls, policy.timezone), now)


def _covers_enough(node: Node, nodes: Sequence[Node], occurrences: Sequence[EventRecord], tested: Backtest) -> bool:
    """Say whether a condition on the session's past may stay although it does not hold: it covers enough of the rest."""
    if not reads_session(node):
        return False
    held = sum(tested.all_hold(nodes, each) for each in occurrences)
    return held >= COVERED * len(occurrences)


def _proposal(  # noqa: PLR0917  # what was, what is to be, and what it is made of
    case: Case,
    before: Sequence[Node],
    kept: Sequence[Node],
    anchor: Anchor,
    lived: Lived,
    tested: Backtest,
    now: datetime,
) -> Proposal | None:
    """Put the widened case together, narrowed in another way where it would come up too often."""
    nodes, floor = [*kept], lived.policy.detector.precision
    matched = tested.matching(nodes)
    reasons = [_WIDENED if node not in before else _STAYED for node in nodes]
    if figures_of(matched).precision < floor:
        covered = [each for each in lived.occurrences if tested.all_hold(nodes, each)]
        found = narrowed(nodes, anchor, covered, tested, floor, least=1, users=lived.users)
        if found is None:
            return None
        added = narrowing_conditions(found, len(covered))
        nodes += [each.node for each in added]
        reasons += [each.reason for each in added]
        matched = tested.matching(nodes)
    reasons += [f"widened: dropped {render(node)}" for node in before if node not in nodes and anchor_in(node) is None]
    figures = figures_of(matched)
    texts = texts_of(lived, anchor, figures)
    # a cure by the program's other name stands only as long as the case does not come up at that cure
    is_cured = case.correction_by == "mined" and any(is_typed_condition(each) for each in before if each not in nodes)
    if _RANK[texts["correction_by"]] < _RANK[case.correction_by] and not is_cured:
        del texts["correction"], texts["correction_by"]
    told = bound_to(nodes, case, texts, lived, now)
    return Proposal(told, figures, (*reasons, backtest_words(figures)), case.status == "draft")


def bound_to(nodes: Sequence[Node], case: Case, texts: Mapping[str, Any], lived: Lived, now: datetime) -> Case:
    """Give a case with other conditions and texts; evidence and examples are those of its occurrences as they are by now."""
    form = case.to_json() | {"trigger_conditions": condition_forms(nodes, lived.policy)} | dict(texts)
    form["source"] = form.get("source", {"origin": "detector"}) | {"evidence": evidence_of(lived)}
    form["examples"] = {"fires": sample_tasks(form, lived.policy, now)}
    return Case.from_json(form)


def conditions_in(case: Case, policy: Policy) -> list[Node] | None:
    """Read the conditions of a case; None where one of them is none."""
    try:
        return [from_json(each, declared=policy.fields) for each in case.trigger_conditions]
    except ConditionError:
        return None
