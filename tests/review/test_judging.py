"""Judgments change what they say and no more, are journaled, and can be taken back."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casebook.faults import CasebookError, NotFoundError, StoreError
from casebook.runtime.journal.versions import changed
from casebook.runtime.review.history import history, revert
from casebook.runtime.review.judging import Judged, approve, edit, reject
from casebook.runtime.review.muting import mute, unmute, wrong
from casebook.runtime.review.review import Review
from casebook.runtime.review.undoing import UndoError, undo
from tests.review.conftest import BLOCK, LEARNT, SIGNATURE, Desk, Hands, make_desk

Judge = Callable[[Review], Judged | None]


def draft(desk: Desk) -> None:
    """Make the learnt case a draft, as the detector does."""
    desk.rewrite({**LEARNT, "status": "draft"}, BLOCK)


# -- approve -----------------------------------------------------------------------------------------------------------


def test_approve_makes_a_draft_active_and_its_correction_the_person_s(desk: Desk) -> None:
    draft(desk)
    done = approve(desk.review, "err-1", because="checked")
    assert desk.form() == {**LEARNT, "status": "active", "correction_by": "person"}
    assert (done.entry.action, done.entry.actor, done.entry.signature) == ("approve", "person:ann", SIGNATURE)
    assert done.entry.body["because"] == "checked"
    assert [each.action for each in desk.journal.entries(subject="err-1")] == ["approve"]


def test_approve_may_leave_the_correction_quoted_as_whose_it_is(desk: Desk) -> None:
    draft(desk)
    approve(desk.review, "err-1", as_person=False)
    assert desk.form() == {**LEARNT, "status": "active"}


def test_approve_changes_nothing_of_a_case_that_says_what_it_shall(desk: Desk) -> None:
    before = (desk.root / "long_term/learnt.json").read_bytes()
    approve(desk.review, "err-1", as_person=False)
    assert (desk.root / "long_term/learnt.json").read_bytes() == before


def test_approve_of_a_case_that_is_a_person_s_already_leaves_its_file(desk: Desk) -> None:
    before = (desk.root / "long_term/learnt.json").read_bytes()
    assert "correction_by" not in BLOCK
    approve(desk.review, BLOCK["id"])
    assert (desk.root / "long_term/learnt.json").read_bytes() == before


def test_a_case_that_a_person_has_silenced_stays_silent_when_it_is_approved(desk: Desk) -> None:
    mute(desk.review, "err-1")
    approve(desk.review, "err-1")
    assert desk.status() == "disabled"


def test_approve_applies_what_is_proposed_and_keeps_what_is_the_person_s_own(desk: Desk) -> None:
    proposal = {**LEARNT, "correction": "Search first.", "status": "draft"}
    del proposal["x-team"]
    desk.queue("err-1", "recovery", proposal=proposal)
    done = approve(desk.review, "err-1")
    assert desk.form() == {**LEARNT, "correction": "Search first.", "correction_by": "person"}
    assert done.entry.body["applied"] is True
    undo(desk.review)
    assert desk.form() == LEARNT


def test_approve_puts_a_case_that_is_proposed_and_not_there(desk: Desk) -> None:
    desk.queue("err-2", "tombstone", proposal={**LEARNT, "id": "err-2", "status": "draft"})
    approve(desk.review, "err-2")
    assert desk.form("err-2") == {**LEARNT, "id": "err-2", "correction_by": "person"}
    loaded = desk.review.case("err-2")
    assert loaded is not None
    assert loaded.path == "long_term/learnt.json"
    undo(desk.review)
    assert desk.form("err-2") is None


# -- reject ------------------------------------------------------------------------------------------------------------


def test_reject_archives_the_case_and_leaves_a_tombstone(desk: Desk) -> None:
    done = reject(desk.review, "err-1", because="the service was down")
    assert desk.form() is None
    assert "rejected: the service was down" in next((desk.root / "archive").glob("*.json")).read_text("utf-8")
    (entry,) = desk.journal.entries(signature=SIGNATURE, actions=("reject",))
    assert entry == done.entry


def test_to_undo_a_reject_brings_the_very_text_back_and_lifts_the_tombstone(desk: Desk) -> None:
    loaded = desk.review.case("err-1")
    done = reject(desk.review, "err-1")
    _, entry, back = undo(desk.review)
    assert back is not None
    assert loaded is not None
    assert back.version == loaded.version
    assert (entry.action, entry.body["entry"], entry.signature) == ("undo", done.entry.id, SIGNATURE)


@pytest.mark.parametrize("reason", ["recovery", "hand-edited", "draft"])
def test_reject_of_a_mere_proposal_refuses_it_and_keeps_the_case(desk: Desk, reason) -> None:
    desk.queue("err-1", reason, proposal={**LEARNT, "correction": "Search first."})
    done = reject(desk.review, "err-1")
    assert desk.form() == LEARNT
    assert (done.entry.signature, done.entry.body["refused"]) == (None, [reason])
    assert desk.journal.entries(signature=SIGNATURE, actions=("reject",)) == ()


def test_a_proposal_leaves_what_was_edited_since_and_changes_what_it_was_to_change(desk: Desk) -> None:
    desk.queue("err-1", "draft", proposal={**LEARNT, "correction": "Search first.", "status": "draft"})
    before = desk.review.case("err-1")
    desk.rewrite({**LEARNT, "priority": 9, "ttl": "3d"}, BLOCK)
    changed(desk.journal, desk.hands, "person:bob", "edit", before=before, after=desk.review.case("err-1"))
    approve(desk.review, "err-1")
    theirs = {"priority": 9, "ttl": "3d"}
    assert desk.form() == {**LEARNT, **theirs, "correction": "Search first.", "correction_by": "person"}


def test_a_case_whose_proposal_waits_beside_it_is_rejected_whole(desk: Desk) -> None:
    desk.queue("err-1", "learnt")
    desk.queue("err-1", "recovery", proposal={**LEARNT, "correction": "Search first."})
    reject(desk.review, "err-1")
    assert desk.form() is None


# -- edit --------------------------------------------------------------------------------------------------------------


def test_edit_makes_a_correction_the_person_s_own_and_a_draft_active(desk: Desk) -> None:
    draft(desk)
    edit(desk.review, "err-1", {"correction": "Use find_user."})
    assert desk.form() == {**LEARNT, "status": "active", "correction": "Use find_user.", "correction_by": "person"}


@pytest.mark.parametrize(
    "changes, kept",
    [
        ({"priority": 9}, {"correction_by": "mined"}),
        ({"correction": "Use find_user.", "correction_by": "agent"}, {"correction_by": "agent"}),
        ({"priority": 9, "status": "draft"}, {"status": "draft"}),
    ],
)
def test_edit_takes_what_is_said_at_its_word(desk: Desk, changes, kept) -> None:
    draft(desk)
    edit(desk.review, "err-1", changes)
    form = desk.form()
    assert form is not None
    assert {name: form[name] for name in kept} == kept


def test_an_edit_that_would_not_serve_is_refused_and_nothing_is_journaled(desk: Desk) -> None:
    with pytest.raises(StoreError, match=r"trigger_conditions\[0\]"):
        edit(desk.review, "err-1", {"trigger_conditions": ["tool iz shell"]})
    assert desk.form() == LEARNT
    assert desk.journal.entries() == ()


def test_a_renamed_case_gets_its_name_back(desk: Desk) -> None:
    edit(desk.review, "err-1", {"id": "users-by-mail"})
    assert desk.form("users-by-mail") is not None
    undo(desk.review)
    assert (desk.form(), desk.form("users-by-mail")) == (LEARNT, None)


# -- mute and wrong ----------------------------------------------------------------------------------------------------


def test_mute_silences_any_case_and_leaves_its_text(desk: Desk) -> None:
    mute(desk.review, "no-drop", because="a migration")
    assert desk.form("no-drop") == {**BLOCK, "status": "disabled"}
    assert mute(desk.review, "no-drop") is None
    unmute(desk.review, "no-drop")
    assert desk.form("no-drop") == BLOCK
    assert unmute(desk.review, "no-drop") is None
    assert [each.action for each in desk.journal.entries()] == ["mute", "unmute"]


def test_unmute_gives_a_draft_its_status_back(desk: Desk) -> None:
    draft(desk)
    mute(desk.review, "err-1")
    unmute(desk.review, "err-1")
    assert desk.status() == "draft"


def test_a_case_that_was_disabled_by_hand_may_speak_again(desk: Desk) -> None:
    desk.rewrite({**LEARNT, "status": "disabled"})
    unmute(desk.review, "err-1")
    assert desk.status() == "active"


@pytest.mark.parametrize("case_id, status", [("err-1", "draft"), ("no-drop", "active")])
def test_wrong_holds_advice_back_and_leaves_a_block_in_force(desk: Desk, case_id, status) -> None:
    done = wrong(desk.by("agent:coder"), case_id, because="it is fast now")
    assert desk.status(case_id) == status
    said, queued = desk.journal.entries(subject=case_id)
    assert (said.actor, said.action, said.body["because"]) == ("agent:coder", "wrong", "it is fast now")
    assert (queued.action, queued.body["reason"], queued.body["wrong"]) == ("queue", "wrong", done.entry.id)


def test_approve_puts_what_was_said_to_be_wrong_back_into_service(desk: Desk) -> None:
    wrong(desk.review, "err-1")
    approve(desk.review, "err-1")
    assert desk.status() == "active"


def test_a_reason_is_kept_without_its_secrets(desk: Desk) -> None:
    done = mute(desk.review, "err-1", because="my token is ghp_" + "a1B2" * 9)
    assert done is not None
    assert "ghp_" not in str(done.entry.body)


# -- undo --------------------------------------------------------------------------------------------------------------

JUDGMENTS: dict[str, Judge] = {
    "approve": lambda review: approve(review, "err-1"),
    "approve as person": lambda review: approve(review, "err-1", as_person=True),
    "reject": lambda review: reject(review, "err-1"),
    "edit": lambda review: edit(review, "err-1", {"correction": "Use find_user.", "ttl": "30d"}, ["situation"]),
    "mute": lambda review: mute(review, "err-1"),
    "unmute": lambda review: unmute(review, "err-1"),
    "wrong": lambda review: wrong(review, "err-1"),
    "revert": lambda review: revert(review, "err-1", history(review, "err-1")[0].version),
}


@pytest.mark.parametrize("status", ["active", "draft", "disabled"])
@pytest.mark.parametrize("name", JUDGMENTS)
def test_every_judgment_can_be_undone(desk: Desk, name, status) -> None:
    form = {**LEARNT, "status": status}
    desk.rewrite(form, BLOCK)
    history(desk.review, "err-1")
    if JUDGMENTS[name](desk.review) is not None:
        undo(desk.review)
    assert (desk.form(), desk.form("no-drop")) == (form, BLOCK)
    with pytest.raises(NotFoundError, match="nothing to undo"):
        undo(desk.review)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(sorted(JUDGMENTS)), max_size=8), st.sampled_from(["active", "draft"]))
def test_judgments_undone_from_the_last_to_the_first_leave_the_case_as_it_was(names, status) -> None:
    form = {**LEARNT, "status": status}
    with tempfile.TemporaryDirectory() as folder:
        review, store, journal = make_desk(Path(folder) / "memory", Hands(), form, BLOCK)
        try:
            made = 0
            for name in names:
                if review.case("err-1") is not None:
                    made += JUDGMENTS[name](review) is not None
            for _ in range(made):
                undo(review)
            loaded = review.case("err-1")
            assert loaded is not None
            assert loaded.case.to_json() == form
            with pytest.raises(NotFoundError):
                undo(review)
        finally:
            journal.close()
            store.close()


def test_an_undoing_keeps_what_somebody_else_has_changed_since(desk: Desk) -> None:
    mute(desk.review, "err-1")
    desk.rewrite({**LEARNT, "status": "disabled", "priority": 9}, BLOCK)
    undo(desk.review)
    assert desk.form() == {**LEARNT, "priority": 9}


def test_an_undoing_refuses_to_drop_somebody_else_s_word(desk: Desk) -> None:
    edit(desk.review, "err-1", {"correction": "Use find_user."})
    desk.rewrite({**LEARNT, "correction": "Mine."}, BLOCK)
    with pytest.raises(UndoError, match="correction has been changed since"):
        undo(desk.review)
    assert desk.form() == {**LEARNT, "correction": "Mine."}


def test_an_entry_is_named_by_its_number_or_its_id(desk: Desk) -> None:
    first = mute(desk.review, "err-1")
    second = mute(desk.review, "no-drop")
    assert first is not None
    assert second is not None
    undo(desk.review, str(first.entry.seq))
    undo(desk.review, second.entry.id)
    assert (desk.form(), desk.form("no-drop")) == (LEARNT, BLOCK)


@pytest.mark.parametrize(
    "which, error, told",
    [
        ("99", NotFoundError, "no entry 99"), ("nope", NotFoundError, "no entry nope"),
        ("#1", UndoError, "only what a person judged or changed is undone"), ("2", UndoError, "undone already"),
        ("3", UndoError, "an undoing itself"),
    ],
)  # fmt: skip
def test_what_cannot_be_undone_is_refused_with_the_reason(desk: Desk, which, error, told) -> None:
    desk.queue("err-1", "learnt")
    approve(desk.review, "err-1")
    undo(desk.review)
    with pytest.raises(error, match=told):
        undo(desk.review, which)


def test_a_reject_is_undone_where_another_case_has_come_in_its_place(desk: Desk) -> None:
    reject(desk.review, "err-1")
    newer = {**LEARNT, "correction": "Newer."}
    desk.rewrite(newer, BLOCK)
    undo(desk.review)
    assert desk.form() == newer
    assert desk.journal.entries(actions=("undo",))


@pytest.mark.parametrize("judge", [approve, reject, mute, wrong])
def test_an_id_that_is_not_here_is_refused_with_the_nearest(desk: Desk, judge) -> None:
    with pytest.raises(NotFoundError, match="did you mean err-1"):
        judge(desk.review, "err-11")


def test_a_closed_journal_is_an_error_that_names_it(desk: Desk) -> None:
    desk.journal.close()
    with pytest.raises(CasebookError):
        approve(desk.review, "err-1")


def feedback(desk: Desk) -> Any:
    """Put a user's words into L2 and into the queue, as routing does."""
    from casebook.memory import Memory
    from casebook.stores.memories import LEARNINGS, Memories

    memory = Memory(id="m1", kind="feedback", text="Never on Fridays.", tier="L2", status="to_judge")
    memories = Memories(desk.root)
    written = memories.add(LEARNINGS, [memory])
    desk.review.written(desk.review.line("queue", "m1", None, {"reason": "feedback", "file": written.path}))
    return lambda: memories.read(LEARNINGS)[0][0].status


