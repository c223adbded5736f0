"""`casebook reconcile`: what upkeep has moved since a person last looked, to confirm or undo, move by move."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError
from casebook.adapters.cli.desk import actor_of, by_argument
from casebook.adapters.cli.place import opened
from casebook.faults import nearest

if TYPE_CHECKING:
    from casebook.runtime.upkeep.digest import Digest, Shown
    from casebook.runtime.upkeep.protocol import Desk

EPILOG = """\
To look is to have seen: what aged out of L2 goes to the archive after that (or after 7 days), and `restore` brings it back. A number
is that of the audit log; one of a further layer is written with its name, such as user#12.

examples:
  casebook reconcile
  casebook reconcile undo 12
  casebook reconcile confirm 13 14
  casebook reconcile confirm --all"""

_TRACES = frozenset({"error", "success"})
"""Kinds of what sessions leave of outcomes; the journal has them, whatever becomes of the files."""
_FEW = 3
"""So many of them in one job are told one by one."""

ACTIONS = ("list", "confirm", "undo")
_NUMBER = re.compile(r"(?:(?P<layer>[^#]*)#)?(?P<number>\d{1,9})\Z", re.ASCII)


def arguments(parser: Parser) -> None:
    """Add what is to be done, and to which moves."""
    parser.add_argument("action", metavar="ACTION", nargs="?", default="list", help="list, confirm or undo (list)")
    parser.add_argument("numbers", metavar="NUMBER", nargs="*", help="the moves, by their numbers")
    parser.add_argument("--all", action="store_true", help="confirm: all that is listed")
    parser.add_argument(
        "--peek", action="store_true", help="list: without having seen it, as far as upkeep is concerned"
    )
    by_argument(parser)


def run(options: Namespace) -> int:
    """Show, confirm or undo."""
    if options.action not in ACTIONS:
        near = nearest(options.action, ACTIONS)
        hint = f"; did you mean {near}?" if near else ""
        raise UsageError(f"reconcile: expected one of {', '.join(ACTIONS)}, got {options.action!r}{hint}")
    actor = actor_of(options, judges=True)
    if options.action == "list":
        if options.numbers or options.all:
            raise UsageError("reconcile list: expected nothing further")
        return _list(options, actor)
    if bool(options.numbers) == bool(options.all) or (options.all and options.action == "undo"):
        raise UsageError(
            f"reconcile {options.action}: expected numbers" + (", or --all" if options.action == "confirm" else "")
        )
    with opened(options) as runtime:
        desks = runtime.desks()
        return _confirm(options, desks, actor) if options.action == "confirm" else _undo(options, desks, actor)


def _list(options: Namespace, actor: str) -> int:
    from casebook.runtime.upkeep.digest import digest
    from casebook.runtime.upkeep.reconciling import show

    with opened(options) as runtime:
        desks = runtime.desks()
        shown = [digest(each.journal, patterns=each.policy.redact) for each in desks]
        if options.json:
            output.data(
                [
                    {**move.to_json(), "layer": each.layer or None}
                    for each, found in zip(desks, shown, strict=True)
                    for move in found.moves
                ]
            )
        else:
            for place, (each, found) in enumerate(zip(desks, shown, strict=True)):
                for line in _lines(each, found, first=place == 0):
                    output.line(line)
        if not options.peek:  # only now: what could not be printed was not seen
            output.flush()
            for each, found in zip(desks, shown, strict=True):
                show(each, actor, found)
    moves = sum(len(each.moves) for each in shown)
    if moves:
        output.words(
            f"{output.counted(moves, 'move')}: `casebook reconcile undo NUMBER` takes one back, `casebook reconcile confirm --all` confirms"
        )
    else:
        output.words("nothing was moved since you last confirmed")
    return 0


def _lines(desk: Desk, found: Digest, *, first: bool) -> Iterator[str]:
    """Give the moves of one casebook, by job."""
    from casebook.runtime.answer.seen import instant_words

    for job, moves in found.by_job.items():
        yield f"{job}" + (f" in {desk.layer}" if desk.layer else "")
        traces = [each for each in moves if each.what in _TRACES]
        for move in moves if len(traces) <= _FEW else [each for each in moves if each not in traces]:
            number = f"#{move.number}" if first else f"{desk.layer}#{move.number}"
            yield f"  {number}  {_way(move)}  {move.subject}  {output.one_line(move.text)}"
            yield f"      {move.rule}: {output.one_line(move.why)}; {instant_words(move.at, desk.policy.timezone)}"
        if len(traces) > _FEW:
            ways = ", ".join(sorted({_way(each) for each in traces}))
            yield f"  and {len(traces):,} errors and successes of sessions, {ways}; `--json` tells each"


def _way(move: Shown) -> str:
    return f"{move.before} → {move.after}" if move.before else move.kind


def _chosen(options: Namespace, desks: Sequence[Desk]) -> list[tuple[Desk, list[int]]]:
    """Give for each casebook the numbers that were named."""
    by_layer: dict[str, list[int]] = {}
    first = desks[0].layer
    for given in options.numbers:
        found = _NUMBER.match(given)
        layer = (found["layer"] or first) if found else ""
        if found is None or layer not in {each.layer for each in desks}:
            raise UsageError(f"reconcile {options.action}: expected the number of a move, such as 12, got {given!r}")
        by_layer.setdefault(layer, []).append(int(found["number"]))
    return [(each, by_layer[each.layer]) for each in desks if each.layer in by_layer]


def _confirm(options: Namespace, desks: Sequence[Desk], actor: str) -> int:
    from casebook.clock import fixed_clock
    from casebook.runtime.upkeep.reconciling import confirm

    chosen = [(each, None) for each in desks] if options.all else _chosen(options, desks)
    done = [
        number for each, numbers in chosen for number in confirm(each.journal, numbers, actor, fixed_clock(each.now))
    ]
    if options.json:
        output.data({"confirmed": done})
    else:
        output.line(f"confirmed {output.counted(len(done), 'move')}")
    return 0


def _undo(options: Namespace, desks: Sequence[Desk], actor: str) -> int:
    from casebook.runtime.upkeep.reconciling import undo

    told = []
    for each, numbers in _chosen(options, desks):
        for number in numbers:
            placed = undo(each, number, actor)
            told.append(
                {
                    "number": number,
                    "id": placed.memory.id if placed else None,
                    "tier": placed.memory.tier if placed else None,
                }
            )
            if not options.json:
                where = (
                    f"{placed.memory.id} is in {placed.memory.tier} again, {output.flat(placed.path)}"
                    if placed
                    else "the case is in service again"
                )
                output.line(f"undone: #{number}; {where}")
    if options.json:
        output.data({"undone": told})
    return 0
