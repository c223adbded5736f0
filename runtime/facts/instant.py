"""The instant of a task or an event: a wall clock that names no zone is meant in the casebook's."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def instant_of(at: datetime | None, zone: str) -> datetime | None:
    """Give an aware UTC instant; None for None.

    Args:
        at: aware, or a wall clock in `zone`.
        zone: an IANA name, the policy's.
    """
    if at is None or at.tzinfo is UTC:
        return at
    try:
        return (at if at.tzinfo is not None else at.replace(tzinfo=_zone(zone))).astimezone(UTC)
    except OverflowError:  # the first or the last day that a datetime can say
        return at.replace(tzinfo=UTC)
