"""What a person is shown of a casebook before it is trusted: all that an agent could be told, each text as one harmless line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from casebook.runtime.answer.harmless import condition_excerpt, excerpt, harmless

if TYPE_CHECKING:
    from casebook.adapters.trust.approvals import ApprovedCase
    from casebook.case import Case, LoadedCase
    from casebook.policy import Policy
    from casebook.stores.memory_store import Placed
    from casebook.stores.protocol import Snapshot

CHARS = 1000
"""Characters of a text that are shown: as many as a correction may have."""
_DOES = {"block": "BLOCKS", "confirm": "ASKS FIRST", "advise": "advises"}
_BY = {"person": "a person's words", "agent": "an agent's words", "mined": "mined from calls", "caution": "a caution"}


def case_lines(loaded: LoadedCase, state: str = "", others: Sequence[Snapshot] = ()) -> Iterator[str]:
    """Give the lines of a case: what it does, when, what it says, whose words these are, and what it does to others.

    Args:
        loaded: the case.
        state: what has changed of it.
        others: what is served behind its casebook.
    """
    case = loaded.case
    origin = case.source.origin if case.source is not None else "author"
    whose = f"{_BY[case.correction_by]} ({origin})"
    told = "" if case.status == "active" else f", {case.status}"
    yield f"{_DOES[case.effect]}  {case.id}{told}  {whose}, {harmless(loaded.path)}{f'  [{state}]' if state else ''}"
    yield f"    when {' and '.join(map(_condition, case.trigger_conditions))}"
    if case.situation:
        yield f"    situation: {_text(case.situation)}"
    yield f"    instead: {_text(case.correction)}"
    for name in ("judgment", "consequence"):
        if value := getattr(case, name):
            yield f"    {name}: {_text(value)}"
    if case.scope.named:
        yield "    for " + ", ".join(f"{key} {_text(name)}" for key, name in case.scope.named.items())
    if case.supersedes:
        yield f"    silences {', '.join(case.supersedes)}"
    for name, effect in guards_over(case, others).items():
        does = "TAKES THE PLACE OF" if name == case.id else "SILENCES"
        yield f"    {does} your own {harmless(name)}, which {'blocks' if effect == 'block' else 'asks first'}"


def guards_over(case: Case, others: Sequence[Snapshot]) -> Mapping[str, str]:
    """Give the cases of others that block or ask and that a case puts out of force, with their effects."""
    from casebook.adapters.trust.waiting import guards_of, over_of

    names = sorted(over_of(case, guards_of(others)))
    return {name: next(each.cases[name].case.effect for each in others if name in each.cases) for name in names}


def memory_line(placed: Placed, *, is_left_out: bool = False) -> str:
    """Give the line of a memory; one that has the id of one of the user's own is left out."""
    memory = placed.memory
    left_out = "  LEFT OUT: a memory of your own has this id, and stands" if is_left_out else ""
    return f"{memory.tier} {memory.kind}  {_text(memory.text)}  ({memory.id}, {harmless(placed.path)}){left_out}"


def policy_lines(policy: Policy, others: Sequence[Snapshot] = ()) -> Iterator[str]:
    """Give what of a policy is not the default and needs approval: one line a key, and for which other cases it counts, too."""
    from casebook.stores.policies import IN_ALL_LAYERS

    for name, value in policy_form(policy).items():
        also = "  (for your own cases here, too)" if others and name in IN_ALL_LAYERS else ""
        yield f"policy {name}: {_text(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))}{also}"


def policy_form(policy: Policy) -> Mapping[str, Any]:
    """Give the keys of a policy that need approval and are not the default, as JSON."""
    from casebook.adapters.trust.digests import FIRING, REACHING, SPANNING

    return policy.model_dump(mode="json", include={*FIRING, *REACHING, *SPANNING}, exclude_defaults=True)


def stopping(cases: Mapping[str, LoadedCase]) -> Mapping[str, list[str]]:
    """Give the ids of the active cases that would block, and of those that would ask first."""
    active = [each for each in cases.values() if each.case.status == "active"]
    return {effect: [each.id for each in active if each.case.effect == effect] for effect in ("block", "confirm")}


def change_of(case: Case, known: ApprovedCase | None) -> str:
    """Say what has changed of a case since it was shown; nothing where it is as it was."""
    from casebook.adapters.trust.digests import case_digest, field_digests

    if known is None:
        return "new"
    if known.digest == case_digest(case):
        return ""
    if not known.fields:
        was = f"it was to {known.effect}" if known.effect != case.effect else "its text"
        return f"changed: {was}"
    now = field_digests(case)
    names = sorted(name for name in {**known.fields, **now} if known.fields.get(name) != now.get(name))
    return f"changed: {', '.join(harmless(name) for name in names)}"


def case_form(loaded: LoadedCase, state: str, others: Sequence[Snapshot] = ()) -> dict[str, Any]:
    """Give a case for programs; `over` are cases of `others` that block or ask and that it puts out of force."""
    case = loaded.case
    origin = case.source.origin if case.source is not None else "author"
    return {
        "id": case.id, "effect": case.effect, "status": case.status, "situation": case.situation,
        "trigger_conditions": list(case.trigger_conditions), "correction": case.correction, "judgment": case.judgment,
        "consequence": case.consequence, "scope": case.scope.named, "correction_by": case.correction_by, "origin": origin,
        "path": loaded.path, "line": loaded.line, "state": state or "approved",
        "over": sorted(guards_over(case, others)),
    }  # fmt: skip


def _condition(condition: str | dict[str, Any]) -> str:
    text = condition if isinstance(condition, str) else json.dumps(condition, ensure_ascii=False)
    return condition_excerpt(text, CHARS)


def _text(text: str) -> str:
    return excerpt(text, CHARS)
