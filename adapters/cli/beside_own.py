"""The memories of a folder beside those of the user's own casebook, where commands look at folders and open no runtime."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from casebook.adapters.cli.place import Root

if TYPE_CHECKING:
    from casebook.stores.memory_store import MemoryStore


def beside_own(root: Root, memories: MemoryStore, places: Sequence[Root]) -> MemoryStore:
    """Give the memories of a folder without those that have the id of one of the user's own, each of which is a fault.

    Args:
        root: the folder.
        memories: its memories.
        places: all that serve together; where the user's own casebook is none of them, or the folder is that, nothing is left out.
    """
    own = next((each for each in places if _is_users(each)), None)
    if own is None or _is_users(root):
        return memories
    from casebook.stores.memory_folder import FolderMemories
    from casebook.stores.own_first import OwnFirst

    return OwnFirst(memories, FolderMemories(own.path, layer=own.layer))


def _is_users(root: Root) -> bool:
    from casebook.adapters.trust.opening import home_folder

    return root.path.resolve() == (home_folder() / ".casebook").resolve()
