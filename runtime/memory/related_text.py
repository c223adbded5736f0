"""The related memories of a task as text (DESIGN section 5): a heading of their own, a list item each."""

from __future__ import annotations

from collections.abc import Sequence

from casebook.policy import Policy
from casebook.runtime.answer.seen import Redact, as_it_is
from casebook.runtime.memory.told import day_of, voice_of, words_of
from casebook.runtime.memory.told_texts import TOLD_TEXTS, ToldTexts
from casebook.runtime.memory.view import Hit

ITEM_CHARS = 300
"""Characters of one memory that are told (ours); the whole is a `casebook recall` away."""
_LEAST = 40
"""Characters below which a memory is rather left out than cut."""


def related_section(
    hits: Sequence[Hit], policy: Policy, room: int, *, redact: Redact = as_it_is
) -> tuple[str, tuple[Hit, ...]]:
    """Tell what was found.

    Args:
        hits: what was found, the nearest first.
        policy: language and zone.
        room: the characters that there are for it.
        redact: takes secrets out of what is told.

    Returns:
        The text, with no line break at its end, and what of the hits it tells. Both are empty where not even one finds room.
    """
    texts = TOLD_TEXTS[policy.language]
    head = f"{texts.related}\n\n{texts.related_intro}\n"
    left = room - len(head)
    lines: list[str] = []
    told: list[Hit] = []
    for hit in hits:
        line = _line(hit, texts, policy.timezone, left - 1, redact)
        if line:
            lines.append(line)
            told.append(hit)
            left -= len(line) + 1
    return ("\n".join([head, *lines]), tuple(told)) if told else ("", ())


def _line(hit: Hit, texts: ToldTexts, zone: str, room: int, redact: Redact) -> str:
    """Give the line of a memory in so many characters, or an empty text."""
    memory = hit.memory
    source = texts.separator.join(each for each in (texts.voices[voice_of(memory)], day_of(memory, zone)) if each)
    fixed = len(texts.related_item.format(id=memory.id, kind=texts.kinds[memory.kind], source=source, text=""))
    left = min(room - fixed, ITEM_CHARS)
    words = words_of(memory, texts, left, redact) if left > 0 else ""
    if not words or (left < _LEAST and words.rstrip("”").endswith("…")):
        return ""
    return texts.related_item.format(id=memory.id, kind=texts.kinds[memory.kind], source=source, text=words)
