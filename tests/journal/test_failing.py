"""A journal that cannot be written, or not as it should: what can be saved is, nothing is torn, and it says so."""

import contextlib
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from casebook.clock import fixed_clock
from casebook.faults import StoreError
from casebook.runtime.journal import file
from casebook.runtime.journal import folder as served
from casebook.runtime.journal.database import in_transaction
from casebook.runtime.journal.opening import open_journal
from casebook.runtime.journal.records import Fired
from casebook.runtime.journal.sqlite import SqliteJournal
from tests.journal.conftest import Open
from tests.journal.made import NOW, activation, after, entry, event, failed, noted, version

HERE = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(served, "PATIENCE", 0.03)
    monkeypatch.setattr(served, "HASTE", 0.01)


def place(root: Path, name: str = "journal.db") -> Path:
    return root / ".casebook" / name


def ids(journal: SqliteJournal) -> list[str]:
    return [each.id for each in journal.events()]


@contextlib.contextmanager
def held(root: Path) -> Iterator[None]:
    """Hold the database against every writer, as another process would."""
    with contextlib.closing(sqlite3.connect(place(root), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


# -- the spill file ------------------------------------------------------------------------------------------------------------


def test_while_another_process_holds_it_events_are_kept_beside_it_and_come_in_later(root: Path, open_: Open) -> None:
    journal = open_()
    journal.record(event("e1"))
    with held(root):
        assert journal.record(event("e2")) == 0
        assert journal.record(event("e2")) is None
        assert journal.record(event("e1")) is None
        assert journal.append([entry("n1"), entry("n1")]) == (True, False)
        journal.keep([version()])
        journal.note(noted(activation("a1", "c")))
        journal.flush()
        assert ids(journal) == ["e1"]
        pending = place(root, "journal.pending.jsonl")
        assert pending.stat().st_mode & 0o777 == 0o600
        assert "another process holds it" in journal.troubles[0]
    assert ids(journal) == ["e1", "e2"]
    assert (journal.fired("c"), len(journal.entries()), len(journal.versions("c"))) == (Fired(1, NOW), 1, 1)
    assert not pending.exists()


def test_what_a_process_left_beside_it_is_brought_in_in_order_by_the_next_that_opens(root: Path, open_: Open) -> None:
    first = open_()
    first.record(event("e0"))
    with held(root):
        for number in range(1, 5):
            first.record(event(f"e{number}"))
        first.close()
    second = open_()
    assert ids(second) == ["e0", "e1", "e2", "e3", "e4"]
    assert [each.seq for each in second.events()] == [1, 2, 3, 4, 5]


def test_what_comes_in_a_second_time_is_passed_over(root: Path, open_: Open) -> None:
    journal = open_()
    journal.record(event("e0"))
    pending = place(root, "journal.pending.jsonl")
    with held(root):
        journal.record(event("e1"))
        journal.note(noted(activation("a1", "c")))
        journal.flush()
        kept = pending.read_bytes()
    assert ids(journal) == ["e0", "e1"]
    pending.write_bytes(kept)
    journal.record(event("e2"))
    assert (ids(journal), journal.fired("c").count) == (["e0", "e1", "e2"], 1)


def test_two_processes_beside_it_see_each_others_ids(root: Path, open_: Open) -> None:
    one, two = open_(), open_()
    one.record(event("e0"))
    with held(root):
        assert one.append([entry("claim")]) == (True,)
        assert two.append([entry("claim"), entry("more")]) == (False, True)
        assert one.append([entry("more")]) == (False,)
    assert [each.id for each in two.entries()] == ["claim", "more"]


def test_a_line_whose_writer_was_killed_is_set_aside_and_the_rest_comes_in(root: Path, open_: Open) -> None:
    journal = open_()
    journal.record(event("e0"))
    pending = place(root, "journal.pending.jsonl")
    with held(root):
        journal.record(event("e1"))
        with pending.open("ab") as stream:
            stream.write(b'{"activations":[],"events":[["torn')
        journal.record(event("e2"))
        hostile = [b"[]", b"null", b'{"activations":[],"events":[[1,2]],"entries":[],"versions":[]}', b"\xff\0"]
        with pending.open("ab") as stream:
            stream.write(b"\n".join(hostile) + b"\n" + b"[" * 100_000 + b"\n")
    assert ids(journal) == ["e0", "e1", "e2"]
    unread = place(root, "journal.unread.jsonl").read_bytes()
    assert unread.startswith(b'{"activations":[],"events":[["torn\n[]\nnull\n')
    assert any("are no rows" in each for each in journal.troubles)


def test_after_one_wait_in_vain_none_waits_again_until_one_succeeds(
    root: Path, open_: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = open_()
    waits: list[int] = []
    real = in_transaction

    def watched(connection: sqlite3.Connection, step: object) -> object:
        waits.append(connection.execute("PRAGMA busy_timeout").fetchone()[0])
        return real(connection, step)  # type: ignore[arg-type]

    monkeypatch.setattr(served, "in_transaction", watched)
    journal.record(event("e0"))
    with held(root):
        journal.record(event("e1"))
        journal.record(event("e2"))
    journal.record(event("e3"))
    journal.record(event("e4"))
    assert waits[1:] == [30, 10, 10, 30]


def test_no_question_waits_for_who_holds_it(root: Path, open_: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = open_()
    journal.record(event("e0"))
    waits: list[int] = []

    def watched(connection: sqlite3.Connection, step: object) -> object:
        waits.append(connection.execute("PRAGMA busy_timeout").fetchone()[0])
        return in_transaction(connection, step)  # type: ignore[arg-type]

    with held(root):
        journal.record(event("e1"))
        monkeypatch.setattr(served, "in_transaction", watched)
        assert (ids(journal), journal.fired("c").count, journal.changes() > 0) == (["e0"], 0, True)
    assert waits == [0, 0, 0]
    assert ids(journal) == ["e0", "e1"]


# -- a disk that is full -------------------------------------------------------------------------------------------------------


def test_where_the_database_cannot_grow_events_are_kept_beside_it(root: Path, open_: Open) -> None:
    journal = open_()
    journal.record(event("e0"))
    journal._database.ask(lambda connection: connection.execute("PRAGMA max_page_count = 1").fetchone())
    assert journal.record(event("e1", body={"text": "x" * 100_000})) == 0
    assert "full" in journal.troubles[0]
    journal._database.ask(lambda connection: connection.execute("PRAGMA max_page_count = 100000").fetchone())
    journal.record(event("e2"))
    assert ids(journal) == ["e0", "e1", "e2"]


FULL = """
import resource, sys
from pathlib import Path
from casebook.clock import system_clock
from casebook.faults import StoreError
from casebook.runtime.journal.database import in_transaction
from casebook.runtime.journal.opening import open_journal
from casebook.runtime.journal.records import EventRecord
journal = open_journal(Path(sys.argv[1]), system_clock)
journal.record(EventRecord("e0", system_clock(), "tool"))
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
done = ["e0"]
refused = 0
for number in range(1, 60):
    try:
        if journal.record(EventRecord(f"e{number}", system_clock(), "tool", body={"text": "x" * 3000})) is not None:
            done.append(f"e{number}")
    except StoreError as error:
        refused += 1
        told = str(error)
print(",".join(done))
print(refused)
print(told)
journal.close()
"""


@pytest.mark.parametrize("limit", [60_000, 150_000])
def test_a_full_disk_is_a_clear_error_and_loses_nothing_that_was_taken(root: Path, open_: Open, limit: int) -> None:
    process = subprocess.run(
        [sys.executable, "-c", FULL, str(root), str(limit)], cwd=HERE, capture_output=True, text=True, check=False
    )
    done, refused, told = process.stdout.splitlines()
    assert int(refused) > 0
    assert told.startswith(f"{place(root)}: the journal cannot be written: ")
    assert "journal.pending.jsonl beside it: File too large" in told
    assert ids(open_()) == done.split(",")


# -- a folder that cannot be written ---------------------------------------------------------------------------------------------

READ_ONLY = """
import os, sys
from pathlib import Path
from casebook.clock import system_clock
from casebook.faults import StoreError
from casebook.runtime.journal.database import in_transaction
from casebook.runtime.journal.opening import open_journal
from casebook.runtime.journal.records import EventRecord
if os.getuid() == 0:
    os.setuid(65534)
journal = open_journal(Path(sys.argv[1]), system_clock)
print([each.id for each in journal.events()], journal.changes() >= 0)
try:
    journal.record(EventRecord("no", system_clock(), "tool"))
except StoreError as error:
    print(error)
journal.note(lambda: 1 / 0)
journal.close()
"""


@pytest.mark.parametrize("state", ["nothing", "closed", "live"])
def test_a_folder_that_cannot_be_written_is_read_and_its_writes_are_clear_errors(root: Path, state: str) -> None:
    journal = open_journal(root, fixed_clock(NOW))
    if state != "nothing":
        journal.record(event("e1"))
    if state == "closed":
        journal.close()
    for folder in (root, root / ".casebook"):
        if folder.exists():
            folder.chmod(0o555)
            for each in folder.iterdir():
                each.chmod(0o555 if each.is_dir() else 0o444)
    for parent in root.parents:
        if parent.stat().st_uid == os.getuid() and parent.is_relative_to("/tmp") and parent != Path("/tmp"):
            parent.chmod(0o755)
    process = subprocess.run(
        [sys.executable, "-c", READ_ONLY, str(root)], cwd=HERE, capture_output=True, text=True, check=False
    )
    for folder in (root, root / ".casebook"):
        if folder.exists():
            folder.chmod(0o755)
    journal.close()
    read, told = process.stdout.splitlines()
    assert read == f"{[] if state == 'nothing' else ['e1']} True"
    assert told.startswith(f"{place(root)}: the journal cannot be written: ")
    assert not place(root, "journal.pending.jsonl").exists()


def test_a_read_only_journal_that_becomes_writable_is_written(root: Path, open_: Open) -> None:
    blocked = root / ".casebook"
    journal = open_()
    blocked.write_text("a file in its place")
    with pytest.raises(StoreError, match="cannot be written"):
        journal.record(event("e1"))
    blocked.unlink()
    assert journal.record(event("e1")) == 1


def test_reading_makes_no_file(root: Path, open_: Open) -> None:
    journal = open_()
    assert ids(journal) == []
    journal.close()
    assert list(root.iterdir()) == []


@pytest.mark.parametrize("name", ["journal.db", "journal.db-wal", "journal.pending.jsonl", "journal.lock"])
def test_a_link_in_the_place_of_a_file_is_not_followed(root: Path, tmp_path: Path, name: str) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    place(root).parent.mkdir()
    if name == "journal.pending.jsonl":
        filled(root, 1)
    place(root, name).symlink_to(victim)
    holding = held(root) if name == "journal.pending.jsonl" else contextlib.nullcontext()
    with holding, contextlib.suppress(StoreError), contextlib.closing(open_journal(root, fixed_clock(NOW))) as journal:
        journal.record(event())
    assert victim.read_text() == "mine"


def test_nothing_is_written_where_a_link_leads_out_of_the_casebook(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    with contextlib.closing(open_journal(outside, fixed_clock(NOW))) as journal:
        journal.record(event("theirs"))
    before = {each.name: each.read_bytes() for each in (outside / ".casebook").iterdir()}
    (root / ".casebook").symlink_to(outside / ".casebook")
    with pytest.raises(StoreError, match="folder of the casebook's own, got a link"):
        open_journal(root, fixed_clock(NOW))
    assert {each.name: each.read_bytes() for each in (outside / ".casebook").iterdir()} == before


# -- damage ----------------------------------------------------------------------------------------------------------------------


def filled(root: Path, number: int = 400) -> None:
    with contextlib.closing(open_journal(root, fixed_clock(NOW))) as journal:
        journal.append([entry("n1", body={"x": 1})])
        journal.keep([version()])
        for each in range(number):
            journal.note(noted(activation(f"a{each}", "c"), failed(f"e{each}", body={"text": "word " * 60})))


def corrupt(root: Path) -> list[Path]:
    return [each for each in place(root).parent.glob("journal.db.corrupt-*") if each.suffix not in ("-wal", "-shm")]


@pytest.mark.parametrize(
    "damage, least",
    [
        ("header", 400),
        ("first page", 0),
        ("zero length", 0),
        ("a third cut off", 100),
        ("middle pages", 300),
        ("every tenth page", 100),
        ("random bytes", 0),
        ("another database", 0),
        ("text", 0),
    ],
)
def test_a_damaged_journal_is_moved_aside_and_what_can_be_read_is_saved(
    root: Path, open_: Open, damage: str, least: int
) -> None:
    filled(root)
    path = place(root)
    data = bytearray(path.read_bytes())
    if damage == "header":
        data[:100] = b"\xa5" * 100
    elif damage == "first page":
        data[:4096] = b"\xa5" * 4096
    elif damage == "zero length":
        data = bytearray()
    elif damage == "a third cut off":
        del data[len(data) * 2 // 3 :]
    elif damage == "middle pages":
        middle = len(data) // 2 // 4096 * 4096
        data[middle : middle + 8192] = b"\x5a" * 8192
    elif damage == "every tenth page":
        for start in range(61_440, len(data) - 4096, 40_960):
            data[start : start + 4096] = os.urandom(4096)
    elif damage == "random bytes":
        data = bytearray(os.urandom(len(data)))
    elif damage == "text":
        data = bytearray(b"this is no database\n" * 1000)
    path.write_bytes(data)
    if damage == "another database":
        path.unlink()
        with contextlib.closing(sqlite3.connect(path)) as other:
            other.execute("CREATE TABLE mine (x)")
    journal = open_()
    journal.record(event("new"))
    found = journal.events()
    assert found[-1].id == "new"
    assert len(found) > least
    known = {f"e{number}": number for number in range(400)}
    saved = [each for each in found if each.id != "new"]
    assert [known[each.id] for each in saved] == sorted(known[each.id] for each in saved)
    assert all(each.body["text"] == "word " * 60 for each in saved)
    journal.activations()
    journal.signatures()
    (aside,) = corrupt(root)
    assert aside.name == "journal.db.corrupt-20260320T120000Z"
    assert len(journal.troubles) == 1
    assert "was damaged" in journal.troubles[0]
    if least == 400:
        assert (journal.fired("c").count, len(journal.entries()), len(journal.versions("c"))) == (400, 1, 1)
        assert [each.firings[0].case_id for each in journal.activations()] == ["c"] * 400
    assert path.stat().st_mode & 0o777 == 0o600
    with contextlib.closing(sqlite3.connect(path)) as whole:
        assert whole.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_damage_that_only_a_later_question_meets_is_got_over_too(root: Path, open_: Open) -> None:
    filled(root)
    journal = open_()
    assert journal.record(event("e-1")) is not None
    journal.close()
    data = bytearray(place(root).read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 4096] = b"\x5a" * 4096
    place(root).write_bytes(data)
    later = open_()
    later.record(event("x1"))
    later.events()
    later.activations()
    assert ids(later)[-2:] == ["e-1", "x1"]
    assert len(corrupt(root)) == 1


def test_a_row_that_is_no_record_is_left_out(root: Path, open_: Open) -> None:
    filled(root, 5)
    with contextlib.closing(sqlite3.connect(place(root), isolation_level=None)) as other:
        other.execute("UPDATE event SET body = 'no json' WHERE id = 'e1'")
        other.execute("UPDATE event SET at = 9e300 WHERE id = 'e2'")
        other.execute("UPDATE event SET tool = CAST(x'ff41' AS TEXT) WHERE id = 'e3'")
    assert ids(open_()) == ["e0", "e4"]


def test_a_row_that_is_no_record_keeps_nobody_from_retaining_the_rest(root: Path, open_: Open) -> None:
    filled(root, 3)
    with contextlib.closing(sqlite3.connect(place(root), isolation_level=None)) as other:
        other.execute("UPDATE event SET body = 'no json' WHERE id = 'e1'")
    assert open_().retain(after(days=1))["event"] == 3


def test_words_that_were_retained_are_in_no_file_any_more(root: Path) -> None:
    journal = open_journal(root, fixed_clock(NOW))
    for number in range(50):
        journal.note(noted(activation(f"a{number}", "c", facts={"text": "confidential words " * 9})))
        journal.record(failed(f"e{number}", body={"text": "confidential words " * 9}))
    words = b"confidential"
    assert any(words in each.read_bytes() for each in place(root).parent.iterdir())
    journal.retain(after(days=1))
    assert not any(words in each.read_bytes() for each in place(root).parent.iterdir())
    journal.close()


@pytest.mark.parametrize("garbage", [b"", b"\xa5" * 40_000, b"7\x7f\x06\x82" + b"\0" * 8000])
def test_garbage_in_the_write_ahead_log_does_no_harm(root: Path, open_: Open, garbage: bytes) -> None:
    filled(root, 5)
    place(root, "journal.db-wal").write_bytes(garbage)
    place(root, "journal.db-shm").write_bytes(garbage)
    journal = open_()
    journal.record(event("new"))
    assert ids(journal) == ["e0", "e1", "e2", "e3", "e4", "new"]


def test_of_many_that_find_it_damaged_one_replaces_it_and_all_go_on(root: Path, open_: Open) -> None:
    filled(root, 50)
    data = bytearray(place(root).read_bytes())
    data[:100] = b"\xa5" * 100
    place(root).write_bytes(data)
    start = threading.Barrier(8)

    def work(number: int) -> None:
        with contextlib.closing(open_journal_later(root, start)) as journal:
            for each in range(5):
                journal.record(event(f"t{number}.{each}"))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    found = ids(open_())
    assert found[:50] == [f"e{number}" for number in range(50)]
    assert sorted(found[50:]) == [f"t{number}.{each}" for number in range(8) for each in range(5)]
    assert len(corrupt(root)) == 1


def open_journal_later(root: Path, start: threading.Barrier) -> SqliteJournal:
    start.wait()
    return open_journal(root, fixed_clock(NOW))


@pytest.mark.parametrize("step", range(1, 8))
def test_a_process_that_dies_while_it_saves_leaves_the_rest_to_the_next(
    root: Path, open_: Open, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(root, 50)
    data = bytearray(place(root).read_bytes())
    data[:100] = b"\xa5" * 100
    place(root).write_bytes(data)
    place(root, "journal.db-wal").write_bytes(b"old")
    script = (
        "import os, sys\nfrom pathlib import Path\nfrom casebook.clock import system_clock\n"
        "from casebook.runtime.journal import opening\n"
        "left = int(sys.argv[2])\nreal = os.replace\n"
        "def replace(*args):\n    global left\n    real(*args)\n    left -= 1\n    left or os._exit(9)\n"
        "os.replace = replace\nopening.open_journal(Path(sys.argv[1]), system_clock).close()\n"
    )
    died = subprocess.run([sys.executable, "-c", script, str(root), str(step)], cwd=HERE, check=False).returncode
    assert died in (0, 9)
    journal = open_()
    journal.record(event("new"))
    assert ids(journal) == [*(f"e{number}" for number in range(50)), "new"]
    assert len(corrupt(root)) == 1
    assert not place(root, "journal.db.salvaging").exists()


# -- versions ----------------------------------------------------------------------------------------------------------------------


def test_a_newer_journal_is_refused_and_left_as_it_is(root: Path) -> None:
    filled(root, 2)
    with contextlib.closing(sqlite3.connect(place(root), isolation_level=None)) as other:
        other.execute("PRAGMA user_version = 99")
        other.execute("UPDATE about SET value = '99'")
    with pytest.raises(StoreError, match="is of version 99, and this release of Casebook writes version 2"):
        open_journal(root, fixed_clock(NOW))
    assert corrupt(root) == []


def test_a_newer_journal_that_older_releases_may_read_is_read_and_not_written(root: Path, open_: Open) -> None:
    filled(root, 2)
    with contextlib.closing(sqlite3.connect(place(root), isolation_level=None)) as other:
        other.execute("PRAGMA user_version = 99")
    journal = open_()
    assert ids(journal) == ["e0", "e1"]
    with pytest.raises(StoreError, match="is of version 99"):
        journal.record(event("no"))
    assert not place(root, "journal.pending.jsonl").exists()


def test_the_steps_may_be_done_again(root: Path, open_: Open) -> None:
    filled(root, 2)
    with contextlib.closing(sqlite3.connect(place(root), isolation_level=None)) as other:
        other.execute("PRAGMA user_version = 0")
    assert ids(open_()) == ["e0", "e1"]


# -- where it is kept ----------------------------------------------------------------------------------------------------------------


def test_its_files_are_for_their_owner_alone_and_hidden_from_git(root: Path, open_: Open) -> None:
    (root / ".casebook").mkdir(mode=0o755)
    journal = open_()
    journal.record(event())
    modes = {each.name: each.stat().st_mode & 0o777 for each in place(root).parent.iterdir()}
    assert set(modes) >= {"journal.db", "journal.db-wal", "journal.db-shm", ".gitignore"}
    assert set(modes.values()) == {0o600}
    assert place(root).parent.stat().st_mode & 0o777 == 0o700
    assert place(root, ".gitignore").read_text() == "*\n"


def test_changes_tells_of_another_journal_and_not_of_ones_own(root: Path, open_: Open) -> None:
    one, two = open_(), open_()
    one.record(event("e1"))
    two.record(event("e2"))
    before = one.changes()
    one.record(event("e3"))
    assert one.changes() == before
    two.record(event("e4"))
    assert one.changes() > before


def test_a_file_that_was_replaced_is_let_go(root: Path, open_: Open) -> None:
    journal = open_()
    journal.record(event("e1"))
    before = journal.changes()
    for name in ("journal.db", "journal.db-wal", "journal.db-shm"):
        place(root, name).unlink()
    assert ids(journal) == []
    journal.record(event("e2"))
    assert (ids(journal), ids(open_())) == (["e2"], ["e2"])
    assert journal.changes() > before


def test_what_was_written_to_a_file_as_it_was_replaced_is_written_again(
    root: Path, open_: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = open_()
    journal.record(event("e1"))
    real = in_transaction

    def replaced_meanwhile(connection: sqlite3.Connection, step: object) -> object:
        done: object = real(connection, step)  # type: ignore[arg-type]
        monkeypatch.setattr(served, "in_transaction", real)
        for name in ("journal.db", "journal.db-wal", "journal.db-shm"):
            place(root, name).unlink()
        return done

    monkeypatch.setattr(served, "in_transaction", replaced_meanwhile)
    assert journal.append([entry("n1"), entry("n1")]) == (True, False)
    assert ([each.id for each in open_().entries()], ids(journal)) == (["n1"], [])


def test_what_waits_beside_a_file_that_is_replaced_meanwhile_goes_on_waiting(
    root: Path, open_: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = open_()
    journal.record(event("e1"))
    with held(root):
        journal.record(event("e2"))
    real = in_transaction

    def replaced_meanwhile(connection: sqlite3.Connection, step: object) -> object:
        done: object = real(connection, step)  # type: ignore[arg-type]
        monkeypatch.setattr(served, "in_transaction", real)
        for name in ("journal.db", "journal.db-wal", "journal.db-shm"):
            place(root, name).unlink()
        return done

    monkeypatch.setattr(served, "in_transaction", replaced_meanwhile)
    assert journal.record(event("e3")) == 0
    assert ids(journal) == ["e2", "e3"]


def test_an_unwritable_note_is_told_and_the_agent_goes_on(root: Path, caplog: pytest.LogCaptureFixture) -> None:
    journal = open_journal(root, fixed_clock(NOW))
    (root / ".casebook").write_text("a file in its place")
    journal.note(noted(activation()))
    with pytest.raises(StoreError, match=r"cannot be read: expected \.casebook to be a folder of the casebook's own"):
        journal.fired("c")
    assert "activations were not journaled" in journal.troubles[0]
    assert "activations were not journaled" in caplog.text
    journal.close()


def test_a_file_that_is_moved_aside_between_two_looks_is_looked_for_again(
    root: Path, open_: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(root, 3)
    whole = place(root).read_bytes()
    looked: list[Path] = []
    open_found = file._open

    def moved(path: Path, *rest: Any) -> Any:
        looked.append(path)
        if len(looked) == 1:
            path.rename(path.with_name("aside"))
            path.write_bytes(whole)
            raise FileNotFoundError(2, "No such file or directory")
        return open_found(path, *rest)

    monkeypatch.setattr(file, "_open", moved)
    assert ids(open_()) == ["e0", "e1", "e2"]
    assert len(looked) == 2
