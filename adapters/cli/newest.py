"""The newest of a long record that a command tells: how many, and how they are found among what is not told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from casebook.adapters.cli.arguments import UsageError

T = TypeVar("T")
_MORE = 4
"""So many times more are read where too few of those that were read are told."""


def limit_of(given: int | None, most: int, command: str) -> int:
    """Give how many are told: what `--limit` says, else `most`. Raises UsageError, for `command`, where it is none."""
    limit = most if given is None else given
    if limit < 1:
        raise UsageError(f"{command}: --limit: expected 1 or more, got {limit}")
    return limit


def newest(read: Callable[[int], Sequence[T]], is_told: Callable[[T], bool], limit: int) -> Sequence[T]:
    """Give the newest that are told, so many at the most, in the order of the record.

    Args:
        read: gives the newest so many of the record, or all where there are fewer.
        is_told: says of one whether it is told.
        limit: how many.
    """
    asked = limit
    while True:
        found = read(asked)
        told = [each for each in found if is_told(each)]
        if len(told) >= limit or len(found) < asked:
            return told[-limit:]
        asked *= _MORE
