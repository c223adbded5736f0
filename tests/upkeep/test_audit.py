"""The job `audit`: lasting memories and cases that are outdated, wrong, idle or dead; asked once, and not again until something is new."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from casebook.policy import Policy, Rules
from casebook.runtime.answer.isolation import Principal
from casebook.runtime.journal.records import ActivationRecord, Entry, EventRecord, Firing
from casebook.runtime.upkeep.audit_asking import AGAIN, Asking
from casebook.stores.memory_store import Change
from tests.upkeep.folder_book import FolderBook
from tests.upkeep.made import DAY, NOW, SECOND, memory

ANN = Principal("ann", None, frozenset(), None)


def answered(book: FolderBook, subject: str, action: str = "reject") -> None:
    """A person answers what was asked."""
    book.journal.append([Entry(f"{action}:{subject}:{book.now.isoformat()}", book.now, "person:ann", action, subject)])


def fired(book: FolderBook, case_id: str) -> None:
    firings = (Firing(case_id, "v1", "selected"),)
    record = ActivationRecord(
        f"a {book.now.isoformat()}", book.now, "s", ANN, "tool", "shell", "allow", "reference", "enforce", "0.2.0",
        firings=firings,
    )  # fmt: skip
    book.journal.note(lambda: (record, (), ()))
    book.journal.flush()


# -- its own time ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields, at, goes",
    [
        ({"expires_at": (NOW + DAY).isoformat()}, NOW + DAY - SECOND, False),
        ({"expires_at": (NOW + DAY).isoformat()}, NOW + DAY, True),
        ({"ttl": "10d"}, NOW + 10 * DAY - SECOND, False),
        ({"ttl": "10d"}, NOW + 10 * DAY, True),
        ({"ttl": "10d", "last_used": (NOW + DAY).isoformat()}, NOW + 10 * DAY, False),
        ({"ttl": "10d", "rule_chain": [{"rule": "P1", "at": NOW.isoformat()}]}, NOW + 99 * DAY, False),
        ({}, NOW + 99 * DAY, False),
    ],
)
def test_a_lasting_memory_goes_when_its_own_time_is_over(
    folder: FolderBook, fields: dict[str, Any], at: Any, goes: bool
) -> None:
    """`expires_at`, or its own ttl after the last use; a ttl brought along from L2 speaks of L2."""
    folder.keep(memory("m-1", "L3", **fields))
    moves = folder.done("audit", at)
    assert [each.kind for each in moves] == (["expire"] if goes else [])
    assert folder.tier("m-1") == ("archive" if goes else "L3")
    assert folder.done("audit") == ()


def test_what_a_person_brought_back_after_its_time_is_asked_about_and_stays(folder: FolderBook) -> None:
    folder.keep(memory("m-1", "L3", expires_at=(NOW + DAY).isoformat()))
    folder.done("audit", NOW + 2 * DAY)
    folder.now = NOW + 3 * DAY
    folder.store.restore("m-1", folder.now)
    answered(folder, "m-1", "restore")
    assert folder.asked("audit", NOW + 4 * DAY) == [("outdated", "m-1")]
    assert folder.tier("m-1") == "L3"
    assert folder.done("audit", NOW + 5 * DAY) == ()


def test_a_case_whose_time_is_over_is_archived_whoever_made_it(folder: FolderBook) -> None:
    learnt = {"source": {"origin": "detector", "signature": "sig"}, "ttl": "7d", "created_at": NOW.isoformat()}
    folder.case({"id": "c-end", "expires_at": (NOW + DAY).isoformat()}, {"id": "c-learnt", **learnt}, {"id": "c-stays"})
    assert folder.done("audit", NOW + DAY - SECOND) == ()
    assert [(each.kind, each.subject, each.reason) for each in folder.done("audit", NOW + DAY)] == [
        ("archive_case", "c-end", "expired")
    ]
    assert [each.subject for each in folder.done("audit", NOW + 7 * DAY)] == ["c-learnt"]
    assert list(folder.cases.snapshot().cases) == ["c-stays"]
    folder.cases.restore("c-learnt")
    assert folder.cases.snapshot().cases["c-learnt"].case.ttl == "7d"
    assert not folder.journal.entries(actions=("archive", "reject")), "nothing buries its signature"


# -- outdated, wrong -------------------------------------------------------------------------------------------------------


def test_a_memory_whose_place_was_taken_is_asked_about_while_its_heir_lives(folder: FolderBook) -> None:
    folder.keep(memory("m-old", "L3", superseded_by="m-new"), memory("m-lost", "L3", superseded_by="m-none"))
    assert folder.asked("audit") == []
    folder.keep(memory("m-new", "L3", text="something else"))
    (ask,) = folder.done("audit")
    assert (ask.reason, ask.subject, ask.others, ask.proposal) == ("outdated", "m-old", ("m-new",), {"do": "archive"})
    assert folder.tier("m-old") == "L3"


@pytest.mark.parametrize(
    "at, asks", [(NOW + DAY - SECOND, []), (NOW + DAY, [("outdated", "m-1"), ("outdated", "c-1")])]
)
def test_from_the_date_of_its_review_on_it_is_asked_about(folder: FolderBook, at: Any, asks: Any) -> None:
    when = (NOW + DAY).isoformat()
    folder.keep(memory("m-1", "L3", review_after=when))
    folder.case({"id": "c-1", "review_after": when})
    assert folder.asked("audit", at) == asks


def test_feedback_about_a_case_or_a_memory_is_asked_about_once(folder: FolderBook) -> None:
    folder.keep(memory("m-1", "L3"))
    folder.case({"id": "c-1"}, {"id": "c-2"})
    for at, (name, about) in enumerate([("case", "c-1"), ("memory", "m-1"), ("case", "c-1")]):
        folder.journal.record(EventRecord(f"e{at}", NOW, "feedback", "s", ANN, body={name: about, "text": "no"}))
    mined = {"case": "c-2", "correction_by": "mined"}
    folder.journal.record(EventRecord("e9", NOW, "correction", "s", ANN, body=mined))
    assert folder.asked("audit") == [("wrong", "m-1"), ("wrong", "c-1")]
    assert folder.asked("audit") == []
    folder.journal.record(EventRecord("e10", NOW, "feedback", "s", ANN, body={"case": "c-1", "text": "no"}))
    assert folder.asked("audit") == [("wrong", "c-1")], "something new is known"


@pytest.mark.parametrize("action", ["wrong", "flag", "hold"])
def test_what_was_said_against_a_case_is_asked_about_unless_it_waits_or_was_answered(
    folder: FolderBook, action: str
) -> None:
    folder.case({"id": "c-waits"}, {"id": "c-answered"}, {"id": "c-1"})
    for name in ("c-waits", "c-answered", "c-1"):
        folder.journal.append([Entry(f"{action}:{name}", NOW, "effect", action, name)])
    folder.journal.append([Entry("q", NOW, "effect", "queue", "c-waits", body={"reason": "effect"})])
    folder.now = NOW + SECOND
    answered(folder, "c-answered", "approve")
    assert folder.asked("audit") == [("wrong", "c-1")]


def test_what_does_not_serve_in_the_files_is_asked_about_without_its_words(folder: FolderBook) -> None:
    folder.case({"id": "c-1", "correction": "a secret", "priority": "high"})
    (folder.root / "long_term" / "identity.json").write_text(
        '{"format": 1, "memories": [{"id": "m-1", "kind": "identity", "text": "a secret", "tier": "L9"}]}'
    )
    asks = folder.done("audit")
    assert [(each.reason, each.subject) for each in asks] == [("wrong", "m-1"), ("wrong", "c-1")]
    assert all("secret" not in each.why and "does not serve" in each.why for each in asks)
    assert folder.done("audit") == ()


# -- idle, dead ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("at, asks", [(NOW + 180 * DAY, []), (NOW + 180 * DAY + SECOND, [("idle", "m-1")])])
def test_a_memory_is_idle_when_it_was_not_told_for_more_than_180_days(folder: FolderBook, at: Any, asks: Any) -> None:
    folder.keep(memory("m-1", "L3", since=NOW - 99 * DAY), memory("m-2", "L2"), memory("m-3", "L3", status="disabled"))
    folder.tell("m-1", NOW)
    assert folder.asked("audit", at) == asks


@pytest.mark.parametrize(
    "case, fires, at, asks",
    [
        ({"created_at": NOW.isoformat()}, False, NOW + 180 * DAY, False),
        ({"created_at": NOW.isoformat()}, False, NOW + 180 * DAY + SECOND, True),
        ({"created_at": "2020-01-01"}, True, NOW + 180 * DAY, False),
        ({"created_at": "2020-01-01"}, True, NOW + 180 * DAY + SECOND, True),
        ({"created_at": "2020-01-01", "last_triggered": NOW.isoformat()}, False, NOW + 180 * DAY, False),
        ({"created_at": "2020-01-01", "status": "disabled"}, False, NOW, False),
        ({}, False, NOW + 999 * DAY, False),
    ],
)
def test_a_case_is_idle_when_it_did_not_fire_for_more_than_180_days(
    folder: FolderBook, case: dict[str, Any], fires: bool, at: Any, asks: bool
) -> None:
    """Of one that does not say when it was made, and was never seen to fire, nobody knows."""
    folder.case({"id": "c-1", **case})
    if fires:
        fired(folder, "c-1")
    assert folder.asked("audit", at) == ([("idle", "c-1")] if asks else [])


@pytest.mark.parametrize(
    "case, dead",
    [
        ({"trigger_conditions": ['tool is "shell"', 'tool is "read"']}, True),
        ({"trigger_conditions": ['tool is "shell"'], "scope": {"user": "ann"}}, False),
        ({"trigger_conditions": ['project is "shop"'], "scope": {"project": "till"}}, True),
        ({"trigger_conditions": ['tool is "shell"', 'project is "shop"'], "on": ["task", "tool"]}, False),
    ],
)
def test_a_case_that_can_never_fire_is_asked_about_until_its_text_changes(
    folder: FolderBook, case: dict[str, Any], dead: bool
) -> None:
    folder.case({"id": "c-1", **case})
    assert folder.asked("audit") == ([("dead", "c-1")] if dead else [])
    assert folder.asked("audit") == []
    if dead:
        folder.case({"id": "c-1", "judgment": "edited", **case})
        assert folder.asked("audit") == [("dead", "c-1")]


def test_a_policy_says_what_is_idle(folder: FolderBook) -> None:
    folder.policy = Policy(rules=Rules(idle="not_hit_days > 30"))
    folder.keep(memory("m-1", "L3"))
    assert folder.asked("audit", NOW + 30 * DAY) == []
    assert folder.asked("audit", NOW + 30 * DAY + SECOND) == [("idle", "m-1")]


# -- asked once ------------------------------------------------------------------------------------------------------------


def test_what_was_kept_is_asked_about_again_after_180_days_and_no_sooner(folder: FolderBook) -> None:
    folder.keep(memory("m-1", "L3"))
    first = NOW + 200 * DAY
    assert folder.asked("audit", first) == [("idle", "m-1")]
    assert folder.asked("audit", first + 400 * DAY) == [], "it waits"
    kept = first + 401 * DAY
    folder.now = kept
    answered(folder, "m-1")
    assert folder.asked("audit", kept + AGAIN) == []
    assert folder.asked("audit", kept + AGAIN + SECOND) == [("idle", "m-1")]
    assert folder.asked("audit", kept + AGAIN + DAY) == []


def test_what_was_used_since_is_something_new(folder: FolderBook) -> None:
    folder.keep(memory("m-1", "L3"))
    folder.asked("audit", NOW + 181 * DAY)
    answered(folder, "m-1")
    folder.tell("m-1", NOW + 182 * DAY)
    assert folder.asked("audit", NOW + 182 * DAY + timedelta(days=180)) == []
    assert folder.asked("audit", NOW + 182 * DAY + timedelta(days=180, seconds=1)) == [("idle", "m-1")]


def test_an_answer_that_was_taken_back_is_none(folder: FolderBook) -> None:
    folder.journal.append([Entry("ask:idle:m-1:k", NOW, "upkeep", "queue", "m-1", body={"reason": "idle"})])
    folder.journal.append([Entry("r", NOW + DAY, "person:ann", "reject", "m-1")])
    late = NOW + DAY + AGAIN + SECOND
    assert Asking.of(folder.journal, late).key("idle", "m-1", "k") is not None
    folder.journal.append([Entry("undo:r", NOW + 2 * DAY, "person:ann", "undo", "m-1", body={"entry": "r"})])
    asking = Asking.of(folder.journal, NOW + 2 * DAY)
    assert asking.key("idle", "m-1", "k") is None
    assert asking.key("idle", "m-1", "new") == "new"


def test_nothing_lasting_moves_without_a_word_or_its_time(folder: FolderBook) -> None:
    """However idle and outdated, all stays where it was."""
    folder.keep(memory("m-1", "L3", review_after="2026-03-21"), memory("m-2", "L3", superseded_by="m-1", text="b"))
    folder.case({"id": "c-1", "created_at": "2020-01-01", "review_after": "2020-02-02"})
    before = folder.texts()
    assert {each.kind for each in folder.done("audit", NOW + 999 * DAY)} == {"ask"}
    assert folder.texts() == before


def test_a_job_that_is_run_again_asks_nothing_of_what_was_edited_meanwhile(folder: FolderBook) -> None:
    folder.keep(memory("m-1", "L3"))
    folder.asked("audit", NOW + 200 * DAY)
    held = folder.held("m-1")
    folder.store.change([Change(held, held.with_changes(tags=["x"]))], folder.now)
    assert folder.asked("audit") == []
