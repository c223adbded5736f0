"""Upkeep of a folder: its files, a process that is killed at any write, a person who edits, the digest."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from casebook.clock import fixed_clock
from casebook.policy import JobName
from casebook.runtime.review.judging import approve
from casebook.runtime.review.review import Review
from casebook.runtime.upkeep import applying
from casebook.runtime.upkeep.digest import digest
from casebook.runtime.upkeep.reconciling import undo
from casebook.stores import exchanging
from casebook.stores.session_names import session_file
from tests.upkeep.folder import Folder
from tests.upkeep.made import DAY, NOW, Killed, killing, memory

JOBS: tuple[JobName, ...] = ("expire", "age", "promote")
LATER = NOW + 60 * DAY
ANN = "person:ann"


def _filled(root: Path) -> Folder:
    root.mkdir(exist_ok=True)
    folder = Folder(root, NOW)
    for at in range(2):
        session = {"origin": "user", "session": f"s{at}"}
        folder.keep(
            memory(f"m-short-{at}", "L1", source=session),
            memory(f"m-asked-{at}", "L1", source={**session, "asked": True}),
            memory(f"m-idle-{at}", kind="usage", text=f"无人使用 {at}"),
            memory(f"m-used-{at}"),
        )
        folder.tell(f"m-used-{at}", NOW, NOW + DAY, NOW + 2 * DAY)
    folder.now = LATER
    return folder


def test_each_memory_comes_to_the_file_of_its_tier(tmp_path: Path) -> None:
    folder = _filled(tmp_path)
    for job in JOBS:
        assert folder.run(job).troubles == ()
    assert folder.where() == {
        "m-short-0": "archive", "m-short-1": "archive",
        "m-asked-0": "medium_term/active_projects.json", "m-asked-1": "medium_term/active_projects.json",
        "m-idle-0": "short_term/aged.json", "m-idle-1": "short_term/aged.json",
        "m-used-0": "long_term/knowledge.json", "m-used-1": "long_term/knowledge.json",
    }  # fmt: skip


@pytest.mark.parametrize("job", JOBS)
def test_twice_changes_no_byte(job: JobName, tmp_path: Path) -> None:
    folder = _filled(tmp_path)
    assert folder.run(job).done
    before = _bytes(tmp_path)
    again = folder.run(job)
    assert (again.done, again.conflicts, again.troubles) == ((), (), ())
    assert _bytes(tmp_path) == before


def _end(root: Path, job: JobName, at: int, monkeypatch: pytest.MonkeyPatch, *, after: bool) -> tuple[bool, Any]:
    folder = _filled(root)
    monkeypatch.setattr(applying, "FILES", 1)
    with monkeypatch.context() as patch:
        counter = [0]
        for name in ("replace", "unlink", "link"):
            patch.setattr(os, name, killing(getattr(os, name), counter, at, after=after))
        patch.setattr(exchanging, "_renamed", killing(exchanging._renamed, counter, at, after=after))
        try:
            folder.run(job)
            was_killed = False
        except Killed:
            was_killed = True
    assert len(folder.where()) == 8  # at no moment is anything nowhere
    report = folder.run(job)
    assert (report.conflicts, report.troubles) == ((), ())
    assert not folder.run(job).done
    return was_killed, folder.state()


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("job", JOBS)
def test_a_process_that_is_killed_at_any_write_loses_nothing_and_the_next_completes_it(
    job: JobName, after: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, whole = _end(tmp_path / "whole", job, 0, monkeypatch, after=after)
    for at in range(1, 100):
        was_killed, found = _end(tmp_path / str(at), job, at, monkeypatch, after=after)
        assert found == whole
        if not was_killed:
            assert at > 2
            return
    raise AssertionError("it never came to its end")


def test_an_edit_between_the_plan_and_the_move_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = _filled(tmp_path)
    path = tmp_path / session_file("s0", None)
    with folder.desk() as desk:
        append = desk.journal.append

        def edited(entries: Any) -> Any:
            found = append(entries)
            form = json.loads(path.read_text())
            form["memories"][0]["text"] = "edited in between"
            path.write_text(json.dumps(form))
            monkeypatch.undo()
            return found

        monkeypatch.setattr(desk.journal, "append", edited, raising=False)
        from casebook.runtime.upkeep.running import run

        report = run("expire", lambda: desk, fixed_clock(LATER))
        assert len(report.conflicts) == 1
        held = desk.store.snapshot().memories[report.conflicts[0]]
        assert (held.memory.text, held.path) == ("edited in between", session_file("s0", None))
        assert report.conflicts[0] not in {each.subject for each in digest(desk.journal).moves}


@pytest.mark.parametrize("job", JOBS)
def test_all_that_was_moved_is_undone_and_stays_so(job: JobName, tmp_path: Path) -> None:
    folder = _filled(tmp_path)
    before = dict(folder.where())
    folder.run(job)
    with folder.desk() as desk:
        numbers = [each.number for each in digest(desk.journal).moves]
    for number in numbers:
        with folder.desk() as desk:
            undo(desk, number, ANN)
    assert folder.where() == before
    assert folder.run(job).done == ()
    with folder.desk() as desk:
        assert digest(desk.journal).is_empty


def test_what_ends_with_its_session_is_distilled_or_archived_then(tmp_path: Path) -> None:
    folder = _filled(tmp_path)
    folder.now = NOW + DAY
    assert folder.run("expire").done == ()
    folder.end("s0")
    assert sorted((each.kind, each.subject) for each in folder.run("expire").done) == [
        ("distil", "m-asked-0"),
        ("expire", "m-short-0"),
    ]


@pytest.mark.parametrize("job", ["compact", "promote"])
def test_what_a_person_approves_of_what_was_asked_is_done_and_not_asked_again(job: JobName, tmp_path: Path) -> None:
    folder = Folder(tmp_path, NOW)
    if job == "compact":
        folder.keep(*(memory(f"m-{at}", text="x" * 1500) for at in range(4)))
    else:
        folder.keep(memory("m-0", source={"origin": "tool", "by": "tool"}))
        folder.tell("m-0", NOW, NOW + DAY, NOW + 2 * DAY)
    folder.now += 3 * DAY
    assert [each.kind for each in folder.run(job).done] == ["ask"]
    with folder.desk() as desk:
        (entry,) = desk.journal.entries(actions=("queue",))
        approve(Review(desk.journal, desk.cases, fixed_clock(folder.now), ANN), entry.subject)
    where = sorted(folder.where().items())
    if job == "compact":
        assert [path == "archive" for _, path in where] == [True, True, False, False]
    else:
        assert where == [("m-0", "long_term/knowledge.json")]
    assert folder.run(job).done == ()


def _bytes(root: Path) -> Mapping[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".casebook" not in path.parts
    }
