"""`casebook remember "forget …"`: the memories that may be meant are named with the commands that take them out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.mark.parametrize(
    ("known", "said"),
    [("我不吃香菜", "忘了我说的香菜"), ("It's tabs that I prefer", "Forget what I said about tabs")],
)
def test_it_names_what_may_be_meant_and_each_command_that_it_names_does_it(
    casebook: Run, memory: Path, known: str, said: str
) -> None:
    (kept,) = json.loads(casebook("remember", known, "--user", "ann", "--json").out)
    told = casebook("remember", said, "--user", "ann")
    assert (told.code, told.err) == (0, "")
    assert f"{kept['id']}  {known}" in told.out
    assert f"`casebook archive {kept['id']}` takes it out" in told.out
    (found,) = re.findall("`casebook forget --text (.*)` counts", told.out)
    assert found == (
        "'我不吃香菜'" if known == "我不吃香菜" else "'It'\"'\"'s tabs that I prefer'"
    )  # as a shell reads it
    assert casebook("archive", kept["id"]).code == 0
    assert casebook("restore", kept["id"]).code == 0
    assert casebook("forget", "--text", known, "--yes").code == 0
    assert "nothing is known of it" in casebook("recall", known, "--user", "ann").err


def test_everything_is_taken_out_by_the_name_of_the_user(casebook: Run, memory: Path) -> None:
    for number in range(7):
        casebook("remember", f"I like tea number {number}", "--user", "ann lee")
    told = casebook("remember", "Forget everything I told you", "--user", "ann lee").out
    assert "what may be meant, 7 memories:" in told
    assert "and 2 more: `casebook list --memories`" in told
    assert "`casebook forget --user 'ann lee'` counts" in told


def test_what_went_says_how_it_comes_back(casebook: Run, memory: Path) -> None:
    casebook("remember", "I prefer tabs", "--user", "ann")
    told = casebook("remember", "Forget that I prefer tabs", "--user", "ann").out
    (name,) = re.findall("`casebook restore (.*)` brings it back", told)
    assert casebook("restore", name).code == 0
