"""What a session is told as it starts: who the user is, where the project stands, what was decided, what holds (DESIGN section 5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from casebook.instants import instant
from casebook.kinds import Kind
from casebook.memory import Memory
from casebook.policy import Policy
from casebook.runtime.answer.seen import Redact, as_it_is
from casebook.runtime.memory.told import day_of, reason_of, words_of
from casebook.runtime.memory.told_texts import TOLD_TEXTS, Section, ToldTexts
from casebook.runtime.memory.view import Hit

OPENING_KINDS: Mapping[Kind, Section] = {
    "identity": "identity", "project_state": "state", "decision": "decisions", "rule": "rules", "principle": "rules",
    "preference": "preferences",
}  # fmt: skip
"""The kinds that a session is told of, and in which part, in their order."""
ITEM_CHARS, REASON_CHARS = 200, 120
"""Characters of one memory, and of the reason of a decision, that are told (ours)."""
_ORDER: tuple[Section, ...] = ("identity", "state", "decisions", "rules", "preferences")
_LOOKED_AT = 60
"""Memories of one part that are put into words: more never find room."""


@dataclass(slots=True)
class _Part:
    """One part: its heading, its lines in their order, how many of them are told, how much they take."""

    heading: str
    hits: list[Hit]
    lines: list[str] = field(default_factory=list)
    told: int = 0

    def next_cost(self) -> int | None:
        """Give the characters that one line more takes; None where there is none."""
        if self.told >= len(self.lines):
            return None
        heading = 0 if self.told else len(self.heading) + 2
        return heading + len(self.lines[self.told]) + 1


def opening_section(
    reach: Iterable[Hit], policy: Policy, room: int, *, waits: int = 0, redact: Redact = as_it_is
) -> tuple[str, tuple[Hit, ...]]:
    """Tell a session what is standing.

    Each part gets an equal share of the room; what one leaves goes to the others. In a part L3 comes first, then L2, pinned ones
    first, the newest first. L1 is not told.

    Args:
        reach: the live memories within reach of who starts it; kinds that have no part here are passed over.
        policy: language and zone.
        room: the characters that there are for it.
        waits: how many moves wait for a person to confirm them.
        redact: takes secrets out of what is told.

    Returns:
        The text, with no line break at its end, and the memories that it tells, in its order. Both are empty where there is nothing
        to say, or no room to say it.
    """
    texts = TOLD_TEXTS[policy.language]
    parts = _parts(reach, policy, texts, redact)
    everything = sum(len(part.hits) for part in parts)
    head = [texts.opening, "", texts.opening_intro]
    tail = [texts.waits_one if waits == 1 else texts.waits.format(waits)] if waits else []
    reserved = _length(head) + (_length(tail) + 1 if tail else 0) + len(texts.more.format(everything)) + 2
    _share_out(parts, room - reserved)
    told = tuple(hit for part in parts for hit in part.hits[: part.told])
    lines = [*head]
    for part in parts:
        if part.told:
            lines += ["", part.heading, *part.lines[: part.told]]
    if told and everything > len(told):
        lines += ["", texts.more.format(everything - len(told))]
    if tail:
        lines += ["", *tail]
    text = "\n".join(lines)
    return (text, told) if (told or tail) and len(text) <= room else ("", ())


def _parts(reach: Iterable[Hit], policy: Policy, texts: ToldTexts, redact: Redact) -> list[_Part]:
    """Give the parts that have something to tell, in their order."""
    by_section: dict[Section, list[Hit]] = {section: [] for section in _ORDER}
    for hit in reach:
        if hit.memory.kind in OPENING_KINDS and hit.memory.tier != "L1":
            by_section[OPENING_KINDS[hit.memory.kind]].append(hit)
    parts = []
    for section, hits in by_section.items():
        if hits:
            hits.sort(key=lambda hit: _rank(hit.memory, policy.timezone))
            lines = [_line(hit.memory, policy.timezone, texts, redact) for hit in hits[:_LOOKED_AT]]
            parts.append(_Part(texts.sections[section], hits, lines))
    return parts


def _rank(memory: Memory, zone: str) -> tuple[int, bool, float, str]:
    made = instant(memory.created_at, zone).timestamp() if memory.created_at is not None else 0.0
    return 0 if memory.tier == "L3" else 1, not memory.pinned, -made, memory.id


def _line(memory: Memory, zone: str, texts: ToldTexts, redact: Redact) -> str:
    words = words_of(memory, texts, ITEM_CHARS, redact) or "…"
    if memory.kind == "decision" and (reason := reason_of(memory, texts, REASON_CHARS, redact)):
        words = texts.because.format(words, reason)
    name = texts.opening_id.join(each for each in (memory.id, day_of(memory, zone)) if each)
    return texts.opening_item.format(id=name, text=words)


def _share_out(parts: Sequence[_Part], room: int) -> None:
    """Fill the parts: first each up to its share of what is left, then one line after another where there is room."""
    for place, part in enumerate(parts):
        share = room // (len(parts) - place)
        while (cost := part.next_cost()) is not None and cost <= share:
            part.told += 1
            share -= cost
            room -= cost
    for part in parts:
        while (cost := part.next_cost()) is not None and cost <= room:
            part.told += 1
            room -= cost


def _length(lines: Sequence[str]) -> int:
    return sum(map(len, lines)) + len(lines)
