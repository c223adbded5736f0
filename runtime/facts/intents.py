"""The intent of a task, told from the user's own words: a closed table, no model, and no guess where nothing matches."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from ahocorasick_rs import BytesAhoCorasick

from casebook.policy import Policy
from casebook.runtime.facts.anchors import Anchor
from casebook.runtime.facts.intent_table import Entry, own_entry, pattern, refusal, set_of, shipped_entries, with_word
from casebook.runtime.facts.negation import negated
from casebook.runtime.facts.own_words import own_words

MAX_HITS = 500
"""Places looked at in one text, 10 ms of work; what comes after them is not seen."""
MAX_FOLDED = 1_048_576
"""Characters of a text after folding; what comes after them is not seen."""
_FOLDED_AT_ONCE = 16_384
_SENTENCE_END = re.compile(rb"[\n?!;]+|\.(?=\s)|\xe3\x80\x82")
_INNER_NO = re.compile(rb"\b(?:not?|never)\b")
_SENTENCE = 400
_PIECE = 4_096
_MAX_WORDS = 50_000
_PHRASE = 64
_TABLES: dict[int, tuple[Policy, IntentTable]] = {}


@dataclass(frozen=True, slots=True)
class IntentTable:
    """A table of intents, compiled once; its anchored patterns when a text first holds their words.

    Attributes:
        entries: the intents, in the table's order.
        finder: finds all words and anchors of all entries at once; None where there are none.
        longest: how many bytes the longest of them has.
        owners: for each word, the entry it speaks for; the anchors come after the words.
        anchored: for each anchor, what it is and the places in `holders` of its patterns.
        holders: for each pattern, its entry and its place there; those of `unanchored` first.
        unanchored: finds which patterns without an anchor hold at all (a `re2.Set`); None where there are none.
    """

    entries: tuple[Entry, ...]
    finder: BytesAhoCorasick | None
    longest: int
    owners: tuple[int, ...]
    anchored: tuple[tuple[Anchor, tuple[int, ...]], ...]
    holders: tuple[tuple[int, int], ...]
    unanchored: Any


def make_table(entries: tuple[Entry, ...]) -> IntentTable:
    """Compile entries into one table."""
    words = [(word, place) for place, entry in enumerate(entries) for word in entry.words]
    free: list[tuple[int, int]] = []
    tied: list[tuple[int, int]] = []
    for place, entry in enumerate(entries):
        for at, source in enumerate(entry.patterns):
            (tied if entry.anchors.get(source) else free).append((place, at))
    anchored: dict[Anchor, list[int]] = {}
    for number, (place, at) in enumerate(tied, len(free)):
        entry = entries[place]
        for anchor in entry.anchors[entry.patterns[at]]:
            anchored.setdefault(anchor, []).append(number)
    needles = [word for word, _ in words] + [anchor.text for anchor in anchored]
    return IntentTable(
        entries,
        BytesAhoCorasick(needles) if needles else None,
        max(map(len, needles), default=0),
        tuple(place for _, place in words),
        tuple((anchor, tuple(numbers)) for anchor, numbers in anchored.items()),
        (*free, *tied),
        set_of(entries[place].patterns[at] for place, at in free) if free else None,
    )


def table_of(policy: Policy) -> IntentTable:
    """Give the compiled table of a policy: the shipped intents, those of `policy.intents` over them by name.

    A pattern that RE2 refuses is left out; `refused` tells it.
    """
    kept = _TABLES.get(id(policy))
    if kept is not None and kept[0] is policy:
        return kept[1]
    named: dict[str, Entry] = dict(shipped_entries()) if policy.intents_shipped else {}
    for name, intent in policy.intents.items():
        named[name] = own_entry(name, intent.words, intent.patterns, intent.exclude)
    table = make_table(tuple(named.values()))
    if len(_TABLES) >= 8:
        _TABLES.clear()
    _TABLES[id(policy)] = (policy, table)
    return table


def refused(policy: Policy) -> tuple[tuple[str, str, str], ...]:
    """Give what of a policy's intents cannot serve, for `check`: the field, the pattern, and why."""
    faults: list[tuple[str, str, str]] = []
    for name, intent in policy.intents.items():
        told = [(f"intents.{name}.patterns[{at}]", each) for at, each in enumerate(intent.patterns)]
        told += [
            (f"intents.{name}.exclude[{at}]", each[1:-1])
            for at, each in enumerate(intent.exclude)
            if len(each) > 2 and each.startswith("/") and each.endswith("/")
        ]
        faults += [(field, each, why) for field, each in told if (why := refusal(each)) is not None]
    return tuple(faults)


def intents_of(text: str, table: IntentTable) -> tuple[str, ...]:
    """Give the intents that a text states, in the table's order.

    Args:
        text: what the user wrote. Code, quotations and Markdown quotes in it do not count.
        table: from `table_of`.

    Returns:
        The names; empty where nothing matches, everything is negated, only mentioned, or asked about. Linear in the
        text's length; never raises.
    """
    raw = own_words(_folded(text)).encode("utf-8", "replace")
    words, holding = _standing(raw, table)
    if not words and not holding:
        return ()
    reading = _Reading(raw, [each.end() for each in _SENTENCE_END.finditer(raw)])
    for word, start, end in words:
        if reading.left > 0:
            reading.take(table.entries[table.owners[word]], start, end, (start, end))
    for at in sorted(holding):
        place, which = table.holders[at]
        entry = table.entries[place]
        if entry.name in reading.found or reading.left <= 0:
            continue
        compiled, group = with_word(entry.patterns[which])
        for match in compiled.finditer(raw):
            start, end = match.span(group)
            if start >= 0:
                reading.take(entry, start, end, match.span())
            if entry.name in reading.found or reading.left <= 0:
                break
    found = reading.found
    return tuple(entry.name for entry in table.entries if entry.name in found) if found else ()


