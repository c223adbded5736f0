"""How an activation that is looked at again is put for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from casebook.adapters.cli import output
from casebook.runtime.answer.harmless import condition_excerpt, excerpt, harmless
from casebook.runtime.answer.seen import instant_words, value_words
from casebook.runtime.answer.texts import TEXTS, Language
from casebook.runtime.answer.why import condition_words, reason_words

if TYPE_CHECKING:
    from casebook.memory import Memory
    from casebook.runtime.journal.records import ActivationRecord, EventRecord
    from casebook.runtime.review.replaying import CaseReplay
    from casebook.runtime.review.why_activation import Told

CHARS = 160
"""Characters of a condition, of a message and of words that are shown."""

_HOW = {
    "selected": "told", "omitted": "left out by the limits", "shadow": "matched in shadow, not told",
    "withheld": "not told: its session is in the holdout", "held": "held back",
}  # fmt: skip
_VERDICTS = {
    "same": "replayed: the same", "different": "replayed: different", "unknown": "replayed: it cannot be said",
}  # fmt: skip


def told_json(told: Told, language: Language) -> dict[str, Any]:
    """Give it for programs."""
    record = told.record
    return {
        "id": record.id,
        "at": record.at.isoformat(),
        "session": record.session,
        "user": record.principal.user,
        "project": record.principal.project,
        "team": sorted(record.principal.teams),
        "agent": record.principal.agent,
        "point": record.point,
        "tool": record.tool,
        "verdict": record.verdict,
        "engine": record.engine,
        "mode": record.mode,
        "release": record.release,
        "facts": dict(record.facts),
        "cases": [_case_json(each, language) for each in told.replays],
        "replayed": {"verdict": told.verdict, "texts": "today" if told.today else "then"},
        "memories": [
            {
                "id": name,
                "text": memory.text if memory is not None else None,
                "tier": memory.tier if memory is not None else None,
            }
            for name, memory in told.memories
        ],
        "outcomes": [_outcome_json(each) for each in told.outcomes],
    }


def _case_json(each: CaseReplay, language: Language) -> dict[str, Any]:
    return {
        "id": each.case_id,
        "how": each.firing.how if each.firing is not None else None,
        "detail": each.firing.detail if each.firing is not None else None,
        "version": each.firing.version if each.firing is not None else None,
        "asked": each.loaded.version if each.loaded is not None else None,
        "correction": each.loaded.case.correction if each.loaded is not None else None,
        "because": [dict(one) for one in each.firing.because] if each.firing is not None else [],
        "replayed": each.verdict,
        "why": list(each.why),
        "conditions": [
            {
                "condition": one.condition,
                "holds": one.trace.holds,
                "seen": condition_words(one.trace, language, written=one.condition),
                "then": one.then,
                "noted": one.noted,
            }
            for one in each.conditions
        ],
    }


def _outcome_json(event: EventRecord) -> dict[str, Any]:
    return {
        "event": event.id, "at": event.at.isoformat(), "kind": event.kind, "tool": event.tool, "ok": event.ok,
        "signature": event.signature, "counted": event.counted, "body": dict(event.body),
    }  # fmt: skip


def told_lines(told: Told, language: Language, zone: str) -> Iterator[str]:
    """Give it for people."""
    yield from _asked(told.record, language, zone)
    yield ""
    texts = "in the texts that serve today" if told.today else "in the texts of then"
    if told.replays:
        yield f"{_VERDICTS[told.verdict]}, {texts}, by the reference evaluator at that instant"
    else:
        yield "no case matched"
    for each in told.replays:
        yield ""
        yield from _case(each, language, zone)
    if told.memories:
        yield ""
        yield "memories that it told, as they stand today"
        yield from (f"  {_memory(name, memory)}" for name, memory in told.memories)
    yield ""
    yield "what came of it" if told.outcomes else "nothing was reported of it"
    for event in told.outcomes:
        yield f"  {_outcome(event, zone)}"


def _asked(record: ActivationRecord, language: Language, zone: str) -> Iterator[str]:
    session = f"  session {output.one_line(record.session)}" if record.session else ""
    yield (
        f"{record.id}  {instant_words(record.at, zone)}  at {record.point}{session}  verdict {record.verdict}  "
        f"engine {record.engine}, mode {record.mode}, release {record.release}"
    )
    if "point" not in record.facts:
        yield "  the words of this task were taken out of the journal"
        return
    for name, value in _facts(record):
        yield f"  {name}: {value_words(value, TEXTS[language])}"


def _facts(record: ActivationRecord) -> Iterator[tuple[str, Any]]:
    """Give the facts that tell something, the parts of arguments and context by name."""
    for name, value in record.facts.items():
        if name in ("point", "session"):
            continue
        if name in ("args", "context") and isinstance(value, Mapping):
            yield from ((f"{name}.{harmless(str(part))}", each) for part, each in value.items())
        else:
            yield harmless(name), value


def _case(each: CaseReplay, language: Language, zone: str) -> Iterator[str]:
    how = _HOW[each.firing.how] if each.firing is not None else "did not match then"
    detail = each.firing.detail if each.firing is not None and each.firing.how == "held" else ""
    reason = f" ({reason_words(detail, language, zone)})" if detail else ""
    version = each.firing.version if each.firing is not None else (each.loaded.version if each.loaded else "")
    yield f"{each.case_id}  {how}{reason}  text {version}  {_VERDICTS[each.verdict]}"
    if each.loaded is not None and each.firing is not None and each.firing.how == "selected":
        by = (
            ""
            if each.loaded.case.correction_by == "person"
            else f" ({each.loaded.case.correction_by}, in quotation marks)"
        )
        yield f"  it says{by}: {excerpt(each.loaded.case.correction, CHARS)}"
    for one in each.conditions:
        words = condition_words(one.trace, language, written=one.condition)
        mark = "+" if one.trace.holds else "-"
        yield f"  {mark}  {condition_excerpt(one.condition, CHARS)}" + (f"  [{words}]" if words else "")
        if one.noted and not one.trace.holds:
            yield f"       then it saw {value_words(one.then, TEXTS[language])}"
    for why in each.why:
        yield f"  - {harmless(why)}"


def _memory(name: str, memory: Memory | None) -> str:
    if memory is None:
        return f"{name}  it is in no tier any more"
    return f"{name}  {output.clipped(output.one_line(memory.text), CHARS)} ({memory.kind}, {memory.tier})"


def _outcome(event: EventRecord, zone: str) -> str:
    error = event.body.get("error")
    message = str(error.get("message", "")) if isinstance(error, Mapping) else ""
    said = message or str(event.body.get("text") or event.body.get("correction") or "")
    what = {True: "succeeded", False: "failed", None: ""}[event.ok]
    ignored = event.body.get("ignored")
    parts = [
        instant_words(event.at, zone),
        event.kind,
        output.one_line(event.tool or ""),
        what,
        f'"{excerpt(said, CHARS)}"' if said else "",
        f"signature {output.one_line(event.signature)}" if event.signature else "",
        f"not counted: {output.one_line(str(ignored))}" if ignored else "",
    ]
    return "  ".join(part for part in parts if part)
