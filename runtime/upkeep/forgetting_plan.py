"""What a forgetting set out to take, kept beside the journal until it is done: once the files are gone, nobody could find it again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from casebook.faults import StoreError
from casebook.stores.atomic import replace_file
from casebook.stores.confined import machine_folder

NAME = "forgetting.json"


@dataclass(frozen=True, slots=True)
class Plan:
    """The file; it holds ids, and no content.

    Attributes:
        root: the casebook's folder; None where it has none, and nothing is kept.
    """

    root: Path | None

    @classmethod
    def of(cls, root: Path | None) -> Plan:
        """Take the casebook's folder."""
        return cls(root)

    def ids(self) -> frozenset[str]:
        """Give the ids that a forgetting which was cut short had found; what cannot be read counts for nothing."""
        if self.root is None:
            return frozenset()
        try:
            read = json.loads((self.root / ".casebook" / NAME).read_text("utf-8"))
        except (OSError, ValueError):
            return frozenset()
        ids = read.get("ids") if isinstance(read, dict) else None
        return frozenset(each for each in ids if isinstance(each, str)) if isinstance(ids, list) else frozenset()

    def keep(self, ids: frozenset[str]) -> None:
        """Write down what is to be taken. Raises StoreError."""
        if self.root is None:
            return
        try:
            data = json.dumps({"ids": sorted(ids)}, ensure_ascii=False).encode("utf-8", "replace")
            replace_file(machine_folder(self.root) / NAME, data)
        except OSError as error:
            raise StoreError(
                f"{self.root}: what is to be forgotten cannot be noted: {error.strerror or error}"
            ) from error

    def done(self) -> None:
        """Take the file away. Raises StoreError."""
        if self.root is None:
            return
        try:
            (self.root / ".casebook" / NAME).unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"{self.root}: {NAME} cannot be taken away: {error.strerror or error}") from error
