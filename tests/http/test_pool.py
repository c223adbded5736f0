"""Casebooks are held open for hooks, as long as they are trusted, and no longer than somebody needs them."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from casebook.adapters.http.pool import Pool
from casebook.adapters.trust.granting import distrust, shown_of, trust
from casebook.clock import system_clock
from casebook.faults import ClosedError
from casebook.runtime import Runtime
from casebook.stores.folder import FolderStore
from tests.http.service import book


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    return folder


def project(folder: Path) -> Path:
    book(folder / "memory")
    return folder


def trusted(folder: Path) -> Path:
    memory = folder / "memory"
    trust(memory, shown_of(FolderStore(memory, clock=system_clock, cache=False).snapshot()), system_clock())
    return folder


def runtime_at(pool: Pool, folder: Path) -> Runtime | None:
    with pool.borrowed(folder) as found:
        return found.runtime


def test_trust_that_is_given_and_taken_is_seen_by_the_next(home: Path, tmp_path: Path) -> None:
    folder, pool = project(tmp_path / "shop"), Pool(system_clock)
    with pool.borrowed(folder) as found:
        assert found.runtime is None
        assert "is not trusted" in found.notice
    trusted(folder)
    with pool.borrowed(folder) as found:
        assert found.runtime is not None
        assert (found.notice, "deploy_friday" in found.runtime.snapshot().cases) == ("", True)
    distrust(folder / "memory")
    assert runtime_at(pool, folder) is None
    pool.close()


def test_whoever_asks_around_the_same_casebooks_is_given_the_same(home: Path, tmp_path: Path) -> None:
    book(home / ".casebook")
    folder = trusted(project(tmp_path / "shop"))
    (folder / "src").mkdir()
    pool = Pool(system_clock)
    assert runtime_at(pool, folder) is runtime_at(pool, folder / "src")
    assert runtime_at(pool, folder) is not runtime_at(pool, tmp_path)
    assert len(pool) == 2
    pool.close()


def test_many_who_come_at_once_open_it_once(home: Path) -> None:
    book(home / ".casebook")
    pool = Pool(system_clock)
    with ThreadPoolExecutor(8) as threads:
        found = set(threads.map(lambda _: id(runtime_at(pool, home)), range(32)))
    assert len(found) == 1
    pool.close()


def test_what_is_used_longest_ago_is_closed_and_what_is_in_use_never(home: Path, tmp_path: Path) -> None:
    folders = [trusted(project(tmp_path / f"p{n}")) for n in range(4)]
    ended: list[int] = []
    pool = Pool(system_clock, most=2, began=lambda runtime: lambda: ended.append(id(runtime)))
    with ExitStack() as using:
        held = using.enter_context(pool.borrowed(folders[0])).runtime
        opened = [runtime_at(pool, each) for each in folders[1:]]
        assert ended == [id(opened[0])]
        assert held is not None
        assert held.match({"text": "deploy"}).cases
        assert len(pool) == 3
    assert len(pool) == 2
    pool.close()
    assert len(ended) == 4


@pytest.mark.parametrize(("idle", "left"), [(3600.0, 1), (0.0, 0)])
def test_what_nobody_asks_for_long_is_closed(home: Path, idle: float, left: int) -> None:
    book(home / ".casebook")
    pool = Pool(system_clock, idle=idle)
    runtime = runtime_at(pool, home)
    pool.close_idle()
    assert len(pool) == left
    if not left:
        assert runtime is not None
        with pytest.raises(ClosedError):
            runtime.match({"text": "deploy"})
    pool.close()


def test_a_folder_that_another_took_the_place_of_is_another(home: Path) -> None:
    """Else its journal would be written to a file that nobody sees any more."""
    folder = book(home / ".casebook")
    pool = Pool(system_clock)
    first = runtime_at(pool, home)
    folder.rename(home / "old")
    shutil.copytree(home / "old", folder)
    assert runtime_at(pool, home) is not first
    pool.close()


def test_a_pool_that_is_closed_opens_nothing(home: Path) -> None:
    book(home / ".casebook")
    pool = Pool(system_clock)
    pool.close()
    with pytest.raises(ClosedError):
        runtime_at(pool, home)
