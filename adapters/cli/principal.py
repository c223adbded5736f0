"""Who speaks, or asks, on a command line that is about memories."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from casebook.adapters.cli.arguments import Parser

_HELP = {
    "user": "who speaks or asks", "project": "in which project", "agent": "which agent", "session": "in which session",
}  # fmt: skip


def principal_arguments(parser: Parser) -> None:
    """Add `--user --project --agent --session --team`."""
    group = parser.add_argument_group("who")
    for name, told in _HELP.items():
        group.add_argument(f"--{name}", metavar=name.upper(), help=told)
    group.add_argument("--team", metavar="TEAM", action="append", help="a team of the user; may be repeated")


def principal_of(options: Namespace) -> dict[str, Any]:
    """Give what was said of who speaks or asks, by name; what was not said is left out."""
    named: dict[str, Any] = {name: value for name in _HELP if (value := getattr(options, name)) is not None}
    if options.team:
        named["team"] = tuple(options.team)
    return named
