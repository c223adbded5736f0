"""Nothing ever vanishes: whatever happens to a casebook, each memory ever written stands in a tier or in the archive until it is purged."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from casebook.faults import StoreError
from casebook.kinds import KINDS
from casebook.policy import JobName
from casebook.runtime.upkeep.digest import digest
from casebook.runtime.upkeep.reconciling import ReconcileError, confirm, show, undo
from casebook.stores.memories import Memories
from casebook.stores.session_names import session_file
from tests.upkeep.folder_book import FolderBook
from tests.upkeep.made import DAY, HOUR, SECOND, Killed, killing, memory

JOBS: tuple[JobName, ...] = (
    "expire", "age", "promote", "audit", "reflect", "compact", "hygiene", "archive", "retain",
)  # fmt: skip
STEPS = (SECOND, HOUR, DAY, 2 * DAY + SECOND, 8 * DAY, 31 * DAY, 91 * DAY, 181 * DAY, 366 * DAY)
TEXTS = (
    "Deploys of the shop need an approval of the owner of the service before the release",
    "Deploys of the shop need an approval of the owner of the service before the releases",
    "Deploys of the shop need an approval of the owner of the service before the release.",
    "Deploys of the till need an approval of the owner of the service before the release",
    "Deploys of the shop need no approval of the owner of the service before the release",
    "我喜欢在团队的周报里用简体中文写清楚进展和风险",
    "我喜欢在团队的周报里用简体中文写清楚进展和风险。",
    "我不喜欢在团队的周报里用简体中文写清楚进展和风险",
    "Keep 30 backups of the staging database",
    "Keep 60 backups of the staging database",
)
SESSIONS = ("s-1", "s-2")
PERSON = "person:ann"
WRITTEN = st.fixed_dictionaries(
    {
        "text": st.one_of(st.sampled_from(TEXTS[:3]), st.sampled_from(TEXTS)),
        "tier": st.sampled_from(["L1", "L2", "L2", "L3"]),
        "kind": st.one_of(st.sampled_from(["preference", "usage"]), st.sampled_from(KINDS)),
        "user": st.sampled_from([None, None, None, "ann", "bob"]),
        "session": st.sampled_from(SESSIONS),
    },
    optional={
        "pinned": st.just(True),
        "ttl": st.sampled_from(["1d", "30d"]),
        "expires": st.sampled_from([HOUR, 40 * DAY]),
        "review": st.just(True),
        "status": st.sampled_from(["to_judge", "disabled"]),
        "asked": st.just(True),
    },
)


class Life(RuleBasedStateMachine):
    """A casebook in a folder, its clock, and what was ever written into it."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.book = FolderBook(self.folder / "memory")
        self.texts: dict[str, set[str]] = {}
        self.retired: dict[str, datetime] = {}
        self.cut_short = False

    def teardown(self) -> None:
        self.book.close()
        shutil.rmtree(self.folder)

    # -- what people and agents do ---------------------------------------------------------------------------------------

    @initialize(several=st.lists(WRITTEN, min_size=4, max_size=10))
    def begin(self, several: list[dict[str, Any]]) -> None:
        for each in several:
            self.remember(each)

    @rule(several=st.lists(WRITTEN, min_size=1, max_size=3))
    def remember_more(self, several: list[dict[str, Any]]) -> None:
        for each in several:
            self.remember(each)

    def remember(self, said: dict[str, Any]) -> None:
        name, now = f"m-{len(self.texts)}", self.book.now
        text, tier, kind, user, session = (said[key] for key in ("text", "tier", "kind", "user", "session"))
        made: dict[str, Any] = {key: said[key] for key in ("pinned", "ttl", "status") if key in said}
        if "expires" in said:
            made["expires_at"] = (now + said["expires"]).isoformat()
        if "review" in said:
            made["review_after"] = now.date().isoformat()
        source = {"origin": "user", "session": session, "asked": "asked" in said}
        scope = {} if user is None else {"user": user}
        path = session_file(session, user) if tier == "L1" else None
        self.book.keep(memory(name, tier, now, text=text, kind=kind, scope=scope, source=source, **made), path=path)
        self.texts[name] = {text}

    @precondition(lambda self: self.texts)
    @rule(which=st.integers(0, 30), times=st.integers(1, 4), session=st.sampled_from([*SESSIONS, "s-3", "s-4"]))
    def tell(self, which: int, times: int, session: str) -> None:
        for at in range(times):
            self.book.tell(self.name(which), self.book.now, f"{session}-{at}")

    @rule(session=st.sampled_from(SESSIONS), user=st.sampled_from([None, "ann", "bob"]))
    def end_session(self, session: str, user: str | None) -> None:
        path = session_file(session, user)
        if (self.book.root / path).exists():
            Memories(self.book.root).add(path, [], fields={"ended_at": self.book.now.isoformat()})

    @precondition(lambda self: self.texts)
    @rule(which=st.integers(0, 30), change=st.sampled_from(["text", "x-own", "tags"]), text=st.sampled_from(TEXTS))
    def edit_by_hand(self, which: int, change: str, text: str) -> None:
        name = self.name(which)
        for path in self.tier_files():
            read = json.loads(path.read_text("utf-8"))
            for each in read["memories"]:
                if each["id"] == name:
                    each[change] = {"text": text, "x-own": "own", "tags": ["by hand"]}[change]
                    self.texts[name].add(each["text"])
            path.write_text(json.dumps(read, ensure_ascii=False, indent=1), "utf-8")

    @rule(step=st.sampled_from(STEPS))
    def time_passes(self, step: timedelta) -> None:
        self.book.now += step

    @rule(years=st.integers(1, 2))
    def years_pass(self, years: int) -> None:
        """Upkeep runs once a year: what goes in one year is purged in the next but one."""
        for _ in range(years):
            self.run("hygiene")
            self.run("archive")
            self.each_memory_is_in_one_place_until_it_is_purged()
            self.book.now += 366 * DAY
        self.run("archive")

    @rule()
    def look_at_the_digest(self) -> None:
        show(self.book.desk(), PERSON)

    @rule(which=st.integers(0, 30), everything=st.booleans())
    def confirm(self, which: int, everything: bool) -> None:
        moves = digest(self.book.journal).moves
        if moves:
            numbers = None if everything else [moves[which % len(moves)].number]
            confirm(self.book.journal, numbers, PERSON, self.book.clock)

    @rule(which=st.integers(0, 30))
    def take_a_move_back(self, which: int) -> None:
        moves = [each for each in digest(self.book.journal).moves if self.is_there(each.subject)]
        if moves:
            chosen = moves[which % len(moves)]
            try:
                undo(self.book.desk(), chosen.number, PERSON)
            except (ReconcileError, StoreError):  # somebody has changed it since
                return

    @rule(which=st.integers(0, 30))
    def restore(self, which: int) -> None:
        retired = sorted(each.memory.id for each in self.book.store.archived())
        if retired:
            name = retired[which % len(retired)]
            try:
                self.book.store.restore(name, self.book.now)
            except StoreError:  # it stands, edited since a job was cut short
                return

    # -- upkeep ------------------------------------------------------------------------------------------------------------

    @rule(job=st.sampled_from(JOBS))
    def run(self, job: JobName) -> None:
        """Run a job, and again: the second time it does nothing, and writes nothing."""
        self.book.run(job)
        if self.cut_short:
            self.complete()
        first = self.state()
        last = self.book.journal.entries(limit=1)
        again = self.book.run(job)
        assert again.done == (), again.done
        more = self.book.journal.entries(after=last[-1].seq if last else 0)
        assert not more, [(each.action, each.id, each.body) for each in more]
        assert self.state() == first

    @rule(job=st.sampled_from(JOBS), at=st.integers(1, 6), after=st.booleans())
    def run_and_be_killed(self, job: JobName, at: int, after: bool) -> None:
        with pytest.MonkeyPatch.context() as patch:
            counter = [0]
            store, journal = self.book.store, self.book.journal
            steps: list[tuple[Any, str]] = [
                (store, "change"), (store, "pack"), (store, "purge"), (journal, "append"), (journal, "drop_entries"),
                (store, "_write"), (store._pen, "write"),
            ]  # fmt: skip
            for owner, name in steps:
                patch.setattr(owner, name, killing(getattr(owner, name), counter, at, after=after))
            try:
                self.book.run(job)
            except Killed:
                self.cut_short = True

    def complete(self) -> None:
        """Run all jobs, one of which was cut short, and let the store clear up; then all is as if nothing had been cut short."""
        for job in JOBS:
            report = self.book.run(job)
            assert report.troubles == (), report.troubles
        self.book.store.change((), self.book.now)
        self.cut_short = False

    # -- what always holds -------------------------------------------------------------------------------------------------

    @invariant()
    def each_memory_is_in_one_place_until_it_is_purged(self) -> None:
        places = self.places()
        kept = {each.memory.id: each.archived_at for each in self.book.store.archived()}
        missing = [name for name in self.texts if not places[name]]
        receipts = self.book.journal.entries(actions=("purge",))
        for name in missing:
            assert name in self.retired, f"{name} has vanished"
            limits = [datetime.fromisoformat(each.body["before"]) for each in receipts]
            assert any(self.retired[name] < limit for limit in limits), f"{name} is gone without a receipt"
        assert sum(each.body["purged"] for each in receipts) >= len(missing)
        self.retired.update(kept)
        if not self.cut_short:
            assert not [name for name, number in places.items() if number > 1]

    @invariant()
    def no_words_are_lost(self) -> None:
        """A memory says what was written last, or more; what went into another is in the archive with its own words."""
        for name, placed in self.book.store.snapshot().memories.items():
            known = self.texts[name].union(*(self.texts[each] for each in placed.memory.merged))
            assert placed.memory.text in known
            assert set(placed.memory.exceptions) <= known
            for each in placed.memory.merged:
                assert self.is_there(each) or each in self.retired
        for retired in self.book.store.archived():
            known = self.texts[retired.memory.id].union(*(self.texts[name] for name in retired.memory.merged))
            assert retired.memory.text in known

    @invariant()
    def no_file_is_at_fault(self) -> None:
        assert self.cut_short or not self.book.store.snapshot().faults

    # -- looking -----------------------------------------------------------------------------------------------------------

    def name(self, which: int) -> str:
        return f"m-{which % len(self.texts)}"

    def is_there(self, name: str) -> bool:
        return self.book.tier(name) != "nowhere"

    def tier_files(self) -> Iterator[Path]:
        for folder in ("short_term", "medium_term", "long_term"):
            yield from sorted((self.book.root / folder).glob("*.json"))

    def places(self) -> Counter[str]:
        """Count where each memory stands, as the files have it."""
        found: Counter[str] = Counter()
        for path in self.tier_files():
            found.update(each["id"] for each in json.loads(path.read_text("utf-8"))["memories"])
        found.update({each.memory.id for each in self.book.store.archived()})
        return found

    def state(self) -> Mapping[str, Any]:
        files = {path.name: path.read_bytes() for path in self.tier_files()}
        archive = sorted((each.memory.id, each.archived_at) for each in self.book.store.archived())
        return {"files": files, "archive": archive, "entries": len(self.book.journal.entries())}


@pytest.fixture(autouse=True)
def _no_fsync(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is killed leaves what it wrote to the system; only a machine that stops needs the sync."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


def test_nothing_ever_vanishes() -> None:
    some = settings(
        max_examples=12, stateful_step_count=18, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    run_state_machine_as_test(Life, settings=some)


@pytest.mark.soak
@pytest.mark.skipif(
    "'soak' not in config.getoption('-m')", reason="minutes; `pytest -m soak tests/upkeep/test_life.py`"
)
def test_nothing_ever_vanishes_in_many_long_lives() -> None:
    many = settings(max_examples=300, stateful_step_count=60, deadline=None, suppress_health_check=list(HealthCheck))
    run_state_machine_as_test(Life, settings=many)
