"""From occurrences of one error to the case that would have warned of it (DESIGN section 6, Promotion)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from casebook.case import Case
from casebook.conditions.tree import Earlier, Field, Test
from casebook.policy import Policy
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.anchors import Anchor, anchor_of
from casebook.runtime.learning.backtest import Backtest, Calls, Figures, figures_of, trials_of, words_of
from casebook.runtime.learning.correction import sessions_of
from casebook.runtime.learning.learnt_form import Lived, Proposal, texts_of, written
from casebook.runtime.learning.narrowing import narrowed, reaches_any_path, shared_path
from casebook.runtime.learning.reasons import (
    ANY_PATH,
    BARE_SHELL,
    Condition,
    anchor_words,
    backtest_words,
    draft_words,
    feature_words,
    narrowing_conditions,
    path_words,
    typed_words,
)
from casebook.runtime.learning.sample_task import sample_tasks
from casebook.runtime.learning.sharing import features_of
from casebook.runtime.learning.typed_name import typed_condition
from casebook.runtime.learning.widening import widened
from casebook.scope import Scope

__all__ = ["Figures", "Proposal", "propose", "widened"]


def propose(  # noqa: PLR0917  # in the order of the story: what, of what, tested on what, by what rules, when
    case_id: str,
    signature: str,
    occurrences: Sequence[EventRecord],
    calls: Calls,
    policy: Policy,
    now: datetime,
    *,
    scope: Scope,
    shared: bool,
    note: str = "",
    corrections: Sequence[EventRecord] = (),
    draft: bool = False,
) -> Proposal:
    """Make the case of one error.

    Args:
        case_id: its id.
        signature: of the error.
        occurrences: all that count, of one group, at least one, in order of arrival.
        calls: the past that it is tested on.
        policy: of the casebook.
        now: the present instant, aware; it is when the case is made.
        scope: for whom it is.
        shared: whether it is for everyone, so that nothing that only one user said may stand in it.
        note: a sentence for the review, which the situation ends with.
        corrections: events of kind `correction` about this error, beside those that its sessions tell.
        draft: it is a draft whatever the backtest says.

    Raises:
        ValueError: there are no occurrences.
    """
    if not occurrences:
        raise ValueError("a case needs an occurrence, found none")
    lived = Lived(signature, occurrences, calls, policy, shared, corrections)
    anchor, tested = _tested_on(lived, scope)
    conditions, figures, why_not = _conditions(lived, anchor, tested)
    is_draft = draft or bool(why_not)
    form = written(case_id, [each.node for each in conditions], lived, now=now, scope=scope)
    form |= texts_of(lived, anchor, figures, note) | ({"status": "draft"} if is_draft else {})
    form |= {"examples": {"fires": fires}} if (fires := sample_tasks(form, policy, now)) else {}
    reasons = (*(each.reason for each in conditions), backtest_words(figures), *([why_not] if why_not else []))
    return Proposal(Case.from_json(form), figures, reasons, is_draft)


def _tested_on(lived: Lived, scope: Scope) -> tuple[Anchor, Backtest]:
    """Give the anchor of the occurrences, and the trials of what it may reach."""
    told = lived.told
    first = anchor_of(lived.occurrences, told=told)
    past = lived.calls.of(first.called, first.intents) if first else ()
    trials = trials_of(lived.signature, lived.occurrences, past, scope)
    anchor = anchor_of(lived.occurrences, [each.record for each in trials if each.clean], told)
    return anchor, Backtest(trials, lived.calls, lived.policy.timezone)


def _conditions(lived: Lived, anchor: Anchor, tested: Backtest) -> tuple[list[Condition], Figures, str]:
    """Give the conditions, their figures, and why they may not serve, or "" where they may."""
    occurrences, floor = lived.occurrences, lived.policy.detector.precision
    if not anchor:
        node = Earlier("error", Test(Field(("error", "signature")), "is", lived.signature))
        reason = (
            "after the same error in the session: the occurrences name neither a tool nor an intent to bind the case to"
        )
        figures = Figures(len(occurrences), len(occurrences), 0)
        return (
            [Condition(node, reason)],
            figures,
            "a draft: the occurrences have neither a tool nor an intent in common",
        )
    bound = anchor.node()
    covered = [each for each in occurrences if tested.holds(bound, each)]
    conditions = [Condition(bound, anchor_words(len(covered), len(occurrences)))]
    succeeded = [each.record for each in tested.matching([bound]) if each.clean]
    features = features_of(covered, succeeded, tested, users=lived.users)
    conditions += [Condition(each.node, feature_words(each, covered)) for each in features]
    typed = typed_condition(anchor, covered, succeeded)
    conditions += [] if typed is None else [Condition(typed, typed_words(len(covered)))]
    nodes = [each.node for each in conditions]
    figures = figures_of(tested.matching(nodes))
    if figures.precision >= floor:
        return _unproven(conditions, anchor, covered, lived, tested, figures)
    found = narrowed(nodes, anchor, covered, tested, floor, users=lived.users)
    if found is None:
        return conditions, figures, draft_words(figures, floor)
    conditions += narrowing_conditions(found, len(covered))
    return conditions, figures_of(tested.matching([*nodes, *found.nodes])), ""


def _unproven(  # noqa: PLR0917  # as `_conditions`, which it ends
    conditions: list[Condition],
    anchor: Anchor,
    covered: Sequence[EventRecord],
    lived: Lived,
    tested: Backtest,
    figures: Figures,
) -> tuple[list[Condition], Figures, str]:
    """See to it that a tool that is told from nothing yet does not speak for all that it can be called with.

    The shell runs anything: bound to it alone a case is a draft. A tool of paths is bound to what its paths share, as long as
    nothing better is known; bound to it alone a case is a draft, too, where it is one that is called for any file.
    """
    if len(conditions) > 1:
        return conditions, figures, ""
    if anchor.is_bare_shell:
        return conditions, figures, BARE_SHELL
    if anchor.called == anchor.tools and all(words_of(each.body, "path") for each in covered):
        own = {each.id for each in covered}
        called = {
            each.id: each for each in (*(trial.record for trial in tested.trials), *sessions_of(covered, lived.calls))
        }
        succeeded = [each.record for each in tested.matching([anchor.node()]) if each.clean]
        others = [each for each in called.values() if each.id not in own]
        node = shared_path(covered, succeeded, tested, others)
        if node is not None:
            conditions = [*conditions, Condition(node, path_words(len(covered)))]
            return conditions, figures_of(tested.matching([each.node for each in conditions])), ""
    return conditions, figures, ANY_PATH if reaches_any_path(anchor, covered) else ""
