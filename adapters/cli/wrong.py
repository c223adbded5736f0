"""`casebook wrong`: somebody's word that a case is wrong; it goes to review, and advice is held back until then."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, as_argument
from casebook.adapters.cli.desk import because_argument, desk
from casebook.adapters.cli.memory_desk import memory_desk

if TYPE_CHECKING:
    from casebook.runtime.review.review import Review

EPILOG = """\
Advice becomes a draft until a person has looked at it. A case that blocks, or asks for confirmation, stays in force.

example:
  casebook wrong case_001 --because "the api takes seconds now\""""

_MEANWHILE = {
    "active": "it stays in force until a person has looked",
    "draft": "it is held back until a person has looked",
    "disabled": "it is muted, and stays so",
}


def arguments(parser: Parser) -> None:
    """Add the id and the reason."""
    parser.add_argument("id", metavar="ID", help="the case, or the memory")
    because_argument(parser)
    parser.add_argument(
        "--by", metavar="NAME", help="who says so; agent:NAME for an agent (the user of the operating system)"
    )


def run(options: Namespace) -> int:
    """Put the case to review."""
    from casebook.runtime.review.muting import wrong

    with memory_desk(options, options.id) as memories:
        if memories is not None and memories.case(options.id) is None:
            return _memory(options, memories)
    with desk(options) as review:
        done = wrong(review, options.id, because=options.because)
    after = done.after or done.before
    if options.json:
        output.data({"id": options.id, "status": after.case.status if after else None, "entry": done.entry.seq})
        return 0
    argument = as_argument(options.id)
    what = _MEANWHILE.get(after.case.status, _MEANWHILE["draft"]) if after is not None else _MEANWHILE["draft"]
    output.line(f"{options.id} waits for review (#{done.entry.seq}); {what}")
    output.words(
        f"`casebook review approve {argument}` if it is right, `casebook review edit {argument} …` or "
        f"`casebook review reject {argument}` if it is not; `casebook review undo {done.entry.seq}` takes this back"
    )
    return 0


def _memory(options: Namespace, review: Review) -> int:
    """Put a memory to review; it is not recalled until a person has looked."""
    from casebook.runtime.review.memories import wrong_memory

    entry = wrong_memory(review, options.id, because=options.because)
    if options.json:
        output.data({"id": options.id, "status": "to_judge", "entry": entry.seq})
        return 0
    argument = as_argument(options.id)
    output.line(f"{options.id} waits for review (#{entry.seq}); it is not recalled until a person has looked")
    output.words(
        f"`casebook review approve {argument}` archives it, `casebook review reject {argument}` keeps it as it was"
    )
    return 0
