"""Live sessions over several processes, and over a clock that goes back."""

from __future__ import annotations

import os
import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from casebook.clock import elapsed, fixed_clock
from casebook.conditions.evaluate import Reading, history_count
from casebook.conditions.facts import Facts
from casebook.conditions.parse import parse
from casebook.faults import StoreError
from casebook.runtime.answer.isolation import Principal
from casebook.runtime.journal.opening import memory_journal, open_journal
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import KEPT, NOBODY, ActivationRecord, Arrived, EventRecord, Firing
from casebook.runtime.session.running import RunningEvents
from casebook.runtime.session.sessions import Sessions

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
ANN = Principal("ann", None, frozenset(), None)


def answer(name: str, *cases: str, at: datetime = NOW, kept: bool = False, principal: Principal = NOBODY) -> Any:
    firings = tuple(Firing(each, "v", "selected", KEPT if kept else "") for each in cases)
    record = ActivationRecord(
        name, at, "s", principal, "tool", "send", "allow", "reference", "enforce", "0", firings=firings
    )
    return lambda: (record, (), ())


def failure(name: str, *, activation: str | None = None, signature: str = "sig", principal: Principal = NOBODY) -> Any:
    return EventRecord(
        name, NOW, "tool", "s", principal, activation, "send", ok=False, signature=signature, counted=True
    )


def test_what_another_process_does_in_a_session_is_taken_up_and_nothing_is_taken_twice(tmp_path: Any) -> None:
    mine, other = (open_journal(tmp_path, fixed_clock(NOW)) for _ in range(2))
    try:
        sessions = Sessions(mine, lambda: {"c": "sig"})
        live = sessions.of("s", None)
        live.begin_answer("a1")
        live.say("c", NOW, kept=True, signature="sig")
        mine.note(answer("a1", "c", kept=True))
        mine.record(failure("e1", activation="a1"))
        sessions.absorb(failure("e1", activation="a1"))
        assert live.said == set()
        other.note(answer("a2", "d", at=NOW + timedelta(seconds=5), kept=True))
        other.record(failure("e2", signature="other"))
        again = sessions.of("s", None)
        assert again is live
        assert (again.said, again.fired) == ({"d"}, {"c": NOW, "d": NOW + timedelta(seconds=5)})
        assert again.facts(NOW)["errors"] == 2
        other.record(failure("e3", principal=ANN))
        assert sessions.of("s", None).facts(NOW)["errors"] == 2
        assert sessions.of("s", "ann").facts(NOW)["errors"] == 1
    finally:
        mine.close()
        other.close()


def test_after_an_error_that_another_process_tells_the_cases_of_its_answer_are_said_again(tmp_path: Any) -> None:
    mine, other = (open_journal(tmp_path, fixed_clock(NOW)) for _ in range(2))
    try:
        sessions = Sessions(mine, dict)
        other.note(answer("a1", "c", kept=True))
        other.flush()
        live = sessions.of("s", None)
        assert live.said == {"c"}
        other.record(failure("e1", activation="a1", signature="of no case"))
        assert sessions.of("s", None).said == set()
    finally:
        mine.close()
        other.close()


