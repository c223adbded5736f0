"""How the story of a case is put for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from casebook.adapters.cli import output
from casebook.adapters.cli.history import did, step_json
from casebook.adapters.cli.review_texts import beside_figures, entry_json, entry_words, figure_words, is_bookkeeping
from casebook.runtime.answer.harmless import excerpt
from casebook.runtime.answer.seen import instant_words

if TYPE_CHECKING:
    from casebook.runtime.review.why_case import Making, Occurrence, Story

MESSAGE_CHARS = 160
"""Characters of an error's message that are shown."""

_DID = {
    "promote": "made", "share": "made everyone's", "widen": "widened", "narrow": "narrowed", "revive": "revived",
    "correct": "given a better correction",
}  # fmt: skip


def story_json(story: Story) -> dict[str, Any]:
    """Give the story for programs."""
    loaded = story.loaded
    return {
        "id": story.case_id,
        "serves": loaded is not None,
        "origin": story.origin,
        "status": loaded.case.status if loaded is not None else None,
        "correction_by": loaded.case.correction_by if loaded is not None else None,
        "where": loaded.where if loaded is not None else None,
        "version": loaded.version if loaded is not None else None,
        "words": story.words or None,
        "signature": story.signature,
        "kind": story.kind or None,
        "counted": story.counted,
        "occurrences": [_occurrence_json(each) for each in story.occurrences],
        "made": [
            {
                "entry": each.entry.seq, "at": each.entry.at.isoformat(), "by": each.entry.actor,
                "action": each.entry.action, "figures": dict(each.figures), "reasons": list(each.reasons),
                "case": each.entry.body["case"],
            }
            for each in story.makings
        ],
        "audit": [entry_json(each) for each in story.entries],
        "versions": [step_json(each) for each in story.steps],
        "fired": {
            "count": story.fired.count,
            "last": story.fired.last.isoformat() if story.fired.last is not None else None,
            "activations": list(story.spoke_in),
        },
    }  # fmt: skip


def _occurrence_json(each: Occurrence) -> dict[str, Any]:
    event = each.event
    return {
        "event": event.id, "at": event.at.isoformat(), "session": event.session, "user": event.principal.user,
        "tool": event.tool, "type": each.type or None, "message": each.message, "activation": event.activation,
        "evidence": each.evidence,
    }  # fmt: skip


def story_lines(story: Story, zone: str) -> Iterator[str]:
    """Give the story for people."""
    yield from _head(story)
    if story.signature is not None:
        yield ""
        yield from _learnt(story, zone)
    for each in story.makings:
        yield ""
        yield from _made(each, zone)
    if done := [entry for entry in story.entries if not is_bookkeeping(entry)]:
        yield ""
        yield "what was done with it"
        for entry in done:
            yield f"  {entry_words(entry, zone)}"
    if story.steps:
        yield ""
        yield "its texts (`casebook history` tells what each changed)"
        for step in story.steps:
            now = "  serves now" if step.serves else ""
            yield f"  {step.version or 'out of service'}  {instant_words(step.at, zone)}  {did(step)}{now}"
    if not story.words:
        yield ""
        yield from _fired(story, zone)


def _head(story: Story) -> Iterator[str]:
    if story.words:
        yield f'{story.case_id}: a user said "{excerpt(story.words, MESSAGE_CHARS)}"'
        return
    if story.loaded is None:
        yield f"{story.case_id}: not in service"
        return
    case = story.loaded.case
    yield f"{case.id}: {case.type}, {case.effect}, {case.status}  {output.flat(story.loaded.where)}"
    for each in case.trigger_conditions:
        yield f"  when {output.flat(each if isinstance(each, str) else json.dumps(each, ensure_ascii=False))}"
    yield f"  correction ({case.correction_by}): {output.flat(case.correction)}"
    if story.signature is None:
        yield f"  it was not learnt: its origin is {story.origin}"


def _learnt(story: Story, zone: str) -> Iterator[str]:
    made_from = sum(each.evidence for each in story.occurrences)
    counted = output.counted(story.counted, "occurrence")
    yield f"its error: {output.flat(story.kind)}"
    yield f"  {counted}, made from {made_from} (*); signature {output.one_line(story.signature or '')}"
    told = story.occurrences[: output.WORDS_MOST]
    for each in told:
        event = each.event
        parts = [
            instant_words(event.at, zone),
            f"session {output.one_line(event.session)}" if event.session else "",
            output.one_line(event.tool or ""),
            _error_words(each),
            f"activation {event.activation}" if event.activation else "",
        ]
        yield f"  {'*' if each.evidence else ' '} " + "  ".join(part for part in parts if part)
    if story.counted > len(told):
        more = "; --json tells more" if len(story.occurrences) > len(told) else ""
        yield f"    … and {story.counted - len(told):,} more{more}"


def _error_words(each: Occurrence) -> str:
    """Give type and message of an error, as far as they are told."""
    message = f'"{excerpt(each.message, MESSAGE_CHARS)}"' if each.message else ""
    return ": ".join(part for part in (output.one_line(each.type), message) if part)


def _made(making: Making, zone: str) -> Iterator[str]:
    entry = making.entry
    done = _DID.get(entry.action, entry.action)
    yield f"#{entry.seq}  {instant_words(entry.at, zone)}  {done} by {output.one_line(entry.actor)}{_said_by(making)}"
    if figures := figure_words(making.figures):
        yield f"  backtest: {figures}"
    for reason in beside_figures(making.reasons, figures):
        yield f"  - {output.flat(reason)}"


def _said_by(making: Making) -> str:
    """Say whose words a better correction was, and in which session they fell."""
    if making.entry.action != "correct":
        return ""
    by = making.entry.body["case"].get("correction_by", "person")
    whose = {"person": "a person", "agent": "an agent"}.get(str(by), str(by))
    user = making.entry.body.get("by")
    of = f" of {output.one_line(user)}" if isinstance(user, str) and user else ""
    session = making.said.session if making.said is not None else None
    return f": said by {whose}{of}" + (f" in session {output.one_line(session)}" if session else "")


def _fired(story: Story, zone: str) -> Iterator[str]:
    fired = story.fired
    if not fired.count:
        yield "it has not spoken yet"
        return
    last = f", last {instant_words(fired.last, zone)}" if fired.last is not None else ""
    yield f"it spoke {output.counted(fired.count, 'time')}{last}"
    for each in story.spoke_in:
        yield f"  `casebook why {output.one_line(each)}`"
