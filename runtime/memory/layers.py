"""The casebooks that a runtime serves, as far as they hold memories: each has its own files, policy and journal."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from casebook.clock import Clock
from casebook.faults import CasebookError
from casebook.policy import Policy
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.opening import parts_of
from casebook.stores.folder import FolderStore
from casebook.stores.memory_store import MemoryStore
from casebook.stores.protocol import Store

USER = "user"
"""The name of the layer that is one user's, at home everywhere (`casebook.stores.layers.discover`)."""

JournalOf = Callable[[], Journal]


@dataclass(slots=True)
class Layer:
    """One casebook.

    Attributes:
        name: of the layer; empty for a single casebook.
        root: its folder.
        cases: its cases.
        memories: its memories.
        open_journal: opens its journal, or gives the one that is open.
        given: a policy instead of its own, or None.
    """

    name: str
    root: Path
    cases: FolderStore
    memories: MemoryStore
    open_journal: JournalOf
    given: Callable[[], Policy] | None = None
    _journal: Journal | None = field(default=None, repr=False)

    @property
    def is_users(self) -> bool:
        """Say whether it is the user's own: `~/.casebook`, or the layer that was found as such."""
        home = Path(os.path.expanduser("~"))  # noqa: PTH111 - Path.home() raises where there is no home
        return self.name == USER or self.root.resolve() == (home / ".casebook").resolve()

    @property
    def policy(self) -> Policy:
        """Give the policy that serves in it."""
        return self.given() if self.given is not None else self.cases.snapshot().policy

    @property
    def journal(self) -> Journal:
        """Give its journal, opened when it is first needed. Raises StoreError."""
        if self._journal is None:
            self._journal = self.open_journal()
        return self._journal

    @property
    def opened_journal(self) -> Journal | None:
        """Give its journal where it is open."""
        return self._journal


def layers_of(store: Store, clock: Clock, first: JournalOf, policy: Callable[[], Policy]) -> tuple[Layer, ...]:
    """Give the layers of a store that are folders, in its order; no memory of another layer has the id of one of the user's own.

    Args:
        store: the casebook, one or merged.
        clock: dates what the journals of further layers move aside.
        first: gives the journal of the first layer, which the runtime has open and closes itself.
        policy: gives the policy that serves, which is the first layer's.
    """
    found = tuple(_layers(store, clock, first, policy))
    own = next((each.memories for each in found if each.is_users), None)
    if own is not None:
        from casebook.stores.own_first import OwnFirst

        for each in found:
            if each.memories is not own:
                each.memories = OwnFirst(each.memories, own)
    return found


def _layers(store: Store, clock: Clock, first: JournalOf, policy: Callable[[], Policy]) -> Iterator[Layer]:
    from casebook.stores.memory_folder import FolderMemories

    for place, part in enumerate(parts_of(store)):
        if not isinstance(part, FolderStore):
            continue
        zone = part.snapshot().policy.timezone
        memories = FolderMemories(part.root, layer=part.layer, zone=zone, owners=part.owners)
        opens = first if place == 0 else _opening(part.root, clock)
        yield Layer(part.layer, part.root, part, memories, opens, policy if place == 0 else None)


def _opening(root: Path, clock: Clock) -> JournalOf:
    def opens() -> Journal:
        from casebook.runtime.journal.opening import open_journal

        return open_journal(root, clock)

    return opens


def close(layers: tuple[Layer, ...]) -> None:
    """Write and let go of the journals of further layers; the first one's is its runtime's."""
    for layer in layers[1:]:
        if (journal := layer.opened_journal) is not None:
            with suppress(CasebookError):
                journal.close()
