"""Recorded calls through the whole loop: what the airline record and one of people with names show."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from casebook.case import Case
from casebook.policy import Detector, Policy
from casebook.runtime.replay.backtesting import backtest
from casebook.runtime.replay.measuring import Report, measured, was_preceded
from casebook.runtime.replay.reading import Call, Record, read_record
from casebook.runtime.replay.running import APART, BEGINNING, Step, run

HERE = Path(__file__).parent


def read(name: str) -> Record:
    with (HERE / name).open("rb") as stream:
        record = read_record(stream)
    assert record.skipped == ()
    return record


@pytest.fixture(scope="module")
def airline(tmp_path_factory: pytest.TempPathFactory) -> tuple[Step, ...]:
    return run(read("airline.jsonl").calls, tmp_path_factory.mktemp("airline"))


@pytest.fixture(scope="module")
def report(airline: tuple[Step, ...]) -> Report:
    return measured(airline)


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> tuple[Step, ...]:
    return run(read("people.jsonl").calls, tmp_path_factory.mktemp("people"))


def of(steps: tuple[Step, ...], user: str) -> list[Step]:
    return [step for step in steps if step.call.user == user]


# -- airline --------------------------------------------------------------------------------------------------------------

KINDS = {
    "payment amount does not add up": 8,
    "not enough seats on flight": 6,
    "gift card balance is not enough": 6,
    "certificate cannot be used to update reservation": 3,
    "not available on date": 7,
    "payment method not found": 2,
    "not enough balance in payment method": 1,
}
"""The kinds of error that a person would name, and how often each comes."""


def kind_of(step: Step) -> str:
    (found,) = [kind for kind in KINDS if kind in (step.call.error or "")]
    return found


def test_every_kind_of_error_is_one_signature_and_no_two_share_one(airline: tuple[Step, ...]) -> None:
    failed = [step for step in airline if not step.call.ok]
    assert Counter(map(kind_of, failed)) == KINDS
    pairs = {(kind_of(step), step.signature) for step in failed}
    assert len(pairs) == len(KINDS) == len({signature for _, signature in pairs})


def test_the_figures_of_the_airline_record(report: Report) -> None:
    assert (report.calls, report.clean, report.errors, report.ignored) == (572, 539, 33, 0)
    assert len(report.kinds) == 7
    assert (len(report.cases), report.drafts) == (5, 0)
    assert (report.repeats, report.preceded) == (15, 15)
    assert report.needless < 35


def test_each_kind_that_came_three_times_yields_one_case_at_the_third(report: Report) -> None:
    for kind in report.kinds:
        assert len(kind.cases) == (kind.errors >= 3), kind
        assert kind.made_at == (3 if kind.errors >= 3 else None), kind
        assert kind.repeats == kind.preceded == max(kind.errors - 3, 0), kind
    assert [made.occurrence for made in report.cases] == [3] * 5


def test_no_correction_holds_an_id_a_name_or_an_amount(report: Report) -> None:
    """No value of any argument, nor any number of an error, is told on; words that are the language's own are no values."""
    values = {text for call in read("airline.jsonl").calls for text in texts((call.args or {}, call.error))}
    telling = {each for each in values if re.search(r"\d|_", each) or each[:1].isupper()}
    for made in report.cases:
        words = re.sub(r"3 times|\d+ sessions", "", made.case.case.correction)
        assert not re.search(r"\d", words), words
        assert not {each for each in telling if re.search(rf"(?<!\w){re.escape(each)}(?!\w)", words)} - {"Error"}, words


def texts(value: object) -> list[str]:
    if isinstance(value, dict):
        return [text for each in value.values() for text in texts(each)]
    if isinstance(value, list | tuple):
        return [text for each in value for text in texts(each)]
    return re.findall(r"\w+", str(value)) if isinstance(value, str | int | float) else []


def test_two_runs_of_one_record_are_alike(report: Report, tmp_path: Path) -> None:
    again = measured(run(read("airline.jsonl").calls, tmp_path, engine="reference"))
    assert again.to_json() == report.to_json()


