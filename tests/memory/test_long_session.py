"""A session that goes on for long is told what it has not heard, however much it was told before, and nothing twice."""

from __future__ import annotations

from pathlib import Path

from casebook.clock import fixed_clock
from casebook.runtime import Runtime
from casebook.task import Task
from tests.memory.test_remember import WEDNESDAY, casebook

MEMORIES = 40


def told(runtime: Runtime, session: str, text: str) -> list[str]:
    task = Task(text=text, session=session, user="ann", point="task")
    return [each.id for each in runtime.before_task(task, persists=True).related]


def test_each_memory_that_has_to_do_with_a_session_is_told_once_in_it_and_none_is_held_back(tmp_path: Path) -> None:
    with Runtime.open((casebook(tmp_path / "book"),), clock=fixed_clock(WEDNESDAY), engine="reference") as runtime:
        for at in range(MEMORIES):
            said = {"text": f"The zebra exporter has quirk alpha{at}", "id": f"m-{at:02}", "kind": "fact"}
            runtime.remember(said, user="ann")
        turns = [told(runtime, "s1", "what are the quirks of the zebra exporter?") for _ in range(MEMORIES // 3 + 3)]
        every = [name for turn in turns for name in turn]
        assert len(every) == len(set(every)) == MEMORIES
        assert [len(turn) for turn in turns[:-3]] == [3] * (MEMORIES // 3)
        assert turns[-1] == []
        assert len(told(runtime, "s2", "what are the quirks of the zebra exporter?")) == 3


def test_what_was_decided_about_a_thing_whose_name_is_a_common_word_is_found(tmp_path: Path) -> None:
    with Runtime.open((casebook(tmp_path / "book"),), clock=fixed_clock(WEDNESDAY), engine="reference") as runtime:
        runtime.remember("We decided to use Go for the payment service.", user="ann", project="shop")
        for query in ("Go", "Which language, Go?", "why is it Go"):
            found = runtime.recall(query, user="ann", project="shop")
            assert [each.text for each in found] == ["We decided to use Go for the payment service."], query
        assert runtime.recall("go on then", user="ann", project="shop") == ()
