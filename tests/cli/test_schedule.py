"""`casebook schedule`: a line a run, a clean stop, a single pass; in real processes where it is about signals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event

import pytest

from casebook.clock import elapsed, system_clock
from tests.cli.conftest import Run

EVERY_MINUTE = 'format: 1\ntimezone: Asia/Shanghai\nschedules: {expire: "* * * * *", tick: "* * * * *"}\n'
TICK = '[{"id": "queue", "trigger_conditions": ["always"], "on": ["tick"], "correction": "Look at the queue", "cooldown": "1h"}]'


@pytest.fixture
def kept(memory: Path) -> Path:
    (memory / "memory-policy.yaml").write_text(EVERY_MINUTE, encoding="utf-8")
    (memory / "long_term" / "ticks.json").write_text(TICK, encoding="utf-8")
    return memory


def lines(text: str) -> list[str]:
    return [" ".join(line.split()[1:]).rpartition(" (")[0] for line in text.splitlines()]


def test_once_runs_what_is_due_and_ends(casebook: Run, kept: Path) -> None:
    found = casebook("schedule", "--once", "--now", "2026-03-06T03:00")
    assert (found.code, found.err) == (0, "")
    assert lines(found.out) == ["expire: nothing to do", "hygiene: nothing to do", "tick: 1 delivered (queue)"]
    assert found.out.startswith("2026-03-06T03:00:00+08:00 expire: ")
    again = casebook("schedule", "--once", "--now", "2026-03-06T03:00")
    assert (again.code, again.out, again.err) == (0, "", "nothing is due\n")


def test_once_makes_up_what_was_missed(casebook: Run, kept: Path) -> None:
    casebook("schedule", "--once", "--now", "2026-03-06T02:59")
    found = casebook("schedule", "--once", "--now", "2026-03-07T03:00")
    assert any(line.startswith("hygiene: ") for line in lines(found.out))  # Friday's, on Saturday
    assert "expire: nothing to do; makes up 1,440 missed" in lines(found.out)
    assert "hygiene" not in casebook("schedule", "--once", "--now", "2026-03-07T03:01").out


def test_maintain_due_is_the_same(casebook: Run, kept: Path) -> None:
    found = casebook("maintain", "--due", "--now", "2026-03-06T03:00")
    assert lines(found.out)[:2] == ["expire: nothing to do", "hygiene: nothing to do"]
    assert casebook("schedule", "--once", "--now", "2026-03-06T03:00").out == ""


def test_as_json_each_run_is_an_object_on_a_line(casebook: Run, kept: Path) -> None:
    found = casebook("schedule", "--once", "--json", "--now", "2026-03-06T03:00")
    made = [json.loads(line) for line in found.out.splitlines()]
    assert [each["job"] for each in made] == ["expire", "hygiene", "tick"]
    assert made[1]["slot"] == "2026-03-06T03:00"
    assert datetime.fromisoformat(made[1]["at"]) == datetime.fromisoformat("2026-03-06T03:00+08:00")
    assert {"layer", "makes_up", "moves", "figures", "conflicts", "troubles", "seconds"} <= set(made[1])


def test_trouble_in_a_single_pass_is_an_exit_code(casebook: Run, kept: Path) -> None:
    (kept / "long_term" / "ticks.json").write_text(TICK.replace('"cooldown"', '"x-sink": "pager", "cooldown"'))
    found = casebook("schedule", "--once", "--now", "2026-03-06T03:00")
    assert found.code == 1
    assert 'there is no sink called "pager"' in found.out


def test_a_clock_that_stands_is_for_a_single_pass_alone(casebook: Run, kept: Path) -> None:
    found = casebook("schedule", "--now", "2026-03-06T03:00")
    assert found.code == 2
    assert "--once" in found.err


def test_a_cron_that_is_none_is_told_by_check_with_its_place(casebook: Run, kept: Path) -> None:
    (kept / "memory-policy.yaml").write_text('format: 1\nschedules:\n  hygiene: "0 3 1 * fri"\n', encoding="utf-8")
    found = casebook("check")
    assert found.code == 1
    assert "memory-policy.yaml:3" in found.out + found.err
    assert "weekday (column 9)" in found.out + found.err


# -- as a process --------------------------------------------------------------------------------------------------------

HANGS = """
import sys, time
import casebook.runtime.upkeep.running as running
def run(job, desk, clock, **options):
    print("begun", file=sys.stderr, flush=True)
    time.sleep(60)
