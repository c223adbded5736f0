"""The ledger: a run is due once for each local date-time, whoever asks, however the clock goes."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from freezegun import freeze_time
from hypothesis import given, settings
from hypothesis import strategies as st

from casebook.clock import fixed_clock, system_clock
from casebook.faults import StoreError
from casebook.runtime.journal.opening import open_journal
from casebook.runtime.journal.records import Entry
from casebook.runtime.upkeep.claimed import Book, StoppedError, folder_locks, run_due
from casebook.runtime.upkeep.due import PATIENCE, TRIES, due
from casebook.runtime.upkeep.ledger import WINDOW, Ledger
from casebook.runtime.upkeep.protocol import Report
from tests.upkeep.scheduling import Hand, Shop, at, free, policy


def slots(shop: Shop) -> list[str]:
    """Make what is due, and give the slots of it."""
    return [f"{made.job} {made.slot:%m-%dT%H:%M}" for made in run_due([shop.book], shop.clock, lambda _: None)]


def kept(shop: Shop, entry_id: str) -> Mapping[str, object]:
    """What an entry says."""
    entry = shop.journal.entry(entry_id)
    assert entry is not None
    return entry.body


# -- when it is due ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("zone", "first", "before", "slot"),
    [  # Friday 03:00, in winter and in summer time, the week of each change included; and never on a Saturday
        ("Europe/Berlin", "2026-03-26T12:00", "2026-03-27T01:59:59", "2026-03-27T02:00:00"),
        ("Europe/Berlin", "2026-04-02T12:00", "2026-04-03T00:59:59", "2026-04-03T01:00:00"),
        ("Europe/Berlin", "2026-10-22T12:00", "2026-10-23T00:59:59", "2026-10-23T01:00:00"),
        ("Europe/Berlin", "2026-10-29T12:00", "2026-10-30T01:59:59", "2026-10-30T02:00:00"),
        ("America/New_York", "2026-03-05T12:00", "2026-03-06T07:59:59", "2026-03-06T08:00:00"),
        ("America/New_York", "2026-03-12T12:00", "2026-03-13T06:59:59", "2026-03-13T07:00:00"),
        ("Australia/Lord_Howe", "2026-04-01T12:00", "2026-04-02T15:59:59", "2026-04-02T16:00:00"),
        ("Australia/Lord_Howe", "2026-04-08T12:00", "2026-04-09T16:29:59", "2026-04-09T16:30:00"),
        ("Asia/Shanghai", "2026-03-05T12:00", "2026-03-05T18:59:59", "2026-03-05T19:00:00"),
    ],
)
def test_hygiene_runs_on_friday_at_three_in_the_zone_of_the_policy(zone, first, before, slot):
    clock = Hand(first)
    shop = Shop(clock, policy=policy(zone, hygiene="0 3 * * 5"))
    assert slots(shop) == []
    clock.to(before)
    assert slots(shop) == []
    clock.to(slot)
    assert [each.partition("T")[2] for each in slots(shop)] == ["03:00"]
    clock.on(days=1)  # Saturday at three
    assert slots(shop) == []
    assert shop.ran == [("hygiene", at(slot))]


def test_a_new_casebook_has_no_storm_and_runs_the_minute_in_which_it_is_first_looked_at():
    clock = Hand("2026-03-06T03:00:30")
    shop = Shop(clock, policy=policy(hygiene="0 3 * * 5", expire="* * * * *", age="59 2 * * *", promote="1 3 * * *"))
    assert slots(shop) == ["expire 03-06T03:00", "hygiene 03-06T03:00"]
    assert slots(shop) == []
    clock.on(minutes=1)
    assert slots(shop) == ["expire 03-06T03:01", "promote 03-06T03:01"]


def test_what_was_missed_is_made_up_once():
    clock = Hand("2026-03-06T03:30")
    shop = Shop(clock, policy=policy(expire="0 * * * *", age="0 4 * * *", hygiene="0 3 * * 5"))
    assert slots(shop) == []
    clock.to("2026-03-20T10:15")  # it was off for two weeks
    made = run_due([shop.book], clock, lambda _: None)
    assert [(each.job, f"{each.slot:%m-%dT%H:%M}", each.makes_up) for each in made] == [
        ("expire", "03-20T10:00", 14 * 24 + 7 - 1),
        ("age", "03-20T04:00", 14),
        ("hygiene", "03-20T03:00", 1),
    ]
    assert slots(shop) == []
    assert kept(shop, "run:age:2026-03-20T04:00")["makes_up"] == {"slots": 14, "from": "2026-03-06T04:00"}
    assert kept(shop, "ran:age:2026-03-20T04:00")["figures"] == {"looked_at": 1}


@pytest.mark.parametrize(
    ("zone", "cron", "day", "runs"),
    [
        ("Europe/Berlin", "30 2 * * *", "2026-03-28T23:00", ["03-29T02:30"]),
        ("Europe/Berlin", "30 2 * * *", "2026-10-24T22:00", ["10-25T02:30"]),
        ("America/New_York", "30 2 * * *", "2026-03-08T05:00", ["03-08T02:30"]),
        ("America/New_York", "30 1 * * *", "2026-11-01T04:00", ["11-01T01:30"]),
        ("Australia/Lord_Howe", "15 2 * * *", "2026-10-03T13:00", ["10-04T02:15"]),
        ("Australia/Lord_Howe", "45 1 * * *", "2026-04-04T13:00", ["04-05T01:45"]),
        ("Europe/Berlin", "0 * * * *", "2026-10-24T23:30", [f"10-25T{hour:02}:00" for hour in (2, 3, 4, 5)]),
        ("Europe/Berlin", "0 * * * *", "2026-03-29T00:30", [f"03-29T{hour:02}:00" for hour in (3, 4, 5, 6, 7)]),
    ],
)
def test_at_a_change_of_clocks_each_slot_runs_once(zone, cron, day, runs):
    """Looked at every ten minutes for five hours; of two slots at one instant the later one makes the other up."""
    clock, found = Hand(day), []
    shop = Shop(clock, policy=policy(zone, expire=cron))
    for _ in range(31):
        found += slots(shop)
        clock.on(minutes=10)
    assert found == [f"expire {each}" for each in runs]


def test_the_hour_that_is_left_out_runs_at_the_first_instant_after_it():
    clock = Hand("2026-03-28T23:00")
    shop = Shop(clock, policy=policy("Europe/Berlin", hygiene="30 2 * * 0"))
    assert slots(shop) == []
    clock.to("2026-03-29T00:59:59")
    assert slots(shop) == []
    clock.to("2026-03-29T01:00:00")  # 03:00 in summer time
    assert slots(shop) == ["hygiene 03-29T02:30"]


def test_a_slot_of_the_first_hour_that_was_missed_is_made_up_while_the_hour_repeats():
    clock = Hand("2026-10-24T23:50")  # 01:50 in Berlin
    shop = Shop(clock, policy=policy("Europe/Berlin", age="45 2 * * *"))
    assert slots(shop) == []
    clock.to("2026-10-25T01:10")  # 02:10, the second time: 02:45 has been
    assert slots(shop) == ["age 10-25T02:45"]
    clock.to("2026-10-25T01:50")
    assert slots(shop) == []


def test_a_leap_day_is_kept():
    clock = Hand("2026-02-28T23:00")
    shop = Shop(clock, policy=policy(archive="0 0 29 2 *"))
    assert slots(shop) == []
    clock.to("2028-02-28T23:59:59")
    assert slots(shop) == []
    clock.to("2028-02-29T00:00")
    assert slots(shop) == ["archive 02-29T00:00"]


@pytest.mark.parametrize("zone", ["Asia/Shanghai", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
def test_the_one_clock_moves_it(zone):
    """The clock of the system, frozen on every day of a year at both sides of three o'clock: it runs on Fridays alone."""
    shop = Shop(system_clock, policy=policy(zone, hygiene="0 3 * * 5"))
    with freeze_time("2027-12-31T12:00:00+00:00") as frozen:
        slots(shop)
        day = datetime(2028, 1, 1, 3)  # noqa: DTZ001 - a wall clock; the year has a leap day
        for _ in range(366):
            due_at = day.replace(tzinfo=ZoneInfo(zone))
            frozen.move_to(due_at.astimezone(UTC) - timedelta(seconds=1))
            assert slots(shop) == []
            frozen.move_to(due_at.astimezone(UTC))
            assert slots(shop) == ([f"hygiene {day:%m-%dT03:00}"] if day.isoweekday() == 5 else [])
            day += timedelta(days=1)
    assert len(shop.ran) == 52


