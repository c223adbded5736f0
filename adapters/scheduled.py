"""A runtime's upkeep as the scheduler takes it: its casebooks, its ticks. For `casebook schedule`, `maintain --due` and servers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from casebook.clock import Clock
from casebook.policy import JobName, Policy
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.upkeep.claimed import Book, StoppedError, Tell, folder_locks, never
from casebook.runtime.upkeep.delivering import Post
from casebook.runtime.upkeep.protocol import Report
from casebook.runtime.upkeep.scheduler import Scheduler
from casebook.runtime.upkeep.sinks.protocol import Place
from casebook.runtime.upkeep.tick import Ticks

if TYPE_CHECKING:
    from casebook.runtime.memory.layers import Layer
    from casebook.runtime.runtime import Runtime


def books_of(
    runtime: Runtime, clock: Clock, is_stopping: Callable[[], bool] = never, *, apart: bool | None = False
) -> tuple[Book, ...]:
    """Give the casebooks of a runtime, a layer each; none where it keeps no memories.

    Args:
        runtime: in service.
        clock: gives the present instant, aware.
        is_stopping: asked between two chunks of a run, which ends there where it says so.
        apart: as `Runtime.maintain` says: None in a process that answers agents, too.
    """
    return tuple(_book(runtime, layer, clock, is_stopping, apart=apart) for layer in runtime.recollection.layers())


def _book(runtime: Runtime, layer: Layer, clock: Clock, is_stopping: Callable[[], bool], *, apart: bool | None) -> Book:
    def run_job(job: JobName) -> Report:
        from casebook.runtime.upkeep.running import breathe

        def pause() -> None:
            if is_stopping():
                raise StoppedError
            breathe()

        return runtime.recollection.run_job(job, layer, clock, apart=apart, pause=pause)

    def policy() -> Policy:
        return layer.policy

    def journal() -> Journal:
        return runtime.recollection.kept_journal(layer)

    return Book(policy, journal, run_job, folder_locks(layer.root), layer.name)


def ticks_of(runtime: Runtime, clock: Clock) -> Ticks:
    """Give the ticks of a runtime, over all of its layers."""
    layers = runtime.recollection.layers()
    alone = {"": Post(runtime.policy, lambda: runtime.journal, Place(None))}
    return Ticks(
        match=runtime.match,
        before_task=runtime.before_task,
        cases=lambda: runtime.snapshot().cases,
        posts={each.name: _post(runtime, each) for each in layers} if layers else alone,
        clock=clock,
    )


def _post(runtime: Runtime, layer: Layer) -> Post:
    return Post(lambda: layer.policy, lambda: runtime.recollection.kept_journal(layer), Place(layer.root))


def scheduler_of(runtime: Runtime, clock: Clock, tell: Tell, *, apart: bool | None = False) -> Scheduler:
    """Give the scheduler of a runtime, not begun.

    Args:
        runtime: in service; to be closed after the scheduler was stopped.
        clock: gives the present instant, aware.
        tell: is told of each run, from the scheduler's threads, one call at a time.
        apart: as `Runtime.maintain` says: None in a process that answers agents, too.
    """
    stopping: list[Scheduler] = []
    books = books_of(runtime, clock, lambda: bool(stopping) and stopping[0].is_stopping, apart=apart)
    scheduler = Scheduler(books, clock, tell, ask_tick=ticks_of(runtime, clock).ask)
    stopping.append(scheduler)
    return scheduler
