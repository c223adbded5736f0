"""Real hosts for tests: where a program is not found, its tests are skipped and say so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hosts.provider import Provider, provider
from tests.hosts.real import HOSTS, RealHost, program_of


@pytest.fixture
def model() -> Iterator[Provider]:
    with provider() as made:
        yield made


def host_in(name: str, folder: Path, model: Provider, state: Path | None = None) -> RealHost:
    """Give a host, set up in a folder; skips where its program is not here."""
    kind = HOSTS[name]
    if not program_of(kind.program):
        pytest.skip(f"{kind.program} is not here: npm install it, and name its folder in $CASEBOOK_NODE_BIN")
    return kind(folder, model, state)


@pytest.fixture(params=list(HOSTS))
def host(request: pytest.FixtureRequest, tmp_path: Path, model: Provider) -> RealHost:
    return host_in(request.param, tmp_path, model)
