"""Isolation: what a task may see at all. Decided before anything else, and the same for cases and for faults."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from casebook.case import LoadedCase
from casebook.conditions.fold import nfc
from casebook.faults import Fault
from casebook.scope import Scope
from casebook.stores.protocol import Snapshot
from casebook.task import Task

ScopeOf = Callable[[Fault], Scope | None]
"""Takes a fault and gives the scope of the case at fault, or None where it is not known."""

_ID = re.compile(r"[A-Za-z0-9_.\-]+")
_GENERIC: Mapping[str, str] = {
    "error": "something here does not serve; `casebook check` says what",
    "warning": "something here deserves a look; `casebook check` says what",
}


@dataclass(frozen=True, slots=True)
class Principal:
    """Who asks, in NFC: the user, the project, the user's teams, the agent. None and the empty text name nobody."""

    user: str | None
    project: str | None
    teams: frozenset[str]
    agent: str | None


def principal_of(task: Task) -> Principal:
    """Give the principal of a task."""
    teams = frozenset(nfc(team) for team in task.team or () if team)
    return Principal(_name(task.user), _name(task.project), teams, _name(task.agent))


def _name(name: str | None) -> str | None:
    return nfc(name) if name else None


def within(scope: Scope, principal: Principal) -> bool:
    """Say whether all that a scope names are the principal's; a scope that names nobody is everyone's."""
    return (
        (scope.user is None or nfc(scope.user) == principal.user)
        and (scope.project is None or nfc(scope.project) == principal.project)
        and (scope.team is None or nfc(scope.team) in principal.teams)
        and (scope.agent is None or nfc(scope.agent) == principal.agent)
    )


def reachable(case: LoadedCase, principal: Principal) -> bool:
    """Say whether a task of this principal may know that there is such a case."""
    return within(case.case.scope, principal)


def as_wide(scope: Scope, other: Scope) -> bool:
    """Say whether a scope holds for every principal for whom the other holds: it names nothing that the other does not."""
    return scope.named.items() <= other.named.items()


def visible_faults(
    faults: Iterable[Fault], snapshot: Snapshot, principal: Principal, *, scope_of: ScopeOf | None = None
) -> tuple[Fault, ...]:
    """Give the faults as a principal may see them.

    A fault about the policy, or about a case that is known to be within reach, is shown as it is, unless it names a case out
    of reach. A fault about a case known to be out of reach is not shown. Of the rest, a file that does not parse among them,
    only the file, the line and the kind are shown, once: its message may quote somebody else's case.

    Args:
        faults: the snapshot's faults, or some of them.
        snapshot: the casebook, whose cases say who is within reach.
        principal: who asks.
        scope_of: tells the scope of the case at fault. Without it only a warning about a case that serves is known: an error
            speaks of a text that does not serve, and what serves under its id may be another case, or an earlier one.
    """
    shown: dict[Fault, None] = {}
    for fault in faults:
        known = _known(fault, snapshot, principal, scope_of)
        if known is False:
            continue
        if known and not _names_hidden(fault, snapshot, principal):
            shown[fault] = None
        else:
            shown[_place_only(fault)] = None
    return tuple(shown)


def _known(fault: Fault, snapshot: Snapshot, principal: Principal, scope_of: ScopeOf | None) -> bool | None:
    """Say whether the case at fault is within reach; None where that is not known."""
    if fault.path.endswith((".yaml", ".yml")) and fault.case is None:
        return True
    serving = snapshot.cases.get(fault.case) if fault.case is not None else None
    if (
        serving is not None
        and fault.severity == "warning"
        and (serving.layer, serving.path) == (fault.layer, fault.path)
    ):
        return reachable(serving, principal)
    scope = scope_of(fault) if scope_of is not None else None
    if scope is not None:
        return within(scope, principal)
    if serving is not None and not reachable(serving, principal):
        return False
    return None


def _names_hidden(fault: Fault, snapshot: Snapshot, principal: Principal) -> bool:
    """Say whether the words of a fault name a case that the principal may not know of."""
    for name in _ID.findall(f"{fault.message} {fault.suggestion or ''}"):
        for wanted in (name, name.rstrip(".")):
            named = snapshot.cases.get(wanted)
            if named is not None and not reachable(named, principal):
                return True
    return False


def _place_only(fault: Fault) -> Fault:
    return replace(fault, message=_GENERIC[fault.severity], column=None, case=None, field=None, suggestion=None)
