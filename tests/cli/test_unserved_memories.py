"""A memory file that does not serve is told by every command that could have used it; nothing of it is passed over in silence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.test_memory_commands import form, write

NOW = ("--now", "2026-03-18T10:00")
SLIP = '{"format": 1,\n "memories": [\n  {"id": "build", "kind": "fact", "text": "The build runs on Bazel" "tier": "L2"}\n]}\n'
FILE = "medium_term/active_projects.json"
PLACE = f"{FILE}:3"


@pytest.fixture
def slipped(memory: Path) -> Path:
    """A casebook with one memory that serves, and a file in which a comma is missing."""
    write(memory, form("tabs", "I prefer tabs over spaces"), file="medium_term/user_prefs.json")
    (memory / FILE).write_text(SLIP, encoding="utf-8")
    return memory


@pytest.mark.parametrize(
    "arguments",
    [
        ("recall", "tabs or spaces"),
        ("recall", "bazel", "--json"),
        ("remember", "I prefer short answers", "--user", "ann"),
        ("maintain", "expire"),
        ("match", "--text", "tabs or spaces?"),
        ("show", "build"),
        ("edit", "build", "text=x"),
        ("archive", "build"),
        ("mute", "build"),
        ("wrong", "build"),
        ("restore", "build"),
        ("why", "build"),
    ],
)
def test_a_slip_in_a_file_is_told_on_stderr_with_its_line(
    casebook: Run, slipped: Path, arguments: tuple[str, ...]
) -> None:
    told = casebook(*arguments, *NOW).err
    assert PLACE in told
    assert "casebook check" in told or "expected" in told


@pytest.mark.parametrize("point", ["task", "session_start"])
def test_an_agent_is_told_it_with_its_answer(casebook: Run, slipped: Path, point: str) -> None:
    """As a fault of the cases is: by its line alone, since whose the memory was nobody knows."""
    found = json.loads(casebook("before-task", "--text", "tabs or spaces?", "--point", point, *NOW).out)
    assert [each["where"] for each in found["quarantined"]] == [PLACE]
    assert "Bazel" not in json.dumps(found)


def test_a_whole_casebook_tells_nothing(casebook: Run, memory: Path) -> None:
    write(memory, form("tabs", "I prefer tabs over spaces"))
    assert casebook("recall", "tabs", *NOW).err == ""
    assert json.loads(casebook("before-task", "--text", "tabs or spaces?", *NOW).out)["quarantined"] == []


def test_what_is_kept_beside_a_broken_file_says_so(casebook: Run, slipped: Path) -> None:
    said = ("remember", "We chose Postgres over MySQL because of JSONB", "--user", "ann", *NOW)
    found = casebook(*said)
    assert found.code == 0
    assert "medium_term/active_projects-2.json" in found.out
    assert f"warning: {FILE} does not serve: it is kept in medium_term/active_projects-2.json" in found.err
    (slipped / FILE).write_text(SLIP.replace('" "', '", "'), encoding="utf-8")
    again = casebook("remember", "The office is in Oslo, we chose it over Bergen", "--kind", "decision", *NOW)
    assert "does not serve" not in again.err


def test_another_sessions_file_is_told_to_nobody_but_who_checks(casebook: Run, slipped: Path) -> None:
    (slipped / FILE).unlink()
    casebook("remember", "The staging database is called shop_stage", "--session", "s1", "--user", "ann", *NOW)
    (file,) = (slipped / "short_term").glob("session_*.json")
    file.write_text(SLIP, encoding="utf-8")
    asked = ("recall", "staging database", *NOW)
    assert file.name not in casebook(*asked, "--session", "s2", "--user", "ann").err
    assert file.name not in casebook(*asked, "--session", "s1", "--user", "bob").err
    assert file.name in casebook("check").out


def test_its_own_session_is_told_its_file(casebook: Run, slipped: Path) -> None:
    (slipped / FILE).unlink()
    said = ("remember", "The staging database is called shop_stage", "--session", "s1", "--project", "shop", *NOW)
    casebook(*said)
    (file,) = (slipped / "short_term").glob("session_*.json")
    file.write_text(SLIP, encoding="utf-8")
    assert file.name in casebook("recall", "staging database", "--session", "s1", *NOW).err


def test_an_entry_that_is_none_is_shown_by_its_faults(casebook: Run, memory: Path) -> None:
    write(memory, form("tabs", "I prefer tabs over spaces", kind="preferance"))
    found = casebook("show", "tabs")
    assert found.code == 1
    assert "preference" in found.err
