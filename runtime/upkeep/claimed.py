"""A due run is claimed, made and told: once over all processes and hosts, without a scheduler of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from casebook.clock import Clock, elapsed, inside_the_calendar
from casebook.faults import CasebookError
from casebook.policy import JobName, Policy
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.upkeep.due import SCHEDULED, Due, due
from casebook.runtime.upkeep.ledger import Ledger, utc_text
from casebook.runtime.upkeep.made import Made, moves_of
from casebook.runtime.upkeep.protocol import UNFINISHED, Report

Tell = Callable[[Made], None]
"""Takes what came of a run; it must not raise."""
Lock = Callable[[str], AbstractContextManager[bool]]
"""Takes a name and gives a context that says whether its lock was free, and holds it if so; it is not waited for."""


class StoppedError(Exception):
    """Raised between two chunks of a run that is asked to end: no error of ours, so that nobody on the way takes it for one."""


@dataclass(frozen=True, slots=True)
class Book:
    """One casebook whose upkeep is scheduled.

    Attributes:
        policy: gives the policy that serves now.
        journal: gives its journal.
        run_job: runs a job and gives its report. It may raise `StoppedError` where it was asked to end before its work was done.
        lock: keeps two runs of a job apart among the processes that see one folder.
        layer: its name; empty for a single one.
    """

    policy: Callable[[], Policy]
    journal: Callable[[], Journal]
    run_job: Callable[[JobName], Report]
    lock: Lock
    layer: str = ""


def never() -> bool:
    """Say that nobody asks to end."""
    return False


def run_due(
    books: Sequence[Book],
    clock: Clock,
    tell: Tell,
    *,
    jobs: Sequence[JobName] = SCHEDULED,
    is_stopping: Callable[[], bool] = never,
) -> tuple[Made, ...]:
    """Make all runs that are due now, one after another. What goes wrong with one is told, and the next is made.

    Args:
        books: the casebooks.
        clock: gives the present instant, aware.
        tell: is told of each run as it ends.
        jobs: of these alone.
        is_stopping: asked before each run; where it says so, no further one is begun.

    Returns:
        What came of each run that this process made.
    """
    made: list[Made] = []
    clock = inside_the_calendar(clock)
    for book in books:
        found = _found(book, clock, jobs)
        for each in found if isinstance(found, tuple) else (found,):
            if is_stopping():
                return tuple(made)
            came = each if isinstance(each, Made) else _make(book, each, clock, tell)
            if came is not None:
                made.append(came)
                tell(came)
    return tuple(made)


def _found(book: Book, clock: Clock, jobs: Sequence[JobName]) -> tuple[Due, ...] | Made:
    """Give what is due in a casebook, or the trouble with asking."""
    now = clock()
    try:
        return due(book.policy(), book.journal(), now, jobs)
    except (CasebookError, OSError) as error:
        return Made("schedule", now, layer=book.layer, told="what is due is not known", troubles=(str(error),))


def _make(book: Book, run: Due, clock: Clock, tell: Tell) -> Made | None:
    """Claim a run and make it; None where another process has it."""
    started = elapsed()
    try:
        with book.lock(run.job) as is_free:
            if not is_free:
                return None  # whoever runs this job now; the slot stays due
            ledger = Ledger(book.journal())
            if not _claimed(ledger, run, clock()):
                return None
            if run.is_stubborn:
                tell(_stubborn(book, run, clock))
            return _run(book, ledger, run, clock, started)
    except StoppedError:
        return _made(book, run, clock, started, told="asked to end; the next run completes it")
    except Exception as error:  # noqa: BLE001 - whatever a run raises, the others are made; this one is begun again
        told = "not done, and begun again later"
        return _made(book, run, clock, started, told=told, troubles=(_named(error),))


def _claimed(ledger: Ledger, run: Due, now: datetime) -> bool:
    if run.begun:
        return ledger.claim_again(run.job, run.slot, now, run.begun)
    body: dict[str, Any] = {"due": utc_text(run.at), "timezone": run.zone, "cron": run.cron}
    if run.makes_up and run.first is not None:
        body["makes_up"] = {"slots": run.makes_up, "from": run.first.isoformat(timespec="minutes")}
    return ledger.claim(run.job, run.slot, now, body)


def _run(book: Book, ledger: Ledger, run: Due, clock: Clock, started: float) -> Made:
    report = book.run_job(run.job)
    if report.troubles and not report.figures and not report.done:  # it did not come to its work
        return _made(book, run, clock, started, told="not done, and begun again later", troubles=report.troubles)
    if UNFINISHED in report.figures:
        told = "not done whole, and begun again later"
        return _made(book, run, clock, started, report=report, told=told, troubles=report.troubles)
    body = {
        "moves": moves_of(report),
        "figures": dict(report.figures),
        "conflicts": len(report.conflicts),
        "troubles": len(report.troubles),
        "seconds": round(report.seconds, 3),
    }
    for slot in (*run.unfinished, run.slot):
        ledger.finish(run.job, slot, clock(), body if slot == run.slot else {"completed_by": _iso(run.slot)})
    return _made(book, run, clock, started, report=report, troubles=report.troubles)


def _stubborn(book: Book, run: Due, clock: Clock) -> Made:
    told = (
        f"the run of {_iso(run.slot)} was begun {run.begun} times and never came to its end: "
        "it is begun again, and else in a day"
    )
    return _made(book, run, clock, elapsed(), told=told)


def _made(
    book: Book,
    run: Due,
    clock: Clock,
    started: float,
    *,
    report: Report | None = None,
    told: str = "",
    troubles: tuple[str, ...] = (),
) -> Made:
    at = clock().astimezone(ZoneInfo(run.zone))
    makes_up = run.makes_up if not run.begun else 0
    return Made(run.job, at, run.slot, makes_up, report, troubles, book.layer, max(elapsed() - started, 0.0), told)


def _named(error: Exception) -> str:
    return str(error) if isinstance(error, CasebookError) else f"{type(error).__name__}: {error}"


def _iso(slot: datetime) -> str:
    return slot.isoformat(timespec="minutes")


def folder_locks(root: Path) -> Lock:
    """Give the locks of a casebook's folder; `running.py` has its own, for runs that nobody scheduled, too."""

    @contextmanager
    def hold(name: str) -> Iterator[bool]:
        from filelock import Timeout

        from casebook.stores.confined import lock_path
        from casebook.stores.file_locks import file_lock

        lock = file_lock(lock_path(root, f"schedule-{name}.lock"))
        try:
            lock.acquire(timeout=0)
        except Timeout:
            yield False
            return
        try:
            yield True
        finally:
            lock.release()

    return hold
