"""`casebook schedule`: upkeep by the policy's schedules, in the foreground, a line a run."""

from __future__ import annotations

import gc
import json
import os
import select
import signal
from argparse import Namespace
from types import FrameType
from typing import TYPE_CHECKING

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError
from casebook.adapters.cli.place import clock_of, opened, roots
from casebook.clock import Clock

if TYPE_CHECKING:
    from casebook.runtime.runtime import Runtime
    from casebook.runtime.upkeep.made import Made

EPILOG = """\
When each job runs stands under `schedules` in memory-policy.yaml (docs/schedule.md); an edit is seen within a minute. Each run
happens once over all processes and hosts; what was missed while nothing ran is made up once. SIGTERM and Ctrl-C end it: what is
running comes to the end of its chunk, and the next run completes it.

examples:
  casebook schedule
  casebook schedule --once --json
  * * * * * casebook --dir /srv/memory schedule --once      a line of crontab, where no process shall stay"""


def arguments(parser: Parser) -> None:
    """Add `--once`."""
    parser.add_argument("--once", action="store_true", help="run what is due now, and end")


def run(options: Namespace) -> int:
    """Run upkeep until a signal comes, or once; 1 where a single pass had trouble."""
    if options.now is not None and not options.once:
        raise UsageError("--now: a clock that stands never comes to the next run; it goes with --once")
    if options.once:
        return run_due_once(options)
    return _Service(options, clock_of(options, roots(options))).run()


def run_due_once(options: Namespace) -> int:
    """Run what is due now and end; 1 where something went wrong. `casebook maintain --due` is the same."""
    clock = clock_of(options, roots(options))
    with opened(options) as runtime:
        return _once(runtime, clock, as_json=options.json)


def _once(runtime: Runtime, clock: Clock, *, as_json: bool) -> int:
    from casebook.adapters.scheduled import books_of, ticks_of
    from casebook.runtime.upkeep.claimed import run_due

    made = run_due(books_of(runtime, clock), clock, lambda each: _print(each, as_json=as_json))
    ticked = ticks_of(runtime, clock).ask()
    for each in ticked:
        _print(each, as_json=as_json)
    if not made and not ticked:
        output.words("nothing is due")
    return 1 if any(each.troubles for each in (*made, *ticked)) else 0


_AT_ONCE = 0.3
"""Seconds after which a stop is one that takes its time, and is told."""


class _Service:
    """The foreground service of one command."""

    def __init__(self, options: Namespace, clock: Clock) -> None:
        self._options = options
        self._clock = clock
        self._reading, self._writing = os.pipe()
        self._signal: int | None = None
        self._lost: Exception | None = None

    def run(self) -> int:
        """Serve until SIGTERM (exit code 0) or SIGINT (130)."""
        before = {number: signal.signal(number, self._noted) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            return self._serve()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            os.close(self._reading)
            os.close(self._writing)

    def _serve(self) -> int:
        from casebook.adapters.scheduled import scheduler_of
        from casebook.runtime.upkeep.scheduler import GRACE
        from casebook.uncollected import settled

        with opened(self._options) as runtime:
            runtime.snapshot()  # loaded now, so that the first tick is not late
            if not gc.isenabled():  # `main` has turned it off: the process is this command's alone, and stays
                settled()
            scheduler = scheduler_of(runtime, self._clock, self._tell)
            scheduler.start()
            output.words(f"upkeep is scheduled in {runtime.policy().timezone}; Ctrl-C ends it")
            select.select([self._reading], [], [])
            has_ended = scheduler.stop(_AT_ONCE)
            if not has_ended:
                output.words("ending with the chunk that runs; a second signal ends it at once")
                has_ended = scheduler.stop(GRACE - _AT_ONCE)
            if not has_ended:  # a job is safe to kill anywhere: the next run completes it
                output.flush()
                os._exit(self._code)
        if self._lost is not None:
            raise self._lost
        return self._code

    @property
    def _code(self) -> int:
        return 130 if self._signal == signal.SIGINT else 0

    def _noted(self, number: int, _: FrameType | None) -> None:
        """Take a signal; the second one ends at once."""
        if self._signal is not None:
            os._exit(self._code)
        self._signal = number
        os.write(self._writing, b".")

    def _tell(self, made: Made) -> None:
        """Print a line; where nobody reads any more, end."""
        if self._lost is not None:
            return
        try:
            _print(made, as_json=self._options.json)
        except (BrokenPipeError, output.OutputError) as error:
            self._lost = error
            os.write(self._writing, b".")


def _print(made: Made, *, as_json: bool) -> None:
    output.line(json.dumps(made.to_json(), ensure_ascii=False) if as_json else output.flat(made.line))
    output.flush()
