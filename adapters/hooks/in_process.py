"""An event dealt with in the hook's own process: the casebooks around the agent's folder, opened for this one event."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from casebook.adapters.hooks.answering import Served, answer
from casebook.adapters.hooks.client import own_folder
from casebook.adapters.hooks.event import Event, Reply
from casebook.adapters.hooks.folder import folder_of
from casebook.adapters.identity import identity_at
from casebook.adapters.trust.opening import home_folder, store_over
from casebook.adapters.trust.standing import found_places
from casebook.clock import Clock
from casebook.runtime.matching.engines import EngineChoice, matcher
from casebook.runtime.opening import store_of
from casebook.runtime.runtime import Runtime


def answer_here(name: str, raw: bytes, options: Namespace, clock: Clock) -> Reply:
    """Answer one event of a host in this process.

    Args:
        name: of the host.
        raw: what stood on stdin.
        options: `dir`, folders that were named, and `engine`.
        clock: gives the present instant, aware.

    Raises:
        CasebookError: there is no such host.
    """
    opened: list[Runtime] = []

    def serve(event: Event) -> Served | None:
        start = folder_of(event.cwd, own_folder())
        named = options.dir or ([os.environ["CASEBOOK_DIR"]] if os.environ.get("CASEBOOK_DIR") else [])
        served = _named(named, start, clock, options.engine) if named else _found(start, clock, options.engine)
        if served is not None and isinstance(served.casebook, Runtime):
            opened.append(served.casebook)
        return served

    try:
        return answer(name, raw, serve, clock)
    finally:
        for each in opened:
            each.close()


def _named(names: Sequence[str], start: Path, clock: Clock, engine: EngineChoice) -> Served:
    """Serve folders that were named, the first wins; whoever names one has chosen it."""
    folders = [Path(each).expanduser() for each in names]
    store = store_of(folders, clock)
    runtime = Runtime(store, matcher(engine), clock, store.snapshot().policy.patient(), completes=False)
    return Served(runtime, identity_at(start, folders))


def _found(start: Path, clock: Clock, engine: EngineChoice) -> Served | None:
    """Serve what is the user's own or trusted around a folder; of the rest a person is told, once a session."""
    places = found_places(start, home_folder())
    store = store_over(places, clock)
    notice = "; ".join(each.why for each in places if not each.is_served)
    if store is None:
        return Served(None, {}, notice) if notice else None
    runtime = Runtime(store, matcher(engine), clock, store.snapshot().policy.patient(), completes=False)
    return Served(runtime, identity_at(start, [each.path for each in places if each.is_served]), notice)