@pytest.mark.parametrize("judge, status", [(approve, "active"), (reject, "disabled")])
def test_feedback_is_judged_where_it_stands(desk: Desk, judge, status) -> None:
    status_of = feedback(desk)
    judge(desk.review, "m1")
    assert status_of() == status
    undo(desk.review)
    assert status_of() == "to_judge"


def test_a_case_that_was_taken_away_while_it_waited_is_rejected_all_the_same(desk: Desk) -> None:
    desk.queue("err-1", "learnt")
    desk.rewrite(BLOCK)
    with pytest.raises(NotFoundError):
        approve(desk.review, "err-1")
    assert reject(desk.review, "err-1").entry.signature == SIGNATURE
    undo(desk.review)
    assert desk.form() is None


def test_an_undoing_that_was_cut_off_before_it_was_journaled_is_finished_by_the_next(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    mute(desk.review, "err-1")
    with monkeypatch.context() as patched:
        patched.setattr(type(desk.journal), "append", refuse)
        with pytest.raises(StoreError, match="disk full"):
            undo(desk.review)
    assert desk.form() == LEARNT
    undo(desk.review)
    assert [each.action for each in desk.journal.entries()] == ["mute", "undo"]


def refuse(*_: object) -> None:
    """Fail as a journal on a full disk does."""
    raise StoreError("disk full")
