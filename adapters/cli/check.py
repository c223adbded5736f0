"""`casebook check`: all that is wrong, with its place and its cure; the cases' own examples; the lint of the whole."""

from __future__ import annotations

import tempfile
from argparse import Namespace
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError
from casebook.adapters.cli.listing import is_expired
from casebook.adapters.cli.place import POLICY_NAME, Root, clock_of, roots
from casebook.adapters.cli.targets import Target, target_of
from casebook.faults import Fault
from casebook.problems import shown

if TYPE_CHECKING:
    from casebook.clock import Clock
    from casebook.policy import Policy

EPILOG = """\
Faults go to stdout, one a line: path:line:column case field: message (cure). The code is 1 where there is an error; a
warning alone leaves it 0, or makes it 1 with --strict.

examples:
  casebook check
  casebook check memory/long_term/cases.json --json"""


@dataclass(frozen=True, slots=True)
class Report:
    """What was found.

    Attributes:
        faults: with paths from where the person stands.
        cases: how many cases serve.
        examples: how many examples were run.
        expired: how many of the cases are active, and silent for good since their time is over.
        memories: how many memories stand in the tiers.
    """

    faults: tuple[Fault, ...]
    cases: int
    examples: int
    expired: int = 0
    memories: int = 0


def arguments(parser: Parser) -> None:
    """Add the paths."""
    parser.add_argument("paths", metavar="PATH", nargs="*", help="casebook folders or files of cases (the casebook)")
    parser.add_argument("--strict", action="store_true", help="warnings, too, make the code 1")


def run(options: Namespace) -> int:
    """Check and tell."""
    targets = [target_of(path) for path in options.paths] or [Target(each, None) for each in roots(options)]
    clock = clock_of(options, tuple(target.root for target in targets))
    reports = [checked(target, clock) for target in targets]
    if not options.paths and len(targets) > 1:
        reports = _together([target.root for target in targets], clock, reports)
    faults = [fault for report in reports for fault in report.faults]
    errors = sum(fault.severity == "error" for fault in faults)
    warnings = len(faults) - errors
    cases, examples = sum(report.cases for report in reports), sum(report.examples for report in reports)
    expired = sum(report.expired for report in reports)
    memories = sum(report.memories for report in reports)
    if options.json:
        output.data(
            {
                "faults": [output.fault_json(fault) for fault in faults],
                "errors": errors, "warnings": warnings, "cases": cases, "expired": expired, "examples": examples,
                "memories": memories,
            }
        )  # fmt: skip
    else:
        for fault in faults:
            output.line(output.flat(str(fault)))
        over = f" ({expired:,} expired)" if expired else ""
        found = f"{output.counted(errors, 'error')}, {output.counted(warnings, 'warning')}" if faults else "no faults"
        kept = f", {output.counted(memories, 'memory', 'memories')}" if memories else ""
        output.words(
            f"{output.counted(cases, 'case serves', 'cases serve')}{over}{kept}, {output.counted(examples, 'example')} run: {found}"
        )
        if not options.paths:
            for target in targets:
                _tell_other_projects(target.root, clock)
    return 1 if errors or (options.strict and warnings) else 0


def _tell_other_projects(root: Root, clock: Clock) -> None:
    """Say which cases are for another project; no fault of theirs, for the next clone may be called as they say."""
    from casebook.adapters.other_projects import other_projects_told
    from casebook.stores.folder import FolderStore

    cases = FolderStore(root.path, clock=clock, cache=False).snapshot().cases
    if told := other_projects_told(root.path, cases.values()):
        output.words(output.flat(f"note: {told}"))


def checked(target: Target, clock: Clock) -> Report:
    """Check a casebook, or one file within its casebook."""
    if target.lone and target.file is not None:
        return _lone(target.file, clock)
    if target.file is None:
        return _folder(target.root, clock)
    meant = target.shown(target.file)
    report = _folder(target.root, clock, only=meant)
    within = tuple(fault for fault in report.faults if fault.path == meant)
    return replace(report, faults=within)


