"""`casebook restore`: archived cases and memories back in service, as they were."""

from __future__ import annotations

from argparse import Namespace

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser
from casebook.adapters.cli.desk import actor_of, doer_argument, journaled, taken_back
from casebook.adapters.cli.memory_desk import memory_desk
from casebook.adapters.cli.place import clock_of, roots, store_of
from casebook.adapters.cli.silence import silence_of_case, silence_of_memory
from casebook.faults import NotFoundError


def arguments(parser: Parser) -> None:
    """Add the ids."""
    parser.add_argument("ids", metavar="ID", nargs="+", help="the cases, or memories")
    doer_argument(parser)


def run(options: Namespace) -> int:
    """Restore the cases, one after another, up to the first that cannot be; one that serves already is left as it is."""
    actor_of(options)  # a name that is none is refused before anything is written
    store, now = store_of(options), clock_of(options, roots(options))()
    restored = []
    for case_id in dict.fromkeys(options.ids):
        before = store.snapshot().cases.get(case_id)
        try:
            store.restore(case_id)
        except NotFoundError as error:
            memory_id = _memory(options, case_id)
            if memory_id is None:
                raise NotFoundError(f"{error}; what was purged or forgotten is gone for good") from None
            restored.append(memory_id)
            continue
        loaded = store.snapshot().cases.get(case_id)
        if before is not None and loaded == before:
            output.words(f"{case_id} serves already, at {output.flat(before.where)}; nothing was changed")
            _warn(silence_of_case(before, now))
            continue
        restored.append(case_id)
        entry = journaled(options, "restore", [(None, loaded)]).get(case_id)
        if not options.json:
            place = f" {output.flat(loaded.where)}" if loaded else ""
            output.line(f"restored {case_id}{place}{taken_back(entry)}")
        _warn(silence_of_case(loaded, now) if loaded else "")
    if options.json:
        output.data({"restored": restored})
    return 0


def _memory(options: Namespace, memory_id: str) -> str | None:
    """Restore a memory; give the id under which it stands, or None where there is none of this id."""
    from casebook.runtime.review.memories import restore_memory

    with memory_desk(options, memory_id) as review:
        if review is None:
            return None
        placed, entry = restore_memory(review, memory_id)
        silence = silence_of_memory(placed.memory, review.clock(), review.store.snapshot().policy.timezone)
    if entry is None:
        output.words(f"{placed.memory.id} stands in {output.flat(placed.path)} already; nothing was changed")
    elif not options.json:
        name = placed.memory.id
        was = f"{name}, for {memory_id} is another memory's by now:" if name != memory_id else name
        output.line(f"restored {was} {output.flat(placed.path)}{taken_back(entry.seq)}")
    _warn(silence)
    return placed.memory.id


def _warn(silence: str) -> None:
    """Say that what was brought back says nothing all the same."""
    if silence:
        output.words(output.flat(f"warning: {silence}"))
