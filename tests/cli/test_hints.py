"""Who types what is nearly right is told what is: sessions, JSON in the place of a file, a user's memories."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.test_memory_commands import form, write

NOW = ("--now", "2026-03-18T10:00")
FIRES = {"examples": {"fires": [{"tool": "push"}]}}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("session-start", "before-task --point session_start"),
        ("session_start", "before-task --point session_start"),
        ("sesion-start", "before-task --point session_start"),
        ("session-end", "after-task --ended"),
        ("session", "before-task --point session_start"),
    ],
)
def test_a_session_is_begun_and_ended_by_commands_of_other_names(casebook: Run, typed: str, meant: str) -> None:
    found = casebook(typed)
    assert (found.code, meant in found.err) == (2, True)


def test_a_shell_begins_a_session_and_ends_it(casebook: Run, memory: Path) -> None:
    who = ("--session", "s1", "--user", "ann", *NOW)
    casebook("remember", "I prefer tabs over spaces", *who)
    started = json.loads(casebook("before-task", "--point", "session_start", *who).out)
    assert "I prefer tabs over spaces" in started["prompt"]
    ended = casebook("after-task", "--ended", "--dir", "memory", *who)
    assert [each["text"] for each in json.loads(ended.out)["remembered"]] == ["I prefer tabs over spaces"]
    assert ended.err == ""


@pytest.mark.parametrize(
    ("who", "told"),
    [
        (("--session", "s9", "--user", "ann"), 'no session "s9" of "ann" is known'),
        (("--session", "s1", "--user", "bob"), 'no session "s1" of "bob" is known'),
        (("--session", "s1"), 'no session "s1" without a user is known'),
        ((), "no session was named: none ends"),
    ],
)
def test_the_end_of_a_session_that_nobody_knows_is_told(
    casebook: Run, memory: Path, who: tuple[str, ...], told: str
) -> None:
    casebook("remember", "I prefer tabs over spaces", "--session", "s1", "--user", "ann", *NOW)
    found = casebook("after-task", "--ended", *who, *NOW)
    assert found.code == 0
    assert told in found.err


JSON = '{"text": "I prefer tabs over spaces"}'


@pytest.mark.parametrize(
    "arguments",
    [
        ("add", JSON), ("add", " [1]"), ("match", "--task", JSON), ("explain", "--task", JSON),
        ("before-task", "--task", JSON), ("after-task", "--outcome", JSON), ("remember", "--candidate", JSON),
        ("remember", JSON), ("replay", JSON), ("add", "[" + "1, " * 500 + "1]"),
    ],
)  # fmt: skip
def test_json_in_the_place_of_a_file_is_told_the_way_in(
    casebook: Run, memory: Path, arguments: tuple[str, ...]
) -> None:
    found = casebook(*arguments)
    assert (found.code, found.out) == (2, "")
    assert "got JSON itself" in found.err
    assert "echo" in found.err
    assert len(found.err) < 400


def test_words_that_only_begin_as_json_does_are_words(casebook: Run, memory: Path) -> None:
    assert casebook("remember", "[draft] I prefer tabs over spaces", "--user", "ann", *NOW).code == 0


@pytest.fixture
def several(memory: Path) -> Path:
    write(
        memory,
        form("a", "Ann prefers tabs", scope={"user": "ann"}),
        form("b", "Bob prefers spaces", scope={"user": "bob", "project": "shop"}),
        form("c", "Everybody drinks tea"),
        form("d", "The team meets at nine", scope={"team": "core"}),
    )
    return memory


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        (("--user", "ann"), ["a"]),
        (("--user", "ann", "--user", "bob"), ["a", "b"]),
        (("--user", "bob", "--project", "shop"), ["b"]),
        (("--user", "ann", "--project", "shop"), []),
        (("--team", "core"), ["d"]),
        (("--agent", "coder"), []),
        ((), ["a", "b", "c", "d"]),
    ],
)
def test_memories_are_listed_by_whose_they_are(
    casebook: Run, several: Path, filters: tuple[str, ...], ids: list[str]
) -> None:
    found = json.loads(casebook("list", "--memories", *filters, "--json").out)
    assert [each["id"] for each in found] == ids


def test_a_user_who_has_none_is_told_the_nearest_name(casebook: Run, several: Path) -> None:
    found = casebook("list", "--memories", "--user", "anne")
    assert (found.code, "did you mean --user ann?" in found.err) == (0, True)


def test_cases_are_listed_by_whose_they_are(casebook: Run, memory: Path) -> None:
    cases = [
        {"id": "hers", "trigger_conditions": ["tool is shell"], "correction": "x", "scope": {"user": "ann"}},
        {"id": "his", "trigger_conditions": ["tool is git"], "correction": "x", "scope": {"user": "bob"}},
    ]
    (memory / "long_term" / "theirs.json").write_text(json.dumps(cases), encoding="utf-8")
    assert [each["id"] for each in json.loads(casebook("list", "--user", "ann", "--json").out)] == ["hers"]


def test_match_names_the_cases_that_an_agent_here_would_be_told_of_for_who_it_works_for(
    casebook: Run, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("casebook.adapters.cli.scoped.identity_at", lambda _: {"user": "ann", "project": "my shop"})
    scoped = {
        "id": "of_ann",
        "trigger_conditions": ["tool is shell"],
        "correction": "Look first.",
        "scope": {"user": "ann"},
    }
    casebook("add", stdin=json.dumps(scoped))
    told = casebook("match", "--tool", "shell")
    assert told.out == "verdict: allow\n"
    assert "\nwith --user ann --project 'my shop', as a hook asks here, also: of_ann\n" in told.err
    assert "also:" not in casebook("match", "--tool", "shell", "--user", "ann").err
    assert "also:" not in casebook("match", "--tool", "shell", "--user", "bob").err
    assert "also:" not in casebook("match", "--tool", "other").err
    unseen = casebook("explain", "--tool", "shell", "--case", "of_ann")
    assert unseen.err.endswith("; an agent that works here asks with --user ann --project 'my shop')\n")


@pytest.mark.parametrize(
    "command",
    [
        lambda run: run("edit", "case_001", 'trigger_conditions=["tool is mail"]'),
        lambda run: run(
            "add", stdin=json.dumps({"id": "own", "trigger_conditions": ["tool is mail"], "correction": "x", **FIRES})
        ),
    ],
    ids=["edit", "add"],
)
def test_what_is_written_says_which_of_its_own_examples_does_not_hold(casebook: Run, memory: Path, command) -> None:
    casebook("edit", "case_001", f"examples={json.dumps(FIRES['examples'])}", 'trigger_conditions=["tool is push"]')
    told = command(casebook)
    assert told.code == 0
    assert (
        "examples.fires[0]: expected the case to fire on this task, but trigger_conditions[0] does not hold" in told.err
    )


def test_init_refuses_another_zone_than_the_policy_of_a_casebook_says_and_changes_nothing(
    casebook: Run, here: Path
) -> None:
    casebook("init", "--zone", "UTC")
    before = (here / "memory" / "memory-policy.yaml").read_bytes()
    told = casebook("init", "--zone", "Asia/Shanghai", "--language", "zh")
    assert told.code == 2
    assert told.err == (
        "casebook: init: memory is a casebook already, and its memory-policy.yaml says timezone: UTC, language: en; nothing was "
        "changed: write timezone: Asia/Shanghai, language: zh there\n"
    )
    assert (here / "memory" / "memory-policy.yaml").read_bytes() == before
    assert casebook("init", "--zone", "UTC").code == 0
