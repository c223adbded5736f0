"""What the tests of stores share: a state folder of their own, so that nothing is written to $HOME."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _state_of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CASEBOOK_STATE_DIR", str(tmp_path_factory.mktemp("state")))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "memory"
    (folder / "long_term").mkdir(parents=True)
    return folder
