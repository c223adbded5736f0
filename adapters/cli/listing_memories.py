"""`casebook list --memories`: the memories, one a line, filtered."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, get_args

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import UsageError
from casebook.adapters.cli.listing import is_of, nearest_owner
from casebook.adapters.cli.memory_desk import stores
from casebook.adapters.cli.place import clock_of, folder_store, roots
from casebook.faults import nearest

if TYPE_CHECKING:
    from datetime import datetime

    from casebook.stores.memory_store import Placed

_TEXT = 100
"""Columns of a text, where no terminal says how many there are; `--json` and `show` give it whole."""


def listed(options: Namespace) -> int:
    """List the memories of every layer; what does not serve is counted on stderr."""
    from casebook.kinds import KINDS
    from casebook.memory import MemoryStatus, Tier

    for option, given, known in (
        ("--tier", options.tier, get_args(Tier)), ("--kind", options.kind, KINDS),
        ("--status", options.status, get_args(MemoryStatus)),
    ):  # fmt: skip
        _refuse_unknown(option, given, known)
    places = roots(options)
    clock = clock_of(options, places)
    zone = folder_store(places[0], clock).snapshot().policy.timezone
    snapshots = [each.snapshot() for each in stores(options)]
    found: dict[str, Placed] = {}
    for snapshot in snapshots:
        for name, placed in snapshot.memories.items():
            found.setdefault(name, placed)
    chosen = [each for each in found.values() if _wanted(each, options)]
    if options.json:
        output.data([_form(each, clock(), zone) for each in chosen])
    else:
        if chosen:
            _print(chosen, clock(), zone)
        near = nearest_owner(options, [each.memory.scope for each in found.values()]) if not chosen else ""
        output.words(f"{output.counted(len(chosen), 'memory', 'memories')} of {len(found):,}{near}")
    faults = sum(len(each.faults) for each in snapshots)
    if faults:
        output.words(
            f"{output.counted(faults, 'fault')}: what they are about is not listed; `casebook check` tells them"
        )
    return 0


def _refuse_unknown(option: str, given: Sequence[str] | None, known: Sequence[str]) -> None:
    for each in given or ():
        if each not in known:
            near = nearest(each, known)
            raise UsageError(
                f"list: {option} {each}: "
                + (f"did you mean {near}?" if near else f"expected one of {', '.join(known)}")
            )


def _wanted(placed: Placed, options: Namespace) -> bool:
    memory = placed.memory
    return (
        (not options.tier or memory.tier in options.tier)
        and (not options.kind or memory.kind in options.kind)
        and (not options.status or memory.status in options.status)
        and (not options.layer or placed.layer in options.layer)
        and is_of(memory.scope, options)
        and (not options.tag or any(tag in memory.tags for tag in options.tag))
    )


def _form(placed: Placed, now: datetime, zone: str) -> dict[str, Any]:
    return {
        **placed.memory.to_json(),
        "expired": _is_expired(placed, now, zone),
        "path": placed.path,
        "layer": placed.layer or None,
    }


def _is_expired(placed: Placed, now: datetime, zone: str) -> bool:
    from casebook.memory_facts import expires

    end = expires(placed.memory, zone)
    return end is not None and end <= now


def _until(placed: Placed, zone: str) -> str:
    """Give from when on a memory is silent, as the clocks of the casebook's zone show it."""
    from casebook.memory_facts import expires
    from casebook.runtime.answer.seen import instant_words

    end = expires(placed.memory, zone)
    return "" if end is None else instant_words(end, zone)


def _print(chosen: Sequence[Placed], now: datetime, zone: str) -> None:
    """Print the table; columns in which nothing stands are left out."""
    columns: dict[str, list[str]] = {
        "id": [each.memory.id for each in chosen],
        "tier": [each.memory.tier for each in chosen],
        "kind": [each.memory.kind for each in chosen],
        "status": [each.memory.status + (", expired" if _is_expired(each, now, zone) else "") for each in chosen],
        "scope": [" ".join(f"{key}={name}" for key, name in each.memory.scope.named.items()) for each in chosen],
        "until": [_until(each, zone) for each in chosen],
        "layer": [each.layer for each in chosen],
        "text": [each.memory.text for each in chosen],
    }
    kept = {head: cells for head, cells in columns.items() if any(cells)}
    output.table(list(kept), zip(*kept.values(), strict=True), ("layer", "until", "scope", "status"), most=_TEXT)
