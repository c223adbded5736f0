"""`casebook mute`: a case silenced by a person, whatever its effect, until it is let speak again."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, as_argument
from casebook.adapters.cli.desk import because_argument, by_argument, desk, taken_back
from casebook.adapters.cli.memory_desk import memory_desk
from casebook.adapters.cli.silence import silence_of_case, silence_of_memory

if TYPE_CHECKING:
    from casebook.runtime.review.review import Review

EPILOG = """\
A muted case has the status `disabled`; its text stays as it is, and the audit log says who muted it and why.

examples:
  casebook mute case_001 --because "the rule is for the old shop"
  casebook mute case_001 --undo"""


def arguments(parser: Parser) -> None:
    """Add the id, and which way."""
    parser.add_argument("id", metavar="ID", help="the case, or the memory")
    parser.add_argument("--undo", action="store_true", help="let it speak again, with the status that it had")
    because_argument(parser)
    by_argument(parser)


def run(options: Namespace) -> int:
    """Silence the case, or let it speak again."""
    from casebook.runtime.review.muting import mute, unmute

    with memory_desk(options, options.id, judges=True) as memories:
        if memories is not None and memories.case(options.id) is None:
            return _memory(options, memories)
    with desk(options, judges=True) as review:
        done = (unmute if options.undo else mute)(review, options.id, because=options.because)
        loaded, now = review.case(options.id), review.clock()
    status = loaded.case.status if loaded is not None else ""
    if options.json:
        output.data(
            {
                "id": options.id,
                "status": status,
                "changed": done is not None,
                "entry": done.entry.seq if done is not None else None,
            }
        )
    elif done is None:
        output.words(f"{options.id} {'is not muted' if options.undo else 'is muted already'}; nothing was changed")
    elif options.undo:
        output.line(f"{options.id} may speak again: {status} (#{done.entry.seq})")
        if loaded is not None and (silence := silence_of_case(loaded, now)):
            output.words(output.flat(f"warning: {silence}"))
    else:
        output.line(
            f"muted {options.id} (#{done.entry.seq}); `casebook mute --undo {as_argument(options.id)}` lets it speak again"
        )
    return 0


def _memory(options: Namespace, review: Review) -> int:
    """Silence a memory, or let it be recalled again."""
    from casebook.runtime.review.memories import set_status

    placed, entry = set_status(review, options.id, muted=not options.undo, because=options.because)
    status, number = placed.memory.status, entry.seq if entry is not None else None
    if options.json:
        output.data({"id": options.id, "status": status, "changed": entry is not None, "entry": number})
    elif entry is None:
        output.words(f"{options.id} {'is not muted' if options.undo else 'is muted already'}; nothing was changed")
    else:
        output.line(f"{'may be recalled again' if options.undo else 'muted'}: {options.id}{taken_back(number)}")
    silence = silence_of_memory(placed.memory, review.clock(), review.store.snapshot().policy.timezone)
    if options.undo and silence:
        output.words(output.flat(f"warning: {silence}"))
    return 0
