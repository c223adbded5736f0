"""The example programs: each runs by itself, offline, and prints what stands beside it."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from casebook import Task
from casebook.runtime import Runtime
from tests.examples.packs import EXAMPLES, ROOT

PROGRAMS = sorted((EXAMPLES / "programs").glob("*.py"))
PRINTING = [path for path in PROGRAMS if not path.name.startswith("test_")]


def run(*command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run Python in the repository with a home and a state folder of its own: nothing of the person's is read or written."""
    (folder / "home").mkdir()
    environment = {
        "PATH": os.environ.get("PATH", ""),
        "HOME": str(folder / "home"),
        "CASEBOOK_STATE_DIR": str(folder / "state"),
        "TMPDIR": str(folder),
        "PYTHONPATH": str(ROOT),
        "PYTHONUTF8": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return subprocess.run(
        [sys.executable, "-W", "error", *command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("program", PRINTING, ids=lambda path: path.stem)
def test_a_program_prints_what_stands_beside_it(program: Path, tmp_path: Path) -> None:
    done = run(str(program), folder=tmp_path)
    assert done.stderr == ""
    assert done.returncode == 0
    assert done.stdout == program.with_suffix(".out").read_text(encoding="utf-8")
    assert list((tmp_path / "home").iterdir()) == []
    assert {path.name for path in tmp_path.iterdir()} <= {"home", "state"}


def test_the_pytest_file_passes(tmp_path: Path) -> None:
    file = str(EXAMPLES / "programs" / "test_quiet_hours.py")
    done = run("-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", file, folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 passed" in done.stdout


def test_the_readme_names_every_program_and_no_other() -> None:
    readme = (EXAMPLES / "programs" / "README.md").read_text(encoding="utf-8")
    named = {line.split("`")[1] for line in readme.splitlines() if line.startswith("| `")}
    assert named == {path.name for path in PROGRAMS}


def test_no_output_is_left_without_its_program() -> None:
    assert {path.stem for path in (EXAMPLES / "programs").glob("*.out")} == {path.stem for path in PRINTING}


def loop() -> ModuleType:
    """Give the program of the agent's loop as a module."""
    spec = importlib.util.spec_from_file_location("agent_loop", EXAMPLES / "programs" / "agent_loop.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def readme_middleware(runtime: Runtime) -> dict[str, Any]:
    """Give the functions of the README's middleware, over a runtime."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    code = re.search(r"^def before_tool\(.*?(?=^```)", readme, re.DOTALL | re.MULTILINE)
    assert code is not None
    names: dict[str, Any] = {"Task": Task, "runtime": runtime}
    exec(code[0], names)
    return names


@pytest.mark.parametrize("answer", [True, False])
@pytest.mark.parametrize("count", [1, 3, 4, 12])
def test_a_call_goes_ahead_where_a_person_agrees_however_many_cases_ask(
    count: int, answer: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = {"trigger_conditions": ["tool is shell"], "correction": "Ask first.", "effect": "confirm", "on": ["tool"]}
    (tmp_path / "long_term").mkdir()
    cases = [{"id": f"ask_{number}", **case} for number in range(count)]
    (tmp_path / "long_term" / "cases.json").write_text(json.dumps(cases), encoding="utf-8")
    program = loop()
    monkeypatch.setattr(program, "ask_person", lambda question: answer)
    with Runtime.open(tmp_path, engine="reference") as runtime:
        middleware = readme_middleware(runtime)
        told = middleware["before_tool"]("shell", {"command": "ls"}, "s1", lambda question: answer)
        asked = program.before_tool(runtime, program.Call("shell", {"command": "ls"}), "s1")
    assert told.verdict == asked.verdict == ("allow" if answer else "confirm")
