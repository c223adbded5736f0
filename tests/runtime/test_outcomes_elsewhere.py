"""Outcomes that are told elsewhere than their task was asked: by another process, by its id, for another user."""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from casebook import Outcome, Task
from casebook.clock import fixed_clock
from casebook.faults import ClosedError
from casebook.outcome import OutcomeError
from casebook.runtime import Runtime
from casebook.runtime.answering import Answering
from casebook.runtime.learning.routing import Routing
from casebook.runtime.remembering import RECENT_CHARS, TURN_CHARS
from casebook.stores.memories import LEARNINGS, Memories

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
LONG = "cd /srv/" + "deep/" * 100 + " && git push origin main"
ONE_CALL = {"tool": "shell", "args": {"command": LONG}}


def opened(folder: Path) -> Runtime:
    return Runtime.open(folder, clock=fixed_clock(NOW), engine="reference")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "long_term").mkdir()
    (tmp_path / "memory-policy.yaml").write_text("format: 1\ntimezone: UTC\n")
    return tmp_path


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"tool": "shell"},
        {"tool": "Bash"},
        {"args": {"command": LONG}},
        {"tool": "shell", "args": {"command": LONG}},
    ],
)
def test_the_same_report_counts_once_wherever_it_is_told_and_however_long_its_call_is(
    folder: Path, told: dict[str, Any]
) -> None:
    with opened(folder) as one, opened(folder) as two:
        activation = one.before_task(Task(**ONE_CALL))
        one.flush()
        first = one.after_task(activation, Outcome.error("E", "no upstream", **told))
        again = two.after_task(activation.id, Outcome.error("E", "no upstream", **told))
        assert (first.new, again.new) == (True, False)
        assert again.id == first.id
        assert again.occurrences == 1


def test_another_call_of_the_same_turn_is_another_report(folder: Path) -> None:
    with opened(folder) as runtime:
        turn = runtime.before_task(Task(**ONE_CALL))
        told: list[dict[str, Any]] = [
            {},
            {"args": {"command": "ls"}},
            {"tool": "read", "args": {"path": "a"}},
            {"tool": "read"},
        ]
        assert [runtime.after_task(turn, Outcome.error("E", "boom", **each)).new for each in told] == [True] * 4


def test_an_outcome_by_its_activation_is_of_the_call_that_was_asked_about_however_much_of_it_is_kept(
    folder: Path,
) -> None:
    with opened(folder) as one, opened(folder) as two:
        activation = one.before_task(Task(**ONE_CALL))
        one.flush()
        two.after_task(activation.id, Outcome.error("E", "no upstream"))
        (event,) = two.journal.events(kinds=["tool"])
        assert (event.tool, event.body["action"], event.body["program"]) == ("shell", ["cd", "git push"], ["cd", "git"])


def test_an_outcome_finds_its_task_where_another_process_has_just_answered_it(folder: Path) -> None:
    with opened(folder) as one, opened(folder) as two:
        two.match(Task(tool="t"))
        for number in range(5):
            activation = one.before_task(Task(tool="send", session="s", user="ann", args={"n": number}))
            receipt = two.after_task(activation.id, Outcome.error("E", "boom"))
            assert receipt.warnings == ()
        assert {each.principal.user for each in two.journal.events(kinds=["tool"])} == {"ann"}


def test_an_outcome_is_kept_where_its_task_cannot_be_read(folder: Path) -> None:
    with opened(folder) as one:
        activation = one.before_task(Task(tool="send"))
        one.flush()
    with opened(folder) as two:
        with closing(sqlite3.connect(folder / ".casebook" / "journal.db", isolation_level=None)) as other:
            other.execute("PRAGMA locking_mode = EXCLUSIVE")
            other.execute("BEGIN EXCLUSIVE")
            other.execute("UPDATE about SET value = value")
            receipt = two.after_task(activation.id, Outcome.error("E", "boom"))
            other.execute("ROLLBACK")
        assert receipt.new
    with opened(folder) as three:
        assert [each.activation for each in three.journal.events(kinds=["tool", "error"])] == [activation.id]


def test_one_id_of_two_users_is_two_reports_and_of_one_user_one(folder: Path) -> None:
    with opened(folder) as one, opened(folder) as two:

        def tell(runtime: Runtime, user: str | None) -> bool:
            return runtime.after_task(
                Task(tool="t", user=user, session="s"), Outcome.error("E", f"{user}", id="call_1")
            ).new

        assert [tell(one, "ann"), tell(two, "ann"), tell(two, "bob"), tell(one, "bob"), tell(one, None)] == [
            True, False, True, False, False,
        ]  # fmt: skip


