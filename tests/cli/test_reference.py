"""The reference and the help say what there is, and no more."""

from __future__ import annotations

import re
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from casebook.adapters.cli import front
from casebook.adapters.cli.commands import COMMANDS
from casebook.adapters.cli.main import main
from casebook.adapters.cli.reference import pages

ROOT = Path(__file__).parents[2]
THERE_ARE = """
demo init teach check match explain before-task after-task remember recall list show add edit archive restore history revert mute
wrong review why maintain schedule reconcile forget purge stats replay scan fmt schema intent
trust approve hook mcp serve setup install uninstall doctor
"""


def test_the_commands_are_those_that_exist_so_far() -> None:
    assert list(COMMANDS) == THERE_ARE.split()


def test_the_reference_is_current() -> None:
    """Make it anew by `python -m casebook.adapters.cli.reference > docs/cli.md`."""
    assert (ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == "\n".join(pages())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_documented_and_every_option_has_its_help(name: str) -> None:
    assert f"## casebook {name}\n" in (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    for action in front.command_parser(name)._actions:
        assert action.help, action


@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_of_a_command_s_help_parse(name: str) -> None:
    import shlex

    epilog = front.command_parser(name).epilog or ""
    for line in re.findall(r"^  casebook (.*)$", epilog, re.MULTILINE):
        for part in re.split(r"[;|>,]\s", line):
            words = shlex.split(part.strip().removeprefix("casebook "))
            if words[0] in COMMANDS:
                front.command_parser(words[0]).read(words[1:])


def test_the_console_scripts_are_this_command() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    assert set(scripts) == {"casebook", "casebook-runtime"}
    for target in scripts.values():
        module, _, name = target.partition(":")
        assert getattr(import_module(module), name) is main


def test_the_demo_ships_the_cases_of_the_examples() -> None:
    shipped, example = ROOT / "adapters/cli/data/demo", ROOT / "examples/demo"
    for path in ("memory-policy.yaml", "long_term/cases.json", "long_term/rules.json"):
        assert (shipped / path).read_bytes() == (example / path).read_bytes(), f"copy examples/demo/{path} over it"
