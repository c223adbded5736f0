"""`casebook archive`: cases and memories out of service, with their whole text kept."""

from __future__ import annotations

from argparse import SUPPRESS, Namespace

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, as_argument
from casebook.adapters.cli.desk import actor_of, doer_argument, journaled, taken_back
from casebook.adapters.cli.memory_desk import memory_desk, memory_ids, memory_of, stores
from casebook.adapters.cli.place import roots, store_of
from casebook.adapters.cli.show import not_found
from casebook.faults import NotFoundError

EPILOG = """\
example:
  casebook archive case_001 --because "the job is gone\""""


def arguments(parser: Parser) -> None:
    """Add the ids and the reason."""
    parser.add_argument("ids", metavar="ID", nargs="+", help="the cases, or memories")
    parser.add_argument("--because", dest="reason", metavar="TEXT", default="retired", help="why, kept beside them")
    parser.add_argument("--reason", dest="reason", metavar="TEXT", default=SUPPRESS, help=SUPPRESS)  # as it was called
    doer_argument(parser)


def run(options: Namespace) -> int:
    """Archive the cases; an unknown id among them, and none is."""
    actor_of(options)  # a name that is none is refused before anything is written
    store = store_of(options)
    snapshot = store.snapshot()
    memories = set()
    for case_id in options.ids:
        if case_id not in snapshot.cases and all(fault.case != case_id for fault in snapshot.faults):
            if memory_of(options, case_id) is None:
                _refuse_archived(options, case_id)
                raise not_found(case_id, snapshot, memory_ids(options))
            memories.add(case_id)
    ids = list(dict.fromkeys(options.ids))
    for case_id in ids:
        if case_id in memories:
            _memory(options, case_id)
            continue
        store.archive(case_id, reason=options.reason)
        entry = journaled(options, "archive", [(snapshot.cases.get(case_id), None)], reason=options.reason).get(case_id)
        if not options.json:
            back = f"`casebook restore {as_argument(case_id)}` brings it back"
            output.line(f"archived {case_id}; {back}{taken_back(entry)}")
    if options.json:
        output.data({"archived": ids})
    return 0


def _refuse_archived(options: Namespace, name: str) -> None:
    """Raise NotFoundError for what is in the archive already."""
    from casebook.stores.archive import find

    is_memory = any(next(iter(each.archived(memory_id=name)), None) is not None for each in stores(options))
    if is_memory or any(find(each.path, name) is not None for each in roots(options)):
        raise NotFoundError(f"{name} is in the archive already; `casebook restore {as_argument(name)}` brings it back")


def _memory(options: Namespace, memory_id: str) -> None:
    """Archive a memory."""
    from casebook.runtime.review.memories import archive_memory

    with memory_desk(options, memory_id) as review:
        if review is None:  # gone meanwhile
            return
        entry = archive_memory(review, memory_id, reason=options.reason)
    if not options.json:
        output.line(
            f"archived {memory_id}; `casebook restore {as_argument(memory_id)}` brings it back{taken_back(entry.seq)}"
        )
