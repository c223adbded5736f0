"""Runs: twice is once, killed is completed, dry writes nothing, and never two of a job at once."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from casebook.clock import fixed_clock
from casebook.faults import StoreError
from casebook.policy import JobName
from casebook.runtime.journal.opening import open_journal
from casebook.runtime.upkeep import applying, registry
from casebook.runtime.upkeep.digest import digest
from casebook.runtime.upkeep.protocol import Desk, Job, Move
from casebook.runtime.upkeep.registry import jobs
from casebook.runtime.upkeep.running import run
from casebook.stores.folder import FolderStore
from tests.upkeep.made import DAY, HOUR, NOW, SECOND, Book, HeldMemories, Killed, killing, memory

JOBS: tuple[JobName, ...] = ("expire", "age", "promote", "compact")
LATER = NOW + 60 * DAY


def _filled() -> Book:
    """Give a casebook in which every job has something to do, in several files."""
    book = Book(now=LATER)
    for at in range(4):
        book.keep(memory(f"m-short-{at}", "L1"), path=f"short_term/session_{at}.json")
        book.keep(memory(f"m-asked-{at}", "L1", pinned=True), path=f"short_term/session_{at}.json")
        book.keep(memory(f"m-idle-{at}", kind="usage"))
        book.keep(memory(f"m-used-{at}"))
        book.keep(memory(f"m-seen-{at}", source={"origin": "tool", "by": "tool"}))
        for name in (f"m-used-{at}", f"m-seen-{at}"):
            book.tell(name, NOW, NOW + DAY, NOW + 2 * DAY)
    book.keep(memory("m-long", text="x" * 3000, tier="L3"))
    book.keep(memory("m-aged", "L1"), path="short_term/aged.json")
    return book


@pytest.mark.parametrize("job", JOBS)
def test_a_second_run_changes_nothing(job: JobName) -> None:
    book = _filled()
    assert book.run(job).done
    state, entries = book.state(), list(book.journal.entries())
    for at in (LATER, LATER + SECOND):
        again = book.run(job, at)
        assert (again.done, again.conflicts, again.troubles) == ((), (), ())
    assert (book.state(), list(book.journal.entries())) == (state, entries)


@pytest.mark.parametrize("job", JOBS)
def test_a_dry_run_says_what_a_run_does_and_writes_nothing(job: JobName) -> None:
    book = _filled()
    state = book.state()
    dry = book.run(job, dry=True)
    assert (book.state(), list(book.journal.entries())) == (state, [])
    assert dry.dry
    done = book.run(job)
    assert [(each.kind, each.subject) for each in dry.done] == [(each.kind, each.subject) for each in done.done]


@pytest.mark.parametrize("job", JOBS)
def test_every_move_is_in_the_audit_log_before_the_memory_is_touched(job: JobName) -> None:
    book = _filled()
    change = book.store.change

    def watched(changes: Any, now: Any) -> Any:
        noted = {each.subject for each in book.journal.entries(actions=("move",))}
        assert {each.memory_id for each in changes} <= noted
        return change(changes, now)

    book.store.change = watched  # type: ignore[method-assign]
    report = book.run(job)
    entries = book.journal.entries(actions=("move", "queue"))
    assert sorted(each.subject for each in entries) == sorted(each.subject for each in report.done)
    for entry in entries:
        assert (entry.actor, entry.at) == ("upkeep", LATER)
        if entry.action == "move":
            assert {"job", "kind", "rule", "why", "before", "after", "from", "to"} <= entry.body.keys()
            assert entry.id.startswith(f"move:{job}:{entry.subject}:")


def _end(
    job: JobName, at: int, *, after: bool, later: Any, monkeypatch: pytest.MonkeyPatch
) -> tuple[bool, Mapping[str, Any]]:
    """Run a job that is killed at a write, and then once more; give whether it was, and what stands then."""
    book = _filled()
    counter = [0]
    monkeypatch.setattr(applying, "FILES", 1)
    with monkeypatch.context() as patch:
        patch.setattr(book.store, "change", killing(book.store.change, counter, at, after=after))
        patch.setattr(book.journal, "append", killing(book.journal.append, counter, at, after=after), raising=False)
        try:
            book.run(job)
            was_killed = False
        except Killed:
            was_killed = True
    report = book.run(job, LATER + later)
    assert (report.conflicts, report.troubles) == ((), ())
    assert not book.run(job).done
    moves = sorted((each.subject, each.body["kind"]) for each in book.journal.entries(actions=("move",)))
    asked = sorted(each.id for each in book.journal.entries(actions=("queue",)))
    return was_killed, {**book.state(), "moves": moves, "asked": asked}


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("job", JOBS)
def test_a_run_that_was_killed_at_any_write_is_completed_by_the_next(
    job: JobName, after: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, whole = _end(job, 0, after=after, later=0 * SECOND, monkeypatch=monkeypatch)
    at = 1
    while True:
        was_killed, found = _end(job, at, after=after, later=0 * SECOND, monkeypatch=monkeypatch)
        assert found == whole
        if not was_killed:
            break
        at += 1
    assert at > 2 or job == "compact"


@pytest.mark.parametrize("after", [False, True])
def test_completed_hours_later_each_memory_was_moved_once(after: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    _, whole = _end("expire", 0, after=after, later=HOUR, monkeypatch=monkeypatch)
    for at in range(1, 12):
        _, found = _end("expire", at, after=after, later=HOUR, monkeypatch=monkeypatch)
        assert found["moves"] == whole["moves"]
        assert {name: path for name, (path, _) in found["tiers"].items()} == {
            name: path for name, (path, _) in whole["tiers"].items()
        }
        assert found["archive"] == whole["archive"]


def test_what_a_killed_run_left_is_told_by_the_next() -> None:
    book = Book(now=LATER)
    book.keep(memory("m-1", "L1"))
    change = book.store.change
    book.store.change = killing(change, [0], 1, after=False)  # type: ignore[method-assign]
    with pytest.raises(Killed):
        book.run("expire")
    book.store.change = change  # type: ignore[method-assign]
    report = book.run("expire", LATER + HOUR)
    assert (report.figures["completed"], [each.subject for each in report.done]) == (1, ["m-1"])


def test_a_move_that_a_killed_run_made_is_not_made_again_though_it_was_moved_on_since() -> None:
    book = Book(now=LATER)
    book.keep(memory("m-1", kind="usage"))
    change = book.store.change
    book.store.change = killing(change, [0], 1, after=True)  # type: ignore[method-assign]
    with pytest.raises(Killed):
        book.run("age")
    book.store.change = change  # type: ignore[method-assign]
    book.run("expire", LATER + 8 * DAY)
    report = book.run("age", LATER + 9 * DAY)
    assert (report.done, report.conflicts, book.tier()) == ((), (), "archive")


def test_what_somebody_changed_meanwhile_is_left_and_looked_at_again_by_the_next_run() -> None:
    book = Book(now=LATER)
    book.keep(memory("m-1", "L1"), memory("m-2", "L1"))
    desk = book.desk()
    book.change("m-1", text="another text")
    report = run("expire", lambda: desk, fixed_clock(LATER))
    assert (report.conflicts, [each.subject for each in report.done], report.troubles) == (("m-1",), ["m-2"], ())
    assert [each.subject for each in book.journal.entries(actions=("skip",))] == ["m-1"]
    assert [each.subject for each in digest(book.journal).moves] == ["m-2"]
    assert book.moves("expire", LATER + SECOND) == [("expire", "m-1")]
    assert book.store.retired["m-1"].memory.text == "another text"


def test_a_store_that_fails_is_a_trouble_and_the_next_run_completes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    book = _filled()

    def full(*_: Any) -> Any:
        raise StoreError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(book.store, "change", full)
        report = book.run("expire")
    assert (report.done, report.troubles, report.figures["unfinished"]) == ((), ("the disk is full",), 1)
    again = book.run("expire")
    assert again.troubles == ()
    assert "unfinished" not in again.figures
    assert {each for each in book.store.placed if each.startswith("m-short")} == set()


class _Given:
    """A job that gives the moves that it was made with."""

    name: JobName = "reflect"

    def __init__(self, *moves: Move) -> None:
        self.moves = moves

    def plan(self, desk: Desk) -> tuple[Move, ...]:
        return self.moves


def _with(monkeypatch: pytest.MonkeyPatch, job: Job) -> None:
    from casebook.runtime.upkeep import running

    monkeypatch.setattr(running, "jobs", lambda: {job.name: job})


def test_what_was_to_go_into_a_memory_that_could_not_be_changed_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    book = Book()
    into, gone = memory("m-into"), memory("m-gone")
    book.keep(into, gone)
    book.change("m-into", text="edited by hand")
    merged = into.with_changes(text="both", merged=["m-gone"])
    moves = (
        Move("merge", "m-into", "reflect", "near-identical", before=into, after=merged, others=("m-gone",)),
        Move("merge", "m-gone", "reflect", "near-identical", before=gone, others=("m-into",)),
    )
    _with(monkeypatch, _Given(*moves))
    assert book.run("reflect").conflicts == ("m-into", "m-gone")
    assert (book.tier("m-gone"), book.held("m-into").text) == ("L2", "edited by hand")


def test_a_case_is_archived_and_a_note_is_a_line_of_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    book = Book()
    book.cases.cases["c-1"] = object()
    moves = (
        Move("archive_case", "c-1", "audit", "its time is over", reason="expired"),
        Move("archive_case", "c-2", "audit", "its time is over", reason="expired"),
        Move("note", "c-1", "audit", "a word", key="k"),
    )
    _with(monkeypatch, _Given(*moves))
    report = book.run("reflect")
    assert ([each.kind for each in report.done], report.conflicts) == (["archive_case", "note"], ("c-2",))
    assert list(book.cases.retired) == ["c-1"]
    assert [each.action for each in book.journal.entries(subject="c-1")] == ["move", "note"]


def test_a_job_that_finishes_gives_its_figures_once_its_moves_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    class Packing(_Given):
        def finish(self, desk: Desk, *, dry: bool) -> Mapping[str, int]:
            return {"packed": 0 if dry else 3}

    book = Book()
    _with(monkeypatch, Packing())
    assert book.run("reflect").figures == {"looked_at": 0, "packed": 3}
    assert book.run("reflect", dry=True).figures == {"looked_at": 0, "packed": 0}


def test_moves_are_made_a_few_at_a_time_and_others_are_let_go_on_in_between(monkeypatch: pytest.MonkeyPatch) -> None:
    book = Book(now=LATER)
    for at in range(40):
        book.keep(memory(f"m-{at:02}", "L1"), path=f"short_term/session_{at:02}.json")
    sizes, pauses = [], []
    change = book.store.change
    book.store.change = lambda changes, now: (sizes.append(len(changes)), change(changes, now))[1]  # type: ignore[method-assign, func-returns-value]
    run("expire", book.desk, fixed_clock(LATER), pause=lambda: pauses.append(len(sizes)))
    assert sizes == [16, 16, 8]
    assert pauses == [1, 2, 3]

    book = Book(now=LATER)
    for at in range(1201):
        book.keep(memory(f"m-{at}", "L1"))
    sizes.clear()
    change_all = book.store.change
    book.store.change = lambda changes, now: (sizes.append(len(changes)), change_all(changes, now))[1]  # type: ignore[method-assign, func-returns-value]
    assert len(book.run("expire").done) == 1201
    assert sizes == [500, 500, 201]


# -- one at a time -----------------------------------------------------------------------------------------------------


def test_who_comes_second_is_told_so_at_once_and_nothing_is_done_twice() -> None:
    book = _filled()
    seen: list[Any] = []

    def second() -> None:
        seen.append(run("expire", book.desk, fixed_clock(LATER)))
        seen.append(run("age", book.desk, fixed_clock(LATER)))

    def pause() -> None:
        if not seen:
            other = threading.Thread(target=second)
            other.start()
            other.join()

    report = run("expire", book.desk, fixed_clock(LATER), pause=pause)
    assert report.done
    assert (seen[0].done, seen[0].troubles) == (
        (),
        ("expire is running in this casebook already, and was not begun a second time",),
    )
    assert seen[1].troubles == ()  # another job may run
    assert run("expire", book.desk, fixed_clock(LATER)).troubles == ()


def _folder_desk(root: Path, store: HeldMemories) -> Desk:
    clock = fixed_clock(LATER)
    cases = FolderStore(root, clock=clock)
    return Desk(LATER, cases.snapshot().policy, store.snapshot(), {}, store, cases, open_journal(root, clock))


def _run_held(root: Path, holds: Any, go_on: Any) -> None:
    store = HeldMemories()
    store.put(memory("m-1", "L1"))

    def pause() -> None:
        holds.set()
        assert go_on.wait(30)

    report = run("expire", lambda: _folder_desk(root, store), fixed_clock(LATER), pause=pause)
    assert len(report.done) == 1, report


def test_two_processes_never_run_a_job_of_one_folder_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    holds, go_on = context.Event(), context.Event()
    other = context.Process(target=_run_held, args=(tmp_path, holds, go_on))
    other.start()
    store = HeldMemories()
    store.put(memory("m-2", "L1"))
    try:
        assert holds.wait(30)
        refused = run("expire", lambda: _folder_desk(tmp_path, store), fixed_clock(LATER))
        assert (refused.done, len(refused.troubles)) == ((), 1)
        assert "already" in refused.troubles[0]
        dry = run("expire", lambda: _folder_desk(tmp_path, store), fixed_clock(LATER), dry=True)
        assert (len(dry.done), dry.troubles) == (1, ())
    finally:
        go_on.set()
        other.join(30)
    assert other.exitcode == 0
    assert len(run("expire", lambda: _folder_desk(tmp_path, store), fixed_clock(LATER)).done) == 1


def test_a_lock_that_cannot_be_made_is_a_trouble(tmp_path: Path) -> None:
    (tmp_path / ".casebook").mkdir()
    (tmp_path / ".casebook" / "upkeep-expire.lock").mkdir()
    store = HeldMemories()
    store.put(memory("m-1", "L1"))
    report = run("expire", lambda: _folder_desk(tmp_path, store), fixed_clock(LATER))
    assert (report.done, len(report.troubles)) == ((), 1)


def test_every_job_that_plans_is_registered_under_its_name() -> None:
    assert set(jobs()) == set(registry._JOBS)
    for name in JOBS:
        assert jobs()[name].name == name
    with pytest.raises(KeyError):
        cast("Any", jobs())["tick"]


# -- compact -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "scope, chars, asks",
    [({}, 3000, 0), ({}, 3001, 1), ({"project": "p"}, 3001, 1), ({"user": "u"}, 4000, 0), ({"user": "u"}, 4001, 1)],
)
def test_a_scope_with_too_much_text_is_put_to_a_person(scope: dict[str, str], chars: int, asks: int) -> None:
    book = Book()
    book.keep(
        memory("m-1", text="x" * 2000, scope=scope), memory("m-2", text="字" * (chars - 2000), scope=scope, tier="L3")
    )
    book.keep(
        memory("m-other", text="x" * 900, scope={"project": "another"}),
        memory("m-short", "L1", text="x" * 900, scope=scope),
    )
    assert len(book.moves("compact")) == asks


def test_the_least_used_and_oldest_go_first_and_pinned_ones_never() -> None:
    book = Book()
    book.keep(
        memory("m-pinned", text="x" * 900, pinned=True, since=NOW - 99 * DAY),
        memory("m-used", text="x" * 900, since=NOW - 50 * DAY),
        memory("m-new", text="x" * 900),
        memory("m-old", text="x" * 900, since=NOW - 9 * DAY),
        memory("m-lasting", text="x" * 900, since=NOW - 90 * DAY, tier="L3"),
    )
    book.tell("m-used", NOW - 49 * DAY, NOW - 48 * DAY)
    (move,) = book.run("compact").done
    assert (move.subject, move.others, move.reason) == ("m-old", ("m-new",), "too_long")
    assert move.proposal == {"do": "archive", "ids": ["m-old", "m-new"]}
    assert "x" * 10 not in move.why


def test_it_is_asked_again_when_the_state_is_another() -> None:
    book = Book()
    book.keep(memory("m-1", text="x" * 3001))
    assert [len(book.moves("compact", NOW + at * DAY)) for at in range(3)] == [1, 0, 0]
    book.keep(memory("m-2", text="x"))
    assert [len(book.moves("compact", NOW + at * DAY)) for at in range(3, 6)] == [1, 0, 0]


def test_an_asking_holds_what_review_needs() -> None:
    book = Book()
    book.keep(memory(source={"origin": "tool", "by": "tool"}))
    book.tell("m-1", NOW, NOW + SECOND, NOW + 2 * SECOND)
    book.run("promote", NOW + DAY)
    (entry,) = book.journal.entries(actions=("queue",))
    assert entry.id.startswith("ask:unconfirmed:m-1:")
    assert entry.body["reason"] == "unconfirmed"
    assert entry.body["proposal"] == {"do": "promote"}
    assert entry.body["memory"] == {"file": "medium_term/active_projects.json", "kind": "fact"}
    assert replace(entry, seq=0).subject == "m-1"
