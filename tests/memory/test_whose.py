"""Whose a memory is: how the agent answers is the speaker's alone, and what goes to everybody is told."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from casebook.clock import fixed_clock
from casebook.runtime import Runtime

WEDNESDAY = datetime(2026, 3, 18, 2, tzinfo=UTC)


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Runtime]:
    """The casebook of a project, and none of a user beside it."""
    (tmp_path / "long_term").mkdir()
    (tmp_path / "memory-policy.yaml").write_text("format: 1\ntimezone: Asia/Shanghai\n", encoding="utf-8")
    with Runtime.open([tmp_path], clock=fixed_clock(WEDNESDAY), engine="reference") as found:
        yield found


@pytest.mark.parametrize(
    ("words", "named", "scope", "warns"),
    [
        ("回复请用简体中文，不要用表情。", {"user": "mara"}, {"user": "mara"}, ""),
        ("Never use emojis in your replies.", {"user": "mara", "project": "shop"}, {"user": "mara"}, ""),
        ("Always answer in German.", {}, {}, "no user was named"),
        ("In this project, always answer in English", {"user": "mara", "project": "shop"}, {"user": "mara", "project": "shop"}, ""),
        ("In this project, always answer in English", {"user": "mara"}, {"user": "mara"}, ""),
        ("In this project, always answer in English", {"project": "shop"}, {"project": "shop"}, "no user was named"),
        ("Always reply to customer tickets within a day", {"user": "mara", "project": "shop"}, {"project": "shop"}, ""),
        ("Always reply to customer tickets within a day", {"user": "mara"}, {}, "it is a project's and no project was named"),
        ("回复客户必须在24小时内", {"user": "mara"}, {}, "it is a project's and no project was named"),
        ("Always reply to customer tickets within a day", {}, {}, ""),
    ],
)  # fmt: skip
def test_what_goes_to_everybody_is_told_and_how_the_agent_answers_does_not(
    runtime: Runtime, words: str, named: dict[str, str], scope: dict[str, str], warns: str
) -> None:
    (kept,) = runtime.remember(words, **named)
    assert kept.memory is not None
    assert dict(kept.memory.scope.named) == scope
    told = " ".join(kept.warnings)
    assert told.startswith(warns)
    assert bool(told) == bool(warns)


def test_what_one_user_wants_of_the_answers_in_a_project_is_not_told_to_another(runtime: Runtime) -> None:
    runtime.remember("In this project, always answer in English", user="mara", project="shop")
    asked = "answer in English in this project"
    assert [each.text for each in runtime.recall(asked, user="mara", project="shop")] == [
        "In this project, always answer in English"
    ]
    assert not runtime.recall(asked, user="bob", project="shop")
    assert not runtime.recall(asked, user="mara", project="till")
