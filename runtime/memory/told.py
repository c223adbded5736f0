"""A memory as it is put in front of an agent: one line, that can pass for nothing else, with who said it and when."""

from __future__ import annotations

from functools import lru_cache
from zoneinfo import ZoneInfo

from casebook.instants import instant
from casebook.memory import Memory
from casebook.runtime.answer.harmless import excerpt, inside_quotes
from casebook.runtime.answer.seen import Redact
from casebook.runtime.memory.told_texts import ToldTexts, Voice
from casebook.speakers import speaker_of


def voice_of(memory: Memory) -> Voice:
    """Say whose words a memory's are: those of the user whom its scope names, of some person, of no person.

    What somebody said of whom nothing is known counts as a tool's.
    """
    if memory.source is None:
        return "note"
    speaker = speaker_of(memory)
    if speaker == "person" and memory.scope.user is not None:
        return "user"
    return speaker


def words_of(memory: Memory, texts: ToldTexts, limit: int, redact: Redact) -> str:
    """Give a memory's text in at most so many characters, quoted where no person said it; empty where nothing of it can be shown."""
    return _put(memory.text, memory, texts, limit, redact)


def reason_of(memory: Memory, texts: ToldTexts, limit: int, redact: Redact) -> str:
    """Give the reason of a decision in the same way; empty where there is none."""
    return _put(memory.reason, memory, texts, limit, redact) if memory.reason and not memory.reason.isspace() else ""


def _put(text: str, memory: Memory, texts: ToldTexts, limit: int, redact: Redact) -> str:
    is_ours = voice_of(memory) in ("user", "person", "note")
    room = limit if is_ours else limit - len(texts.quoted.format(""))
    told = excerpt(redact(text), room) if room > 0 else ""
    if not told:
        return ""
    return told if is_ours else texts.quoted.format(inside_quotes(told))


def day_of(memory: Memory, zone: str) -> str:
    """Give the local date at which a memory was made, or an empty text."""
    if memory.created_at is None:
        return ""
    return instant(memory.created_at, zone).astimezone(_zone(zone)).date().isoformat()


@lru_cache(maxsize=16)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)
