"""Several casebooks as one, the first wins; and where a project's and a user's are found."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from casebook.case import Case, LoadedCase
from casebook.faults import Fault, NotFoundError, StoreError
from casebook.forking import guarded
from casebook.scope import Scope
from casebook.stores.assembling import cycles
from casebook.stores.policies import layered
from casebook.stores.policy_reading import POLICY_NAME
from casebook.stores.protocol import Snapshot, Store


class LayeredStore:
    """Stores merged, first wins: of equal ids the first layer's case serves, without a fault, for that is what layers are for.

    Of the policies the first that says something of a key wins (`casebook.stores.policies`). New cases go into the first layer; changes go to the layer of the case.

    Attributes:
        location: the layers' locations, joined by commas.
        stores: the layers, first wins.
    """

    def __init__(self, stores: Sequence[Store]) -> None:
        """Take one or more stores, or raise StoreError."""
        if not stores:
            raise StoreError("no casebook to open: expected one or more")
        self.stores = tuple(stores)
        self.location = ",".join(store.location for store in stores)
        self._lock = guarded(self, rank=1)
        self._parts: tuple[Snapshot, ...] = ()
        self._current: Snapshot | None = None

    def snapshot(self) -> Snapshot:
        """Give what serves now; the same object while no layer has changed."""
        with self._lock:
            parts = tuple(store.snapshot() for store in self.stores)
            current = self._current
            if current is not None and all(a is b for a, b in zip(parts, self._parts, strict=True)):
                return current
            cases, faults = _merged(parts)
            generation = 1 if current is None else current.generation + 1
            made = Snapshot(
                generation, MappingProxyType(cases), faults, layered([part.shared or part.policy for part in parts])
            )
            self._current, self._parts = made, parts
            return made

    def put(self, case: Case, *, file: str | None = None) -> None:
        """Add a case to the first layer, or replace the one of its id in the first layer that has it."""
        self._owner(case.id, self.stores[0]).put(case, file=file)

    def edit(
        self, case_id: str, changes: Mapping[str, Any], *, remove: Iterable[str] = (), if_version: str | None = None
    ) -> None:
        """Change fields of a case, in the first layer that has it. Raises StoreError, NotFoundError."""
        self._owner(case_id, self.stores[0]).edit(case_id, changes, remove=remove, if_version=if_version)

    def archive(self, case_id: str, *, reason: str = "retired") -> None:
        """Move a case to the archive of its layer. Raises StoreError, NotFoundError."""
        self._owner(case_id, self.stores[0]).archive(case_id, reason=reason)

    def restore(self, case_id: str) -> None:
        """Bring a case back from the first archive that has it. Raises StoreError, NotFoundError."""
        for store in self.stores:
            try:
                store.restore(case_id)
            except NotFoundError:
                continue
            return
        raise NotFoundError(f"no case called {case_id} is in an archive of {self.location}")

    def scope_of(self, fault: Fault) -> Scope | None:
        """Give for whom the case at fault is; None where that is not known, or two layers may be meant and differ."""
        scopes = [store.scope_of(fault) for store in self.stores if fault in store.snapshot().faults]
        return scopes[0] if scopes and all(scope == scopes[0] for scope in scopes) else None

    def close(self) -> None:
        """Close every layer."""
        for store in self.stores:
            store.close()

    def _owner(self, case_id: str, default: Store) -> Store:
        """Give the first layer in which a case serves, or a default (which then says what it does not find)."""
        return next((store for store in self.stores if case_id in store.snapshot().cases), default)


def _merged(parts: Sequence[Snapshot]) -> tuple[dict[str, LoadedCase], tuple[Fault, ...]]:
    """Merge layers; ids that a case supersedes are looked for in all of them."""
    if len(parts) == 1:
        return dict(parts[0].cases), parts[0].faults
    cases: dict[str, LoadedCase] = {}
    faults: list[Fault] = []
    for part in parts:
        faults.extend(part.faults)
        for name, loaded in part.cases.items():
            first = cases.setdefault(name, loaded)
            if loaded.case.effect == "block" and first.case.effect != "block":
                faults.append(_hidden(loaded, first))
    faults = [fault for fault in faults if not _is_settled(fault, cases)]
    superseding = {name: loaded.case.supersedes for name, loaded in cases.items() if loaded.case.supersedes}
    for name, ring in cycles(superseding).items():
        loaded = cases.pop(name)
        message = f"expected no cycle, got {' → '.join([*ring, ring[0]])}"
        faults.append(Fault(loaded.path, message, loaded.line, case=name, field="supersedes", layer=loaded.layer))
    return cases, tuple(faults)


def _hidden(loaded: LoadedCase, first: LoadedCase) -> Fault:
    """Warn of a block that a weaker case of another layer hides, perhaps without meaning to."""
    message = f"this case of layer {loaded.layer} blocks, and one of layer {first.layer} with its id hides it"
    return Fault(
        loaded.path,
        message,
        loaded.line,
        case=loaded.id,
        field="id",
        suggestion="give it an id of its own",
        severity="warning",
        layer=loaded.layer,
    )


def _is_settled(fault: Fault, cases: Mapping[str, LoadedCase]) -> bool:
    """Say whether a fault is a warning of an unknown id that another layer has."""
    if fault.severity != "warning" or not (fault.field or "").startswith("supersedes["):
        return False
    return any(f'"{name}"' in fault.message for name in _quoted(fault.message) if name in cases)


def _quoted(message: str) -> list[str]:
    """Give the words in double quotes."""
    return message.split('"')[1::2]


def discover(start: Path, home: Path) -> list[tuple[str, Path]]:
    """Find the layers that a place has, as names and folders, the nearest first.

    Args:
        start: the folder to look from, upward: the first that holds `memory-policy.yaml`, itself or in `memory/`, is the
            project's.
        home: the user's home; `.casebook` in it, where it holds a policy or cases, is the user's.

    Returns:
        `("project", …)` and `("user", …)`, each where there is one.
    """
    user = home / ".casebook"
    found: list[tuple[str, Path]] = []
    for folder in (start, *start.parents):
        chosen = next((each for each in (folder, folder / "memory") if _holds(each, POLICY_NAME)), None)
        if chosen is not None:
            if chosen != user:
                found.append(("project", chosen))
            break
    if _holds(user, POLICY_NAME) or os.path.isdir(user / "long_term"):  # noqa: PTH112 - see below
        found.append(("user", user))
    return found


def _holds(folder: Path, name: str) -> bool:
    """Say whether a folder holds a file; one that may not be looked into holds none, where `Path.is_file` would raise."""
    return os.path.isfile(folder / name)  # noqa: PTH113
