"""A casebook in a folder, as upkeep sees it, opened anew for each run as a process does."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from casebook.clock import fixed_clock
from casebook.memory import Memory
from casebook.memory_facts import Telling
from casebook.policy import JobName
from casebook.runtime.journal.opening import open_journal
from casebook.runtime.upkeep.protocol import Desk, Report
from casebook.runtime.upkeep.running import run
from casebook.stores.folder import FolderStore
from casebook.stores.memory_folder import FolderMemories
from casebook.stores.memory_store import Change
from casebook.stores.session_names import session_file


@dataclass
class Folder:
    """A folder and a clock that stands."""

    root: Path
    now: datetime

    @contextmanager
    def desk(self) -> Iterator[Desk]:
        clock = fixed_clock(self.now)
        cases, store, journal = (
            FolderStore(self.root, clock=clock),
            FolderMemories(self.root),
            open_journal(self.root, clock),
        )
        try:
            yield Desk(
                self.now, cases.snapshot().policy, store.snapshot(), journal.tellings(), store, cases, journal
            )  # fmt: skip
        finally:
            journal.close()
            cases.close()

    def run(self, job: JobName) -> Report:
        """Run a job as a process of its own does."""
        with self.desk() as desk:

            def again() -> Desk:
                return Desk(
                    desk.now, desk.policy, desk.store.snapshot(), desk.journal.tellings(), desk.store, desk.cases, desk.journal
                )  # fmt: skip

            return run(job, again, fixed_clock(self.now))

    def keep(self, *memories: Memory) -> None:
        with self.desk() as desk:
            became = desk.store.change([Change(None, each) for each in memories], self.now)
            assert set(became) <= {"done"}

    def tell(self, name: str, *at: datetime) -> None:
        with self.desk() as desk:
            desk.journal.tell(Telling(name, f"{name} {each.isoformat()}", each, f"s {each.isoformat()}") for each in at)
            desk.journal.flush()

    def end(self, session: str, user: str | None = None) -> None:
        """Write into a session's file that it has ended."""
        path = self.root / session_file(session, user)
        form = json.loads(path.read_text())
        path.write_text(json.dumps({**form, "ended_at": self.now.isoformat()}))

    def where(self) -> Mapping[str, str]:
        """Give the file of every memory that there is, or `archive`."""
        store = FolderMemories(self.root)
        archived = {each.memory.id: "archive" for each in store.archived()}
        return {**archived, **{name: placed.path for name, placed in store.snapshot().memories.items()}}

    def state(self) -> Mapping[str, Any]:
        """Give all that is held, to compare."""
        store = FolderMemories(self.root)
        tiers = {name: (each.path, each.memory.to_json()) for name, each in store.snapshot().memories.items()}
        return {"tiers": tiers, "archive": {each.memory.id: each.memory.to_json() for each in store.archived()}}
