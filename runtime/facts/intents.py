"""The intent of a task, from the user's own words."""

from __future__ import annotations

from dataclasses import dataclass

from casebook.policy import Policy


@dataclass(frozen=True, slots=True)
class IntentTable:
    """A compiled table of intents."""


def table_of(policy: Policy) -> IntentTable:
    """Give the compiled table of a policy."""
    return IntentTable()


def intents_of(text: str, table: IntentTable) -> tuple[str, ...]:
    """Give the intents of a text."""
    return ()
