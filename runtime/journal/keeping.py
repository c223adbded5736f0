"""What of a value is kept: without secrets, and each text cut to what the policy keeps of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casebook.policy import Policy
from casebook.redacting.redact import redacted, shortened

ITEMS = 100
"""Items of a list, and names of a mapping, that are kept."""


def kept(value: Any, policy: Policy) -> Any:
    """Give a value as the journal keeps it: of the same shape, redacted, texts cut to `policy.journal.text_chars`."""
    return _cut(redacted(value, policy.redact), policy.journal.text_chars)


def _cut(value: Any, chars: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= chars else shortened(value, chars)
    if isinstance(value, Mapping):
        return {name: _cut(each, chars) for name, each in list(value.items())[:ITEMS]}
    if isinstance(value, list | tuple):
        return [_cut(each, chars) for each in value[:ITEMS]]
    return value
