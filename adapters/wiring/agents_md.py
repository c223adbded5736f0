"""AGENTS.md, and CLAUDE.md and GEMINI.md beside it, of a project: the managed block (integrations.md, section 2).

Claude Code reads AGENTS.md only where no CLAUDE.md is beside it, and Gemini CLI reads GEMINI.md: where these are there, they have the
block too, but for one that is a link to AGENTS.md or imports it with a line `@AGENTS.md`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from casebook.adapters.agents_md.markers import Found
from casebook.adapters.agents_md.placing import held, placed, taken_out
from casebook.adapters.wiring.change import Change, ChangeError, read
from casebook.adapters.wiring.hook_host import RefusedError
from casebook.adapters.wiring.protocol import Place, Planned, Standing, Wanted
from casebook.faults import CasebookError

FILES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md")
_IMPORT = re.compile(rb"(?m)^[ \t]*@(?:\./)?AGENTS\.md[ \t]*\r?$")


@dataclass(frozen=True, slots=True)
class AgentsMd:
    """The files that agents read as they begin."""

    name: str = "agents-md"
    title: str = "AGENTS.md"

    def found(self, place: Place) -> str:
        """Give the files that are here, by name."""
        return ", ".join(each for each in FILES if (place.project / each).exists())

    def install(self, place: Place, wanted: Wanted) -> Planned:
        """Plan to put the block in, or to write it anew. Raises RefusedError, ChangeError."""
        body = wanted.body()
        changes, notes = [], [_PUBLIC]
        for path in _wanted(place):
            before = read(path, within=place.project)
            try:
                after = placed(before, body, force=wanted.force)
            except CasebookError as error:
                raise RefusedError(f"{path}: {error}") from None
            changes.append(Change(path, before, after, public=True))
        changes = [each for each in changes if not each.is_none]
        if (place.project / "AGENTS.override.md").exists():
            notes.append("Codex reads AGENTS.override.md instead of AGENTS.md, and so not the block")
        return Planned(tuple(changes), tuple(notes) if changes else ())

    def uninstall(self, place: Place, *, force: bool = False) -> Planned:
        """Plan to take the block out of every file that has it. Raises RefusedError, ChangeError."""
        changes = []
        for path in _apart(place.project / name for name in FILES):
            before = read(path, within=place.project)
            if before is None or b"CASEBOOK" not in before:
                continue
            try:
                after = taken_out(before, force=force)
            except CasebookError as error:
                raise RefusedError(f"{path}: {error}") from None
            changes.append(Change(path, before, after))
        return Planned(tuple(each for each in changes if not each.is_none))

    def standing(self, place: Place, wanted: Wanted) -> Iterator[Standing]:
        """Say which files have the block, and what is wrong with it."""
        files, troubles = [], []
        for path in _apart(place.project / name for name in FILES):
            try:
                data = read(path, within=place.project)
                block = None if data is None or b"CASEBOOK" not in data else held(data)
            except CasebookError as error:
                troubles.append(str(error) if isinstance(error, ChangeError) else f"{path}: {error}")
                continue
            if block is not None:
                files.append(os.fspath(path))
                troubles += _troubles(path, block, wanted)
        wired = ("the block",) if files else ()
        yield Standing(self.name, self.found(place), tuple(files), wired, troubles=tuple(troubles))


_PUBLIC = "these files are committed with the project: rules and decisions of the project stand in them, and nothing of a user's own"


def _troubles(path: Path, block: Found, wanted: Wanted) -> Iterator[str]:
    if block.is_edited:
        yield f"{path}: line {block.line}: the block was changed by hand; `casebook install agents-md --force` writes it anew"
        return
    try:
        body = wanted.body()
    except CasebookError:
        return  # what is wrong with the casebook is told elsewhere
    if not block.says(body):
        yield f"{path}: the block is not what the casebook says now; `casebook install agents-md` writes it anew"


def _wanted(place: Place) -> list[Path]:
    """Give the files that are to have the block, each once: AGENTS.md, and of the others what is there and leads to no other one."""
    first = place.project / FILES[0]
    others = [path for name in FILES[1:] if (path := place.project / name).exists() and not _imports(path, place)]
    return _apart([first, *others])


def _apart(paths: Iterator[Path] | list[Path]) -> list[Path]:
    """Give the paths without those that are links to one that stands before them."""
    found: dict[str, Path] = {}
    for path in paths:
        found.setdefault(os.path.realpath(path), path)
    return list(found.values())


def _imports(path: Path, place: Place) -> bool:
    return path.name == "CLAUDE.md" and _IMPORT.search(read(path, within=place.project) or b"") is not None


WIRING = AgentsMd()
