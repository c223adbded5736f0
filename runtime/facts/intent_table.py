"""The shipped table of intents, and how an intent is compiled."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import re2

from casebook.faults import PolicyError

_DATA = Path(__file__).parent / "data" / "intents.json"
_MEMORY = 8 << 20
_SET_MEMORY = 64 << 20
_MACRO = re.compile(r"\{(\w*[^\W\d]\w*)\}")


@dataclass(frozen=True, slots=True)
class Entry:
    """One intent, compiled.

    Attributes:
        name: as conditions write it.
        words: its words, folded (NFKC, lower case), as UTF-8.
        patterns: its patterns; where one has a group `v`, that is the word that may be negated.
        sources: their texts.
        exclude: what in the same sentence speaks against it, or None.
        mentions: phrases in which its words are only a part of a name, or None.
        questions: sentences that only ask or explain, or None where those count too (a policy's own intents).
    """

    name: str
    words: tuple[bytes, ...]
    patterns: tuple[Any, ...]
    sources: tuple[str, ...]
    exclude: Any = None
    mentions: Any = None
    questions: Any = None


def _options(memory: int) -> Any:
    options = re2.Options()
    options.max_mem = memory
    options.case_sensitive = False
    options.log_errors = False
    return options


def _pattern(name: str, source: str) -> Any:
    """Compile one pattern; PolicyError where RE2 does not take it."""
    try:
        return re2.compile(source, _options(_MEMORY))
    except re2.error as error:
        text = error.args[0] if error.args else error
        reason = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
        raise PolicyError(f"intents.{name}: expected a pattern that RE2 takes, got {source!r}: {reason}") from None


def _either(name: str, sources: Iterable[str]) -> Any:
    """Compile patterns into one that finds any of them; None for none."""
    joined = "|".join(f"(?:{source})" for source in sources)
    return _pattern(name, joined) if joined else None


def folded(text: str) -> str:
    """Give text as intents compare it: NFKC, folded case, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def compiled(
    name: str, words: Iterable[str], patterns: Iterable[str], exclude: Iterable[str], *, mentions: Iterable[str] = (),
    questions: Any = None,
) -> Entry:  # fmt: skip
    """Compile one intent.

    Args:
        name: its name.
        words: each a mention that counts; an English word stands by itself, in any case.
        patterns: RE2, matched in any case on folded text.
        exclude: words that speak against it, or patterns written `/…/`; the sentence counts.
        mentions: patterns of phrases in which a word is only part of a name.
        questions: a compiled pattern of sentences that do not count.

    Raises:
        PolicyError: a pattern is none that RE2 takes.
    """
    sources = tuple(patterns)
    against = [each[1:-1] if _is_pattern(each) else _word_pattern(each) for each in exclude]
    kept = tuple(dict.fromkeys(word.encode() for each in words if (word := folded(each))))
    return Entry(
        name, kept, tuple(_pattern(name, source) for source in sources), sources,
        _either(name, against), _either(name, mentions), questions,
    )  # fmt: skip


def _is_pattern(text: str) -> bool:
    return len(text) > 2 and text.startswith("/") and text.endswith("/")


def _word_pattern(word: str) -> str:
    """Give the pattern of a word: standing by itself where its ends are ASCII letters or digits."""
    bare = folded(word)
    left = r"\b" if bare[:1].isascii() and bare[:1].isalnum() else ""
    right = r"\b" if bare[-1:].isascii() and bare[-1:].isalnum() else ""
    return left + re2.escape(bare) + right


def patterns_of(entries: Iterable[Entry]) -> Any:
    """Compile all patterns of all entries into one set that says which of them hold."""
    together = re2.Set.SearchSet(_options(_SET_MEMORY))
    for entry in entries:
        for source in entry.sources:
            together.Add(source)
    together.Compile()
    return together


@lru_cache(maxsize=1)
def shipped_entries() -> Mapping[str, Entry]:
    """Give the shipped intents, compiled, by name, in their order."""
    read = json.loads(_DATA.read_text(encoding="utf-8"))
    macros: dict[str, str] = read["macros"]

    def full(sources: Iterable[str]) -> list[str]:
        return [_MACRO.sub(lambda found: macros[found.group(1)], source) for source in sources]

    questions = _either("questions", full(read["questions"]))
    return MappingProxyType(
        {
            name: compiled(
                name, each.get("words", ()), full(each.get("patterns", ())), each.get("exclude", ()),
                mentions=full(each.get("mentions", ())), questions=questions,
            )
            for name, each in read["intents"].items()
        }
    )  # fmt: skip
