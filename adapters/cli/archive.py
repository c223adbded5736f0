"""`casebook archive`: cases out of service, with their whole text kept."""

from __future__ import annotations

from argparse import Namespace

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, as_argument
from casebook.adapters.cli.desk import journaled
from casebook.adapters.cli.place import store_of
from casebook.adapters.cli.show import not_found

EPILOG = """\
example:
  casebook archive case_001 --reason "the job is gone\""""


def arguments(parser: Parser) -> None:
    """Add the ids and the reason."""
    parser.add_argument("ids", metavar="ID", nargs="+", help="the cases")
    parser.add_argument("--reason", metavar="TEXT", default="retired", help="why, kept beside them")


def run(options: Namespace) -> int:
    """Archive the cases; an unknown id among them, and none is."""
    store = store_of(options)
    snapshot = store.snapshot()
    for case_id in options.ids:
        if case_id not in snapshot.cases and all(fault.case != case_id for fault in snapshot.faults):
            raise not_found(case_id, snapshot)
    ids = list(dict.fromkeys(options.ids))
    for case_id in ids:
        store.archive(case_id, reason=options.reason)
        journaled(options, "archive", [(snapshot.cases.get(case_id), None)], reason=options.reason)
        if not options.json:
            output.line(f"archived {case_id}; `casebook restore {as_argument(case_id)}` brings it back")
    if options.json:
        output.data({"archived": ids})
    return 0