def test_what_was_read_of_a_session_is_not_read_again(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, other = (open_journal(tmp_path, fixed_clock(NOW)) for _ in range(2))
    try:
        for number in range(300):
            other.note(answer(f"a{number}", "c"))
            other.record(failure(f"e{number}"))
        sessions = Sessions(mine, dict)
        live = sessions.of("s", None)
        read = _reads(mine, monkeypatch)
        other.record(failure("new"))
        assert sessions.of("s", None) is live
        assert (read, live.facts(NOW)["errors"]) == ([(0, 1)], 301)
    finally:
        mine.close()
        other.close()


def test_what_this_process_wrote_itself_is_not_read_when_another_writes(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, other = (open_journal(tmp_path, fixed_clock(NOW)) for _ in range(2))
    try:
        sessions = Sessions(mine, dict)
        live = sessions.of("s", None)
        here = threading.current_thread()
        for number in range(50):
            live.begin_answer(f"a{number}")
            mine.note(answer(f"a{number}", "c"))
            mine.record(own := failure(f"e{number}"))
            sessions.absorb(own)
        read = _reads(mine, monkeypatch)
        other.note(answer("b1", "d", kept=True))
        other.record(failure("new"))
        written: list[bool] = []  # nor is written on the task's way what waits to be written
        monkeypatch.setattr(
            mine._notes, "write_quietly", lambda **_: written.append(threading.current_thread() is here)
        )
        assert (sessions.of("s", None).facts(NOW)["errors"], live.said) == (51, {"d"})
        assert (read, True in written) == ([(1, 1)], False)
        monkeypatch.undo()
        read = _reads(mine, monkeypatch)
        other.record(failure("newer"))
        sessions.of("s", None)
        assert read == [(0, 1)]
    finally:
        mine.close()
        other.close()


def test_a_task_does_not_wait_while_a_thread_writes_and_the_next_one_sees_what_others_wrote(tmp_path: Any) -> None:
    mine, other = (open_journal(tmp_path, fixed_clock(NOW)) for _ in range(2))
    try:
        sessions = Sessions(mine, dict)
        sessions.of("s", None)
        writes, is_over = threading.Event(), threading.Event()

        def slow(*_: Any) -> None:
            writes.set()
            is_over.wait(20)

        writer = threading.Thread(target=mine._database.change, args=[slow])
        writer.start()
        assert writes.wait(20)
        began = elapsed()
        assert sessions.of("s", None).facts(NOW)["errors"] == 0
        assert elapsed() - began < 5
        is_over.set()
        writer.join()
        other.record(failure("new"))
        assert sessions.of("s", None).facts(NOW)["errors"] == 1
    finally:
        mine.close()
        other.close()


def _reads(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Give the list in which it is noted how many activations and events a session has read that others wrote."""
    read: list[tuple[int, int]] = []
    ask = journal.arrived

    def counted(*named: Any, **asked: Any) -> Arrived | None:
        found = ask(*named, **asked)
        assert found is not None
        read.append((len(found.activations), len(found.events)))
        return found

    monkeypatch.setattr(journal, "arrived", counted)
    return read


def test_a_session_keeps_what_it_knows_where_the_journal_fails_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    journal = memory_journal(fixed_clock(NOW))
    sessions = Sessions(journal, dict)
    sessions.of("s", None).absorb(failure("kept beside the database"))

    def held(*_: Any, **__: Any) -> Any:
        raise StoreError("another process holds it")

    with monkeypatch.context() as patched:
        patched.setattr(journal, "changes", held)
        assert sessions.of("s", None).facts(NOW)["errors"] == 1
    monkeypatch.setattr(journal, "changes", lambda: 7)
    assert sessions.of("s", None).facts(NOW)["errors"] == 1
    journal.close()


@pytest.mark.parametrize("at", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC), NOW])
def test_a_count_within_a_while_is_answered_at_any_instant(at: datetime) -> None:
    node: Any = parse("earlier tool where tool is 'send' within 2h")
    running = RunningEvents()
    running.events.append({"kind": "tool", "tool": "send", "at": at})
    running.events.append({"kind": "tool", "tool": "send", "at": NOW})
    for instant in (datetime.min.replace(tzinfo=UTC), at):
        plain = Facts({}, instant, tuple(running.events))
        counted = history_count(node, Reading(Facts({}, instant, running.view())))
        assert counted == history_count(node, Reading(plain))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
def test_a_child_forked_while_a_thread_counts_does_not_wait_for_it() -> None:
    running = RunningEvents()
    running.events.extend({"kind": "tool", "tool": "send", "at": NOW} for _ in range(20_000))
    node: Any = parse("earlier tool where tool is this tool")
    stop = threading.Event()

    def count() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            history_count(node, Reading(Facts({"tool": f"t{number}"}, NOW, running.view())))

    thread = threading.Thread(target=count)
    thread.start()
    try:
        for _ in range(5):
            child = os.fork()
            if child == 0:
                history_count(node, Reading(Facts({"tool": "send"}, NOW, running.view())))
                os._exit(0)
            for _ in range(1_000):
                done, status = os.waitpid(child, os.WNOHANG)
                if done:
                    break
                stop.wait(0.01)
            else:
                os.kill(child, 9)
                os.waitpid(child, 0)
                pytest.fail("the child waits for a lock that nobody holds")
            assert status == 0
    finally:
        stop.set()
        thread.join()
