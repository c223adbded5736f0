"""What the tests of schedules share: a clock that is set, a casebook whose jobs are counted, a policy of a few words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from casebook.policy import Policy
from casebook.runtime.journal.opening import memory_journal
from casebook.runtime.upkeep.claimed import Book
from casebook.runtime.upkeep.due import SCHEDULED
from casebook.runtime.upkeep.protocol import Report


def at(text: str) -> datetime:
    """An instant; UTC where no offset is written."""
    found = datetime.fromisoformat(text)
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def policy(zone: str = "UTC", **schedules: str) -> Policy:
    """A policy in which only the jobs that are named have a schedule."""
    return Policy.model_validate(
        {"timezone": zone, "schedules": {**dict.fromkeys((*SCHEDULED, "tick"), "off"), **schedules}}
    )


class Hand:
    """A clock that stands where it is set."""

    def __init__(self, text: str) -> None:
        self.now = at(text)

    def __call__(self) -> datetime:
        return self.now

    def to(self, text: str) -> None:
        self.now = at(text)

    def on(self, **length: float) -> None:
        self.now += timedelta(**length)


@contextmanager
def free(_: str) -> Iterator[bool]:
    yield True


class Shop:
    """A casebook with a journal in memory; `ran` holds its runs, as job and instant."""

    def __init__(self, clock, **kept) -> None:
        self.clock = clock
        self.policy = kept.get("policy", policy())
        self.journal = kept.get("journal") or memory_journal(clock)
        self.ran: list[tuple[str, datetime]] = []
        self.fails: list[BaseException] = []
        self.book = Book(lambda: self.policy, lambda: self.journal, self.run, kept.get("lock", free))

    def run(self, job) -> Report:
        if self.fails:
            raise self.fails.pop(0)
        self.ran.append((job, self.clock()))
        return Report(job, self.clock(), figures={"looked_at": 1})
