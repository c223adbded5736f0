"""What is brought back and stays silent all the same is told so, with what lets it speak."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.test_memory_commands import form, write

END = "2026-03-20T12:00:00+00:00"
BEFORE, AT, AFTER = ("2026-03-20T11:59:59Z", "2026-03-20T12:00:00Z", "2026-04-20T12:00:00Z")
CASE = {"id": "spoken", "trigger_conditions": ["tool is shell"], "correction": "Say it.", "expires_at": END}


def archived(casebook: Run, memory: Path) -> None:
    """Archive a memory and a case, both with an end."""
    write(memory, form("offer", "The offer of the shop is free shipping", expires_at=END))
    (memory / "long_term" / "more.json").write_text(json.dumps([CASE]), encoding="utf-8")
    for name in ("offer", "spoken"):
        assert casebook("archive", name, "--now", "2026-03-10T12:00").code == 0


@pytest.mark.parametrize("name", ["offer", "spoken"])
@pytest.mark.parametrize(("now", "is_silent"), [(BEFORE, False), (AT, True), (AFTER, True)])
def test_restored_after_its_end_it_is_said_to_stay_silent_and_the_cure_cures(
    casebook: Run, memory: Path, name: str, now: str, *, is_silent: bool
) -> None:
    archived(casebook, memory)
    found = casebook("restore", name, "--now", now)
    assert found.code == 0
    assert f"restored {name}" in found.out
    assert ("stays silent: its time was over at 2026-03-20" in found.err) == is_silent
    if is_silent:
        cure = f"casebook edit {name} --unset expires_at"
        assert cure in found.err
        assert casebook(*cure.split()[1:], "--now", now).code == 0
    if name == "offer":
        assert "offer" in casebook("recall", "what is the offer of the shop", "--now", now).out
    again = casebook("restore", name, "--now", now)
    assert "stays silent" not in again.err


@pytest.mark.parametrize("name", ["offer", "spoken"])
def test_what_stands_already_and_is_over_is_told_the_same(casebook: Run, memory: Path, name: str) -> None:
    archived(casebook, memory)
    casebook("restore", name, "--now", AFTER)
    again = casebook("restore", name, "--now", AFTER)
    assert "nothing was changed" in again.err
    assert "stays silent" in again.err


@pytest.mark.parametrize("name", ["offer", "spoken"])
@pytest.mark.parametrize(("now", "is_silent"), [(BEFORE, False), (AT, True)])
def test_let_speak_again_after_its_end_it_is_said_to_stay_silent(
    casebook: Run, memory: Path, name: str, now: str, *, is_silent: bool
) -> None:
    archived(casebook, memory)
    casebook("restore", name, "--now", BEFORE)
    casebook("mute", name, "--now", BEFORE)
    assert ("stays silent" in casebook("mute", "--undo", name, "--now", now).err) == is_silent


def test_a_muted_memory_that_is_restored_says_that_it_is_muted(casebook: Run, memory: Path) -> None:
    archived(casebook, memory)
    casebook("restore", "offer", "--now", BEFORE)
    casebook("mute", "offer", "--now", BEFORE)
    casebook("archive", "offer", "--now", BEFORE)
    found = casebook("restore", "offer", "--now", BEFORE)
    assert "`casebook mute --undo offer`" in found.err
