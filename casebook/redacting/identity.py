"""Ids that hosts give: kept as they are, but for those that are secrets themselves."""

from __future__ import annotations

import re
from hashlib import sha256

from casebook.redacting.redact import redact

_MASK = re.compile(r"\[redacted:([a-z0-9-]+)\]")
_LONGEST = 1_024
"""Characters of an id: a longer one is its beginning and the digits of a hash."""
_DIGITS = 8
"""Hexadecimal digits of a hash that keep two masked ids apart: few, so that they say little of a weak password."""


def identity(text: str) -> str:
    """Give an id (of a session, a user, a turn …) as it may be stored: a secret in it masked, the same id always the same.

    Over 1,024 characters it is shortened, too. A host may take a token for the id of a session, or put a password into the name of a user. Such an id is told as its mask and a
    few digits of a hash, so that two of them stay two. What is merely random, as ids are, stays. Doing so twice is doing so once.
    """
    if len(text) > _LONGEST:
        return identity(f"{text[: _LONGEST // 2]}…{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}")
    told = redact(text)
    if told == text or set(_MASK.findall(told)) <= set(_MASK.findall(text)) | {"random"}:
        return text
    return f"{told}-{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:_DIGITS]}"
