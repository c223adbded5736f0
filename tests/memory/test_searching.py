"""What is asked of the memories for a task."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.policy import Policy
from casebook.runtime.facts.extract import extract
from casebook.runtime.memory.searching import QUERY_CHARS, query_of
from casebook.task import Task


def asked(**fields: Any) -> str:
    task = Task(**fields)
    return query_of(task, extract(task, Policy(intents_shipped=False), datetime(2026, 4, 1, tzinfo=UTC)))


@pytest.mark.parametrize(
    "fields, wanted",
    [
        ({}, ""),
        ({"text": "  "}, ""),
        ({"text": "Deploy the billing service"}, "Deploy the billing service"),
        ({"text": "写周报", "intent": ["报告", "写周报"]}, "写周报\n报告"),
        ({"intent": "push"}, "push"),
        ({"tool": "Bash", "args": {"command": "git push origin main"}}, "git push"),
        ({"tool": "search_orders"}, "search_orders"),
        ({"text": "Release it", "tool": "shell", "args": {"command": "npm publish"}}, "Release it\nnpm publish"),
    ],
)
def test_the_question_of_a_task(fields: dict[str, Any], wanted: str) -> None:
    assert asked(**fields) == wanted


def test_the_users_own_words_count_and_what_they_paste_does_not() -> None:
    text = "Why does this fail?\n```\nkafka.errors.NoBrokersAvailable\n```\n> quoted mail about invoices\nThanks"
    question = asked(text=text)
    assert "Why does this fail?" in question
    assert "Thanks" in question
    assert not any(each in question for each in ("kafka", "invoices", "\u241f"))


def test_where_all_is_pasted_that_is_asked() -> None:
    assert "NoBrokersAvailable" in asked(text="```\nkafka.errors.NoBrokersAvailable\n```")


def test_of_a_long_text_the_beginning_and_the_end_are_asked() -> None:
    question = asked(text="begin " + "middle " * 9_000 + "finish")
    assert question.startswith("begin middle")
    assert question.endswith("middle finish")
    assert len(question) <= QUERY_CHARS + 1


@given(st.text(max_size=300))
def test_any_text_makes_a_question(text: str) -> None:
    question = asked(text=text)
    assert question == asked(text=text)
    assert "\u241f" not in question or "\u241f" in text
