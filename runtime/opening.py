"""From a location to a store, and the mode that the environment names."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from casebook.case import Mode
from casebook.clock import Clock
from casebook.faults import PolicyError, StoreError, nearest
from casebook.stores.protocol import Store

Location = str | os.PathLike[str]


def mode_from_environment() -> Mode | None:
    """Give the mode that `$CASEBOOK_MODE` names, or None. Raises PolicyError where it names none that is known."""
    value = os.environ.get("CASEBOOK_MODE") or None
    known: tuple[Mode, ...] = get_args(Mode)
    for mode in known:
        if value == mode:
            return mode
    if value is None:
        return None
    near = nearest(value, known)
    raise PolicyError(
        f"$CASEBOOK_MODE: expected one of {', '.join(known)}, got {value!r}"
        + (f"; did you mean {near}?" if near else "")
    )


def store_of(locations: Sequence[Location], clock: Clock) -> Store:
    """Give the store of one location, or of several as layers of which the first wins.

    Raises:
        StoreError: there is no casebook in one of them.
    """
    from casebook.stores.folder import FolderStore
    from casebook.stores.layers import LayeredStore

    if not locations:
        raise StoreError("expected a casebook folder, got an empty list of locations")
    stores: list[Store] = []
    layers: list[str] = []
    for location in locations:
        text = os.fspath(location)
        if "://" in text:
            raise StoreError(f"{text}: this release serves folders; expected the path of one")
        root = Path(text).expanduser()
        if not root.is_dir():
            cure = "it is a file" if root.exists() else f"there is nothing there; `casebook init {text}` makes one"
            raise StoreError(f"{text}: expected a casebook folder, but {cure}")
        layer = root.resolve().name or "root"
        layers.append(f"{layer}{len(layers) + 1}" if layer in layers else layer)
        stores.append(FolderStore(root, clock=clock, layer=layers[-1] if len(locations) > 1 else ""))
    return stores[0] if len(stores) == 1 else LayeredStore(stores)


def parts_of(store: Store) -> tuple[Store, ...]:
    """Give the layers of a store, the first wins; a single casebook is its only one."""
    from casebook.stores.layers import LayeredStore

    return store.stores if isinstance(store, LayeredStore) else (store,)


def layer_of(store: Store) -> str | None:
    """Give the name of the layer whose journal is the store's: the first one's, "" for a single casebook; None where it has none."""
    from casebook.stores.folder import FolderStore

    first = parts_of(store)[0]
    return first.layer if isinstance(first, FolderStore) else None


def folder_of(store: Store) -> Path | None:
    """Give the folder whose journal is the store's: its own, or that of the first layer; None where it has none."""
    from casebook.stores.folder import FolderStore

    first = parts_of(store)[0]
    return first.root if isinstance(first, FolderStore) else None


def folders_of(store: Store) -> tuple[Path, ...]:
    """Give the folders of a store: its own, or those of its layers; none where it has none."""
    from casebook.stores.folder import FolderStore

    return tuple(each.root for each in parts_of(store) if isinstance(each, FolderStore))
