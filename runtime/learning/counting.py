"""How often an error occurred: what counts as one occurrence, whose it is, and when enough of them are there."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from casebook.duration import duration
from casebook.forking import guarded
from casebook.instants import before
from casebook.policy import Detector as Rules
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import EventRecord

KEPT = 1_000
"""Occurrences of one signature that are looked at, the newest (ten thresholds where that is more): those before change nothing."""

_IN_MEMORY = 50_000
"""Occurrences of all signatures that are kept in memory, some 300 bytes each; what goes is read again."""

Key = tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One occurrence, as far as counting needs it: when, whose, in which team's and under which key of each way to count."""

    seq: int
    at: datetime
    user: str | None
    by_call: Key
    by_task: Key
    by_session: Key

    def key(self, distinct: str) -> Key:
        """Give what it is counted once for."""
        return {"call": self.by_call, "task": self.by_task, "session": self.by_session}[distinct]


def occurrence_of(event: EventRecord) -> Occurrence:
    """Give what counting needs of an event.

    A call counts once a turn where the host names turns, a task once an activation (else a turn), a session once; what has
    none of these counts by itself. Ids are told apart by user and session, for two may use the same ones.
    """
    user, session = event.principal.user, event.session
    alone: Key = ("id", event.id)
    turn: Key | None = ("turn", user, session, event.turn) if event.turn is not None else None
    task: Key | None = ("task", event.activation) if event.activation is not None else turn
    return Occurrence(
        event.seq, event.at, user, turn or alone, task or alone, ("session", user, session) if session else alone
    )


@dataclass(frozen=True, slots=True)
class Group:
    """Those whose occurrences are counted together.

    Attributes:
        user: whose they are; None where nobody is named, and for everyone.
        shared: everyone's, for enough different users had the error.
        count: how many there are.
    """

    user: str | None
    shared: bool
    count: int

    def holds(self, user: str | None) -> bool:
        """Say whether the occurrences of a user belong to it."""
        return self.shared or self.user == user


def recent(occurrences: Iterable[Occurrence], rules: Rules, now: datetime) -> list[Occurrence]:
    """Give those within `detector.within` back from now, that instant included; all of them without it."""
    if rules.within is None:
        return list(occurrences)
    begin = before(now, duration(rules.within))
    return [each for each in occurrences if each.at >= begin]


def groups_of(occurrences: Iterable[Occurrence], rules: Rules, now: datetime) -> tuple[Group, ...]:
    """Give the groups of a signature's occurrences: one of everyone where `detector.users` different users had it, else each."""
    counted = recent(occurrences, rules, now)
    users = {each.user: None for each in counted}
    if len([user for user in users if user is not None]) >= rules.users:
        return (Group(None, True, _distinct(counted, rules)),)
    return tuple(Group(user, False, _distinct([one for one in counted if one.user == user], rules)) for user in users)


def group_of(occurrences: Sequence[Occurrence], user: str | None, rules: Rules, now: datetime) -> Group:
    """Give the group that the occurrences of a user belong to; of none, an empty one of the user's."""
    for group in groups_of(occurrences, rules, now):
        if group.holds(user):
            return group
    return Group(user, False, 0)


def own_group(occurrences: Iterable[Occurrence], user: str | None, rules: Rules, now: datetime) -> Group:
    """Give a user's own group, whoever else had the error."""
    counted = [each for each in recent(occurrences, rules, now) if each.user == user]
    return Group(user, False, _distinct(counted, rules))


def count_since(
    occurrences: Iterable[Occurrence], group: Group, rules: Rules, begin: datetime, *, included: bool
) -> int:
    """Count the occurrences of a group after an instant, or from it on."""
    return _distinct(
        [
            each
            for each in occurrences
            if group.holds(each.user) and (each.at > begin or (included and each.at == begin))
        ],
        rules,
    )


def members(events: Sequence[EventRecord], group: Group, rules: Rules, now: datetime) -> tuple[EventRecord, ...]:
    """Give the events of a group that count now, in order of arrival."""
    begin = None if rules.within is None else before(now, duration(rules.within))
    return tuple(
        event for event in events if group.holds(event.principal.user) and (begin is None or event.at >= begin)
    )


def _distinct(occurrences: Iterable[Occurrence], rules: Rules) -> int:
    return len({each.key(rules.distinct) for each in occurrences})


def kept(rules: Rules) -> int:
    """Give how many occurrences of a signature are looked at."""
    return max(KEPT, 10 * rules.threshold)


class Tally:
    """The occurrences of the signatures seen lately, read once and then only what is new. Safe from many threads."""

    def __init__(self, journal: Journal) -> None:
        """Take the journal that they are read from."""
        self._journal = journal
        self._known: OrderedDict[str, list[Occurrence]] = OrderedDict()
        self._number = 0
        self._lock = guarded(self, rank=1)

    def reset(self) -> None:
        """Drop what is known: occurrences were forgotten, and are no longer in the journal."""
        with self._lock:
            self._known.clear()
            self._number = 0

    def of(self, signature: str, rules: Rules) -> Sequence[Occurrence]:
        """Give the newest occurrences of a signature, in order of arrival. Raises StoreError."""
        most = kept(rules)
        with self._lock:
            known = self._known.setdefault(signature, [])
            self._known.move_to_end(signature)
            before = len(known)
            after = known[-1].seq if known else 0
            fresh = self._journal.events(signature=signature, counted=True, after=after, limit=most)
            known.extend(occurrence_of(event) for event in fresh)
            if len(known) > most:
                del known[:-most]
            self._number += len(known) - before
            while self._number > _IN_MEMORY and len(self._known) > 1:
                self._number -= len(self._known.popitem(last=False)[1])
            return tuple(known)
