"""The facts of one task: what a condition can see, flat at the top, resolved once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from casebook.conditions.tree import Field

Event = Mapping[str, Any]
"""An event of the session: `kind` (tool task error feedback), `at` (an aware datetime) and its own fields, as in `Facts.values`
(`tool tool_native action program path args ok error text intent …`). None is missing."""


@dataclass(frozen=True, slots=True)
class Facts:
    """A task as the engine sees it.

    Attributes:
        values: the known names to their values: str (NFC), int, float, bool, list, or for `args context session error`
            and declared fields a mapping of more of these. A name that is absent or None is missing.
        at: the task's instant, aware, UTC.
        history: the events before it in its session, in order of arrival.
    """

    values: Mapping[str, Any]
    at: datetime
    history: Sequence[Event] = field(default=())

    def get(self, wanted: Field) -> Any:
        """Give the value of a field, or None where it is missing."""
        return resolve(self.values, wanted)


def resolve(values: Mapping[str, Any], wanted: Field) -> Any:
    """Walk a field's path through mappings and lists; None where it leads nowhere. `session` alone is the session's id."""
    if wanted.path == ("session",):
        session = values.get("session")
        return session.get("id") if isinstance(session, Mapping) else session
    found: Any = values
    for segment in wanted.path:
        if isinstance(found, Mapping):
            found = found.get(segment if isinstance(segment, str) else str(segment))
        elif isinstance(found, list) and isinstance(segment, int):
            found = found[segment] if segment < len(found) else None
        else:
            return None
        if found is None:
            return None
    return found
