"""What holds for every test: a home folder of its own, no casebook of the machine's, no network beyond this machine."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import freezegun
import pytest
from hypothesis import HealthCheck, settings

# Hypothesis times itself in a callback of the garbage collector, which must not see a frozen clock
freezegun.configure(extend_ignore_list=["hypothesis"])
settings.register_profile("casebook", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("casebook")


@pytest.fixture(autouse=True, scope="session")
def _home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Give the tests, and what they start, a home folder of their own."""
    home = tmp_path_factory.mktemp("home")
    patch = pytest.MonkeyPatch()
    patch.setenv("HOME", str(home))
    for name in list(os.environ):
        if name.startswith(("CASEBOOK_", "XDG_")):
            patch.delenv(name)
    patch.setattr(Path, "home", classmethod(lambda cls: cls(home)))
    yield
    patch.undo()


@pytest.fixture(autouse=True)
def _loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection that leaves this machine."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and not str(address[0]).startswith(("127.", "localhost", "::1")):
            raise AssertionError(f"a test tried to reach {address}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
