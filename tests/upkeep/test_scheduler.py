"""The scheduler: APScheduler wakes it, policies are picked up as they change, it stops cleanly, and what a run did is one line."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import cast

import pytest

from casebook.clock import elapsed, system_clock
from casebook.cron import Cron
from casebook.faults import StoreError
from casebook.memory import Memory
from casebook.runtime.upkeep import scheduler as module
from casebook.runtime.upkeep.claimed import Book, StoppedError, run_due
from casebook.runtime.upkeep.made import Made
from casebook.runtime.upkeep.protocol import Move, MoveKind, Report
from casebook.runtime.upkeep.scheduler import Scheduler
from tests.upkeep.scheduling import Hand, Shop, at, free, policy


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(module, "LOOK", 0.05)
    monkeypatch.setattr(module, "WATCH", 0.05)


def until(holds: Callable[[], object], seconds: float = 8.0) -> None:
    """Wait until something holds."""
    end, tick = elapsed() + seconds, threading.Event()
    while not holds():
        assert elapsed() < end, "it never came to be"
        tick.wait(0.01)


def test_what_is_due_runs_at_once_and_an_edited_policy_is_picked_up():
    shop = Shop(system_clock, policy=policy(expire="* * * * *"))
    told: list[Made] = []
    scheduler = Scheduler([shop.book], system_clock, told.append)
    scheduler.start()
    try:
        until(lambda: shop.ran)
        shop.policy = policy(expire="* * * * *", hygiene="* * * * *")
        until(lambda: "hygiene" in [job for job, _ in shop.ran])
    finally:
        assert scheduler.stop()
    assert {each.job for each in told} == {"expire", "hygiene"}


def test_a_job_is_woken_at_the_slots_of_its_cron():
    trigger = module._slots(Cron.parse("0 3 * * 5"), "Europe/Berlin")
    friday = at("2026-03-27T02:00")
    assert trigger.get_next_fire_time(None, at("2026-03-27T01:59:59")) == friday
    assert trigger.get_next_fire_time(friday, friday + timedelta(seconds=1)) == at("2026-04-03T01:00")  # summer time
    assert trigger.get_next_fire_time(friday, at("2026-05-01T00:00")) == at(
        "2026-05-01T01:00"
    )  # what was missed is one


def test_a_wake_of_apscheduler_makes_the_run(monkeypatch):
    """Looks are far apart here, and the trigger is bent to a twentieth of a second."""
    monkeypatch.setattr(module, "LOOK", 3600)
    monkeypatch.setattr(module, "WATCH", 3600)
    monkeypatch.setattr(module, "_slots", lambda cron, zone: module._every(0.05))
    clock = Hand(system_clock().replace(second=0).isoformat())
    shop = Shop(clock, policy=policy(hygiene="* * * * *"))
    scheduler = Scheduler([shop.book], clock, lambda _: None)
    scheduler.start()
    try:
        until(lambda: len(shop.ran) == 1)  # the look
        clock.on(seconds=60)
        until(lambda: len(shop.ran) == 2)
    finally:
        assert scheduler.stop()


def test_a_job_that_is_switched_off_is_woken_no_more():
    shop = Shop(system_clock, policy=policy(age="0 3 * * *"))
    scheduler = Scheduler([shop.book], system_clock, lambda _: None)
    scheduler.start()
    try:
        until(lambda: scheduler._apscheduler.get_job("0:age"))
        shop.policy = policy()
        until(lambda: scheduler._apscheduler.get_job("0:age") is None)
        shop.policy = policy(age="0 4 * * *")
        until(lambda: scheduler._apscheduler.get_job("0:age"))
    finally:
        assert scheduler.stop()


def test_a_clock_that_was_set_wakes_all_anew():
    """APScheduler would sleep until the instant that it had in mind."""
    offset = [timedelta()]

    def clock():
        return system_clock() + offset[0]

    asked: list[int] = []

    def ask():
        asked.append(1)
        return ()

    scheduler = Scheduler([], clock, lambda _: None, ask_tick=ask)
    scheduler.start()
    try:
        until(lambda: len(asked) == 1)
        offset[0] = timedelta(hours=-3)
        until(lambda: len(asked) >= 2)
    finally:
        assert scheduler.stop()


def test_stopping_lets_the_chunk_that_runs_come_to_its_end_and_leaves_the_rest_to_the_next_run():
    begun, stopping = threading.Event(), list[Scheduler]()

    def run_job(job):
        begun.set()
        while not stopping[0].is_stopping:  # its chunks
            threading.Event().wait(0.01)
        raise StoppedError

    shop = Shop(system_clock, policy=policy(expire="* * * * *", age="* * * * *"))
    told: list[Made] = []
    book = Book(lambda: shop.policy, lambda: shop.journal, run_job, free)
    scheduler = Scheduler([book], system_clock, told.append)
    stopping.append(scheduler)
    scheduler.start()
    assert begun.wait(8)
    started = elapsed()
    assert scheduler.stop()
    assert elapsed() - started < 4
    assert [each.job for each in told] == ["expire"]  # `age` was not begun
    assert "asked to end" in told[0].line
    (claim,) = shop.journal.entries(actions=("run",))
    assert shop.journal.entry(claim.id.replace("run:", "ran:")) is None


def test_what_does_not_end_is_not_waited_for_longer_than_the_grace():
    go = threading.Event()
    shop = Shop(system_clock, policy=policy(expire="* * * * *"))
    begun = threading.Event()

    def run_job(job):
        begun.set()
        go.wait(10)
        return Report(job, system_clock(), figures={"looked_at": 0})

    scheduler = Scheduler(
        [Book(lambda: shop.policy, lambda: shop.journal, run_job, free)], system_clock, lambda _: None
    )
    scheduler.start()
    assert begun.wait(8)
    assert not scheduler.stop(grace=0.05)
    go.set()
    assert scheduler.stop(grace=8)


def test_ticks_are_asked_and_what_fails_in_one_is_told_and_the_next_asked():
    asked: list[int] = []
    told: list[Made] = []

    def ask():
        asked.append(1)
        if len(asked) == 1:
            raise StoreError("the journal cannot be read")
        return (Made("tick", system_clock(), told="1 delivered (a)"),)

    scheduler = Scheduler([], system_clock, told.append, ask_tick=ask)
    scheduler.start()
    try:
        until(lambda: len(told) == 1)
        scheduler._tick()
    finally:
        assert scheduler.stop()
    assert [each.line.partition(" tick: ")[2][:12] for each in told] == ["not asked; t", "1 delivered "]


# -- without a scheduler -------------------------------------------------------------------------------------------------


def test_a_journal_that_cannot_be_read_is_told_and_other_casebooks_are_kept_up():
    clock = Hand("2026-03-06T03:00")
    told: list[Made] = []
    shop = Shop(clock, policy=policy(hygiene="0 3 * * 5"))

    def broken():
        raise StoreError("the journal cannot be read")

    made = run_due([Book(lambda: shop.policy, broken, shop.run, free, "user"), shop.book], clock, told.append)
    assert [each.line for each in made] == [
        "2026-03-06T03:00:00+00:00 schedule [user]: what is due is not known; the journal cannot be read (0.0 s)",
        "2026-03-06T03:00:00+00:00 hygiene: nothing to do (0.0 s)",
    ]
    assert told == list(made)


def lines_of(*made: Made) -> list[Made]:
    """Give what a scheduler tells of these, in this order."""
    told: list[Made] = []
    scheduler = Scheduler([], system_clock, told.append)
    for each in made:
        scheduler._tell(each)
    return told


def test_every_minute_in_which_ticks_are_delivered_or_fail_has_its_line():
    """Also where one minute says what the one before it said: what was delivered, and what was not, is told each time."""
    trouble = ("pager was not delivered and is tried again in a minute: it cannot be reached",)
    minutes = [
        Made("tick", at(f"2026-03-06T03:0{n}"), told="1 delivered (standup)", troubles=trouble) for n in range(4)
    ]
    failing = [Made("tick", at(f"2026-03-06T03:1{n}"), told="0 delivered", troubles=trouble) for n in range(4)]
    unasked = [Made("tick", at(f"2026-03-06T03:2{n}"), told="not asked", troubles=("read only",)) for n in range(4)]
    assert lines_of(*minutes, *failing, *unasked) == [*minutes, *failing, *unasked]


def test_a_trouble_that_goes_on_is_told_again_after_an_hour():
    first, soon, later = (
        Made("schedule", at(when), told="what is due is not known", troubles=("read only",))
        for when in ("2026-03-06T03:00:00", "2026-03-06T03:59:59", "2026-03-06T04:00:00")
    )
    assert lines_of(first, soon, later) == [first, later]


def test_what_comes_to_nothing_at_every_look_is_told_once():
    trouble = Made("expire", at("2026-03-06"), told="not done", troubles=("read only",))
    done = Made("age", at("2026-03-06"), told="done")
    report = Made("expire", at("2026-03-06"), report=Report("expire", at("2026-03-06")))
    told = lines_of(trouble, done, trouble, done, report, trouble, report, report)
    assert told == [trouble, done, done, report, trouble, report, report]


def _moves(**kinds: int) -> tuple[Move, ...]:
    memory = Memory.from_json(
        {"id": "m-1", "kind": "fact", "text": "t", "tier": "L2", "created_at": "2026-03-01T00:00:00Z"}
    )
    return tuple(
        Move(cast("MoveKind", kind), f"m-{number}", "P2", "why", memory, memory)
        for kind, count in kinds.items()
        for number in range(count)
    )


@pytest.mark.parametrize(
    ("made", "line"),
    [
        (
            Made("hygiene", at("2026-03-06T03:00"), report=Report("hygiene", at("2026-03-06"), done=_moves(archive=1, demote=3)), seconds=0.2),
            "2026-03-06T03:00:00+00:00 hygiene: 3 demoted, 1 archived (0.2 s)",
        ),
        (
            Made("archive", at("2026-03-01T05:00"), report=Report("archive", at("2026-03-01"), figures={"looked_at": 9, "packed": 2, "purged": 1200})),
            "2026-03-01T05:00:00+00:00 archive: 2 packed, 1,200 purged (0.0 s)",
        ),
        (
            Made("audit", at("2026-03-01T05:00"), layer="user", makes_up=3, report=Report("audit", at("2026-03-01"), done=_moves(ask=2, note=5), conflicts=("m-9",)), troubles=("a file is\nbroken",)),
            "2026-03-01T05:00:00+00:00 audit [user]: 2 put to review, 1 changed meanwhile, for the next run; makes up 3 missed; a file is broken (0.0 s)",
        ),
        (Made("age", at("2026-03-01T04:00"), report=Report("age", at("2026-03-01"))), "2026-03-01T04:00:00+00:00 age: nothing to do (0.0 s)"),
    ],
)  # fmt: skip
def test_a_run_is_one_line(made, line):
    assert made.line == line
    assert made.to_json()["troubles"] == list(made.troubles)
