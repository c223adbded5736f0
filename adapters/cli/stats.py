"""`casebook stats`: figures of the journal, and for each case whether it helps."""

from __future__ import annotations

from argparse import Namespace

from casebook.adapters.cli.arguments import Parser


def arguments(parser: Parser) -> None:
    """Add how far back it looks."""
    parser.add_argument("--since", metavar="LENGTH", help="only what happened within this length, such as 30d (all)")


def run(_: Namespace) -> int:
    """Print the figures."""
    return 0