running.run = run
from casebook.adapters.cli.main import main
sys.exit(main())
"""


def start(memory: Path, *arguments: str, program: str = "") -> subprocess.Popen[str]:
    command = [sys.executable, *(("-c", program) if program else ("-m", "casebook")), "--dir", str(memory), "schedule"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    process = subprocess.Popen(
        [*command, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        encoding="utf-8",
    )
    _started.append(process)
    return process


_started: list[subprocess.Popen[str]] = []


@pytest.fixture(autouse=True)
def nothing_runs_on() -> Iterator[None]:
    """End what a test that failed in its midst has left running."""
    yield
    while _started:
        process = _started.pop()
        if process.returncode is None:
            process.kill()
            process.communicate()


def stop(process: subprocess.Popen[str], number: int) -> tuple[int, str, str, float]:
    """Send a signal; give exit code, output, words and the seconds that it took to end."""
    began = elapsed()
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err, elapsed() - began


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_it_serves_in_the_foreground_until_it_is_asked_to_end(kept: Path, number: int, code: int) -> None:
    process = start(kept)
    assert process.stdout is not None
    first = {process.stdout.readline().split(":")[-2].split()[-1] for _ in range(2)}  # a line is there as its run ends
    ended, _, err, seconds = stop(process, number)
    assert first == {"expire", "tick"}
    assert ended == code
    assert seconds < 5
    assert "Traceback" not in err
    assert err.startswith("upkeep is scheduled in Asia/Shanghai")


def test_a_run_that_does_not_end_is_left_and_completed_by_the_next(kept: Path, casebook: Run) -> None:
    (kept / "long_term" / "ticks.json").unlink()
    process = start(kept, program=HANGS)
    assert process.stderr is not None
    while process.stderr.readline() != "begun\n":
        pass
    ended, out, _, seconds = stop(process, signal.SIGTERM)
    assert (ended, out) == (0, "")
    assert seconds < 5
    later = (system_clock() + timedelta(minutes=6)).isoformat()
    assert "expire: nothing to do" in casebook("schedule", "--once", "--now", later).out


def test_a_second_signal_ends_it_at_once(kept: Path) -> None:
    process = start(kept, program=HANGS)
    assert process.stderr is not None
    while process.stderr.readline() != "begun\n":
        pass
    process.send_signal(signal.SIGINT)
    while (line := process.stderr.readline()) == "begun\n":  # of a second job, where the machine is slow
        pass
    assert line.startswith("ending")
    ended, _, _, seconds = stop(process, signal.SIGINT)
    assert ended == 130
    assert seconds < 3


def test_two_of_them_make_each_run_once(kept: Path) -> None:
    processes = [start(kept, "--json") for _ in range(2)]
    outs = []
    for each in processes:
        assert each.stderr is not None
        while not each.stderr.readline().startswith("upkeep"):
            pass
    Event().wait(0.5)
    for each in processes:
        ended, out, err, _ = stop(each, signal.SIGTERM)
        assert (ended, err) == (0, "")
        outs += [json.loads(line) for line in out.splitlines()]
    runs = [(made["job"], made["slot"]) for made in outs if made["job"] == "expire"]
    assert runs
    assert len(runs) == len(set(runs))
    minutes = [made["at"][:16] for made in outs if made["job"] == "tick"]
    assert len(minutes) == 1


def test_where_nobody_reads_any_more_it_ends(kept: Path) -> None:
    process = start(kept)
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait(timeout=90) == 0
    assert process.stderr is not None
    assert "Traceback" not in process.stderr.read()
    process.stderr.close()
