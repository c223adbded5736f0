"""Dates, instants and time zones as cases write them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from casebook.faults import nearest
from casebook.problems import shown

_SPOKEN = {"北京时间": "Asia/Shanghai", "beijing": "Asia/Shanghai", "utc+8": "Asia/Shanghai", "gmt+8": "Asia/Shanghai"}


def ago(at: datetime, length: timedelta) -> datetime:
    """Give the instant so long before another, aware, UTC; the first that there is, where it would be before that."""
    first = datetime.min.replace(tzinfo=UTC)
    return at - length if at - first >= length else first


@lru_cache(maxsize=4096)
def instant(text: str, zone: str) -> datetime:
    """Read an ISO 8601 date or date-time as an instant.

    Args:
        text: such as `2026-03-20` (midnight), `2026-03-20T09:00` (a wall clock), `2026-03-20T09:00:00Z`.
        zone: the IANA zone that a text without an offset is in.

    Returns:
        The instant, aware, UTC.

    Raises:
        ValueError: it is no such text, or the instant is outside the years 1 to 9999.
    """
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f'expected an ISO date or date-time such as "2026-03-20", got {shown(text)}') from None
    try:
        return (read.replace(tzinfo=ZoneInfo(zone)) if read.tzinfo is None else read).astimezone(UTC)
    except OverflowError:
        raise ValueError(f"expected an instant within the years 1 to 9999, got {shown(text)}") from None


def wall_or_instant(text: str) -> datetime:
    """Read an ISO date or date-time as it stands: naive (a wall clock) where it has no offset. Raises ValueError."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f'expected an ISO date-time such as "2026-03-20T09:00:00+08:00", got {shown(text)}') from None


def before(at: datetime, length: timedelta) -> datetime:
    """Give the instant so long before another; the first of all where there is none."""
    try:
        return at - length
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC)


def is_zone(name: str) -> bool:
    """Say whether `name` is a time zone of the IANA database (or `UTC`)."""
    return 0 < len(name) <= _LONGEST and _is_zone(name)


_LONGEST = 64
"""More characters than any zone's name has (34); longer ones are neither looked up nor kept."""


@lru_cache(maxsize=1024)
def _is_zone(name: str) -> bool:
    if name in ("localtime", "posixrules", "Factory") or name.startswith(("posix/", "right/")):
        return False
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # not found is a KeyError; `../x` a ValueError; a folder's name an OSError
        return False
    return True


def nearest_zone(name: str) -> str | None:
    """Give the IANA zone that `name` most likely meant (`Shanghai`, `Asia/Shangai`), or None."""
    spoken = _SPOKEN.get(name.casefold())
    if spoken:
        return spoken
    zones = available_timezones()
    found = nearest(name, zones)
    if found and found.casefold() == name.casefold():
        return found
    cities = {zone.rpartition("/")[2]: zone for zone in sorted(zones, reverse=True) if "/" in zone}
    city = nearest(name.rpartition("/")[2].replace(" ", "_"), cities)
    return cities[city] if city and ("/" not in name or not found) else found