# -- people ---------------------------------------------------------------------------------------------------------------


def test_one_user_s_errors_never_warn_another(people: tuple[Step, ...]) -> None:
    anns, bobs = of(people, "ann"), of(people, "bob")
    (made,) = [step for step in anns if step.receipt.made]
    assert made.call.step == "0"
    assert made.call.session == "ann-3"
    assert made.after[str(made.receipt.case)].case.scope.user == "ann"
    (warned,) = [step for step in anns if step.fired]
    assert warned.call.session == "ann-4"
    assert bobs[0].signature == made.signature
    assert [step.activation.cases + step.activation.omitted for step in bobs] == [(), ()]
    assert [step.activation.prompt for step in bobs] == ["", ""]


def test_an_error_of_three_users_warns_the_fourth_and_tells_nothing_that_one_of_them_said(
    people: tuple[Step, ...],
) -> None:
    (made,) = [step for step in people if step.receipt.made and step.call.user in ("eve", "fay", "gus")]
    assert made.call.user == "gus"
    case = made.after[str(made.receipt.case)].case
    assert case.scope.user is None
    told = json.dumps(case.to_json(), ensure_ascii=False)
    assert not [word for word in ("88213", "77105", "60412", "13800138000", "eve", "fay", "gus") if word in told]
    first = of(people, "hal")[0]
    assert first.signature is not None
    assert was_preceded(first, first.signature)


def test_what_is_no_error_makes_nothing(people: tuple[Step, ...]) -> None:
    cats = of(people, "cat")
    assert all(not step.call.ok for step in cats)
    assert not any(step.counted or step.receipt.made or step.fired for step in cats)
    assert measured(people).ignored == len(cats) == 7


def test_a_failure_that_passes_makes_a_case_that_passes(people: tuple[Step, ...]) -> None:
    dans = of(people, "dan")
    (made,) = [step for step in dans if step.receipt.made]
    case = made.after[str(made.receipt.case)]
    assert made.transient
    assert case.case.ttl == "7d"
    assert case.expires == made.at + APART * (7 * 24 * 60)
    assert [bool(step.fired) for step in dans] == [False, False, False, True, True]


def test_the_figures_of_the_people_record(people: tuple[Step, ...]) -> None:
    report = measured(people)
    assert (report.calls, report.errors, report.ignored, report.transient) == (24, 14, 7, 4)
    assert (len(report.kinds), len(report.cases)) == (3, 3)
    assert (report.repeats, report.preceded) == (3, 3)
    assert report.needless == 2  # dan and hal, once they did it right


# -- how it is run --------------------------------------------------------------------------------------------------------


def failing(number: int) -> list[Call]:
    return [
        Call(line=line, tool="send", args={"to": f"user{line}"}, ok=False, error=f"no such mailbox: user{line}")
        for line in range(1, number + 1)
    ]


def test_instants_are_a_minute_apart_where_none_are_told(tmp_path: Path) -> None:
    steps = run(failing(3), tmp_path)
    assert [step.at - BEGINNING for step in steps] == [APART * 0, APART, APART * 2]


def test_instants_that_are_told_are_kept_and_gone_on_from(tmp_path: Path) -> None:
    late = BEGINNING + APART * 1000
    calls = [Call(line=1, tool="a"), Call(line=2, tool="a", at=late), Call(line=3, tool="a")]
    assert [step.at for step in run(calls, tmp_path)] == [BEGINNING, late, late + APART]
    old = BEGINNING - APART * 1000
    steps = run([Call(line=1, tool="a", at=old), Call(line=2, tool="a")], tmp_path / "other")
    assert [step.at for step in steps] == [old, old + APART]


def test_the_last_instant_there_is_is_gone_on_from(tmp_path: Path) -> None:
    last = datetime(9999, 12, 31, 23, 59, 30, tzinfo=UTC)
    assert [step.at for step in run([Call(line=1, tool="a", at=last), Call(line=2, tool="a")], tmp_path)] == [last] * 2


