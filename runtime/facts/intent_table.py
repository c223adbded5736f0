"""The shipped table of intents, and how an intent is compiled."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import re2

from casebook.runtime.facts.anchors import Anchor, anchors

_DATA = Path(__file__).parent / "data" / "intents.json"
_MEMORY = 8 << 20
_SET_MEMORY = 64 << 20
_MAX_PATTERN = 1_024
_MACRO = re.compile(r"\{(\w*[^\W\d]\w*)\}")


@dataclass(frozen=True, slots=True)
class Entry:
    """One intent; its patterns are texts and compiled when first needed.

    Attributes:
        name: as conditions write it.
        words: its words, folded (NFKC, lower case), as UTF-8.
        patterns: its patterns; where one has a group `v`, that is the word that may be negated.
        exclude: a pattern of what in the same sentence speaks against it, or empty.
        mentions: a pattern of phrases in which its words are only a part of a name, or empty.
        questions: a pattern of sentences that only ask or explain, or empty where those count too (a policy's own).
        making: a pattern of what is to be built or remembered; words within its groups only name it. Empty where they count too.
        anchors: for a pattern, texts one of which stands in whatever it matches; the other patterns are asked of every text.
    """

    name: str
    words: tuple[bytes, ...]
    patterns: tuple[str, ...]
    exclude: str = ""
    mentions: str = ""
    questions: str = ""
    making: str = ""
    anchors: Mapping[str, tuple[Anchor, ...]] = field(default_factory=dict)


def _options(memory: int) -> Any:
    options = re2.Options()
    options.max_mem = memory
    options.case_sensitive = False
    options.log_errors = False
    return options


@lru_cache(maxsize=1024)
def pattern(source: str) -> Any:
    """Compile one pattern, in any case; raises `re2.error` where RE2 does not take it."""
    return re2.compile(source, _options(_MEMORY))


@lru_cache(maxsize=1024)
def with_word(source: str) -> tuple[Any, int]:
    """Give a compiled pattern and the number of its group `v`, 0 without one."""
    compiled = pattern(source)
    return compiled, compiled.groupindex.get("v", 0)


def refusal(source: str) -> str | None:
    """Give why a pattern cannot serve, or None where it can."""
    if len(source.encode("utf-8", "replace")) > _MAX_PATTERN:
        return "expected at most 1 KB (limit: pattern)"
    try:
        pattern(source)
    except re2.error as error:
        text = error.args[0] if error.args else error
        return text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
    return None


def _either(sources: Iterable[str]) -> str:
    """Give the pattern that finds any of several; empty for none."""
    return "|".join(f"(?:{source})" for source in sources)


def folded(text: str) -> str:
    """Give text as intents compare it: NFKC, folded case, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def own_entry(name: str, words: Iterable[str], patterns: Iterable[str], exclude: Iterable[str]) -> Entry:
    """Make an intent of a policy.

    Args:
        name: its name.
        words: each a mention that counts; an English word stands by itself, in any case.
        patterns: RE2, matched in any case on folded text; those that RE2 refuses are left out (see `refusal`).
        exclude: words that speak against it, or patterns written `/…/`; they count for the sentence they stand in.
    """
    against = [each[1:-1] if _is_pattern(each) else _word_pattern(each) for each in exclude]
    return Entry(
        name,
        _encoded(words),
        tuple(each for each in patterns if refusal(each) is None),
        _either(each for each in against if refusal(each) is None),
    )


def _encoded(words: Iterable[str]) -> tuple[bytes, ...]:
    return tuple(dict.fromkeys(word.encode() for each in words if (word := folded(each))))


def _is_pattern(text: str) -> bool:
    return len(text) > 2 and text.startswith("/") and text.endswith("/")


def _word_pattern(word: str) -> str:
    """Give the pattern of a word: standing by itself where its ends are ASCII letters or digits."""
    bare = folded(word)
    left = r"\b" if bare[:1].isascii() and bare[:1].isalnum() else ""
    right = r"\b" if bare[-1:].isascii() and bare[-1:].isalnum() else ""
    return f"{left}{re.escape(bare)}{right}"


def set_of(sources: Iterable[str]) -> Any:
    """Compile patterns into one set that says which of them hold."""
    together = re2.Set.SearchSet(_options(_SET_MEMORY))
    for source in sources:
        together.Add(source)
    together.Compile()
    return together


@lru_cache(maxsize=1)
def shipped_entries() -> Mapping[str, Entry]:
    """Give the shipped intents by name, in their order."""
    read = json.loads(_DATA.read_text(encoding="utf-8"))
    macros: dict[str, str] = read["macros"]

    def full(sources: Iterable[str]) -> tuple[str, ...]:
        return tuple(_MACRO.sub(lambda found: macros[found.group(1)], source) for source in sources)

    questions, making = _either(full(read["questions"])), _either(full(read["making"]))
    entries: dict[str, Entry] = {}
    for name, told in read["intents"].items():
        mentions = _either(full(told.get("mentions", ())))
        words, patterns = _encoded(told.get("words", ())), full(told["patterns"])
        # read off before the macros are filled in, which have no part in it and are long
        known = {whole: anchors(source) for whole, source in zip(patterns, told["patterns"], strict=True)}
        entries[name] = Entry(name, words, patterns, "", mentions, questions, making, MappingProxyType(known))
    return MappingProxyType(entries)
