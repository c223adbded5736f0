"""JSON Lines of any size, one at a time: a line that is none, is cut off or is too long is told and passed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from casebook.adapters.scanning.protocol import Unread

LINE_BYTES = 16 * 1024 * 1024
"""Bytes of a line that are read; a longer one holds an image or a file, and is passed (ours)."""


def objects(path: Path) -> Iterator[tuple[int, dict[str, Any]] | Unread]:
    """Give the objects of a file with the numbers of their lines, from 1.

    Args:
        path: of the file.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        number = 0
        while line := file.readline(LINE_BYTES + 1):
            number += 1
            if len(line) > LINE_BYTES and not line.endswith(b"\n"):
                while (rest := file.readline(LINE_BYTES)) and not rest.endswith(b"\n"):
                    pass
                yield Unread(str(number), f"a line of more than {LINE_BYTES:,} bytes")
                continue
            if not line.strip():
                continue
            read = _object(line)
            if isinstance(read, dict):
                yield number, read
            else:
                cut = "; the file ends in the middle of it" if not line.endswith(b"\n") else ""
                yield Unread(str(number), f"{read}{cut}")


def _object(line: bytes) -> dict[str, Any] | str:
    """Give the object of a line, or why it is none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        return f"expected a JSON object: {type(error).__name__}"
    return found if isinstance(found, dict) else f"expected a JSON object, got {type(found).__name__}"


def instant_in(value: Any) -> datetime | None:
    """Read an instant: ISO with an offset, or milliseconds since 1970; None where it is neither."""
    try:
        if isinstance(value, str):
            at = datetime.fromisoformat(value)
            return at.astimezone(UTC) if at.tzinfo is not None else None
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1_000, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def text_of(content: Any) -> str:
    """Give the text of a message's content: text, or a list of parts of which those of text count."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str))


def object_of(value: Any) -> dict[str, Any]:
    """Give an object as it is, one written as JSON read; else an empty one."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return value if isinstance(value, dict) else {}


def name_of(value: Any) -> str:
    """Give text as it is; else an empty one."""
    return value if isinstance(value, str) else ""
