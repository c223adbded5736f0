"""A person at a command line: a folder of their own, an empty home, and commands run in this process."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from casebook.adapters.cli.main import main

SEED = """{
  "id": "case_001",
  "type": "rule",
  "trigger_conditions": ["当前时间在 00:00-06:00", "意图为 '主动推送'"],
  "judgment": "凌晨推送会打扰用户",
  "consequence": "用户反馈不适，要求停止",
  "correction": "禁止在凌晨时段（00:00-06:00）执行任何主动推送操作",
  "priority": 9,
  "created_at": "2026-03-20",
  "last_triggered": null,
  "ttl": null
}
"""
"""The seed case of DESIGN section 3, as it stands."""

POLICY = "format: 1\ntimezone: Asia/Shanghai\n"


@dataclass(frozen=True, slots=True)
class Result:
    """What a command left: its exit code, its data, its words."""

    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to stand in, and an empty home; nothing of the real ones is seen or written."""
    place, home = tmp_path / "project", tmp_path / "home"
    place.mkdir()
    home.mkdir()
    monkeypatch.chdir(place)
    monkeypatch.setenv("HOME", str(home))
    for name in ("CASEBOOK_DIR", "CASEBOOK_MODE", "CASEBOOK_TRACEBACK", "EDITOR", "VISUAL", "TZ"):
        monkeypatch.delenv(name, raising=False)
    return place


@pytest.fixture
def casebook(here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `casebook ARGUMENTS…`, stdin given as text or bytes."""

    def run(*arguments: str, stdin: str | bytes = b"") -> Result:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
        code = main(list(arguments))
        told = capsys.readouterr()
        return Result(code, told.out, told.err)

    return run


@pytest.fixture
def memory(here: Path) -> Path:
    """A casebook `memory/` in Shanghai with the seed case in `long_term/cases.json`."""
    root = here / "memory"
    (root / "long_term").mkdir(parents=True)
    (root / "memory-policy.yaml").write_text(POLICY, encoding="utf-8")
    (root / "long_term" / "cases.json").write_text(SEED, encoding="utf-8")
    return root
