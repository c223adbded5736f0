"""What a caller may do: five roles, each of which may do all that those before it may."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, get_args

from casebook.faults import CasebookError, nearest

if TYPE_CHECKING:
    from casebook.adapters.identity import Caller

Role = Literal["reader", "reporter", "author", "reviewer", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
"""From the one that may do least to the one that may do all."""

Action = Literal[
    "before_task", "match", "session_start", "recall", "explain", "after_task", "remember", "draft", "approve", "review", "edit",
    "team_scope", "tokens", "forget", "purge", "maintain",
]  # fmt: skip

LEAST: Mapping[Action, Role] = {
    "before_task": "reader", "match": "reader", "session_start": "reader", "recall": "reader", "explain": "reader",
    "after_task": "reporter",
    "remember": "author", "draft": "author",
    "approve": "reviewer", "review": "reviewer", "edit": "reviewer", "team_scope": "reviewer",
    "tokens": "admin", "forget": "admin", "purge": "admin", "maintain": "admin",
}  # fmt: skip
"""The least role that may do each."""


class ForbiddenError(CasebookError):
    """A caller's role does not allow what it asks for.

    Attributes:
        action: what was asked for.
        role: the caller's.
        needed: the least that may.
        field: of what was said, where it is that field that asks for it; else empty.
    """

    def __init__(self, action: Action, role: Role, needed: Role, field: str = "") -> None:
        self.action, self.role, self.needed, self.field = action, role, needed, field
        super().__init__(f"{field or action}: expected the role {needed} or one above it, got {role}")


def role_named(name: str) -> Role:
    """Give a role by its name. Raises CasebookError, with the nearest name, where there is none."""
    for each in ROLES:
        if each == name:
            return each
    near = nearest(name, ROLES)
    raise CasebookError(
        f"role: expected one of {', '.join(ROLES)}, got {name!r}" + (f"; did you mean {near}?" if near else "")
    )


def may(caller: Caller, action: Action) -> bool:
    """Say whether a caller may do something."""
    return ROLES.index(caller.role) >= ROLES.index(LEAST[action])


def refuse(caller: Caller, action: Action, field: str = "") -> None:
    """Raise ForbiddenError where a caller may not do something, or say it in a field."""
    if not may(caller, action):
        raise ForbiddenError(action, caller.role, LEAST[action], field)
