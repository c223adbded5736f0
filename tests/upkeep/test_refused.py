"""What the system refuses is told by its name, keeps nothing else from being done, and moves nothing that could not be taken back."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from casebook.adapters.cli.main import main
from casebook.adapters.scheduled import books_of, ticks_of
from casebook.clock import fixed_clock
from casebook.faults import StoreError
from casebook.runtime import Runtime
from casebook.runtime.upkeep.claimed import run_due
from casebook.runtime.upkeep.made import Made
from casebook.stores.memory_store import Change, UnwritableError
from casebook.stores.memory_writing import MemoryPen
from tests.upkeep.folder_book import FolderBook
from tests.upkeep.made import DAY, NOW, memory

OPEN, CLOSED = "short_term/session_open.json", "short_term/session_closed.json"
LATER = NOW + 60 * DAY


def close(patch: pytest.MonkeyPatch, *paths: str) -> None:
    """Refuse what the system refuses of a file that is immutable or another's."""
    write, remove = MemoryPen.write, MemoryPen.remove

    def refuse(path: str) -> None:
        if path in paths:
            raise PermissionError(1, "Operation not permitted", path)

    def writes(pen: MemoryPen, path: str, data: bytes, still: bytes | None) -> bool:
        refuse(path)
        return write(pen, path, data, still)

    def removes(pen: MemoryPen, path: str, still: bytes) -> bool:
        refuse(path)
        return remove(pen, path, still)

    patch.setattr(MemoryPen, "write", writes)
    patch.setattr(MemoryPen, "remove", removes)


def filled(root: Path) -> FolderBook:
    book = FolderBook(root)
    book.keep(memory("m-open", "L1"), path=OPEN)
    book.keep(memory("m-closed", "L1"), path=CLOSED)
    return book


def test_one_file_that_may_not_be_written_is_named_and_keeps_nothing_of_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = filled(tmp_path)
    with monkeypatch.context() as patch:
        close(patch, CLOSED)
        for moved in (["m-open"], []):  # the second run is not stopped by what the first could not do
            report = book.run("expire", LATER)
            assert [each.subject for each in report.done] == moved
            assert report.troubles == (f"{CLOSED} in {tmp_path} cannot be written: Operation not permitted",)
            assert report.conflicts == ()  # nobody has changed it
            assert (book.tier("m-open"), book.tier("m-closed")) == ("archive", "L1")
            assert not any(True for _ in book.store.archived(memory_id="m-closed"))
    assert [each.subject for each in book.done("expire", LATER)] == ["m-closed"]
    assert book.done("expire", LATER) == ()


def test_what_waits_to_be_cleared_up_in_a_closed_file_stops_no_change_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = FolderBook(tmp_path)
    old = memory("m-idle", kind="usage")
    book.keep(old)
    path = book.store.snapshot().memories["m-idle"].path
    with monkeypatch.context() as patch:
        close(patch, path)
        assert [each.subject for each in book.run("age", LATER).done] == ["m-idle"]
        assert (
            book.tier("m-idle") == "L1"
        )  # it stands in its new file; the old entry is left where it cannot be taken out
        assert book.store.change([Change(None, memory("m-new", "L3"))], LATER) == ("done",)
    book.keep(memory("m-later", "L3"))
    assert json.loads((tmp_path / path).read_text())["memories"] == []


def test_who_archives_one_out_of_a_closed_file_leaves_no_copy_in_the_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = filled(tmp_path)
    with monkeypatch.context() as patch:
        close(patch, CLOSED)
        with pytest.raises(UnwritableError, match=CLOSED):
            book.store.change([Change(book.held("m-closed"), None, "over")], LATER)
    assert not any(True for _ in book.store.archived(memory_id="m-closed"))


def test_what_went_to_the_archive_before_an_edit_of_another_file_was_seen_is_done_and_no_conflict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = filled(tmp_path)
    remove = MemoryPen.remove
    edited: list[str] = []

    def removes(pen: MemoryPen, path: str, still: bytes) -> bool:
        if not edited and path == OPEN:  # the other went already; somebody saves this one at the very moment
            edited.append(path)
            (tmp_path / OPEN).write_bytes(still + b"\n")
        return remove(pen, path, still)

    with monkeypatch.context() as patch:
        patch.setattr(MemoryPen, "remove", removes)
        report = book.run("expire", LATER)
    assert edited == [OPEN]
    assert ({each.subject for each in report.done}, report.conflicts) == ({"m-open", "m-closed"}, ())


def started(root: Path) -> None:
    """A folder with something due, and a journal that cannot be opened."""
    filled(root)
    (root / "memory-policy.yaml").write_text("format: 1\n")
    tick = {"id": "tick", "on": ["tick"], "trigger_conditions": ["time in 00:00-23:59"], "correction": "Say so."}
    (root / "long_term" / "ticks.json").write_text(json.dumps([tick]))
    for each in (root / ".casebook").glob("journal.*"):
        each.unlink()
    (root / ".casebook" / "journal.db").mkdir()


def test_where_the_journal_cannot_be_opened_nothing_is_moved_and_no_tick_is_told_until_it_can(tmp_path: Path) -> None:
    """An audit log in memory would go with the process, and with it who had used what."""
    started(tmp_path)
    clock = fixed_clock(LATER)
    told: list[Made] = []
    with Runtime.open(tmp_path, clock=clock) as runtime:
        assert runtime.before_task({"text": "hello"}).verdict == "allow"
        (report,) = runtime.maintain("expire", apart=False)
        assert report.done == ()
        assert "journal cannot be" in report.troubles[0]
        assert run_due(books_of(runtime, clock), clock, told.append)[0].troubles == report.troubles
        with pytest.raises(StoreError, match="journal cannot be"):
            ticks_of(runtime, clock).ask()
        assert not (tmp_path / ".casebook" / "outbox.jsonl").exists()
        (tmp_path / ".casebook" / "journal.db").rmdir()
        (report,) = runtime.maintain("expire", apart=False)  # in the same process
        assert {each.subject for each in report.done} == {"m-open", "m-closed"}
        assert [each.told for each in ticks_of(runtime, clock).ask()] == ["1 delivered (tick)"]
    with Runtime.open(tmp_path, clock=fixed_clock(LATER + timedelta(minutes=1))) as runtime:
        assert {each.subject for each in runtime.journal.entries(actions=("move",))} == {"m-open", "m-closed"}


def test_a_run_that_did_not_come_to_its_work_never_says_that_there_was_nothing_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    started(tmp_path)
    assert main(["--dir", str(tmp_path), "maintain", "expire", "--now", "2027-01-01"]) == 1
    assert capsys.readouterr().out == "expire: not done\n"


def test_a_folder_whose_locks_cannot_be_made_is_named_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = filled(tmp_path)

    def refuse(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system", str(tmp_path / ".casebook" / "upkeep-expire.lock"))

    monkeypatch.setattr("casebook.stores.file_locks.file_lock", refuse)
    assert book.run("expire", LATER).troubles == (f"{tmp_path} cannot be written: Read-only file system",)
