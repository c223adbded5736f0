"""`redact`: a text without its secrets."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import re2

from casebook.redacting.services import SERVICES
from casebook.redacting.shorten import shortened

__all__ = ["redact", "redacted", "shortened"]


@lru_cache(maxsize=1)
def _services() -> Any:
    return [(s.name, re2.compile(r"(^|[^A-Za-z0-9_])(?:" + s.pattern + ")")) for s in SERVICES]


def redact(text: str, patterns: tuple[str, ...] = ()) -> str:
    """Give the text with each secret as `[redacted:NAME]`."""
    for name, pattern in _services():
        text = pattern.sub(rf"\1[redacted:{name}]", text)
    for each in patterns:
        text = re2.sub(each, "[redacted:policy]", text)
    return text


def redacted(value: Any, patterns: tuple[str, ...] = ()) -> Any:
    """Give a value of the same shape with the secrets of its texts masked."""
    if isinstance(value, str):
        return redact(value, patterns)
    if isinstance(value, Mapping):
        return {key: redacted(item, patterns) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [redacted(item, patterns) for item in value]
    return value
