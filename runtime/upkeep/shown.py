"""What a person was shown of the moves of upkeep: entries `digest` of the audit log, and what they confirmed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from casebook.runtime.upkeep.protocol import Desk


def aged_shown(desk: Desk) -> Mapping[str, datetime]:
    """Give by memory when a person last saw that it aged: in a digest, or by confirming the move. Raises StoreError."""
    found: dict[str, datetime] = {}
    for entry in desk.journal.entries(actions=("digest", "confirm")):
        if entry.at > desk.now:
            continue
        aged = entry.body.get("aged")
        for memory_id in aged if isinstance(aged, list) else ():
            if isinstance(memory_id, str):
                found[memory_id] = entry.at
    return found
