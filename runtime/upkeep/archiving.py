"""The job `archive`: what was retired is packed by the month, and what lay in the archive for a year is gone, with a receipt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from casebook.duration import duration
from casebook.instants import before
from casebook.policy import JobName
from casebook.runtime.journal.records import Entry
from casebook.runtime.upkeep.protocol import Desk, Move


@dataclass(frozen=True, slots=True)
class Archive:
    """The job."""

    name: JobName = "archive"

    def plan(self, desk: Desk) -> Iterable[Move]:  # noqa: ARG002 - it moves no memory between tiers
        """Give no moves."""
        return ()

    def finish(self, desk: Desk, *, dry: bool) -> Mapping[str, int]:
        """Purge what is older than `tiers.purge`, then pack what was retired before this month.

        Returns:
            `packed`: packs that were made (none in a dry run) · `purged`: memories and cases that are gone.

        Raises:
            StoreError: the archive or the journal cannot be written; the next run completes it.
        """
        gone = purge_before(desk, purge_limit(desk), dry=dry)
        packs = () if dry else desk.store.pack(month_begin(desk.now, desk.policy.timezone), desk.now)
        return {"purged": gone, "packed": len(packs)}


def purge_limit(desk: Desk) -> datetime:
    """Give the instant of which, and after which, the archive keeps what came into it: exactly a year old is kept (365 days)."""
    return before(desk.now, duration(desk.policy.tiers.purge))


def month_begin(now: datetime, zone: str) -> datetime:
    """Give the first instant of the month in a zone, aware, UTC."""
    try:
        local = now.astimezone(ZoneInfo(zone))
        return local.replace(day=1, hour=0, minute=0, second=0, microsecond=0).astimezone(UTC)
    except OverflowError:  # in the first hours of the calendar: nothing is older
        return now


def purge_before(desk: Desk, limit: datetime, *, dry: bool = False) -> int:
    """Take what came into the archive before an instant out of it, and what the journal knows of these memories; leave a receipt.

    The receipt, an entry `purge`, is written first: killed in the midst of it, there may be a receipt of what the next run purges,
    and never something purged without one. It holds a number and instants.

    Args:
        desk: the casebook.
        limit: the instant; what came at it or later stays.
        dry: whether it is only counted.

    Returns:
        How many memories and cases.

    Raises:
        StoreError: the archive or the journal cannot be read or written.
    """
    gone = desk.store.purge(limit, dry=True)
    if dry or not gone:
        return len(gone)
    forgotten = _memories_gone(desk, limit)
    body = {"before": limit.isoformat(), "purged": len(gone), "memories": len(forgotten)}
    receipt = f"purge:{limit.isoformat()}:{desk.now.isoformat()}"
    desk.journal.append((Entry(receipt, desk.now, "upkeep", "purge", body=body),))
    if forgotten:
        desk.journal.drop_entries(forgotten)
        desk.journal.drop_tellings(forgotten)
    desk.store.purge(limit)
    return len(gone)


def _memories_gone(desk: Desk, limit: datetime) -> frozenset[str]:
    """Give the ids of the memories that nothing of is left once the purge is over: neither in a tier, nor later in the archive.

    Of cases the journal keeps what happened: their counts and rejections outlive their text.
    """
    going: set[str] = set()
    staying = set(desk.store.snapshot().memories)
    for each in desk.store.archived():
        (going if each.archived_at < limit else staying).add(each.memory.id)
    for placed in desk.store.snapshot().memories.values():
        staying.update(placed.memory.merged)  # their tellings count for what they went into
    return frozenset(going - staying)
