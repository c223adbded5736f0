"""Which casebook a command is about, at what instant: the one place where folders, clock and engine are chosen."""

from __future__ import annotations

import os
import shlex
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import UsageError
from casebook.clock import Clock, fixed_clock, system_clock
from casebook.faults import nearest

if TYPE_CHECKING:
    from casebook.runtime.runtime import Runtime
    from casebook.stores.folder import FolderStore
    from casebook.stores.protocol import Store

POLICY_NAME = "memory-policy.yaml"
"""The policy's file in a casebook's folder."""


@dataclass(frozen=True, slots=True)
class Root:
    """The folder of one casebook.

    Attributes:
        path: where it is.
        layer: the name that its cases bear; empty where there is only one.
    """

    path: Path
    layer: str = ""

    @property
    def shown(self) -> str:
        """Give the path as a person here would write it."""
        try:
            return str(self.path.resolve().relative_to(Path.cwd()))
        except (ValueError, OSError):
            return str(self.path)

    def trouble(self) -> str:
        """Say that there is no casebook in the folder, and which folder was perhaps meant; nothing where there is one."""
        if _is_casebook(self.path):
            return ""
        whole = self.path.absolute()
        near = next((each for each in (whole / "memory", *whole.parents) if (each / POLICY_NAME).is_file()), None)
        hint = f"; did you mean {Root(near).shown}?" if near is not None else ""
        return f"{self.shown}: expected a casebook, found neither {POLICY_NAME} nor long_term/ in it{hint}"

    def place(self, path: str) -> str:
        """Give the path of a file of this casebook, from where the person stands."""
        return str(Path(self.shown) / path) if path else self.shown


def _is_casebook(folder: Path) -> bool:
    return any((folder / name).exists() for name in (POLICY_NAME, "long_term"))


def roots(options: Namespace) -> tuple[Root, ...]:
    """Give the folders that a command is about, the first wins: those of --dir, else $CASEBOOK_DIR, else what is found here.

    Raises:
        UsageError: a folder that was named is none, or none was found.
    """
    named = options.dir or ([os.environ["CASEBOOK_DIR"]] if os.environ.get("CASEBOOK_DIR") else [])
    if named:
        return _named(named, "--dir" if options.dir else "$CASEBOOK_DIR")
    from casebook.stores.layers import discover

    here = Path.cwd()
    found = discover(here, Path(os.path.expanduser("~")))  # noqa: PTH111 - Path.home() raises where there is no home
    if not found:
        raise UsageError(
            f"there is no casebook here: no memory-policy.yaml in {here}, in its folder memory/, or above it, and no "
            "~/.casebook; `casebook init` makes one, --dir names one"
        )
    return tuple(Root(path, layer if len(found) > 1 else "") for layer, path in found)


def untrusted_here(options: Namespace) -> tuple[str, ...]:
    """Give what to warn of where a command serves a casebook that was merely found and that a host's hook would not use.

    A person who types a command means the folder that they stand in; an agent that runs it in a clone may not.
    """
    if options.dir or os.environ.get("CASEBOOK_DIR"):
        return ()
    from casebook.adapters.trust.opening import home_folder
    from casebook.adapters.trust.standing import place_of

    places = [(each, place_of(each.path, home_folder())) for each in roots(options)]
    return tuple(
        output.flat(
            f"{root.shown} is not trusted: hosts use nothing of it; `casebook trust {shlex.quote(root.shown)}` shows it"
        )
        for root, place in places
        if not place.is_served
    )


def _named(names: list[str], by: str) -> tuple[Root, ...]:
    found: list[Root] = []
    for name in names:
        if not name:
            raise UsageError(f"{by}: expected a folder, got nothing")
        path = Path(name).expanduser()
        if not path.is_dir():
            raise UsageError(f"{by} {name}: {_why_none(path)}")
        layer = path.resolve().name or "root"
        if any(each.layer == layer for each in found):
            layer = f"{layer}{len(found) + 1}"
        found.append(Root(path, layer if len(names) > 1 else ""))
    return tuple(found)


def _why_none(path: Path) -> str:
    if path.exists():
        return "expected a casebook's folder, got a file"
    try:
        near = nearest(path.name, [each.name for each in path.absolute().parent.iterdir() if each.is_dir()])
    except OSError:
        near = None
    hint = f"did you mean {path.parent / near}?" if near else f"`casebook init {path}` makes one"
    return f"there is no such folder; {hint}"


def clock_of(options: Namespace, places: tuple[Root, ...]) -> Clock:
    """Give the clock: the system's, or one that stands at --now, which without an offset is a wall clock of the casebook.

    Raises:
        UsageError: the instant is outside the years 1 to 9999.
    """
    now: datetime | None = options.now
    if now is None:
        return system_clock
    if now.tzinfo is None:
        now = now.replace(tzinfo=ZoneInfo(_zone(places)))
    try:
        return fixed_clock(now.astimezone(UTC))
    except OverflowError:
        raise UsageError(
            f"--now: expected an instant within the years 1 to 9999, got {options.now.isoformat()}"
        ) from None


def _zone(places: tuple[Root, ...]) -> str:
    """Give the zone of the first casebook that has a policy; UTC where none has."""
    from casebook.policy_file import read_policy

    for each in places:
        try:
            data = (each.path / POLICY_NAME).read_bytes()
        except OSError:
            continue
        policy, _ = read_policy(data, POLICY_NAME)
        return policy.timezone if policy is not None else "UTC"
    return "UTC"


def folder_store(root: Root, clock: Clock) -> FolderStore:
    """Give the store of one folder. Raises StoreError."""
    from casebook.stores.folder import FolderStore

    return FolderStore(root.path, clock=clock, layer=root.layer)


def store_of(options: Namespace) -> Store:
    """Give the store of the casebook, its layers merged. Raises UsageError, StoreError."""
    places = roots(options)
    return _store(places, clock_of(options, places))


def _store(places: tuple[Root, ...], clock: Clock) -> Store:
    """Give the store of folders; of one in which there is no casebook a warning is told: it serves, and holds nothing."""
    for each in places:
        trouble = each.trouble()
        if trouble:
            output.words(f"warning: {trouble}")
    stores = [folder_store(each, clock) for each in places]
    if len(stores) == 1:
        return stores[0]
    from casebook.stores.layers import LayeredStore

    return LayeredStore(stores)


@contextmanager
def opened(options: Namespace, *, patient: bool = False) -> Iterator[Runtime]:
    """Give the casebook in service, and close it.

    Args:
        options: what was typed.
        patient: whether the limit of an answer's time is lifted: it is for hosts that wait, and a first answer, for which
            everything has yet to be loaded, may take longer than one.

    Raises:
        UsageError, StoreError, EngineUnavailableError: there is none, it cannot be read, or the engine is not here.
    """
    from casebook.runtime.matching.engines import matcher
    from casebook.runtime.runtime import Runtime

    places = roots(options)
    clock = clock_of(options, places)
    store = _store(places, clock)
    policy = store.snapshot().policy.patient() if patient else None
    with Runtime(store, matcher(options.engine), clock, policy) as runtime:
        yield runtime
