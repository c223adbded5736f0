"""A state folder of its own for every test, short enough for a socket's path."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.http.service import book, client_over


@pytest.fixture(autouse=True)
def state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("s")
    folder.chmod(0o700)
    home = tmp_path_factory.mktemp("h")
    monkeypatch.setenv("CASEBOOK_STATE_DIR", str(folder))
    monkeypatch.setenv("HOME", str(home))
    return folder


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    return book(tmp_path / "memory")


@pytest.fixture
def client(memory: Path) -> Iterator[TestClient]:
    with client_over(memory) as made:
        yield made