def _folder(root: Root, clock: Clock, *, only: str | None = None) -> Report:
    """Check the folder of a casebook; leaves nothing in it. Only the cases of a file, if one is given, are counted."""
    from casebook.adapters.cli.example_runs import run_examples
    from casebook.adapters.trust.opening import home_folder
    from casebook.adapters.trust.passed_over import passed_over
    from casebook.adapters.trust.standing import place_of
    from casebook.runtime.lint import lint
    from casebook.runtime.lint.examples import examples_of
    from casebook.runtime.upkeep.sinks.faults import sink_faults
    from casebook.stores.archive_faults import faults as archive_faults
    from casebook.stores.folder import FolderStore
    from casebook.stores.memory_folder import FolderMemories

    if trouble := root.trouble():
        raise UsageError(trouble)
    store = FolderStore(root.path, clock=clock, layer=root.layer, cache=False)
    snapshot = store.snapshot()
    ran = run_examples(root, snapshot)
    kept = FolderMemories(root.path, layer=root.layer, zone=snapshot.policy.timezone).snapshot()
    wrong = (*_refused_patterns(snapshot.policy), *kept.faults, *archive_faults(root.path))
    sinks = sink_faults(snapshot.cases, snapshot.policy, root.path, store.locate)
    over = passed_over(place_of(root.path, home_folder()))
    found = (*snapshot.faults, *wrong, *ran.faults, *sinks, *lint(snapshot, now=clock()), *over)
    faults = _with_lines(found, root)
    cases = [each for each in snapshot.cases.values() if only is None or root.place(each.path) == only]
    examples = ran.count if only is None else sum(1 for each in cases for _ in examples_of(each))
    expired = sum(each.case.status == "active" and is_expired(each, clock()) for each in cases)
    memories = sum(only is None or root.place(each.path) == only for each in kept.memories.values())
    return Report(tuple(_placed(_in_order(faults), root)), len(cases), examples, expired, memories)


def _together(places: list[Root], clock: Clock, alone: Iterable[Report]) -> list[Report]:
    """Check layers as the one casebook that they make.

    Returns:
        The reports of the layers alone, without what another layer settles (an id that it has), and one of what none of them
        shows alone.
    """
    from casebook.adapters.cli.beside_own import beside_own
    from casebook.runtime.lint import lint
    from casebook.stores.folder import FolderStore
    from casebook.stores.layers import LayeredStore
    from casebook.stores.memory_folder import FolderMemories

    stores = [FolderStore(each.path, clock=clock, layer=each.layer, cache=False) for each in places]
    snapshot = LayeredStore(stores).snapshot()
    by_layer = {each.layer: each for each in places}

    def placed(faults: Iterable[Fault]) -> list[Fault]:
        return [replace(each, path=by_layer[each.layer].place(each.path), layer="") for each in faults]

    merged = placed(snapshot.faults)
    settled = {each for store in stores for each in placed(store.snapshot().faults)}.difference(merged)
    left = [replace(each, faults=tuple(fault for fault in each.faults if fault not in settled)) for each in alone]
    linted = [
        replace(fault, layer=snapshot.cases[fault.case].layer)
        for fault in lint(snapshot, now=clock())
        if fault.case is not None and fault.case in snapshot.cases
    ]
    zone = snapshot.policy.timezone
    kept = [beside_own(each, FolderMemories(each.path, layer=each.layer, zone=zone), places) for each in places]
    of_memories = [fault for each in kept for fault in each.snapshot().faults]
    known = {(fault.path, fault.case, fault.field, fault.message) for each in left for fault in each.faults}
    new = tuple(
        fault
        for fault in (*merged, *placed(linted), *placed(of_memories))
        if (fault.path, fault.case, fault.field, fault.message) not in known
    )
    return [*left, Report(new, 0, 0)]


def _refused_patterns(policy: Policy) -> Iterable[Fault]:
    """Find the patterns of the policy's intents that cannot serve."""
    from casebook.runtime.facts.intents import refused

    for field, pattern, why in refused(policy):
        yield Fault(POLICY_NAME, f"expected a pattern that RE2 takes, got {shown(pattern)}: {why}", field=field)


def _with_lines(faults: Iterable[Fault], root: Root) -> Iterator[Fault]:
    """Give faults, those of a key of the policy with its place."""
    from casebook.policy_file import place_of

    data: bytes | None = None
    for fault in faults:
        if fault.path != POLICY_NAME or fault.line is not None or not fault.field:
            yield fault
            continue
        if data is None:
            try:
                data = (root.path / POLICY_NAME).read_bytes()
            except OSError:
                data = b""
        line, column = place_of(data, fault.field)
        yield replace(fault, line=line, column=column)


def _in_order(faults: Iterable[Fault]) -> list[Fault]:
    """Order faults as a person mends them: the policy, then by file and line; each is told once."""
    return sorted(
        dict.fromkeys(faults),
        key=lambda fault: (
            fault.path != POLICY_NAME,
            fault.path,
            fault.line or 0,
            fault.column or 0,
            fault.severity != "error",
        ),
    )


def _placed(faults: Iterable[Fault], root: Root) -> Iterable[Fault]:
    return (replace(fault, path=root.place(fault.path), layer="") for fault in faults)


def _lone(file: Path, clock: Clock) -> Report:
    """Check a file that belongs to no casebook as the only one of an empty casebook."""
    with tempfile.TemporaryDirectory(prefix="casebook-check-") as name:
        root = Path(name)
        (root / "long_term").mkdir()
        inside = root / "long_term" / (file.name if file.suffix == ".json" else f"{file.name}.json")
        try:
            copyfile(file, inside)
        except OSError as error:
            raise UsageError(f"{file.name}: cannot be read: {error.strerror or error}") from None
        report = _folder(Root(root), clock)
    shown = Root(file).shown
    return replace(report, faults=tuple(replace(fault, path=shown) for fault in report.faults))
