"""`casebook replay`: recorded tool calls through the whole loop, in a scratch casebook."""

from __future__ import annotations

from argparse import Namespace

from casebook.adapters.cli.arguments import Parser


def arguments(parser: Parser) -> None:
    """Add the record."""
    parser.add_argument("file", metavar="FILE", help="recorded tool calls, a JSON object a line; - reads them from stdin")


def run(_: Namespace) -> int:
    """Print the figures."""
    return 0
