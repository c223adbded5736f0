"""The texts that a case has had, in order, whoever made them; and one of them brought back."""

from __future__ import annotations

import json

import pytest

from casebook.faults import NotFoundError, StoreError
from casebook.runtime.journal.versions import changed
from casebook.runtime.review.history import Difference, history, revert
from casebook.runtime.review.judging import edit, reject
from casebook.runtime.review.undoing import undo
from casebook.runtime.review.why_case import why_case
from tests.review.conftest import BLOCK, LEARNT, Desk

SPACED = """[
  {
    "id": "err-1",   "type": "case",
    "trigger_conditions": ["tool is get_user"],
    "correction": "Look the user up by e-mail first.",
    "x-team": "ops"
  },
  {"id": "no-drop", "trigger_conditions": ["tool is drop_table"], "correction": "Ask first.", "effect": "block"}
]
"""


def test_the_text_that_serves_is_kept_when_it_is_first_looked_at(desk: Desk) -> None:
    (step,) = history(desk.review, "err-1")
    assert (step.action, step.serves, step.differences, dict(step.form)) == ("seen", True, (), LEARNT)
    (version,) = desk.journal.versions("err-1")
    assert (json.loads(version.text), version.place) == (LEARNT, "long_term/learnt.json")


def test_a_journal_that_can_only_be_read_is_looked_at_all_the_same(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise StoreError("the journal cannot be written")

    monkeypatch.setattr(type(desk.journal), "keep", refuse)
    (step,) = history(desk.review, "err-1")
    assert (step.action, step.serves, dict(step.form)) == ("seen", True, LEARNT)
    assert desk.journal.versions("err-1") == ()
    assert why_case(desk.review, "err-1").steps == (step,)


def test_each_step_says_who_did_what_and_what_it_changed(desk: Desk) -> None:
    edit(desk.review, "err-1", {"priority": 9})
    desk.hands.later(hours=1)
    desk.rewrite({**LEARNT, "priority": 1}, BLOCK)
    desk.hands.later(hours=1)
    edit(desk.by("person:bob"), "err-1", {"priority": 2}, ["situation"])
    steps = history(desk.review, "err-1")
    assert [(each.action, each.by, each.entry, each.serves) for each in steps] == [
        ("seen", "", None, False),
        ("edit", "person:ann", 1, False),
        ("seen", "", None, False),
        ("edit", "person:bob", 2, True),
    ]
    assert [each.differences for each in steps] == [
        (),
        (Difference("priority", 5, 9),),
        (Difference("priority", 9, 1),),
        (Difference("situation", "get_user failed three times", None), Difference("priority", 1, 2)),
    ]


def test_a_text_that_came_back_is_told_as_the_one_it_was(desk: Desk) -> None:
    first = history(desk.review, "err-1")[0].version
    edit(desk.review, "err-1", {"priority": 9})
    undo(desk.review)
    steps = history(desk.review, "err-1")
    assert [each.action for each in steps] == ["seen", "edit", "undo"]
    assert steps[-1].version == first
    assert steps[-1].serves


def test_revert_writes_the_case_s_own_span_alone(desk: Desk) -> None:
    path = desk.root / "long_term" / "learnt.json"
    path.write_text(SPACED, encoding="utf-8")
    first = history(desk.review, "err-1")[0].version
    edit(desk.review, "err-1", {"correction": "Other.", "ttl": "3d"})
    done = revert(desk.review, "err-1", first[:6])
    assert done is not None
    assert done.entry.body["version"] == first
    assert path.read_text("utf-8") == SPACED
    assert revert(desk.review, "err-1", first) is None
    undo(desk.review)
    form = desk.form()
    assert form is not None
    assert (form["correction"], form["ttl"]) == ("Other.", "3d")


def test_revert_takes_out_what_the_text_did_not_have(desk: Desk) -> None:
    first = history(desk.review, "err-1")[0].version
    edit(desk.review, "err-1", {"x-note": "new", "cooldown": "5m"})
    revert(desk.review, "err-1", first)
    assert desk.form() == LEARNT


def test_revert_puts_a_case_back_that_is_not_in_service(desk: Desk) -> None:
    first = history(desk.review, "err-1")[0].version
    reject(desk.review, "err-1")
    assert history(desk.review, "err-1")[-1].version == ""
    revert(desk.review, "err-1", first)
    loaded = desk.review.case("err-1")
    assert loaded is not None
    assert (loaded.case.to_json(), loaded.path) == (LEARNT, "long_term/learnt.json")
    undo(desk.review)
    assert desk.form() is None


@pytest.mark.parametrize(
    "case_id, version, told",
    [
        ("err-1", "zzzz", "never had a version 'zzzz'"),
        ("err-2", "zzzz", "did you mean err-1"),
        ("err-1", "", "never had"),
    ],
)
def test_what_never_was_is_refused(desk: Desk, case_id, version, told) -> None:
    with pytest.raises(NotFoundError, match=told):
        revert(desk.review, case_id, version)


def test_a_beginning_that_two_versions_share_is_refused(desk: Desk) -> None:
    edit(desk.review, "err-1", {"priority": 9})
    versions = [each.version for each in desk.journal.versions("err-1")]
    with pytest.raises(NotFoundError, match="never had"):
        revert(desk.review, "err-1", versions[0][:3])


def test_a_change_leaves_both_texts_and_a_line(desk: Desk) -> None:
    before = desk.review.case("err-1")
    desk.rewrite({**LEARNT, "priority": 9}, BLOCK)
    after = desk.review.case("err-1")
    changed(desk.journal, desk.hands, "person:ann", "edit", before=before, after=after, reason="a test")
    (entry,) = desk.journal.entries()
    assert (entry.subject, entry.actor, entry.body["reason"]) == ("err-1", "person:ann", "a test")
    assert (entry.body["before"]["case"], entry.body["after"]["case"]["priority"]) == (LEARNT, 9)
    assert [each.by for each in desk.journal.versions("err-1")] == ["", "person:ann"]
    changed(desk.journal, desk.hands, "person:ann", "edit", before=after, after=after)
    assert len(desk.journal.entries()) == 1
