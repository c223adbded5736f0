"""How the casebooks that are found around a place stand: the user's own, trusted, or inert until somebody has looked at them."""

from __future__ import annotations

import os
import pwd
import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from casebook.adapters.trust import approvals
from casebook.adapters.trust.approvals import Approval
from casebook.adapters.trust.folder_identity import FolderIdentity, identity_of
from casebook.faults import StoreError
from casebook.runtime.answer.harmless import harmless
from casebook.stores.layers import discover

Standing = Literal["own", "trusted", "untrusted"]


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """A casebook that was found.

    Attributes:
        layer: `project` or `user`.
        path: its folder.
        standing: `own` is the user's own folder, `untrusted` is not opened at all.
        why: of an untrusted one, the reason and the cure, for a person; else empty.
        is_new: of an untrusted one, whether nobody has ever been asked about it; else something has changed, or is wrong.
        strangers: numbers of other users whose files it may have, since its person was told of them.
    """

    layer: str
    path: Path
    standing: Standing
    why: str = ""
    is_new: bool = False
    strangers: frozenset[int] = frozenset()

    @property
    def is_served(self) -> bool:
        """Say whether it is opened."""
        return self.standing != "untrusted"


def found_places(start: Path, home: Path) -> tuple[FoundPlace, ...]:
    """Give the casebooks around a place with their standing, the nearest first.

    Of the project's the nearest one upward that is trusted is served; an untrusted one below it is told, and hides it from nobody:
    else a folder that somebody has unpacked within a project would switch the project's cases off.

    Args:
        start: the folder to look from.
        home: the user's home.
    """
    found: list[FoundPlace] = []
    seen: set[str] = set()
    user = next((path for layer, path in discover(start, home) if layer == "user"), None)
    if user is not None:
        seen.add(os.path.realpath(user))
    for folder in (start, *start.parents):
        project = next((path for layer, path in discover(folder, home) if layer == "project"), None)
        if project is None:
            break
        real = os.path.realpath(project)
        if real in seen:
            continue
        seen.add(real)
        place = project_place(project)
        found.append(place)
        if place.is_served:
            break
    if user is not None:
        found.append(user_place(user))
    return tuple(found)


def place_of(folder: Path, home: Path) -> FoundPlace:
    """Give how a casebook stands where a host finds it, whether it is the user's own or another."""
    own = os.path.realpath(home / ".casebook") == os.path.realpath(folder)
    return user_place(folder) if own else project_place(folder)


def project_place(folder: Path) -> FoundPlace:
    """Give how a casebook stands that is not the user's own."""
    try:
        identity = identity_of(folder)
    except OSError as error:
        return FoundPlace("project", folder, "untrusted", f"{_shown(folder)} cannot be looked at: {error.strerror}")
    try:
        approval = approvals.read(identity.path)
    except StoreError as error:
        return FoundPlace("project", folder, "untrusted", harmless(str(error)))
    if approval is None:
        whose = f", belongs to {names_of(identity.strangers)}" if identity.strangers else ""
        why = f"{_shown(folder)} is not trusted{whose}, and nothing of it is used; {_cure(folder)} shows its cases, and asks"
        return FoundPlace("project", folder, "untrusted", why, is_new=True)
    why = changed_since(folder, identity, approval)
    return FoundPlace("project", folder, "untrusted" if why else "trusted", why, strangers=approval.strangers)


def changed_since(folder: Path, identity: FolderIdentity, approval: Approval) -> str:
    """Say why a folder is not, or no more, the one that was trusted; nothing where it is."""
    told, again = _shown(folder), f"; nothing of it is used; {_cure(folder)} shows its cases, and asks again"
    if strangers := identity.strangers - approval.strangers:
        return f"{told}, or a part of it, belongs to {names_of(strangers)} by now{again}"
    if identity.inode != approval.inode:
        return f"{told} is another folder than the one that was trusted at this path{again}"
    if not approval.mark:
        return f"trusting {told} has left no mark in it, by which another folder in its place is known{again}"
    if approval.mark not in identity.marks:
        return f"{told} does not have the mark that trusting it has left in .casebook{again}"
    return _open_to_all(folder, identity)


def user_place(folder: Path) -> FoundPlace:
    """Give how the user's own casebook stands; one to which others may write is not served, theirs is asked about."""
    try:
        identity = identity_of(folder)
    except OSError as error:
        return FoundPlace("user", folder, "untrusted", f"{_shown(folder)} cannot be looked at: {error.strerror}")
    if why := _open_to_all(folder, identity):
        return FoundPlace("user", folder, "untrusted", why)
    if identity.strangers:  # as after `sudo`: it is asked about like any other
        return replace(project_place(folder), layer="user")
    return FoundPlace("user", folder, "own")


def _open_to_all(folder: Path, identity: FolderIdentity) -> str:
    if not identity.open_part:
        return ""
    part = "it" if identity.open_part == "." else f"its {identity.open_part}"
    return f"{_shown(folder)} is not used: everybody may write to {part}; `chmod o-w` mends that"


def _shown(folder: Path) -> str:
    """Give a path that may be shown: a folder that was found may be called anything."""
    return harmless(str(folder))


def _cure(folder: Path) -> str:
    return f"`casebook trust {shlex.quote(_shown(folder))}`"


def names_of(numbers: frozenset[int]) -> str:
    """Give the names of users by their numbers, for a person."""
    return ", ".join(_name(each) for each in sorted(numbers))


def _name(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"
