"""`casebook schema`: the JSON Schema of a file of cases, for editors."""

from __future__ import annotations

from argparse import Namespace

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser

EPILOG = """\
example:
  casebook schema > case.schema.json, then "$schema": "../../case.schema.json" in a file of cases"""


def arguments(_: Parser) -> None:
    """Add nothing: it takes no arguments of its own."""


def run(_: Namespace) -> int:
    """Print the schema."""
    from casebook.schema import case_file_schema

    output.data(case_file_schema())
    return 0
