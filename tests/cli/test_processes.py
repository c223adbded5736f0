"""The command as a process: how it starts, what it imports, how it ends when the other side goes away."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from casebook.adapters.cli import front
from casebook.adapters.cli.commands import COMMANDS
from tests.cli.conftest import Run

ROOT = Path(__file__).parents[2]
MODULE = [sys.executable, "-m", "casebook"]
SCRIPT = [sys.executable, "-c", "import sys; from casebook.adapters.cli.main import main; sys.exit(main())"]


def run(
    command: list[str], *, cwd: Path, env: dict[str, str] | None = None, **more: object
) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **(env or {})}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, **more)  # type: ignore[call-overload,no-any-return]


@pytest.mark.parametrize("command", [MODULE, SCRIPT], ids=["python -m casebook", "console script"])
def test_both_ways_to_start_it_answer(command: list[str], memory: Path, here: Path) -> None:
    done = run(
        [*command, "match", "--dir", "memory", "--intent", "主动推送", "--now", "2026-03-21T03:00"],
        cwd=here,
        env={"HOME": str(here)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "禁止在凌晨时段" in done.stdout
    assert run([*command, "show", "nobody"], cwd=here).returncode == 2


def test_parsing_imports_neither_pydantic_nor_lark_nor_an_engine() -> None:
    code = (
        "import sys\n"
        "from casebook.adapters.cli.main import main\n"
        "from casebook.adapters.cli.front import command_parser\n"
        "from casebook.adapters.cli.commands import COMMANDS\n"
        "main(['--version']); main(['--help']); [command_parser(name) for name in COMMANDS]\n"
        "heavy = {'pydantic', 'lark', 're2', 'yaml', 'durable', 'durable_rules_engine', 'ahocorasick_rs', 'filelock'}\n"
        "sys.exit(', '.join(heavy & set(sys.modules)) or 0)\n"
    )
    done = run([sys.executable, "-c", code], cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    "line, code",
    [("match --intent x", 0), ("match --task -", 2), ("list", 0), ("doctor", 0), ("edit case_001", 2), ("nothing", 2)],
)
def test_streams_that_are_closed_are_no_fault_of_ours(
    memory: Path, here: Path, *, line: str, code: int, closed: str
) -> None:
    """What would go to a stream that is closed goes nowhere, and never to the other one."""
    command = f"{sys.executable} -m casebook {line} {closed}"
    done = run(["/bin/sh", "-c", command], cwd=here, env={"HOME": str(here)}, stdin=subprocess.DEVNULL)
    assert done.returncode == code
    assert "Traceback" not in done.stderr + done.stdout
    assert "fault of ours" not in done.stderr
    if "2>&-" in closed:
        assert "casebook: " not in done.stdout
        assert "no case applies" not in done.stdout


def test_a_reader_that_goes_away_is_no_error(memory: Path, here: Path) -> None:
    """`casebook schema | head -1`, the pipe closed before anything is read."""
    process = subprocess.Popen(
        [*MODULE, "schema"],
        cwd=here,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0


@pytest.mark.parametrize("line", ["schema", "list", "list --json", "--help", "--version", "show case_001", "check"])
def test_a_closed_stdout_is_no_fault_of_any_command(memory: Path, here: Path, line: str) -> None:
    done = run(["/bin/sh", "-c", f"{sys.executable} -m casebook {line} >&-"], cwd=here, env={"HOME": str(here)})
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)


@pytest.mark.parametrize(
    "line",
    ["list", "intent x", "demo", "match --text x", "explain --text x", "check", "fmt", "doctor", "init"],
)
def test_a_working_directory_that_is_gone_is_told_in_words(here: Path, line: str) -> None:
    command = f"mkdir gone && cd gone && rmdir ../gone && {sys.executable} -m casebook {line}"
    done = run(["/bin/sh", "-c", command], cwd=here, env={"HOME": str(here)}, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("casebook: the working directory is gone")


def test_a_casebook_that_is_named_serves_where_the_working_directory_is_gone(memory: Path, here: Path) -> None:
    command = f"mkdir gone && cd gone && rmdir ../gone && {sys.executable} -m casebook list --dir {memory}"
    done = run(["/bin/sh", "-c", command], cwd=here, env={"HOME": str(here)})
    assert (done.returncode, "case_001" in done.stdout) == (0, True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_told(memory: Path, here: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*MODULE, "list"],
            cwd=here,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr.endswith("casebook: cannot write the output: No space left on device\n")


def test_an_interruption_ends_with_130_and_no_words(memory: Path, here: Path) -> None:
    process = subprocess.Popen(
        [*MODULE, "match", "--task", "-"],
        cwd=here,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    time.sleep(0.6)  # it waits for its task by then
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out, err) == (130, b"", b"")


@pytest.mark.parametrize("module", ["casebook.adapters.cli.front", "argparse", "casebook.adapters.cli.listing"])
def test_an_interruption_while_it_loads_ends_with_130_and_no_words(memory: Path, here: Path, module: str) -> None:
    """The signal comes at the moment at which a module is looked for."""
    code = (
        "import os, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "from casebook.adapters.cli.main import main\n"
        "sys.argv = ['casebook', 'list']\n"
        "sys.exit(main())\n"
    )
    done = run([sys.executable, "-c", code], cwd=here, env={"HOME": str(here)})
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_fault_of_ours_is_short_and_says_where_the_details_are(
    casebook: Run, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("by nought")

    monkeypatch.setattr("casebook.adapters.cli.listing.store_of", fail)
    short = casebook("list")
    assert short.code == 3
    assert "a fault of ours: ZeroDivisionError: by nought (test_processes.py:" in short.err
    assert "--traceback" in short.err
    assert "Traceback" not in short.err
    assert "Traceback (most recent call last)" in casebook("list", "--traceback").err
    monkeypatch.setenv("CASEBOOK_TRACEBACK", "1")
    assert "Traceback (most recent call last)" in casebook("list").err


def test_a_terminal_that_knows_no_chinese_gets_numbers_and_no_crash(memory: Path, here: Path) -> None:
    done = run([*MODULE, "list"], cwd=here, env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert done.returncode == 0
    assert "\\u7981" in done.stdout


def test_nothing_is_written_to_the_home(casebook: Run, memory: Path, here: Path) -> None:
    for line in (("list",), ("match", "--text", "x"), ("check",), ("demo",), ("doctor",)):
        casebook(*line)
    assert list((here.parent / "home").iterdir()) == []


def test_a_command_is_a_module_with_arguments_and_run() -> None:
    for name in COMMANDS:
        module = front._module(name)
        assert callable(module.arguments)
        assert callable(module.run)
