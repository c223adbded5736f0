"""Where hosts are looked for from a folder, and what is to be wired there: the one place where a casebook is opened for it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from casebook.adapters.wiring.executable import hook_arguments, shell_line
from casebook.adapters.wiring.protocol import Level, Place, Wanted
from casebook.clock import Clock
from casebook.faults import CasebookError

if TYPE_CHECKING:
    from casebook.case import LoadedCase
    from casebook.policy import Policy


def place_at(folder: Path, home: Path, environment: Mapping[str, str], level: Level = "user") -> Place:
    """Give where hosts are looked for from a folder.

    Args:
        folder: where the person stands.
        home: their home folder.
        environment: variables.
        level: whose settings are meant.
    """
    here = Path(os.path.abspath(folder))  # noqa: PTH100 - `resolve` would leave the path that the person stands in
    project = next((each for each in (here, *here.parents) if (each / ".git").exists()), here)
    return Place(home, project, environment, level)


def wanted_at(
    place: Place,
    named: Sequence[Path],
    clock: Clock,
    *,
    budget: int | None = None,
    every_tool: bool = False,
    force: bool = False,
) -> Wanted:
    """Give what is to be wired: the casebook is read when it is first needed, and once.

    Args:
        place: where.
        named: casebooks that were named; without any they are those that are found around the project.
        clock: gives the present instant, aware.
        budget: characters of the managed block; None for the usual.
        every_tool: whether hosts tell of all tools.
        force: whether what was changed by hand is replaced.
    """
    from casebook.adapters.wiring.named_tools import named_tools, native_names
    from casebook.adapters.wiring.table import tables_of

    @cache
    def told() -> tuple[frozenset[str] | None, Mapping[str, str]]:
        cases, policy = _served(place, named, clock)
        tools = {} if policy is None else policy.tools
        return named_tools(cases, tools), tools

    def tools(host: str) -> frozenset[str] | None:
        if every_tool:
            return None
        names, policy_tools = told()
        return native_names(names, tables_of(host), policy_tools)

    @cache
    def body() -> str:
        return _body(place, named, clock, budget)

    return Wanted(
        command=lambda host: shell_line(hook_arguments(host, tuple(named))),
        argv=lambda host: hook_arguments(host, tuple(named)),
        tools=tools,
        body=body,
        force=force,
    )


def _served(place: Place, named: Sequence[Path], clock: Clock) -> tuple[tuple[LoadedCase, ...], Policy | None]:
    """Give the cases that a host would be told of here, and the policy; none where nothing serves."""
    from casebook.adapters.trust.opening import store_over
    from casebook.adapters.trust.standing import found_places
    from casebook.runtime.opening import store_of

    store = store_of(named, clock) if named else store_over(found_places(place.project, place.home), clock)
    if store is None:
        return (), None
    snapshot = store.snapshot()
    return tuple(snapshot.cases.values()), snapshot.policy


def _body(place: Place, named: Sequence[Path], clock: Clock, budget: int | None) -> str:
    """Give the managed block of a project: out of its own casebook, where that is trusted, and of no user's."""
    from casebook.adapters.agents_md.body import BUDGET, body_of
    from casebook.adapters.agents_md.standing import Whose
    from casebook.adapters.identity import project_of
    from casebook.adapters.trust.opening import store_over
    from casebook.adapters.trust.standing import found_places
    from casebook.runtime.matching.engines import matcher
    from casebook.runtime.opening import store_of
    from casebook.runtime.runtime import Runtime

    most = BUDGET if budget is None else budget
    own = os.path.realpath(place.home / ".casebook")
    if named:
        folders = [each for each in named if os.path.realpath(each) != own]
        store = store_of(folders, clock) if folders else None
    else:
        found = found_places(place.project, place.home)
        trusted = tuple(each for each in found if each.layer == "project" and each.standing == "trusted")
        store = store_over(trusted, clock)
    if store is None:
        return body_of(None, None, budget=most)
    with Runtime(store, matcher("auto"), clock) as runtime:
        return body_of(runtime, Whose(project_of(place.project), clock()), budget=most)


def workplace(host: str, place: Place) -> Path | None:
    """Give the folder in which a host always works, and from which its hook finds casebooks; None where it works anywhere."""
    from casebook.adapters.wiring.openclaw_settings import workspace

    return workspace(place) if host == "openclaw" else None


def found_at(folder: Path, home: Path) -> tuple[bool, tuple[str, ...]]:
    """Say whether there is a casebook around a folder, and why those that are there are not used; nothing where all are."""
    from casebook.adapters.trust.standing import found_places

    try:
        found = found_places(folder, home)
    except CasebookError as error:
        return True, (str(error),)
    return bool(found), tuple(each.why for each in found if each.why)
