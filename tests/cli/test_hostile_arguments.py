"""Whatever is typed for an argument, a command answers it or says what was expected: never a traceback, never a page of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from casebook.adapters.cli.front import command_parser
from tests.cli.conftest import Run

ASKED = ("check", "recall", "before-task", "remember", "list", "show", "maintain", "restore", "archive", "after-task")
HOSTILE = ("x" * 70_000, "\0", "{")


def lines(name: str, value: str) -> list[list[str]]:
    """Give command lines of a command in which each argument, and each option that takes a value, is a hostile one."""
    actions = command_parser(name, whole=False)._actions
    needed = [each for each in actions if not each.option_strings and each.nargs not in {"?", "*"}]
    found = [[name, *([value] * max(len(needed), 1))]] if any(not each.option_strings for each in actions) else []
    options = [each.option_strings[-1] for each in actions if each.option_strings and each.nargs != 0]
    return found + [[name, *("m-1" for _ in needed), option, value] for option in options]


@pytest.mark.parametrize("name", ASKED)
def test_a_hostile_value_is_answered_or_refused_in_few_words(casebook: Run, memory: Path, name: str) -> None:
    for value in HOSTILE:
        for line in lines(name, value):
            found = casebook(*line)
            assert found.code in {0, 1, 2}, (line[0], line[1:][-2:], found.err[-300:])
            assert len(found.err) < 5_000, (line[0], line[1:][-2:-1])


@pytest.mark.parametrize("job", ["expire", "age", "promote", "audit", "reflect", "compact", "archive", "retain"])
@pytest.mark.parametrize("now", ["0001-01-02", "9999-12-31T15:59:59"])
def test_upkeep_runs_at_the_ends_of_time(casebook: Run, memory: Path, job: str, now: str) -> None:
    assert casebook("maintain", job, "--now", now).code == 0
