"""How what waits, and a line of the audit log, are put for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import as_argument
from casebook.adapters.cli.review_memory_texts import (
    asked_lines,
    memory_entry_words,
    memory_item_lines,
    other_json,
    others_of,
)
from casebook.runtime.answer.seen import instant_words
from casebook.runtime.review.asked import proposed
from casebook.runtime.review.feedback import words_of

if TYPE_CHECKING:
    from casebook.case import LoadedCase
    from casebook.runtime.journal.records import Entry
    from casebook.runtime.review.queue import Item
    from casebook.runtime.review.review import Review

SAID_CHARS = 160
"""Characters of a reason that the log shows."""

_BOOKKEEPING = frozenset(
    {
        "watermark", "written", "look", "retain", "schedule", "run", "again", "ran", "claim", "tick", "deliver", "delivered", "began",
        "ended", "skip", "digest",
    }
)  # fmt: skip
"""What the detector, the schedule, the sinks and upkeep write for themselves."""

_WHY: Mapping[str, str] = {
    "learnt": "learnt from a repeated error",
    "draft": "learnt, and held back: too few of the calls it matches failed this way",
    "recovery": "a way that worked was seen since; it is proposed as the correction",
    "feedback": "a user's words, to be judged",
    "tombstone": "its error came back after it was rejected",
    "effect": "it does not help, by the figures",
    "needless": "it comes up at many calls that succeed, and no condition tells them apart",
    "hand-edited": "a person's own text; the detector would have it otherwise",
    "unseen": "learnt elsewhere, and came with the folder: nobody here has looked at it",
    "corrected": "a person corrected such a call twice; it fires once it is approved",
    "scanned": "found in the transcripts of a host; it fires once it is approved",
    "noted": "an agent wrote it; it fires once it is approved",
    "wrong": "somebody said that it is wrong",
    "contradiction": "it says the opposite of another",
    "merge": "it is like another: they may be one",
    "outdated": "its time seems to be over",
    "idle": "it was of no use for long",
    "dead": "it cannot fire",
    "unconfirmed": "it was seen or inferred, and no person has confirmed it",
    "too_long": "there is too much of its kind to be told",
    "correction": "somebody who is no person would have it otherwise",
}


def why_words(reason: str) -> str:
    """Give why a case waits, in words."""
    return _WHY.get(reason, output.flat(reason))


def waits_words(items: Sequence[Item]) -> str:
    """Say how many cases, memories and remarks of users wait: `1 case and 2 remarks wait`."""
    remarks, memories = sum(each.is_words for each in items), sum(each.is_memory for each in items)
    counts = (
        (len(items) - remarks - memories, "case", "cases"),
        (memories, "memory", "memories"),
        (remarks, "remark", "remarks"),
    )
    told = [output.counted(number, *nouns) for number, *nouns in counts if number or not items]
    listed = ", ".join(told[:-1]) + (" and " if told[1:] else "") + told[-1]
    return f"{listed} {'waits' if len(items) == 1 else 'wait'}"


def occurrences_of(item: Item, counts: Mapping[str, int]) -> int:
    """Give how often the error of a case was counted; `counts` are the journal's, by signature."""
    return counts.get(item.signature or _signature(item.loaded) or "", 0)


def evidence_of(loaded: LoadedCase | None) -> int:
    """Give how many pieces of evidence a case names."""
    return len(loaded.case.source.evidence) if loaded is not None and loaded.case.source is not None else 0


def _signature(loaded: LoadedCase | None) -> str | None:
    return loaded.case.source.signature if loaded is not None and loaded.case.source is not None else None


