"""How much one user may make the detector write in a day (DESIGN section 10): nothing is lost over it, it waits.

A day is one of UTC, so that all hosts agree on it. Over a limit an error is still journaled and counted; its case is made by
an occurrence of a later day.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time

from casebook.policy import Limits
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import Entry
from casebook.runtime.learning.claims import ACTOR
from casebook.runtime.learning.counting import Occurrence

Bucket = tuple[date, str | None]
"""A day, and whose: None is nobody's."""


class DayLimits:
    """What each user has made the detector do today. Not safe from several threads: the detector asks under its lock."""

    def __init__(self, journal: Journal) -> None:
        """Take the journal that it is read from."""
        self._journal = journal
        self._seen = 0
        self._made: dict[Bucket, int] = {}
        self._admitted: dict[Bucket, frozenset[str]] = {}
        self._told: set[str] = set()

    def reached(self, limits: Limits, signature: str, bucket: Bucket, tally: Sequence[Occurrence]) -> str | None:
        """Give the name of the limit that keeps a signature from making a case on a day, or None.

        Args:
            limits: `detector_cases` (20) and `new_signatures` (200).
            signature: that would make one.
            bucket: the day, in UTC, of the occurrence that would make it, and whose that is.
            tally: the signature's occurrences.

        Raises:
            StoreError: the journal cannot be read.
        """
        day, user = bucket
        if self._cases(bucket) >= limits.detector_cases:
            return "detector_cases"
        mine = [each for each in tally if each.user == user]
        is_new = bool(mine) and day_of(mine[0].at) == day
        if is_new and signature not in self._first(limits.new_signatures, bucket, signature):
            return "new_signatures"
        return None

    def note(self, limits: Limits, name: str, bucket: Bucket, now: datetime, *, first: str) -> None:
        """Write down, once a user and day, that a limit was reached, and by which signature first. Raises StoreError."""
        day, user = bucket
        entry_id = f"limit:{name}:{'' if user is None else user}:{day.isoformat()}"
        if entry_id in self._told:
            return
        body = {
            "reason": name,
            "limit": name,
            "most": getattr(limits, name),
            "user": user,
            "day": day.isoformat(),
            "first": first,
        }
        self._journal.append((Entry(entry_id, now, ACTOR, "limit", "", None, body),))
        self._told.add(entry_id)

    def _cases(self, bucket: Bucket) -> int:
        """Count the cases that a user made on a day; only what is new in the log is read."""
        for entry in self._journal.entries(actions=("promote",), after=self._seen):
            key = (day_of(entry.at), entry.body.get("by"))
            self._made[key] = self._made.get(key, 0) + 1
            self._seen = max(self._seen, entry.seq)
        if len(self._made) > 1_000:
            self._made = {key: number for key, number in self._made.items() if key[0] >= bucket[0]}
        return self._made.get(bucket, 0)

    def _first(self, most: int, bucket: Bucket, signature: str) -> frozenset[str]:
        """Give the signatures that were a user's first new ones of a day; while there are few, whatever is asked for."""
        known = self._admitted.get(bucket)
        if known is not None:
            return known
        day, user = bucket
        begin = datetime.combine(day, time(), UTC)
        today = self._journal.signatures(since=begin, user=user)
        if len(today) <= most:
            return frozenset((signature,))
        ever = self._journal.signatures(user=user)
        new: dict[str, None] = {}
        for event in self._journal.events(since=begin, counted=True):
            name = event.signature
            if name is not None and event.principal.user == user and ever.get(name) == today.get(name):
                new[name] = None
                if len(new) == most:
                    break
        else:
            return frozenset((*new, signature))
        first = frozenset(new)
        self._admitted = {bucket: first, **{key: found for key, found in self._admitted.items() if key[0] == day}}
        return first


_WHAT = {"detector_cases": "cases that the detector made", "new_signatures": "new error signatures"}


def limit_told(limits: Limits, name: str) -> str:
    """Say to whom reports that a limit was reached, and what becomes of the error."""
    return (
        f"limit {name}: {getattr(limits, name)} {_WHAT[name]} for this user today (UTC); the error is counted, and makes its "
        "case when it occurs on another day"
    )


def day_of(at: datetime) -> date:
    """Give the day of an instant, in UTC."""
    return at.astimezone(UTC).date()
