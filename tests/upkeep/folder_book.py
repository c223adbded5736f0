"""A casebook in a real folder for the tests of upkeep: its files, its journal, and a clock that tests move."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from casebook.memory import Memory
from casebook.memory_facts import Telling
from casebook.policy import JobName, Policy
from casebook.runtime.journal.opening import open_journal
from casebook.runtime.upkeep.protocol import Desk, Move, Report
from casebook.runtime.upkeep.running import run
from casebook.stores.folder import FolderStore
from casebook.stores.memory_folder import FolderMemories
from casebook.stores.memory_store import Change
from tests.upkeep.made import NOW


class FolderBook:
    """A casebook whose clock stands at `now`."""

    def __init__(self, root: Path, now: datetime = NOW, policy: Policy | None = None) -> None:
        self.root = root
        self.now = now
        self.policy = policy or Policy()
        (root / "long_term").mkdir(parents=True, exist_ok=True)
        self.store = FolderMemories(root)
        self.cases = FolderStore(root, clock=self.clock, cache=False)
        self.journal = open_journal(root, self.clock)

    def clock(self) -> datetime:
        return self.now

    def keep(self, *memories: Memory, path: str | None = None) -> None:
        became = self.store.change([Change(None, each, path=path) for each in memories], self.now)
        assert set(became) <= {"done", "same"}, became

    def case(self, *cases: dict[str, Any], name: str = "cases.json") -> None:
        forms = [{"trigger_conditions": ['tool is "shell"'], "correction": "Do it.", **each} for each in cases]
        (self.root / "long_term" / name).write_text(json.dumps(forms, ensure_ascii=False, indent=2), "utf-8")

    def tell(self, name: str, at: datetime, session: str | None = None) -> None:
        self.journal.tell([Telling(name, f"{name} {at.isoformat()} {session}", at, session or f"s {at.isoformat()}")])

    def desk(self) -> Desk:
        return Desk(
            self.now, self.policy, self.store.snapshot(), self.journal.tellings(), self.store, self.cases, self.journal
        )

    def run(self, job: JobName, at: datetime | None = None, *, dry: bool = False) -> Report:
        self.now = at or self.now
        return run(job, self.desk, self.clock, dry=dry)

    def done(self, job: JobName, at: datetime | None = None) -> tuple[Move, ...]:
        """Run a job without troubles; give its moves."""
        report = self.run(job, at)
        assert report.troubles == ()
        return report.done

    def asked(self, job: JobName, at: datetime | None = None) -> list[tuple[str, str]]:
        """Run a job; give what a person is asked, as reason and subject."""
        return [(each.reason, each.subject) for each in self.done(job, at) if each.kind == "ask"]

    def held(self, name: str) -> Memory:
        return self.store.snapshot().memories[name].memory

    def tier(self, name: str) -> str:
        """Say where a memory is."""
        placed = self.store.snapshot().memories.get(name)
        if placed is not None:
            return placed.memory.tier
        return "archive" if any(True for _ in self.store.archived(memory_id=name)) else "nowhere"

    def texts(self) -> str:
        """Give all that stands in the files of memories and in the archive, as text."""
        paths = sorted(path for path in self.root.rglob("*.json") if ".casebook" not in path.parts)
        return "\n".join(path.read_text("utf-8") for path in paths)

    def close(self) -> None:
        self.journal.close()
        self.cases.close()
