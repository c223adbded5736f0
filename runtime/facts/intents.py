"""The intent of a task, told from the user's own words: a closed table, no model, and no guess where nothing matches."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ahocorasick_rs import BytesAhoCorasick

from casebook.policy import Policy
from casebook.runtime.facts.intent_table import Entry, compiled, patterns_of, shipped_entries
from casebook.runtime.facts.negation import negated
from casebook.runtime.facts.own_words import own_words

MAX_HITS = 2_000
"""Places looked at in one text; what comes after them is not seen."""
_SENTENCE_ENDS = (b"\n", b"? ", b"! ", b". ", b"; ", "。".encode(), b"?", b"!", b";")
_TABLES: dict[int, tuple[Policy, IntentTable]] = {}


@dataclass(frozen=True, slots=True)
class IntentTable:
    """A table of intents, compiled once.

    Attributes:
        entries: the intents, in the table's order.
        words: finds all words of all entries at once; None where there are none.
        owners: for each word, the entry it speaks for.
        patterns: finds which patterns of all entries hold at all (a `re2.Set`).
        holders: for each pattern, its entry and its place there.
    """

    entries: tuple[Entry, ...]
    words: BytesAhoCorasick | None
    owners: tuple[int, ...]
    patterns: object
    holders: tuple[tuple[int, int], ...]


def make_table(entries: tuple[Entry, ...]) -> IntentTable:
    """Compile entries into one table."""
    words = [(word, place) for place, entry in enumerate(entries) for word in entry.words]
    holders = [(place, at) for place, entry in enumerate(entries) for at in range(len(entry.patterns))]
    finder = BytesAhoCorasick([word for word, _ in words]) if words else None
    return IntentTable(entries, finder, tuple(place for _, place in words), patterns_of(entries), tuple(holders))


def table_of(policy: Policy) -> IntentTable:
    """Give the compiled table of a policy: the shipped intents, those of `policy.intents` over them by name.

    Raises:
        PolicyError: a pattern of the policy is none that RE2 takes; `intents.<name>` is named.
    """
    kept = _TABLES.get(id(policy))
    if kept is not None and kept[0] is policy:
        return kept[1]
    named: dict[str, Entry] = dict(shipped_entries()) if policy.intents_shipped else {}
    for name, intent in policy.intents.items():
        named[name] = compiled(name, intent.words, intent.patterns, intent.exclude)
    table = make_table(tuple(named.values()))
    if len(_TABLES) >= 32:
        _TABLES.clear()
    _TABLES[id(policy)] = (policy, table)
    return table


def intents_of(text: str, table: IntentTable) -> tuple[str, ...]:
    """Give the intents that a text states, in the table's order.

    Args:
        text: what the user wrote. Code, quotations and Markdown quotes in it do not count.
        table: from `table_of`.

    Returns:
        The names; empty where nothing matches, everything is negated, only mentioned, or asked about. Linear in the
        text's length; never raises.
    """
    folded = text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
    raw = folded.encode("utf-8", "replace")
    if not _any(raw, table):
        return ()
    reading = own_words(folded)
    if reading is not folded:
        raw = reading.encode("utf-8", "replace")
    return _stated(raw, table)


def _any(raw: bytes, table: IntentTable) -> bool:
    """Tell whether anything at all may match; Chinese written with spaces between may, so it is read in full."""
    if table.words is not None and table.words.find_matches_as_indexes(raw):
        return True
    return bool(table.patterns.Match(raw)) or not raw.isascii() and b" " in raw  # type: ignore[attr-defined]


def _stated(raw: bytes, table: IntentTable) -> tuple[str, ...]:
    """Give the intents that stand when each place has been looked at."""
    found: set[int] = set()
    questions: dict[tuple[int, int], bool] = {}
    left = MAX_HITS
    for place, start, end in _places(raw, table):
        if place in found:
            continue
        left -= 1
        if left < 0:
            break
        entry = table.entries[place]
        first, last = _sentence(raw, start, end)
        if _mentioned(entry, raw, start, end, first, last):
            continue
        if _excluded(entry, raw[first:last], (first, last), questions):
            continue
        if not negated(raw, first, start, end):
            found.add(place)
    return tuple(table.entries[place].name for place in sorted(found))


def _places(raw: bytes, table: IntentTable) -> Iterator[tuple[int, int, int]]:
    """Give entry, start and end of every word and every pattern found."""
    if table.words is not None:
        for word, start, end in table.words.find_matches_as_indexes(raw, overlapping=True):
            if _whole(raw, start, end):
                yield table.owners[word], start, end
    for at in table.patterns.Match(raw) or ():  # type: ignore[attr-defined]
        place, which = table.holders[at]
        pattern = table.entries[place].patterns[which]
        group = pattern.groupindex.get("v", 0)
        for match in pattern.finditer(raw):
            start, end = match.span(group)
            if start >= 0 and (group == 0 or _whole(raw, start, end)):
                yield place, start, end


def _whole(raw: bytes, start: int, end: int) -> bool:
    """Tell whether an ASCII word stands by itself: not within a name, a path, an address or a flag."""
    if start > 0 and raw[start : start + 1].isalnum() and raw[start] < 128:
        before = raw[start - 1 : start]
        if before.isalnum() or before in b"_-./@#$`\\":
            return False
    if end < len(raw) and raw[end - 1 : end].isalnum() and raw[end - 1] < 128:
        after = raw[end : end + 1]
        if after.isalnum() or after in b"_@\\(":
            return False
        if after in b"-./=:" and raw[end + 1 : end + 2].isalnum():
            return False
    return True


def _sentence(raw: bytes, start: int, end: int) -> tuple[int, int]:
    """Give where the sentence around a place begins and ends, its mark included."""
    first = 0
    low = max(0, start - 400)
    for mark in _SENTENCE_ENDS:
        at = raw.rfind(mark, low, start)
        if at >= 0:
            first = max(first, at + len(mark))
    if not first:
        first = low
    last = min(len(raw), end + 400)
    for mark in _SENTENCE_ENDS:
        at = raw.find(mark, end, last)
        if at >= 0:
            last = min(last, at + len(mark))
    return first, last


def _mentioned(entry: Entry, raw: bytes, start: int, end: int, first: int, last: int) -> bool:
    """Tell whether the place lies within a phrase in which the word is only a part of a name."""
    if entry.mentions is None:
        return False
    for match in entry.mentions.finditer(raw[first:last]):
        if match.start() + first < end and match.end() + first > start:
            return True
    return False


def _excluded(entry: Entry, sentence: bytes, at: tuple[int, int], questions: dict[tuple[int, int], bool]) -> bool:
    """Tell whether the sentence speaks against the intent: its exclusions, or a question about it."""
    if entry.exclude is not None and entry.exclude.search(sentence) is not None:
        return True
    if entry.questions is None:
        return False
    asked = questions.get(at)
    if asked is None:
        asked = questions[at] = entry.questions.search(sentence) is not None
    return asked


def shipped_names() -> Mapping[str, Entry]:
    """Give the shipped intents by name."""
    return shipped_entries()
