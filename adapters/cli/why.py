"""`casebook why`."""

from __future__ import annotations

from argparse import Namespace

from casebook.adapters.cli.arguments import Parser, UsageError


def arguments(parser: Parser) -> None:
    """Add the id."""
    parser.add_argument("id", metavar="ID", nargs="?", help="the case")


def run(options: Namespace) -> int:
    """Say that it is not here yet."""
    raise UsageError("why: not here yet" + (f" ({options.id})" if options.id else ""))
