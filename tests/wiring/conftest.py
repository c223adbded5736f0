"""A home and a project of their own, and what is wired there without a casebook to read."""

from __future__ import annotations

from pathlib import Path

import pytest

from casebook.adapters.wiring.protocol import Place, Wanted

PROGRAM = "/opt/casebook/bin/casebook"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A home and a project, both empty, nothing on the PATH."""
    for name in ("home", "project", "bin"):
        (tmp_path / name).mkdir()
    return Place(tmp_path / "home", tmp_path / "project", {"PATH": str(tmp_path / "bin")})


def in_project(place: Place) -> Place:
    """The same, for the settings of the project."""
    return Place(place.home, place.project, place.environment, "project")


def wanted(tools=frozenset({"Bash"}), *, program=PROGRAM, body="\n## Casebook\n\n- ask\n\n", force=False) -> Wanted:
    """What is to be wired."""
    return Wanted(
        command=lambda host: f"{program} hook {host}",
        argv=lambda host: (str(program), "hook", host),
        tools=lambda _: tools,
        body=lambda: body,
        force=force,
    )
