"""The JSON of a learnt case: its conditions as text, where it comes from, and what it tells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from casebook.case import Case
from casebook.conditions.json_form import from_json, to_json
from casebook.conditions.parse import parse
from casebook.conditions.render import render
from casebook.conditions.tree import Node
from casebook.faults import ConditionError
from casebook.policy import Policy
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning import learnt_texts
from casebook.runtime.learning.anchors import Anchor, Tellable, tellable
from casebook.runtime.learning.backtest import Calls, Figures
from casebook.runtime.learning.correction import Correction, correction_for, corrections_in, sessions_of, told_error
from casebook.runtime.learning.identifying import Private, private_words
from casebook.runtime.learning.learnt_texts import Called, Story
from casebook.runtime.learning.placeholders import placeholders_in
from casebook.runtime.learning.recovery import recoveries_of
from casebook.scope import Scope

EVIDENCE: Final = 20
"""Ids of occurrences that a case keeps: the first three and the newest."""
PRIORITY: Final = 5


@dataclass(frozen=True, slots=True)
class Proposal:
    """A case that the detector would write.

    Attributes:
        case: active, or a draft.
        figures: of the backtest.
        reasons: a sentence for each condition, in their order, then what else is to be known of it; in English.
        draft: whether it must wait for a person.
    """

    case: Case
    figures: Figures
    reasons: tuple[str, ...]
    draft: bool


@dataclass(frozen=True, slots=True)
class Lived:
    """What a case is made of.

    Attributes:
        signature: of the error.
        occurrences: all that count, of one group, in order of arrival.
        calls: the past.
        policy: of the casebook.
        shared: whether the case is for everyone, so that nothing that only one user said may stand in it.
        said: events of kind `correction` about this error, beside those that its sessions tell.
    """

    signature: str
    occurrences: Sequence[EventRecord]
    calls: Calls
    policy: Policy
    shared: bool
    said: Sequence[EventRecord] = ()

    @property
    def users(self) -> int | None:
        """Give, for everyone's case, how many different users must have had what it tells; else None."""
        return self.policy.detector.users if self.shared else None

    @property
    def told(self) -> Tellable | None:
        """Give what the anchor of everyone's case may name; None where it is not everyone's."""
        return None if self.users is None else tellable(self.occurrences, self.users)


def written(case_id: str, nodes: Sequence[Node], lived: Lived, *, now: datetime, scope: Scope) -> dict[str, Any]:
    """Give the JSON of a new learnt case without its texts."""
    form: dict[str, Any] = {
        "id": case_id,
        "type": "case",
        "trigger_conditions": condition_forms(nodes, lived.policy),
        "effect": "advise",
        "priority": PRIORITY,
        "created_at": now.isoformat(),
    }
    if scope.named:
        form["scope"] = scope.named
    if all(each.body.get("transient") is True for each in lived.occurrences):
        form["ttl"] = lived.policy.detector.transient_ttl
    form["source"] = {"origin": "detector", "signature": lived.signature, "evidence": evidence_of(lived)}
    return form | {"tags": ["learnt"]}


def evidence_of(lived: Lived) -> list[str]:
    """Give the ids that a case keeps of its occurrences; everyone's keeps none that names somebody: a host makes them of anything."""
    private = private_words(lived.occurrences) if lived.shared else Private()
    ids = list(dict.fromkeys(each.id for each in lived.occurrences if not private.has(each.id)))
    return ids if len(ids) <= EVIDENCE else [*ids[:3], *ids[3 - EVIDENCE :]]


def condition_forms(nodes: Sequence[Node], policy: Policy) -> list[str | dict[str, Any]]:
    """Give conditions as texts in the policy's language; one that would be read as another, in its JSON form."""
    return [_condition_form(node, policy.language) for node in nodes]


def _condition_form(node: Node, language: learnt_texts.Language) -> str | dict[str, Any]:
    text = render(node, language)
    try:
        if parse(text) == node:
            return text
    except ConditionError:
        pass
    form = to_json(node)
    from_json(form)
    return form


def texts_of(lived: Lived, anchor: Anchor, figures: Figures, note: str = "") -> dict[str, Any]:
    """Give the texts of a case, its correction with whose it is."""
    story = _story_of(lived, anchor, figures)
    correction = _correction_of(lived, story)
    return {
        "situation": learnt_texts.situation(story, note),
        "judgment": learnt_texts.judgment(story),
        "consequence": learnt_texts.consequence(story),
        "correction": correction.text,
        "correction_by": correction.by,
    }


def _story_of(lived: Lived, anchor: Anchor, figures: Figures) -> Story:
    policy, occurrences = lived.policy, lived.occurrences
    zone = ZoneInfo(policy.timezone)
    days = sorted(_day(each.at, zone) for each in occurrences)
    called, names = _called(anchor)
    return Story(
        language=policy.language,
        error=placeholders_in(told_error(occurrences, lived.users, policy.redact), policy.language),
        count=len(occurrences),
        sessions=len({(each.session, each.principal.user) for each in occurrences if each.session is not None}),
        first=days[0],
        last=days[-1],
        called=called,
        names=names,
        figures=figures,
    )


def _day(at: datetime, zone: ZoneInfo) -> date:
    """Give the day of an instant in a zone; in the first and last hours of the years that datetime knows, in UTC."""
    try:
        return at.astimezone(zone).date()
    except OverflowError:
        return at.date()


def _called(anchor: Anchor) -> tuple[Called, tuple[str, ...]]:
    if anchor.tools:
        return "tool", (*anchor.actions, *anchor.programs, *anchor.tools)
    if anchor.actions or anchor.programs:
        return "action", (*anchor.actions, *anchor.programs)
    return ("intent", anchor.intents) if anchor.intents else ("nothing", ())


def _correction_of(lived: Lived, story: Story) -> Correction:
    said = (*corrections_in(lived.signature, lived.occurrences, lived.calls), *lived.said)
    return correction_for(
        story,
        lived.occurrences,
        tuple({each.id: each for each in said}.values()),
        recoveries_of(lived.occurrences, lived.calls),
        around=sessions_of(lived.occurrences, lived.calls),
        users=lived.policy.detector.users,
        shared=lived.shared,
        patterns=lived.policy.redact,
    )
