"""A host that runs commands at its hooks and keeps them in a file of JSON; what differs between such hosts is in their own modules."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from casebook.adapters.wiring.change import Change, ChangeError, read
from casebook.adapters.wiring.executable import failing_open, missing
from casebook.adapters.wiring.hook_settings import (
    Event,
    Wired,
    installed,
    matches,
    snippet,
    text_of,
    uninstalled,
    wanted_groups,
    wired_in,
)
from casebook.adapters.wiring.json_splice import NotPlainError, read_object
from casebook.adapters.wiring.protocol import Level, Place, Planned, Standing, Wanted
from casebook.faults import CasebookError

Troubles = Callable[[Place, Path, Mapping[str, Any], tuple[Wired, ...]], Iterator[str]]
"""Takes the place, a settings file of the host, what stands in it, and our commands there; gives what the host blocks, each with its cure."""


class RefusedError(CasebookError):
    """Settings are left as they are; the message says why.

    Attributes:
        snippet: what to put into them by hand; empty where nothing is.
    """

    def __init__(self, message: str, snippet: str = "") -> None:
        self.snippet = snippet
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class HookHost:
    """A host.

    Attributes:
        name: as it is typed, and as `casebook hook` knows it.
        title: as people write it.
        programs: what its program is called.
        folder: the folder of its settings in a home or a project.
        file: its settings in there.
        variable: the variable that names another folder for the user's settings; empty where there is none.
        below: where in the folder that the variable names they are.
        events: what is wired, in the order of a session.
        timeout: of a hook, in its own unit.
        by_name: whether it takes names of tools with bars between them as they stand.
        blocks: what it blocks.
        note: what a person has to do beside.
        opens: whether it takes a hook that could not be run for a no, so that ours is wired to fail open.
    """

    name: str
    title: str
    programs: tuple[str, ...]
    folder: str
    file: str
    variable: str
    events: tuple[Event, ...]
    timeout: int
    by_name: bool
    blocks: Troubles
    note: str = ""
    below: str = ""
    opens: bool = False

    def settings(self, place: Place) -> Path:
        """Give the file of its settings at the place's level."""
        if place.level == "project":
            return place.project / self.folder / self.file
        return self.home(place) / self.file

    def home(self, place: Place) -> Path:
        """Give the folder of the user's settings."""
        chosen = Path(place.environment.get(self.variable, "")) if self.variable else Path()
        return chosen / self.below if chosen.is_absolute() else place.home / self.folder

    def found(self, place: Place) -> str:
        """Give its program's path, else the folder of its settings; empty where there is neither."""
        for name in self.programs:
            program = shutil.which(name, path=place.environment.get("PATH", ""))
            if program is not None:
                return program
        folders = (self.home(place), place.project / self.folder)
        return next((os.fspath(each) for each in folders if each.is_dir()), "")

    def install(self, place: Place, wanted: Wanted) -> Planned:
        """Plan to wire it. Raises RefusedError, ChangeError."""
        path = self.settings(place)
        command = wanted.command(self.name)
        groups = wanted_groups(
            self.events,
            failing_open(command) if self.opens else command,
            wanted.tools(self.name),
            timeout=self.timeout,
            by_name=self.by_name,
        )
        before = read(path, within=_within(place))
        try:
            after = installed(before, self.name, groups)
        except NotPlainError as error:
            told = f"{path}: {error}; it is left as it is, and this is to be put into it by hand"
            raise RefusedError(told, snippet(groups)) from None
        change = Change(path, before, after)
        return Planned(() if change.is_none else (change,), (self.note,) if self.note else ())

    def uninstall(self, place: Place, *, force: bool = False) -> Planned:  # noqa: ARG002 - other hosts have what is forced
        """Plan to take it out. Raises RefusedError, ChangeError."""
        path = self.settings(place)
        before = read(path, within=_within(place))
        if before is None:
            return Planned()
        try:
            after = uninstalled(before, self.name)
        except NotPlainError as error:
            if not self._is_named_in(before):
                return Planned()
            raise RefusedError(
                f"{path}: {error}; it is left as it is. Take the commands out by hand that end in `hook {self.name}`"
            ) from None
        tidy = (path.parent,) if place.level == "project" else ()
        change = Change(path, before, after, tidy=tidy)
        return Planned(() if change.is_none else (change,))

    def standing(self, place: Place, wanted: Wanted) -> Iterator[Standing]:
        """Say how it stands at each level at which it is wired, or cannot be read; once where it is at none."""
        found, told = self.found(place), False
        wired_before = ""
        for at in levels_of(place, self.settings):
            path = self.settings(at)
            data: bytes | None = None
            try:
                data = read(path, within=_within(at))
                settings = {} if data is None else read_object(text_of(data)[1])
            except (ChangeError, NotPlainError) as error:
                if data is None or self._is_named_in(data):
                    trouble = str(error) if isinstance(error, ChangeError) else f"{path}: {error}"
                    yield Standing(self.name, found, (os.fspath(path),), troubles=(trouble,))
                    told = True
                continue
            ours = tuple(wired_in(settings, self.name))
            if ours:
                told = True
                tools = tuple(dict.fromkeys(each.matcher for each in ours if each.matcher and self._is_of_tools(each)))
                troubles = (
                    *self._gone(ours),
                    *self._untold(ours, wanted.tools(self.name)),
                    *self.blocks(at, path, settings, ours),
                    *(
                        (f"it is wired in {wired_before} as well, and tells all twice; uninstall one",)
                        if wired_before
                        else ()
                    ),
                )
                wired_before = os.fspath(path)
                yield Standing(
                    self.name, found, (os.fspath(path),), tuple(each.event for each in ours), tools, troubles
                )
        if not told:
            yield Standing(self.name, found)

    def _is_named_in(self, data: bytes) -> bool:
        """Say whether settings that cannot be read speak of our hook at all."""
        return f"hook {self.name}".encode() in data

    def _gone(self, ours: tuple[Wired, ...]) -> Iterator[str]:
        """Say which programs of the commands are not there any more."""
        for program in sorted({program for each in ours if (program := missing(each.command))}):
            yield f"{program} is not there any more; `casebook install {self.name}` wires this casebook"

    def _untold(self, ours: tuple[Wired, ...], wanted: frozenset[str] | None) -> Iterator[str]:
        """Say what is not told: events that this release wires, tools that cases name."""
        cure = f"`casebook install {self.name}` wires it"
        events = [each.name for each in self.events if all(each.name != other.event for other in ours)]
        if events:
            yield f"{self.title} does not tell of {', '.join(events)}; {cure}"
        narrowed = [each.matcher for each in ours if each.matcher and self._is_of_tools(each)]
        if wanted is None and narrowed:
            yield f"a case concerns all tools, and {self.title} does not tell of all; {cure}"
        elif wanted:
            left = sorted(name for name in wanted if not all(matches(matcher, name) for matcher in narrowed))
            if left:
                yield f"cases name tools of which {self.title} does not tell: {', '.join(left)}; {cure}"

    def _is_of_tools(self, ours: Wired) -> bool:
        return any(each.of_tools and each.name == ours.event for each in self.events)


def levels_of(place: Place, file: Callable[[Place], Path]) -> Iterator[Place]:
    """Give a place at each level, but for one at which a file is that of the level before, as in a home folder."""
    seen: set[str] = set()
    for level in get_args(Level):
        at = Place(place.home, place.project, place.environment, level)
        real = os.path.realpath(file(at))
        if real not in seen:
            seen.add(real)
            yield at


def _within(place: Place) -> Path | None:
    return place.project if place.level == "project" else None