def item_json(item: Item, review: Review, counts: Mapping[str, int]) -> dict[str, Any]:
    """Give what waits for programs; `counts` are the occurrences by signature."""
    case = item.loaded.case if item.loaded is not None else None
    return {
        "id": item.subject,
        "reason": item.reasons[-1],
        "reasons": list(item.reasons),
        "since": item.since.isoformat(),
        "figures": dict(item.figures),
        "notes": list(item.notes),
        "correction": case.correction if case is not None else None,
        "correction_by": case.correction_by if case is not None else None,
        "conditions": list(case.trigger_conditions) if case is not None else [],
        "effect": case.effect if case is not None else None,
        "status": case.status if case is not None else None,
        "scope": case.scope.named if case is not None else {},
        "where": item.loaded.where if item.loaded is not None else None,
        "signature": item.signature,
        "occurrences": occurrences_of(item, counts),
        "evidence": evidence_of(item.loaded),
        "words": words_of(review, item.queued) or None,
        "proposal": dict(item.proposal) if item.proposal is not None else None,
        "queued": [entry_json(each) for each in item.queued if each.seq],
        "judged": entry_json(item.answer) if item.answer is not None else None,
        "memory": item.placed.memory.to_json() if item.placed is not None else None,
        "proposes": proposed(item) or None,
        "others": [other_json(name, review) for name in others_of(item)],
    }


def _after(review: Review, item: Item) -> str:
    """Say of which call a user's words are; "" where they are of none."""
    from casebook.runtime.teaching.whole_call import called

    events = (review.journal.event(str(each.body.get("event", ""))) for each in reversed(item.queued))
    event = next((each for each in events if each is not None), None)
    return f" after {output.one_line(called(event))}" if event is not None and event.tool else ""


def item_lines(item: Item, review: Review, counts: Mapping[str, int]) -> Iterator[str]:
    """Give what waits for people: a head, and what one needs to judge it; `counts` are the occurrences by signature."""
    zone = review.store.snapshot().policy.timezone
    loaded = item.loaded
    if item.is_memory:
        yield from memory_item_lines(item, review, zone)
        return
    head = f"{item.subject}  since {instant_words(item.since, zone)}"
    yield head + (f"  {_standing(loaded)}" if loaded is not None else "")
    for reason in item.reasons:
        yield f"  {why_words(reason)}"
    yield from _said(item)
    if words := words_of(review, item.queued):
        yield f'  "{output.clipped(output.one_line(words), SAID_CHARS)}"{_after(review, item)}'
    if loaded is not None:
        yield from _case_lines(loaded)
    elif item.is_moot:
        yield "  it is no longer in service"
    if item.proposal is not None:
        yield from _proposed(item.proposal, loaded)
    yield from _what_approving_does(item)
    if item.asked is not None:
        yield from asked_lines(item, review)
    yield from _counts(item, counts)
    if item.answer is not None:
        yield f"  {entry_words(item.answer, zone)}"
    yield ""


def _counts(item: Item, counts: Mapping[str, int]) -> Iterator[str]:
    """Give the backtest, why the conditions are what they are, and how often the error was seen."""
    if figures := figure_words(item.figures):
        yield f"  backtest: {figures}"
    for each in beside_figures(item.notes, figures):
        yield f"  - {output.flat(each)}"
    if counted := occurrences_of(item, counts):
        yield f"  {output.counted(counted, 'occurrence')} of its error; `casebook why {item.subject}` tells them"


def _standing(loaded: LoadedCase) -> str:
    scope = " ".join(f"{key}={name}" for key, name in loaded.case.scope.named.items())
    return (
        f"{loaded.case.status}, {loaded.case.effect}"
        + (f", for {output.one_line(scope)}" if scope else "")
        + (f", in the layer {output.one_line(loaded.layer)}" if loaded.layer else "")
    )


def _said(item: Item) -> Iterator[str]:
    """Give the words that came with what waits."""
    for each in item.queued:
        said = each.body.get("because") or each.body.get("text")
        if isinstance(each.body.get("note"), str):
            yield f"  {output.clipped(output.one_line(each.body['note']), SAID_CHARS)}"
        if isinstance(said, str) and said:
            yield f'  said by {output.one_line(each.actor)}: "{output.clipped(output.one_line(said), SAID_CHARS)}"'


def _case_lines(loaded: LoadedCase) -> Iterator[str]:
    case = loaded.case
    for each in case.trigger_conditions:
        yield f"  when {output.flat(each if isinstance(each, str) else json.dumps(each, ensure_ascii=False))}"
    yield f"  correction, {_whose(case.correction_by)}: {output.flat(case.correction)}"