def _folded(text: str) -> str:
    """Give text in NFKC and folded case; of one that grows by it without measure (one sign may become 18) the beginning."""
    if text.isascii():
        return text.lower()
    if len(text) <= _FOLDED_AT_ONCE:
        return unicodedata.normalize("NFKC", text).casefold()
    pieces: list[str] = []
    room = MAX_FOLDED
    for begun in range(0, len(text), _FOLDED_AT_ONCE):
        piece = unicodedata.normalize("NFKC", text[begun : begun + _FOLDED_AT_ONCE]).casefold()
        pieces.append(piece)
        room -= len(piece)
        if room <= 0:
            break
    return "".join(pieces)


def _standing(raw: bytes, table: IntentTable) -> tuple[list[tuple[int, int, int]], set[int]]:
    """Give the words that stand in a text, and the patterns that may hold in it.

    Pieces of a text are looked through one by one, so that a table whose words lie within one another does not list
    more places at once than there is room for.
    """
    words: list[tuple[int, int, int]] = []
    holding: set[int] = set(table.unanchored.Match(raw) or ()) if table.unanchored is not None else set()
    if table.finder is None:
        return words, holding
    many = len(table.owners)
    for begun in range(0, len(raw) or 1, _PIECE):
        shift = max(begun - table.longest, 0)
        piece = raw[shift : begun + _PIECE] if len(raw) > _PIECE else raw
        for needle, first, last in table.finder.find_matches_as_indexes(piece, overlapping=True):
            start, end = first + shift, last + shift
            if begun and end <= begun:  # the piece before had it
                continue
            if needle < many:
                words.append((needle, start, end))
            else:
                anchor, numbers = table.anchored[needle - many]
                if not holding.issuperset(numbers) and anchor.stands(raw, start, end):
                    holding.update(numbers)
        if len(words) > _MAX_WORDS:
            break
    return words, holding


class _Reading:
    """One reading of a text: what stands so far, and what is known of its sentences."""

    __slots__ = ("asked", "ends", "found", "left", "raw")

    def __init__(self, raw: bytes, ends: list[int]) -> None:
        self.raw = raw
        self.ends = ends
        self.found: set[str] = set()
        self.left = MAX_HITS
        self.asked: dict[tuple[int, int], bool] = {}

    def take(self, entry: Entry, start: int, end: int, phrase: tuple[int, int]) -> None:
        """Look at one place where an intent's word stands, in a phrase that speaks for it; keep the intent if it is meant."""
        raw = self.raw
        if entry.name in self.found or not _whole(raw, start, end):
            return
        self.left -= 1
        at = bisect_right(self.ends, start)
        first = max(self.ends[at - 1] if at else 0, start - _SENTENCE)
        last = min(self.ends[at] if at < len(self.ends) else len(raw), end + _SENTENCE)
        if _mentioned(entry, raw, phrase, first, last) or self.excluded(entry, first, last):
            return
        if entry.making and _only_names(entry, raw, (start, end), first, last):
            return
        if phrase[1] > end and _INNER_NO.search(raw, end, phrase[1]) is not None:  # "send no email", "do not deploy"
            return
        if not negated(raw, first, start, end):
            self.found.add(entry.name)

    def excluded(self, entry: Entry, first: int, last: int) -> bool:
        """Tell whether the sentence speaks against the intent: its exclusions, or a question about it."""
        if entry.exclude and pattern(entry.exclude).search(self.raw[first:last]) is not None:
            return True
        if not entry.questions:
            return False
        known = self.asked.get((first, last))
        if known is None:
            known = self.asked[first, last] = pattern(entry.questions).search(self.raw[first:last]) is not None
        return known


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


def _mentioned(entry: Entry, raw: bytes, phrase: tuple[int, int], first: int, last: int) -> bool:
    """Tell whether a phrase overlaps one in which its words are only a part of a name."""
    if not entry.mentions:
        return False
    start, end = phrase
    low = max(first, start - _PHRASE)
    for match in pattern(entry.mentions).finditer(raw[low : min(last, end + _PHRASE)]):
        if match.start() + low < end and match.end() + low > start:
            return True
    return False


def _only_names(entry: Entry, raw: bytes, word: tuple[int, int], first: int, last: int) -> bool:
    """Tell whether a word only names what is to be built or remembered: 删除 in 写一个删除用户的函数, 部署 in 提醒我部署."""
    start, end = word
    low = max(first, start - _PHRASE)
    compiled = pattern(entry.making)
    groups = tuple(compiled.groupindex.values())
    for match in compiled.finditer(raw[low : min(last, end + _PHRASE)]):
        if any(
            match.start(group) >= 0 and match.start(group) + low <= start and end <= match.end(group) + low
            for group in groups
        ):
            return True
    return False
