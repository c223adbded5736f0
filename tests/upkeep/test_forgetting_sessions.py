"""A session is its id and its user: who is forgotten takes nothing of others who used the same id, in files, packs or the journal."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from casebook.memory_facts import Telling
from casebook.runtime.answer.isolation import Principal
from casebook.runtime.journal.records import ActivationRecord, Entry, EventRecord, Version
from casebook.runtime.upkeep.forgetting import forget
from casebook.stores.memory_store import Change, Forgetting
from casebook.stores.session_names import session_file
from tests.upkeep.folder_book import FolderBook
from tests.upkeep.made import DAY, NOW, memory

SESSION = "s1"
WHO = ("ann", "bob")
EVERYTHING = ("L1", "L2", "L3", "seen", "loose", "packed")


def _said(book: FolderBook, who: str, project: str, at: datetime) -> None:
    """Let somebody say things of a project in the session: each tier, what a tool saw, the archive, loose and packed."""
    path = session_file(SESSION, who)
    for name in EVERYTHING:
        tier = name if name.startswith("L") else "L1" if name == "seen" else "L2"
        made = memory(
            f"m-{who}-{name}", tier, at, text=f"What {name} of {project} is.", scope={"project": project},
            source={"origin": "tool" if name == "seen" else "user", "session": SESSION},
        )  # fmt: skip
        book.keep(made, path=path if tier == "L1" else None)
        actor = "agent" if name == "seen" else f"person:{who}"
        body = {"did": "created", "before": None, "after": made.to_json()}
        book.journal.append([Entry(f"remember:{made.id}:1", at, actor, "remember", made.id, body=body)])
        if name in ("loose", "packed"):
            book.store.change([Change(made, None, "over")], at + DAY)
        if name == "packed":
            book.store.pack(at + 40 * DAY, at + 40 * DAY)


def _answered(book: FolderBook, who: str, project: str, at: datetime) -> None:
    """Let somebody be answered, report and be told something in the session."""
    principal = Principal(who, project, frozenset(), None)
    body = {"text": f"reported of {project}"}
    book.journal.record(EventRecord(f"e-{who}", at, "feedback", SESSION, principal, body=body))
    record = ActivationRecord(
        f"a-{who}", at, SESSION, principal, "tool", "shell", "allow", "reference", "enforce", "1",
        facts={"text": f"asked of {project}"},
    )  # fmt: skip
    none: tuple[tuple[EventRecord, ...], tuple[Version, ...]] = ((), ())
    book.journal.note(partial(lambda made: (made, *none), record))
    book.journal.tell([Telling(f"m-{who}-L2", f"a-{who}", at, SESSION, who)])


@pytest.mark.parametrize("answered", [True, False], ids=["both were answered", "the journal knows who said what alone"])
@pytest.mark.parametrize("between", [timedelta(0), 150 * DAY], ids=["at once", "months apart"])
@pytest.mark.parametrize("projects", [("shop", "shop"), ("shop", "bank")], ids=["one project", "two projects"])
@pytest.mark.parametrize("goes", WHO)
def test_the_other_who_used_the_same_session_id_keeps_everything(
    folder: FolderBook, goes: str, projects: tuple[str, str], between: timedelta, answered: bool
) -> None:
    for who, project, at in zip(WHO, projects, (NOW - 200 * DAY, NOW - 200 * DAY + between), strict=True):
        _said(folder, who, project, at)
        if answered:
            _answered(folder, who, project, at)
    (stays,) = set(WHO) - {goes}
    receipt = forget(folder.desk(), Forgetting(user=goes))
    assert receipt.left == ()
    assert {name: folder.tier(f"m-{stays}-{name}") for name in EVERYTHING} == {
        "L1": "L1", "L2": "L2", "L3": "L3", "seen": "L1", "loose": "archive", "packed": "archive",
    }  # fmt: skip
    assert {folder.tier(f"m-{goes}-{name}") for name in EVERYTHING} == {"nowhere"}
    subjects = {each.subject for each in folder.journal.entries(actions=("remember",))}
    assert subjects == {f"m-{stays}-{name}" for name in EVERYTHING}
    assert [each.id for each in folder.journal.events()] == ([f"e-{stays}"] if answered else [])
    assert [each.id for each in folder.journal.activations()] == ([f"a-{stays}"] if answered else [])
    assert set(folder.journal.tellings()) == ({f"m-{stays}-L2"} if answered else set())
    assert (folder.root / session_file(SESSION, stays)).exists()


def test_what_nobody_is_known_to_have_said_stays_in_a_session_of_two_and_goes_with_one_of_one(
    folder: FolderBook,
) -> None:
    for name, session in (("m-of-two", "s1"), ("m-of-ann", "s2")):
        folder.keep(memory(name, "L2", text=f"Seen: {name}.", scope={"project": "shop"}, source={"session": session}))
    for who, session in (("ann", "s1"), ("bob", "s1"), ("ann", "s2")):
        folder.keep(memory(f"m-{who}-{session}", "L2", scope={"user": who}, source={"session": session}))
    forget(folder.desk(), Forgetting(user="ann"))
    assert set(folder.store.snapshot().memories) == {"m-of-two", "m-bob-s1"}


def test_a_row_of_the_journal_of_nobody_stays_where_the_files_alone_know_of_the_other(folder: FolderBook) -> None:
    nobody = Principal(None, "shop", frozenset(), None)
    for who, session in (("ann", "s1"), ("ann", "s2")):
        principal = Principal(who, "shop", frozenset(), None)
        folder.journal.record(
            EventRecord(f"e-{who}-{session}", NOW, "feedback", session, principal, body={"text": "x"})
        )
    for session in ("s1", "s2"):
        folder.journal.record(EventRecord(f"e-{session}", NOW, "feedback", session, nobody, body={"text": "y"}))
    for who, session in (("ann", "s1"), ("ann", "s2"), ("bob", "s1")):
        folder.keep(memory(f"m-{who}-{session}", "L3", scope={"user": who}, source={"session": session}))
    forget(folder.desk(), Forgetting(user="ann"))
    assert [each.id for each in folder.journal.events()] == ["e-s1"]


def test_the_journal_keeps_the_session_of_the_other_in_its_lines(folder: FolderBook) -> None:
    for who in WHO:
        _said(folder, who, "shop", datetime(2026, 3, 1, tzinfo=UTC))
    path = Path(folder.root, ".casebook", "journal.db")
    forget(folder.desk(), Forgetting(user="ann"))
    folder.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        bodies = [row[0] for row in connection.execute("SELECT body FROM entry WHERE subject LIKE 'm-bob-%'")]
    assert len(bodies) == len(EVERYTHING)
    assert all('"session":"s1"' in body for body in bodies)
