"""What was told of a memory that went into another counts for the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from casebook.memory import Memory
from casebook.memory_facts import Telling
from casebook.stores.memory_store import Placed


def told_together(
    memory: Memory, tellings: Mapping[str, Sequence[Telling]], memories: Mapping[str, Placed]
) -> Sequence[Telling]:
    """Give the tellings of a memory together with those of the memories that went into it, in order of time.

    Args:
        memory: the memory.
        tellings: by memory id, as the journal has them.
        memories: as they stand; one that went into another and stands again counts for itself alone.
    """
    own = tellings.get(memory.id, ())
    gone = [each for each in memory.merged if each not in memories and each in tellings]
    if not gone:
        return own
    told = [*own, *(telling for each in gone for telling in tellings[each])]
    return tuple(sorted(told, key=lambda each: each.at))
