"""The plugin in plain Node: `plugin.test.mjs` beside this file, and its files in the wheel."""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path

import pytest

from casebook import __version__
from tests.hosts.real import program_of

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def test_the_plugin_hands_on_what_the_casebook_says_and_nothing_that_goes_wrong_with_it(tmp_path):
    node = program_of("node")
    if (
        not node
        or int(subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout[1:].split(".")[0])
        < 22
    ):
        pytest.skip("node 22 or newer is not here: tests/openclaw/install.sh, and its folder in $CASEBOOK_NODE_BIN")
    command = [node, "--test", "--test-timeout=60000", "--test-reporter=tap", str(HERE / "plugin.test.mjs")]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={"TMPDIR": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert "# fail 0" in done.stdout


def test_every_file_of_the_plugin_is_in_the_wheel():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    package = ROOT / "adapters" / "openclaw"
    shipped = {
        each for pattern in settings["package-data"]["casebook.adapters.openclaw"] for each in package.glob(pattern)
    }
    wanted = {each for each in (package / "plugin").rglob("*") if each.is_file()}
    assert wanted <= shipped
    assert {each.name for each in wanted} == {
        "index.js",
        "asking.js",
        "package.json",
        "openclaw.plugin.json",
        "SKILL.md",
    }


def test_the_plugin_is_of_the_release_that_it_comes_with():
    package = json.loads((ROOT / "adapters" / "openclaw" / "plugin" / "package.json").read_text(encoding="utf-8"))
    assert package["version"] == __version__
