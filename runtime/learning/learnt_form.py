"""The JSON of a learnt case: its conditions as text, where it comes from, and what it tells."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from casebook.conditions.json_form import from_json, to_json
from casebook.conditions.parse import parse
from casebook.conditions.render import render
from casebook.conditions.tree import Node
from casebook.faults import ConditionError
from casebook.policy import Policy
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning import learnt_texts
from casebook.runtime.learning.anchors import Anchor
from casebook.runtime.learning.backtest import Calls, Figures
from casebook.runtime.learning.correction import Correction, correction_for, corrections_in, told_error
from casebook.runtime.learning.learnt_texts import Called, Story
from casebook.runtime.learning.recovery import recoveries_of
from casebook.scope import Scope

EVIDENCE: Final = 20
"""Ids of occurrences that a case keeps: the first three and the newest."""
PRIORITY: Final = 5


def written(
    case_id: str,
    signature: str,
    nodes: Sequence[Node],
    occurrences: Sequence[EventRecord],
    policy: Policy,
    *,
    now: datetime,
    scope: Scope,
) -> dict[str, Any]:
    """Give the JSON of a learnt case without its texts."""
    form: dict[str, Any] = {
        "id": case_id,
        "type": "case",
        "situation": "",
        "trigger_conditions": [condition_form(node, policy.language) for node in nodes],
        "judgment": "",
        "consequence": "",
        "correction": "",
        "correction_by": "caution",
        "effect": "advise",
    }
    if scope.named:
        form["scope"] = scope.named
    form |= {"priority": PRIORITY, "created_at": now.isoformat()}
    if all(each.body.get("transient") is True for each in occurrences):
        form["ttl"] = policy.detector.transient_ttl
    form["source"] = {"origin": "detector", "signature": signature, "evidence": evidence_of(occurrences)}
    return form | {"tags": ["learnt"]}


def evidence_of(occurrences: Sequence[EventRecord]) -> list[str]:
    """Give the ids that a case keeps of its occurrences."""
    ids = list(dict.fromkeys(each.id for each in occurrences))
    return ids if len(ids) <= EVIDENCE else [*ids[:3], *ids[3 - EVIDENCE :]]


def condition_form(node: Node, language: learnt_texts.Language) -> str | dict[str, Any]:
    """Give a condition as its text; as its JSON form where the text would not be read as the same condition."""
    text = render(node, language)
    try:
        if parse(text) == node:
            return text
    except ConditionError:
        pass
    form = to_json(node)
    from_json(form)
    return form


def texts_of(story: Story, correction: Correction, note: str) -> dict[str, Any]:
    """Give the texts of a case."""
    return {
        "situation": learnt_texts.situation(story, note),
        "judgment": learnt_texts.judgment(story),
        "consequence": learnt_texts.consequence(story),
        "correction": correction.text,
        "correction_by": correction.by,
    }


def story_of(
    anchor: Anchor, occurrences: Sequence[EventRecord], figures: Figures, policy: Policy, *, shared: bool
) -> Story:
    """Give what is told of some occurrences."""
    zone = ZoneInfo(policy.timezone)
    days = sorted(each.at.astimezone(zone).date() for each in occurrences)
    called, names = _called(anchor)
    return Story(
        language=policy.language,
        error=told_error(occurrences, policy.detector.users if shared else None, policy.redact),
        count=len(occurrences),
        sessions=len({(each.session, each.principal.user) for each in occurrences if each.session is not None}),
        first=days[0],
        last=days[-1],
        called=called,
        names=names,
        figures=figures,
    )


def _called(anchor: Anchor) -> tuple[Called, tuple[str, ...]]:
    if anchor.tools:
        return "tool", (*anchor.actions, *anchor.tools)
    if anchor.actions:
        return "action", anchor.actions
    return ("intent", anchor.intents) if anchor.intents else ("nothing", ())


def correction_of(
    signature: str,
    story: Story,
    occurrences: Sequence[EventRecord],
    calls: Calls,
    policy: Policy,
    *,
    shared: bool,
    said: Sequence[EventRecord] = (),
) -> Correction:
    """Give the correction of a case, with all that its sessions tell."""
    found = {each.id: each for each in (*corrections_in(signature, occurrences, calls), *said)}
    return correction_for(
        story,
        occurrences,
        tuple(found.values()),
        recoveries_of(occurrences, calls),
        users=policy.detector.users,
        shared=shared,
        patterns=policy.redact,
    )
