"""Many threads, many processes, processes that are killed and that fork: all that was taken is there, once."""

import contextlib
import gc
import os
import random
import signal
import subprocess
import sys
import threading
import time
import warnings
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest

from casebook.clock import fixed_clock
from casebook.runtime.journal.opening import open_journal
from casebook.runtime.journal.records import Fired
from casebook.runtime.journal.sqlite import SqliteJournal
from tests.journal.conftest import Open
from tests.journal.made import NOW, activation, entry, event, noted

HERE = Path(__file__).parents[2]
WRITER = """
import sys
from pathlib import Path
from casebook.clock import system_clock
from casebook.runtime.journal.opening import open_journal
from tests.journal.made import activation, entry, event, noted
journal = open_journal(Path(sys.argv[1]), system_clock)
who, count = sys.argv[2], int(sys.argv[3])
for number in range(count):
    journal.note(noted(activation(f"{who}.{number}", "c")))
    assert journal.record(event(f"{who}.{number}")) is not None
    print(number, *journal.append([entry(f"claim.{number}")]), flush=True)
journal.close()
"""


def start(root: Path, who: str, count: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(root), who, str(count)],
        cwd=HERE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_sixteen_processes_at_once_lose_nothing_and_each_claim_is_made_by_one(root: Path, open_: Open) -> None:
    writers = [start(root, f"w{number}", 10) for number in range(16)]
    told = [writer.communicate() for writer in writers]
    assert [(writer.returncode, words[1]) for writer, words in zip(writers, told, strict=True)] == [(0, "")] * 16
    journal = open_()
    names = {f"w{who}.{number}" for who in range(16) for number in range(10)}
    assert {each.id for each in journal.events()} == names
    assert {each.id for each in journal.activations()} == names
    assert journal.fired("c") == Fired(160, NOW)
    claims = [line for words, _ in told for line in words.splitlines() if line.endswith("True")]
    assert sorted(int(line.split()[0]) for line in claims) == list(range(10))
    assert len(journal.entries()) == 10
    seqs = [each.seq for each in journal.events()]
    assert seqs == sorted(set(seqs))


def test_a_process_killed_at_any_moment_loses_nothing_that_was_recorded(root: Path, open_: Open) -> None:
    chance = random.Random(7)
    for turn in range(6):
        writer = start(root, f"k{turn}", 100_000)
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(chance.uniform(0.005, 0.1))
        os.kill(writer.pid, signal.SIGKILL)
        lines = ["0 True", *writer.communicate()[0].splitlines()]
        journal = open_()
        kept = {each.id for each in journal.events()}
        assert {f"k{turn}.{line.split()[0]}" for line in lines if line.endswith(("True", "False"))} <= kept
        assert journal.troubles == ()
        journal.close()


def test_threads_share_one_journal(open_: Open) -> None:
    journal = open_()

    def work(who: int) -> None:
        for number in range(30):
            journal.note(noted(activation(f"{who}.{number}", "c")))
            journal.record(event(f"{who}.{number}"))
            assert journal.activation(f"{who}.{number}") is not None

    threads = [threading.Thread(target=work, args=(who,)) for who in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert (len(journal.events()), journal.fired("c").count) == (240, 240)


def until(holds: Callable[[], bool]) -> bool:
    """Wait until something holds, for ten seconds at most."""
    for _ in range(1000):
        if holds():
            return True
        time.sleep(0.01)
    return False


def test_what_is_noted_is_written_without_being_asked_for(open_: Open) -> None:
    journal, other = open_(), open_()
    for number in range(3):
        journal.note(noted(activation(f"a{number}", "c")))
        assert until(lambda number=number: other.fired("c").count == number + 1)  # type: ignore[misc]


def test_what_is_noted_is_written_as_a_process_ends(root: Path, open_: Open) -> None:
    script = WRITER.replace("    assert journal", "    continue\n    assert journal").replace("journal.close()\n", "")
    process = subprocess.run(
        [sys.executable, "-W", "error", "-c", script, str(root), "w", "5"], cwd=HERE, capture_output=True, check=False
    )
    assert (process.returncode, process.stderr) == (0, b"")
    assert open_().fired("c").count == 5


def test_a_journal_that_nobody_holds_is_let_go_with_its_thread(root: Path) -> None:
    threads = threading.active_count()
    journal = open_journal(root, fixed_clock(NOW))
    journal.note(noted(activation("a1", "c")))
    journal.flush()
    gone = weakref.ref(journal)
    del journal
    assert until(lambda: gc.collect() >= 0 and gone() is None)
    assert until(lambda: threading.active_count() <= threads)


# -- forks ---------------------------------------------------------------------------------------------------------------------


def in_child(work: Callable[[], None]) -> int:
    """Do something in a child that was forked; give its exit code."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        code = 1
        with contextlib.suppress(BaseException):
            work()
            code = 0
        os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.parametrize("times", range(5))
def test_a_child_writes_on_its_own_and_leaves_what_the_parent_noted_to_it(root: Path, open_: Open, times: int) -> None:
    journal = open_()
    journal.record(event("before"))
    calls: list[int] = []

    def make() -> object:
        calls.append(os.getpid())
        return noted(activation("parent", "c"))()

    journal.note(make)  # type: ignore[arg-type]

    def work() -> None:
        assert journal.record(event("child")) is not None
        journal.note(noted(activation("child", "c")))
        journal.flush()
        assert {each.id for each in journal.events()} == {"before", "child"}
        assert os.getpid() not in calls
        journal.close()

    assert in_child(work) == 0
    assert journal.fired("c").count == 2
    assert journal.record(event("after")) is not None
    assert [each.id for each in journal.events()] == ["before", "child", "after"]


def test_a_child_in_memory_has_a_journal_of_its_own(memory: SqliteJournal) -> None:
    memory.append([entry("a")])

    def work() -> None:
        assert memory.append([entry("a"), entry("b")]) == (False, True)

    assert in_child(work) == 0
    assert [each.id for each in memory.entries()] == ["a"]


def test_forks_while_threads_write_hang_nobody(open_: Open) -> None:
    journal = open_()
    stop = threading.Event()

    def work() -> None:
        number = 0
        while not stop.is_set():
            journal.note(noted(activation(f"a{number}", "c")))
            journal.record(event(f"e{number}"))
            number += 1

    thread = threading.Thread(target=work)
    thread.start()
    try:
        codes = [in_child(lambda turn=turn: _written(journal, f"child{turn}")) for turn in range(10)]  # type: ignore[misc]
    finally:
        stop.set()
        thread.join()
    assert codes == [0] * 10
    assert {f"child{turn}" for turn in range(10)} <= {each.id for each in journal.events()}


def _written(journal: SqliteJournal, name: str) -> None:
    journal.note(noted(activation(name, "c")))
    assert journal.record(event(name)) is not None
    journal.close()
