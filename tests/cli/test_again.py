"""What an agent that reads the managed block types: each run of its commands counts, but not what a hook has told of already."""

from __future__ import annotations

import json
import shlex
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from casebook.adapters.agents_md.block_texts import BLOCK_TEXTS
from casebook.runtime.answer.texts import Language
from tests.cli.conftest import Run

NOON = datetime(2026, 11, 30, 12)  # noqa: DTZ001  (a wall clock of the casebook)
SHELL = ("--tool", "shell", "--arg", "command=make deploy")
REPORT = ("after-task", "--error", "exit 2", "--message", "no rule to make deploy", *SHELL, "--again")


def commands(language: Language) -> dict[str, list[str]]:
    """The commands of the block, by name, as a shell hands them on."""
    told = [
        part for line in BLOCK_TEXTS[language].usage for part in line.split("`")[1::2] if part.startswith("casebook ")
    ]
    return {words[1]: words[1:] for words in map(shlex.split, told)}


def at(after: timedelta = timedelta()) -> tuple[str, str]:
    return "--now", (NOON + after).isoformat()


def hook(casebook: Run, name: str, after: timedelta = timedelta(), **more: Any) -> None:
    """An event of Claude Code, as its hook hands it on."""
    event = {
        "session_id": "s9", "hook_event_name": name, "cwd": str(Path.cwd()), "tool_name": "Bash", "tool_use_id": "t1",
        "tool_input": {"command": "make deploy", "description": "Deploy"}, **more,
    }  # fmt: skip
    assert casebook("hook", "claude-code", *at(after), stdin=json.dumps(event)).code == 0


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("apart", [timedelta(), timedelta(hours=5)])
def test_the_third_report_by_the_block_s_own_command_makes_a_lesson(
    casebook: Run, memory: Path, language: Language, apart: timedelta
) -> None:
    told = commands(language)
    said = [json.loads(casebook(*told["after-task"], *at(number * apart)).out) for number in range(3)]
    assert [(each["new"], each["occurrences"], each["made"]) for each in said] == [
        (True, 1, False), (True, 2, False), (True, 3, True),
    ]  # fmt: skip
    before = json.loads(casebook(*told["before-task"], *at(4 * apart)).out)
    assert [each["id"] for each in before["matched"]] == [said[2]["case"]]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_the_block_has_an_agent_note_lasts_longer_than_a_session(
    casebook: Run, memory: Path, language: Language
) -> None:
    said = casebook(*commands(language)["remember"], *at())
    assert "L2, 180d without use" in said.out


def test_without_it_the_same_report_counts_once(casebook: Run, memory: Path) -> None:
    said = [json.loads(casebook(*REPORT[:-1], *at(number * timedelta(hours=5))).out) for number in range(3)]
    assert [each["occurrences"] for each in said] == [1, 1, 1]


def test_an_id_and_again_are_two_answers_to_one_question(casebook: Run, memory: Path) -> None:
    assert casebook(*REPORT, "--id", "mine").code == 2


@pytest.mark.parametrize(
    ("minutes", "new", "errors"), [(0, False, 1), (10, False, 1), (10.1, True, 2)]
)  # fmt: skip
def test_what_a_hook_has_told_of_counts_once(
    casebook: Run, here: Path, minutes: float, *, new: bool, errors: int
) -> None:
    casebook("init", "memory")
    hook(casebook, "PreToolUse")
    hook(casebook, "PostToolUseFailure", error="Exit code 2\nmake: *** No rule to make target deploy")
    said = json.loads(casebook(*REPORT, *at(timedelta(minutes=minutes))).out)
    assert said["new"] is new
    assert bool([each for each in said["warnings"] if "a hook has told of this call" in each]) is not new
    stats = json.loads(casebook("stats", "--json", *at(timedelta(hours=1))).out)
    assert stats["errors"] == errors


@pytest.mark.parametrize(
    "other", [("--tool", "shell", "--arg", "command=make test"), ("--tool", "deploy", "--arg", "command=make deploy")]
)
def test_another_call_is_not_the_hook_s(casebook: Run, here: Path, other: tuple[str, ...]) -> None:
    casebook("init", "memory")
    hook(casebook, "PostToolUseFailure", error="Exit code 2")
    assert json.loads(casebook("after-task", "--error", "exit 2", "--message", "no", *other, "--again", *at()).out)[
        "new"
    ]


@pytest.mark.parametrize(
    ("by", "told"),
    [((), "48h or until its session ends, then L2"), (("--by", "agent"), "longer only where it is told twice by then")],
)
def test_how_long_what_is_for_a_session_is_kept_is_told(
    casebook: Run, memory: Path, by: tuple[str, ...], told: str
) -> None:
    assert told in casebook("remember", "The staging cluster has three nodes", *by, *at()).out


def test_where_the_policy_keeps_it_for_longer_that_is_told(casebook: Run, memory: Path) -> None:
    with (memory / "memory-policy.yaml").open("a", encoding="utf-8") as policy:
        policy.write("tiers:\n  short: 12h\nrules:\n  distil: reused >= 5\n")
    assert (
        "L1, 12h or until its session ends, longer only"
        in casebook("remember", "The staging cluster has three nodes", *at()).out
    )
