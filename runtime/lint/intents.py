"""Intents: those that nothing finds in a text, and a policy's that take the place of shipped ones."""

from __future__ import annotations

import re
from collections.abc import Iterator

from casebook.case import Case
from casebook.conditions.fold import nfc
from casebook.conditions.render import render
from casebook.conditions.tree import Field, Test, walk
from casebook.faults import Fault, nearest
from casebook.policy import Intent
from casebook.runtime.facts.intent_table import folded, shipped_entries
from casebook.runtime.facts.intents import IntentTable, intents_of, table_of
from casebook.runtime.lint.book import Book, Finding
from casebook.runtime.lint.unheard import EQUALITY
from casebook.stores.policy_reading import POLICY_NAME

_CHINESE = re.compile("[一-鿿]")
_ENGLISH = re.compile(r"(?<!\\)[A-Za-z]{2}")
_LONGEST = 64
"""Characters of a name that are looked at and told."""


def find(book: Book) -> Iterator[Finding]:
    """Give the intents that deserve a second look."""
    yield from _replacing(book)
    yield from _unfound(book)


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


def _unfound(book: Book) -> Iterator[Finding]:
    """Give the tests on an intent that no table has; what an example of the case states, its host names."""
    known: set[str] | None = None
    for subject in book.subjects:
        stated: set[str] | None = None
        for place, condition in enumerate(subject.loaded.conditions):
            for test in walk(condition):
                if not isinstance(test, Test) or test.field.path != ("intent",) or test.op not in EQUALITY:
                    continue
                if known is None:
                    known = {*book.policy.intents, *(shipped_entries() if book.policy.intents_shipped else ())}
                stated = _stated(subject.loaded.case) if stated is None else stated
                named = test.value if isinstance(test.value, tuple) else (test.value,)
                for name in named:
                    if isinstance(name, str) and name not in known and nfc(name) not in stated:
                        message = f'no table finds an intent named "{name[:_LONGEST]}": unless the host names it, no task has it'
                        yield subject.find("unheard", message, place=place, cure=_meant(name, table_of(book.policy)))


def _stated(case: Case) -> set[str]:
    """Give the intents that the tasks and events of a case's examples name."""
    tasks = (*case.examples.fires, *case.examples.silent) if case.examples is not None else ()
    named: set[str] = set()
    for task in tasks:
        history = task.get("history", ())
        for each in (task, *(history if isinstance(history, (list, tuple)) else ())):
            intent = each.get("intent") if isinstance(each, dict) else None
            named.update(
                nfc(one) for one in (intent if isinstance(intent, (list, tuple)) else (intent,)) if isinstance(one, str)
            )
    return named


def _meant(name: str, table: IntentTable) -> str | None:
    """Give the test on the intents that were most likely meant: those that the name is a word or a part of, or the nearest."""
    told = name[:_LONGEST]
    word = folded(told).encode("utf-8", "replace")
    names = [entry.name for entry in table.entries]
    meant = (
        [entry.name for entry in table.entries if word in entry.words]
        or list(intents_of(told, table))
        or [each for each in names if folded(told) in each.casefold().split("_")]
    )
    if not meant and (close := nearest(told, names)) is not None:
        meant = [close]
    if not meant:
        return None
    return render(
        Test(Field(("intent",)), "is", meant[0]) if len(meant) == 1 else Test(Field(("intent",)), "in", tuple(meant))
    )


def _of_both(intent: Intent) -> bool:
    """Say whether an intent has words or patterns in Chinese and in English."""
    told = " ".join((*intent.words, *intent.patterns))
    return _CHINESE.search(told) is not None and _ENGLISH.search(told) is not None
