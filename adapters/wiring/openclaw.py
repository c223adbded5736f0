"""OpenClaw 2026.9: its plugin named in `~/.openclaw/openclaw.json`, and allowed to see what is said (integrations.md, section 1).

The plugin is loaded from where this casebook is installed (`plugins.load.paths`), so that an update of the one is an update of the other.
Without `hooks.allowConversationAccess` OpenClaw gives a plugin that is not its own no hook at which a turn begins.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

from casebook.adapters.wiring.change import Change, ChangeError, read
from casebook.adapters.wiring.executable import casebooks_of, shell_line
from casebook.adapters.wiring.gone import gone
from casebook.adapters.wiring.hook_host import RefusedError
from casebook.adapters.wiring.hook_settings import text_of
from casebook.adapters.wiring.json_splice import (
    NotPlainError,
    made_file,
    put_in,
    put_under,
    read_object,
    replaced,
    taken_out,
)
from casebook.adapters.wiring.openclaw_settings import read_settings, settings
from casebook.adapters.wiring.protocol import Place, Planned, Standing, Wanted

PLUGIN = "casebook"
"""Its id."""
_ENTRY = ("plugins", "entries", PLUGIN)
_PATHS = ("plugins", "load", "paths")
_ALLOW = ("plugins", "allow")


@dataclass(frozen=True, slots=True)
class OpenClaw:
    """The gateway and its plugins. It has no settings of a project."""

    name: str = "openclaw"
    title: str = "OpenClaw"

    def found(self, place: Place) -> str:
        """Give its program's path, else the folder of its state; nothing of a project."""
        if place.level == "project":
            return ""
        program = shutil.which("openclaw", path=place.environment.get("PATH", ""))
        folder = settings(place).parent
        return program or (os.fspath(folder) if folder.is_dir() else "")

    def install(self, place: Place, wanted: Wanted) -> Planned:
        """Plan to name the plugin and to let it see what is said. Raises RefusedError, ChangeError."""
        path = settings(place)
        if place.level == "project":
            raise RefusedError("OpenClaw has no settings of a project; say it without --project")
        command, before = list(wanted.argv(self.name)), read(path)
        entry = _entry(command)
        try:
            after = _installed(before, entry, force=wanted.force)
        except NotPlainError as error:
            _by_hand(path, before, entry, error, force=wanted.force)
            return Planned()
        change = Change(path, before, after)
        return Planned(() if change.is_none else (change,), (_NOTE,))

    def uninstall(self, place: Place, *, force: bool = False) -> Planned:  # noqa: ARG002 - other hosts have what is forced
        """Plan to take the plugin out. Raises RefusedError, ChangeError."""
        path = settings(place)
        before = None if place.level == "project" else read(path)
        if before is None:
            return Planned()
        try:
            after = _uninstalled(before)
        except NotPlainError as error:
            _by_hand_again(path, before, error)
            return Planned()
        change = Change(path, before, after)
        return Planned(() if change.is_none else (change,))

    def standing(self, place: Place, wanted: Wanted) -> Iterator[Standing]:
        """Say whether the plugin is named, and what OpenClaw keeps from it."""
        del wanted
        found, path = self.found(place), settings(place)
        data: bytes | None = None
        try:
            data = read(path)
            value = read_settings(data)
        except ChangeError as error:
            yield Standing(self.name, found, (os.fspath(path),), troubles=(str(error),))
            return
        except NotPlainError as error:
            is_named = data is not None and b"casebook" in data
            told = (f"{path}: cannot be looked at: {error}",) if is_named else ()
            yield Standing(self.name, found, (os.fspath(path),) if is_named else (), troubles=told, faults=told)
            return
        entry = _at(value, _ENTRY)
        if not isinstance(entry, dict):
            yield Standing(self.name, found)
            return
        faults = tuple(_faults(path, value, entry))
        yield Standing(
            self.name, found, (os.fspath(path),), (f"the plugin {PLUGIN}",), (), (*faults, *_troubles(path, value, entry)),
            faults, tuple(_casebooks(entry)),
        )  # fmt: skip


