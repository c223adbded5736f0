"""`casebook schema`: the JSON Schema of a file of cases, of memories, or of the policy, for editors."""

from __future__ import annotations

from argparse import Namespace

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError
from casebook.faults import nearest

EPILOG = """\
examples:
  casebook schema > case.schema.json, then "$schema": "../../case.schema.json" in a file of cases
  casebook schema policy > policy.schema.json, then # yaml-language-server: $schema=policy.schema.json in memory-policy.yaml"""

_WHAT = ("cases", "memories", "policy")


def arguments(parser: Parser) -> None:
    """Add of what."""
    parser.add_argument("what", metavar="WHAT", nargs="?", default="cases", help="cases, memories or policy (cases)")


def run(options: Namespace) -> int:
    """Print the schema."""
    from casebook.schema import case_file_schema, memory_file_schema, policy_schema

    makers = dict(zip(_WHAT, (case_file_schema, memory_file_schema, policy_schema), strict=True))
    if options.what not in makers:
        near = nearest(options.what, _WHAT)
        hint = f"did you mean {near}?" if near else f"expected one of {', '.join(_WHAT)}"
        raise UsageError(f"schema: there is none of {options.what!r}; {hint}")
    output.data(makers[options.what]())
    return 0
