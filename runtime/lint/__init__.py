"""What is suspicious about a casebook, though it serves: warnings with their place and their cure. One file a lint."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from types import MappingProxyType

from casebook.faults import Fault
from casebook.runtime.lint import alike, constants, dead, holding, windows
from casebook.runtime.lint.book import Book, book_of
from casebook.stores.protocol import Snapshot

PAIRS = 4_000
"""Pairs of cases compared in earnest in one run, about two seconds."""

LINTS: MappingProxyType[str, Callable[[Book], Iterator[Fault]]] = MappingProxyType(
    {
        "holding": holding.find,
        "dead": dead.find,
        "windows": windows.find,
        "constants": constants.find,
        "alike": alike.find,
    }
)
"""The lints by name, in the order in which they run."""


def lint(snapshot: Snapshot, *, now: datetime | None = None, pairs: int = PAIRS) -> tuple[Fault, ...]:
    """Look for what is suspicious in the active cases and the drafts of a casebook.

    Args:
        snapshot: the casebook.
        now: the present instant, aware; with it, cases that have expired are told too.
        pairs: how many pairs of cases may be compared in earnest; reaching that is told.

    Returns:
        Warnings, in the order of the cases, for each case in the order of `LINTS`.
    """
    book = book_of(snapshot, now=now, pairs=pairs)
    found = [fault for each in LINTS.values() for fault in each(book)]
    order = {case_id: place for place, case_id in enumerate(snapshot.cases)}
    found.sort(key=lambda fault: order.get(fault.case or "", len(order)))
    if book.pairs_skipped:
        found.append(
            Fault(
                "",
                f"too many cases are alike: {pairs - book.pairs_left} pairs were compared, {book.pairs_skipped} were not",
                severity="warning",
            )
        )
    return tuple(found)
