"""Where secrets stand, as spans, and the patterns that find them.

A finder takes a text as UTF-8 bytes and gives spans `(start, end, name of the rule)` in bytes. Every pattern is RE2's and reads
on no further than its match, so that the time grows with the text alone.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import re2

Span = tuple[int, int, str]

MEMORY = 64 << 20
"""Bytes that one of our patterns may take: room for the automaton of all services at once, so that RE2 stays fast."""


def compiled(pattern: str, *, capture: bool = True) -> Any:
    """Compile a pattern of ours for bytes."""
    options = re2.Options()
    options.max_mem = MEMORY
    options.log_errors = False
    options.never_capture = not capture
    return re2.compile(pattern.encode(), options)


@lru_cache(maxsize=128)
def regex(pattern: str) -> Any:
    """Give a compiled pattern of ours, once compiled."""
    return compiled(pattern)


def text_of(data: bytes) -> str:
    """Give bytes as text; what is cut within a character loses that one."""
    return data.decode("utf-8", "ignore")