def _what_approving_does(item: Item) -> Iterator[str]:
    """Say what approve does, and how a better correction than a caution is given."""
    if item.answer is not None:
        return
    case = item.loaded.case if item.loaded is not None else None
    argument = as_argument(item.subject)
    quoted = "with --quoted it stays quoted"
    better = f'  a better one: `casebook review edit {argument} correction="…"`'
    if item.proposal is not None:
        yield f"  `casebook review approve {argument}` applies what is proposed; its correction is then told as yours, {quoted}"
        if case is not None and case.correction_by == "caution" and "correction" not in item.proposal:
            yield better
    elif case is not None and case.correction_by == "caution":
        yield f"{better}; approved as it is, it is told as yours"


def _whose(by: str) -> str:
    names = {"person": "a person's", "agent": "an agent's", "mined": "seen to work", "caution": "a caution only"}
    return names.get(by, by)


def _proposed(proposal: Mapping[str, Any], loaded: LoadedCase | None) -> Iterator[str]:
    """Give what a proposal would change."""
    held = loaded.case.to_json() if loaded is not None else {}
    for name in {**proposal, **held}:
        new, old = proposal.get(name), held.get(name)
        if new != old and name not in ("id", "status", "source", "created_at") and not name.startswith(("x-", "$")):
            text = new if isinstance(new, str) else json.dumps(new, ensure_ascii=False)
            yield f"  proposed {name}: {output.flat(text)}"


def figure_words(figures: Mapping[str, float]) -> str:
    """Give the figures of a backtest in words; nothing where there are none."""
    if not figures.get("matching"):
        return ""
    failing, matching, clean = (int(figures.get(name, 0)) for name in ("failing", "matching", "clean"))
    share = f"{figures.get('precision', 0):.0%}"
    return f"{failing} of {output.counted(matching, 'matching call')} failed this way ({share}), {clean} succeeded"


def beside_figures(notes: Iterable[str], figures: str) -> Iterator[str]:
    """Give why a case has its conditions, without the sentence that says what `figure_words` has said."""
    return (each for each in notes if not (figures and each.startswith("backtest:")))


def entry_json(entry: Entry) -> dict[str, Any]:
    """Give a line of the audit log for programs."""
    return {
        "entry": entry.seq, "id": entry.id, "at": entry.at.isoformat(), "by": entry.actor, "action": entry.action,
        "subject": entry.subject, "signature": entry.signature, "body": dict(entry.body),
    }  # fmt: skip


def is_bookkeeping(entry: Entry) -> bool:
    """Say whether a line is the casebook's own bookkeeping, or the queue's of what the line before it tells."""
    return entry.action in _BOOKKEEPING or (
        entry.action == "queue" and entry.body.get("reason") in ("learnt", "wrong", "corrected", "scanned", "noted")
    )


def entry_words(entry: Entry, zone: str) -> str:
    """Give a line of the audit log for people."""
    body = entry.body
    parts = [
        f"#{entry.seq}",
        instant_words(entry.at, zone),
        *map(output.one_line, (entry.actor, entry.action, entry.subject)),
    ]
    if story := memory_entry_words(entry):
        return "  ".join([*parts, story])
    if entry.action == "undo":
        parts.append(f"(#{body.get('number', '?')} {output.one_line(str(body.get('undone', '')))})")
    if isinstance(body.get("reason"), str) and body["reason"]:
        parts.append(f"({output.clipped(output.one_line(body['reason']), SAID_CHARS)})")
    if isinstance(body.get("verdict"), str):
        parts.append(f"({output.one_line(body['verdict'])})")
    if isinstance(body.get("because"), str) and body["because"] != body.get("reason"):
        parts.append(f'"{output.clipped(output.one_line(body["because"]), SAID_CHARS)}"')
    old, new = (_version(body.get(name)) for name in ("before", "after"))
    if old != new:
        parts.append(f"{old or 'nothing'} → {new or 'out of service'}")
    return "  ".join(part for part in parts if part)


def _version(state: object) -> str:
    return str(state.get("version", "")) if isinstance(state, Mapping) else ""
