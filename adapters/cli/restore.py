"""`casebook restore`: archived cases back in service, as they were."""

from __future__ import annotations

from argparse import Namespace

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser
from casebook.adapters.cli.place import store_of


def arguments(parser: Parser) -> None:
    """Add the ids."""
    parser.add_argument("ids", metavar="ID", nargs="+", help="the cases")


def run(options: Namespace) -> int:
    """Restore the cases, one after another, up to the first that cannot be."""
    store = store_of(options)
    ids = list(dict.fromkeys(options.ids))
    for case_id in ids:
        store.restore(case_id)
        if not options.json:
            loaded = store.snapshot().cases.get(case_id)
            output.line(f"restored {case_id}" + (f" {loaded.where}" if loaded else ""))
    if options.json:
        output.data({"restored": ids})
    return 0
