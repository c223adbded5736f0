"""`casebook replay`: recorded tool calls through the whole loop, in a scratch casebook, and what came of it."""

from __future__ import annotations

import tempfile
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError
from casebook.adapters.cli.place import clock_of, roots, store_of
from casebook.adapters.cli.progress import bar
from casebook.adapters.cli.source import read_source, shown_name
from casebook.limits import FILE_BYTES

if TYPE_CHECKING:
    from casebook.case import Case
    from casebook.policy import Policy
    from casebook.runtime.replay.backtesting import Backtest
    from casebook.runtime.replay.measuring import Made, Report
    from casebook.runtime.replay.reading import Call

EPILOG = """\
A line is a JSON object with tool, and as far as known: session step args ok error type user project team agent text intent
at correction correction_by. Without ok a call succeeded if it has no error. Every call is asked about before it is made
and reported after it, a minute apart where no at is told; nothing of your casebook is read (but with --with-cases) or
written. Repeats are errors whose kind had become a case that the caller could be told; needless are the clean calls before which
a case that was made here was put in front of the agent, each once. An error's number (promoted at, error N of its kind) is
its place among all of its kind in the record; the detector counts a kind within one group of users, once a turn or session.
A correction is told as it stands at the end: the number in it is of the errors up to when it was last written.

examples:
  casebook replay calls.jsonl
  casebook replay calls.jsonl --map tool=name,args=input,error=result.message,ok=!is_error
  casebook replay calls.jsonl --case case.json --json"""

RECORD_BYTES = 256 * 1024 * 1024
"""A record, in bytes: it is held in memory (ours: the design names none)."""


class Start(NamedTuple):
    """With what the scratch casebook begins."""

    cases: tuple[Case, ...]
    policy: Policy


def arguments(parser: Parser) -> None:
    """Add the record, and what is done with it."""
    parser.add_argument("file", metavar="FILE", help="the record, a JSON object a line; - reads it from stdin")
    parser.add_argument(
        "--map", metavar="FIELD=PATH", action="append",
        help="where a field stands, as a dotted path; several with commas, or again; ok=!PATH for what says that it failed",
    )  # fmt: skip
    parser.add_argument("--case", metavar="FILE", help="try this one case on the record, and learn nothing")
    parser.add_argument(
        "--with-cases", action="store_true", help="begin with the casebook's cases and policy, not with an empty one"
    )
    parser.add_argument("--keep", metavar="DIR", help="keep the scratch casebook in this new or empty folder")


def run(options: Namespace) -> int:
    """Run the record and print the figures."""
    calls = _calls(options)
    start = _start(options)
    if options.case is not None:
        return _backtest(options, calls, start)
    from casebook.runtime.replay.measuring import measured
    from casebook.runtime.replay.running import run as run_calls

    with _scratch(options) as folder, bar("replay") as tell:
        steps = run_calls(
            calls, folder, policy=start.policy, cases=start.cases, beginning=_beginning(options), engine=options.engine,
            keep=options.keep is not None, progress=tell,
        )  # fmt: skip
    report = measured(steps, start.policy.redact)
    if options.json:
        output.data(report.to_json())
    else:
        _print(report, calls)
    _told_kept(options)
    return 0


def _backtest(options: Namespace, calls: Sequence[Call], start: Start) -> int:
    """Try one case; 1 where it is at fault."""
    case = _case(options.case, start.policy)
    if case is None:
        return 1
    from casebook.runtime.replay.backtesting import backtest

    with _scratch(options) as folder, bar("replay") as tell:
        tried = backtest(
            case, calls, folder, policy=start.policy, beginning=_beginning(options), engine=options.engine,
            keep=options.keep is not None, progress=tell,
        )  # fmt: skip
    if options.json:
        output.data(tried.to_json())
    else:
        _print_backtest(tried)
    _told_kept(options)
    return 0


# -- what it is given ------------------------------------------------------------------------------------------------------


