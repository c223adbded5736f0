"""What is suspicious about a casebook, though it serves: warnings with their place and their cure. One file a lint."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

from casebook.faults import Fault
from casebook.runtime.lint import alike, constants, dead, grouping, holding, intents, rules, unheard, windows
from casebook.runtime.lint.book import Book, Finding, book_of
from casebook.stores.protocol import Snapshot

PAIRS = 4_000
"""Pairs of cases compared in earnest in one run, about two seconds."""

MOST = 20
"""Warnings of one kind that are told one by one."""

LINTS: MappingProxyType[str, Callable[[Book], Iterator[Finding]]] = MappingProxyType(
    {
        "holding": holding.find,
        "dead": dead.find,
        "unheard": unheard.find,
        "intents": intents.find,
        "grouping": grouping.find,
        "windows": windows.find,
        "constants": constants.find,
        "alike": alike.find,
        "rules": rules.find,
    }
)
"""The lints by name, in the order in which they run."""

KINDS = (
    "never", "dead", "superseded", "opposite", "effects", "unheard", "replaced", "quiet", "expired", "grouping", "windows",
    "constants", "always", "needless", "twice",
)  # fmt: skip
"""The kinds of warnings, the most severe first: what is silent, then what contradicts, misleads, or is too much."""


def lint(snapshot: Snapshot, *, now: datetime | None = None, pairs: int = PAIRS, most: int = MOST) -> tuple[Fault, ...]:
    """Look for what is suspicious in the active cases and the drafts of a casebook.

    Args:
        snapshot: the casebook.
        now: the present instant, aware; with it, cases that have expired are told too.
        pairs: how many pairs of cases may be compared in earnest; reaching that is told.
        most: how many warnings of one kind are told one by one; one more tells how many there are beside them.

    Returns:
        Warnings in the order of `KINDS`, those of a kind in the order of the cases, after those of the policy.
    """
    book = book_of(snapshot, now=now, pairs=pairs)
    order = {case_id: place for place, case_id in enumerate(snapshot.cases)}
    kinds: dict[str, list[Fault]] = {kind: [] for kind in KINDS}
    for each in LINTS.values():
        for finding in each(book):
            kinds[finding.kind].append(finding.fault)
    told: list[Fault] = []
    for faults in kinds.values():
        faults.sort(key=lambda fault: order.get(fault.case or "", -1))
        told += _capped(faults, most)
    if book.pairs_skipped:
        told.append(
            Fault(
                "",
                f"so many cases are alike that {book.pairs_skipped:,} pairs of them were not compared: "
                "of these, contradictions and repetitions are not told",
                severity="warning",
            )
        )
    return tuple(told)


def _capped(faults: list[Fault], most: int) -> list[Fault]:
    """Give the first warnings of a kind; the last of them says how many more there are."""
    left = len(faults) - most - 1
    if left <= 0:
        return faults
    example = faults[most]
    more = f"and {left:,} more warning{'s' if left > 1 else ''} of this kind, which are not told"
    return [*faults[:most], replace(example, message=f"{example.message}; {more}")]
