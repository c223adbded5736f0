"""The page on OpenClaw: its commands run as they stand, the settings and hooks it names are the plugin's."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.docs.reading import ROOT, rows_of, run_page

TEXT = (ROOT / "docs" / "openclaw.md").read_text(encoding="utf-8")
PLUGIN = ROOT / "adapters" / "openclaw" / "plugin"


def test_the_page_does_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("CASEBOOK_STATE_DIR", str(tmp_path / "state"))
    for each in ("home", "workspace"):
        (tmp_path / each).mkdir()
    monkeypatch.chdir(tmp_path / "workspace")
    run_page("docs/openclaw.md")


def test_the_settings_that_it_names_are_those_of_the_plugin() -> None:
    manifest = json.loads((PLUGIN / "openclaw.plugin.json").read_text(encoding="utf-8"))
    named = [name.strip("`") for name, _ in rows_of(TEXT, "`plugins.entries.casebook.config`")]
    assert named == list(manifest["configSchema"]["properties"])


def test_the_hooks_that_it_names_are_those_that_the_plugin_hears() -> None:
    code = (PLUGIN / "index.js").read_text(encoding="utf-8")
    heard = set(re.findall(r'^ +on\("(\w+)"', code, re.MULTILINE))
    named = {hook for _, hooks, _ in rows_of(TEXT, "moment") for hook in re.findall(r"`(\w+)`", hooks)}
    assert named == heard - {"agent_end", "resolve_exec_env"}