def _calls(options: Namespace) -> tuple[Call, ...]:
    """Read the record; what is skipped is told.

    Raises:
        UsageError: it cannot be read, a mapping is none, or no line of it is a call.
    """
    from casebook.runtime.replay.reading import RecordError, read_mapping, read_record

    try:
        mapping = read_mapping(options.map or ())
    except RecordError as error:
        raise UsageError(f"replay: --map: {error}") from None
    name = shown_name(options.file)
    data = read_source(options.file, RECORD_BYTES, "record")
    if _is_array(data):
        raise UsageError(
            f"{name}: expected a JSON object a line, got one JSON array; `jq -c '.[]'` makes lines of its items"
        )
    record = read_record(data.split(b"\n"), mapping)
    if not record.calls:
        why = f"{name} {record.skipped[0]}" if record.skipped else f"{name}: got nothing"
        raise UsageError(f"expected recorded tool calls, a JSON object a line; {output.flat(why)}")
    output.several(
        (f"skipped {name} {each}" for each in record.skipped),
        f"{output.counted(len(record.skipped), 'line')} skipped in all",
    )
    return record.calls


def _is_array(data: bytes) -> bool:
    """Say whether a file is one JSON array: read by its lines, some of its items would pass for the whole record."""
    if not data[:1_000].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"["):
        return False
    import json

    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, list) and any(isinstance(each, dict) for each in found)


def _start(options: Namespace) -> Start:
    """Give the casebook's cases and policy, or nothing and the defaults."""
    from casebook.policy import Policy

    if not options.with_cases:
        return Start((), Policy())
    snapshot = store_of(options).snapshot()
    errors = sum(fault.severity == "error" for fault in snapshot.faults)
    if errors:
        output.words(f"{output.counted(errors, 'fault')} in the casebook; the rest takes part (`casebook check`)")
    return Start(tuple(each.case for each in snapshot.cases.values()), snapshot.policy)


def _case(name: str, policy: Policy) -> Case | None:
    """Read the one case of a file; None where it has faults, which are told.

    Raises:
        UsageError: it cannot be read, or holds none or several.
    """
    from casebook.stores.case_file import read
    from casebook.stores.elements import Reading
    from casebook.stores.splitting import SplitError

    data = read_source(name, FILE_BYTES, "file")
    try:
        file = read(data, Reading(shown_name(name), "", policy.timezone, policy.fields))
    except SplitError as error:
        place = f":{error.line}:{error.column}" if error.line else ""
        raise UsageError(f"{shown_name(name)}{place}: {error.message}") from None
    errors = [fault for fault in file.faults() if fault.severity == "error"]
    if errors:
        output.several(errors, "`casebook check FILE` tells all")
        return None
    cases = [element.loaded.case for element in file.elements if element.loaded is not None]
    if len(cases) != 1:
        raise UsageError(f"{shown_name(name)}: expected one case, got {len(cases)}")
    return cases[0]


def _beginning(options: Namespace) -> datetime:
    """Give the instant of the first call where the record tells none: --now, else the same for every run."""
    from casebook.runtime.replay.running import BEGINNING

    return BEGINNING if options.now is None else clock_of(options, roots(options) if options.with_cases else ())()


@contextmanager
def _scratch(options: Namespace) -> Iterator[Path]:
    """Give an empty folder, gone at the end but where it shall be kept.

    Raises:
        UsageError: the folder to keep is none, or is not empty.
    """
    if options.keep is None:
        with tempfile.TemporaryDirectory(prefix="casebook-replay-") as name:
            yield Path(name)
        return
    folder = Path(options.keep).expanduser()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        taken = any(folder.iterdir())
    except OSError as error:
        raise UsageError(f"--keep {options.keep}: expected a folder: {error.strerror or error}") from None
    if taken:
        raise UsageError(f"--keep {options.keep}: expected a new or an empty folder, and there is something in it")
    yield folder


# -- what it tells ---------------------------------------------------------------------------------------------------------


