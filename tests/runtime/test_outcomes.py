"""From an outcome to a lesson, through the front door."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time

from casebook import Outcome, Task
from casebook.faults import StoreError
from casebook.outcome import OutcomeError
from casebook.runtime import Runtime
from casebook.runtime.learning.receipt import Receipt

START = datetime(2026, 3, 20, 12, tzinfo=UTC)
BOOK = {"tool": "book", "args": {"cabin": "economy", "payment": "card_1"}}


class Hands:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
def clock() -> Hands:
    return Hands()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "long_term").mkdir()
    (tmp_path / "memory-policy.yaml").write_text("format: 1\ntimezone: UTC\n")
    return tmp_path


@pytest.fixture
def runtime(folder: Path, clock: Hands) -> Iterator[Runtime]:
    with Runtime.open(folder, clock=clock, engine="reference") as opened:
        yield opened


def write(folder: Path, *cases: dict[str, Any]) -> None:
    (folder / "long_term" / "cases.json").write_text(json.dumps(cases, ensure_ascii=False))


def fail(runtime: Runtime, message: str = "payment of 12 does not add up", **task: Any) -> Receipt:
    activation = runtime.before_task(Task(**{**BOOK, **task}))
    return runtime.after_task(activation, Outcome.error("ValueError", message))


# -- three errors, one case -----------------------------------------------------------------------------------------------


def test_two_errors_make_nothing_three_make_a_case_and_the_fourth_is_warned(runtime: Runtime) -> None:
    first, second = fail(runtime), fail(runtime, "payment of 13 does not add up")
    assert [each.case for each in (first, second)] == [None, None]
    assert [each.occurrences for each in (first, second)] == [1, 2]
    third = fail(runtime, "payment of 999 does not add up")
    assert third.made
    assert third.occurrences == 3
    assert third.tier == "L3"
    assert third.case is not None
    assert third.ask
    fourth = runtime.before_task(Task(**BOOK))
    assert [case.id for case in fourth.cases] == [third.case]
    assert "does not add up" in fourth.prompt
    assert "12" not in fourth.prompt.replace(third.case, "")


def test_thirty_errors_make_one_case(runtime: Runtime) -> None:
    receipts = [fail(runtime, f"payment of {number} does not add up") for number in range(30)]
    assert sum(each.made for each in receipts) == 1
    assert len(runtime.snapshot().cases) == 1


def test_the_same_report_counts_once(runtime: Runtime) -> None:
    activation = runtime.before_task(Task(**BOOK))
    reports = [runtime.after_task(activation, Outcome.error("ValueError", "no seats left")) for _ in range(5)]
    assert [each.new for each in reports] == [True, False, False, False, False]
    assert reports[-1].occurrences == 1
    named = [runtime.after_task(None, Outcome.error("E", f"no seats {n}", id="one", tool="book")) for n in range(3)]
    assert [each.new for each in named] == [True, False, False]


def test_without_an_activation_the_call_and_its_words_tell_reports_apart(runtime: Runtime) -> None:
    calls = [{"seat": 1}, {"seat": 2}, {"seat": 2}, {"seat": 3}]
    told = [runtime.after_task(None, Outcome.error("E", "no seats left", tool="book", args=args)) for args in calls]
    assert [each.new for each in told] == [True, True, False, True]
    assert told[-1].made


def test_an_outcome_may_name_the_activation_by_its_id_in_another_process(folder: Path, clock: Hands) -> None:
    ids = []
    for number in range(3):
        with Runtime.open(folder, clock=clock, engine="reference") as one:
            ids.append(one.before_task(Task(**BOOK, session=f"s{number}", user="ann")).id)
        with Runtime.open(folder, clock=clock, engine="reference") as other:
            receipt = other.after_task(ids[-1], Outcome.error("ValueError", f"payment {number} does not add up"))
    assert receipt.made
    with Runtime.open(folder, clock=clock, engine="reference") as third:
        case = third.snapshot().cases[receipt.case or ""].case
        assert case.scope.user == "ann"
        assert third.before_task(Task(**BOOK, user="ann")).cases
        assert not third.before_task(Task(**BOOK, user="bob")).cases


def test_an_activation_that_nobody_knows_is_a_warning_and_the_outcome_is_kept(runtime: Runtime) -> None:
    receipt = runtime.after_task("01890000-0000-7000-8000-000000000000", Outcome.error("E", "boom", tool="book"))
    assert receipt.new
    assert "no activation" in receipt.warnings[0]


def test_what_is_no_outcome_is_told(runtime: Runtime) -> None:
    with pytest.raises(OutcomeError, match="kind: expected one of"):
        runtime.after_task(None, {"kind": "eror"})
    with pytest.raises(OutcomeError, match='no field is called "mesage"'):
        runtime.after_task(None, {"kind": "error", "mesage": "x"})


# -- blocks and the guard -------------------------------------------------------------------------------------------------


def test_an_exception_in_a_with_block_is_reported_and_goes_on(runtime: Runtime) -> None:
    for number in range(3):
        with pytest.raises(ValueError, match="seats"), runtime.task(Task(**BOOK)):
            raise ValueError(f"no {number} seats left")
    with runtime.task(Task(**BOOK)) as activation:
        assert "seats left" in activation.prompt
    events = runtime.journal.events(tools=["book"])
    assert [each.ok for each in events] == [False, False, False, True]


def test_an_async_block_too(runtime: Runtime) -> None:
    async def one(number: int) -> None:
        async with runtime.atask(Task(**BOOK)):
            raise ValueError(f"no {number} seats left")

    async def all_of_them() -> None:
        for number in range(3):
            with pytest.raises(ValueError, match="seats"):
                await one(number)

    asyncio.run(all_of_them())
    assert runtime.match(Task(**BOOK)).cases


def test_a_guarded_function_learns(runtime: Runtime) -> None:
    seen: list[str] = []

    @runtime.guard(tool="book")
    def book(cabin: str, seat: int, casebook: Any = None) -> int:
        seen.append(casebook.prompt)
        if cabin == "economy":
            raise ValueError(f"seat {seat} is taken")
        return seat

    for seat in (1, 2, 3):
        with pytest.raises(ValueError, match="taken"):
            book("economy", seat)
    with pytest.raises(ValueError, match="taken"):
        book("economy", 4)
    assert [bool(each) for each in seen] == [False, False, False, True]
    assert book("business", 5) == 5


# -- the session ----------------------------------------------------------------------------------------------------------

AFTER_FAILURE = {
    "id": "after_failure",
    "trigger_conditions": ["tool is 'deploy'", "no earlier tool where (action is 'pytest' and ok is true)"],
    "correction": "Run the tests first",
}


def test_history_tests_see_what_was_reported_in_the_session_and_no_other(folder: Path, clock: Hands) -> None:
    write(folder, AFTER_FAILURE)
    deploy = Task(tool="deploy", session="one")
    tests = Task(tool="shell", args={"command": "pytest -q"}, session="one")
    with Runtime.open(folder, clock=clock, engine="reference") as runtime:
        assert runtime.before_task(deploy).cases
        runtime.after_task(runtime.before_task(tests), Outcome.error("E", "1 failed"))
        assert runtime.before_task(deploy).cases
        runtime.after_task(runtime.before_task(tests), Outcome.success())
        assert not runtime.before_task(deploy).cases
        assert runtime.before_task(Task(tool="deploy", session="two")).cases
        assert runtime.before_task(Task(tool="deploy", session="one", user="ann")).cases
    with Runtime.open(folder, clock=clock, engine="reference") as later:
        assert not later.match(deploy).cases


def test_two_runtimes_of_one_folder_see_each_others_sessions(folder: Path, clock: Hands) -> None:
    write(folder, AFTER_FAILURE)
    deploy = Task(tool="deploy", session="one")
    with (
        Runtime.open(folder, clock=clock, engine="reference") as one,
        Runtime.open(folder, clock=clock, engine="reference") as two,
    ):
        assert one.before_task(deploy).cases
        assert two.before_task(deploy).cases
        tests = Task(tool="shell", args={"command": "pytest -q"}, session="one")
        one.after_task(one.before_task(tests), Outcome.success())
        assert not two.before_task(deploy).cases


def test_session_facts_count_what_was_reported(runtime: Runtime, clock: Hands) -> None:
    runtime.before_task(Task(text="hello", session="s"))
    for message in ("first", "second"):
        runtime.after_task(
            runtime.before_task(Task(tool="book", session="s", args={"x": message})), Outcome.error("E", message)
        )
    clock.now += timedelta(minutes=5)
    session = runtime.facts(Task(tool="book", session="s")).values["session"]
    assert {name: session[name] for name in ("errors", "consecutive_errors", "tasks", "tools", "last_error")} == {
        "errors": 2,
        "consecutive_errors": 2,
        "tasks": 1,
        "tools": ["book"],
        "last_error": "second",
    }
    assert 5 < session["minutes"] < 6


def test_at_the_tool_point_text_and_intent_come_from_the_turn(folder: Path, clock: Hands) -> None:
    write(
        folder, {"id": "c", "trigger_conditions": ["tool is 'send'", "text contains 'newsletter'"], "correction": "x"}
    )
    with Runtime.open(folder, clock=clock, engine="reference") as runtime:
        runtime.before_task(Task(text="send the newsletter", session="s"))
        assert runtime.before_task(Task(tool="send", session="s")).cases
        assert not runtime.before_task(Task(tool="send", session="t")).cases
    with Runtime.open(folder, clock=clock, engine="reference") as runtime:
        assert runtime.before_task(Task(tool="send", session="s")).cases


def test_a_task_is_never_its_own_history(folder: Path, clock: Hands) -> None:
    write(folder, {"id": "c", "trigger_conditions": ["earlier task where text contains 'go'"], "correction": "x"})
    with Runtime.open(folder, clock=clock, engine="reference") as runtime:
        assert not runtime.before_task(Task(text="go", session="s")).cases
        assert runtime.before_task(Task(text="go", session="s")).cases


def test_match_and_explain_leave_no_trace(folder: Path, clock: Hands) -> None:
    write(folder, {"id": "c", "trigger_conditions": ["always"], "correction": "x", "max_fires": 1})
    with Runtime.open(folder, clock=clock, engine="reference") as runtime:
        for _ in range(3):
            assert runtime.match(Task(text="go", session="s")).cases
            runtime.explain(Task(text="go", session="s"))
    assert not (folder / ".casebook" / "journal.db").exists()


# -- not twice ------------------------------------------------------------------------------------------------------------


def test_advice_is_said_once_a_session_where_the_host_keeps_it(folder: Path, clock: Hands) -> None:
    write(
        folder,
        {"id": "advice", "trigger_conditions": ["always"], "correction": "x"},
        {"id": "guard", "trigger_conditions": ["always"], "correction": "y", "effect": "block"},
    )
    task = Task(text="go", session="s")

    def said(runtime: Runtime) -> list[str]:
        return [case.id for case in runtime.before_task(task, persists=True).cases]

    with Runtime.open(folder, clock=clock, engine="reference") as runtime:
        assert said(runtime) == ["guard", "advice"]
        assert said(runtime) == ["guard"]
    with Runtime.open(folder, clock=clock, engine="reference") as runtime:
        assert said(runtime) == ["guard"]
        assert "advice" in runtime.match(task).held
        runtime.after_task(task, Outcome.compacted())
        assert said(runtime) == ["guard", "advice"]
        assert said(runtime) == ["guard"]
        assert [case.id for case in runtime.before_task(Task(text="go", session="t"), persists=True).cases] == [
            "guard",
            "advice",
        ]


def test_a_learnt_case_is_said_again_after_its_error_recurs(runtime: Runtime) -> None:
    for _ in range(3):
        receipt = fail(runtime, session="s")
    task = Task(**BOOK, session="s")
    assert [case.id for case in runtime.before_task(task, persists=True).cases] == [receipt.case]
    assert runtime.before_task(task, persists=True).cases == ()
    fail(runtime, session="s")
    assert [case.id for case in runtime.before_task(task, persists=True).cases] == [receipt.case]


@pytest.mark.parametrize(("seconds", "held"), [(1_799, True), (1_800, False)])
def test_a_cooldown_holds_for_its_length_in_its_session(folder: Path, seconds: int, held: bool) -> None:
    write(folder, {"id": "c", "trigger_conditions": ["always"], "correction": "x", "cooldown": "30m"})
    with freeze_time(START) as frozen, Runtime.open(folder, engine="reference") as runtime:
        assert runtime.before_task(Task(text="a", session="s")).cases
        frozen.tick(timedelta(seconds=seconds))
        assert bool(runtime.match(Task(text="a", session="s")).cases) is not held
        assert runtime.match(Task(text="a", session="t")).cases
        with Runtime.open(folder, engine="reference") as other:
            assert bool(other.match(Task(text="a", session="s")).cases) is not held


def test_max_fires_is_a_budget_over_all_sessions_and_processes_and_only_of_what_was_selected(
    folder: Path, clock: Hands
) -> None:
    write(folder, {"id": "c", "trigger_conditions": ["always"], "correction": "x", "max_fires": 2})
    with Runtime.open(folder, clock=clock, engine="reference") as runtime:
        assert runtime.before_task(Task(text="a", session="s")).cases
        with Runtime.open(folder, clock=clock, engine="reference") as other:
            assert other.before_task(Task(text="a", session="t")).cases
            assert not other.before_task(Task(text="a")).cases
        assert not runtime.before_task(Task(text="a")).cases
        assert runtime.match(Task(text="a")).held == {"c": "spent:budget:2"}


def test_the_holdout_gets_no_advice_but_every_block_and_is_journaled(folder: Path, clock: Hands) -> None:
    (folder / "memory-policy.yaml").write_text("format: 1\nholdout: 1.0\n")
    write(
        folder,
        {"id": "advice", "trigger_conditions": ["always"], "correction": "x"},
        {"id": "guard", "trigger_conditions": ["always"], "correction": "y", "effect": "block"},
    )
    with Runtime.open(folder, clock=clock, engine="reference") as runtime:
        answer = runtime.before_task(Task(text="a", session="s"))
        assert [case.id for case in answer.cases] == ["guard"]
        record = runtime.journal.activation(answer.id)
        assert record is not None
        assert {each.case_id: each.how for each in record.firings} == {"guard": "selected", "advice": "withheld"}
        assert [case.id for case in runtime.before_task(Task(text="a")).cases] == ["guard", "advice"]


def test_shadow_matches_and_journals_and_injects_nothing(folder: Path, clock: Hands) -> None:
    (folder / "memory-policy.yaml").write_text("format: 1\nmode: shadow\n")
    write(folder, {"id": "c", "trigger_conditions": ["always"], "correction": "x", "effect": "block"})
    with Runtime.open(folder, clock=clock, engine="reference") as runtime:
        answer = runtime.before_task(Task(text="a", session="s"))
        assert (answer.prompt, answer.verdict) == ("", "allow")
        record = runtime.journal.activation(answer.id)
        assert record is not None
        assert [(each.case_id, each.how) for each in record.firings] == [("c", "shadow")]


def test_off_leaves_nothing(folder: Path, clock: Hands) -> None:
    (folder / "memory-policy.yaml").write_text("format: 1\nmode: 'off'\n")
    write(folder, {"id": "c", "trigger_conditions": ["always"], "correction": "x"})
    with Runtime.open(folder, clock=clock, engine="reference") as runtime:
        runtime.before_task(Task(text="a", session="s"))
    assert not (folder / ".casebook" / "journal.db").exists()


# -- what is kept ---------------------------------------------------------------------------------------------------------


def test_an_activation_keeps_what_it_said_of_what_and_why(folder: Path, clock: Hands) -> None:
    write(folder, {"id": "c", "trigger_conditions": ["text contains 'deploy'", "user is 'ann'"], "correction": "x"})
    with Runtime.open(folder, clock=clock, engine="reference") as runtime:
        answer = runtime.before_task(Task(text="deploy " + "x" * 1_000, user="ann", session="s"))
        record = runtime.journal.activation(answer.id)
        assert record is not None
        assert (record.session, record.principal.user, record.engine, record.point) == ("s", "ann", "reference", "task")
        assert len(record.facts["text"]) <= 260
        (firing,) = record.firings
        assert (firing.case_id, firing.how, firing.version) == ("c", "selected", runtime.snapshot().cases["c"].version)
        assert [each["condition"] for each in firing.because] == ["text contains 'deploy'", "user is 'ann'"]
        assert firing.because[1]["seen"] == "ann"
        (version,) = runtime.journal.versions("c")
        assert json.loads(version.text)["correction"] == "x"


def test_no_secret_reaches_the_journal_the_session_file_or_the_prompt(folder: Path, clock: Hands) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    write(
        folder,
        {
            "id": "c",
            "trigger_conditions": ["text contains 'deploy'", "args.token exists"],
            "correction": "x",
            "on": ["tool"],
        },
    )
    with Runtime.open(folder, clock=clock, engine="reference") as runtime:
        for _ in range(3):
            task = Task(
                tool="deploy",
                text=f"deploy with {secret}",
                args={"token": secret, "note": f"use {secret}"},
                session="s",
            )
            answer = runtime.before_task(task)
            assert secret not in answer.prompt
            receipt = runtime.after_task(
                answer, Outcome.error("E", f"bad credentials {secret}", correction=f"not {secret}")
            )
        assert secret not in json.dumps(receipt.to_json())
    for path in folder.rglob("*"):
        if path.is_file():
            assert secret.encode() not in path.read_bytes(), path


def test_no_secret_in_a_name_of_a_tool_reaches_a_case(folder: Path, clock: Hands) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    with Runtime.open(folder, clock=clock) as runtime:
        for number in range(4):
            task = Task(tool=f"call {secret}", args={"n": number})
            answer = runtime.before_task(task)
            runtime.after_task(answer, Outcome.error("E", "no such tool"))
            assert secret not in answer.prompt
    for path in folder.rglob("*.json"):
        assert secret not in path.read_text(), path


@pytest.mark.parametrize("kind", ["feedback", "correction"])
def test_words_of_a_user_go_where_they_belong(runtime: Runtime, kind: str) -> None:
    activation = runtime.before_task(Task(**BOOK, session="s"))
    told = Outcome.feedback("too early") if kind == "feedback" else Outcome.correction_of("use miles")
    receipt = runtime.after_task(activation, told)
    assert (receipt.tier, receipt.signature) == ("L2" if kind == "feedback" else "L1", None)


def test_a_closed_store_does_not_hide_that_the_journal_failed(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    activation = runtime.before_task(Task(**BOOK))

    def full(*_: Any, **__: Any) -> None:
        raise StoreError("journal.db: the disk is full")

    monkeypatch.setattr(runtime.journal, "record", full)
    with pytest.raises(StoreError, match="the disk is full"):
        runtime.after_task(activation, Outcome.error("E", "boom"))
    assert runtime.before_task(Task(**BOOK)).verdict == "allow"


@pytest.mark.parametrize(("days", "kept"), [(90, True), (91, False)])
def test_the_words_of_tasks_are_kept_for_ninety_days(folder: Path, days: int, kept: bool) -> None:
    with freeze_time(START) as frozen:
        with Runtime.open(folder, engine="reference") as runtime:
            answer = runtime.before_task(Task(tool="book", text="something to remember", session="s"))
            runtime.after_task(answer, Outcome.error("E", "it broke"))
        frozen.tick(timedelta(days=days))
        with Runtime.open(folder, engine="reference") as runtime:
            record = runtime.journal.activation(answer.id)
            assert record is not None
            assert ("text" in record.facts) is kept
            (event,) = runtime.journal.events(tools=["book"])
            assert ("text" in event.body) is kept
            assert event.signature is not None


def test_a_running_process_lets_go_of_old_words_too(folder: Path) -> None:
    with freeze_time(START) as frozen, Runtime.open(folder, engine="reference") as runtime:
        answer = runtime.before_task(Task(tool="book", text="something to remember"))
        frozen.tick(timedelta(days=91))
        runtime.after_task(None, Outcome.success(tool="read"))
        record = runtime.journal.activation(answer.id)
        assert record is not None
        assert record.facts == {}


def test_to_approve_a_case_does_not_keep_it_from_being_widened(runtime: Runtime, clock: Hands) -> None:
    from casebook.runtime.review.judging import approve
    from casebook.runtime.review.review import Review

    for _ in range(3):
        receipt = fail(runtime)
    assert receipt.case is not None
    approve(Review(runtime.journal, runtime.store, clock, "person:ann"), receipt.case)
    assert runtime.snapshot().cases[receipt.case].case.correction_by == "person"
    fail(runtime, tool="rebook")
    case = runtime.snapshot().cases[receipt.case].case
    assert case.trigger_conditions == ('tool in ["book", "rebook"]',)
    assert case.correction_by == "person"
    assert [each.case for each in [fail(runtime, tool="rebook")]] == [receipt.case]
    assert runtime.match(Task(tool="rebook")).cases


def test_a_correction_says_what_became_of_it(runtime: Runtime, clock: Hands) -> None:
    from casebook.runtime.review.judging import approve
    from casebook.runtime.review.review import Review

    task = Task(**BOOK, session="s")
    early = runtime.after_task(task, Outcome.correction_of("ask for miles"))
    assert (early.case, early.changed) == (None, False)
    assert "no error that a case answers" in early.warnings[0]
    for _ in range(3):
        case = fail(runtime, session="s").case
    took = runtime.after_task(task, Outcome.correction_of("pay with one card"))
    assert (took.case, took.changed, took.warnings) == (case, True, ())
    approve(Review(runtime.journal, runtime.store, clock, "person:ann"), case or "")
    waits = runtime.after_task(task, Outcome.correction_of("pay thrice"))
    assert (waits.case, waits.changed) == (case, False)
    assert "waits for a person" in waits.warnings[0]
    person = runtime.after_task(task, Outcome.correction_of("Never split a payment", correction_by="person"))
    assert (person.case, person.changed) == (case, True)
    assert runtime.match(Task(**BOOK)).cases[0].correction == "Never split a payment"


def test_a_report_that_was_there_already_says_so_where_nothing_tells_it_apart(runtime: Runtime) -> None:
    told = [runtime.after_task(Task(**BOOK), Outcome.error("E", "no seats")) for _ in range(2)]
    assert (told[0].warnings, told[1].new) == ((), False)
    assert "say the activation that it answers, or an id" in told[1].warnings[0]


def test_match_says_what_before_task_says_of_the_holdout_before_there_is_a_journal(folder: Path, clock: Hands) -> None:
    (folder / "memory-policy.yaml").write_text("format: 1\nholdout: 1.0\n")
    write(folder, {"id": "c", "trigger_conditions": ["always"], "correction": "x"})
    with Runtime.open(folder, clock=clock, engine="reference") as runtime:
        task = Task(text="a", session="s")
        assert runtime.match(task).held == {"c": "spent:holdout"}
        assert "holdout" in runtime.explain(task).text()
        assert not (folder / ".casebook" / "journal.db").exists()
        assert runtime.before_task(task).held == {"c": "spent:holdout"}


def test_a_journal_of_a_newer_release_is_told_with_the_first_answer(folder: Path, clock: Hands) -> None:
    with Runtime.open(folder, clock=clock, engine="reference") as runtime:
        runtime.after_task(None, Outcome.success(tool="a"))
    with contextlib.closing(sqlite3.connect(folder / ".casebook" / "journal.db")) as raw:
        raw.execute("PRAGMA user_version = 99")
        raw.commit()
    with Runtime.open(folder, clock=clock, engine="reference") as runtime:
        answer = runtime.before_task(Task(**BOOK))
        assert "this release of Casebook writes version 2" in answer.warnings[0]


@pytest.mark.parametrize("before", [0, 100, 150, 160, 196, 1_310, 1_334, 10_890, 10_910, 43_000, 43_650, 43_690])
def test_no_part_of_a_secret_stays_where_a_long_message_is_cut(runtime: Runtime, before: int) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    message = "x " * (before // 2) + secret + " y" * 40_000
    runtime.after_task(None, Outcome.error(message[:before] + secret, message, tool="book"))
    (event,) = runtime.journal.events(tools=["book"])
    assert secret[:12] not in json.dumps(event.body)
    assert secret[-12:] not in json.dumps(event.body)
