"""docs/hosts.md does what it shows, and its tables name what there is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from casebook.adapters.wiring.hook_host import HookHost
from casebook.adapters.wiring.protocol import Place
from casebook.adapters.wiring.table import MODULES, wiring_of
from tests.docs.reading import ROOT, rows_of, run_page
from tests.wiring.conftest import wanted

PAGE = (ROOT / "docs" / "hosts.md").read_text(encoding="utf-8")


def test_the_page_does_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setenv("CASEBOOK_STATE_DIR", str(tmp_path / "state"))
    run_page("docs/hosts.md")


def test_every_host_is_told_with_its_files(place: Place) -> None:
    rows = rows_of(PAGE, "host")
    assert [row[0].strip("`") for row in rows[: len(MODULES)]] == list(MODULES)
    for name, _, user, project in rows[: len(MODULES) - 1]:
        for level, told in (("user", user), ("project", project)):
            if told:
                at = Place(place.home, place.project, place.environment, "user" if level == "user" else "project")
                (change,) = wiring_of(name.strip("`")).install(at, wanted()).changes
                shown = (
                    f"~/{change.path.relative_to(place.home)}"
                    if level == "user"
                    else change.path.relative_to(place.project)
                )
                assert told == f"`{shown}`"


def test_every_event_is_told() -> None:
    rows = rows_of(PAGE, "event")
    for at, host in enumerate(("claude-code", "codex", "gemini"), 1):
        wiring = wiring_of(host)
        assert isinstance(wiring, HookHost)
        told = {word.strip("`") for row in rows for word in row[at].split() if word.startswith("`")}
        assert told == {each.name for each in wiring.events}
