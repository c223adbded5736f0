"""A host that runs commands at its hooks and keeps them in a file of JSON; what differs between such hosts is in their own modules."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from casebook.adapters.wiring.change import Change, ChangeError, read
from casebook.adapters.wiring.dialects import Dialect, read_as
from casebook.adapters.wiring.executable import casebooks_of, failing_open
from casebook.adapters.wiring.gone import gone
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
from casebook.adapters.wiring.json_splice import NotPlainError
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
        dialect: what of its settings it reads.
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
    dialect: Dialect = "json"

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
            self._by_hand(path, before, groups, error)
            return Planned()
        change = Change(path, before, after)
        return Planned(() if change.is_none else (change,), (self.note,) if self.note else ())

    def _by_hand(self, path: Path, before: bytes | None, groups: Mapping[str, Any], error: NotPlainError) -> None:
        """Raise RefusedError with what a person has to do, where that is not done yet."""
        try:
            settings = read_as(self.dialect, text_of(before or b"")[1])
            made = json.loads(installed(_plain(settings), self.name, groups))["hooks"]
        except NotPlainError as told:
            raise RefusedError(f"{path}: {told}; it is left as it is: mend that, and say it again") from None
        known = settings.get("hooks", {})
        left = {event: group for event, group in groups.items() if made[event] != known.get(event)}
        if left or made != known:
            raise RefusedError(
                f"{path}: {error}; it is left as it is, and this is to stand in it, by hand", snippet(left or groups)
            )

    def uninstall(self, place: Place, *, force: bool = False) -> Planned:  # noqa: ARG002 - other hosts have what is forced
        """Plan to take it out. Raises RefusedError, ChangeError."""
        path = self.settings(place)
        before = read(path, within=_within(place))
        if before is None:
            return Planned()
        try:
            after = uninstalled(before, self.name)
        except NotPlainError as error:
            self._by_hand_again(path, before, error)
            return Planned()
        tidy = (path.parent,) if place.level == "project" else ()
        change = Change(path, before, after, tidy=tidy)
        return Planned(() if change.is_none else (change,))

    def _by_hand_again(self, path: Path, before: bytes, error: NotPlainError) -> None:
        """Raise RefusedError with what a person has to take out, where something of ours may be in it."""
        if not self._is_named_in(before):
            return
        try:
            settings = read_as(self.dialect, text_of(before)[1])
        except NotPlainError as told:
            raise RefusedError(f"{path}: {told}; it is left as it is: mend that, and say it again") from None
        if uninstalled(_plain(settings), self.name) != _plain(settings):
            lines = [str(at) for at, line in enumerate(before.splitlines(), 1) if self._is_named_in(line)]
            where = f"line{'s' * (len(lines) > 1)} {', '.join(lines)}"
            raise RefusedError(
                f"{path}: {error}; it is left as it is. Take the commands out by hand that run `hook {self.name}` ({where})"
            )

    def standing(self, place: Place, wanted: Wanted) -> Iterator[Standing]:
        """Say how it stands at each level at which it is wired, or cannot be read; once where it is at none."""
        found, told = self.found(place), False
        wired_before = ""
        for at in levels_of(place, self.settings):
            path = self.settings(at)
            data: bytes | None = None
            try:
                data = read(path, within=_within(at))
                settings = {} if data is None else read_as(self.dialect, text_of(data)[1])
            except (ChangeError, NotPlainError) as error:
                if data is None or self._is_named_in(data):
                    trouble = str(error) if isinstance(error, ChangeError) else f"{path}: {error}"
                    yield Standing(self.name, found, (os.fspath(path),), troubles=(trouble,), faults=(trouble,))
                    told = True
                continue
            ours = tuple(wired_in(settings, self.name))
            if ours:
                told = True
                tools = tuple(dict.fromkeys(each.matcher for each in ours if each.matcher and self._is_of_tools(each)))
                commands = [each.command for each in ours]
                faults = tuple(gone(commands, f"casebook install {self.name}"))
                troubles = (
                    *faults,
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
                    self.name, found, (os.fspath(path),), tuple(each.event for each in ours), tools, troubles, faults,
                    tuple(dict.fromkeys(folder for each in commands for folder in casebooks_of(each))),
                )  # fmt: skip
        if not told:
            yield Standing(self.name, found)

    def _is_named_in(self, data: bytes) -> bool:
        """Say whether settings that cannot be read speak of our hook at all."""
        return f"hook {self.name}".encode() in data

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


def _plain(settings: Mapping[str, Any]) -> bytes:
    """Give settings as plain JSON, in which it can be seen what a change of them would be."""
    return json.dumps(settings).encode()


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