def test_the_policy_of_the_run_decides(tmp_path: Path) -> None:
    four = Policy(detector=Detector(threshold=4))
    assert [step.receipt.made for step in run(failing(4), tmp_path, policy=four)] == [False, False, False, True]


def test_a_mode_or_a_holdout_changes_nothing(tmp_path: Path) -> None:
    steps = run(failing(4), tmp_path, policy=Policy(mode="shadow", holdout=1.0))
    assert [bool(step.fired) for step in steps] == [False, False, False, True]


def test_progress_is_told_after_every_call(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    run(failing(3), tmp_path, progress=lambda done, whole: told.append((done, whole)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_no_calls_show_nothing(tmp_path: Path) -> None:
    report = measured(run([], tmp_path))
    assert (report.calls, report.errors, report.cases) == (0, 0, ())


def test_cases_that_are_there_from_the_beginning_speak_and_are_not_counted_as_learnt(tmp_path: Path) -> None:
    case = Case.from_json(
        {"id": "mine", "trigger_conditions": ["tool is send"], "correction": "Ask.", "created_at": "2030-01-01"}
    )
    steps = run(failing(4), tmp_path, cases=(case,))
    assert [len(step.fired) for step in steps] == [1, 1, 1, 2]
    report = measured(steps)
    assert [made.case.id == "mine" for made in report.cases] == [False]
    assert (report.repeats, report.preceded) == (1, 1)


# -- one case on a record -------------------------------------------------------------------------------------------------


def case(**fields: object) -> Case:
    return Case.from_json(
        {"id": "try", "trigger_conditions": ["tool is book_reservation"], "correction": "Add up.", **fields}
    )


def bookings() -> list[Call]:
    return [call for call in read("airline.jsonl").calls if call.tool == "book_reservation"]


def test_one_case_is_tried_on_a_record_and_nothing_is_learnt(tmp_path: Path) -> None:
    tried = backtest(case(), read("airline.jsonl").calls, tmp_path)
    assert (tried.calls, tried.clean, tried.errors) == (572, 539, 33)
    assert (tried.fired, tried.failed, tried.needless) == (20, 10, 10)
    assert tried.precision == 0.5
    assert sorted(tried.kinds.values()) == [1, 1, 8]
    assert not (tmp_path / "long_term" / "learnt.json").exists()


@pytest.mark.parametrize(
    "fields",
    [
        {"status": "draft"},
        {"status": "disabled"},
        {"mode": "shadow"},
        {"created_at": "2040-01-01"},
        {"effect": "block"},
    ],
)
def test_it_is_tried_as_if_it_served(tmp_path: Path, fields: dict[str, object]) -> None:
    assert backtest(case(**fields), bookings(), tmp_path).fired == 20


def test_history_counts_and_what_held_it_back_is_told(tmp_path: Path) -> None:
    after_an_error = case(trigger_conditions=["tool is book_reservation", "earlier error"])
    tried = backtest(after_an_error, bookings(), tmp_path / "a")
    assert 0 < tried.fired < 20
    once = backtest(case(max_fires=1), bookings(), tmp_path / "b")
    assert once.fired == 1
    assert sum(once.held.values()) == 19


def test_a_case_for_turns_never_speaks_at_a_call(tmp_path: Path) -> None:
    tried = backtest(case(on=["task"]), bookings(), tmp_path)
    assert (tried.fired, tried.precision) == (0, None)


def test_no_secret_of_an_error_is_shown(tmp_path: Path) -> None:
    rows = [
        {
            "session": str(n),
            "tool": "pay",
            "args": {"n": n},
            "ok": False,
            "error": "ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5 refused the inside-job",
            "type": "password=hunter2hunter2",
        }
        for n in range(3)
    ]
    record = read_record([json.dumps(row).encode() for row in rows])
    policy = Policy(redact=("inside-job",))
    (kind,) = measured(run(record.calls, tmp_path, policy=policy), policy.redact).kinds
    assert not re.search("ghp_|hunter2|inside-job", kind.template)
    assert "refused" in kind.template
