"""Intents: those that nothing finds in a text, and a policy's that take the place of shipped ones."""

from __future__ import annotations

import re
from collections.abc import Iterator

from casebook.faults import Fault
from casebook.policy import Intent
from casebook.runtime.facts.intent_table import shipped_entries
from casebook.runtime.lint.book import Book, Finding
from casebook.stores.loading import POLICY_NAME

_CHINESE = re.compile("[一-鿿]")
_ENGLISH = re.compile(r"(?<!\\)[A-Za-z]{2}")


def find(book: Book) -> Iterator[Finding]:
    """Give the intents that deserve a second look."""
    yield from _replacing(book)


def _replacing(book: Book) -> Iterator[Finding]:
    """Give the intents of the policy that bear a shipped one's name, whose words and patterns then count no more.

    One with words of both languages, as the shipped ones have, was made to take that place.
    """
    if not book.policy.intents_shipped:
        return
    for name, intent in book.policy.intents.items():
        if name in shipped_entries() and not _of_both(intent):
            message = f'this replaces the shipped intent "{name}" whole: no word or pattern of that one counts any more'
            cure = "a name of its own; intent in [a, b] in a condition takes both"
            fault = Fault(POLICY_NAME, message, field=f"intents.{name}", suggestion=cure, severity="warning")
            yield Finding("replaced", fault)


def _of_both(intent: Intent) -> bool:
    """Say whether an intent has words or patterns in Chinese and in English."""
    told = " ".join((*intent.words, *intent.patterns))
    return _CHINESE.search(told) is not None and _ENGLISH.search(told) is not None
