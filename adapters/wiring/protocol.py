"""What a wiring is: how a host is found, what is to change in its files, and how it stands. One module a host, one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from casebook.adapters.wiring.change import Change

Tools = Callable[[str], frozenset[str] | None]
"""Gives the native names of the tools of which a host is to tell, by the host's name; None for all."""
Level = Literal["user", "project"]
"""Whose settings: of this user, for every folder; or of the project alone, in its own folder."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where hosts are looked for.

    Attributes:
        home: the user's home folder.
        project: the folder of the project: the git root, else where the person stands.
        environment: variables, `PATH` among them.
        level: whose settings are meant.
    """

    home: Path
    project: Path
    environment: Mapping[str, str]
    level: Level = "user"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be wired.

    Attributes:
        command: gives the shell command that a host runs, by the name of its hook.
        argv: the same as a list of arguments.
        tools: of which tools a host is to tell.
        body: gives what the managed block says, where that is asked for.
        force: whether what was changed by hand is replaced.
    """

    command: Callable[[str], str]
    argv: Callable[[str], tuple[str, ...]]
    tools: Tools
    body: Callable[[], str]
    force: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """How a host stands.

    Attributes:
        host: its name.
        found: what of it is on this machine, such as its program's path; empty where nothing is.
        files: the files in which the casebook is wired.
        wired: what is wired in them, such as events.
        tools: of which tools it tells: the host's own expressions or names; empty for all, or where it is about no tools.
        troubles: what does not work, each with its cure: an executable that is gone, what the host blocks.
        faults: those of the troubles for which nothing of it works, whatever a person has allowed or switched off.
        casebooks: the folders that what is wired names; without any it looks for them around the folder that the agent works in.
    """

    host: str
    found: str
    files: tuple[str, ...] = ()
    wired: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    troubles: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    casebooks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Planned:
    """What a wiring would do.

    Attributes:
        changes: of files; those that change nothing are left out.
        notes: what a person has to do, or to know, beside them.
    """

    changes: tuple[Change, ...] = ()
    notes: tuple[str, ...] = ()


class Wiring(Protocol):
    """One host."""

    @property
    def name(self) -> str:
        """Give its name as it is typed."""
        ...

    @property
    def title(self) -> str:
        """Give its name as people write it."""
        ...

    def found(self, place: Place) -> str:
        """Give what of it is here, such as its program's path; empty where nothing is."""
        ...

    def install(self, place: Place, wanted: Wanted) -> Planned:
        """Plan to wire it. Raises CasebookError where its settings are left as they are; the message says what to do by hand."""
        ...

    def uninstall(self, place: Place, *, force: bool = False) -> Planned:
        """Plan to take out what was wired, and nothing else. Raises CasebookError."""
        ...

    def standing(self, place: Place, wanted: Wanted) -> Iterator[Standing]:
        """Say how it stands, at each level at which it is wired; once where it is at none.

        Args:
            place: where to look; its level counts for nothing.
            wanted: what would be wired now.
        """
        ...