@pytest.mark.parametrize("name", ["x" * 10_240, "a\0b", "\U0001f600", "../../etc", "\u202e"])
def test_an_outcome_of_any_user_and_session_is_taken(folder: Path, name: str) -> None:
    with opened(folder) as runtime:
        receipt = runtime.after_task(Task(tool="t", user=name, session=name), Outcome.error("E", "boom"))
        runtime.after_task(Task(tool="t", user=name, session=name), Outcome.feedback("no"))
        assert receipt.new
        assert len(runtime.journal.events()) == 2
    assert not list(folder.parent.glob("etc*"))


@pytest.mark.parametrize("value", [10**5_000, -(10**5_000), [{"n": 10**5_000}]], ids=["great", "small", "within"])
def test_an_integer_that_cannot_be_written_in_digits_is_an_argument_all_the_same(folder: Path, value: Any) -> None:
    with opened(folder) as runtime:
        told = [runtime.after_task(None, Outcome.error("E", "m", tool="t", args={"n": value})) for _ in range(2)]
        assert [each.new for each in told] == [True, False]


def test_a_tool_s_name_is_kept_in_part(folder: Path) -> None:
    with opened(folder) as runtime:
        runtime.after_task(None, Outcome.error("E", "m", tool="t" * 1_000_000))
        (event,) = runtime.journal.events()
        assert event.tool == "t" * 200
    assert sum(each.stat().st_size for each in folder.rglob("*.json")) < 10_000


def test_feedback_of_which_a_killed_process_left_nothing_but_the_event_goes_where_it_belongs(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    words = Outcome.feedback("not in the morning", id="words")
    for left in ("_learn", "nothing"):
        with opened(folder) as one, monkeypatch.context() as patched:
            if left == "_learn":
                patched.setattr(Routing, left, killed)
                with pytest.raises(KeyboardInterrupt):
                    one.after_task(Task(session="s"), words)
            else:
                assert not one.after_task(Task(session="s"), words).new
            waiting = [each.body["event"] for each in one.journal.entries(actions=["queue"])]
            assert waiting == ([] if left == "_learn" else ["words"])
    (memory,) = Memories(folder).read(LEARNINGS)[0]
    assert memory.text == "not in the morning"


def test_a_runtime_that_was_closed_before_it_was_used_is_closed(folder: Path) -> None:
    runtime = opened(folder)
    runtime.close()
    with pytest.raises(ClosedError):
        runtime.after_task(None, Outcome.success(tool="t"))
    assert not (folder / ".casebook" / "journal.db").exists()


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="there are no forks here")
def test_what_a_worker_of_multiprocessing_was_answered_is_journaled_as_it_ends(folder: Path) -> None:
    with opened(folder) as runtime:
        runtime.before_task(Task(tool="send"))
        workers = [
            multiprocessing.get_context("fork").Process(target=runtime.before_task, args=(Task(tool="send"),))
            for _ in range(3)
        ]
        for each in workers:
            each.start()
        for each in workers:
            each.join()
        assert [each.exitcode for each in workers] == [0, 0, 0]
        assert len(runtime.journal.activations()) == 4


def test_what_is_kept_of_long_tasks_is_bounded_and_their_outcomes_find_them(folder: Path) -> None:
    with opened(folder) as runtime:
        text = "go " * 200_000
        answers = [runtime.before_task(Task(text=text, session="s", user="ann")) for _ in range(20)]
        past = runtime._past.remembering()
        assert sum(len(asked.facts["text"]) for asked, _ in past._recent.values()) <= RECENT_CHARS
        history = past.sessions.of("s", "ann").history()
        assert max(len(each["text"]) for each in history) <= TURN_CHARS
        assert runtime.facts(Task(tool="t", session="s", user="ann")).values["text"] == text
        receipt = runtime.after_task(answers[0], Outcome.success(tool="t"))
        assert (receipt.new, receipt.warnings) == (True, ())
        assert runtime.journal.events(kinds=["tool"])[0].principal.user == "ann"


