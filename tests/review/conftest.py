"""A desk: a casebook in a folder, its journal, and somebody before them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from casebook.clock import Clock
from casebook.runtime.journal.opening import open_journal
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import Entry
from casebook.runtime.review.review import Review
from casebook.stores.folder import FolderStore

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)
SIGNATURE = "user-not-found"

LEARNT: dict[str, Any] = {
    "id": "err-1",
    "type": "case",
    "situation": "get_user failed three times",
    "trigger_conditions": ["tool is get_user"],
    "correction": "Look the user up by e-mail first.",
    "correction_by": "mined",
    "priority": 5,
    "source": {"origin": "detector", "signature": SIGNATURE, "evidence": ["e1", "e2", "e3"]},
    "tags": ["learnt"],
    "x-team": "ops",
}
BLOCK: dict[str, Any] = {
    "id": "no-drop", "trigger_conditions": ["tool is drop_table"], "correction": "Ask first.", "effect": "block",
}  # fmt: skip


@dataclass
class Hands:
    """A clock that a test moves."""

    now: datetime = NOON

    def __call__(self) -> datetime:
        return self.now

    def later(self, **length: float) -> datetime:
        self.now += timedelta(**length)
        return self.now


@dataclass(frozen=True)
class Desk:
    """What a test has in hand."""

    review: Review
    root: Path
    hands: Hands

    @property
    def journal(self) -> Journal:
        return self.review.journal

    def form(self, case_id: str = "err-1") -> dict[str, Any] | None:
        loaded = self.review.case(case_id)
        return None if loaded is None else loaded.case.to_json()

    def status(self, case_id: str = "err-1") -> str | None:
        loaded = self.review.case(case_id)
        return None if loaded is None else loaded.case.status

    def by(self, actor: str) -> Review:
        return replace(self.review, actor=actor)

    def queue(self, case_id: str, reason: str, **body: Any) -> Entry:
        return self.review.written(
            replace(self.by("detector"), actor="detector").line("queue", case_id, SIGNATURE, {"reason": reason, **body})
        )

    def rewrite(self, *cases: dict[str, Any]) -> None:
        """Do what a person does with an editor."""
        (self.root / "long_term" / "learnt.json").write_text(json.dumps(list(cases), indent=2), encoding="utf-8")


MakeDesk = Callable[..., Desk]


def make_desk(root: Path, clock: Clock, *cases: dict[str, Any]) -> tuple[Review, FolderStore, Journal]:
    """Make a casebook with cases in `long_term/learnt.json`, and sit down before it."""
    (root / "long_term").mkdir(parents=True)
    (root / "memory-policy.yaml").write_text("format: 1\ntimezone: Asia/Shanghai\n", encoding="utf-8")
    (root / "long_term" / "learnt.json").write_text(json.dumps(list(cases), indent=2), encoding="utf-8")
    store, journal = FolderStore(root, clock=clock), open_journal(root, clock)
    return Review(journal, store, clock, "person:ann"), store, journal


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A casebook with a case that was learnt, and one that blocks."""
    hands = Hands()
    review, store, journal = make_desk(tmp_path / "memory", hands, LEARNT, BLOCK)
    yield Desk(review, tmp_path / "memory", hands)
    journal.close()
    store.close()
