"""`python -m tests.benchmarks.hook`: what an event costs a host, against `python -c pass` of the same run (DESIGN section 12).

Each round runs each of them once, so that a machine under load is as slow for all; the medians are compared. All run in an environment
of its own, as after `pip install casebook-runtime`: what an editable install costs every start of Python would flatter the ratios. On a
machine that others use: `nice -n -15 python -m tests.benchmarks.hook`.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from tests.benchmarks import casebooks
from tests.benchmarks.corpus import corpus
from tests.benchmarks.table import Row, markdown

CASES, UP, ALONE = 1000, 4.0, 25.0
ROOT = Path(__file__).resolve().parents[2]
_SCRIPT = """\
import re
import sys
from casebook.adapters.cli.main import main
if __name__ == '__main__':
    sys.argv[0] = re.sub(r'(-script\\.pyw|\\.exe)?$', '', sys.argv[0])
    sys.exit(main())
"""
"""As pip writes it."""
BARE, SERVED, HERE = "python -c pass", "service up", "in process"


@dataclass(frozen=True, slots=True)
class Costs:
    """Milliseconds of one event, the median.

    Attributes:
        bare: `python -c pass`.
        served: `casebook hook` where the service is up.
        here: where it is not.
        cases: of the casebook.
    """

    bare: float
    served: float
    here: float
    cases: int

    def rows(self) -> list[Row]:
        """Give the rows of the table."""
        of = f"casebook hook, {self.cases:,} cases, over `python -c pass` ({self.bare:.1f} ms)"
        return [
            Row(f"{of}: {name}", f"{most:g}×", f"{took / self.bare:.1f}× ({took:.1f} ms)", took / self.bare <= most)
            for name, most, took in ((SERVED, UP, self.served), (HERE, ALONE, self.here))
        ]


def measure(cases: int = CASES, rounds: int = 20) -> Costs:
    """Measure.

    Args:
        cases: of the user's casebook.
        rounds: in which each is run once, after two that warm what the system caches.
    """
    with tempfile.TemporaryDirectory() as place:
        home = Path(place)
        casebooks.write(home / ".casebook", corpus(cases, 10))
        environment = {**os.environ, "HOME": place, "CASEBOOK_STATE_DIR": f"{place}/s"}
        python, casebook = _installed(home / "v")
        hook = [python, casebook, "hook", "claude-code"]
        commands = {
            BARE: ([python, "-c", "pass"], environment),
            SERVED: (hook, environment),
            HERE: (hook, {**environment, "CASEBOOK_NO_SERVICE": "1"}),
        }
        serve = [python, casebook, "serve", "--no-http"]
        service = subprocess.Popen(serve, cwd=place, env=environment, stderr=subprocess.PIPE, encoding="utf-8")
        try:
            assert service.stderr is not None
            line = service.stderr.readline()
            assert line.startswith("serving"), line
            took: dict[str, list[float]] = {name: [] for name in commands}
            for at in range(rounds + 2):
                for name, (command, given) in commands.items():
                    seconds = _seconds(command, given, home, _event(home, f"{name} {at}"))
                    if at >= 2:
                        took[name].append(seconds * 1000)
        finally:
            service.send_signal(signal.SIGTERM)
            service.communicate()
    median = {name: statistics.median(each) for name, each in took.items()}
    return Costs(median[BARE], median[SERVED], median[HERE], cases)


def _installed(place: Path) -> tuple[str, str]:
    """Make an environment in which everything can be imported, with no finder in the way; gives its Python and its `casebook`."""
    venv.create(place, with_pip=False)
    (packages,) = (place / "lib").glob("python*/site-packages")
    (packages / "all.pth").write_text(f"{ROOT}\n{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    script = place / "bin" / "casebook"
    script.write_text(_SCRIPT, encoding="utf-8")
    return str(place / "bin" / "python"), str(script)


def _event(cwd: Path, session: str) -> bytes:
    called = {"tool_name": "Bash", "tool_input": {"command": "git push --force origin main"}, "tool_use_id": "t1"}
    form = {"hook_event_name": "PreToolUse", "session_id": session, "cwd": str(cwd), "prompt_id": "p", **called}
    return json.dumps(form).encode()


def _seconds(command: Sequence[str], environment: Mapping[str, str], cwd: Path, event: bytes) -> float:
    began = perf_counter()
    done = subprocess.run(command, input=event, env=environment, cwd=cwd, capture_output=True, check=False)
    took = perf_counter() - began
    assert (done.returncode, done.stderr) == (0, b""), done.stderr
    return took


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; the exit code is 0, whether the figures are reached or not."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.hook", description=__doc__)
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--rounds", type=int, default=20)
    asked = parser.parse_args(arguments)
    print(markdown(measure(asked.cases, asked.rounds).rows()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
