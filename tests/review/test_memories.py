"""What upkeep asks about memories and cases, answered by a person: approve, reject, undo; what a person does to a memory by its id."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from casebook.faults import NotFoundError, StoreError
from casebook.memory import UnfitMemoryError
from casebook.memory_facts import Telling
from casebook.runtime.journal.records import Entry
from casebook.runtime.review.judging import approve, reject
from casebook.runtime.review.memories import (
    archive_memory,
    edit_memory,
    restore_memory,
    set_status,
    why_memory,
    wrong_memory,
)
from casebook.runtime.review.memory_history import memory_history, revert_memory
from casebook.runtime.review.queue import Item, queue, waiting
from casebook.runtime.review.undoing import UndoError, undo
from casebook.stores.memory_folder import FolderMemories
from tests.review.conftest import LEARNT, Desk

OURS: dict[str, Any] = {
    "id": "m-1", "kind": "fact", "text": "Deploys take 9 minutes", "tier": "L2", "created_at": "2026-03-01",
    "tier_since": "2026-03-01", "x-note": "mine",
}  # fmt: skip
OTHER: dict[str, Any] = {
    **OURS,
    "id": "m-2",
    "text": "Deploys of the shop take 9 minutes, on Fridays 12",
    "exceptions": ["not at night"],
}


@pytest.fixture(autouse=True)
def _memories(desk: Desk) -> None:
    write(desk, OURS, OTHER)


def write(desk: Desk, *memories: dict[str, Any]) -> None:
    """Do what a person does with an editor."""
    (desk.root / "medium_term").mkdir(exist_ok=True)
    text = json.dumps({"format": 1, "memories": list(memories)}, indent=2)
    (desk.root / "medium_term" / "recent_learnings.json").write_text(text, encoding="utf-8")


def held(desk: Desk) -> dict[str, dict[str, Any]]:
    """Give what stands in the tiers, as the files have it."""
    return {name: each.memory.to_json() for name, each in FolderMemories(desk.root).snapshot().memories.items()}


def archived(desk: Desk) -> set[str]:
    return {each.memory.id for each in FolderMemories(desk.root).archived()}


def ask(
    desk: Desk,
    reason: str,
    proposal: Mapping[str, Any],
    *others: str,
    subject: str = "m-1",
    key: str = "k",
    memory: bool = True,
) -> Entry:
    """Ask as upkeep does."""
    body: dict[str, Any] = {"reason": reason, "why": "it saw something", "proposal": proposal, "others": list(others)}
    if memory:
        body["memory"] = {"file": "medium_term/recent_learnings.json", "kind": "fact"}
    now = desk.hands()
    entry = Entry(f"ask:{reason}:{subject}:{key}", now, "upkeep", "queue", subject, body=body)
    return replace(desk.review, actor="upkeep").written(entry)


def waits(desk: Desk, subject: str = "m-1") -> list[str]:
    item = waiting(desk.review, subject)
    return [] if item is None or item.is_moot else list(item.reasons)


def calm(form: dict[str, Any]) -> dict[str, Any]:
    """Give a memory without what a move sets anew."""
    return {name: value for name, value in form.items() if name not in ("tier_since", "rule_chain")}


def the(desk: Desk) -> Item:
    (item,) = (each for each in queue(desk.review) if each.is_memory)
    return item


MERGED = {**OTHER, "exceptions": ["not at night", OURS["text"]], "merged": ["m-1"]}
CORRECTED = {**OURS, "text": "Deploys take 5 minutes"}

PROPOSALS: list[tuple[str, dict[str, Any], tuple[str, ...], dict[str, dict[str, Any]]]] = [
    # reason, what is proposed, the others, what is different once it is approved ({}: in the archive)
    ("outdated", {"do": "archive"}, (), {"m-1": {}}),
    ("too_long", {"do": "archive", "ids": ["m-1", "m-2"]}, ("m-2",), {"m-1": {}, "m-2": {}}),
    ("unconfirmed", {"do": "promote"}, (), {"m-1": {"tier": "L3", "confirmed": True}}),
    ("unconfirmed", {"do": "distil"}, (), {"m-1": {"tier": "L2", "confirmed": True}}),
    ("wrong", {"do": "keep"}, (), {"m-1": {"confirmed": True}}),
    ("merge", {"do": "merge", "into": "m-2", "memory": MERGED}, ("m-2",), {"m-1": {}, "m-2": MERGED}),
    ("correction", {"do": "correct", "memory": CORRECTED, "instead_of": OURS["text"]}, (), {"m-1": {"text": "Deploys take 5 minutes"}}),
    ("contradiction", {}, ("m-2",), {"m-1": {"confirmed": True}, "m-2": {}}),
    ("contradiction", {}, ("no-drop",), {"m-1": {"confirmed": True}}),  # a case goes by its own judgment alone
    ("contradiction", {}, ("gone",), {"m-1": {"confirmed": True}}),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "proposal", "others", "after"), PROPOSALS)
def test_approving_does_what_is_proposed_and_undoing_brings_all_of_it_back(
    desk: Desk, reason: str, proposal: dict[str, Any], others: tuple[str, ...], after: dict[str, dict[str, Any]]
) -> None:
    before = held(desk)
    ask(desk, reason, proposal, *others)
    assert waits(desk) == [reason]
    done = approve(desk.review, "m-1", because="yes")
    now = held(desk)
    for name in before:
        if after.get(name) == {}:
            assert name not in now
            assert name in archived(desk)
        else:
            assert {**now[name], **after.get(name, {})} == now[name]
    assert waits(desk) == []
    assert desk.status("no-drop") == "active"
    undo(desk.review, str(done.entry.seq))
    assert {name: calm(form) for name, form in held(desk).items()} == {
        name: calm(form) for name, form in before.items()
    }
    assert waits(desk) == [reason]
    assert archived(desk) == set()


@pytest.mark.parametrize(("reason", "proposal", "others", "after"), PROPOSALS)
def test_rejecting_leaves_all_as_it_is_and_the_question_is_answered(
    desk: Desk, reason: str, proposal: dict[str, Any], others: tuple[str, ...], after: dict[str, Any]
) -> None:
    before = held(desk)
    ask(desk, reason, proposal, *others)
    done = reject(desk.review, "m-1")
    assert (held(desk), archived(desk), waits(desk)) == (before, set(), [])
    assert done.entry.signature is None  # no tombstone: it was no case
    assert ask(desk, reason, proposal, *others).id == f"ask:{reason}:m-1:k"
    assert waits(desk) == []  # the same question is not asked again
    undo(desk.review, str(done.entry.seq))
    assert waits(desk) == [reason]


def test_of_several_questions_a_judgment_answers_the_newest_and_the_rest_waits_on(desk: Desk) -> None:
    ask(desk, "contradiction", {}, "m-2")
    ask(desk, "unconfirmed", {"do": "promote"})
    assert the(desk).reasons == ("contradiction", "unconfirmed")
    approve(desk.review, "m-1")
    assert held(desk)["m-1"]["tier"] == "L3"
    assert waits(desk) == ["contradiction"]  # nothing is resolved in passing
    assert "m-2" in held(desk)
    reject(desk.review, "m-1")
    assert waits(desk) == []
    assert set(held(desk)) == {"m-1", "m-2"}


def test_what_is_gone_waits_no_longer_and_what_comes_back_does(desk: Desk) -> None:
    ask(desk, "idle", {"do": "archive"})
    ask(desk, "idle", {"do": "archive"}, subject="m-2")
    write(desk, OURS)
    assert the(desk).subject == "m-1"
    with pytest.raises(StoreError, match="in no tier any more"):
        approve(desk.review, "m-2")
    write(desk, OURS, OTHER)
    assert waits(desk, "m-2") == ["idle"]
    archive_memory(desk.review, "m-2", reason="retired")  # by a person: that is an answer
    with pytest.raises(NotFoundError):
        approve(desk.review, "m-2")


def test_a_merge_keeps_what_somebody_has_written_since(desk: Desk) -> None:
    ask(desk, "merge", {"do": "merge", "into": "m-2", "memory": MERGED}, "m-2")
    write(desk, {**OURS, "text": "Deploys take 7 minutes"}, {**OTHER, "text": "Deploys of the shop take long"})
    approve(desk.review, "m-1")
    (left,) = held(desk).values()
    assert left["text"] == "Deploys of the shop take long"
    assert left["exceptions"] == ["not at night", "Deploys take 7 minutes"]
    assert left["merged"] == ["m-1"]


def test_a_correction_of_other_words_than_were_seen_is_refused(desk: Desk) -> None:
    ask(desk, "correction", {"do": "correct", "memory": CORRECTED, "instead_of": OURS["text"]})
    write(desk, {**OURS, "text": "Deploys take 7 minutes"}, OTHER)
    with pytest.raises(StoreError, match="has been changed since"):
        approve(desk.review, "m-1")
    assert held(desk)["m-1"]["text"] == "Deploys take 7 minutes"


def test_an_undoing_leaves_what_somebody_has_changed_since(desk: Desk) -> None:
    ask(desk, "unconfirmed", {"do": "promote"})
    done = approve(desk.review, "m-1")
    edit_memory(desk.review, "m-1", {"tier": "L1"})
    with pytest.raises(StoreError, match="has been changed since"):
        undo(desk.review, str(done.entry.seq))
    assert held(desk)["m-1"]["tier"] == "L1"


# -- cases that upkeep asks about --------------------------------------------------------------------------------------


def test_an_idle_case_is_archived_by_a_person_s_word_and_undone(desk: Desk) -> None:
    ask(desk, "idle", {"do": "archive"}, subject="no-drop", memory=False)
    assert desk.status("no-drop") == "active"  # till then it serves
    done = approve(desk.review, "no-drop")
    assert desk.status("no-drop") is None
    undo(desk.review, str(done.entry.seq))
    assert desk.status("no-drop") == "active"
    assert waits(desk, "no-drop") == ["idle"]
    rejected = reject(desk.review, "no-drop")
    assert (desk.status("no-drop"), rejected.entry.signature) == ("active", None)


def test_what_was_proposed_last_is_what_approving_a_case_does(desk: Desk) -> None:
    ask(desk, "idle", {"do": "archive"}, subject="err-1", memory=False)
    better = {**LEARNT, "correction": "Ask for the e-mail."}
    desk.queue("err-1", "recovery", proposal=better)
    approve(desk.review, "err-1")
    assert (desk.form() or {})["correction"] == "Ask for the e-mail."  # and it is not archived


# -- by a memory's id --------------------------------------------------------------------------------------------------


def test_edit_archive_mute_and_wrong_are_each_undone(desk: Desk) -> None:
    before = held(desk)
    acts = (
        lambda: edit_memory(desk.review, "m-1", {"text": "Deploys take 5 minutes", "tags": ["a"]}, ["x-note"])[1],
        lambda: edit_memory(desk.review, "m-1", {"tier": "L3"})[1],
        lambda: archive_memory(desk.review, "m-1", reason="retired"),
        lambda: set_status(desk.review, "m-1", muted=True)[1],
        lambda: wrong_memory(desk.review, "m-1", because="no"),
    )
    for act in acts:
        entry = act()
        assert entry is not None
        assert held(desk) != before
        undo(desk.review, str(entry.seq))
        assert {name: calm(form) for name, form in held(desk).items()} == {
            name: calm(form) for name, form in before.items()
        }
        assert waits(desk) == []
        with pytest.raises(UndoError):
            undo(desk.review, str(entry.seq))


@pytest.mark.parametrize("tier", ["L1", "L2", "L3"])
def test_what_was_archived_by_hand_goes_back_to_the_tier_that_it_had(desk: Desk, tier: str) -> None:
    edit_memory(desk.review, "m-1", {"tier": tier})
    path = FolderMemories(desk.root).snapshot().memories["m-1"].path
    archive_memory(desk.review, "m-1", reason="retired")
    placed, entry = restore_memory(desk.review, "m-1")
    assert entry is not None
    assert (placed.memory.tier, placed.path) == (tier, path)
    assert restore_memory(desk.review, "m-1") == (placed, None)


def test_what_is_wrong_is_silent_until_it_is_judged(desk: Desk) -> None:
    wrong_memory(desk.review, "m-1", because="it takes an hour")
    assert held(desk)["m-1"]["status"] == "to_judge"
    assert waits(desk) == ["wrong"]
    reject(desk.review, "m-1")
    assert held(desk)["m-1"]["status"] == "active"
    wrong_memory(desk.review, "m-1")
    approve(desk.review, "m-1")
    assert "m-1" in archived(desk)


@pytest.mark.parametrize(
    ("changes", "remove", "error"),
    [
        ({"tier": "L4"}, (), UnfitMemoryError), ({"text": ""}, (), UnfitMemoryError), ({"id": "m-9"}, (), StoreError),
        ({}, ("text",), UnfitMemoryError), ({"tagz": ["a"]}, (), UnfitMemoryError),
    ],
)  # fmt: skip
def test_an_edit_that_makes_it_none_is_refused(
    desk: Desk, changes: dict[str, Any], remove: tuple[str, ...], error: type[Exception]
) -> None:
    before = held(desk)
    with pytest.raises(error):
        edit_memory(desk.review, "m-1", changes, remove)
    assert held(desk) == before


def test_what_is_not_there_is_named_with_what_is_near_or_where_it_went(desk: Desk) -> None:
    with pytest.raises(NotFoundError, match="did you mean m-1"):
        edit_memory(desk.review, "m-11", {"tier": "L3"})
    archive_memory(desk.review, "m-1", reason="retired")
    with pytest.raises(NotFoundError, match="casebook restore m-1"):
        edit_memory(desk.review, "m-1", {"tier": "L3"})
    with pytest.raises(NotFoundError):
        restore_memory(desk.review, "m-9")


# -- history, and why --------------------------------------------------------------------------------------------------


def test_history_has_every_text_that_the_log_knows_and_revert_brings_one_back(desk: Desk) -> None:
    edit_memory(desk.review, "m-1", {"text": "Deploys take 5 minutes", "tags": ["a"]})
    edit_memory(desk.review, "m-1", {"tier": "L3"})
    first, second, third = memory_history(desk.review, "m-1")
    assert [each.action for each in (first, second, third)] == ["seen", "edit", "edit"]
    assert [each.field for each in second.differences] == ["text", "tags"]
    assert [each.field for each in third.differences] == ["tier"]
    assert (first.stands, third.stands) == (False, True)
    assert second.version == third.version != first.version  # where it stands is no part of what it says
    entry = revert_memory(desk.review, "m-1", first.version[:6])
    assert entry is not None
    after = held(desk)["m-1"]
    assert (after["text"], after.get("tags"), after["tier"], after["x-note"]) == (OURS["text"], None, "L3", "mine")
    assert revert_memory(desk.review, "m-1", first.version) is None
    undo(desk.review, str(entry.seq))
    assert held(desk)["m-1"]["text"] == "Deploys take 5 minutes"


def test_revert_says_what_it_does_not_know_and_what_to_use_for_what_is_archived(desk: Desk) -> None:
    edit_memory(desk.review, "m-1", {"text": "Deploys take 5 minutes"})
    version = memory_history(desk.review, "m-1")[0].version
    with pytest.raises(NotFoundError, match="never had a version"):
        revert_memory(desk.review, "m-1", "0000")
    archive_memory(desk.review, "m-1", reason="retired")
    with pytest.raises(NotFoundError, match="casebook restore m-1"):
        revert_memory(desk.review, "m-1", version)
    assert memory_history(desk.review, "m-1")[-1].version == ""


def test_a_memory_s_story_has_the_judgment_of_another_that_archived_it(desk: Desk) -> None:
    ask(desk, "contradiction", {}, "m-2")
    done = approve(desk.review, "m-1")
    story = why_memory(desk.review, "m-2")
    assert story is not None
    assert story.retired is not None
    assert done.entry.seq in {each.seq for each in story.entries}
    assert memory_history(desk.review, "m-2")[-1].entry == done.entry.seq


def test_why_counts_the_tellings_of_what_went_into_it(desk: Desk) -> None:
    write(desk, {**OURS, "merged": ["m-0"]}, OTHER)
    now = desk.hands()
    desk.journal.tell([Telling("m-1", "a", now, "s1"), Telling("m-0", "b", now, "s2"), Telling("m-2", "c", now, "s3")])
    desk.journal.flush()
    story = why_memory(desk.review, "m-1")
    assert story is not None
    assert {each.session for each in story.tellings} == {"s1", "s2"}
    assert why_memory(desk.review, "m-9") is None
