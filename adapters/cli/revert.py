"""`casebook revert`: an earlier text of a case brought back, in its place."""

from __future__ import annotations

from argparse import Namespace

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser
from casebook.adapters.cli.desk import because_argument, by_argument, desk

EPILOG = """\
`casebook history ID` tells the versions. `casebook review undo` takes a revert back.

example:
  casebook revert case_001 3f2a"""


def arguments(parser: Parser) -> None:
    """Add the id and the version."""
    parser.add_argument("id", metavar="ID", help="the case")
    parser.add_argument("version", metavar="VERSION", help="the version, or its first four characters or more")
    because_argument(parser)
    by_argument(parser)


def run(options: Namespace) -> int:
    """Bring the text back."""
    from casebook.runtime.review.history import revert

    with desk(options, judges=True) as review:
        done = revert(review, options.id, options.version, because=options.because)
        loaded = review.case(options.id)
    if options.json:
        output.data(
            {
                "id": options.id,
                "changed": done is not None,
                "version": loaded.version if loaded is not None else None,
                "entry": done.entry.seq if done is not None else None,
            }
        )
    elif done is None:
        output.words(f"{options.id} says that already; nothing was changed")
    else:
        place = f" {output.flat(loaded.where)}" if loaded is not None else ""
        output.line(f"reverted {options.id} to {done.entry.body['version']} (#{done.entry.seq}){place}")
    return 0
