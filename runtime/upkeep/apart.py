"""A run of a job in a process of its own, for a process that answers agents: what is heavy holds up nobody there.

A job that looks at 100,000 memories holds the interpreter for so long, and gives so much to the garbage collector to walk, that
answers beside it wait. The run is the same: the same files, journal, locks and audit log, the instant of the one who asks for it,
and its report comes back. Killed anywhere, the next run completes it.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import IO

import casebook
from casebook.clock import elapsed, fixed_clock
from casebook.faults import CasebookError
from casebook.policy import JobName, Policy
from casebook.runtime.memory.layers import Layer
from casebook.runtime.upkeep.protocol import Desk, Move, Report

MANY = 5_000
"""Memories from which on a run is made apart: beside one in a thread of the same process answers are held up longer than 50 ms
(tests/benchmarks/upkeep.py), and to begin a process takes half a second."""
_BYTES = 250
"""Bytes of a memory in its file, about, where the files were not read yet."""
_LOOK = 0.05
"""Seconds between two looks whether it has ended."""
_GRACE = 2.0
"""Seconds that it is waited for when it is asked to end."""
_TOGETHER = 50
"""Moves that are read at once from what it leaves: under a millisecond."""
_MODULE = "casebook.runtime.upkeep.apart"


@dataclass(frozen=True, slots=True)
class Errand:
    """What the other process is to do.

    Attributes:
        root: the casebook's folder.
        layer: its name.
        policy: that serves.
        job: which.
        at: the instant of the run.
        dry: whether nothing is written.
    """

    root: Path
    layer: str
    policy: Policy
    job: JobName
    at: datetime
    dry: bool


def is_due_apart(layer: Layer) -> bool:
    """Say whether runs in a casebook are to be made apart: it is large, and another process sees all of it.

    Not where the journal cannot be opened: the run itself tells of that.
    """
    from casebook.runtime.journal.connecting import path_of

    memories = layer.memories
    count = len(memories.snapshot(wait=False).memories) or memories.unread_bytes() // _BYTES
    if count <= MANY or not sys.executable:
        return False
    with suppress(CasebookError):
        return layer.journal.location == str(path_of(layer.root))
    return False


def run_apart(layer: Layer, job: JobName, at: datetime, *, dry: bool, pause: Callable[[], None]) -> Report | None:
    """Run a job of a casebook once, in a process of its own, and wait for it.

    Args:
        layer: the casebook; what its journal has noted is written first.
        job: which.
        at: the instant of the run.
        dry: whether nothing is written.
        pause: called every now and then; where it raises, the other process is ended.

    Returns:
        The report, as `casebook.runtime.upkeep.running.run` gives it; one with a trouble where the process ended before it was
        done. None where no process can be made.
    """
    started = elapsed()
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as left, tempfile.TemporaryFile() as said:
        try:
            pickle.dump(Errand(layer.root.absolute(), layer.name, layer.policy, job, at, dry), given)
            given.seek(0)
            layer.journal.flush()
            process = subprocess.Popen(  # noqa: S603 - this interpreter, a module of ours, no words of anybody's
                _command(), stdin=given, stdout=left, stderr=said, env=_environment()
            )
        except CasebookError as error:
            return Report(job, at, dry=dry, troubles=(str(error),), seconds=elapsed() - started, layer=layer.name)
        except OSError:
            return None
        try:
            while True:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_LOOK)
                    break
                pause()
        finally:
            _end(process)
        report = _report(left, pause) if process.returncode == 0 else None
        if report is None:
            told = f"{job}: its process ended with {process.returncode} before it was done; the next run completes it{_last(said)}"
            return Report(job, at, dry=dry, troubles=(told,), seconds=elapsed() - started, layer=layer.name)
        return report


def _command() -> Sequence[str]:
    return [sys.executable, "-P", "-m", _MODULE]


def _environment() -> dict[str, str]:
    """Give the environment in which the other process finds the packages that this one has."""
    own = str(Path(casebook.__file__).resolve().parents[1])
    found = dict.fromkeys((own, *(each for each in sys.path if each)))
    return {**os.environ, "PYTHONPATH": os.pathsep.join(found)}


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process that has not ended."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _report(left: IO[bytes], pause: Callable[[], None]) -> Report | None:
    """Read the report, its moves a few at a time."""
    left.seek(0)
    try:
        report: Report = pickle.load(left)  # noqa: S301 - of our own process, in a file that nobody else has
        done: list[Move] = []
        while some := pickle.load(left):  # noqa: S301
            done += some
            pause()
    except (EOFError, pickle.UnpicklingError):
        return None
    return replace(report, done=tuple(done))


def _last(said: IO[bytes]) -> str:
    """Give the last line of what a process said, where it said something."""
    said.seek(0)
    lines = said.read().decode("utf-8", "replace").split("\n")
    last = next((each.strip() for each in reversed(lines) if each.strip()), "")
    return f": {last}" if last else ""


def main() -> int:
    """Do an errand: what is given stands at the beginning of stdin, what is left goes to stdout."""
    errand: Errand = pickle.load(sys.stdin.buffer)  # noqa: S301 - from the process that began this one
    report = _done(errand)
    left = sys.stdout.buffer
    pickle.dump(replace(report, done=()), left)
    for at in range(0, len(report.done), _TOGETHER):
        pickle.dump(report.done[at : at + _TOGETHER], left)
    pickle.dump((), left)
    left.flush()
    return 0


def _done(errand: Errand) -> Report:
    from casebook.runtime.journal.opening import open_journal
    from casebook.runtime.upkeep.running import run
    from casebook.stores.folder import FolderStore
    from casebook.stores.memory_folder import FolderMemories

    clock = fixed_clock(errand.at)
    cases = FolderStore(errand.root, clock=clock, layer=errand.layer)
    memories = FolderMemories(errand.root, layer=errand.layer, zone=errand.policy.timezone)
    journal = open_journal(errand.root, clock)

    def desk() -> Desk:
        return Desk(
            errand.at, errand.policy, memories.snapshot(), journal.tellings(), memories, cases, journal, errand.layer
        )

    try:
        return run(errand.job, desk, clock, dry=errand.dry)
    finally:
        journal.close()


if __name__ == "__main__":
    from casebook.runtime.upkeep import apart  # what is pickled is of the module, not of `__main__`

    raise SystemExit(apart.main())
