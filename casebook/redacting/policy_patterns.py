"""Patterns that a policy gives (`redact`, `ignore_errors`): compiled with RE2, refused in words."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from casebook.faults import PolicyError

LONGEST = 1024
"""Bytes of UTF-8 that a pattern may have (DESIGN section 10: 1 KB)."""
MEMORY = 8 << 20
"""Bytes that one compiled pattern may take (DESIGN section 10)."""


def pattern_refusal(pattern: str) -> str | None:
    """Give why a pattern cannot serve, in words, or None where it can."""
    import re2  # with the library behind it 7 ms, for policies with a pattern only

    size = len(pattern.encode("utf-8", "replace"))
    if size > LONGEST:
        return f"expected a pattern of at most {LONGEST} bytes, got {size}"
    try:
        compiled = _compile(pattern)
    except re2.error as error:
        reason = error.args[0] if error.args else b"refused"
        told = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        return f"expected a regular expression that RE2 takes: {told}"
    except UnicodeError:
        return "expected a regular expression, got half of a surrogate pair"
    return (
        "expected a pattern that matches something, got one that matches nothing at all"
        if compiled.fullmatch(b"")
        else None
    )


@lru_cache(maxsize=256)
def pattern_of(pattern: str) -> Any:
    """Compile a pattern for bytes of UTF-8.

    Raises:
        PolicyError: RE2 does not take it.
    """
    if (refusal := pattern_refusal(pattern)) is not None:
        raise PolicyError(f"{pattern[:80]!r}: {refusal}")
    return _compile(pattern)


def _compile(pattern: str) -> Any:
    import re2

    options = re2.Options()
    options.max_mem = MEMORY
    options.log_errors = False
    return re2.compile(pattern.encode(), options)
