"""How the story of a memory is put for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from casebook.adapters.cli import output
from casebook.adapters.cli.review_texts import entry_json, entry_words
from casebook.instants import instant
from casebook.runtime.answer.seen import instant_words

if TYPE_CHECKING:
    from casebook.memory import Memory
    from casebook.runtime.review.memories import MemoryStory

NEWEST = 5
"""Tellings that are listed, the newest."""


def memory_lines(story: MemoryStory, zone: str) -> Iterator[str]:
    """Give the story for people: where it stands, the rules that decided, what happened to it, when it was told."""
    memory = _memory(story)
    where = (
        story.placed.path
        if story.placed is not None
        else f"the archive ({story.retired.pack})"
        if story.retired
        else ""
    )
    yield f"{memory.id}: {memory.kind}, {memory.tier}, {memory.status}; {output.flat(where)}"
    yield f"  {output.one_line(memory.text)}"
    yield "rules, in their order:"
    for step in story.chain:
        at = (step.model_extra or {}).get("at")
        yield f"  {step.rule:<8} {output.one_line(step.why)}" + (
            f" ({_local(at, zone)})" if isinstance(at, str) else ""
        )
    if not story.chain:
        yield "  none: it was written by hand"
    if story.entries:
        yield "what happened to it:"
        for entry in story.entries:
            yield f"  {entry_words(entry, zone)}"
    recalls = len({each.counts_as for each in story.tellings})
    if not story.tellings:
        yield "it has not been told yet"
        return
    yield f"told {output.counted(len(story.tellings), 'time')}, in {output.counted(recalls, 'session')}"
    for each in story.tellings[-NEWEST:]:
        session = f" in session {output.one_line(each.session)}" if each.session is not None else ""
        yield f"  {instant_words(each.at, zone)}{session} ({output.one_line(each.key)})"


def _local(text: str, zone: str) -> str:
    """Give an instant of a file as the clocks of a zone show it; what is none comes as it stands."""
    try:
        return instant_words(instant(text, zone), zone)
    except ValueError:
        return output.one_line(text)


def memory_json(story: MemoryStory) -> dict[str, Any]:
    """Give the story for programs."""
    return {
        "id": story.memory_id,
        "memory": _memory(story).to_json(),
        "path": story.placed.path if story.placed is not None else None,
        "archived": None
        if story.retired is None
        else {"at": story.retired.archived_at.isoformat(), "reason": story.retired.reason, "pack": story.retired.pack},
        "rule_chain": [step.model_dump() for step in story.chain],
        "audit": [entry_json(each) for each in story.entries],
        "told": [{"at": each.at.isoformat(), "session": each.session, "in": each.key} for each in story.tellings],
    }


def _memory(story: MemoryStory) -> Memory:
    if story.placed is not None:
        return story.placed.memory
    assert story.retired is not None
    return story.retired.memory
