"""An error that a learnt case did not come up at widens it."""

from __future__ import annotations

from typing import Any

import pytest

from casebook.case import Case
from casebook.policy import Policy
from casebook.runtime.learning.backtest import Backtest
from casebook.runtime.learning.proposal import widened
from tests.learning.past import BEGIN, Past, happened, loads

CASE = {
    "id": "err-1",
    "trigger_conditions": ['tool is "book"', 'args.cabin is "business"', "args.dry_run is false"],
    "situation": "old",
    "correction": "old words",
    "correction_by": "caution",
    "created_at": "2026-03-19T00:00:00+00:00",
    "ttl": "7d",
    "priority": 7,
    "x-note": "kept",
    "source": {"origin": "detector", "signature": "given", "evidence": ["e0"]},
    "examples": {"fires": [{"tool": "book", "args": {"cabin": "business", "dry_run": False}}]},
}


def failed(seq, tool="book", session="s", **args):
    return happened(seq, tool, args, "no seats left", session=session, signature="given")


FIRST = [failed(n, cabin="business", dry_run=False, n=n) for n in range(1, 4)]


def widen(occurrence, *, records=(), **fields) -> Any:
    everything = [*FIRST, *records, occurrence]
    occurrences = [each for each in everything if each.signature == "given"]
    return widened(
        Case.from_json(CASE | fields), occurrence, occurrences, Past(everything), Policy(), BEGIN, shared=False
    )


@pytest.mark.parametrize(
    "occurrence, conditions",
    [
        (failed(9, cabin="economy", dry_run=False), ('tool is "book"', "args.dry_run is false")),
        (failed(9, cabin="economy"), ('tool is "book"',)),
        (failed(9, "update", cabin="business", dry_run=False), ('tool in ["book", "update"]', 'args.cabin is "business"', "args.dry_run is false")),
        (failed(9, "bash", command="git push"), ('action is "git push" or tool is "book"',)),
        (happened(9, None, None, "no", intent="book", signature="given"), ('tool is "book" or intent is "book"',)),
    ],
)  # fmt: skip
def test_what_the_occurrence_lacks_is_dropped_and_the_anchor_takes_it_in(occurrence, conditions):
    made = widen(occurrence)
    nodes = loads(made.case)
    assert made.case.trigger_conditions == conditions
    tested = Backtest((), Past(), "UTC")
    assert all(tested.all_hold(nodes, each) for each in [*FIRST, occurrence])


def test_nothing_is_to_be_done_where_it_comes_up():
    assert widen(failed(9, cabin="business", dry_run=False)) is None


@pytest.mark.parametrize(
    "occurrence, fields",
    [
        pytest.param(happened(9, None, None, "no", signature="given"), {}, id="nothing to bind it to"),
        pytest.param(
            failed(9, "one_more"),
            {"trigger_conditions": [f"tool in {[f't{n}' for n in range(20)]}"]},
            id="a full anchor",
        ),
        pytest.param(failed(9, "x"), {"trigger_conditions": ["args.a exists"]}, id="no anchor"),
        pytest.param(
            failed(9, "bash", command="npm ci"),
            {"trigger_conditions": ['tool is "shell"', 'program is "make"']},
            id="every shell call",
        ),
        pytest.param(
            failed(9, "bash", command="./run_83921.sh"), {"trigger_conditions": ['program is "make"']}, id="no name"
        ),
        pytest.param(failed(9, "x"), {"trigger_conditions": ["this is no condition"]}, id="no condition"),
    ],
)
def test_where_nothing_can_be_done(occurrence, fields):
    assert widen(occurrence, **fields) is None


def test_what_else_the_case_has_stays_and_its_texts_are_told_anew():
    case = widen(failed(9, cabin="economy", dry_run=False)).case.to_json()
    assert {name: case[name] for name in ("id", "created_at", "ttl", "priority", "x-note")} == {
        name: CASE[name] for name in ("id", "created_at", "ttl", "priority", "x-note")
    }
    assert case["source"] == {"origin": "detector", "signature": "given", "evidence": ["e1", "e2", "e3", "e9"]}
    assert case["situation"].startswith("Calls of book failed 4 times with “no seats left”")
    assert case["correction"].startswith("Calls like this have failed 4 times")
    assert case["examples"]["fires"] == [{"tool": "book", "args": {"dry_run": False}}]


@pytest.mark.parametrize("by", ["person", "agent", "mined"])
def test_a_better_correction_stays(by):
    case = widen(failed(9, cabin="economy"), correction_by=by).case
    assert (case.correction, case.correction_by) == ("old words", by)


def test_a_status_stays():
    made = widen(failed(9, cabin="economy"), status="draft")
    assert (made.case.status, made.draft) == ("draft", True)


def clean(count, **args):
    return [happened(100 + n, "book", {"n": n} | args, session=f"c{n}") for n in range(count)]


def test_it_is_narrowed_in_another_way_where_it_would_come_up_too_often():
    records = clean(200, cabin="economy", dry_run=False)
    assert widen(failed(9, cabin="economy", dry_run=True, force=True), records=records) is None
    own = [failed(n, cabin="business", dry_run=False, n=n, force=True) for n in range(1, 4)]
    occurrence = failed(9, cabin="economy", dry_run=True, force=True)
    made: Any = widened(
        Case.from_json(CASE),
        occurrence,
        [*own, occurrence],
        Past([*own, *records, occurrence]),
        Policy(),
        BEGIN,
        shared=False,
    )
    loads(made.case)
    assert made.case.trigger_conditions == ('tool is "book"', "args.force exists")


def test_the_first_error_of_a_session_widens_no_case_that_waits_for_the_second():
    conditions = ['tool is "book"', "earlier error where tool is this tool"]
    assert widen(failed(9, session="new"), trigger_conditions=conditions) is None


def test_but_where_most_errors_come_first_it_does():
    conditions = ['tool is "book"', "earlier error where tool is this tool"]
    firsts = [failed(20 + n, session=f"s{n}", n=n) for n in range(2)]
    made = widen(failed(40, session="new"), trigger_conditions=conditions, records=firsts)
    assert made.case.trigger_conditions == ('tool is "book"',)


def test_a_chinese_case_is_widened_in_its_language():
    policy = Policy(language="zh")
    occurrence = failed(9, "update", cabin="business", dry_run=False)
    past = Past([*FIRST, occurrence])
    made: Any = widened(Case.from_json(CASE), occurrence, past.records, past, policy, BEGIN, shared=False)
    loads(made.case, policy)
    assert made.case.trigger_conditions[0] == '工具 属于 ["book", "update"]'


def test_no_case_is_widened_to_every_call_of_a_tool_of_paths():
    case = CASE | {"trigger_conditions": ['tool is "read"', 'path ends with ".txt"']}
    first = [happened(n, "Read", {"file_path": f"{n}.txt"}, "no", signature="given") for n in range(1, 4)]
    other = happened(9, "Read", {"file_path": "a.md"}, "no", signature="given")
    events = [*first, other]
    assert widened(Case.from_json(case), other, events, Past(events), Policy(), BEGIN, shared=False) is None
