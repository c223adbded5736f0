"""`casebook restore`: archived cases back in service, as they were."""

from __future__ import annotations

from argparse import Namespace

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser
from casebook.adapters.cli.desk import actor_of, doer_argument, journaled, taken_back
from casebook.adapters.cli.place import store_of


def arguments(parser: Parser) -> None:
    """Add the ids."""
    parser.add_argument("ids", metavar="ID", nargs="+", help="the cases")
    doer_argument(parser)


def run(options: Namespace) -> int:
    """Restore the cases, one after another, up to the first that cannot be; one that serves already is left as it is."""
    actor_of(options)  # a name that is none is refused before anything is written
    store = store_of(options)
    restored = []
    for case_id in dict.fromkeys(options.ids):
        before = store.snapshot().cases.get(case_id)
        store.restore(case_id)
        loaded = store.snapshot().cases.get(case_id)
        if before is not None and loaded == before:
            output.words(f"{case_id} serves already, at {output.flat(before.where)}; nothing was changed")
            continue
        restored.append(case_id)
        entry = journaled(options, "restore", [(None, loaded)]).get(case_id)
        if not options.json:
            place = f" {output.flat(loaded.where)}" if loaded else ""
            output.line(f"restored {case_id}{place}{taken_back(entry)}")
    if options.json:
        output.data({"restored": restored})
    return 0
