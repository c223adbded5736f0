"""The hosts whose transcripts can be read: one table, by the name that is typed."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import cast

from casebook.adapters.hosts import nearest_host
from casebook.adapters.scanning import claude_code, codex, openclaw
from casebook.adapters.scanning.protocol import Reader
from casebook.faults import CasebookError

_ALL: tuple[ModuleType, ...] = (claude_code, codex, openclaw)

READERS: Mapping[str, Reader] = {each.NAME: cast("Reader", each) for each in _ALL}
"""Every reader, by its host's name. For a new one: its module, its row here, and its data in `tests/scanning/data`."""


def reader_of(name: str) -> Reader:
    """Give the reader of a host. Raises CasebookError, with the nearest name, where there is none."""
    found = READERS.get(name)
    if found is None:
        near = nearest_host(name, READERS)
        cure = f"; did you mean {near}?" if near else ""
        raise CasebookError(f"expected one of {', '.join(READERS)}, got {name!r}{cure}")
    return found
