"""What was told of a memory that went into another counts for the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from casebook.memory_facts import Telling
from casebook.stores.memory_store import MemorySnapshot


def with_merged(tellings: Mapping[str, Sequence[Telling]], memories: MemorySnapshot) -> Mapping[str, Sequence[Telling]]:
    """Give the tellings of each memory together with those of the memories that went into it, in order of time.

    Args:
        tellings: by memory id, as the journal has them.
        memories: as they stand; one that went into another and stands again counts for itself alone.
    """
    joined: dict[str, Sequence[Telling]] = dict(tellings)
    for placed in memories.memories.values():
        memory = placed.memory
        gone = [each for each in memory.merged if each not in memories.memories and each in tellings]
        if gone:
            told = [*tellings.get(memory.id, ()), *(telling for each in gone for telling in tellings[each])]
            joined[memory.id] = tuple(sorted(told, key=lambda each: each.at))
    return joined
