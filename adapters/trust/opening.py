"""From a place to a runtime: the casebooks around it that are the user's own or trusted, and what became of the others."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from casebook.adapters.trust.approved_folder import ApprovedFolder
from casebook.adapters.trust.folder_identity import user_number
from casebook.adapters.trust.standing import FoundPlace, found_places
from casebook.adapters.trust.waiting import sentence_of
from casebook.clock import Clock, system_clock
from casebook.runtime.matching.engines import EngineChoice, matcher
from casebook.runtime.runtime import Runtime
from casebook.stores.folder import FolderStore
from casebook.stores.layers import LayeredStore, discover
from casebook.stores.protocol import Snapshot, Store


@dataclass(frozen=True, slots=True)
class Opened:
    """The casebooks around a place.

    Attributes:
        places: all that were found, the nearest first; those that are not served were not opened.
        runtime: over those that are served; None where none is. Whoever has it closes it.
        start: where they were looked for.
        home: the user's home.
    """

    places: tuple[FoundPlace, ...]
    runtime: Runtime | None
    start: Path
    home: Path

    @property
    def untrusted(self) -> tuple[FoundPlace, ...]:
        """Give those that are not served; a host tells their `why` to its person, once."""
        return tuple(each for each in self.places if not each.is_served)

    def stands(self) -> bool:
        """Say whether the same casebooks would be opened now; else who keeps a runtime for long opens anew."""
        return found_places(self.start, self.home) == self.places

    def waiting(self) -> tuple[str, ...]:
        """Give what is served as less than it says because nobody has approved it, a sentence each; for `doctor` and hosts."""
        if self.runtime is None:
            return ()
        self.runtime.store.snapshot()
        stores = self.runtime.store.stores if isinstance(self.runtime.store, LayeredStore) else (self.runtime.store,)
        return tuple(
            sentence_of(each) for store in stores if isinstance(store, ApprovedFolder) for each in store.withheld
        )


def home_folder() -> Path:
    """Give the user's home, as `~` names it; where there is none, a path that leads nowhere."""
    return Path(os.path.expanduser("~"))  # noqa: PTH111 - Path.home() raises where there is no home


def open_found(
    start: Path, *, home: Path | None = None, clock: Clock = system_clock, engine: EngineChoice = "auto"
) -> Opened:
    """Open the casebooks that a host finds around a place, as far as they are the user's own or trusted.

    Args:
        start: the folder that the host's agent works in.
        home: the user's home (the one of `~`).
        clock: gives the present instant, aware.
        engine: the engine that matches.

    Raises:
        StoreError: one that is served cannot be read.
        EngineUnavailableError: the engine was named and is not here.
    """
    base = home if home is not None else home_folder()
    places = found_places(start, base)
    store = store_over(places, clock)
    runtime = Runtime(store, matcher(engine), clock) if store is not None else None
    return Opened(places, runtime, start, base)


def snapshots_behind(folder: Path, clock: Clock) -> tuple[Snapshot, ...]:
    """Give what a hook serves behind a project's casebook: the user's own, where there is one, and it is not this very folder.

    Args:
        folder: the project's casebook, its real path.
        clock: gives the present instant, aware.
    """
    own = own_behind(folder)
    return () if own is None else (FolderStore(own, clock=clock, cache=False).snapshot(),)


def own_behind(folder: Path) -> Path | None:
    """Give the user's own casebook that a hook serves behind a project's, whose real path is given; None where there is none."""
    own = next((path for layer, path in discover(folder, home_folder()) if layer == "user"), None)
    return None if own is None or os.path.realpath(own) == str(folder) else own


def store_over(places: tuple[FoundPlace, ...], clock: Clock) -> Store | None:
    """Give the store over those places that are served, the first wins; None where none is. Raises StoreError."""
    served = [each for each in places if each.is_served]
    named = len(served) > 1
    stores: list[Store] = []
    for place in reversed(served):  # from behind: a layer must not silence what blocks in those behind it
        layer = place.layer if named else ""
        if place.standing == "own":
            stores.insert(0, FolderStore(place.path, clock=clock, layer=layer, owners=frozenset({user_number()})))
        else:
            store = ApprovedFolder(place.path, clock=clock, layer=layer, others=stores, strangers=place.strangers)
            stores.insert(0, store)
    if not stores:
        return None
    return stores[0] if len(stores) == 1 else LayeredStore(stores)
