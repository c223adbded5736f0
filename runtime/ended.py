"""A session that ends: what it leaves, and whether there was one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from casebook.problems import shown
from casebook.reprs import told

if TYPE_CHECKING:
    from casebook.runtime.memory.layers import Layer
    from casebook.runtime.upkeep.protocol import Report
    from casebook.stores.memory_store import Placed

_LOOKED_AT = 200
"""Answers of a session that are looked at, the newest: they are of one user, but where two users have one id."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What the end of a session leaves.

    Attributes:
        session: its id.
        remembered: what was remembered in it and stands, where it stands.
        reports: what upkeep did with its memories.
        warnings: what was odd, a sentence each, such as that nothing is known of such a session.
    """

    session: str
    remembered: tuple[Placed, ...]
    reports: tuple[Report, ...] = ()
    warnings: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Tell it in short: which memories it leaves, and what was done."""
        done = [f"{move.kind} {move.subject}" for report in self.reports for move in report.done]
        left = [placed.memory.id for placed in self.remembered]
        return told(self, session=self.session, remembered=left, done=done, warnings=list(self.warnings))


def unknown(layers: Sequence[Layer], session: str, user: str | None) -> tuple[str, ...]:
    """Give a warning where nothing was asked, reported or remembered in a session of a user, else nothing.

    Args:
        layers: the casebooks, of which the first has the journal of tasks; none where they hold no memories.
        session: the id, as it is kept.
        user: whose session it is, as the name is kept; None for nobody's.
    """
    if not layers or _is_known(layers, session, user):
        return ()
    whose = "without a user" if user is None else f"of {shown(user)}"
    what = "nothing was asked, reported or remembered in it"
    return (f"no session {shown(session)} {whose} is known: {what}; a session is its id and its user",)


def _is_known(layers: Sequence[Layer], session: str, user: str | None) -> bool:
    journal = layers[0].journal
    if any(each.principal.user == user for each in journal.activations(session=session, limit=_LOOKED_AT)):
        return True
    if any(each.principal.user == user for each in journal.events(session=session, limit=_LOOKED_AT)):
        return True
    return any(
        placed.memory.source is not None
        and placed.memory.source.session == session
        and placed.memory.scope.user in (None, user)
        for layer in layers
        for placed in layer.memories.snapshot().memories.values()
    )
