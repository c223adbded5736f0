"""Files say when something was last used: a floor for whoever reads them without the journal (DESIGN section 3).

The journal counts. A file is rewritten for it only where it falls behind by more than a week, so that neither people's editors
nor git see it change with every answer.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta

from casebook.faults import NotFoundError, StoreError
from casebook.instants import instant
from casebook.memory import UnfitMemoryError
from casebook.runtime.upkeep.facts import mirrored
from casebook.runtime.upkeep.protocol import Desk
from casebook.stores.memory_store import Change

BEHIND = timedelta(days=7)
"""How far a file may be behind the journal (ours)."""
CASES = 100
"""Cases whose files are rewritten in one run, those that are furthest behind (ours: each is a write of its file)."""
CHUNK = 500
"""Memories that are changed at once."""


def mirror_memories(desk: Desk, *, dry: bool = False) -> int:
    """Write counters and `last_used` of memories into their files where those are behind; give of how many.

    Raises:
        StoreError: the files cannot be written.
    """
    zone = desk.policy.timezone
    changes = []
    for placed in desk.each():
        memory, told = placed.memory, desk.told(placed.memory.id)
        if told and _is_behind(memory.last_used, told[-1].at, zone):
            fields = mirrored(memory, told, zone)
            if fields:
                with suppress(UnfitMemoryError):  # one of a newer format, whose file is left as it is
                    changes.append(Change(memory, memory.with_changes(**fields)))
    if dry:
        return len(changes)
    done = 0
    for at in range(0, len(changes), CHUNK):
        done += desk.store.change(changes[at : at + CHUNK], desk.now).count("done")
    return done


def mirror_cases(desk: Desk, *, dry: bool = False) -> int:
    """Write `last_triggered` of cases into their files where those are behind; give of how many. Somebody's edit goes before."""
    zone = desk.policy.timezone
    behind = []
    for loaded in desk.cases.snapshot().cases.values():
        last = desk.journal.fired(loaded.id).last
        if last is not None and _is_behind(loaded.case.last_triggered, last, zone):
            floor = loaded.case.last_triggered
            behind.append(
                (instant(floor, zone) if floor is not None else last.min.replace(tzinfo=last.tzinfo), loaded, last)
            )
    chosen = sorted(behind, key=lambda each: (each[0], each[1].id))[:CASES]
    if dry:
        return len(chosen)
    done = 0
    for _, loaded, last in chosen:
        with suppress(StoreError, NotFoundError):
            said = last.isoformat(timespec="seconds")
            desk.cases.edit(loaded.id, {"last_triggered": said}, if_version=loaded.version)
            done += 1
    return done


def _is_behind(floor: str | None, last: datetime, zone: str) -> bool:
    return floor is None or last - instant(floor, zone) > BEHIND
