"""What a person brings back from the archive: it stays as something that is used does, never loses its words to another, and says how it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

LEARNING = "我最近在学 RAG"
SAID = ("remember", LEARNING, "--user", "ann", "--session", "s1")


def _tier(casebook: Run, name: str) -> str:
    told = casebook("--json", "show", name)
    return str(json.loads(told.out)["tier"]) if told.code == 0 else "nowhere"


def _made(casebook: Run, *arguments: str) -> str:
    told = casebook(*arguments)
    assert told.code == 0, told.err
    return told.out.split()[1].rstrip(":")


@pytest.mark.parametrize(
    ("later", "stands"),
    [
        ("2026-06-09T08:59", "L2"),  # eight days later, when its grace as what aged would be over
        ("2026-07-01T09:00", "L2"),  # thirty days after it came to L2, its ttl
        ("2026-07-01T09:01", "L1"),
    ],
)
def test_what_aged_and_was_brought_back_has_its_time_anew(casebook: Run, memory: Path, later: str, stands: str) -> None:
    assert memory.exists()
    name = _made(casebook, *SAID, "--now", "2026-03-02T09:00")
    casebook("maintain", "age", "--now", "2026-05-01T09:00")
    casebook("maintain", "expire", "--now", "2026-05-09T09:00")
    assert _tier(casebook, name) == "nowhere"
    assert casebook("restore", name, "--by", "ann", "--now", "2026-06-01T08:00").code == 0
    told = casebook("maintain", "expire", "--now", "2026-06-01T09:00").out
    assert "a person brought it back from the archive" in told
    casebook("maintain", "expire", "age", "--now", later)
    assert _tier(casebook, name) == stands


@pytest.mark.parametrize(("by", "stands"), [("ann", "L2"), ("agent:helper", "nowhere")])
def test_what_a_session_left_and_a_person_brought_back_is_kept(
    casebook: Run, memory: Path, by: str, stands: str
) -> None:
    assert memory.exists()
    said = ("remember", "The staging cluster has three nodes.", "--by", "tool", "--project", "shop", "--session", "s1")
    name = _made(casebook, *said, "--now", "2026-03-02T09:00")
    casebook("maintain", "expire", "--now", "2026-03-05T09:00")
    assert casebook("restore", name, "--by", by, "--now", "2026-03-06T09:00").code == 0
    casebook("maintain", "expire", "--now", "2026-03-08T09:00")
    assert _tier(casebook, name) == "L1"
    casebook("maintain", "expire", "--now", "2026-03-08T09:02")
    assert _tier(casebook, name) == stands


def _twice(casebook: Run) -> tuple[str, str]:
    """Say something, archive it, and say the same again, which makes the same id; give it and the word of the archiving."""
    name = _made(casebook, *SAID, "--now", "2026-03-02T09:00")
    assert casebook("edit", name, 'tags=["first"]', "--now", "2026-03-03T09:00").code == 0
    casebook("archive", name, "--now", "2026-04-02T09:00")
    lines = json.loads(casebook("--json", "review", "log").out)
    (entry,) = (str(each["entry"]) for each in lines if each["action"] == "archive")
    assert _made(casebook, *SAID, "--now", "2026-05-02T09:00") == name
    return name, entry


@pytest.mark.parametrize("by", ["restore", "review undo"])
def test_the_former_one_of_a_reused_id_comes_back_beside_the_new_one(casebook: Run, memory: Path, by: str) -> None:
    assert memory.exists()
    name, entry = _twice(casebook)
    told = casebook("restore", name) if by == "restore" else casebook("review", "undo", entry)
    assert told.code == 0, told.err
    assert f"{name}-2, for {name} is another memory's by now" in told.out
    assert json.loads(casebook("--json", "show", f"{name}-2").out)["tags"] == ["first"]
    assert "tags" not in json.loads(casebook("--json", "show", name).out)
    again = casebook("restore", name)
    assert f"{name}-2 stands in" in again.err
    assert _tier(casebook, f"{name}-3") == "nowhere"


def test_undoing_a_pin_says_that_the_memory_has_moved_since_and_how_to_move_it(casebook: Run, memory: Path) -> None:
    assert memory.exists()
    name = _made(casebook, *SAID, "--now", "2026-03-02T09:00")
    casebook("edit", name, "pinned=true", "--now", "2026-03-02T10:00")
    casebook("maintain", "promote", "--now", "2026-03-02T11:00")
    assert _tier(casebook, name) == "L3"
    told = casebook("review", "undo")
    move = f"casebook edit {name} tier=L2"
    assert f"it is as it was before, but in L3, where it was moved since; `{move}` moves it to L2" in told.out
    assert casebook(*move.split()[1:]).code == 0
    assert _tier(casebook, name) == "L2"


def test_undoing_a_pin_at_once_leaves_it_as_it_was(casebook: Run, memory: Path) -> None:
    assert memory.exists()
    name = _made(casebook, *SAID)
    casebook("edit", name, "pinned=true")
    assert "; it is as it was before (#" in casebook("review", "undo").out


def test_what_is_archived_or_purged_is_said_to_be(casebook: Run, memory: Path) -> None:
    assert memory.exists()
    name = _made(casebook, *SAID, "--now", "2026-03-02T09:00")
    for one in (name, "case_001"):
        assert casebook("archive", one, "--now", "2026-03-03T09:00").code == 0
        again = casebook("archive", one)
        assert again.code == 2
        assert f"{one} is in the archive already; `casebook restore {one}` brings it back" in again.err
    assert casebook("purge", "--before", "2026-04-01", "--yes").code == 0
    for one in (name, "case_001"):
        gone = casebook("restore", one)
        assert gone.code == 2
        assert "what was purged or forgotten is gone for good" in gone.err