# -- clocks and policies that change --------------------------------------------------------------------------------------


def test_a_clock_that_is_set_back_brings_no_slot_twice_and_what_follows_runs():
    clock = Hand("2026-03-06T09:00")
    shop = Shop(clock, policy=policy(expire="0 * * * *"))
    assert slots(shop) == ["expire 03-06T09:00"]
    clock.to("2026-03-06T12:05")
    assert slots(shop) == ["expire 03-06T12:00"]  # and makes up 10:00 and 11:00
    for text in ("2026-03-06T08:00", "2026-03-06T09:00", "2026-03-06T11:00", "2026-03-06T12:59"):
        clock.to(text)
        assert slots(shop) == []
    clock.to("2026-03-06T13:00")
    assert slots(shop) == ["expire 03-06T13:00"]


def test_a_clock_that_was_years_ahead_holds_nothing_back_when_it_is_set_right():
    clock = Hand("2026-03-06T09:00")
    shop = Shop(clock, policy=policy(expire="0 * * * *"))
    assert slots(shop) == ["expire 03-06T09:00"]
    clock.to("2036-03-06T09:00")
    assert slots(shop) == ["expire 03-06T09:00"]  # of 2036
    shop.policy = policy(expire="30 * * * *")
    assert slots(shop) == []
    clock.to("2026-03-06T10:30")
    assert slots(shop) == ["expire 03-06T10:30"]
    clock.to("2026-03-06T11:30")
    assert slots(shop) == ["expire 03-06T11:30"]


