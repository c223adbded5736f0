"""The running indexes of a session answer as the plain count over its events does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.conditions.evaluate import Reading, count_events, event_holds, history_count
from casebook.conditions.facts import Facts
from casebook.conditions.parse import parse
from casebook.conditions.tree import Count, Earlier
from casebook.runtime.facts.session import session_facts
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.session.events import history_of
from casebook.runtime.session.live import LiveSession
from casebook.runtime.session.running import INDEXES, RunningEvents

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)

CONDITIONS = (
    "earlier tool",
    "no earlier error within 30m",
    "earlier tool where action is 'pytest' within 1h",
    "count of error where error.type is 'TimeoutError' within 10m >= 2",
    "earlier error where tool is this tool",
    "earlier tool where (tool in [shell, edit] and args.x is this args.x) within 2h",
    "count of tool where not ok is true >= 1",
    "earlier task where intent is this intent",
)

records = st.builds(
    lambda place, kind, tool, ok, minutes, x: EventRecord(
        id=f"e{place}",
        at=NOW - timedelta(minutes=minutes),
        kind=kind,
        session="s",
        tool=tool if kind in ("tool", "error") else None,
        ok=ok if kind == "tool" else None,
        signature="sig" if kind == "error" or not ok else None,
        body={
            "args": {"x": x},
            "action": "pytest",
            **({"error": {"type": "TimeoutError", "message": "too late"}} if kind == "error" or not ok else {}),
            **({"intent": "push", "text": "go"} if kind == "task" else {}),
        },
    ),
    st.integers(0, 10**9),
    st.sampled_from(["tool", "error", "task", "feedback", "compacted", "success"]),
    st.sampled_from(["shell", "edit", "fetch"]),
    st.booleans(),
    st.integers(-5, 200),
    st.sampled_from([1, "1", True]),
)
tasks = st.fixed_dictionaries(
    {
        "tool": st.sampled_from(["shell", "edit", ["shell", "edit"]]),
        "args": st.fixed_dictionaries({"x": st.sampled_from([1, "1", True])}),
    },
    optional={"intent": st.sampled_from(["push", ["push", "deploy"]])},
)


def histories(node: Any) -> Earlier:
    found = node.item if not isinstance(node, Earlier | Count) else node
    return found if isinstance(found, Earlier) else Earlier(found.kind, found.where, found.within)


@given(st.lists(st.tuples(st.lists(records, max_size=6), tasks), min_size=1, max_size=5))
def test_a_running_index_counts_as_the_plain_count_whenever_it_is_asked(steps: Any) -> None:
    live = LiveSession("s", None)
    nodes = [histories(parse(text)) for text in CONDITIONS]
    events: list[Any] = []
    views = []
    for happened, values in steps:
        for record in happened:
            before = len(live.history())
            live.absorb(record)
            if len(live.history()) != before:
                events.extend(history_of(record))
        facts = Facts(values, NOW, live.history())
        plain = Facts(values, NOW, tuple(events))
        views.append((facts, plain))
        for node in nodes:
            assert history_count(node, Reading(facts)) == count_events(node, Reading(plain))
    for facts, plain in views:  # what came later changes nothing of an earlier view
        for node in nodes:
            assert history_count(node, Reading(facts)) == count_events(node, Reading(plain))


@given(st.lists(records, max_size=12))
def test_the_counts_of_a_live_session_are_those_of_its_events(happened: Any) -> None:
    live = LiveSession("s", None)
    for record in happened:
        live.absorb(record)
    assert live.facts(NOW) == session_facts("s", tuple(live.history()), NOW)


def test_a_count_looks_at_each_event_once_however_often_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def counted(where: Any, event: Any, reading: Reading) -> bool:
        asked.append(event)
        return event_holds(where, event, reading)

    monkeypatch.setattr("casebook.runtime.session.running.event_holds", counted)
    running = RunningEvents()
    node = histories(parse("earlier tool where tool is 'shell'"))
    running.events.extend({"kind": "tool", "tool": "shell", "at": NOW} for _ in range(1_000))
    for _ in range(50):
        assert history_count(node, Reading(Facts({}, NOW, running.view()))) == 1_000
    assert len(asked) == 1_000


def test_indexes_are_bounded_where_every_task_names_another_value() -> None:
    running = RunningEvents()
    running.events.append({"kind": "tool", "tool": "7", "at": NOW})
    node = histories(parse("earlier tool where tool is this tool"))
    for number in range(INDEXES + 50):
        wanted = 1 if number == 7 else 0
        assert history_count(node, Reading(Facts({"tool": str(number)}, NOW, running.view()))) == wanted
    assert len(running._indexes) == INDEXES
