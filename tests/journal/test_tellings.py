"""Tellings where it gets rough: a journal of before there were any, the spill file, salvage, many processes."""

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from casebook.clock import fixed_clock
from casebook.runtime.journal import folder as served
from casebook.runtime.journal.opening import open_journal
from casebook.runtime.journal.schema import APPLICATION, KNOWN, MIGRATIONS
from tests.journal.conftest import Open
from tests.journal.made import NOW, activation, after, entry, event, noted, told
from tests.journal.test_forgetting import held, place
from tests.journal.test_processes import until

HERE = Path(__file__).parents[2]
OLD = (HERE / "tests/journal/journal_1.sql").read_text(encoding="utf-8")
"""The tables as the first release made them."""


@pytest.fixture(autouse=True)
def _little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(served, "PATIENCE", 0.03)
    monkeypatch.setattr(served, "HASTE", 0.01)


def make_old(root: Path) -> None:
    """Make a journal as the first release left it, with a row of each kind."""
    place(root).parent.mkdir(mode=0o700)
    with contextlib.closing(sqlite3.connect(place(root), isolation_level=None)) as old:
        old.executescript(OLD)
        old.execute(f"PRAGMA application_id = {APPLICATION}")
        old.execute("PRAGMA user_version = 1")
        old.execute("INSERT INTO event(id, at, kind, counted, body) VALUES ('e0', 5, 'tool', 0, '{}')")
        old.execute("INSERT INTO entry(id, at, actor, action, subject, body) VALUES ('n0', 5, 'upkeep', 'x', '', '{}')")


# -- a journal of before -------------------------------------------------------------------------------------------------------


def test_the_first_step_is_as_it_was_released() -> None:
    assert MIGRATIONS[0].split() == OLD.split()


def test_a_journal_of_the_first_release_takes_tellings_and_keeps_what_it_has(root: Path, open_: Open) -> None:
    make_old(root)
    journal = open_()
    assert journal.tellings() == {}
    journal.tell([told("m", "a1")])
    assert journal.tellings() == {"m": (told("m", "a1"),)}
    assert ([each.id for each in journal.events()], journal.entries()[0].id) == (["e0"], "n0")
    with contextlib.closing(sqlite3.connect(place(root))) as other:
        assert other.execute("PRAGMA user_version").fetchone() == (KNOWN,)
        assert other.execute("SELECT value FROM about WHERE name = 'min_reader'").fetchone() == ("1",)
    assert journal.troubles == ()


def test_of_two_that_bring_it_to_this_version_at_once_both_go_on(root: Path, open_: Open) -> None:
    make_old(root)
    one, two = open_(), open_()
    one.tell([told("m", "a1")])
    two.tell([told("m", "a2", at=after(seconds=1))])
    one.flush()
    assert [each.key for each in two.tellings()["m"]] == ["a1", "a2"]


READ_ONLY = """
import os, sys
from pathlib import Path
from casebook.clock import system_clock
from casebook.runtime.journal.opening import open_journal
from casebook.stores.memory_store import Forgetting
if os.getuid() == 0:
    os.setuid(65534)
journal = open_journal(Path(sys.argv[1]), system_clock)
print(journal.tellings(), journal.told_in("a"), [each.id for each in journal.events()])
print(sorted(journal.concerned(Forgetting(user="ann")).ids))
journal.close()
"""


def test_one_that_cannot_be_written_is_read_without_any(root: Path) -> None:
    make_old(root)
    for folder in (root, root / ".casebook"):
        folder.chmod(0o555)
    place(root).chmod(0o444)
    for parent in root.parents:
        if parent.stat().st_uid == os.getuid() and parent.is_relative_to("/tmp") and parent != Path("/tmp"):
            parent.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-c", READ_ONLY, str(root)], cwd=HERE, capture_output=True, text=True, check=False
    )
    for folder in (root, root / ".casebook"):
        folder.chmod(0o755)
    assert done.stdout.splitlines() == ["{} () ['e0']", "[]"]
    assert [each.name for each in place(root).parent.iterdir()] == ["journal.db"]


def test_what_describes_the_tables_fits_on_the_first_page(root: Path, open_: Open) -> None:
    """So that a damaged page anywhere else loses rows, and never all of them."""
    open_().record(event())
    with contextlib.closing(sqlite3.connect(place(root))) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    kind = place(root).read_bytes()[100]
    assert kind == 0x0D  # a leaf of the tree; 0x05 would be a branch with its rows on other pages


# -- the spill file -------------------------------------------------------------------------------------------------------------


