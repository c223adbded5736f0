"""The job of upkeep is added by OpenClaw's own command line, once, and taken out by its key; a gateway that does not run is told."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from casebook.adapters.cli.main import main
from casebook.adapters.openclaw.upkeep_job import KEY
from casebook.adapters.wiring.openclaw_settings import workspace
from casebook.adapters.wiring.protocol import Place

STAND_IN = """#!{python}
import json, pathlib, sys
here = pathlib.Path(__file__).parent
jobs = here / "jobs.json"
held = json.loads(jobs.read_text()) if jobs.exists() else [{{"id": "theirs", "declarationKey": "heartbeat:main"}}]
(here / "ran.jsonl").open("a").write(json.dumps(sys.argv[1:]) + "\\n")
if (here / "down").exists():
    sys.exit("Gateway not reachable at ws://127.0.0.1:18789 (ECONNREFUSED).\\nStart it")
what = sys.argv[2]
if what == "add":
    key = sys.argv[sys.argv.index("--declaration-key") + 1]
    is_new = key not in [each["declarationKey"] for each in held]
    held += [{{"id": "ours", "declarationKey": key}}] if is_new else []
    print("a word of OpenClaw's"), print(json.dumps({{"created": is_new}}))
elif what == "list":
    print(json.dumps({{"jobs": held}}))
else:
    held = [each for each in held if each["id"] != sys.argv[3]]
    print(json.dumps({{"ok": True}}))
jobs.write_text(json.dumps(held))
"""


@pytest.fixture
def openclaw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in for OpenClaw's command line; gives its folder."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "openclaw").write_text(STAND_IN.format(python=sys.executable))
    (folder / "openclaw").chmod(0o755)
    home = tmp_path / "home"
    (home / ".openclaw").mkdir(parents=True)
    for name, value in (("HOME", home), ("CASEBOOK_STATE_DIR", tmp_path / "state"), ("PATH", folder)):
        monkeypatch.setenv(name, os.fspath(value))
    monkeypatch.chdir(tmp_path)
    return folder


def ran(folder: Path) -> list[list[str]]:
    path = folder / "ran.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def jobs(folder: Path) -> list[str]:
    return [each["declarationKey"] for each in json.loads((folder / "jobs.json").read_text())]


def test_it_is_added_once_and_taken_out_by_its_key(openclaw, tmp_path, capsys):
    settings = tmp_path / "home" / ".openclaw" / "openclaw.json"
    before = b'{"agents": {"defaults": {"workspace": "~/desk"}}}\n'
    settings.write_bytes(before)
    assert main(["install", "openclaw", "--with-cron", "--yes"]) == 0
    assert "OpenClaw runs upkeep every 1h" in capsys.readouterr().err
    (added,) = ran(openclaw)
    argv = json.loads(added[added.index("--command-argv") + 1])
    assert argv[-2:] == ["maintain", "--due"]
    assert Path(argv[0]).is_absolute()
    assert added[added.index("--command-cwd") + 1] == str(tmp_path / "home" / "desk")
    assert "--no-deliver" in added
    assert main(["install", "openclaw", "--with-cron", "--yes"]) == 0
    assert "OpenClaw runs upkeep already" in capsys.readouterr().err
    assert jobs(openclaw) == ["heartbeat:main", KEY]
    assert main(["uninstall", "openclaw", "--yes"]) == 0
    assert jobs(openclaw) == ["heartbeat:main"]
    assert settings.read_bytes() == before
    asked = len(ran(openclaw))
    assert main(["uninstall", "openclaw", "--yes"]) == 0
    assert len(ran(openclaw)) == asked, "no gateway is asked for what was never there"


def test_a_gateway_that_does_not_run_is_told_with_the_command_for_later(openclaw, capsys):
    (openclaw / "down").touch()
    assert main(["install", "openclaw", "--with-cron", "--yes"]) == 1
    told = capsys.readouterr().err
    assert "Gateway not reachable" in told
    assert "while the gateway runs: openclaw cron add" in told
    (openclaw / "down").unlink()
    assert main(["install", "openclaw", "--with-cron", "--yes"]) == 0
    (openclaw / "down").touch()
    assert main(["uninstall", "openclaw", "--yes"]) == 1
    assert f"the job {KEY} is in OpenClaw's cron still" in capsys.readouterr().err
    (openclaw / "down").unlink()
    assert main(["uninstall", "openclaw", "--yes"]) == 0
    assert jobs(openclaw) == ["heartbeat:main"]


def test_without_openclaw_the_job_is_not_added_and_it_says_so(openclaw, capsys):
    (openclaw / "openclaw").unlink()
    assert main(["install", "openclaw", "--with-cron", "--yes"]) == 1
    assert "openclaw is not on the PATH" in capsys.readouterr().err


def test_a_dry_run_shows_the_command_and_runs_none(openclaw, capsys):
    assert main(["install", "openclaw", "--with-cron", "--dry-run", "--dir", "book"]) in (0, 2)
    (openclaw.parent / "book").mkdir()
    assert main(["init", "book"]) == 0
    capsys.readouterr()
    assert main(["install", "openclaw", "--with-cron", "--dry-run", "--dir", "book"]) == 0
    told = capsys.readouterr().err
    assert "would run: openclaw cron add" in told
    assert str(openclaw.parent / "book") in told
    assert ran(openclaw) == []


@pytest.mark.parametrize("arguments", [["codex", "--with-cron"], ["openclaw", "--with-cron", "--project"]])
def test_it_is_of_openclaw_alone(openclaw, arguments, capsys):
    assert main(["install", *arguments]) == 2
    assert "--with-cron is of openclaw alone" in capsys.readouterr().err


@pytest.mark.parametrize(
    "settings, folder",
    [
        (None, ".openclaw/workspace"),
        ("{}", ".openclaw/workspace"),
        ('{"agents": {"defaults": {"workspace": "~/desk"}}}', "desk"),
        ('{"agents": 5}', ".openclaw/workspace"),
        ("{ // json5\n}", ".openclaw/workspace"),
    ],
)
def test_the_folder_in_which_the_agent_works(tmp_path, settings, folder):
    (tmp_path / ".openclaw").mkdir()
    if settings is not None:
        (tmp_path / ".openclaw" / "openclaw.json").write_text(settings)
    assert workspace(Place(tmp_path, tmp_path, {})) == tmp_path / folder
