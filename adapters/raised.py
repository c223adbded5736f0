"""Exceptions known again: as they came, within a group, or under one that was raised over them."""

from __future__ import annotations

from collections.abc import Collection


def is_of(raised: BaseException, told: Collection[BaseException]) -> bool:
    """Say whether an exception is one of some, or was raised over one, or holds one; chains may be rings."""
    waiting, seen = [raised], set[int]()
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if any(each is one for one in told):
            return True
        waiting += [below for below in (each.__cause__, each.__context__) if below is not None]
        if isinstance(each, BaseExceptionGroup):
            waiting += each.exceptions
    return False
