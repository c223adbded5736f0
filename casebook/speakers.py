"""Whose words a memory holds, and whose weigh more: what a person said is changed by a person alone."""

from __future__ import annotations

from typing import Literal

from casebook.memory import Memory

Speaker = Literal["person", "agent", "tool", "import", "upkeep"]
"""Who said it; what a person wrote by hand into a file is a person's, and what nothing is known of is a tool's."""


def speaker_of(memory: Memory) -> Speaker:
    """Say whose words a memory's are."""
    source = memory.source
    if source is None:
        return "person"
    by = (source.by or "").partition(":")[0]
    if by in ("person", "user") or (not by and source.origin == "user"):
        return "person"
    if by in ("agent", "model") or source.origin == "agent":
        return "agent"
    if source.origin in ("import", "upkeep"):
        return "import" if source.origin == "import" else "upkeep"
    return "tool"


def is_persons(memory: Memory) -> bool:
    """Say whether a memory stands as a person's: they said it, or have confirmed or pinned what somebody else said."""
    return memory.confirmed or memory.pinned or speaker_of(memory) == "person"


def outweighs(standing: Memory, said: Memory) -> bool:
    """Say whether what stands weighs more than what is said, so that this changes nothing of it.

    Args:
        standing: what is known.
        said: what is offered; to pin its own words gives an agent no more weight, a person's having confirmed them does.
    """
    return is_persons(standing) and not said.confirmed and speaker_of(said) != "person"
