"""A line for hosts that take a hook's exit code for a no: a program that cannot be run ends well, and one that runs is the hook itself."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from casebook.adapters.wiring.executable import failing_open, is_hook, missing, shell_line


@pytest.mark.parametrize("text", [None, "#!/no/such/interpreter\n"])
@pytest.mark.parametrize("mode", [0o755, 0o644])
def test_a_program_that_cannot_be_run_ends_well(tmp_path: Path, text: str | None, mode: int) -> None:
    program = tmp_path / "case book"
    if text is not None:
        program.write_text(text)
        program.chmod(mode)
    line = failing_open(shell_line((str(program), "hook", "gemini")))
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (0, "")
    assert str(program) in done.stderr


def test_a_program_that_runs_takes_the_place_of_the_shell_with_its_input_its_signals_and_its_exit_code(
    tmp_path: Path,
) -> None:
    """Gemini CLI ends a hook that takes too long by a signal to what it has started, and waits until its output is closed."""
    program = tmp_path / "casebook"
    program.write_text('#!/bin/sh\nread -r line; echo "$line $1 $2 $$"; exit 3\n')
    program.chmod(0o755)
    line = failing_open(shell_line((str(program), "hook", "gemini")))
    with subprocess.Popen(["bash", "-c", line], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        out, _ = process.communicate("event\n", timeout=60)
    assert (process.returncode, out) == (3, f"event hook gemini {process.pid}\n")


@pytest.mark.parametrize(
    "program", ["/opt/casebook/bin/casebook", "/opt/case book/bin/casebook", "/usr/bin/python3 -m casebook"]
)
def test_such_a_line_is_known_as_ours_and_its_program_is_found_in_it(program: str) -> None:
    arguments = tuple(program.split(" -m ")[0:1]) + (("-m", "casebook") if " -m " in program else ())
    line = failing_open(shell_line((*arguments, "hook", "gemini", "--dir", "/a b")))
    assert is_hook(line, "gemini")
    assert not is_hook(line, "codex")
    assert missing(line) == ("" if Path(arguments[0]).exists() else arguments[0])
