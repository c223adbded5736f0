"""Whatever stands and changes: nobody sees, or feels, what others have; and what is answered meanwhile is live."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from casebook.runtime.answer.isolation import within
from casebook.runtime.memory.entry import reach_of, reaches
from casebook.runtime.memory.view import Hit, MemoryView
from casebook.scope import Scope
from tests.memory.stores import Held, memory, principal

AT = datetime(2026, 4, 1, tzinfo=UTC)
NAMES = st.sampled_from([None, "ann", "bob", "é", "e\u0301"])
WORDS = ["kafka", "redis", "billing", "deploy", "staging", "周报", "端口", "简体中文", "postgres", "order"]
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
scopes = st.fixed_dictionaries(dict.fromkeys(("user", "project", "team", "agent"), NAMES)).map(
    lambda named: {name: value for name, value in named.items() if value is not None}
)
principals = st.builds(
    principal,
    st.sampled_from([None, "ann", "é"]), st.sampled_from([None, "bob", "é"]),
    st.lists(st.sampled_from(["ann", "bob", "é"]), max_size=2), st.sampled_from([None, "ann"]),
)  # fmt: skip
entries = st.lists(st.tuples(texts, scopes, st.booleans()), max_size=10)


def views(of: list[tuple[str, dict[str, str], bool]]) -> MemoryView:
    """Two layers: a memory stands in the first or in the second."""
    made = [memory(f"m{n}", text, scope=scope) for n, (text, scope, _) in enumerate(of)]
    first = Held(*(each for each, (_, _, is_first) in zip(made, of, strict=True) if is_first), layer="user")
    return MemoryView([first, Held(*(each for each in made if each.id not in first._placed), layer="project")])


def answers(over: MemoryView, query: str, who: Any) -> tuple[tuple[Hit, ...], ...]:
    return tuple(
        over.search(query, who, AT, limit=20, floor=floor, wait=wait)
        for floor in (True, False)
        for wait in (True, False)
    )


@given(scopes, principals)
def test_what_is_looked_up_is_what_isolation_lets_through(scope: dict[str, str], who: Any) -> None:
    assert (reach_of(Scope(**scope)) in set(reaches(who))) is within(Scope(**scope), who)


@settings(max_examples=80, deadline=None)
@given(entries, principals, texts)
def test_the_answer_is_the_same_with_and_without_the_memories_of_others(
    of: list[tuple[str, dict[str, str], bool]], who: Any, query: str
) -> None:
    # ids say the place in the list: what is not within reach is blanked out by a scope that nobody has, then by its absence
    mine = [each for each in of if within(Scope(**each[1]), who)]
    alone = views([(text, scope, is_first) for text, scope, is_first in mine])
    among = views([*mine, *(each for each in of if each not in mine)])
    assert answers(among, query, who) == answers(alone, query, who)


changes = st.lists(
    st.tuples(st.integers(0, 7), st.one_of(st.none(), st.tuples(texts, scopes, st.booleans()))), min_size=1, max_size=15
)


@settings(max_examples=60, deadline=None)
@given(changes, principals, texts)
def test_after_any_changes_what_is_found_is_what_a_fresh_reading_finds(changes: Any, who: Any, query: str) -> None:
    store = Held(memory("m0", "kafka order"), memory("m1", "kafka order", scope={"user": "ann"}))
    over = MemoryView([store])
    for number, change in changes:
        name = f"m{number}"
        if change is not None:
            text, scope, is_active = change
            store.put(memory(name, text, scope=scope, status="active" if is_active else "to_judge"))
        elif name in store._placed:
            store.drop(name)
        fresh = MemoryView([store])
        wanted = fresh.search(query, who, AT, limit=20, floor=False)
        quick = over.search(query, who, AT, limit=20, floor=False, wait=False)
        assert {hit.memory.id for hit in quick} == {hit.memory.id for hit in wanted}
        assert {hit.memory for hit in quick} == {hit.memory for hit in wanted}
    assert over.search(query, who, AT, limit=20, floor=False) == fresh.search(query, who, AT, limit=20, floor=False)
