"""What others could have written speaks for nobody, file by file; the rest goes on serving."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from casebook import Task
from casebook.adapters.trust.opening import Opened
from casebook.adapters.trust.passed_over import passed_over
from casebook.adapters.trust.standing import place_of
from casebook.stores.folder import FolderStore
from casebook.stores.watching import Watch
from tests.stores.folders import case, write
from tests.trust.conftest import CLOCK, Machine

PUSH = Task(intent="push", text="push it", session="s1", project="clone", user="ann")
ANOTHER = os.geteuid() + 1


def plain(root: Path, outside: Path) -> tuple[Path, str]:
    return root / "long_term" / "more.json", "more.json"


def in_a_folder(root: Path, outside: Path) -> tuple[Path, str]:
    below = root / "long_term" / "team"
    (root / "long_term" / "more.json").rename(root / "long_term" / "last.json")
    below.mkdir()
    (root / "long_term" / "last.json").rename(below / "more.json")
    return below / "more.json", "team/more.json"


def its_folder(root: Path, outside: Path) -> tuple[Path, str]:
    path, _ = in_a_folder(root, outside)
    return path.parent, "team"


def a_link_to_one_outside(root: Path, outside: Path) -> tuple[Path, str]:
    link = root / "long_term" / "more.json"
    link.rename(outside / "more.json")
    link.symlink_to(outside / "more.json")
    return outside / "more.json", "more.json"


def a_link_to_a_folder_outside(root: Path, outside: Path) -> tuple[Path, str]:
    (outside / "team").mkdir()
    (root / "long_term" / "more.json").rename(outside / "team" / "more.json")
    (root / "long_term" / "team").symlink_to(outside / "team")
    return outside / "team", "team"


PLACES = [plain, in_a_folder, its_folder, a_link_to_one_outside, a_link_to_a_folder_outside]


def served(found: Opened) -> set[str]:
    assert found.runtime is not None
    return {each.id for each in found.runtime.match(PUSH).cases}


def faults(found: Opened) -> list[str]:
    assert found.runtime is not None
    return [str(each) for each in found.runtime.snapshot().faults]


@pytest.mark.parametrize("whose", ["project", "user"])
@pytest.mark.parametrize("place", PLACES)
def test_a_part_to_which_everybody_may_write_is_passed_over_and_the_rest_serves(
    place: Callable[[Path, Path], tuple[Path, str]], whose: str, machine: Machine
) -> None:
    """What was read of it before does not serve either, nor what another process has kept."""
    root = machine.cloned("clone", case("rest")) if whose == "project" else machine.own(case("rest"))
    write(root, "more.json", [case("hostile", effect="block")])
    path, name = place(root, machine.work)
    if whose == "project":
        machine.trust(root)
    with (first := machine.opened(root)).runtime:  # type: ignore[union-attr]  # served, as the next line tells
        assert (served(first), faults(first)) == ({"rest", "hostile"}, [])
        mode = path.stat().st_mode
        path.chmod(mode | 0o002)
        assert served(first) == {"rest"}
    with (second := machine.opened(root)).runtime:  # type: ignore[union-attr]  # as above
        assert served(second) == {"rest"}
        (told,) = faults(second)
        assert told.startswith(f"long_term/{name}: expected a f")
        assert "to which not everybody may write: nothing of it is used (`chmod o-w` mends that)" in told
        assert [each.path for each in passed_over(place_of(root, machine.home))] == [f"long_term/{name}"]
        path.chmod(mode)
        assert (served(second), faults(second)) == ({"rest", "hostile"}, [])
        assert passed_over(place_of(root, machine.home)) == ()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("place", PLACES)
def test_a_part_of_another_user_is_passed_over(
    place: Callable[[Path, Path], tuple[Path, str]], machine: Machine
) -> None:
    root = machine.cloned("clone", case("rest"))
    write(root, "more.json", [case("hostile", effect="block")])
    path, name = place(root, machine.work)
    machine.trust(root)
    os.chown(path, ANOTHER, -1)
    with (found := machine.opened(root)).runtime:  # type: ignore[union-attr]  # served, as the next line tells
        assert served(found) == {"rest"}
        (told,) = faults(found)
        assert f"long_term/{name}: expected a f" in told
        assert f"of your own, got one of user {ANOTHER}: nothing of it is used" in told
        os.chown(path, os.geteuid(), -1)
        assert served(found) == {"rest", "hostile"}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_files_of_a_user_of_whom_the_person_was_told_are_read(machine: Machine) -> None:
    root = machine.cloned("clone", case("rest"))
    for path in (root / "memory-policy.yaml", root / "long_term" / "cases.json"):
        os.chown(path, ANOTHER, -1)
    machine.trust(root)
    with (found := machine.opened(root)).runtime:  # type: ignore[union-attr]  # served, as the next line tells
        assert (served(found), faults(found)) == ({"rest"}, [])


def test_whoever_names_a_casebook_has_it_as_it_stands(machine: Machine) -> None:
    root = machine.cloned("clone", case("rest"))
    (root / "long_term" / "cases.json").chmod(0o666)
    snapshot = FolderStore(root, clock=CLOCK).snapshot()
    assert (set(snapshot.cases), snapshot.faults) == ({"rest"}, ())
    others = FolderStore(root, clock=CLOCK, owners=frozenset({ANOTHER})).snapshot()
    assert (set(others.cases), [each.path for each in others.faults]) == (set(), ["long_term"])


@pytest.mark.parametrize("name", ["medium_term", "long_term"])
def test_memories_that_everybody_may_write_are_passed_over_too(name: str, machine: Machine) -> None:
    root = machine.cloned("clone", case("rest"))
    memory = {"id": "m1", "kind": "rule", "tier": "L3", "text": "Always deploy the ledger from the branch release."}
    file = root / name / ("identity.json" if name == "long_term" else "user_prefs.json")
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps({"memories": [memory]}), encoding="utf-8")
    machine.trust(root)
    with (found := machine.opened(root)).runtime as runtime:  # type: ignore[union-attr]  # as above
        assert runtime.recall("deploy the ledger from which branch")
        file.chmod(0o666)
        assert not runtime.recall("deploy the ledger from which branch")
        assert served(found) == {"rest"}
        assert [each.path for each in passed_over(place_of(root, machine.home))] == [f"{name}/{file.name}"]


def test_it_costs_no_further_look_at_a_file(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    root = machine.cloned("clone", *[case(f"c{number}") for number in range(5)])
    for number in range(20):
        write(root, f"f{number}.json", [case(f"f{number}")])

    def looks(owners: frozenset[int] | None) -> int:
        count = 0
        stat = os.stat

        def counted(*arguments: object, **more: object) -> os.stat_result:
            nonlocal count
            count += 1
            return stat(*arguments, **more)  # type: ignore[arg-type]  # whatever `os.stat` takes

        monkeypatch.setattr(os, "stat", counted)
        watch = Watch(root, "memory-policy.yaml", owners)
        watch.scan()
        assert watch.unchanged()
        monkeypatch.setattr(os, "stat", stat)
        return count

    assert looks(frozenset({os.geteuid()})) == looks(None)
