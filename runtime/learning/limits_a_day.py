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

_Bucket = tuple[date, str | None]


class DayLimits:
    """What each user has made the detector do today. Not safe from several threads: the detector asks under its lock."""

    def __init__(self, journal: Journal) -> None:
        """Take the journal that it is read from."""
        self._journal = journal
        self._seen = 0
        self._made: dict[_Bucket, int] = {}
        self._admitted: dict[_Bucket, frozenset[str]] = {}
        self._told: set[str] = set()

    def reached(
        self, limits: Limits, signature: str, user: str | None, tally: Sequence[Occurrence], day: date
    ) -> str | None:
        """Give the name of the limit that keeps a signature from making a case on a day, or None.

        Args:
            limits: `detector_cases` (20) and `new_signatures` (200).
            signature: that would make one.
            user: whose occurrence would make it.
            tally: the signature's occurrences.
            day: of that occurrence, in UTC.

        Raises:
            StoreError: the journal cannot be read.
        """
        if self._cases((day, user)) >= limits.detector_cases:
            return "detector_cases"
        mine = [each for each in tally if each.user == user]
        is_new = bool(mine) and day_of(mine[0].at) == day
        if is_new and signature not in self._first(limits.new_signatures, (day, user), signature):
            return "new_signatures"
        return None

    def note(self, limits: Limits, name: str, user: str | None, signature: str, now: datetime, day: date) -> None:
        """Write down, once a user and day, that a limit was reached. Raises StoreError."""
        entry_id = f"limit:{name}:{'' if user is None else user}:{day.isoformat()}"
        if entry_id in self._told:
            return
        body = {"limit": name, "most": getattr(limits, name), "user": user, "day": day.isoformat(), "first": signature}
        self._journal.append((Entry(entry_id, now, ACTOR, "limit", "", None, body),))
        self._told.add(entry_id)

    def _cases(self, bucket: _Bucket) -> int:
        """Count the cases that a user made on a day; only what is new in the log is read."""
        for entry in self._journal.entries(actions=("promote",), after=self._seen):
            key = (day_of(entry.at), entry.body.get("by"))
            self._made[key] = self._made.get(key, 0) + 1
            self._seen = max(self._seen, entry.seq)
        if len(self._made) > 1_000:
            self._made = {key: number for key, number in self._made.items() if key[0] >= bucket[0]}
        return self._made.get(bucket, 0)

    def _first(self, most: int, bucket: _Bucket, signature: str) -> frozenset[str]:
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


def day_of(at: datetime) -> date:
    """Give the day of an instant, in UTC."""
    return at.astimezone(UTC).date()
