"""A memory: its form, and what is wrong with one that is none."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.kinds import KINDS
from casebook.memory import Memory, UnfitMemoryError

FORM: dict[str, Any] = {
    "id": "m1",
    "kind": "feedback",
    "text": "推送太多了",
    "tier": "L2",
    "scope": {"user": "ann"},
    "source": {"origin": "outcome", "by": "person", "session": "s1", "event": "e1", "x-host": 1},
    "created_at": "2026-03-20T10:00:00+08:00",
    "ttl": "30d",
    "status": "to_judge",
    "counters": {"recalled": 2},
    "rule_chain": [{"rule": "routing", "why": "a user's words"}, {"rule": "S1", "points": 30}],
    "about": {"tool": "email"},
    "x-mine": [1],
    "$comment": "free",
}


def test_prints_as_it_was_read_free_fields_among_it() -> None:
    memory = Memory.from_json(FORM)
    assert memory.to_json() == FORM
    assert memory.extra == {"x-mine": [1], "$comment": "free"}
    assert memory.ttl_length == timedelta(days=30)
    assert len({memory, Memory.from_json(FORM)}) == 1


def test_says_little_where_little_is_said() -> None:
    memory = Memory.from_json({"id": "m", "kind": "fact", "text": "x", "tier": "L3"})
    assert memory.to_json() == {"id": "m", "kind": "fact", "text": "x", "tier": "L3"}
    assert (memory.status, memory.scope.named, memory.ttl_length) == ("active", {}, None)


@pytest.mark.parametrize(
    "change, told",
    [
        ({"tekst": "x"}, 'tekst: no field of a memory is called "tekst" (text)'),
        ({"mood": 1}, 'mood: no field of a memory is called "mood" (free fields begin with x-)'),
        ({"kind": "feedbak"}, 'got "feedbak" (feedback)'),
        ({"tier": "L4"}, 'tier: expected "L1", "L2" or "L3", got "L4"'),
        ({"status": "to judge"}, "(to_judge)"),
        ({"text": "  "}, "text: expected what is remembered, got white space"),
        ({"text": "x" * 4001}, "text: expected at most 4,000 characters, got 4,001"),
        ({"id": "a b"}, "id: expected letters, digits, _ - . only"),
        (
            {"created_at": "gestern"},
            'created_at: expected an ISO date or date-time such as "2026-03-20", got "gestern"',
        ),
        ({"ttl": "3 weeks"}, "ttl: expected seconds"),
        ({"counters": {"recalled": -1}}, "counters.recalled: expected at least 0, got -1"),
        ({"scope": {"usr": "ann"}}, "(user)"),
        ({"rule_chain": [{"why": "x"}]}, "rule_chain[0].rule: expected rule, found nothing"),
    ],
)
def test_what_is_wrong_is_said_with_its_field_and_its_cure(change: dict[str, Any], told: str) -> None:
    with pytest.raises(UnfitMemoryError) as caught:
        Memory.from_json({**FORM, **change})
    assert told in str(caught.value)


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(UnfitMemoryError) as caught:
        Memory.from_json({"id": "m", "kind": "x", "tier": "L2", "ttl": "x", "expires_at": "y", "mod": 1})
    assert {problem.path[0] for problem in caught.value.problems} == {"kind", "text", "ttl", "expires_at", "mod"}


@pytest.mark.parametrize("form", [None, [], "x", 3])
def test_what_is_no_object_is_said(form: object) -> None:
    with pytest.raises(UnfitMemoryError):
        Memory.from_json(form)


def test_every_kind_of_the_design_is_one() -> None:
    assert {
        "identity", "principle", "preference", "fact", "decision", "lesson", "rule", "usage", "project_state", "conclusion",
        "temporary", "feedback",
    } < set(KINDS)  # fmt: skip


@given(
    st.dictionaries(
        st.text(max_size=10), st.one_of(st.none(), st.text(), st.integers(), st.lists(st.text())), max_size=6
    )
)
def test_no_object_raises_anything_else(fields: dict[str, Any]) -> None:
    try:
        made = Memory.from_json({**FORM, **fields})
    except UnfitMemoryError:
        return
    assert Memory.from_json(made.to_json()) == made
