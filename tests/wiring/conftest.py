"""A home and a project of their own, and what is wired there without a casebook to read."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from casebook.adapters.cli.main import main
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


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty project to stand in, an empty home, no host's program on the PATH."""
    for name in ("home", "project", "bin", "state"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("CASEBOOK_STATE_DIR", str(tmp_path / "state"))
    for name in ("CASEBOOK_DIR", "CASEBOOK_MODE", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def casebook(here, capsys, monkeypatch):
    """Run `casebook ARGUMENTS…`; `answer` is typed at a terminal, without one stdin is none."""

    def run(*arguments, answer=None):
        stdin = io.StringIO(answer or "")
        monkeypatch.setattr(stdin, "isatty", lambda: answer is not None)
        monkeypatch.setattr(sys, "stdin", stdin)
        code = main(list(arguments))
        told = capsys.readouterr()
        return code, told.out, told.err

    return run
