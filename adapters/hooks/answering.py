"""From what a host wrote on stdin to what it reads on stdout, over a casebook that is open. Whatever goes wrong, the host goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from casebook.adapters.exchange import Exchange
from casebook.adapters.hooks.dealing import Dealing
from casebook.adapters.hooks.event import SILENT, Codec, Event, HookInputError, Reply
from casebook.adapters.hooks.event_json import named_in, read_json
from casebook.adapters.hooks.memo import memo_path, remembered, sweep_memos
from casebook.adapters.hosts import host_of, nearest_host
from casebook.adapters.protocol import Asked, Host
from casebook.clock import Clock, system_clock
from casebook.faults import CasebookError
from casebook.limits import TASK_BYTES
from casebook.user_state import state_folder

PAYLOAD_BYTES = 32 * TASK_BYTES
"""Bytes of one event that are read; a tool's output may be longer than a task may (ours)."""

_HEAD = 65_536
"""Bytes of an event that cannot be read in which its name is looked for: hosts write what is long last (ours)."""

HOOK_HOSTS = ("claude-code", "codex", "gemini", "openclaw", "opencode")
"""The hosts that run `casebook hook`."""

_SHOWING = frozenset({"claude-code", "codex", "gemini"})
"""Hosts that have words for their person, beside those for the model (run: they reach no model). What a hook writes on stderr they show
to nobody as long as all is well; but for Gemini CLI, which shows it where nothing stands on stdout."""


@dataclass(frozen=True, slots=True)
class Served:
    """A casebook that serves an event.

    Attributes:
        casebook: in service; None where what was found is not trusted, so that only `notice` is told.
        whose: user and project, as this process knows them.
        notice: what a person is to be told of it, once a session; empty where nothing is.
    """

    casebook: Asked | None
    whose: Mapping[str, Any]
    notice: str = ""


Serve = Callable[[Event], Served | None]
"""Gives the casebook for an event, by the folder in which its agent works; None where there is none. May raise CasebookError."""


def hook_host(name: str) -> Host:
    """Give a host that runs `casebook hook`. Raises CasebookError, with the nearest name, where there is none."""
    if name not in HOOK_HOSTS:
        near = nearest_host(name, HOOK_HOSTS)
        cure = f"; did you mean {near}?" if near else ""
        raise CasebookError(f"hook: expected one of {', '.join(HOOK_HOSTS)}, got {name!r}{cure}")
    return host_of(name)


def codec_of(host: Host) -> Codec:
    """Give the codec of a host."""
    return cast("Codec", import_module(f"casebook.adapters.{host.module}"))


def event_of(host: Host, raw: bytes) -> Event:
    """Read what a host wrote.

    Raises:
        HookInputError: it is no JSON object, or no event of this host.
    """
    if len(raw) > PAYLOAD_BYTES:
        raise HookInputError(f"expected an event of at most {PAYLOAD_BYTES:,} bytes, got {len(raw):,} or more")
    try:
        form = read_json(raw.decode("utf-8", "replace"))
    except ValueError as error:
        raise HookInputError(f"expected an event of {host.title} as a JSON object: {error}") from None
    if not isinstance(form, dict):
        raise HookInputError(f"expected an event of {host.title} as a JSON object, got {type(form).__name__}")
    return codec_of(host).read(form)


def answer(name: str, raw: bytes, serve: Serve, clock: Clock = system_clock) -> Reply:
    """Answer one event of a host; trouble is words on stderr and exit code 0, so that the host goes on.

    Args:
        name: of the host.
        raw: what stood on stdin.
        serve: gives the casebook.
        clock: gives the present instant, aware.

    Raises:
        CasebookError: there is no such host.
    """
    host = hook_host(name)
    try:
        try:
            event = event_of(host, raw)
        except HookInputError as error:
            return _unread(host, raw, error, serve)
        if event.kind == "other":
            return SILENT
        served = serve(event)
        if served is None:
            return SILENT
        if served.casebook is None:
            return _noticed(host, event, served.notice, SILENT)
        return _dealt(host, event, served, Exchange(served.casebook, host), clock)
    except Exception as error:  # noqa: BLE001 - a casebook in trouble breaks no host
        return Reply(stderr=f"casebook: {error if isinstance(error, CasebookError) else repr(error)}\n")


def _unread(host: Host, raw: bytes, error: HookInputError, serve: Serve) -> Reply:
    """Answer an event that cannot be read: the host goes on, unless it is of a call and the policy lets none pass that was not looked at."""
    told = Reply(stderr=_words(str(error)))
    try:
        event = codec_of(host).read(named_in(raw[:_HEAD].decode("utf-8", "replace")))
    except HookInputError:
        return told
    served = serve(event) if event.kind == "tool" else None
    if served is None or served.casebook is None:
        return told
    said = Exchange(served.casebook, host).unreadable(event.tool, str(error))
    return told if said.verdict == "allow" else replace(codec_of(host).write(event, said), stderr=told.stderr)


def _dealt(host: Host, event: Event, served: Served, exchange: Exchange, clock: Clock) -> Reply:
    dealing = Dealing(exchange, served.whose)
    folder = hooks_folder()
    with remembered(memo_path(folder, host.name, event.session) if folder else None) as memo:
        said = dealing.deal(event, memo)
    if folder:
        sweep_memos(folder, clock().timestamp(), event.session)
    reply = codec_of(host).write(event, said)
    notice = served.notice
    if event.kind == "session_start" and not event.cut:
        from casebook.adapters.hooks.waits import what_waits

        notice = "; ".join(filter(None, (notice, what_waits(exchange.casebook, clock))))
    return _noticed(host, event, notice, replace(reply, stderr=reply.stderr + _words(said.trouble)))


def hooks_folder() -> Path | None:
    """Give the folder of the sessions' memos, in the user's state folder; None where the user has no home."""
    try:
        return state_folder() / "hooks"
    except RuntimeError:
        return None


def _noticed(host: Host, event: Event, notice: str, reply: Reply) -> Reply:
    """Tell a person, once a session, what is to be told of the casebooks that were found; no model is told of it."""
    if not notice or event.kind != "session_start":
        return reply
    stdout = reply.stdout
    if host.name in _SHOWING:
        shown = {"systemMessage": f"casebook: {notice}", **json.loads(stdout or "{}")}
        stdout = json.dumps(shown, ensure_ascii=False)
    return replace(reply, stdout=stdout, stderr=reply.stderr + _words(notice))


def _words(*sentences: str) -> str:
    return "".join(f"casebook: {each}\n" for each in sentences if each)
