"""A run in a process of its own does and gives what one in this process does; what becomes of it where the process ends early."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from casebook.clock import fixed_clock
from casebook.runtime.journal.opening import memory_journal
from casebook.runtime.matching.engines import matcher
from casebook.runtime.opening import store_of
from casebook.runtime.runtime import Runtime
from casebook.runtime.upkeep import apart
from casebook.runtime.upkeep.apart import MANY, is_due_apart
from casebook.runtime.upkeep.protocol import Report
from casebook.stores.confined import lock_path
from casebook.stores.file_locks import file_lock
from tests.benchmarks.upkeep import NOW, folder_of

JOBS = ("expire", "age", "promote", "audit", "reflect", "compact", "archive", "hygiene")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("made") / "memory"
    folder_of(root, 600, 10)
    return root


@pytest.fixture
def root(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "memory"))


def left(root: Path) -> Any:
    """Give what stands in the files, and the audit log without the numbers of its rows."""
    files = {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*.json"))
        if not path.relative_to(root).as_posix().startswith(".")
    }
    with closing(sqlite3.connect(root / ".casebook" / "journal.db")) as connection:
        rows = connection.execute("SELECT id, at, actor, action, subject, body FROM entry ORDER BY seq").fetchall()
    return files, rows


def seen(report: Report) -> Any:
    return (
        report.job,
        report.at,
        report.dry,
        report.done,
        report.conflicts,
        report.troubles,
        dict(report.figures),
        report.layer,
    )


def test_a_run_apart_makes_the_same_moves_leaves_the_same_files_and_log_and_gives_the_same_report(
    made: Path, tmp_path: Path
) -> None:
    found = []
    for is_apart in (False, True):
        root = Path(shutil.copytree(made, tmp_path / str(is_apart) / "memory"))
        with Runtime.open(root, clock=fixed_clock(NOW)) as runtime:
            runtime.recall("invoice ledger", project="p1")  # noted, and written by the time another process reads it
            dry = runtime.maintain(["expire"], dry=True, apart=is_apart)
            reports = runtime.maintain(JOBS, apart=is_apart)
        found.append((list(map(seen, (*dry, *reports))), left(root)))
    assert found[0] == found[1]
    assert sum(len(each[3]) for each in found[0][0]) > 20


def test_what_was_recalled_in_this_process_a_moment_ago_is_known_to_the_other(root: Path) -> None:
    with Runtime.open(root, clock=fixed_clock(NOW)) as runtime:
        text = "the price review reads the ledger of nobody else"
        (kept,) = runtime.remember({"text": text, "user": "ann", "session": "s1", "by": "tool"})
        for number in range(3):
            assert runtime.recall(text, user="ann", session=f"r{number}")
        (report,) = runtime.maintain(["promote"], dry=True, apart=True)
        assert kept.memory is not None
        told = runtime.journal.tellings()[kept.memory.id]
        assert len(told) == 3
        assert [each.troubles for each in (report,)] == [()]


@pytest.mark.parametrize(
    ("memories", "expected"), [(MANY, False), (MANY + 1, True)], ids=["as many as may be", "one more"]
)
def test_a_run_is_made_apart_where_there_are_many_memories(
    root: Path, monkeypatch: pytest.MonkeyPatch, memories: int, expected: bool
) -> None:
    made_apart: list[str] = []
    monkeypatch.setattr(apart, "run_apart", lambda layer, job, *_, **__: made_apart.append(job))
    with Runtime.open(root, clock=fixed_clock(NOW)) as runtime:
        count = len(runtime.recollection.layers()[0].memories.snapshot().memories)
        monkeypatch.setattr(apart, "MANY", count - (1 if expected else 0))
        assert memories - MANY == expected
        (report,) = runtime.maintain(["compact"])
    assert (made_apart, report.figures["looked_at"]) == (["compact"] if expected else [], count)


def test_files_that_were_not_read_yet_are_judged_by_their_size(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Runtime.open(root, clock=fixed_clock(NOW)) as runtime:
        (layer,) = runtime.recollection.layers()
        monkeypatch.setattr(apart, "MANY", 300)
        assert is_due_apart(layer)
        monkeypatch.setattr(apart, "MANY", 1_200)
        assert not is_due_apart(layer)


def test_a_journal_that_is_not_the_folders_own_is_known_to_this_process_alone(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = fixed_clock(NOW)
    monkeypatch.setattr(apart, "MANY", 0)
    with Runtime.open(root, clock=clock) as runtime:
        assert is_due_apart(runtime.recollection.layers()[0])
    store, noted = store_of([root], clock), memory_journal(clock)
    with Runtime(store, matcher("reference"), clock, None, journal=noted) as runtime:
        assert not is_due_apart(runtime.recollection.layers()[0])


def _code(text: str) -> Callable[[], list[str]]:
    return lambda: [sys.executable, "-c", text]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("raise SystemExit('out of room')", "ended with 1 before it was done; the next run completes it: out of room"),
        ("import os; os.kill(os.getpid(), 9)", "ended with -9 before it was done"),
        ("pass", "ended with 0 before it was done"),
    ],
)
def test_a_process_that_ends_early_is_told_and_the_run_is_not_done(
    root: Path, monkeypatch: pytest.MonkeyPatch, code: str, told: str
) -> None:
    monkeypatch.setattr(apart, "_command", _code(code))
    with Runtime.open(root, clock=fixed_clock(NOW)) as runtime:
        (report,) = runtime.maintain(["expire"], apart=True)
        assert (report.done, dict(report.figures), len(report.troubles)) == ((), {}, 1)
        assert told in report.troubles[0]
        monkeypatch.undo()
        (again,) = runtime.maintain(["expire"], apart=True)
        assert (bool(again.done), again.troubles) == (True, ())


def test_where_no_process_can_be_made_the_run_is_made_in_this_one(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "_command", lambda: [str(root / "no such interpreter")])
    with Runtime.open(root, clock=fixed_clock(NOW)) as runtime:
        (report,) = runtime.maintain(["expire"], apart=True)
    assert (bool(report.done), report.troubles) == (True, ())


def test_a_run_that_is_asked_to_end_ends_its_process_and_the_next_completes_it(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class EnoughError(Exception): ...

    began: list[Any] = []
    real = subprocess.Popen

    def noted(*given: Any, **named: Any) -> Any:
        began.append(real(*given, **named))
        return began[-1]

    def enough() -> None:
        raise EnoughError

    monkeypatch.setattr(subprocess, "Popen", noted)
    with Runtime.open(root, clock=fixed_clock(NOW)) as runtime:
        (layer,) = runtime.recollection.layers()
        with pytest.raises(EnoughError):
            runtime.recollection.run_job("hygiene", layer, apart=True, pause=enough)
        assert began[0].returncode is not None
        (report,) = runtime.maintain(["hygiene"], apart=True)
    assert report.troubles == ()


def test_a_second_run_of_a_job_that_runs_in_another_process_says_so(root: Path) -> None:
    with Runtime.open(root, clock=fixed_clock(NOW)) as runtime:
        lock = file_lock(lock_path(root, "upkeep-expire.lock"))
        with lock:
            (report,) = runtime.maintain(["expire"], apart=True)
    assert report.troubles == ("expire is running in this casebook already, and was not begun a second time",)
    assert json.loads(json.dumps(dict(report.figures))) == {}
