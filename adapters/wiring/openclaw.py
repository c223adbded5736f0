"""OpenClaw: a plugin of its own, which the module `casebook.adapters.openclaw.wiring` installs where this release has it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass

from casebook.adapters.wiring.protocol import Place, Planned, Standing, Wanted
from casebook.faults import CasebookError


@dataclass(frozen=True, slots=True)
class OpenClaw:
    """The gateway and its plugins."""

    name: str = "openclaw"
    title: str = "OpenClaw"

    def found(self, place: Place) -> str:
        """Give its program's path, else the folder of its state."""
        program = shutil.which("openclaw", path=place.environment.get("PATH", ""))
        folder = place.home / ".openclaw"
        return program or (os.fspath(folder) if folder.is_dir() else "")

    def install(self, place: Place, wanted: Wanted) -> Planned:
        """Refuse: this release does not install the plugin by itself. Raises CasebookError."""
        del place, wanted
        raise CasebookError(_NOT_YET)

    def uninstall(self, place: Place, *, force: bool = False) -> Planned:
        """Plan nothing: nothing was wired."""
        del place, force
        return Planned()

    def standing(self, place: Place, wanted: Wanted) -> Iterator[Standing]:
        """Say whether it is here."""
        del wanted
        yield Standing(self.name, self.found(place))


_NOT_YET = "openclaw: this release does not wire it by itself; its plugin is installed with `openclaw plugins install`"

WIRING = OpenClaw()
