"""`casebook scan`: repeated errors in the transcripts that hosts keep on disk, as drafts with evidence and backtest."""

from __future__ import annotations

import os
from argparse import Namespace
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError, as_argument, number
from casebook.adapters.cli.asking import agreed
from casebook.adapters.cli.desk import desk, doer_argument, journaled
from casebook.adapters.cli.place import roots

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from casebook.adapters.scanning.protocol import Reader
    from casebook.runtime.review.review import Review
    from casebook.runtime.teaching.found import Found, Gathering

EPILOG = """\
Reads, and changes nothing of a host: Claude Code's ~/.claude/projects, Codex's ~/.codex/sessions, OpenClaw's ~/.openclaw/agents, or the
files and folders that are named. An error that came three times (the policy's detector.threshold) by its signature becomes a
draft; a draft fires once it is approved: `casebook review`. What is there already, or was rejected, is not made again.
Into the casebook of a project go its own errors and those of no one project; into one of your own, or that is named, all of them.

examples:
  casebook scan
  casebook scan --dry-run --days 90
  casebook scan --host codex --yes
  casebook scan ~/.claude/projects/-srv-shop"""

DAYS = 30
"""Days back that are read (issue: the last 30 days)."""
MOST_DAYS = 36_500
SHOWN = 3
"""Pieces of evidence that are shown of each."""
NAMED = 5
"""Other projects that are named."""

_ONCE = {"call": "turn", "task": "task", "session": "session"}
"""What several errors count once in, by `detector.distinct`: hosts tell turns."""


@dataclass(frozen=True, slots=True)
class _Looked:
    """What came of a scan.

    Attributes:
        new: what becomes a draft.
        known: how much was known here already.
        over: how much is over the limit of a day.
        elsewhere: how much is of other projects, by name.
        once: what several errors count once in.
    """

    new: Sequence[Found]
    known: int
    over: int
    elsewhere: Mapping[str, int]
    once: str


def arguments(parser: Parser) -> None:
    """Add whose transcripts, of which days, and whether to ask."""
    parser.add_argument("paths", metavar="PATH", nargs="*", help="transcripts, or folders of them (those of this user)")
    parser.add_argument(
        "--host", metavar="HOST", action="append", help="claude-code, codex or openclaw; may be repeated (all)"
    )
    parser.add_argument("--days", metavar="N", type=number, default=DAYS, help=f"so many days back ({DAYS})")
    parser.add_argument("--all", action="store_true", help="errors of other projects too, each for its project alone")
    parser.add_argument("--yes", action="store_true", help="show the drafts, and write them without asking")
    parser.add_argument("--dry-run", action="store_true", help="show the drafts, and write none")
    doer_argument(parser)


def run(options: Namespace) -> int:
    """Read, show, ask, write; 1 where the person said no."""
    readers = _readers(options)
    with desk(options) as review:
        gathering = _read(options, review, readers)
        looked = _found(options, review, gathering, readers)
        found = looked.new
        if not options.json:
            _show(looked, gathering)
        nobody = "nothing was written, and nobody can be asked here: --yes writes the drafts, --dry-run only shows them"
        question = f"write {output.counted(len(found), 'draft')}?"
        is_asked = bool(found) and not options.dry_run
        written = is_asked and (options.yes or agreed(question, nobody=nobody))
        if written:
            _write(options, review, found)
    if options.json:
        output.data(_json(looked, gathering, written=written))
    elif written:
        output.words(
            f"{output.counted(len(found), 'draft')} written; a draft fires once it is approved: `casebook review`"
        )
    elif found:
        output.words("nothing was written")
    return int(is_asked and not written)


def _readers(options: Namespace) -> Sequence[Reader]:
    from casebook.adapters.scanning.registry import READERS, reader_of
    from casebook.faults import CasebookError

    try:
        return [reader_of(each) for each in dict.fromkeys(options.host)] if options.host else list(READERS.values())
    except CasebookError as error:
        raise UsageError(f"scan: --host: {error}") from None


def _read(options: Namespace, review: Review, readers: Sequence[Reader]) -> Gathering:
    """Read the transcripts; what could not be read is told. Raises UsageError."""
    from casebook.adapters.cli.progress import bar
    from casebook.adapters.scanning.reading import Passed, files_of, gather
    from casebook.faults import CasebookError
    from casebook.instants import before
    from casebook.runtime.teaching.found import Gathering

    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - Path.home() raises where there is no home
    now, passed = review.clock(), Passed()
    since = before(now, timedelta(days=min(options.days, MOST_DAYS)))
    try:
        files = files_of(
            readers, [Path(each).expanduser() for each in options.paths], home, os.environ, since, passed=passed
        )
    except CasebookError as error:
        raise UsageError(f"scan: {error}") from None
    gathering = Gathering(review.store.snapshot().policy)
    with bar("scan") as tell:
        gather(files, gathering, (since, now), home, passed=passed, progress=tell)
    output.several(
        (f"passed {each}" for each in passed.places), f"{output.counted(passed.count, 'place')} passed in all"
    )
    if passed.future:
        output.words(f"{output.counted(passed.future, 'call')} dated after now left out")
    names = ", ".join(each.TITLE for each in readers)
    read = (
        f"{output.counted(len(files), 'transcript')} of {names} read, of the last {output.counted(options.days, 'day')}"
    )
    output.words(f"{read}: {output.counted(gathering.calls, 'call')}, {gathering.counted:,} errors that count")
    return gathering


