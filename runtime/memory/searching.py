"""What is asked of the memories for a task: its words, what it intends, what it is about to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from casebook.conditions.facts import Facts
from casebook.runtime.facts.own_words import own_words
from casebook.task import Task

QUERY_CHARS = 2_000
"""Characters of a task's words that are asked with (ours): a page; of more the beginning and the end, where a request stands."""
_LOOKED_AT = 20_000
_END = QUERY_CHARS // 3


def query_of(task: Task, facts: Facts) -> str:
    """Give the question of a task, or an empty text where it says nothing.

    The user's own words count, without code and quotations; where nothing else was said, those. Then follow the intents, and what is
    about to be done (`git push`), or the tool where it does not say what it does.

    Args:
        task: the task.
        facts: its facts; at the tool point they hold the words of its turn.
    """
    text = facts.values.get("text")
    words = _cut(text) if isinstance(text, str) else ""
    doing = list(_texts(facts.values.get("action"))) or ([task.tool] if task.tool else [])
    parts = [words, *_texts(facts.values.get("intent")), *doing]
    return "\n".join(dict.fromkeys(part for part in parts if part))


def _cut(text: str) -> str:
    if len(text) > _LOOKED_AT:
        text = f"{text[: _LOOKED_AT // 2]}\n{text[-_LOOKED_AT // 2 :]}"
    own = own_words(text).replace("\u241f", " ").strip()
    text = own or text.strip()
    return text if len(text) <= QUERY_CHARS else f"{text[: QUERY_CHARS - _END]}\n{text[-_END:]}"


def _texts(value: Any) -> Iterator[str]:
    """Give the texts of a fact: one, or several."""
    for each in value if isinstance(value, list) else (value,):
        if isinstance(each, str):
            yield each
