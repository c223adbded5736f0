"""What of a value is kept: without secrets, and each text cut to what the policy keeps of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casebook.policy import Policy
from casebook.redacting.redact import redacted, shortened

READ_CHARS = 4_096
"""Characters of a text that are looked at for secrets: what is cut off here is far from what is kept, the beginning and the end."""

BITS = 1_024
"""Bits of an integer that is kept."""

ITEMS = 100
"""Items of a list, and names of a mapping, that are kept."""


class Keeper:
    """Gives what is kept of the values of one task, among which the same text stands in many places: it is read once."""

    __slots__ = ("_policy", "_texts")

    def __init__(self, policy: Policy) -> None:
        """Keep by a policy: its patterns of secrets, and how much of a text."""
        self._policy = policy
        self._texts: dict[str, Any] = {}

    def kept(self, value: Any) -> Any:
        """As `kept`."""
        if not isinstance(value, str):
            return value if value is None else kept(value, self._policy)
        found = self._texts.get(value)
        if found is None:
            found = self._texts[value] = kept(value, self._policy)
        return found


def kept(value: Any, policy: Policy) -> Any:
    """Give a value as the journal keeps it: of the same shape, redacted, texts cut to `policy.journal.text_chars`."""
    chars = policy.journal.text_chars
    return cut(redacted(cut(value, max(READ_CHARS, 4 * chars)), policy.redact), chars)


def cut(value: Any, chars: int) -> Any:
    """Give a value of the same shape, its texts and names cut to so many characters, its lists, mappings and integers bounded."""
    if isinstance(value, str):
        return value if len(value) <= chars else shortened(value, chars)
    if isinstance(value, Mapping):
        return {cut(name, chars): cut(each, chars) for name, each in list(value.items())[:ITEMS]}
    if isinstance(value, list | tuple):
        return [cut(each, chars) for each in value[:ITEMS]]
    if isinstance(value, int) and value.bit_length() > BITS:  # Python writes no integer of over 4,300 digits
        return f"an integer of {value.bit_length()} bits"
    return value