_NOTE = "a gateway that runs takes it by itself; after an update of the casebook: `openclaw plugins reload casebook`"


def plugin_folder() -> str:
    """Give the folder of the plugin, where this casebook is installed."""
    return os.path.realpath(str(files("casebook.adapters.openclaw").joinpath("plugin")))


def _entry(command: list[str]) -> dict[str, Any]:
    return {"enabled": True, "config": {"command": command}, "hooks": {"allowConversationAccess": True}}


def _whole(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {"plugins": {"load": {"paths": [plugin_folder()]}, "entries": {PLUGIN: entry}}}


def _installed(data: bytes | None, entry: Mapping[str, Any], *, force: bool) -> bytes:
    """Give settings that name the plugin. Raises NotPlainError."""
    if data is None:
        return made_file(_whole(entry)).encode()
    mark, text = text_of(data)
    value = read_object(text)
    known, folder = _at(value, _ENTRY), plugin_folder()
    others = [each for each in _ours(value) if each != folder]
    if folder not in (_at(value, _PATHS) or ()):
        text = put_in(text, _PATHS, folder)
    if known is None:
        text = put_under(text, _ENTRY, entry)
    elif not _is_ours(known) and not force:
        raise NotPlainError(
            f"{'.'.join(_ENTRY)}: a plugin of that name that casebook did not put there (--force sets it)"
        )
    elif (made := _renewed(known, entry)) != known:
        text = replaced(text, _ENTRY, made)
    allowed = _at(value, _ALLOW)
    if isinstance(allowed, list) and allowed and PLUGIN not in allowed:
        text = put_in(text, _ALLOW, PLUGIN)
    for other in others:  # of an installation that was here before
        text = _without_item(text, _PATHS, other)
    return (mark + text).encode()


def _by_hand(path: Path, before: bytes | None, entry: Mapping[str, Any], error: NotPlainError, *, force: bool) -> None:
    """Raise RefusedError with what a person has to put in, where it is not in settings that are left as they are."""
    try:
        value = read_settings(before)
        plain = json.dumps(value).encode()
        made = json.loads(_installed(plain, entry, force=force))
    except NotPlainError as told:
        raise RefusedError(f"{path}: {told}; it is left as it is: mend that, and say it again") from None
    left = _left(value, made)
    if left:
        snippet = json.dumps(left, ensure_ascii=False, indent=2)
        raise RefusedError(f"{path}: {error}; it is left as it is, and this is to stand in it, by hand", snippet)


def _left(value: Mapping[str, Any], made: Mapping[str, Any]) -> dict[str, Any]:
    """Give of settings that are wired what others are without."""
    left: dict[str, Any] = {}
    for path in (_PATHS, _ENTRY, _ALLOW):
        if _at(made, path) != _at(value, path):
            inside = left
            for name in path[:-1]:
                inside = inside.setdefault(name, {})
            inside[path[-1]] = _at(made, path)
    return left


def _by_hand_again(path: Path, before: bytes, error: NotPlainError) -> None:
    """Raise RefusedError with what a person has to take out of settings that are left as they are, where something of ours is in them."""
    try:
        value = read_settings(before)
    except NotPlainError as told:
        if PLUGIN.encode() not in before:
            return
        raise RefusedError(f"{path}: {told}; it is left as it is: mend that, and say it again") from None
    if not _is_ours(_at(value, _ENTRY)):
        return
    ours = [".".join(_ENTRY), *(f"{folder} of {'.'.join(_PATHS)}" for folder in _ours(value))]
    if PLUGIN in (_at(value, _ALLOW) or ()):
        ours.append(f"{PLUGIN} of {'.'.join(_ALLOW)}")
    raise RefusedError(f"{path}: {error}; it is left as it is. Take out by hand: {', '.join(ours)}")


def _renewed(known: Any, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Give our entry with the command and the access that it is to have; what else somebody has set in it stays."""
    old = known if isinstance(known, dict) else {}
    made = {**old, "enabled": True}
    for part in ("config", "hooks"):
        held = old.get(part)
        made[part] = {**(held if isinstance(held, dict) else {}), **entry[part]}
    return made


def _uninstalled(data: bytes) -> bytes | None:
    """Give settings without the plugin; None where the file was made for it and nothing else is in it. Raises NotPlainError."""
    mark, text = text_of(data)
    value = read_object(text)
    if not _is_ours(_at(value, _ENTRY)):
        return data
    allowed = _at(value, _ALLOW)
    if isinstance(allowed, list) and PLUGIN in allowed:
        text = _without_item(text, _ALLOW, PLUGIN)
    left = taken_out(text, _ENTRY)
    for folder in _ours(value):
        if left:
            left = _without_item(left, _PATHS, folder)
    return None if not left else (mark + left).encode()


def _without_item(text: str, path: tuple[str, ...], item: str) -> str:
    """Take an item out of a list; an empty text where the file was made for it and nothing is left."""
    held = _at(read_object(text), path)
    at = held.index(item) if isinstance(held, list) and item in held else None
    return text if at is None else taken_out(text, (*path, at)) or ""


def _ours(value: Mapping[str, Any]) -> list[str]:
    """Give the folders of our plugin that are named, of whatever installation."""
    paths = _at(value, _PATHS)
    tail = os.path.join("adapters", "openclaw", "plugin")  # noqa: PTH118 - the end of a path
    return [each for each in paths if isinstance(each, str) and each.endswith(tail)] if isinstance(paths, list) else []


def _is_ours(entry: object) -> bool:
    """Say whether an entry of our name runs our hook, by whatever program: one that is gone or misspelt is to be wired anew."""
    return ("hook", "openclaw") in pairwise(_command(entry))


def _command(entry: object) -> list[str]:
    command = _at(entry, ("config", "command"))
    return list(map(str, command)) if isinstance(command, list) else []


def _casebooks(entry: object) -> Iterator[str]:
    """Give the casebooks that an entry names."""
    yield from casebooks_of(shell_line(tuple(_command(entry))))
    folder = _at(entry, ("config", "dir"))
    if isinstance(folder, str) and folder:
        yield folder


def _at(value: object, path: tuple[str, ...]) -> Any:
    """Give what stands on a path; None where nothing does."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _faults(path: Path, value: Mapping[str, Any], entry: Mapping[str, Any]) -> Iterator[str]:
    """Say what is not there any more, or is not what casebook puts there."""
    install = "casebook install openclaw"
    if not _is_ours(entry):
        yield f"{path}: {'.'.join(_ENTRY)} does not run `hook openclaw`; `{install} --force` sets it"
        return
    yield from gone([shell_line(tuple(_command(entry)))], install, more=_casebooks(entry))
    folders = _ours(value)
    if not folders and not (path.parent / "extensions" / PLUGIN).is_dir():
        yield f"{path}: {'.'.join(_PATHS)} does not name the plugin's folder; `{install}` sets it"
    for folder in folders:
        if not Path(folder).is_dir():
            yield f"{folder}, the plugin, is not there any more; `{install}` wires this casebook"


def _troubles(path: Path, value: Mapping[str, Any], entry: Mapping[str, Any]) -> Iterator[str]:
    cure = "`casebook install openclaw` sets it"
    if _at(entry, ("hooks", "allowConversationAccess")) is not True:
        yield f"{path}: {'.'.join(_ENTRY)}.hooks.allowConversationAccess is not true: no turn is told to the casebook; {cure}"
    if entry.get("enabled") is False:
        yield f"{path}: {'.'.join(_ENTRY)}.enabled is false; {cure}"
    if _at(value, ("plugins", "enabled")) is False:
        yield f"{path}: plugins.enabled is false: OpenClaw loads no plugin; take it out"
    if PLUGIN in (_at(value, ("plugins", "deny")) or ()):
        yield f"{path}: plugins.deny names {PLUGIN}; take it out"
    allowed = _at(value, _ALLOW)
    if isinstance(allowed, list) and allowed and PLUGIN not in allowed:
        yield f"{path}: plugins.allow does not name {PLUGIN}; {cure}"


WIRING = OpenClaw()
