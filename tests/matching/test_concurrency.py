"""Everyone gets their own answers: threads, asyncio tasks and forks, while another thread edits the casebook."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from casebook.conditions.facts import Facts
from casebook.conditions.parse import parse
from casebook.runtime.matching.engines import matcher
from casebook.runtime.matching.protocol import Matcher
from tests.matching.universe import ENGINES, loaded

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)
BOOK = {f"c{n}": loaded(f"c{n}", (parse(f'intent is "i{n % 40}"'), parse(f'tool is "t{n}"'))) for n in range(400)}


def answer(asked: Matcher, number: int) -> list[str]:
    task = Facts({"intent": [f"i{number % 40}", "other"], "tool": f"t{number}"}, NOON)
    return [case.id for case in asked.match(task)]


@pytest.fixture(params=ENGINES)
def asked(request: pytest.FixtureRequest) -> Iterator[Matcher]:
    made = matcher(request.param, resident_rules=150)
    made.update(BOOK)
    yield made
    made.close()


def test_eight_threads_get_only_their_own_answers_while_cases_are_edited(asked: Matcher) -> None:
    wrong: list[object] = []
    done = threading.Event()

    def ask(first: int) -> None:
        for turn in range(600):
            number = (first * 50 + turn) % 400
            if (got := answer(asked, number)) != [f"c{number}"]:
                wrong.append((number, got))

    def edit() -> None:
        turn = 0
        while not done.is_set():
            turn += 1
            asked.update(BOOK | {f"x{turn % 7}": loaded(f"x{turn % 7}", (parse(f'tool is "new{turn}"'),))})

    editor = threading.Thread(target=edit)
    askers = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in [editor, *askers]:
        thread.start()
    for thread in askers:
        thread.join()
    done.set()
    editor.join()
    assert wrong == []


def test_two_hundred_asyncio_tasks_get_only_their_own_answers(asked: Matcher) -> None:
    async def ask(number: int) -> tuple[int, list[str]]:
        await asyncio.sleep(0)
        return number, await asyncio.to_thread(answer, asked, number)

    async def all_of_them() -> list[tuple[int, list[str]]]:
        return await asyncio.gather(*(ask(number) for number in range(200)))

    for number, got in asyncio.run(all_of_them()):
        assert got == [f"c{number}"]


FORKS = """
import os, sys, threading, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of any fork beside threads; that is the point here
from tests.matching import test_concurrency as scene

asked = scene.matcher(sys.argv[1], resident_rules=150)
asked.update(scene.BOOK)
stop = threading.Event()
def keep_asking():
    number = 0
    while not stop.is_set():
        number = (number + 1) % 400
        assert scene.answer(asked, number) == [f"c{number}"]
threads = [threading.Thread(target=keep_asking) for _ in range(3)]
for thread in threads:
    thread.start()
failed = 0
for turn in range(20):
    child = os.fork()
    if child == 0:
        good = all(scene.answer(asked, number) == [f"c{number}"] for number in range(turn, 400, 20))
        os._exit(0 if good else 1)
    failed += os.waitpid(child, 0)[1] != 0
stop.set()
for thread in threads:
    thread.join()
print("failed", failed)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("engine", ENGINES)
def test_a_fork_gets_its_own_answers_whatever_its_parents_threads_were_doing(engine: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", FORKS, engine],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"PYTHONPATH": "."},
    )
    assert (run.stdout.strip(), run.stderr, run.returncode) == ("failed 0", "", 0)
