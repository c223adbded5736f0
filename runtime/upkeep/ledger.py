"""The ledger of upkeep: which runs were claimed and which are finished, kept in the journal's audit log.

| entry | says | id |
|---|---|---|
| `schedule` | from when on a job has a cron and a zone, as first seen | `schedule:{job}:{hash}` |
| `run` | one process of all hosts has taken a local date-time on itself | `run:{job}:{local ISO}` |
| `again` | one process completes a run whose own process is gone, for the nth time | `again:{job}:{local ISO}:{n}` |
| `ran` | the run is over, with its figures | `ran:{job}:{local ISO}` |

An id is written once whoever writes it, so that each of these is true of one process alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from casebook.policy import JobName
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import Entry

ACTOR = "upkeep"
WINDOW = 200
"""Entries of a job's runs that are looked at, the newest (ours: a job every minute has an hour of them)."""
MARKS = 10
"""Marks of a job's runs that stay, the newest, whatever their age (ours)."""
LOOKED_AT = 2_000
"""Lines of ticks that stay, the newest: as many as are looked at for what is still to be delivered (`tick.py`)."""
TICKS = ("tick", "deliver", "delivered", "undelivered")
_RUNS = ("run", "again", "ran")
AHEAD = timedelta(days=1)
"""A run further in the future than this was claimed by a clock that was wrong, and holds nothing back but itself (ours)."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A run that was claimed.

    Attributes:
        slot: the local date-time, naive.
        due: the instant of it, aware, UTC.
        last: when somebody last began it, aware, UTC.
        tries: how often it was begun.
        is_finished: whether it is over.
    """

    slot: datetime
    due: datetime
    last: datetime
    tries: int = 1
    is_finished: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """What a job's schedule was from some instant on.

    Attributes:
        since: when it was first seen, aware, UTC.
        cron: its text, or "off".
        zone: its IANA zone.
        entry: the id of its entry.
    """

    since: datetime
    cron: str
    zone: str
    entry: str


class Ledger:
    """The runs of one casebook's jobs. Safe from many processes; every method raises StoreError as the journal does."""

    def __init__(self, journal: Journal) -> None:
        """Take the journal that keeps it."""
        self._journal = journal

    def seen(self, job: JobName, cron: str, zone: str, now: datetime) -> tuple[Seen, ...]:
        """Give a job's schedules in order of arrival, with this one as the last: it is written down where it is new."""
        known = self._seen(job)
        is_old = bool(known) and (known[-1].cron, known[-1].zone) == (cron, zone)
        if is_old and known[-1].since <= now + AHEAD:  # else a clock that was wrong has dated it
            return known
        before = known[-1].entry if known else ""
        mark = hashlib.sha256(f"{before}\n{cron}\n{zone}".encode()).hexdigest()[:12]
        entry = Entry(
            f"schedule:{job}:{mark}", now, ACTOR, "schedule", _subject(job), body={"cron": cron, "timezone": zone}
        )
        self._journal.append([entry])
        return self._seen(job)

    def _seen(self, job: JobName) -> tuple[Seen, ...]:
        found = self._journal.entries(subject=_subject(job), actions=("schedule",))
        return tuple(Seen(each.at, str(each.body["cron"]), str(each.body["timezone"]), each.id) for each in found)

    def claims(self, job: JobName, now: datetime) -> Mapping[datetime, Claim]:
        """Give the runs of a job that are looked at, by their slots, in order of arrival."""
        found = self._claims(job, WINDOW)
        if len(found) >= WINDOW // 4 and all(each.due > now + AHEAD for each in found.values()):
            return self._claims(job, None)  # a clock that was wrong has written them all
        return found

    def _claims(self, job: JobName, limit: int | None) -> dict[datetime, Claim]:
        found: dict[datetime, Claim] = {}
        for entry in self._journal.entries(subject=_subject(job), actions=_RUNS, limit=limit):
            slot = datetime.fromisoformat(entry.body["slot"])
            known = found.get(slot)
            if entry.action == "run":
                found[slot] = Claim(slot, datetime.fromisoformat(entry.body["due"]), entry.at)
            elif known is not None and entry.action == "again":
                found[slot] = Claim(slot, known.due, entry.at, known.tries + 1)
            elif known is not None:
                found[slot] = Claim(slot, known.due, known.last, known.tries, is_finished=True)
        return found

    def drop(self, job: JobName, before: datetime) -> int:
        """Take the lines of a job's runs from before an instant out of the journal, but never the newest, by which is told what is due.

        Returns:
            How many lines.
        """
        found = self._journal.entries(subject=_subject(job), actions=_RUNS)
        return self._journal.drop(each.id for each in found[:-WINDOW] if each.at < before)

    def drop_marks(self, job: JobName, before: datetime) -> int:
        """Take the marks of runs, `began` and `ended`, from before an instant out of the journal, but never one that did not end.

        Returns:
            How many lines.
        """
        found = self._journal.entries(subject=f"upkeep:{job}", actions=("began", "ended"))
        ended = {each.body.get("began") for each in found if each.action == "ended"}
        old = [each for each in found[:-MARKS] if each.at < before]
        return self._journal.drop(each.id for each in old if each.action == "ended" or each.id in ended)

    def drop_ticks(self, before: datetime) -> int:
        """Take the lines of ticks and deliveries from before an instant out of the journal, but never the newest; give how many."""
        found = self._journal.entries(actions=TICKS)
        return self._journal.drop(each.id for each in found[:-LOOKED_AT] if each.at < before)

    def is_claimed(self, job: JobName, slot: datetime) -> bool:
        """Say whether a slot was ever claimed."""
        return self._journal.entry(_id("run", job, slot)) is not None

    def claim(self, job: JobName, slot: datetime, now: datetime, body: Mapping[str, Any]) -> bool:
        """Take a slot on oneself; True for one caller of all.

        Args:
            job: which.
            slot: naive and local.
            now: the instant, aware.
            body: what else is kept: `due` (ISO, UTC) is needed.
        """
        return self._write("run", job, slot, now, body)

    def claim_again(self, job: JobName, slot: datetime, now: datetime, time: int) -> bool:
        """Take on oneself to complete a run whose process is gone, for the nth time; True for one caller of all."""
        return self._write("again", job, slot, now, {}, time=time)

    def finish(self, job: JobName, slot: datetime, now: datetime, body: Mapping[str, Any]) -> bool:
        """Say that a run is over, with its figures."""
        return self._write("ran", job, slot, now, body)

    def _write(
        self, action: str, job: JobName, slot: datetime, now: datetime, body: Mapping[str, Any], *, time: int = 0
    ) -> bool:
        entry_id = _id(action, job, slot) + (f":{time}" if time else "")
        entry = Entry(entry_id, now, ACTOR, action, _subject(job), body={"slot": _iso(slot), **body})
        return self._journal.append([entry])[0]


def utc_text(at: datetime) -> str:
    """Give an aware instant as the ledger writes it."""
    return at.astimezone(UTC).isoformat()


def _iso(slot: datetime) -> str:
    return slot.isoformat(timespec="minutes")


def _id(action: str, job: JobName, slot: datetime) -> str:
    return f"{action}:{job}:{_iso(slot)}"


def _subject(job: JobName) -> str:
    return f"job:{job}"  # no id of a case or memory has a colon
