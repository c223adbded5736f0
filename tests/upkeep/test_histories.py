"""Random histories: nothing ever vanishes, whatever is remembered, told, edited, moved, killed and undone in whatever order."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from casebook.faults import CasebookError
from casebook.kinds import KINDS
from casebook.policy import JobName
from casebook.runtime.upkeep.digest import digest
from casebook.runtime.upkeep.reconciling import confirm, show, undo
from casebook.stores import exchanging
from casebook.stores.memory_folder import FolderMemories
from tests.upkeep.folder import Folder
from tests.upkeep.made import DAY, HOUR, NOW, Killed, killing, memory

JOBS: tuple[JobName, ...] = ("expire", "age", "promote", "compact", "audit", "reflect", "archive")
TIERS = ("L1", "L2", "L3")
PASSED = st.sampled_from([HOUR, DAY, 3 * DAY, 8 * DAY, 40 * DAY, 200 * DAY])
YEAR = 365 * DAY
ANN = "person:ann"


class Histories(RuleBasedStateMachine):
    """Each memory that was ever written is in a tier or in the archive, until its purge date, and after a purge there is a receipt."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp())
        self.folder = Folder(self.root, NOW)
        self.ever: set[str] = set()
        self.archived_at: dict[str, datetime] = {}
        self.gone: set[str] = set()

    def teardown(self) -> None:
        shutil.rmtree(self.root)

    @initialize(kinds=st.lists(st.sampled_from(KINDS), min_size=4, max_size=6))
    def begin(self, kinds: list[str]) -> None:
        for at, kind in enumerate(kinds):
            self.remember(kind, TIERS[at % 3], asked=at % 2 == 1, length=10 if at else 2500)

    @rule(
        kind=st.sampled_from(KINDS),
        tier=st.sampled_from(TIERS),
        asked=st.booleans(),
        length=st.sampled_from([10, 1000]),
    )
    def remember(self, kind: str, tier: str, asked: bool, length: int) -> None:
        name = f"m-{len(self.ever)}"
        source = {"origin": "user", "session": f"s{len(self.ever) % 3}", "asked": asked}
        text = f"{name} " + chr(0x4E00 + len(self.ever)) * length
        self.folder.keep(memory(name, tier, self.folder.now, kind=kind, text=text, source=source))
        self.ever.add(name)

    @rule(which=st.integers(0, 50), ago=st.integers(0, 3))
    def tell(self, which: int, ago: int) -> None:
        self.folder.tell(self._one(which), self.folder.now - ago * HOUR)

    @rule(session=st.integers(0, 2))
    def end_session(self, session: int) -> None:
        with contextlib.suppress(FileNotFoundError):
            self.folder.end(f"s{session}")

    @rule(passed=PASSED, jobs=st.one_of(st.just(JOBS), st.permutations(JOBS).map(lambda each: each[:3])))
    def upkeep(self, passed: timedelta, jobs: Sequence[JobName]) -> None:
        self.folder.now += passed
        for job in jobs:
            report = self.folder.run(job)
            assert report.troubles == ()
            assert self.folder.run(job).done == ()

    @rule(passed=PASSED, job=st.sampled_from(JOBS), at=st.integers(1, 12), after=st.booleans())
    def killed(self, passed: timedelta, job: JobName, at: int, after: bool) -> None:
        self.folder.now += passed
        counter = [0]
        with pytest.MonkeyPatch.context() as patch:
            for name in ("replace", "unlink", "link"):
                patch.setattr(os, name, killing(getattr(os, name), counter, at, after=after))
            patch.setattr(exchanging, "_renamed", killing(exchanging._renamed, counter, at, after=after))
            with contextlib.suppress(Killed):
                self.folder.run(job)

    @rule(which=st.integers(0, 50), pinned=st.booleans())
    def edit(self, which: int, pinned: bool) -> None:
        """Edit a file as a person does."""
        placed = FolderMemories(self.root).snapshot().memories.get(self._one(which))
        if placed is None:
            return
        path = self.root / placed.path
        form: dict[str, Any] = json.loads(path.read_text())
        for each in form["memories"]:
            if each["id"] == placed.memory.id:
                each["pinned"] = pinned
        path.write_text(json.dumps(form))

    @rule(which=st.integers(0, 20))
    def undo(self, which: int) -> None:
        with self.folder.desk() as desk:
            moves = digest(desk.journal).moves
            if moves:
                with contextlib.suppress(CasebookError):
                    undo(desk, moves[which % len(moves)].number, ANN)

    @rule(everything=st.booleans())
    def look(self, everything: bool) -> None:
        with self.folder.desk() as desk:
            show(desk, ANN)
            if everything:
                confirm(desk.journal, None, ANN, lambda: self.folder.now)

    @precondition(lambda self: self.archived_at)
    @rule(which=st.integers(0, 50))
    def restore(self, which: int) -> None:
        names = sorted(set(self.archived_at) - self.gone)
        if names:
            with self.folder.desk() as desk, contextlib.suppress(CasebookError):
                desk.store.restore(names[which % len(names)], self.folder.now)

    @invariant()
    def nothing_vanishes(self) -> None:
        store = FolderMemories(self.root)
        assert not store.snapshot().faults
        archived: dict[str, datetime] = {}
        for each in store.archived():
            archived.setdefault(each.memory.id, each.archived_at)
        missing = self.ever - self.gone - set(store.snapshot().memories) - set(archived)
        if missing:
            with self.folder.desk() as desk:
                assert desk.journal.entries(actions=("purge",))
            assert all(self.folder.now - self.archived_at[name] > YEAR for name in missing)
            self.gone |= missing
        self.archived_at = {**self.archived_at, **archived}

    def _one(self, which: int) -> str:
        return f"m-{which % len(self.ever)}"


Histories.TestCase.settings = settings(
    max_examples=12, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
)
TestHistories = Histories.TestCase
