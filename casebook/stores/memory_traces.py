"""Whether a folder may hold memories at all, told from names and the first bytes: most casebooks hold none, and a short process asks once."""

from __future__ import annotations

import os
from pathlib import Path

from casebook.stores.reading import head_of
from casebook.stores.splitting import holds_memories

_LOOKED_AT = 64
"""Files of `long_term/` whose beginnings are looked at; where there are more, memories are taken to be there."""


def may_hold_memories(root: Path) -> bool:
    """Say whether a casebook's folder may hold memories; where it cannot be told cheaply, it may.

    Args:
        root: the casebook's folder.
    """
    for name in ("short_term", "medium_term"):
        try:
            if any(each.endswith(".json") for each in os.listdir(root / name)):  # noqa: PTH208 - names are all that is wanted
                return True
        except OSError:
            continue
    seen = 0
    for folder, _, files in os.walk(root / "long_term"):
        for name in files:
            if name.endswith(".json"):
                seen += 1
                if seen > _LOOKED_AT or _holds(os.path.join(folder, name)):  # noqa: PTH118 - a path as `os.walk` gives it
                    return True
    return False


def _holds(path: str) -> bool:
    try:
        return holds_memories(head_of(path)[0].decode("utf-8", "ignore")) is not False
    except OSError:
        return True
