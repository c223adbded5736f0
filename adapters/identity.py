"""Who asks, as the host knows it and never a model: the user of the operating system, and the project of the folder."""

from __future__ import annotations

import os
import pwd
import re
import stat
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from casebook.adapters.roles import Role
from casebook.conditions.fold import nfc
from casebook.faults import CasebookError
from casebook.runtime.answer.isolation import Principal

if TYPE_CHECKING:
    from casebook.runtime.runtime import Runtime

_GITDIR_BYTES = 4096
_LINK = re.compile(r"gitdir:[ \t]*([^\r\n\0]+)")


class IdentityError(CasebookError):
    """Somebody says to be another than the host knows them to be.

    Attributes:
        field: `user`, `project`, `team` or `agent`.
        claimed: what was said.
        principal: what the host knows; None where it knows nobody.
    """

    def __init__(self, field: str, claimed: str, principal: str | None) -> None:
        self.field, self.claimed, self.principal = field, claimed, principal
        known = (
            f"{principal!r}, as this caller is known here," if principal else f"no {field}, for this caller has none,"
        )
        super().__init__(f"{field}: expected {known} got {claimed!r}; who asks is not said in a body")


@dataclass(frozen=True, slots=True)
class Caller:
    """A principal with the role that it has here.

    Attributes:
        principal: who asks, by which everything is isolated.
        role: what it may do (`casebook.adapters.roles`).
    """

    principal: Principal
    role: Role


def identity_at(folder: Path, casebooks: Iterable[Path] | None = None) -> dict[str, str]:
    """Give who asks in a folder, as the fields of a task: `user`, and `project` where there is one.

    Args:
        folder: where the host's agent works.
        casebooks: as of `project_of`.
    """
    project = project_of(folder, casebooks)
    return {"user": system_user(), **({"project": project} if project else {})}


def caller_at(folder: Path, role: Role = "admin", casebooks: Iterable[Path] | None = None) -> Caller:
    """Give the caller that stands in a folder of this machine; the user of their own casebook may do all."""
    known = identity_at(folder, casebooks)
    project = known.get("project")
    return Caller(Principal(nfc(known["user"]), nfc(project) if project else None, frozenset(), None), role)


def is_own(runtime: Runtime, activation: str, principal: Principal) -> bool:
    """Say whether an activation is of a task of this principal's: what became of another's is not theirs to tell."""
    runtime.flush()
    record = runtime.journal.activation(activation)
    known = None if record is None else (record.principal.user, record.principal.project)
    return known == (principal.user, principal.project)


def system_user() -> str:
    """Give the name of the user that this process acts as; its number, `uid-1000`, where it has no name.

    The system is asked, and not $USER or $LOGNAME, which anybody sets.
    """
    number = os.geteuid()
    try:
        return pwd.getpwuid(number).pw_name or f"uid-{number}"
    except KeyError:
        return f"uid-{number}"


def project_of(folder: Path, casebooks: Iterable[Path] | None = None) -> str | None:
    """Give the name of the project of a folder: of its git root, else of the folder that holds its casebook; else None.

    Where a casebook around the folder serves, the name is that of the place where the casebook stands: whatever lies in the project
    (a submodule, a clone that was vendored, a `.git` that somebody has put there) is of the project, for its cases are. All worktrees
    of a repository are one project, called like the folder of its main one. git itself is not run: it takes longer than a hook may,
    and does what a repository's configuration says.

    Args:
        folder: the folder, or any below it.
        casebooks: the folders of those that serve, the nearest first; None for those that a host finds there.
    """
    here = Path(os.path.abspath(folder))  # noqa: PTH100 - `resolve` would leave the path that the person stands in
    for casebook in _served(here) if casebooks is None else casebooks:
        holder = _holder(casebook)
        if holder is not None and _is_within(here, holder):
            return _repository_name(holder) or _name(holder)
    return _repository_name(here) or _casebook_name(here)


def _served(here: Path) -> list[Path]:
    """Give the casebooks that a host serves in a folder, the nearest first."""
    from casebook.adapters.trust.opening import home_folder
    from casebook.adapters.trust.standing import found_places

    return [each.path for each in found_places(here, home_folder()) if each.is_served]


def _holder(casebook: Path) -> Path | None:
    """Give the folder whose casebook it is; None for the user's own, which is no project's."""
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - Path.home() raises where there is no home
    whole = Path(os.path.abspath(casebook))  # noqa: PTH100 - as above
    real = whole.resolve()
    if real == (home / ".casebook").resolve():
        return None
    if whole.name == "memory":  # which may be a link to where it is kept
        return whole.parent
    return real.parent if real.name == "memory" else whole


