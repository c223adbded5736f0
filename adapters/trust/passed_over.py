"""Files of a served casebook that a hook passes over, since others could have written them; for `check` and `doctor`."""

from __future__ import annotations

from pathlib import Path

from casebook.adapters.trust.folder_identity import user_number
from casebook.adapters.trust.standing import FoundPlace
from casebook.faults import Fault
from casebook.stores.memory_folder import FolderMemories
from casebook.stores.policy_reading import POLICY_NAME
from casebook.stores.watching import Watch


def passed_over(place: FoundPlace) -> tuple[Fault, ...]:
    """Give a fault for each file or folder of which a hook uses nothing; none for a casebook of which it uses nothing at all.

    Args:
        place: how the casebook stands where a host finds it.
    """
    if not place.is_served:
        return ()
    owners = place.strangers | {user_number()}
    entries, _ = Watch(place.path, POLICY_NAME, owners).scan()
    found = [Fault(each.path, each.trouble or "") for each in entries if each.is_strange]
    return (
        *found,
        *(each for each in _of_memories(place.path, owners) if each.path not in {one.path for one in found}),
    )


def _of_memories(root: Path, owners: frozenset[int]) -> list[Fault]:
    told = set(FolderMemories(root).snapshot().faults)
    return [each for each in FolderMemories(root, owners=owners).snapshot().faults if each not in told]
