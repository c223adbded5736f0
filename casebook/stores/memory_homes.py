"""Where a memory stands: the file of its tier, kind and session (DESIGN section 9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from casebook.kinds import Kind
from casebook.memory import Memory
from casebook.stores.session_names import session_file

LEARNINGS: Final = "medium_term/recent_learnings.json"
"""Where feedback waits to be judged, and all of L2 that has no file of its own."""

AGED: Final = "short_term/aged.json"
"""What was unused in L2 for too long: still recallable, until a person was told of it."""

_MEDIUM: Mapping[Kind, str] = {
    **dict.fromkeys(("identity", "principle", "preference"), "user_prefs"),
    **dict.fromkeys(("project_state", "decision", "fact", "rule"), "active_projects"),
}
_LONG: Mapping[Kind, str] = {
    "identity": "identity", "principle": "principles", "rule": "principles", "preference": "preferences",
    "decision": "decisions",
}  # fmt: skip


def home_of(memory: Memory) -> str:
    """Give the file that a memory stands in, by its tier and kind, and in L1 by its session; relative to the casebook's folder.

    What aged out of L2 stands in `AGED` instead. Where the file is full, it goes on in `…-2.json` beside it.
    """
    if memory.tier == "L1":
        session = memory.source.session if memory.source is not None else None
        return session_file(session, memory.scope.user)
    if memory.tier == "L2":
        name = _MEDIUM.get(memory.kind)
        return LEARNINGS if name is None else f"medium_term/{name}.json"
    return f"long_term/{_LONG.get(memory.kind, 'knowledge')}.json"