def _found(options: Namespace, review: Review, gathering: Gathering, readers: Sequence[Reader]) -> _Looked:
    snapshot = review.store.snapshot()
    notes = {"en": "Found in transcripts of {hosts}.", "zh": "见于 {hosts} 的会话记录。"}
    titles = {each.NAME: each.TITLE for each in readers}

    def note(hosts: Sequence[str]) -> str:
        return notes[snapshot.policy.language].format(hosts=", ".join(titles.get(each, each) for each in hosts))

    own = None if options.all else _own_project(options)
    every = gathering.found(review.clock(), note=note)
    reached = (own, None)
    found = [each for each in every if own is None or each.case.scope.project in reached]
    others = (each.case.scope.project for each in every if own is not None)
    elsewhere = Counter(each for each in others if each is not None and each not in reached)
    answered = {each.case.source.signature for each in snapshot.cases.values() if each.case.source is not None}
    new = [each for each in found if each.signature not in answered and not _was_here(review, each)]
    most = snapshot.policy.limits.detector_cases
    return _Looked(
        new[:most], len(found) - len(new), max(0, len(new) - most), elsewhere, _ONCE[snapshot.policy.detector.distinct]
    )


def _own_project(options: Namespace) -> str | None:
    """Give the project whose casebook it is, as its tasks name it; None for the user's own, and for one that was named.

    A case for another project than that of the folder in which it stands comes up nowhere.
    """
    from casebook.adapters.identity import project_of
    from casebook.adapters.trust.opening import home_folder

    if options.dir or os.environ.get("CASEBOOK_DIR"):
        return None
    path = roots(options)[0].path
    if path.resolve() == (home_folder() / ".casebook").resolve():
        return None
    return project_of(Path.cwd(), (path,))


def _was_here(review: Review, found: Found) -> bool:
    """Say whether there is, or ever was, a case of this error here: what a person took out is not made again."""
    name = found.case.id
    if review.case(name) is not None or review.journal.entries(subject=name, limit=1):
        return True
    return bool(review.journal.entries(signature=found.signature, actions=("promote", "reject"), limit=1))


def _write(options: Namespace, review: Review, found: Sequence[Found]) -> None:
    from casebook.runtime.learning.finishing import FILE, queue_entry

    for each in found:
        review.store.put(each.case, file=FILE)
        body = {"figures": each.figures.to_json(), "reasons": [*each.reasons, f"evidence: {'; '.join(each.evidence)}"]}
        entry = queue_entry(each.case.id, each.signature, review.clock(), "scanned", body, key="scanned")
        review.journal.append((entry,))
    cases = review.store.snapshot().cases
    journaled(options, "add", [(None, cases.get(each.case.id)) for each in found], because="casebook scan")


def _show(looked: _Looked, gathering: Gathering) -> None:
    found = looked.new
    for each in found:
        _show_one(each, looked.once)
    if looked.known:
        output.words(f"{output.counted(looked.known, 'repeated error')} known here already")
    if looked.elsewhere:
        output.words(_elsewhere(looked.elsewhere))
    if looked.over:
        output.words(f"{looked.over:,} more over limits.detector_cases; scan again once these were judged")
    if not found and gathering.calls:
        output.words("no repeated error is new")
    for each in found[:1]:
        argument = as_argument(each.case.id)
        output.words(f'a better correction once it is written: `casebook review edit {argument} correction="…"`')


def _show_one(each: Found, once: str) -> None:
    case = each.case
    scope = " ".join(f"{key}={name}" for key, name in case.scope.named.items())
    days = f"{each.first:%Y-%m-%d}" + (f" to {each.last:%Y-%m-%d}" if each.last.date() != each.first.date() else "")
    told = f" ({each.counted:,} counted, once a {once})" if each.counted != each.errors else ""
    output.line(
        f"{case.id}  {output.counted(each.errors, 'error')}{told} in {output.counted(each.sessions, 'session')}, {days}"
    )
    output.line(output.flat(f"  {case.situation}"))
    for condition in case.trigger_conditions:
        output.line(output.flat(f"  when {condition}"))
    if scope:
        output.line(output.flat(f"  for {scope}"))
    output.line(output.flat(f"  correction ({case.correction_by}): {output.one_line(case.correction)}"))
    figures = each.figures
    output.line(
        f"  backtest: {figures.failing:,} of {output.counted(figures.matching, 'matching call')} failed this way, {figures.clean:,} succeeded"
    )
    for one in each.evidence[:SHOWN]:
        output.line(output.flat(f"  - {one}"))
    if len(each.evidence) > SHOWN:
        output.line(f"  - … and {len(each.evidence) - SHOWN:,} more")
    output.line()


def _elsewhere(elsewhere: Mapping[str, int]) -> str:
    """Say how much is of other projects, and of which."""
    count, names = sum(elsewhere.values()), sorted(elsewhere)
    more = [f"{len(names) - NAMED:,} more"] if len(names) > NAMED else []
    told = output.flat(", ".join([*names[:NAMED], *more]))
    whose = "another project" if len(names) == 1 else "other projects"
    return f"{output.counted(count, 'repeated error')} of {whose}, left out: {told}; `casebook scan` there, or --all"


def _json(looked: _Looked, gathering: Gathering, *, written: bool) -> dict[str, Any]:
    return {
        "calls": gathering.calls, "failed": gathering.failed, "counted": gathering.counted, "again": gathering.again,
        "known": looked.known, "over": looked.over, "elsewhere": dict(looked.elsewhere), "written": written,
        "drafts": [
            {
                "case": each.case.to_json(), "errors": each.errors, "counted": each.counted,
                "sessions": each.sessions,
                "first": each.first.isoformat(), "last": each.last.isoformat(), "evidence": list(each.evidence),
                "figures": each.figures.to_json(), "reasons": list(each.reasons),
            }
            for each in looked.new
        ],
    }  # fmt: skip
