"""`casebook maintain`: jobs of upkeep, once: all of them, those that are named, or those that are due."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError
from casebook.adapters.cli.memory_desk import tell_unserved
from casebook.adapters.cli.place import opened
from casebook.faults import nearest

if TYPE_CHECKING:
    from casebook.runtime.upkeep.protocol import Move, Report

EPILOG = """\
expire  L1 past its time, and what has expired     age      L2 that nobody used
promote L2 that proved itself                      audit    L3 and cases that want a look
reflect what is the same, what contradicts         compact  what has grown too long
hygiene all of these, and the digest (reconcile)   archive  packs, and purges what is past its year
retain  words of old tasks

Run again at once it does nothing. Every move is in the audit log (`casebook review log --all`); `casebook reconcile` shows the moves
to confirm or undo.

examples:
  casebook maintain --dry-run
  casebook maintain expire age --now 2026-04-01
  casebook maintain --due"""

_DONE = {
    "distil": "distilled to L2", "demote": "demoted to L1", "promote": "promoted to L3", "expire": "expired", "archive": "archived",
    "merge": "merged", "restore": "restored", "ask": "to review", "note": "noted", "archive_case": "cases archived",
}  # fmt: skip


_FIGURES = {
    "mirrored": "whose file now says how often and when last they were told",
}
"""What the figures of a run mean whose names do not say it."""


def arguments(parser: Parser) -> None:
    """Add the jobs, and how."""
    parser.add_argument("jobs", metavar="JOB", nargs="*", help="the jobs (all)")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")
    parser.add_argument(
        "--due", action="store_true", help="only what the schedule says is due, as `casebook schedule` would"
    )


def run(options: Namespace) -> int:
    """Run the jobs; done also where some moves wait for the next run, and 1 where a job did not come to its work."""
    from casebook.policy import JOBS

    for name in options.jobs:
        if name not in JOBS or name == "tick":
            near = nearest(name, JOBS)
            hint = (
                f"did you mean {near}?"
                if near and near != "tick"
                else f"expected one of {', '.join(each for each in JOBS if each != 'tick')}"
            )
            raise UsageError(f"maintain: there is no job {name!r}; {hint}")
    if options.due and (options.jobs or options.dry_run):
        raise UsageError("maintain: --due says itself what runs; expected no job and no --dry-run beside it")
    if options.due:
        from casebook.adapters.cli.schedule import run_due_once

        return run_due_once(options)
    from casebook.runtime.memory_door import EVERY_JOB

    with opened(options) as runtime:
        reports = runtime.maintain(options.jobs or EVERY_JOB, dry=options.dry_run, apart=False)
        unserved = [fault for layer in runtime.recollection.layers() for fault in layer.memories.snapshot().faults]
        wrong = [fault for fault in runtime.store.snapshot().faults if fault.path.endswith("memory-policy.yaml")]
    output.several((f"does not serve: {fault}" for fault in wrong), "`casebook check` tells all")
    tell_unserved(unserved)
    if options.json:
        output.data([report_json(each) for each in reports])
    else:
        for report in reports:
            for line in report_lines(report):
                output.line(line)
    for report in reports:
        output.several(f"warning: {report.job}: {each}" for each in report.troubles)
    return 0 if all(map(is_begun, reports)) else 1


def report_words(report: Report) -> str:
    """Give a run in one line: what was done, how often."""
    counts = Counter(move.kind for move in report.done)
    told = [f"{number:,} {_DONE[kind]}" for kind, number in counts.items()]
    told += [
        f"{number:,} {_FIGURES.get(name, name.replace('_', ' '))}" for name, number in report.figures.items() if number
    ]
    if report.conflicts:
        told.append(f"{len(report.conflicts):,} left, for they were changed meanwhile")
    layer = f" in {report.layer}" if report.layer else ""
    otherwise = "nothing to do" if is_begun(report) else "not done"
    return f"{report.job}{layer}: {', '.join(told) or otherwise}" + (" (dry run)" if report.dry else "")


def is_begun(report: Report) -> bool:
    """Say whether a run came to its work: there was no trouble, or something to tell beside it."""
    return not report.troubles or bool(report.done or report.figures or report.conflicts)


def report_lines(report: Report) -> Iterator[str]:
    """Give a run and its moves, a line each."""
    yield report_words(report)
    for move in report.done:
        yield f"  {move.kind:<9} {move.subject}  {move.rule}: {output.one_line(move.why)}"


def report_json(report: Report) -> dict[str, Any]:
    """Give a run for programs."""
    return {
        "job": report.job, "layer": report.layer or None, "at": report.at.isoformat(), "dry": report.dry,
        "moves": [_move_json(each) for each in report.done], "conflicts": list(report.conflicts),
        "troubles": list(report.troubles), "figures": dict(report.figures), "seconds": round(report.seconds, 3),
    }  # fmt: skip


def _move_json(move: Move) -> dict[str, Any]:
    return {
        "kind": move.kind, "id": move.subject, "rule": move.rule, "why": move.why, "reason": move.reason or None,
        "from": move.before.tier if move.before is not None else None, "to": move.after.tier if move.after is not None else None,
        "others": list(move.others),
    }  # fmt: skip
