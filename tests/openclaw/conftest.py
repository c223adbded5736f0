"""One gateway for all tests of this folder: a second process of pytest waits until the first has ended its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from filelock import FileLock

from tests.openclaw.gateway import Gateway, missing

CASES = [
    {"id": "stock", "type": "case", "situation": "Asked about stock", "trigger_conditions": ['text contains "stock"'],
     "correction": "Name the warehouse 仓库 as well", "created_at": "2026-11-30"},
    {"id": "no_force", "type": "rule", "situation": "A force-push", "effect": "block", "created_at": "2026-11-30",
     "trigger_conditions": ['action is "git push"', 'args.command contains "--force"'], "correction": "Push with --force-with-lease"},
    {"id": "rm_asks", "type": "rule", "situation": "A folder is removed", "effect": "confirm", "created_at": "2026-11-30",
     "trigger_conditions": ['args.command contains "rm -r"'], "correction": "Move it to trash/"},
    {"id": "no_purge", "type": "rule", "situation": "A purge", "effect": "block", "created_at": "2026-11-30",
     "trigger_conditions": ['text contains "purge"'], "correction": "A person looks before anything is purged"},
]  # fmt: skip


@pytest.fixture(scope="session")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    """A gateway that runs; skips where node or openclaw is not here."""
    if gone := missing():
        pytest.skip(gone)
    shared = tmp_path_factory.getbasetemp().parent
    with FileLock(shared / "openclaw-gateway.lock"):
        made = Gateway(tmp_path_factory.mktemp("openclaw"), CASES)
        try:
            yield made
        finally:
            made.close()
