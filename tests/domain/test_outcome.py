"""An outcome: what may be said, and how what may not is told."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

import pytest

from casebook import Outcome, OutcomeError

MADE = [
    (Outcome.error("ValueError", "no seats"), {"kind": "error", "type": "ValueError", "message": "no seats"}),
    (Outcome.error(message="x", tool="t", args={"a": 1}), {"kind": "error", "message": "x", "tool": "t", "args": {"a": 1}}),
    (Outcome.success(tool="t"), {"kind": "success", "tool": "t"}),
    (Outcome.feedback("太早了"), {"kind": "feedback", "text": "太早了"}),
    (Outcome.correction_of("use miles", correction_by="person"),
     {"kind": "correction", "text": "use miles", "correction_by": "person"}),
    (Outcome.compacted(), {"kind": "compacted"}),
    (Outcome.ended(id="e1"), {"kind": "ended", "id": "e1"}),
    (Outcome.from_exception(KeyError("x")), {"kind": "error", "type": "KeyError", "message": "'x'"}),
    (Outcome.from_exception(OutcomeError("y")),
     {"kind": "error", "type": "casebook.outcome.OutcomeError", "message": "y"}),
    (Outcome.error("E", "m", at="2026-03-20T12:00:00+00:00"),
     {"kind": "error", "type": "E", "message": "m", "at": "2026-03-20T12:00:00Z"}),
]  # fmt: skip


@pytest.mark.parametrize(("outcome", "form"), MADE)
def test_an_outcome_and_its_json_are_the_same(outcome: Outcome, form: dict[str, Any]) -> None:
    assert outcome.to_json() == form
    assert Outcome.from_json(form) == outcome


@pytest.mark.parametrize(
    ("form", "words"),
    [
        (
            {"kind": "eror"},
            'kind: expected one of error, success, feedback, correction, compacted, ended, got "eror"; did you mean error?',
        ),
        ({"kind": "error", "mesage": "x"}, 'mesage: no field is called "mesage" (message)'),
        ({"kind": "error", "message": 3}, "message: expected text, got 3"),
        ({"kind": "feedback"}, "text: expected the words of the feedback, got null"),
        ({"kind": "feedback", "text": "  "}, 'text: expected the words of the feedback, got "  "'),
        ({"kind": "correction", "text": ""}, 'text: expected the words of the correction, got ""'),
        ({"kind": "error", "at": "yesterday"}, "at: "),
        ({"kind": "error", "id": ""}, "id: "),
        ({"kind": "error", "correction_by": "robot"}, "correction_by: "),
        ([], "expected an outcome as a JSON object, got []"),
    ],
)
def test_what_is_no_outcome_is_told_with_its_place(form: Any, words: str) -> None:
    with pytest.raises(OutcomeError) as told:
        Outcome.from_json(form)
    assert words in str(told.value)


def test_values_are_made_plain_as_those_of_a_task() -> None:
    outcome = Outcome.error("E", "lone \ud800", args={"n": math.nan, "at": datetime(2026, 3, 20, tzinfo=UTC)})
    assert outcome.message == "lone \ufffd"
    assert outcome.args is not None
    assert outcome.args["n"] is None
