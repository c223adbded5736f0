"""OpenCode 1.18: a plugin of one file, `.opencode/plugin/casebook.js` of a project, or in `~/.config/opencode` (integrations.md, section 3)."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from casebook.adapters.wiring.change import Change, ChangeError, read
from casebook.adapters.wiring.executable import casebooks_of, shell_line
from casebook.adapters.wiring.gone import gone
from casebook.adapters.wiring.hook_host import RefusedError, levels_of
from casebook.adapters.wiring.protocol import Place, Planned, Standing, Wanted

_EVENTS = ("chat.message", "tool.execute", "event")
_HEAD = re.compile(r"// Made by `casebook install opencode`\. v:1 hash:([0-9a-f]{12})\n")
_COMMAND = re.compile(r"^const COMMAND = (\[.*\]);$", re.MULTILINE)
_TOOLS = re.compile(r"^const TOOLS = ([^;]*);", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class OpenCode:
    """The plugin."""

    name: str = "opencode"
    title: str = "OpenCode"

    def found(self, place: Place) -> str:
        """Give its program's path, else the folder of its settings."""
        program = shutil.which("opencode", path=place.environment.get("PATH", ""))
        folders = (_home(place), place.project / ".opencode")
        return program or next((os.fspath(each) for each in folders if each.is_dir()), "")

    def install(self, place: Place, wanted: Wanted) -> Planned:
        """Plan to write the plugin. Raises RefusedError, ChangeError."""
        path = _file(place)
        before = read(path, within=_within(place))
        _refuse_others(path, before, force=wanted.force)
        change = Change(path, before, _plugin(wanted.argv(self.name), wanted.tools(self.name)))
        return Planned(() if change.is_none else (change,))

    def uninstall(self, place: Place, *, force: bool = False) -> Planned:
        """Plan to take the plugin away. Raises RefusedError, ChangeError."""
        path = _file(place)
        before = read(path, within=_within(place))
        if before is None or not _head(before):
            return Planned()
        _refuse_others(path, before, force=force)
        tidy = (path.parent, path.parent.parent) if place.level == "project" else (path.parent,)
        return Planned((Change(path, before, None, tidy=tidy),))

    def standing(self, place: Place, wanted: Wanted) -> Iterator[Standing]:
        """Say how it stands at each level at which the plugin is there; once where it is at none."""
        found, told = self.found(place), False
        for at in levels_of(place, _file):
            path = _file(at)
            try:
                data = read(path, within=_within(at))
            except ChangeError as error:
                told = True
                yield Standing(self.name, found, (os.fspath(path),), troubles=(str(error),))
                continue
            if data is not None and _head(data):
                told = True
                command = _command(data)
                faults = tuple(gone((command,), "casebook install opencode"))
                troubles = (*faults, *_troubles(path, data, wanted.tools(self.name)))
                yield Standing(
                    self.name, found, (os.fspath(path),), _EVENTS, _named(data), troubles, faults, casebooks_of(command)
                )
        if not told:
            yield Standing(self.name, found)


def _home(place: Place) -> Path:
    base = Path(place.environment.get("XDG_CONFIG_HOME", ""))
    return (base if base.is_absolute() else place.home / ".config") / "opencode"


def _file(place: Place) -> Path:
    folder = place.project / ".opencode" if place.level == "project" else _home(place)
    return folder / "plugin" / "casebook.js"


def _within(place: Place) -> Path | None:
    return place.project if place.level == "project" else None


def _plugin(command: tuple[str, ...], tools: frozenset[str] | None) -> bytes:
    """Give the plugin for a command, with a head by which it is known again."""
    text = files("casebook.adapters.wiring").joinpath("data/opencode.js").read_text(encoding="utf-8")
    named = "null" if tools is None else json.dumps(sorted(tools), ensure_ascii=False)
    text = _COMMAND.sub(lambda _: f"const COMMAND = {json.dumps(list(command), ensure_ascii=False)};", text, count=1)
    text = _TOOLS.sub(lambda _: f"const TOOLS = {named};", text, count=1)
    return f"// Made by `casebook install opencode`. v:1 hash:{_hash(text)}\n{text}".encode()


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]


def _head(data: bytes) -> re.Match[str] | None:
    return _HEAD.match(data.decode("utf-8", "replace").replace("\r\n", "\n"))


def _is_edited(data: bytes) -> bool:
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    head = _HEAD.match(text)
    return head is None or _hash(text[head.end() :]) != head[1]


def _refuse_others(path: Path, data: bytes | None, *, force: bool) -> None:
    if data is None or force:
        return
    if not _head(data):
        raise RefusedError(
            f"{path}: a file that casebook did not make; it is left as it is (move it away, or say --force)"
        )
    if _is_edited(data):
        raise RefusedError(
            f"{path}: changed by hand, and left as it is (move what you wrote out of it, or say --force)"
        )


def _named(data: bytes) -> tuple[str, ...]:
    named = _value(_TOOLS, data)
    return tuple(map(str, named)) if isinstance(named, list) else ()


def _command(data: bytes) -> str:
    command = _value(_COMMAND, data)
    return shell_line(tuple(map(str, command))) if isinstance(command, list) else ""


def _troubles(path: Path, data: bytes, wanted: frozenset[str] | None) -> Iterator[str]:
    if _is_edited(data):
        yield f"{path}: changed by hand; `casebook install opencode --force` writes it anew"
    named = _value(_TOOLS, data)
    if isinstance(named, list) and (wanted is None or wanted - set(map(str, named))):
        left = "all tools" if wanted is None else ", ".join(sorted(wanted - set(map(str, named))))
        yield f"cases concern {left}, and OpenCode does not tell of them; `casebook install opencode` wires it"


def _value(constant: re.Pattern[str], data: bytes) -> Any:
    """Give the value of a constant of the plugin; None where it is not there, or not as we write it."""
    found = constant.search(data.decode("utf-8", "replace"))
    try:
        return json.loads(found[1]) if found else None
    except ValueError:
        return None


WIRING = OpenCode()
