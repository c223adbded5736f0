"""Why a case came to be, and what an activation said: told from the journal, and replayed as it was then."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from casebook.faults import NotFoundError
from casebook.runtime.answer.isolation import Principal
from casebook.runtime.journal.records import ActivationRecord, Entry, EventRecord, Firing
from casebook.runtime.journal.versions import version_of
from casebook.runtime.review.judging import edit
from casebook.runtime.review.muting import mute
from casebook.runtime.review.why_activation import Told, why_activation
from casebook.runtime.review.why_case import why_case
from tests.review.conftest import BLOCK, LEARNT, NOON, SIGNATURE, Desk

ANN = Principal("ann", None, frozenset(), None)


def failed(number: int, **fields: Any) -> EventRecord:
    """Give a failed call of get_user."""
    message = f"user {number} not found"
    plain = EventRecord(
        f"e{number}", NOON - timedelta(days=number), "tool", f"s{number}", ANN, None, "get_user", ok=False,
        signature=SIGNATURE, counted=True, body={"error": {"type": "KeyError", "message": message}},
    )  # fmt: skip
    return replace(plain, **fields)


# -- a case ------------------------------------------------------------------------------------------------------------


def learn(desk: Desk) -> None:
    """Let the journal say how the learnt case was made, as the detector does."""
    for number in (1, 2, 3, 4):
        desk.journal.record(failed(number))
    desk.journal.record(failed(5, signature="another"))
    told = {"figures": {"matching": 12, "failing": 3, "clean": 9}, "reasons": ["tool: all 3 occurrences have it"]}
    body = {"generation": 1, "case": LEARNT, "told": told}
    desk.journal.append(
        (Entry("promote:err-1:1", NOON, "detector", "promote", "err-1", SIGNATURE, body),
         Entry("written:err-1:1", NOON, "detector", "written", "err-1", SIGNATURE, {"claim": "promote:err-1:1"}))
    )  # fmt: skip


def test_a_learnt_case_tells_its_occurrences_its_backtest_and_who_judged_it(desk: Desk) -> None:
    learn(desk)
    edit(desk.review, "err-1", {"priority": 9})
    story = why_case(desk.review, "err-1")
    assert (story.origin, story.signature, story.counted) == ("detector", SIGNATURE, 4)
    assert [(each.event.id, each.evidence) for each in story.occurrences] == [
        ("e1", True), ("e2", True), ("e3", True), ("e4", False),
    ]  # fmt: skip
    assert story.occurrences[0].message == "user 1 not found"
    (making,) = story.makings
    assert making.figures == {"matching": 12, "failing": 3, "clean": 9, "precision": 0.25}
    assert making.reasons == ("tool: all 3 occurrences have it",)
    assert [each.action for each in story.entries] == ["edit"]
    assert [each.action for each in story.steps] == ["seen", "edit"]
    assert story.fired.count == 0


def test_occurrences_of_those_whom_a_case_is_not_for_are_not_told(desk: Desk) -> None:
    learn(desk)
    desk.journal.record(failed(9, principal=replace(ANN, user="bob")))
    desk.rewrite({**LEARNT, "scope": {"user": "ann"}})
    assert [each.event.id for each in why_case(desk.review, "err-1").occurrences] == ["e1", "e2", "e3", "e4"]


def test_an_authored_case_tells_its_texts_and_how_often_it_spoke(desk: Desk) -> None:
    loaded = desk.review.case("no-drop")
    assert loaded is not None
    answer(desk, {"point": "tool", "tool": "drop_table"}, Firing("no-drop", loaded.version, "selected"))
    answer(desk, {"point": "tool"}, Firing("no-drop", loaded.version, "held", "point:answer"), name="a2")
    story = why_case(desk.review, "no-drop")
    assert (story.origin, story.signature, story.occurrences, story.makings) == ("author", None, (), ())
    assert (story.fired.count, story.spoke_in) == (1, ("a1",))


def test_a_case_that_never_was_is_refused(desk: Desk) -> None:
    with pytest.raises(NotFoundError, match="did you mean err-1"):
        why_case(desk.review, "err-2")


def test_a_case_that_is_gone_still_tells_its_story(desk: Desk) -> None:
    learn(desk)
    desk.rewrite(BLOCK)
    story = why_case(desk.review, "err-1")
    assert (story.loaded, story.origin, story.signature, story.counted) == (None, "detector", SIGNATURE, 4)


# -- an activation -----------------------------------------------------------------------------------------------------


def answer(desk: Desk, facts: dict[str, Any], *firings: Firing, name: str = "a1", session: str | None = None) -> None:
    """Journal an answer, and the texts that it refers to as they serve now."""
    for firing in firings:
        loaded = desk.review.case(firing.case_id)
        if loaded is not None and loaded.version == firing.version:
            desk.journal.keep((version_of(loaded, desk.hands()),))
    record = ActivationRecord(
        name, desk.hands(), session, ANN, facts.get("point", "tool"), facts.get("tool"), "allow", "reference", "enforce",
        "0.1", facts, firings,
    )  # fmt: skip
    desk.journal.note(lambda: (record, (), ()))
    desk.journal.flush()


def selected(desk: Desk, case_id: str = "err-1") -> Firing:
    """Give the firing of a case as it serves."""
    loaded = desk.review.case(case_id)
    assert loaded is not None
    because = tuple({"condition": each, "seen": "get_user"} for each in loaded.case.trigger_conditions)
    return Firing(case_id, loaded.version, "selected", because=because)


def only(told: Told) -> tuple[str, tuple[str, ...]]:
    """Give the verdict and the reasons of the only case."""
    (replay,) = told.replays
    return replay.verdict, replay.why


FACTS = {"point": "tool", "tool": "get_user", "args": {"id": "u1"}}


def test_an_answer_comes_out_the_same_in_the_texts_of_then(desk: Desk) -> None:
    answer(desk, FACTS, selected(desk))
    told = why_activation(desk.review, "a1")
    assert (told.verdict, only(told)) == ("same", ("same", ()))
    (condition,) = told.replays[0].conditions
    assert (condition.condition, condition.then, condition.noted, condition.trace.holds) == (
        "tool is get_user", "get_user", True, True,
    )  # fmt: skip


def test_a_case_that_was_changed_since_comes_out_the_same_then_and_different_today(desk: Desk) -> None:
    answer(desk, FACTS, selected(desk))
    edit(desk.review, "err-1", {"trigger_conditions": ["tool is find_user"]})
    assert why_activation(desk.review, "a1").verdict == "same"
    today = why_activation(desk.review, "a1", today=True)
    assert today.verdict == "different"
    assert only(today) == ("different", ("tool is find_user does not hold as it is written now",))


def test_a_case_that_was_changed_by_hand_is_replayed_in_the_text_that_the_journal_has(desk: Desk) -> None:
    answer(desk, FACTS, selected(desk))
    desk.rewrite({**LEARNT, "trigger_conditions": ["tool is find_user"]})
    assert why_activation(desk.review, "a1").verdict == "same"
    assert why_activation(desk.review, "a1", today=True).verdict == "different"


@pytest.mark.parametrize(
    "change, told",
    [
        (lambda desk: mute(desk.review, "err-1"), "its status is disabled now"),
        (lambda desk: desk.rewrite(BLOCK), "it is no longer in service"),
        (lambda desk: edit(desk.review, "err-1", {"scope": {"user": "bob"}}), "its scope does not reach this task now"),
        (lambda desk: edit(desk.review, "err-1", {"on": ["answer"]}), "it is for answer now, and this was at tool"),
        (lambda desk: edit(desk.review, "err-1", {"mode": "shadow"}), "its mode is shadow now"),
        (lambda desk: edit(desk.review, "err-1", {"expires_at": "2026-03-01"}), "its time is over now"),
    ],
)
def test_what_keeps_a_case_from_speaking_today_is_told(desk: Desk, change, told) -> None:
    answer(desk, FACTS, selected(desk))
    change(desk)
    assert only(why_activation(desk.review, "a1", today=True)) == ("different", (told,))
    assert why_activation(desk.review, "a1").verdict == "same"


def test_a_case_that_would_speak_today_and_did_not_is_told(desk: Desk) -> None:
    answer(desk, FACTS, selected(desk))
    desk.rewrite(LEARNT, BLOCK, {"id": "new", "trigger_conditions": ["args.id is u1"], "correction": "x"})
    assert [each.case_id for each in why_activation(desk.review, "a1").replays] == ["err-1"]
    today = why_activation(desk.review, "a1", today=True)
    assert [(each.case_id, each.firing is None, each.verdict) for each in today.replays] == [
        ("err-1", False, "same"), ("new", True, "different"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "conditions, facts, verdict, told",
    [
        (
            ["args.q contains needle"],
            {"args": {"q": "hay … [1,000 characters left out] … hay"}},
            "unknown",
            "args.q shortened",
        ),
        (["args.key starts with ghp"], {"args": {"key": "[redacted:github-token]"}}, "unknown", "without its secrets"),
        (["args.q contains needle"], {"args": {"q": "hay"}}, "different", "does not hold"),
        (["earlier tool where tool is get_user"], {}, "unknown", "history that the task told itself is not kept"),
        (["tool is get_user"], None, "unknown", "taken out of the journal"),
    ],
)
def test_what_cannot_be_said_for_want_of_facts_is_not_said(desk: Desk, conditions, facts, verdict, told) -> None:
    edit(desk.review, "err-1", {"trigger_conditions": conditions})
    firing = replace(selected(desk), because=())
    answer(desk, {} if facts is None else {"point": "tool", "tool": "get_user", **facts}, firing)
    (replay,) = why_activation(desk.review, "a1").replays
    assert replay.verdict == verdict
    assert told in " ".join(replay.why)


def test_a_text_that_nobody_kept_is_not_guessed(desk: Desk) -> None:
    answer(desk, FACTS, Firing("err-1", "0123456789abcdef", "omitted"))
    assert only(why_activation(desk.review, "a1")) == ("unknown", ("the text of then is not kept",))


def test_history_is_that_before_the_answer_of_this_user_s_session(desk: Desk) -> None:
    edit(desk.review, "err-1", {"trigger_conditions": ["count of error where tool is get_user = 2"]})
    bob = replace(ANN, user="bob")
    several: list[dict[str, Any]] = [{}, {}, {"principal": bob}, {"session": "other"}, {"activation": "a1"}, {}]
    for number, fields in enumerate(several, 1):
        desk.journal.record(failed(number, **{"session": "s", "at": NOON, **fields}))
    answer(desk, FACTS, replace(selected(desk), because=()), session="s")
    told = why_activation(desk.review, "a1")
    assert told.verdict == "same", told.replays[0].why
    assert [each.id for each in told.outcomes] == ["e5"]


def test_clocks_are_those_of_the_answer(desk: Desk) -> None:
    edit(desk.review, "err-1", {"trigger_conditions": ["time between 20:00 and 21:00"]})
    answer(desk, FACTS, replace(selected(desk), because=()))
    desk.hands.later(hours=7)
    assert why_activation(desk.review, "a1").verdict == "same"


def test_every_way_of_firing_is_replayed(desk: Desk) -> None:
    firing = replace(selected(desk), because=())
    ways = [replace(firing, how=how) for how in ("selected", "omitted", "shadow", "withheld", "held")]
    for number, each in enumerate(ways):
        answer(desk, FACTS, each, name=f"w{number}")
        assert why_activation(desk.review, f"w{number}").verdict == "same"


def test_an_activation_that_never_was_is_refused(desk: Desk) -> None:
    with pytest.raises(NotFoundError, match="no activation"):
        why_activation(desk.review, "a9")


def test_a_condition_in_its_json_form_is_told_as_it_is_written(desk: Desk) -> None:
    form = {"field": "tool", "op": "is", "value": "get_user"}
    edit(desk.review, "err-1", {"trigger_conditions": [form]})
    answer(desk, FACTS, replace(selected(desk), because=({"condition": json.dumps(form), "seen": "get_user"},)))
    (replay,) = why_activation(desk.review, "a1").replays
    assert (replay.verdict, replay.conditions[0].noted) == ("same", True)
