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


_NO_TEAMS: frozenset[str] = frozenset()
_last: tuple[Task | None, Principal] = (None, Principal(None, None, _NO_TEAMS, None))


def principal_of(task: Task) -> Principal:
    """Give the principal of a task; every room of an answer asks for it, so the last one is kept."""
    global _last  # noqa: PLW0603  # one tuple, put in one step: threads may work it out twice, and never mix it up
    known = _last
    if known[0] is task:
        return known[1]
    teams = frozenset(nfc(team) for team in task.team if team) if task.team else _NO_TEAMS
    principal = Principal(_name(task.user), _name(task.project), teams, _name(task.agent))
    _last = (task, principal)
    return principal


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

    A fault about the policy, or about a case that is known to be within reach, is shown as it is, unless it names a case that
    is not known to be, whether it serves or not. A fault about a case known to be out of reach is not shown, and neither is a
    warning that a superseded case is not here: who is told so of one id and not of another knows which one somebody else has.
    Of the rest, a file that does not parse among them, only the file, the line and the kind are shown, once: its message may
    quote somebody else's case.

    Args:
        faults: the snapshot's faults, or some of them.
        snapshot: the casebook, whose cases say who is within reach.
        principal: who asks.
        scope_of: tells the scope of the case at fault. Without it only a warning about a case that serves is known: an error
            speaks of a text that does not serve, and what serves under its id may be another case, or an earlier one.
    """
    judged = [(each, _known(each, snapshot, principal, scope_of)) for each in faults if not _tells_absence(each)]
    names = _Names(
        {each.id: reachable(each, principal) for each in snapshot.cases.values()} if judged else {},
        frozenset(fault.case for fault, known in judged if known and fault.case is not None),
        frozenset(fault.case for fault, known in judged if not known and fault.case is not None),
    )
    shown: dict[Fault, None] = {}
    for fault, known in judged:
        if known is False:
            continue
        if known and not _names_hidden(fault, names):
            shown[fault] = None
        else:
            shown[place_only(fault)] = None
    return tuple(shown)


@dataclass(frozen=True, slots=True)
class _Names:
    """Which ids a principal may know of.

    Attributes:
        serving: the ids of cases that serve, and whether each is within reach.
        within: ids of cases at fault that are within reach.
        unsure: ids of cases at fault that are not, or of which that is not known.
    """

    serving: Mapping[str, bool]
    within: frozenset[str]
    unsure: frozenset[str]

    def hidden(self, name: str) -> bool:
        """Say whether a word is the id of a case that is not known to be within reach."""
        return not self.serving.get(name, True) or (name in self.unsure and not self.known(name))

    def known(self, name: str) -> bool:
        """Say whether a word is the id of a case within reach, and of no other that serves."""
        return self.serving.get(name, name in self.within)


def _tells_absence(fault: Fault) -> bool:
    """Say whether a fault warns of an id in `supersedes` that nobody has."""
    return fault.severity == "warning" and (fault.field or "").startswith("supersedes[")


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


def _names_hidden(fault: Fault, names: _Names) -> bool:
    """Say whether the words of a fault name a case that the principal may not know of."""
    words = f"{fault.message} {fault.suggestion or ''}"
    if any(names.hidden(each) for name in _ID.findall(words) for each in (name, name.rstrip("."))):
        return True
    if fault.field != "supersedes" or fault.severity != "error" or "→" not in words:
        return False
    # a cycle: none of its cases serves, so that every one must be known from elsewhere
    ring = _ID.findall(fault.message.rpartition(" got ")[2])
    return not all(name == fault.case or names.known(name) for name in ring)


def place_only(fault: Fault) -> Fault:
    """Give a fault as whoever is told may see it whose case, or memory, it may not be: its file, its line and its severity."""
    return replace(fault, message=_GENERIC[fault.severity], column=None, case=None, field=None, suggestion=None)
