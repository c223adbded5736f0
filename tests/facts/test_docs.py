"""`docs/facts.md` says what the code does: its generated tables and every row of its table of commands."""

import re
from pathlib import Path

import pytest

from casebook.conditions.fields import FIELDS, GROUPS
from casebook.runtime.facts.calls import call_facts
from casebook.runtime.facts.tables import alias_table, intent_list

PAGE = (Path(__file__).parents[2] / "docs" / "facts.md").read_text(encoding="utf-8")
ROWS = re.findall(
    r"^\| (`.+`.*) \| (`.+`) \| (`.+`) \|$", PAGE.split("## Shell calls")[1].split("\n- ")[0], re.MULTILINE
)


def test_the_tables_are_those_of_the_data():
    assert alias_table() in PAGE
    assert intent_list() in PAGE


def test_every_field_is_explained():
    for name in [*FIELDS, *(f"session.{part}" for part in GROUPS["session"])]:
        assert re.search(rf"`[^`\n]*\b{re.escape(name)}\b[^`\n]*`", PAGE), name


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_table_of_commands_is_true(row):
    shown, told_actions, told_programs = row
    examples = [each.split("`, `[")[0].strip("`") for each in re.split(" · ", shown)]
    for example, actions, programs in zip(
        examples, told_actions.split(" · "), told_programs.split(" · "), strict=False
    ):
        seen = call_facts("Bash", {"command": example}, {})
        assert _several(seen["action"]) == re.findall("`(.+?)`", actions)
        assert _several(seen["program"]) == re.findall("`(.+?)`", programs)


def test_there_are_rows_to_check():
    assert len(ROWS) >= 9


def _several(value):
    return value if isinstance(value, list) else [value]
