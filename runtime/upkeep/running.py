"""A run of a job: never two of one job and casebook at once; what a killed run left is completed first."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from casebook.clock import Clock, elapsed
from casebook.faults import CasebookError
from casebook.policy import JobName
from casebook.runtime.opening import folder_of
from casebook.runtime.upkeep.applying import CHUNK, Pause, Tally, apply, complete
from casebook.runtime.upkeep.protocol import UNFINISHED, Desk, Finishing, Job, Report
from casebook.runtime.upkeep.registry import jobs
from casebook.stores.memory_store import Placed
from casebook.yielding import yielding

TROUBLES = 20
"""Troubles that a report tells, the rest is counted."""

_running: set[tuple[str, JobName]] = set()
_guard = threading.Lock()


def breathe() -> None:
    """Let other threads go on: between two chunks of moves nothing is held."""
    time.sleep(0)


def run(
    job_name: JobName, desk_of: Callable[[], Desk], clock: Clock, *, dry: bool = False, pause: Pause = breathe
) -> Report:
    """Run a job once.

    Args:
        job_name: which; `tick` is none of them.
        desk_of: gives the casebook as it stands at the moment.
        clock: gives the instant of the run.
        dry: whether nothing is written; then it says what would be done, and may be while the job is running.
        pause: called between two chunks of moves.

    Returns:
        What was done. Where this job is running in this casebook already, in whatever process, a report with a trouble that says so,
        at once. Trouble with the store or the journal is in the report, too.

    Raises:
        KeyError: there is no such job.
    """
    with yielding():
        return _whole(job_name, desk_of, clock, dry=dry, pause=pause)


def _whole(job_name: JobName, desk_of: Callable[[], Desk], clock: Clock, *, dry: bool, pause: Pause) -> Report:
    started, at = elapsed(), clock()
    job = jobs()[job_name]
    layer = ""
    try:
        desk = desk_of()
        layer = desk.layer
        if dry:
            return _run(job, desk, Tally(), started, dry=True, pause=pause)
        with _alone(desk, job_name) as is_alone:
            if not is_alone:
                told = f"{job_name} is running in this casebook already, and was not begun a second time"
                return Report(job_name, at, troubles=(told,), seconds=elapsed() - started, layer=layer)
            tally = Tally()
            complete(desk, job_name, tally, pause=pause)
            desk = desk_of()
            report = _run(job, desk, tally, started, dry=False, pause=pause)
    except (CasebookError, OSError) as error:
        told = str(error) if isinstance(error, CasebookError) else _refused(error)
        return Report(job_name, at, dry=dry, troubles=(told,), seconds=elapsed() - started, layer=layer)
    held = list(desk.memories.memories.values())
    del desk
    _let_go(held)
    return report


def _run(job: Job, desk: Desk, tally: Tally, started: float, *, dry: bool, pause: Pause) -> Report:
    figures: dict[str, int] = {"looked_at": len(desk.memories.memories)}
    if tally.completed:
        figures["completed"] = tally.completed
    apply(desk, job.name, job.plan(desk), dry=dry, pause=pause, tally=tally)
    if isinstance(job, Finishing) and tally.is_whole:
        try:
            figures.update(job.finish(desk, dry=dry))
        except CasebookError as error:
            tally.troubles.append(str(error))
            tally.is_whole = False
    if not tally.is_whole and not dry:
        figures[UNFINISHED] = 1
    return Report(
        job.name,
        desk.now,
        dry=dry,
        done=tuple(tally.done),
        conflicts=tuple(dict.fromkeys(tally.conflicts)),
        troubles=_told([*tally.troubles, *desk.troubles]),
        figures=_sorted(figures),
        seconds=elapsed() - started,
        layer=desk.layer,
    )


def _let_go(held: list[Placed]) -> None:
    """Let go of what a run has seen, a little at a time: 100,000 memories that nobody else holds would go in one step of Python's."""
    while held:
        del held[-CHUNK:]
        breathe()


def _told(troubles: list[str]) -> tuple[str, ...]:
    each = tuple(dict.fromkeys(troubles))
    if len(each) <= TROUBLES:
        return each
    return (*each[:TROUBLES], f"and {len(each) - TROUBLES} more")


def _refused(error: OSError) -> str:
    """Say what the system refuses, as of a folder that is read-only, where locks are made before anything else."""
    place = str(error.filename) if isinstance(error.filename, str) else ""
    root = place.partition(f"{os.sep}.casebook{os.sep}")[0]
    return f"{root or 'the casebook'} cannot be written: {error.strerror or error}"


def _sorted(figures: Mapping[str, int]) -> Mapping[str, int]:
    return {name: figures[name] for name in sorted(figures)}


@contextmanager
def _alone(desk: Desk, job_name: JobName) -> Iterator[bool]:
    """Hold the lock of a job in a casebook, and say whether it was free; it is not waited for. Raises OSError."""
    folder = folder_of(desk.cases)
    key = (str(folder or desk.journal.location), job_name)
    with _guard:
        is_free = key not in _running
        if is_free:
            _running.add(key)
    if not is_free:
        yield False
        return
    try:
        if folder is None:
            yield True
            return
        from casebook.stores.confined import lock_path
        from casebook.stores.file_locks import file_lock

        lock = file_lock(lock_path(folder, f"upkeep-{job_name}.lock"))
        try:
            lock.acquire(timeout=0)
        except TimeoutError:
            yield False
            return
        try:
            yield True
        finally:
            lock.release()
    finally:
        with _guard:
            _running.discard(key)