def test_a_casebook_that_a_wrong_clock_has_seen_first_is_kept_up_when_it_is_set_right():
    clock = Hand("2036-03-06T09:30")
    shop = Shop(clock, policy=policy(expire="0 * * * *"))
    assert slots(shop) == []
    clock.to("2026-03-06T09:30")
    assert slots(shop) == []
    clock.to("2026-03-06T10:00")
    assert slots(shop) == ["expire 03-06T10:00"]


def test_days_of_runs_by_a_wrong_clock_hide_no_earlier_one():
    clock = Hand("2026-03-06T09:00")
    shop = Shop(clock, policy=policy(expire="0 * * * *"))
    assert slots(shop) == ["expire 03-06T09:00"]
    clock.to("2036-03-06T09:00")
    for _ in range(WINDOW // 2 + 5):
        assert len(slots(shop)) == 1
        clock.on(hours=1)
    clock.to("2026-03-06T10:00")
    (made,) = run_due([shop.book], clock, lambda _: None)
    assert (f"{made.slot}", made.makes_up) == ("2026-03-06 10:00:00", 0)


@settings(max_examples=60)
@given(st.lists(st.integers(-300, 300), min_size=1, max_size=25))
def test_whatever_the_clock_does_no_slot_is_claimed_twice(steps):
    clock, found = Hand("2026-10-24T20:00"), []
    shop = Shop(clock, policy=policy("Europe/Berlin", expire="*/20 * * * *", age="30 2 * * *"))
    for minutes in steps:
        clock.on(minutes=minutes)
        found += slots(shop)
    assert len(found) == len(set(found))


def test_an_edited_schedule_brings_no_run_of_the_time_before_it():
    clock = Hand("2026-03-04T12:00")  # a Wednesday
    shop = Shop(clock, policy=policy(hygiene="0 3 * * 5"))
    assert slots(shop) == []
    shop.policy = policy(hygiene="0 3 * * mon")
    assert slots(shop) == []
    clock.to("2026-03-06T03:00")  # the old Friday
    assert slots(shop) == []
    clock.to("2026-03-09T03:00")
    assert slots(shop) == ["hygiene 03-09T03:00"]


def test_what_the_old_schedule_has_missed_is_made_up_under_the_new_one():
    clock = Hand("2026-03-04T12:00")
    shop = Shop(clock, policy=policy(hygiene="0 3 * * 5"))
    assert slots(shop) == []
    clock.to("2026-03-08T12:00")  # off over Friday, and edited meanwhile
    shop.policy = policy(hygiene="0 3 * * mon")
    assert slots(shop) == ["hygiene 03-06T03:00"]
    clock.to("2026-03-09T03:00")
    assert slots(shop) == ["hygiene 03-09T03:00"]


def test_while_a_job_is_off_nothing_is_missed():
    clock = Hand("2026-03-06T02:00")
    shop = Shop(clock, policy=policy(age="0 3 * * *"))
    assert slots(shop) == []
    shop.policy = policy(age="off")
    assert slots(shop) == []
    clock.to("2026-03-20T12:00")
    assert slots(shop) == []
    shop.policy = policy(age="0 3 * * *")
    assert slots(shop) == []
    clock.to("2026-03-21T03:00")
    assert slots(shop) == ["age 03-21T03:00"]


@pytest.mark.parametrize(
    ("one", "other"), [("Asia/Shanghai", "America/New_York"), ("America/New_York", "Asia/Shanghai")]
)
def test_a_zone_that_is_changed_neither_repeats_nor_makes_up(one, other):
    clock = Hand("2026-03-05T19:30")
    shop = Shop(clock, policy=policy(one, age="0 * * * *"))
    clock.to("2026-03-05T20:00")
    first = slots(shop)
    assert len(first) == 1
    shop.policy = policy(other, age="0 * * * *")
    clock.to("2026-03-05T20:10")
    assert slots(shop) == []
    found = []
    for _ in range(48):
        clock.on(hours=1)
        found += slots(shop)
    assert len(found) == len(set(found) - set(first))
    assert len(found) >= 34  # a local date-time that was used up in the old zone is not used again


# -- what is cut short ---------------------------------------------------------------------------------------------------


def test_a_run_that_was_claimed_and_never_ended_is_completed_by_the_next():
    clock = Hand("2026-03-06T03:00")
    shop = Shop(clock, policy=policy(hygiene="0 3 * * 5"))
    shop.fails = [StoppedError()]
    assert slots(shop) == ["hygiene 03-06T03:00"]
    assert shop.ran == []
    clock.on(seconds=PATIENCE.total_seconds() - 1)
    assert slots(shop) == []
    clock.on(seconds=1)
    assert slots(shop) == ["hygiene 03-06T03:00"]
    assert [job for job, _ in shop.ran] == ["hygiene"]
    clock.on(hours=1)
    assert slots(shop) == []


def test_a_newer_run_completes_an_older_one_in_one_go():
    clock = Hand("2026-03-06T03:00")
    shop = Shop(clock, policy=policy(expire="0 * * * *"))
    shop.fails = [StoreError("the disk is full")]
    assert slots(shop) == ["expire 03-06T03:00"]
    clock.to("2026-03-06T04:00")
    assert slots(shop) == ["expire 03-06T04:00"]
    assert len(shop.ran) == 1
    assert kept(shop, "ran:expire:2026-03-06T03:00")["completed_by"] == "2026-03-06T04:00"
    clock.on(minutes=30)
    assert slots(shop) == []


def test_a_run_that_never_comes_to_its_end_is_told_and_begun_again_once_a_day():
    """A job that is due once a month does not wait for a month."""
    clock = Hand("2026-03-01T05:00")
    shop = Shop(clock, policy=policy(archive="0 5 1 * *"))
    shop.fails = [RuntimeError("a fault of ours")] * (TRIES + 1)
    told: list[str] = []

    def look() -> None:
        run_due([shop.book], clock, lambda each: told.append(each.line))

    for _ in range(TRIES + 3):
        look()
        clock.on(minutes=10)
    assert len(told) == TRIES
    assert "begun again later; RuntimeError: a fault of ours" in told[0]
    clock.to("2026-03-02T05:29:59")
    look()
    assert len(told) == TRIES
    clock.to("2026-03-02T05:30")
    look()
    assert "begun 4 times and never came to its end: it is begun again, and else in a day" in told[TRIES]
    assert "begun again later" in told[-1]
    assert shop.journal.entry("ran:archive:2026-03-01T05:00") is None
    clock.to("2026-03-03T05:30")
    look()
    assert "begun 5 times" in told[-2]
    assert kept(shop, "ran:archive:2026-03-01T05:00")["troubles"] == 0
    clock.on(days=2)
    look()
    assert len(told) == TRIES + 4


def test_the_next_run_completes_one_that_never_came_to_its_end():
    clock = Hand("2026-03-06T03:00")
    shop = Shop(clock, policy=policy(expire="0 * * * *"))
    shop.fails = [RuntimeError("a fault of ours")] * TRIES
    for _ in range(TRIES):
        slots(shop)
        clock.on(minutes=10)
    clock.to("2026-03-06T04:00")
    assert slots(shop) == ["expire 03-06T04:00"]
    assert kept(shop, "ran:expire:2026-03-06T03:00")["completed_by"] == "2026-03-06T04:00"


def test_a_run_that_met_trouble_in_its_midst_is_begun_again_within_minutes():
    clock = Hand("2026-03-06T03:00")
    shop = Shop(clock, policy=policy(hygiene="0 3 * * 5"))
    half = Report("hygiene", clock(), troubles=("the disk is full",), figures={"looked_at": 2, "unfinished": 1})
    book = replace(shop.book, run_job=lambda _: half)
    (made,) = run_due([book], clock, lambda _: None)
    assert "not done whole, and begun again later; nothing to do; the disk is full" in made.line
    assert made.to_json()["figures"]["unfinished"] == 1
    assert shop.journal.entry("ran:hygiene:2026-03-06T03:00") is None
    clock.on(minutes=5)
    assert slots(shop) == ["hygiene 03-06T03:00"]
    assert shop.journal.entry("ran:hygiene:2026-03-06T03:00") is not None


def test_a_run_that_another_process_is_at_is_left_to_it():
    clock = Hand("2026-03-06T03:00")
    held = {"is": True}

    def lock(_):
        from contextlib import nullcontext

        return nullcontext(not held["is"])

    shop = Shop(clock, policy=policy(hygiene="0 3 * * 5"), lock=lock)
    assert slots(shop) == []
    held["is"] = False
    assert slots(shop) == ["hygiene 03-06T03:00"]


# -- many processes ------------------------------------------------------------------------------------------------------


def _race(folder, barrier, ran, locks):
    clock = fixed_clock(at("2026-03-06T03:00:30"))
    shop = Shop(clock, policy=policy(hygiene="0 3 * * 5"), journal=open_journal(folder, clock), lock=locks)
    barrier.wait(30)
    run_due([shop.book], clock, lambda _: None)
    shop.journal.close()
    with ran.get_lock():
        ran.value += len(shop.ran)


@pytest.mark.parametrize("has_lock", [True, False], ids=["one folder", "many hosts"])
def test_of_twenty_processes_one_makes_the_run(tmp_path, has_lock):
    """Over many hosts the lock of a folder may say nothing: the claim alone decides."""
    forks = multiprocessing.get_context("fork")
    barrier, ran = forks.Barrier(20), forks.Value("i", 0)
    open_journal(tmp_path, fixed_clock(at("2026-03-01"))).close()
    locks = folder_locks(tmp_path) if has_lock else free
    processes = [forks.Process(target=_race, args=(tmp_path, barrier, ran, locks)) for _ in range(20)]
    for each in processes:
        each.start()
    for each in processes:
        each.join(60)
    assert [each.exitcode for each in processes] == [0] * 20
    assert ran.value == 1


def _killed(folder):
    clock = fixed_clock(at("2026-03-06T03:00:30"))
    shop = Shop(
        clock, policy=policy(hygiene="0 3 * * 5"), journal=open_journal(folder, clock), lock=folder_locks(folder)
    )
    book = Book(lambda: shop.policy, lambda: shop.journal, lambda _: os._exit(9), folder_locks(folder))
    run_due([book], clock, lambda _: None)


def test_a_process_that_is_killed_between_claim_and_end_leaves_the_run_to_the_next(tmp_path):
    forks = multiprocessing.get_context("fork")
    process = forks.Process(target=_killed, args=(tmp_path,))
    process.start()
    process.join(30)
    assert process.exitcode == 9
    clock = Hand("2026-03-06T03:01")
    shop = Shop(
        clock, policy=policy(hygiene="0 3 * * 5"), journal=open_journal(tmp_path, clock), lock=folder_locks(tmp_path)
    )
    assert shop.journal.entry("run:hygiene:2026-03-06T03:00") is not None
    assert slots(shop) == []
    clock.to("2026-03-06T03:06")
    assert slots(shop) == ["hygiene 03-06T03:00"]
    assert slots(shop) == []
    shop.journal.close()


def test_what_is_due_is_read_without_being_claimed():
    clock = Hand("2026-03-06T03:00")
    shop = Shop(clock, policy=policy(hygiene="0 3 * * 5"))
    for _ in range(2):
        (found,) = due(shop.policy, shop.journal, clock())
        assert (found.job, found.slot, found.at) == ("hygiene", datetime(2026, 3, 6, 3), at("2026-03-06T03:00"))  # noqa: DTZ001
    assert Ledger(shop.journal).claim("hygiene", found.slot, clock(), {"due": found.at.isoformat()})
    assert not Ledger(shop.journal).claim("hygiene", found.slot, clock() + timedelta(days=1), {"due": "2036-01-01"})
    assert due(shop.policy, shop.journal, clock()) == ()


def test_marks_and_lines_of_ticks_go_after_their_time_and_the_newest_stay(monkeypatch):
    from casebook.runtime.upkeep import ledger as module

    monkeypatch.setattr(module, "MARKS", 2)
    monkeypatch.setattr(module, "LOOKED_AT", 2)
    clock = Hand("2026-03-06T03:00")
    shop = Shop(clock)
    now = clock()

    def line(name, action, subject="", **body):
        shop.journal.append([Entry(name, clock(), "upkeep", action, subject, body=body)])

    for nth in range(4):
        line(f"began:expire:{nth}", "began", "upkeep:expire")
        if nth != 1:
            line(f"ended:began:expire:{nth}", "ended", "upkeep:expire", began=f"began:expire:{nth}")
        line(f"tick:{nth}", "tick")
        line(f"deliver:{nth}", "deliver")
        clock.on(days=1)
    ledger = module.Ledger(shop.journal)
    assert (ledger.drop_marks("expire", now), ledger.drop_ticks(now)) == (0, 0)
    assert (ledger.drop_marks("expire", clock()), ledger.drop_ticks(clock())) == (4, 6)
    assert [each.id for each in shop.journal.entries(actions=("began", "ended"))] == [
        "began:expire:1",
        "began:expire:3",
        "ended:began:expire:3",
    ]
    assert [each.id for each in shop.journal.entries(actions=("tick", "deliver"))] == ["tick:3", "deliver:3"]
