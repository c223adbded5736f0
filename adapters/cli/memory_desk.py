"""The commands that take the id of a case, where it is the id of a memory: the desk of its layer, and how a memory is shown."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from casebook.adapters.cli import output
from casebook.adapters.cli.desk import desk, further
from casebook.adapters.cli.place import clock_of, roots

if TYPE_CHECKING:
    from casebook.faults import Fault
    from casebook.runtime.review.review import Review
    from casebook.stores.memory_store import MemoryStore, Placed


def stores(options: Namespace) -> list[MemoryStore]:
    """Give the memories of each layer, the first wins; what has the id of one of the user's own is left out, and a fault."""
    from casebook.adapters.cli.beside_own import beside_own
    from casebook.stores.memory_folder import FolderMemories

    places = roots(options)
    return [beside_own(each, FolderMemories(each.path, layer=each.layer), places) for each in places]


def memory_of(options: Namespace, memory_id: str) -> Placed | None:
    """Give a memory of the first layer that has it in a tier, or None; then what does not serve, and may be it, is told."""
    found = stores(options)
    for store in found:
        placed = store.snapshot().memories.get(memory_id)
        if placed is not None:
            return placed
    _tell_what_may_be(found, memory_id)
    return None


def faults_of(options: Namespace, memory_id: str) -> list[Fault]:
    """Give what is wrong with a memory of an id, at its place from where the person stands."""
    return [
        replace(fault, path=root.place(fault.path), layer="")
        for root, store in zip(roots(options), stores(options), strict=True)
        for fault in store.snapshot().faults
        if fault.case == memory_id
    ]


def tell_unserved(faults: Sequence[Fault]) -> None:
    """Tell on stderr what of the memories does not serve, as `match` tells of cases."""
    if faults:
        output.words(f"{output.counted(len(faults), 'fault')} in the memories; the rest serves:")
        output.several((f"  {fault}" for fault in faults), "`casebook check` tells all")


def _tell_what_may_be(found: Sequence[MemoryStore], memory_id: str) -> None:
    """Tell on stderr of what does not serve where a memory is not found that may stand there."""
    for store in found:
        snapshot = store.snapshot()
        named = [fault for fault in snapshot.faults if fault.case == memory_id]
        whole = [fault for fault in snapshot.faults if fault.path in snapshot.broken]
        tell_unserved(named or whole)


def memory_ids(options: Namespace) -> set[str]:
    """Give the ids of all memories, to find the nearest."""
    return {name for store in stores(options) for name in store.snapshot().memories}


@contextmanager
def memory_desk(options: Namespace, memory_id: str, *, judges: bool = False) -> Iterator[Review | None]:
    """Give the desk of the first layer that has a memory, in a tier, else in its archive; None where none has."""
    known = _layer(options, memory_id)
    if known is None:
        yield None
        return
    with desk(options, judges=judges) as first, further(options, judges=judges) as others:
        yield [first, *(review for _, review in others)][known]


def _layer(options: Namespace, memory_id: str) -> int | None:
    found = stores(options)
    for place, store in enumerate(found):
        if memory_id in store.snapshot().memories:
            return place
    for place, store in enumerate(found):
        if next(iter(store.archived(memory_id=memory_id)), None) is not None:
            return place
    _tell_what_may_be(found, memory_id)
    return None


def sheet(placed: Placed, options: Namespace) -> Iterator[str]:
    """Give the lines of a memory for a person: a head, then what is said, a name and its value each."""
    memory = placed.memory
    yield f"{memory.id}: {memory.kind}, {memory.tier}, {memory.status}"
    source = memory.source
    zone = _zone(options)
    rows = {
        "where": output.flat(f"{placed.layer}:{placed.path}" if placed.layer else placed.path),
        "text": memory.text,
        "reason": memory.reason,
        "alternatives": "\n".join(memory.alternatives),
        "exceptions": "\n".join(memory.exceptions),
        "scope": ", ".join(f"{key} {name}" for key, name in memory.scope.named.items()) or "everyone",
        "source": ", ".join(part for part in (source.by, source.session and f"session {source.session}") if part)
        if source
        else "",
        "created": _instant(memory.created_at, zone),
        "in its tier since": _instant(memory.tier_since, zone),
        "stays without use": str(memory.ttl or ""),
        "silent from": _instant(memory.expires_at, zone),
        "review after": memory.review_after or "",
        "pinned": "yes" if memory.pinned else "",
        "confirmed": "yes" if memory.confirmed else "",
        "merged from": ", ".join(memory.merged),
        "superseded by": memory.superseded_by or "",
        "tags": ", ".join(memory.tags),
        "rules": ", ".join(step.rule for step in memory.rule_chain),
        **{name: json.dumps(value, ensure_ascii=False) for name, value in memory.extra.items()},
    }
    margin = max(map(output.width, rows))
    for name, value in rows.items():
        if value:
            first, *rest = value.splitlines() or [""]
            yield f"  {name}{' ' * (margin - output.width(name))}  {output.flat(first)}"
            for line in rest:
                yield f"  {' ' * margin}  {output.flat(line)}"


def memory_json(placed: Placed) -> dict[str, Any]:
    """Give a memory for programs: as its file has it."""
    return placed.memory.to_json()


def _zone(options: Namespace) -> str:
    from casebook.adapters.cli.place import folder_store

    places = roots(options)
    return folder_store(places[0], clock_of(options, places)).snapshot().policy.timezone


def _instant(text: str | None, zone: str) -> str:
    """Give an instant as the clocks of a zone show it."""
    if text is None:
        return ""
    from casebook.instants import instant
    from casebook.runtime.answer.seen import instant_words

    return instant_words(instant(text, zone), zone)
