"""What `check` and `fmt` are pointed at: a casebook's folder, or one file, with the casebook that it belongs to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from casebook.adapters.cli.arguments import UsageError
from casebook.adapters.cli.place import POLICY_NAME, Root
from casebook.faults import nearest

if TYPE_CHECKING:
    from casebook.policy import Policy

_TIERS = ("long_term", "medium_term", "short_term")


@dataclass(frozen=True, slots=True)
class Target:
    """One thing to look at.

    Attributes:
        root: the casebook; for a file that belongs to none, the folder that it stands in.
        file: the one file that is meant, or None for the whole casebook.
        lone: whether the file belongs to no casebook.
    """

    root: Root
    file: Path | None
    lone: bool = False

    def policy(self) -> Policy:
        """Give the casebook's policy, the defaults where it has none that can be read."""
        from casebook.policy import Policy
        from casebook.policy_file import read_policy

        if self.lone:
            return Policy()
        try:
            data = (self.root.path / POLICY_NAME).read_bytes()
        except OSError:
            return Policy()
        return read_policy(data, POLICY_NAME)[0] or Policy()

    def files(self) -> Iterator[Path]:
        """Give the files of cases that are meant, in order."""
        if self.file is not None:
            yield self.file
            return
        for folder, names, files in os.walk(self.root.path / "long_term"):
            names[:] = sorted(name for name in names if not name.startswith("."))
            yield from (
                Path(folder) / name for name in sorted(files) if name.endswith(".json") and not name.startswith(".")
            )

    def shown(self, path: Path) -> str:
        """Give a file's path as the person here would write it."""
        return self.root.place(str(path.absolute().relative_to(self.root.path.absolute())))

    def machine_folder(self) -> Path:
        """Give the folder for locks, made where it is missing; a lone file's lock stands in the system's folder for such."""
        import tempfile

        if self.lone:
            return Path(tempfile.gettempdir())
        folder = self.root.path / ".casebook"
        folder.mkdir(mode=0o700, exist_ok=True)
        return folder


def target_of(name: str) -> Target:
    """Find what a path on the command line means.

    Raises:
        UsageError: there is nothing there, or a folder that is no casebook.
    """
    path = Path(name).expanduser()
    if trouble := _no_name(path):
        raise UsageError(f"{name}: {trouble}")
    if path.is_dir():
        if trouble := Root(path).trouble():
            raise UsageError(trouble)
        return Target(Root(path), None)
    if not os.path.lexists(path):
        try:
            near = nearest(path.name, [each.name for each in path.absolute().parent.iterdir()])
        except OSError:
            near = None
        raise UsageError(
            f"{name}: there is no such file or folder" + (f"; did you mean {path.parent / near}?" if near else "")
        )
    whole = path.absolute()
    for folder in whole.parents:
        if (folder / POLICY_NAME).is_file() or whole.relative_to(folder).parts[0] in _TIERS:
            return Target(Root(folder), whole)
    return Target(Root(whole.parent), whole, lone=True)


def _no_name(path: Path) -> str:
    """Say why no file could be called so; nothing where one could."""
    try:
        os.lstat(path)
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:  # too long; with a null character
        return f"cannot be the name of a file: {getattr(error, 'strerror', None) or error}"
    return ""
