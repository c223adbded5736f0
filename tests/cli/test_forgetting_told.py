"""What `casebook forget` tells before it does anything, and after: what goes, what is altered, what stays and why, and who forgot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

SHOP = ("--project", "shop", "--session", "s1")


@pytest.fixture
def two(casebook: Run, memory: Path) -> Run:
    """Give a casebook in which two users spoke in sessions of one id."""
    assert memory.exists()
    two = "The backup runs at night. Every release needs two approvals."
    assert casebook("remember", two, "--user", "bob", *SHOP).code == 0
    assert casebook("remember", "I like tea", "--user", "ann", *SHOP).code == 0
    return casebook


@pytest.mark.parametrize(("user", "goes", "stays"), [("ann", 1, 2), ("bob", 2, 1)])
def test_the_session_of_another_of_the_same_id_is_another_one(two: Run, user: str, goes: int, stays: int) -> None:
    dry = two("--json", "forget", "--user", user)
    (told,) = json.loads(dry.out)
    assert (told["taken"]["memories"], len(told["going"]), told["altered"]) == (goes, goes, [])
    assert two("forget", "--user", user, "--yes").code == 0
    (other,) = {"ann", "bob"} - {user}
    (left,) = json.loads(two("--json", "forget", "--user", other).out)
    assert len(left["going"]) == stays


@pytest.mark.parametrize(
    ("which", "lines"),
    [
        (("--user", "ann"), ["goes user ann I like tea"]),
        (("--text", "approvals"), ["goes project shop Every release needs two approvals."]),
        (
            ("--session", "s1"),
            [
                "goes project shop Every release needs two approvals.",
                "goes project shop The backup runs at night.",
                "goes user ann I like tea",
            ],
        ),
    ],
)
def test_a_dry_run_lists_what_would_go(two: Run, which: tuple[str, str], lines: list[str]) -> None:
    told = [each.split() for each in two("forget", *which).out.splitlines() if each.startswith("  ")]
    assert sorted(" ".join([how, *rest]) for how, _, *rest in told) == lines
    assert all(name.startswith("m-") for _, name, *_ in told)
    assert "  goes" not in two("forget", *which, "--yes").out


def test_many_are_listed_up_to_a_bound_and_counted(casebook: Run, memory: Path) -> None:
    texts = [
        {"id": f"m-{at:03}", "kind": "fact", "tier": "L3", "text": f"Fact {at}", "scope": {"user": "ann"}}
        for at in range(230)
    ]
    (memory / "long_term" / "facts.json").write_text(json.dumps({"format": 1, "memories": texts}))
    told = casebook("forget", "--user", "ann").out.splitlines()
    assert sum(each.startswith("  goes     m-") for each in told) == 20
    assert "  goes     … and 210 more; `--json` tells more" in told
    (form,) = json.loads(casebook("--json", "forget", "--user", "ann").out)
    assert (len(form["going"]), form["more"]) == (200, {"going": 30})


def test_a_name_that_is_a_word_stays_in_the_sentences_of_others_and_is_told(casebook: Run, memory: Path) -> None:
    said = "We will ship because customers wait; it will rain on Friday."
    made = casebook("remember", said, "--user", "bob", "--project", "shop")
    name = made.out.split()[1].rstrip(":")
    told_of = "The release of shop was approved by will and will be shipped."
    assert casebook("remember", told_of, "--user", "bob", "--project", "shop").code == 0
    assert casebook("remember", "I like tea", "--user", "will").code == 0
    dry = casebook("forget", "--user", "will")
    assert "  altered" in dry.out
    assert said not in dry.out
    done = casebook("forget", "--user", "will", "--yes")
    assert done.code == 0
    assert "hold the name as a word, and nobody may be meant" in done.err
    assert name in done.err
    texts = "".join(path.read_text("utf-8") for path in memory.rglob("*.json"))
    assert said in texts
    assert "approved by … and will be shipped" in texts
    assert '"user": "will"' not in texts


@pytest.mark.parametrize(("by", "named"), [("carol", "person:carol"), ("ann", "person:")])
def test_the_log_says_who_forgot_but_not_who_is_forgotten(two: Run, by: str, named: str) -> None:
    assert two("forget", "--user", "ann", "--yes", "--by", by).code == 0
    lines = json.loads(two("--json", "review", "log", "--all").out)
    assert named in {each["by"] for each in lines if each["action"] == "forget"}
    assert "ann" not in {each["by"].rpartition(":")[2] for each in lines}


def test_what_cannot_be_changed_is_not_called_forgotten(two: Run, memory: Path) -> None:
    (memory / "notes.txt").write_text("ann likes tea")
    told = two("forget", "--user", "ann", "--yes")
    assert told.code == 1
    assert told.out.splitlines()[0].endswith("; 1 file that cannot be changed, named below")
    assert "left: notes.txt" in told.err