def test_outcomes_of_activations_that_nobody_knows_are_reports_of_their_own(folder: Path) -> None:
    with opened(folder) as runtime:
        told = [runtime.after_task(name, Outcome.error("E", "boom", tool="t")).new for name in ("one", "two", "two")]
        assert told == [True, True, False]


@pytest.mark.parametrize(("days", "kept"), [(90, True), (91, False)])
def test_words_are_let_go_after_ninety_days_by_who_reports_and_by_no_question(
    folder: Path, days: int, kept: bool
) -> None:
    later = fixed_clock(NOW + timedelta(days=days))
    with opened(folder) as runtime:
        runtime.after_task(Task(tool="t", args={"x": "words"}), Outcome.success())
    with Runtime.open(folder, clock=later, engine="reference") as runtime:
        runtime.match(Task(tool="t"))
        runtime.explain(Task(tool="t"))
        assert runtime.journal.events()[0].body["args"] == {"x": "words"}
        runtime.after_task(Task(tool="t"), Outcome.success())
        assert ("args" in runtime.journal.events()[0].body) is kept


@pytest.mark.parametrize("now", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
def test_the_first_and_the_last_instant_are_instants(folder: Path, now: datetime) -> None:
    with Runtime.open(folder, clock=fixed_clock(now), engine="reference") as runtime:
        for number in range(4):
            activation = runtime.before_task(Task(tool="t", session="s", args={"n": number}))
            receipt = runtime.after_task(activation, Outcome.error("E", f"boat {number} is late"))
        assert receipt.new


@pytest.mark.parametrize(
    ("fields", "persists"), [({"max_fires": 1}, False), ({"cooldown": "30m"}, False), ({}, True)], ids=str
)
def test_of_tasks_at_the_same_moment_one_is_told_what_may_be_told_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, fields: dict[str, Any], persists: bool
) -> None:
    case = {"id": "c", "trigger_conditions": ["tool is 'send'"], "correction": "x", **fields}
    (folder / "long_term" / "cases.json").write_text(json.dumps([case]))
    both = threading.Barrier(2)
    real = Answering.answer

    def together(self: Answering, *args: Any, **more: Any) -> Any:
        answered = real(self, *args, **more)
        if threading.current_thread().name not in seen:
            seen.add(threading.current_thread().name)
            both.wait(10)
        return answered

    seen: set[str] = set()
    monkeypatch.setattr(Answering, "answer", together)
    told: list[str] = []
    with opened(folder) as runtime:

        def ask() -> None:
            told.extend(
                each.id for each in runtime.before_task(Task(tool="send", session="s"), persists=persists).cases
            )

        threads = [threading.Thread(target=ask) for _ in range(2)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert told == ["c"]
        assert runtime.journal.fired("c").count == 1
        assert len(runtime.journal.activations()) == 2


def test_one_failure_that_goes_through_several_guarded_calls_is_one_occurrence(folder: Path) -> None:
    with opened(folder) as runtime:

        @runtime.guard(tool="sum")
        def down(number: int) -> None:
            if number == 0:
                raise ValueError("the pier is closed")
            down(number - 1)

        @runtime.guard(tool="plan")
        async def plan() -> None:
            async with runtime.atask(Task(text="plan")):
                down(3)

        with pytest.raises(ValueError, match="pier"), runtime.task(Task(text="go")):
            down(5)
        assert len(runtime.journal.events(kinds=["tool", "error"])) == 7
        assert not runtime.snapshot().cases
        with pytest.raises(ValueError, match="pier"):
            asyncio.run(plan())
        assert not runtime.snapshot().cases
        with pytest.raises(ValueError, match="pier"):
            down(0)
        assert len(runtime.snapshot().cases) == 1


def test_failures_one_after_another_within_a_guarded_call_are_occurrences_of_their_own(folder: Path) -> None:
    with opened(folder) as runtime:

        @runtime.guard(tool="sum")
        def once(number: int) -> None:
            raise ValueError("the pier is closed")

        @runtime.guard(tool="all")
        def several() -> None:
            for number in range(3):
                with contextlib.suppress(ValueError):
                    once(number)

        several()
        assert len(runtime.snapshot().cases) == 1


def test_an_outcome_whose_arguments_are_nested_too_deep_is_none() -> None:
    deep: list[Any] = []
    for _ in range(200):
        deep = [deep]
    with pytest.raises(OutcomeError, match="at most 100 deep"):
        Outcome.error("E", "m", tool="t", args={"a": deep})
