"""Who works heavily beside those who answer agents waits for them, a little at a time, and never for itself."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from casebook import yielding as module
from casebook.clock import elapsed
from casebook.yielding import MOST, SWITCH, WORK, answering, let_in, yielding


@pytest.fixture
def answers() -> Iterator[threading.Event]:
    """Give what ends an answer that another thread gives; it has begun."""
    began, is_over = threading.Event(), threading.Event()

    def answer() -> None:
        with answering:
            began.set()
            is_over.wait(20)

    thread = threading.Thread(target=answer)
    thread.start()
    assert began.wait(20)
    yield is_over
    is_over.set()
    thread.join()


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    found: list[float] = []
    real = time.sleep

    def noted(seconds: float) -> None:
        found.append(seconds)
        real(seconds)

    monkeypatch.setattr(time, "sleep", noted)
    return found


def test_work_waits_for_nobody_where_nobody_answers(slept: list[float]) -> None:
    let_in()
    assert slept == []


def test_work_waits_while_another_thread_answers_and_no_longer_than_its_part(
    answers: threading.Event, slept: list[float]
) -> None:
    time.sleep(2 * WORK)
    slept.clear()
    began = elapsed()
    let_in()
    assert (bool(slept), elapsed() - began >= MOST, elapsed() - began < 1) == (True, True, True)
    answers.set()
    while module._answering:
        time.sleep(0.001)
    slept.clear()
    let_in()
    assert slept == []


def test_work_that_waited_a_moment_ago_goes_on(
    answers: threading.Event, slept: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = elapsed()
    monkeypatch.setattr(module, "elapsed", lambda: at)
    for since, waits in ((WORK / 2, False), (WORK * 0.999, False)):
        monkeypatch.setattr(module, "_waited", at - since)
        let_in()
        assert bool(slept) is waits
    monkeypatch.undo()
    monkeypatch.setattr(module, "_waited", elapsed() - WORK * 1.001)
    let_in()
    assert not answers.is_set()


def test_who_answers_does_not_wait_for_itself(slept: list[float]) -> None:
    with answering:
        let_in()
    assert slept == []


def test_an_answer_that_fails_is_over() -> None:
    with pytest.raises(ValueError, match="no task"), answering:
        raise ValueError("no task")
    assert threading.get_ident() not in module._answering


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
def test_a_child_that_was_forked_while_a_thread_answered_waits_for_nobody(answers: threading.Event) -> None:
    assert module._answering
    child = os.fork()
    if child == 0:
        os._exit(len(module._answering))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert not answers.is_set()


def test_other_threads_are_let_in_often_until_the_last_block_ends() -> None:
    usual = sys.getswitchinterval()
    with yielding():
        with yielding():
            assert sys.getswitchinterval() == pytest.approx(SWITCH)
        assert sys.getswitchinterval() == pytest.approx(SWITCH)
    assert sys.getswitchinterval() == pytest.approx(usual)
