"""What is asked often is answered from an index, however much the journal holds."""

import sqlite3
from collections.abc import Callable
from typing import Any

import pytest

from casebook.runtime.journal.sqlite import SqliteJournal
from tests.journal.made import NOW

QUESTIONS: dict[str, Callable[[SqliteJournal], Any]] = {
    "an activation": lambda journal: journal.activation("a"),
    "activations of a case": lambda journal: journal.activations(case_id="c", limit=5),
    "activations of a session": lambda journal: journal.activations(session="s"),
    "an event": lambda journal: journal.event("e"),
    "events of a session": lambda journal: journal.events(session="s", user="u"),
    "events of nobody's session": lambda journal: journal.events(session="s"),
    "events of a signature": lambda journal: journal.events(signature="x", counted=True, since=NOW),
    "events of a tool": lambda journal: journal.events(tools=["shell"], kinds=["tool"], limit=2_000),
    "events of tools": lambda journal: journal.events(tools=["shell", "python"], limit=2_000),
    "answers": lambda journal: journal.events(activation="a"),
    "what is new": lambda journal: journal.events(after=9, counted=True),
    "an entry": lambda journal: journal.entry("n"),
    "entries about a case": lambda journal: journal.entries(subject="c"),
    "entries about a signature": lambda journal: journal.entries(signature="x", actions=["reject"]),
    "entries of a kind": lambda journal: journal.entries(actions=["queue"]),
    "entries since": lambda journal: journal.entries(since=NOW, actions=["queue"]),
    "tellings of memories": lambda journal: journal.tellings(["m1", "m2"]),
    "what an answer told": lambda journal: journal.told_in("a"),
    "texts": lambda journal: journal.versions("c"),
    "how often": lambda journal: journal.fired("c"),
    "what is new of a session": lambda journal: journal.activations(session="s", after=9),
    "what arrived in a session": lambda journal: journal.arrived(
        "s", "u", answers=9, seq=9, is_known=lambda _: False, limit=5
    ),
    "signatures": lambda journal: journal.signatures(),
    "signatures of a day": lambda journal: journal.signatures(since=NOW, user="u"),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_question_reads_a_whole_table(memory: SqliteJournal, question: str) -> None:
    asked: list[str] = []
    memory._database.ask(lambda connection: connection.set_trace_callback(asked.append))
    QUESTIONS[question](memory)
    memory._database.ask(lambda connection: connection.set_trace_callback(None))

    def plans(connection: sqlite3.Connection) -> list[str]:
        return [row[3] for each in asked for row in connection.execute(f"EXPLAIN QUERY PLAN {each}")]

    found = memory._database.ask(plans)
    assert found
    assert [each for each in found if each.startswith("SCAN") and "INDEX" not in each] == []
