"""What a page's command prints is what it prints in a process of its own, though a page has it from one that was loaded before."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.docs import loaded
from tests.docs.reading import PLAIN, by_bash, environment_of_commands


@pytest.mark.parametrize(
    "command",
    [
        "casebook --version",
        "casebook lsit",
        "casebook list --help",
        "casebook demo",
        'casebook intent "push it, 强制推送"',
        "casebook schema case",
        "casebook init memory",
        "casebook check",
    ],
)
def test_a_command_prints_the_same_in_the_same_order(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed: list[tuple[str, list[str]]] = []
    for run in (lambda: loaded.output_of(shlex.split(command)[1:], environment_of_commands()),
                lambda: by_bash(command, environment_of_commands())):  # fmt: skip
        here = tmp_path / str(len(printed)) / "here"
        here.mkdir(parents=True)
        monkeypatch.chdir(here)
        printed.append(
            (run().replace(str(here), "HERE"), sorted(str(each.relative_to(here)) for each in here.rglob("*")))
        )
    assert printed[0] == printed[1]
    assert printed[0][0]


def test_a_command_has_the_environment_of_whom_it_was_asked_by_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    environment = environment_of_commands()
    assert "memory-policy.yaml" in loaded.output_of(["init", "elsewhere"], environment)
    chosen = {**environment, "CASEBOOK_DIR": str(tmp_path / "elsewhere")}
    assert "there is no casebook here" not in loaded.output_of(["list"], chosen)
    assert "there is no casebook here" in loaded.output_of(["list"], environment)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ('casebook recall "what is due?" --now 2026-03-19T10:00', True),
        ("casebook match --arg 'command=rm -rf $HOME'", True),
        ("casebook recall 'it''s'", True),
        ('casebook recall "$HOME"', False),
        ("casebook recall what?", False),
        ("casebook list | head -1", False),
        ("casebook list; ls", False),
        ("ls memory", False),
        ("casebooks", False),
    ],
)
def test_bash_runs_what_means_something_to_bash(line: str, plain: bool) -> None:
    assert bool(PLAIN.fullmatch(line)) is plain
