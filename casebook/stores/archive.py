"""The archive of a folder: what was retired, with its whole text. Its files only grow."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from casebook.json_place import span_of
from casebook.limits import FILE_BYTES
from casebook.stores.confined import own_folder
from casebook.stores.reading import read_regular
from casebook.stores.rewriting import Layout, appended, layout_of
from casebook.stores.splitting import SplitError

FOLDER = "archive"


@dataclass(frozen=True, slots=True)
class Archived:
    """A case in the archive.

    Attributes:
        text: its JSON text, byte for byte as it stood.
        origin: the file that it came from, relative to the casebook's folder.
    """

    text: str
    origin: str


def find(root: Path, case_id: str) -> Archived | None:
    """Find the newest text of an id in the archive of a folder; None where there is none.

    Raises:
        OSError: a link or a file stands in the archive's place, or a file of it may not be read.
    """
    try:
        folder = own_folder(root, FOLDER)
    except FileNotFoundError:
        return None
    for path in sorted(folder.glob("*_retired*.json"), key=_age, reverse=True):
        try:
            layout = layout_of(own_bytes(path) or b"")
        except (ValueError, RecursionError, SplitError):
            continue  # not ours to mend; `append` goes round it, too
        for start, end in reversed(layout.spans):
            found = _entry(layout.data[start:end].decode())
            if found is not None and found[0] == case_id:
                return found[1]
    return None


def append(
    root: Path, case: Archived, reason: str, now: datetime, write: Callable[[str, bytes | None, bytes], bool]
) -> None:
    """Add a case to the day's file; a file that cannot be read, or is full, is left, and the next one taken.

    Args:
        root: the casebook's folder.
        case: its text, and where it comes from.
        reason: why it is retired.
        now: the present instant.
        write: takes a path relative to the folder, the bytes that must stand there, and the new ones; says whether it wrote.

    Raises:
        OSError: a link or a file stands in the archive's place, or it cannot be made.
    """
    own_folder(root, FOLDER, create=True)
    head = {"archived_at": now.isoformat(timespec="seconds"), "from": case.origin, "reason": reason}
    lines = [f'    "{key}": {json.dumps(value, ensure_ascii=False)},' for key, value in head.items()]
    entry = "{\n" + "\n".join(lines) + f'\n    "case": {case.text}\n  }}'
    for name in _names(now):
        try:
            before = own_bytes(root / name)
            layout = layout_of(before) if before is not None else Layout(b"", 0, 0, ())
        except (ValueError, RecursionError, SplitError):
            continue
        data = appended(layout, entry) if layout.spans else f"[\n  {entry}\n]\n".encode()
        if len(data) <= FILE_BYTES and write(name, before, data):
            return


def own_bytes(path: Path) -> bytes | None:
    """Give the bytes of a file of the archive, or None where there is none. Raises SplitError (a link is none, either), OSError."""
    if path.is_symlink():
        raise SplitError("expected a file of the archive's own, got a link")
    try:
        return read_regular(str(path), FILE_BYTES, "file", follow=False)[0]
    except FileNotFoundError:
        return None


def _names(now: datetime) -> Iterator[str]:
    """Give the names of the day's files, the first first."""
    base = f"{FOLDER}/{now.date().isoformat()}_retired"
    yield f"{base}.json"
    number = 2
    while True:
        yield f"{base}_{number}.json"
        number += 1


def _entry(text: str) -> tuple[str, Archived] | None:
    """Give the id, text and origin of an entry; None where it is none."""
    value = json.loads(text)
    case = value.get("case") if isinstance(value, dict) else None
    if not isinstance(case, dict):
        return None
    start, end = span_of(text, ("case",))
    origin = value.get("from")
    return str(case.get("id")), Archived(text[start:end], origin if isinstance(origin, str) else "long_term/cases.json")


def _age(path: Path) -> tuple[str, int]:
    """Order the files: by day, then by number."""
    day, _, rest = path.stem.partition("_retired")
    return day, int(rest[1:]) if rest[1:].isdecimal() else 1
