"""What hooks remember of a session stands in the user's state folder, outside of every casebook: forgetting reaches it, too."""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from casebook.adapters.hooks.answering import HOOK_HOSTS, hooks_folder
from casebook.adapters.hooks.memo import memo_path


def forget_sessions(
    *, user: str | None, session: str | None, text: str | None, me: str, dry: bool
) -> tuple[int, tuple[str, ...]]:
    """Take out what hooks remember of sessions; a session whose memo is gone goes on as one that has just begun.

    Args:
        user: all of this user's: those are the sessions of whoever acts here, or none.
        session: that of this session.
        text: those in which this text stands.
        me: the user who acts here.
        dry: whether they are only counted.

    Returns:
        How many were, or would be, taken out; and the paths of those that could not be.
    """
    folder = hooks_folder()
    if folder is None:
        return 0, ()
    of_session = {memo_path(folder, host, session) for host in HOOK_HOSTS} if session is not None else set()
    taken, left = 0, []
    for path in _files(folder):
        if not (user == me or path in of_session or (text is not None and _holds(path, _flat(text)))):
            continue
        try:
            if not dry:
                path.unlink(missing_ok=True)
            taken += 1
        except OSError:
            left.append(os.fspath(path))
    return taken, tuple(left)


def _files(folder: Path) -> list[Path]:
    """Give the memos, and what is left of one that was being written as its process was killed."""
    try:
        return [each for each in sorted(folder.iterdir()) if each.suffix == ".json" or each.name.startswith(".memo-")]
    except OSError:
        return []


def _holds(path: Path, text: str) -> bool:
    try:
        written = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    try:
        return any(text in _flat(each) for each in _strings(json.loads(written)))
    except (ValueError, RecursionError):  # torn: JSON writes what is not ASCII as escapes
        return text in _flat(written) or json.dumps(text)[1:-1] in _flat(written)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, each in value.items():
            yield name
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)


def _flat(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()