def _is_within(here: Path, holder: Path) -> bool:
    return here.is_relative_to(holder) or here.resolve().is_relative_to(holder.resolve())


def _repository_name(here: Path) -> str | None:
    """Give the name of the repository in whose worktree a folder lies; None where it lies in none."""
    return next((name for each in (here, *here.parents) if (name := _git_name(each))), None)


def _name(folder: Path) -> str | None:
    return folder.resolve().name or None


def _git_name(root: Path) -> str | None:
    """Give the name of the repository of which a folder is the root of a worktree; None where it is none."""
    marker = root / ".git"
    try:
        found = marker.stat()
    except OSError:
        return None
    if stat.S_ISDIR(found.st_mode):
        return root.resolve().name or None if _is_repository(marker) else None
    target = _pointed(marker)
    if target is None or not _has(target, "HEAD"):
        return None
    main = _main_folder(marker, target)
    return (main.name if main is not None else root.resolve().name) or None


def _is_repository(folder: Path) -> bool:
    return _has(folder, "HEAD") and _has(folder, "objects")


def _has(folder: Path, name: str) -> bool:
    """Say whether something stands in a folder; nothing does in one that may not be looked into, where `Path.exists` would raise."""
    return os.path.exists(folder / name)  # noqa: PTH110


def _pointed(marker: Path) -> Path | None:
    """Give the folder that a `.git` file points to; None where it is none."""
    link = _LINK.match(_head(marker))
    return marker.parent / link[1].strip() if link is not None else None


def _main_folder(marker: Path, target: Path) -> Path | None:
    """Give the main worktree's folder for the marker of a linked worktree; None for a submodule, or where the two do not agree.

    The notes must be the repository's own, and point back: else an unpacked folder could say that it is of any project on this
    machine, and be told what is for that alone.
    """
    common, back = _head(target / "commondir").strip(), _head(target / "gitdir").strip()
    if not common or not back or "\0" in common + back or (target / back).resolve() != marker.resolve():
        return None
    shared = (target / common).resolve()
    if not _is_repository(shared) or target.resolve().parent != shared / "worktrees":
        return None
    if shared.name == ".git":
        return shared.parent
    return shared.with_name(shared.name.removesuffix(".git") or shared.name)  # a bare repository has no main worktree


def _head(path: Path) -> str:
    """Give the beginning of a small file; nothing where it is none, or cannot be read."""
    from casebook.stores.reading import read_regular
    from casebook.stores.splitting import SplitError

    try:
        data, _ = read_regular(str(path), _GITDIR_BYTES, "gitdir")
    except (OSError, SplitError):
        return ""
    return os.fsdecode(data)


def _casebook_name(here: Path) -> str | None:
    """Give the name of the folder that holds the nearest casebook; None where there is none, or only the user's own."""
    from casebook.stores.layers import discover

    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - Path.home() raises where there is no home
    found = next((path for layer, path in discover(here, home) if layer == "project"), None)
    holder = _holder(found) if found is not None else None
    return _name(holder) if holder is not None else None


def identity_of(principal: Principal, claimed: Mapping[str, Any], *, free: Collection[str] = ()) -> dict[str, Any]:
    """Give the fields of a task for a body that came from outside: those of the principal, and never others.

    Args:
        principal: who the host knows the caller to be.
        claimed: the body; what it says of `user`, `project`, `team` and `agent` is held against the principal, and may be left out.
        free: what the caller may name where the principal names nothing, such as `project` over a socket to which only one user's
            own programs come.

    Raises:
        IdentityError: the body claims another identity.
    """
    fields: dict[str, Any] = {}
    for name in ("user", "project", "agent"):
        known, said = getattr(principal, name), claimed.get(name)
        fields[name] = known
        if said in (None, ""):
            continue
        if not isinstance(said, str) or (nfc(said) != nfc(known) if known else name not in free):
            raise IdentityError(name, str(said), known)
        fields[name] = known or nfc(said)
    teams = tuple(sorted(principal.teams))
    said = claimed.get("team")
    for each in (said,) if isinstance(said, str) else said or ():
        if not isinstance(each, str) or (each and nfc(each) not in principal.teams):
            raise IdentityError("team", str(each), ", ".join(teams) or None)
    fields["team"] = teams
    return {name: value for name, value in fields.items() if value}
