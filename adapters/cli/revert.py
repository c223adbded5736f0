"""`casebook revert`: an earlier text of a case, or of a memory, brought back, in its place."""

from __future__ import annotations

from argparse import Namespace

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser
from casebook.adapters.cli.desk import because_argument, by_argument, desk

EPILOG = """\
`casebook history ID` tells the versions. A memory keeps its tier. `casebook review undo` takes a revert back.

example:
  casebook revert case_001 3f2a"""


def arguments(parser: Parser) -> None:
    """Add the id and the version."""
    parser.add_argument("id", metavar="ID", help="the case, or the memory")
    parser.add_argument("version", metavar="VERSION", help="the version, or its first four characters or more")
    because_argument(parser)
    by_argument(parser)


def run(options: Namespace) -> int:
    """Bring the text back."""
    from casebook.runtime.review.history import revert

    with desk(options) as review:
        is_case = review.case(options.id) is not None or bool(review.journal.versions(options.id))
    if not is_case and _memory(options):
        return 0
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


def _memory(options: Namespace) -> bool:
    """Bring back what a memory said; say whether there is one of this id."""
    from casebook.adapters.cli.memory_desk import memory_desk
    from casebook.runtime.review.memory_history import revert_memory, version_of

    with memory_desk(options, options.id, judges=True) as review:
        if review is None:
            return False
        entry = revert_memory(review, options.id, options.version, because=options.because)
        placed = review.memory(options.id)
    version = version_of(placed.memory.to_json()) if placed is not None else None
    if options.json:
        number = entry.seq if entry is not None else None
        output.data({"id": options.id, "changed": entry is not None, "version": version, "entry": number})
    elif entry is None:
        output.words(f"{options.id} says that already; nothing was changed")
    else:
        place = f" {output.flat(placed.path)}" if placed is not None else ""
        output.line(f"reverted {options.id} to {version} (#{entry.seq}){place}")
    return True
