"""`earlier tool where A and B`: the where takes A alone, and who reads it takes both."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from casebook.conditions.lexing import Lexeme
from casebook.conditions.parse import lexemes
from casebook.runtime.lint.book import Book, Finding
from casebook.runtime.lint.dead import TOOL_FIELDS

_OF_EVENTS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "tool": frozenset(TOOL_FIELDS),
        "error": frozenset((*TOOL_FIELDS, "error")),
        "task": frozenset({"text", "intent"}),
        "feedback": frozenset({"text"}),
    }
)
"""By kind of event, the fields that it has as well as a task."""

_ENDS = frozenset({"_AND", "_OR", "_RPAR", "_WITHIN", "DUR", "$END"})
"""The lexemes that may follow the one test of a `where`."""


_MAY_GO_ON = re.compile("(?:where|满足).*(?:and|or|且|或|&&|[|][|]|＆＆|｜｜)", re.IGNORECASE | re.DOTALL)
"""Most conditions need no closer look."""


def find(book: Book) -> Iterator[Finding]:
    """Give the conditions that go on after a `where` with a test of what events have too."""
    for subject in book.subjects:
        for place, text in enumerate(subject.loaded.case.trigger_conditions):
            if not isinstance(text, str) or _MAY_GO_ON.search(text) is None:
                continue
            read = lexemes(text, declared=book.policy.fields)
            for where, first, end in _going_on(read):
                after = text[read[first].at : read[end].at].strip()
                both = text[read[where + 1].at : read[end].at].strip()
                yield subject.find(
                    "grouping",
                    f"`where` takes one test, so {after} is asked of the task, not of the event",
                    place=place,
                    cure=f"{text[read[where].at : read[where + 1].at].strip()} ({both}) where the event is meant, "
                    "else the test of the task first",
                )


def _going_on(read: Sequence[Lexeme]) -> Iterator[tuple[int, int, int]]:
    """Give the places of each such `where`, of the first lexeme of the test after its own, and of what follows that."""
    kind = ""
    for where, lexeme in enumerate(read):
        if lexeme.type == "KIND":
            kind = (
                lexeme.value if read[where - 1].type in ("EARLIER", "NO_EARLIER") else ""
            )  # a count's where ends before >=
        if lexeme.type != "WHERE" or read[_past_not(read, where + 1)].type != "FIELD":
            continue
        own = read[_past_not(read, where + 1)].value.field
        end = _end(read, where + 1)
        if read[end].type not in ("_AND", "_OR"):
            continue
        following = read[_past_not(read, end + 1)]
        if following.type != "FIELD" or following.value.field == own:
            continue
        if following.value.field.root in _OF_EVENTS.get(kind, ()):
            yield where, end + 1, _end(read, end + 1)


def _past_not(read: Sequence[Lexeme], place: int) -> int:
    while read[place].type == "_NOT":
        place += 1
    return place


def _end(read: Sequence[Lexeme], place: int) -> int:
    while read[place].type not in _ENDS:
        place += 1
    return place
