"""Hooks in the settings of Claude Code, and of those hosts that took over their form: Codex and Gemini CLI.

`{"hooks": {EVENT: [{"matcher": …, "hooks": [{"type": "command", "command": …, "timeout": …}]}]}}`. Ours stand last of an event, in a
group of their own: Codex knows the hooks that a person has trusted by their numbers.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from casebook.adapters.wiring.executable import is_hook
from casebook.adapters.wiring.json_splice import NotPlainError, made_file, put_in, read_object, replaced, taken_out
from casebook.problems import Path

_BOM = "\ufeff"
_NAMES = re.compile(r"[\w|]+", re.ASCII)
_PLAIN = re.compile(r"\w+", re.ASCII)
_SPECIAL, _ESCAPED = re.compile(r"[.^$*+?()\[\]{}|\\]"), r"\\\g<0>"
"""What a regular expression means something by, in JavaScript and in Rust; `re.escape` escapes more than both take everywhere."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a host that is wired.

    Attributes:
        name: the host's.
        of_tools: whether it is about tools, and so may be narrowed to some.
        timeout: where the host gives it less time than others, in its own unit.
        only: the one cause of which it is to be told, as the host's matcher takes it; empty for all.
    """

    name: str
    of_tools: bool = False
    timeout: int | None = None
    only: str = ""


@dataclass(frozen=True, slots=True)
class Wired:
    """One of our commands in the settings.

    Attributes:
        event: of the host.
        group: its number in the list of the event, from 0.
        handler: its number in the group, from 0.
        alone: whether nobody else's command is in the group.
        matcher: of the group; None where it has none.
        command: as it stands.
    """

    event: str
    group: int
    handler: int
    alone: bool
    matcher: str | None
    command: str


def wanted_groups(
    events: Sequence[Event], command: str, tools: frozenset[str] | None, *, timeout: int, by_name: bool
) -> dict[str, dict[str, Any]]:
    """Give the group that each event is to have.

    Args:
        events: of the host.
        command: for its shell.
        tools: native names; None for all.
        timeout: in the host's own unit.
        by_name: as `matcher_of` takes it.
    """
    narrowed: dict[str, Any] = {} if tools is None else {"matcher": matcher_of(tools, by_name=by_name)}
    made = {}
    for each in events:
        handler = {"type": "command", "command": command, "timeout": each.timeout or timeout}
        caused = {"matcher": each.only} if each.only else {}
        made[each.name] = {**(narrowed if each.of_tools else caused), "hooks": [handler]}
    return made


def matcher_of(tools: frozenset[str], *, by_name: bool) -> str:
    """Give a regular expression that matches these names and no others.

    Args:
        tools: native names.
        by_name: whether the host takes names with bars between them as they stand; else, and where a name has other signs than letters,
            the expression says where it begins and ends.
    """
    names = sorted(tools)
    if by_name and all(_PLAIN.fullmatch(name) for name in names):
        return "|".join(names)
    return f"^({'|'.join(_SPECIAL.sub(_ESCAPED, name) for name in names)})$"


def matches(matcher: str, tool: str) -> bool:
    """Say whether a matcher, of whatever hand, takes a tool, as Claude Code reads it; one that is no expression takes none."""
    if matcher in ("", "*"):
        return True
    if _NAMES.fullmatch(matcher):
        return tool in matcher.split("|")
    try:
        return re.search(matcher, tool) is not None
    except re.error:
        return False


def wired_in(settings: Mapping[str, Any], host: str) -> Iterator[Wired]:
    """Give our commands in settings, in their order; what is not of the form of hooks is passed over."""
    hooks = settings.get("hooks")
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for number, group in enumerate(groups if isinstance(groups, list) else ()):
            handlers = group.get("hooks") if isinstance(group, dict) else None
            if not isinstance(handlers, list):
                continue
            ours = [
                at for at, each in enumerate(handlers) if isinstance(each, dict) and is_hook(each.get("command"), host)
            ]
            for at in ours:
                yield Wired(
                    event, number, at, len(ours) == len(handlers), _text(group.get("matcher")), handlers[at]["command"]
                )


def installed(data: bytes | None, host: str, wanted: Mapping[str, Mapping[str, Any]]) -> bytes:
    """Give settings in which each event has its group, and no other has a command of ours.

    Args:
        data: the bytes of the file; None where there is none.
        host: whose hook it is.
        wanted: by event, the group that it is to have.

    Raises:
        NotPlainError: the settings are no strict JSON, or not of the form that hooks have.
    """
    if data is None:
        return made_file({"hooks": {event: [group] for event, group in wanted.items()}}).encode()
    mark, text = text_of(data)
    settings = read_object(text)
    kept: dict[str, int] = {}
    for each in wired_in(settings, host):
        if each.alone and each.event in wanted:
            kept.setdefault(each.event, each.group)
    for event, group in wanted.items():
        number = kept.get(event)
        if number is None:
            text = put_in(text, ("hooks", event), group)
            kept[event] = len(read_object(text)["hooks"][event]) - 1
        else:
            known = settings["hooks"][event][number]
            made = _renewed(known, group)
            text = text if made == known else replaced(text, ("hooks", event, number), made)
    for each in reversed(list(wired_in(read_object(text), host))):
        if kept.get(each.event) != each.group:
            text = _without(text, each) or text
    return (mark + text).encode()


def _renewed(known: Mapping[str, Any], group: Mapping[str, Any]) -> dict[str, Any]:
    """Give a group of ours with the matcher and the command that it is to have; what else somebody has set in it stays."""
    (handler,) = group["hooks"]
    first, *_ = known["hooks"]
    made = {name: value for name, value in known.items() if name != "matcher" or "matcher" in group}
    if "matcher" in group:
        made["matcher"] = group["matcher"]
    return {**made, "hooks": [{**handler, **first, "command": handler["command"]}]}


def uninstalled(data: bytes, host: str) -> bytes | None:
    """Give settings without our commands; None where the file was made for them and nothing else is in it.

    Raises:
        NotPlainError: the settings are no strict JSON.
    """
    mark, text = text_of(data)
    while True:
        ours = list(wired_in(read_object(text), host))
        if not ours:
            return (mark + text).encode()
        left = _without(text, ours[-1])
        if left is None:
            return None
        text = left


def snippet(wanted: Mapping[str, Mapping[str, Any]]) -> str:
    """Give what a person puts into the settings by hand."""
    lines = [f"    {json.dumps(event)}: {json.dumps([group], ensure_ascii=False)}" for event, group in wanted.items()]
    return "\n".join(("{", '  "hooks": {', ",\n".join(lines), "  }", "}"))


def text_of(data: bytes) -> tuple[str, str]:
    """Give the byte order mark, if there is one, and the text. Raises NotPlainError where it is no UTF-8."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise NotPlainError("expected UTF-8, found UTF-16")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise NotPlainError(f"expected UTF-8, found the byte 0x{data[error.start]:02x} at {error.start}") from None
    return (_BOM, text[1:]) if text.startswith(_BOM) else ("", text)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _without(text: str, ours: Wired) -> str | None:
    """Take one of our commands out: its whole group where it is alone in it."""
    path: Path = ("hooks", ours.event, ours.group)
    return taken_out(text, path if ours.alone else (*path, "hooks", ours.handler))
