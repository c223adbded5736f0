"""For whom a learnt case is: what all of its occurrences share (DESIGN section 6, Scope)."""

from __future__ import annotations

from collections.abc import Iterable

from casebook.runtime.journal.records import EventRecord
from casebook.scope import Scope

_NAME_CHARS = 512
"""Characters that a name in a scope may have."""


def shared_scope(occurrences: Iterable[EventRecord], users: int) -> Scope:
    """Give the scope of the case that some occurrences make.

    Args:
        occurrences: of one group; where it is empty the scope names nobody.
        users: different users from whom on a case is for everyone (`policy.detector.users`).

    Returns:
        `user`, `project` and `team`, each where all occurrences share it; of several shared teams the first by name. Never
        `agent`. No `user` where that many different users had the error. A name too long for a scope is cut to its first 512
        characters, so that the case reaches nobody rather than everybody.
    """
    principals = [record.principal for record in occurrences]
    if not principals:
        return Scope()
    named: dict[str, str] = {}
    everybody = {principal.user for principal in principals}
    if len(everybody) == 1 and len(everybody - {None}) < users and (user := principals[0].user):
        named["user"] = user
    projects = {principal.project for principal in principals}
    if len(projects) == 1 and (project := principals[0].project):
        named["project"] = project
    teams = frozenset.intersection(*(principal.teams for principal in principals)) - {""}
    if teams:
        named["team"] = min(teams)
    return Scope(**{key: name[:_NAME_CHARS] for key, name in named.items()})


def users_of(occurrences: Iterable[EventRecord]) -> frozenset[str]:
    """Give the known users among those who had an error."""
    return frozenset(user for record in occurrences if (user := record.principal.user))
