"""`casebook stats`: what was asked, what failed, what was learnt, and for each case whether it helps."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError, Namespace
from contextlib import closing
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError
from casebook.adapters.cli.place import clock_of, roots, store_of

if TYPE_CHECKING:
    from casebook.runtime.learning.effect import Effect
    from casebook.runtime.learning.figures import Figures, Frequent

EPILOG = """\
Of a case: fired, how often it was put in front of the agent; heeded, the call was changed or dropped afterwards; again, its
error came all the same; ok, the call succeeded. The baseline is what came of such tasks where its advice was withheld
(holdout), or before it was there (earlier): errors of so many. With fewer than 10 outcomes on either side there is no verdict.

examples:
  casebook stats
  casebook stats --since 30d --json"""

_SECONDS = re.compile(r"\d+(?:\.\d+)?\Z", re.ASCII)


def arguments(parser: Parser) -> None:
    """Add how far back it looks."""
    parser.add_argument(
        "--since",
        metavar="LENGTH",
        type=_length,
        help="only what happened within this length, such as 30d or seconds (all)",
    )


def _length(text: str) -> timedelta:
    from casebook.duration import duration

    try:
        return duration(float(text) if _SECONDS.match(text) else text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


def run(options: Namespace) -> int:
    """Print the figures."""
    from casebook.runtime.journal.opening import memory_journal, open_journal
    from casebook.runtime.learning.figures import figures
    from casebook.runtime.review.queue import queue
    from casebook.runtime.review.review import Review

    places = roots(options)
    clock = clock_of(options, places)
    since = _since(options, clock())
    folder = places[0].path
    known = (folder / ".casebook" / "journal.db").exists()  # looking makes none
    with (
        closing(open_journal(folder, clock) if known else memory_journal(clock)) as journal,
        closing(store_of(options)) as store,
    ):
        waiting = queue(Review(journal, store, clock, "person:"))
        policy = store.snapshot().policy
        found = figures(journal, store.snapshot().cases, waiting=len(waiting), since=since)
    if options.json:
        output.data(found.to_json())
        return 0
    _print(found)
    if not known:
        output.words("nothing was journaled here yet: `casebook before-task` and `after-task` do")
    if not policy.holdout and any(map(_wants_baseline, found.effects)):
        output.words(
            "no baseline for some: `holdout: 0.1` in memory-policy.yaml withholds advice now and then, which gives one"
        )
    if waiting:
        from casebook.adapters.cli.review_texts import waits_words

        output.words(f"{waits_words(waiting)} for a person: `casebook review`")
    return 0


def _since(options: Namespace, now: datetime) -> datetime | None:
    try:
        return None if options.since is None else now - options.since
    except OverflowError:
        raise UsageError(
            "stats: --since: expected a length that ends within the years 1 to 9999, got a longer one"
        ) from None


def _print(found: Figures) -> None:
    rows = [
        ("activations", f"{found.activations:,}, {found.firing:,} of them put a case in front of the agent"),
        ("calls", f"{found.calls:,}"),
        ("errors", f"{found.errors:,} of {output.counted(found.kinds, 'kind')}" if found.errors else "0"),
        ("  passing", f"{found.transient:,}" if found.transient else ""),
        ("ignored", f"{found.ignored:,}" if found.ignored else ""),
        ("promotions", f"{found.promotions:,}"),
        ("drafts", f"{found.drafts:,}"),
        ("waiting", f"{found.waiting:,}"),
        ("withheld", f"{found.holdout:,}" if found.holdout else ""),
    ]
    margin = max(len(name) for name, value in rows if value)
    for name, value in rows:
        if value:
            output.line(f"{name:<{margin}}  {value}")
    if found.signatures:
        output.line()
        output.table(("errors", "users", "case", "kind"), map(_kind_row, found.signatures), ("users",))
    if found.effects:
        output.line()
        output.table(
            ("case", "fired", "heeded", "again", "ok", "baseline", "verdict"),
            map(_effect_row, found.effects),
            ("heeded",),
        )


def _wants_baseline(effect: Effect) -> bool:
    """Say whether there is no verdict for want of a baseline."""
    from casebook.runtime.learning.effect import MINIMUM

    few = effect.baseline is None or (effect.outcomes.made >= MINIMUM > effect.baseline.made)
    return effect.verdict == "too few" and few


def _kind_row(kind: Frequent) -> tuple[str, ...]:
    return f"{kind.count:,}", f"{kind.users:,}" if kind.users else "-", ", ".join(kind.cases) or "-", kind.template


def _effect_row(effect: Effect) -> tuple[str, ...]:
    base = effect.baseline
    known = "-" if base is None else f"{base.again:,} of {base.made:,} ({effect.source})"
    return (
        effect.case_id, f"{effect.fired:,}", f"{effect.heeded:,}", f"{effect.again:,}", f"{effect.success:,}", known,
        effect.verdict,
    )  # fmt: skip
