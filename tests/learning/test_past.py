"""The past as the journal has it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from casebook.clock import fixed_clock
from casebook.conditions.parse import parse
from casebook.runtime.journal.opening import memory_journal
from casebook.runtime.learning.backtest import Backtest, Figures, figures_of, past_read, trials_of
from casebook.runtime.learning.past import JournalCalls
from casebook.scope import Scope
from tests.learning.past import BEGIN, happened, person


@pytest.fixture
def journal():
    journal = memory_journal(fixed_clock(BEGIN))
    yield journal
    journal.close()


def test_calls_of_some_tools_and_turns_of_some_intents(journal):
    for record in (
        happened(1, "book", {}),
        happened(2, "other", {}),
        happened(3, "book", {}, "no"),
        happened(4, intent="push", kind="task"),
        happened(5, intent=["mail", "push"]),
        happened(6, intent="mail"),
        happened(7, None, None, "no", intent="push"),
    ):
        journal.record(record)
    calls = JournalCalls(journal)
    assert [each.id for each in calls.of(["book"], [])] == ["e1", "e3"]
    assert [each.id for each in calls.of(["book"], ["push"])] == ["e1", "e3", "e4", "e5", "e7"]
    assert [*calls.of([], [])] == []


def test_before_and_after_in_the_same_session_of_the_same_user(journal):
    ann, bob = person("ann"), person("bob")
    for record in (
        happened(1, "book", {}, principal=ann),
        happened(2, "book", {}, principal=bob),
        happened(3, "book", {}, session="t", principal=ann),
        happened(4, "book", {}, principal=ann),
        happened(5, "book", {}, principal=ann),
    ):
        journal.record(record)
    calls = JournalCalls(journal)
    middle = journal.event("e4")
    assert [each.id for each in calls.earlier(middle)] == ["e1"]
    assert [each.id for each in calls.later(middle)] == ["e5"]
    assert [*calls.earlier(replace(middle, session=None))] == []
    unwritten = replace(middle, id="new", seq=0)
    assert [each.id for each in calls.earlier(unwritten)] == ["e1", "e4", "e5"]
    assert [*calls.later(unwritten)] == []


@pytest.mark.parametrize(
    "condition, past",
    [
        ("tool is 'book'", "nothing"),
        ("session is 'x'", "everything"),
        ("session.errors >= 1", "errors"),
        ("session.tools contains 'book'", "everything"),
        ("earlier error where tool is this tool", "errors"),
        ("earlier error and earlier tool", "everything"),
        ("count of error >= 2 or session.minutes > 2", "everything"),
    ],
)
def test_what_a_condition_asks_of_the_past(condition, past):
    assert past_read(parse(condition)) == past


@pytest.mark.parametrize("matching, failing, precision", [(0, 0, 0.0), (20, 1, 0.05), (3, 3, 1.0)])
def test_precision(matching, failing, precision):
    assert Figures(matching, failing, 0).precision == precision


def test_trials_are_calls_and_turns_and_each_record_counts_once():
    occurrence = happened(1, "book", {}, "no", signature="x")
    unsuccessful = happened(2, "book", {}, "other")
    ignored = replace(happened(3, "book", {}, "no", signature="x"), counted=False)
    turn = happened(4, kind="task", activation="a")
    ended = happened(5, None, None, "no", signature="x", activation="a")
    trials = trials_of(
        "x", [occurrence], [occurrence, unsuccessful, ignored, turn, ended, happened(6, "book", {})], Scope()
    )
    assert [(each.record.id, each.failing, each.clean) for each in trials] == [
        ("e1", True, False),
        ("e2", False, False),
        ("e3", False, False),
        ("e6", False, True),
        ("e4", True, False),
    ]
    assert figures_of(trials) == Figures(5, 2, 1)


def test_what_is_out_of_scope_is_no_trial():
    past = [happened(1, "book", {}, principal=person("bob")), happened(2, "book", {}, principal=person("ann"))]
    assert [each.record.id for each in trials_of("x", [], past, Scope(user="ann"))] == ["e2"]


def test_a_backtest_reads_the_history_of_a_call_as_it_was(journal):
    for seq, error in enumerate([None, "no", None], 1):
        journal.record(happened(seq, "book", {}, error, session="s"))
    calls = JournalCalls(journal)
    tested = Backtest(trials_of("x", [], calls.of(["book"], []), Scope()), calls, "UTC")
    assert [each.record.id for each in tested.matching([parse("session.errors >= 1")])] == ["e3"]
    assert [each.record.id for each in tested.matching([parse("earlier error where tool is this tool")])] == ["e3"]