def test_what_is_told_while_another_process_holds_the_journal_comes_in_later_once(root: Path, open_: Open) -> None:
    journal = open_()
    journal.tell([told("m", "a0")])
    journal.flush()
    with held(root):
        journal.tell([told("m", "a1", at=after(seconds=1)), told("m", "a0", at=after(days=1))])
        journal.flush()
        assert [each.key for each in journal.tellings()["m"]] == ["a0"]
        assert place(root, "journal.pending.jsonl").exists()
    assert [(each.key, each.at) for each in journal.tellings()["m"]] == [("a0", NOW), ("a1", after(seconds=1))]
    assert not place(root, "journal.pending.jsonl").exists()


def test_lines_of_a_release_without_tellings_still_come_in(root: Path, open_: Open) -> None:
    journal = open_()
    journal.record(event("e0"))
    with held(root):
        journal.record(event("e1"))
    pending = place(root, "journal.pending.jsonl")
    line = json.loads(pending.read_text())
    assert line.pop("tellings") == []
    pending.write_text(json.dumps(line) + "\n")
    assert [each.id for each in journal.events()] == ["e0", "e1"]
    assert journal.troubles[1:] == ()


@pytest.mark.parametrize("tellings", [3, "abc", [["m"]], [["m", "k", {}, None, None]], None])
def test_lines_whose_tellings_are_no_rows_are_set_aside(root: Path, open_: Open, tellings: object) -> None:
    journal = open_()
    journal.record(event("e0"))
    with held(root):
        journal.record(event("e1"))
    pending = place(root, "journal.pending.jsonl")
    line = {**json.loads(pending.read_text()), "tellings": tellings}
    pending.write_text(json.dumps(line) + "\n")
    journal.record(event("e2"))
    assert [each.id for each in journal.events()] == ["e0", "e2"]
    assert place(root, "journal.unread.jsonl").exists()


# -- damage ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [1, 2])
def test_tellings_of_a_damaged_journal_are_saved(root: Path, open_: Open, version: int) -> None:
    if version == 1:
        make_old(root)
    else:
        with contextlib.closing(open_journal(root, fixed_clock(NOW))) as journal:
            journal.record(event("e0"))
            journal.tell(told(f"m{number}", "a") for number in range(500))
    data = bytearray(place(root).read_bytes())
    data[:100] = b"\xa5" * 100
    place(root).write_bytes(data)
    found = open_()
    assert ([each.id for each in found.events()], len(found.tellings())) == (["e0"], 0 if version == 1 else 500)
    assert "was damaged" in found.troubles[0]


def test_a_telling_that_is_no_record_is_left_out(root: Path, open_: Open) -> None:
    with contextlib.closing(open_journal(root, fixed_clock(NOW))) as journal:
        journal.tell(told(f"m{number}", "a") for number in range(4))
    with contextlib.closing(sqlite3.connect(place(root), isolation_level=None)) as other:
        other.execute("UPDATE telling SET at = 9e300 WHERE memory = 'm1'")
        other.execute("UPDATE telling SET key = x'ff' WHERE memory = 'm2'")
        other.execute("UPDATE telling SET session = CAST(x'ff41' AS TEXT) WHERE memory = 'm3'")
    assert list(open_().tellings()) == ["m0"]


# -- threads and processes --------------------------------------------------------------------------------------------------------

TELLER = """
import sys
from pathlib import Path
from casebook.clock import system_clock
from casebook.runtime.journal.opening import open_journal
from tests.journal.made import told
journal = open_journal(Path(sys.argv[1]), system_clock)
for number in range(200):
    journal.tell([told("m", f"{sys.argv[2]}.{number}"), told("m", f"both.{number}", user=sys.argv[2])])
"""


def test_processes_that_tell_at_once_lose_nothing_and_count_one_answer_once(root: Path, open_: Open) -> None:
    tellers = [
        subprocess.Popen([sys.executable, "-c", TELLER, str(root), f"w{number}"], cwd=HERE) for number in range(3)
    ]
    assert [each.wait() for each in tellers] == [0, 0, 0]
    assert len(open_().tellings()["m"]) == 3 * 200 + 200


def test_what_is_told_is_written_without_being_asked_for(open_: Open) -> None:
    journal, other = open_(), open_()
    for number in range(3):
        journal.tell([told("m", f"a{number}")])
        assert until(lambda number=number: len(other.tellings().get("m", ())) == number + 1)  # type: ignore[misc]


def test_to_tell_waits_for_nobody(root: Path, open_: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = open_()
    journal.append([entry("n1")])
    monkeypatch.setattr(journal._database, "write", lambda *_, **__: pytest.fail("it was written by who told"))
    with held(root):
        journal._notes._is_awake = True  # as while the writer collects
        journal.tell([told("m", "a1")])
        journal.note(noted(activation("a1")))
    monkeypatch.undo()
    assert list(journal.tellings()) == ["m"]
