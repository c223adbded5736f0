"""The demo: real commands, the same words every time, and nothing left behind."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Run

GOLDEN = Path(__file__).parent / "demo.txt"


def without_engine(text: str) -> str:
    """Leave out what only one of the engines has: its name, rulesets and rules as it holds them."""
    lines = re.sub(r"(engine |引擎 )\w+", r"\1…", text).splitlines()
    return "\n".join(line for line in lines if not re.match(r"  - (ruleset|规则集)|    (\{|p\d+ )", line))


@pytest.mark.parametrize("engine", ["auto", "reference"])
def test_the_demo_says_the_same_every_time(casebook: Run, engine: str) -> None:
    """Made anew by `python -m casebook demo > tests/cli/demo.txt`."""
    result = casebook("demo", "--engine", engine)
    assert (result.code, result.err) == (0, "")
    shown = result.out.replace(f" --engine {engine}", "")
    assert without_engine(shown) == without_engine(GOLDEN.read_text(encoding="utf-8"))


def test_the_demo_leaves_nothing_behind_and_minds_no_settings(
    casebook: Run, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CASEBOOK_DIR", "elsewhere")
    monkeypatch.setenv("CASEBOOK_MODE", "off")
    monkeypatch.setenv("TMPDIR", str(here))
    monkeypatch.setattr("tempfile.tempdir", None)
    before = dict(os.environ)
    assert "verdict: block" in casebook("demo").out
    assert dict(os.environ) == before
    assert Path.cwd() == here
    assert list(here.iterdir()) == []


def test_the_demo_takes_less_than_two_seconds(casebook: Run) -> None:
    started = time.process_time()
    casebook("demo")
    assert time.process_time() - started < 2