def _print(report: Report, calls: Sequence[Call]) -> None:
    """Print the figures, the kinds of error, and each case that was made."""
    sessions = len({(call.user, call.session) for call in calls if call.session is not None})
    of = f" of {output.counted(sessions, 'session')}" if sessions else ""
    output.line(f"{output.counted(report.calls, 'call')}{of}, {report.clean:,} of them clean")
    output.line()
    _figures(
        [
            ("errors", f"{report.errors:,}"),
            ("ignored", f"{report.ignored:,} (no errors, by ignore_errors)" if report.ignored else ""),
            ("of them passing", f"{report.transient:,} (a time-out, a rate limit, …)" if report.transient else ""),
            ("kinds", f"{len(report.kinds):,}"),
            ("promotions", f"{len(report.cases):,}" + (f" ({report.drafts:,} as drafts)" if report.drafts else "")),
            ("repeats after promotion", f"{report.repeats:,}"),
            ("repeats preceded by the right correction", f"{report.preceded:,}"),
            ("needless firings", f"{report.needless:,} of {report.clean:,} clean calls"),
        ]
    )
    if report.kinds:
        output.line()
        output.table(
            ("errors", "promoted at", "repeats", "preceded", "tools", "kind"),
            [
                (
                    f"{kind.errors:,}", "" if kind.made_at is None else f"{kind.made_at:,}", f"{kind.repeats:,}",
                    f"{kind.preceded:,}", ", ".join(kind.tools), kind.template,
                )
                for kind in report.kinds
            ],
            ("tools",),
        )  # fmt: skip
    for made in report.cases:
        output.line()
        for line in _case_lines(made):
            output.line(output.flat(line))


def _figures(rows: Sequence[tuple[str, str]]) -> None:
    margin = max(len(name) for name, value in rows if value)
    for name, value in rows:
        if value:
            output.line(f"{name:<{margin}}  {value}")


def _case_lines(made: Made) -> Iterator[str]:
    case = made.case.case
    status = "" if made.status == "active" else f", {made.status}"
    scope = " ".join(f"{key}={name}" for key, name in case.scope.named.items())
    counted = "" if made.error == made.occurrence else f", {made.occurrence} of which count for it"
    yield f"{case.id}{status}: made at {made.where}, by error {made.error} of its kind{counted}"
    if scope:
        yield f"  scope       {scope}"
    for number, condition in enumerate(case.trigger_conditions):
        yield f"  {'conditions' if number == 0 else '':<10}  {condition}"
    if case.ttl is not None:
        yield f"  ttl         {case.ttl}"
    later = "; rewritten since it was made" if made.rewritten else ""
    yield f"  correction  {output.one_line(case.correction)} (by: {case.correction_by}{later})"
    yield f"  fired       {made.fired:,}, {made.needless:,} of them before a clean call"


def _print_backtest(tried: Backtest) -> None:
    """Print on which calls the case would have fired, and how they came out."""
    share = "" if tried.precision is None else f"{tried.precision:.0%}"
    output.line(f"{tried.case.id} on {output.counted(tried.calls, 'call')}, {tried.errors:,} of them errors")
    output.line()
    _figures(
        [
            ("fires", f"{tried.fired:,}"),
            ("before an error", f"{tried.failed:,}" if tried.fired else ""),
            ("needless", f"{tried.needless:,} of {tried.clean:,} clean calls" if tried.fired else ""),
            ("precision", share),
        ]
    )
    if tried.kinds:
        output.line()
        output.table(("errors", "kind"), [(f"{number:,}", name) for name, number in tried.kinds.items()])
    from casebook.runtime.answer.why import reason_words

    output.several(
        (f"held back {number:,} times: {reason_words(reason, 'en', 'UTC')}" for reason, number in tried.held.items()),
        "--json tells all",
    )
    if not tried.fired and not tried.held:
        named = " ".join(f"{key}={name}" for key, name in tried.case.scope.named.items())
        output.words(f"it is for {named} alone" if named else "no call meets its conditions")


def _told_kept(options: Namespace) -> None:
    if options.keep is not None:
        output.words(f"the casebook is in {options.keep}: `casebook --dir {options.keep} list`")
