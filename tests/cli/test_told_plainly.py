"""What commands say to people: one zone, nouns that fit their numbers, what was told, and no page of the design."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from casebook.adapters.cli.commands import COMMANDS
from casebook.adapters.cli.forget import noun_of
from casebook.adapters.cli.front import command_parser, overview
from casebook.schema import case_file_schema, memory_file_schema, policy_schema
from tests.cli.conftest import Run
from tests.docs.reading import ROOT

SAID = "I prefer tabs over spaces"


@pytest.mark.parametrize("name", COMMANDS)
def test_no_help_names_a_page_of_the_design(name: str) -> None:
    assert "DESIGN" not in command_parser(name).format_help()


def test_neither_do_the_overview_the_schemas_and_the_reference() -> None:
    told = [overview(), *(json.dumps(make()) for make in (case_file_schema, memory_file_schema, policy_schema))]
    assert not any("DESIGN" in each for each in (*told, (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")))


def test_times_of_memories_are_told_in_the_zone_of_the_policy(casebook: Run, memory: Path) -> None:
    (memory / "memory-policy.yaml").write_text("format: 1\ntimezone: Asia/Shanghai\n")
    (kept,) = json.loads(
        casebook("remember", SAID, "--user", "ann", "--expires-at", "2026-03-28T23:00", "--now", "2026-03-18T10:00", "--json").out
    )  # fmt: skip
    assert kept["expires_at"] == "2026-03-28T15:00:00.000+00:00"
    assert "2026-03-28 23:00 Asia/Shanghai" in casebook("list", "--memories").out
    casebook("archive", kept["id"], "--now", "2026-03-19T03:00")
    assert "archived 2026-03-19 03:00 Asia/Shanghai" in casebook("recall", "tabs", "--archive", "--user", "ann").out


def test_the_story_of_a_memory_is_told_in_the_zone_of_the_policy(casebook: Run, memory: Path) -> None:
    (memory / "memory-policy.yaml").write_text("format: 1\ntimezone: Asia/Shanghai\n")
    (kept,) = json.loads(
        casebook("remember", "The staging cluster has three nodes", "--by", "tool", "--now", "2026-03-18T10:00", "--json").out
    )  # fmt: skip
    casebook("remember", "The staging cluster has three nodes", "--by", "tool", "--now", "2026-03-18T11:00")
    casebook("edit", kept["id"], "pinned=true", "--now", "2026-03-18T12:00")
    casebook("maintain", "expire", "--now", "2026-03-21T09:00")
    told = casebook("why", kept["id"]).out
    assert "2026-03-21 09:00 Asia/Shanghai)" in told
    assert "+00:00" not in told


@pytest.mark.parametrize(
    ("name", "one", "several"),
    [("memories", "1 memory", "2 memories"), ("archive", "1 archived memory or case", "2 archived memories and cases")],
)
def test_counts_of_a_receipt_fit_their_nouns(name: str, one: str, several: str) -> None:
    assert (f"1 {noun_of(name)[0]}", f"2 {noun_of(name)[1]}") == (one, several)


def test_forget_says_what_it_counts(casebook: Run, memory: Path) -> None:
    casebook("remember", SAID, "--user", "ann")
    told = casebook("forget", "--user", "ann").out
    assert told.startswith("would forget: 1 memory, ")
    assert "1 line of the audit log" in told


@pytest.mark.parametrize("point", ["session_start", "task"])
def test_why_of_an_answer_names_the_memories_that_it_told(casebook: Run, memory: Path, point: str) -> None:
    (kept,) = json.loads(casebook("remember", SAID, "--user", "ann", "--json").out)
    task = ("--text", "tabs or spaces?") if point == "task" else ("--point", "session_start")
    answer = json.loads(casebook("before-task", *task, "--user", "ann", "--session", "s1").out)
    assert SAID in answer["prompt"]
    told = casebook("why", answer["activation"])
    assert f"memories that it told, as they stand today\n  {kept['id']}  {SAID} (preference, L3)\n" in told.out
    (found,) = json.loads(casebook("why", answer["activation"], "--json").out)["memories"]
    assert found == {"id": kept["id"], "text": SAID, "tier": "L3"}
    casebook("archive", kept["id"])
    assert f"{kept['id']}  it is in no tier any more" in casebook("why", answer["activation"]).out


def test_before_it_forgets_it_names_the_files_that_it_cannot_change(casebook: Run, memory: Path) -> None:
    (memory / "memory-policy.yaml").write_text("format: 1\ntimezone: Europe/Berlin\n")
    casebook("remember", "I live in Berlin", "--user", "ann")
    told = casebook("forget", "--text", "Berlin")
    assert told.code == 0
    assert "1 file that cannot be changed, named below" in told.out
    assert "would be left: memory-policy.yaml" in told.err
    assert casebook("forget", "--text", "Berlin", "--yes").code == 1


def test_what_somebody_said_of_a_memory_stands_where_it_is_judged_and_once_in_its_story(
    casebook: Run, memory: Path
) -> None:
    (kept,) = json.loads(casebook("remember", SAID, "--user", "ann", "--json").out)
    assert "it has not been told yet" in casebook("why", kept["id"]).out
    casebook("archive", kept["id"], "--because", "the project is over")
    assert casebook("why", kept["id"]).out.count("the project is over") == 1
    casebook("restore", kept["id"])
    casebook("wrong", kept["id"], "--by", "ann", "--because", "it is spaces")
    assert 'said by person:ann: "it is spaces"' in casebook("review").out


def test_an_id_of_nothing_may_have_been_a_memory_s(casebook: Run, memory: Path) -> None:
    assert "there is no case or memory 'nosuch'" in casebook("history", "nosuch").err
    assert "there is no case, memory or activation 'nosuch'" in casebook("why", "nosuch").err


def test_no_page_of_the_docs_sends_its_reader_to_the_design() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    assert [page.name for page in pages if "DESIGN" in page.read_text(encoding="utf-8")] == []
