"""The seam of every reader of transcripts: files in, calls out, and what could not be read with its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Seen:
    """One call with its result, as a transcript tells it.

    Attributes:
        place: where its result stands in the file: `12`, or `session:12` in a database.
        tool: the host's own name of the tool.
        args: its arguments.
        error: its error as the host tells it, or None where it succeeded.
        interrupted: somebody broke it off.
        call: the host's id of it; the same call copied into another file has the same one.
        session: the host's id of the session; empty where it names none.
        turn: of its turn; empty where none is known.
        cwd: the folder in which the agent worked; empty where the host does not say.
        at: when its result came, aware; None where the host does not say.
    """

    place: str
    tool: str
    args: Mapping[str, Any] = field(default_factory=dict)
    error: str | None = None
    interrupted: bool = False
    call: str = ""
    session: str = ""
    turn: str = ""
    cwd: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """What of a file could not be read: its place, and why."""

    place: str
    why: str


Item = Seen | Unread


class Reader(Protocol):
    """A host's module in this folder. What it reads is data: none of it is run, and nothing is written."""

    NAME: str
    TITLE: str
    VERIFIED: str
    """How its form was verified, and for which release."""

    def folder(self, home: Path, env: Mapping[str, str]) -> Path:
        """Give the folder of this user's transcripts."""
        ...

    def within(self, folder: Path) -> Iterator[Path]:
        """Give the files in a folder that may be transcripts of this host, in any order."""
        ...

    def calls(self, path: Path) -> Iterator[Item]:
        """Give the calls of a file in its order, with bounded memory. Raises OSError where it cannot be read at all."""
        ...
