"""`casebook add`: cases from JSON, all of them or none."""

from __future__ import annotations

import os
from argparse import Namespace
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError, as_argument
from casebook.adapters.cli.by_agent import as_agents, is_agents, put_to_review
from casebook.adapters.cli.desk import doer_argument, journaled, taken_back
from casebook.adapters.cli.example_runs import of_case
from casebook.adapters.cli.place import roots, store_of
from casebook.adapters.cli.source import STDIN, read_source, shown_name
from casebook.adapters.cli.trust_told import unapproved_told
from casebook.limits import FILE_BYTES

if TYPE_CHECKING:
    from casebook.case import Case
    from casebook.faults import Fault
    from casebook.stores.case_file import CaseFile
    from casebook.stores.protocol import Snapshot

EPILOG = """\
The JSON is one case, an array of cases, or {"format": 1, "cases": […]}. What an agent adds (--by agent:NAME) is a draft: it is quoted,
advises, and waits in `casebook review`.

examples:
  casebook add case.json
  casebook show case_001 --json | sed s/case_001/case_002/ | casebook add - --draft"""


def arguments(parser: Parser) -> None:
    """Add the source and what is to be done with it."""
    parser.add_argument("source", metavar="FILE", nargs="?", default=STDIN, help="the JSON; - or nothing for stdin")
    parser.add_argument("--draft", action="store_true", help="as drafts, which do not fire")
    parser.add_argument("--into", metavar="NAME", help="the file below long_term/ (by type: cases.json or rules.json)")
    doer_argument(parser)


def run(options: Namespace) -> int:
    """Add the cases; with faults among them nothing is written, and the code is 1."""
    agents = is_agents(options)  # a name that is none is refused before anything is written
    if options.into is not None:
        _refuse_into(options, options.into)
    data = read_source(options.source, FILE_BYTES, "file")
    store = store_of(options)
    snapshot = store.snapshot()
    cases, faults = _read(data, shown_name(options.source), snapshot)
    errors = [fault for fault in faults if fault.severity == "error"]
    output.several(faults, "`casebook check FILE` tells all")
    if errors or not cases:
        output.words("nothing was written" + ("" if errors else ": there is no case in it"))
        return 1
    made = [_draft(case) for case in cases] if options.draft else cases
    if agents:
        made = [as_agents(case, "add") for case in made]
    for case in made:
        store.put(case, file=options.into)
    after = store.snapshot().cases
    entries = journaled(options, "add", [(None, after.get(case.id)) for case in made])
    if agents:
        put_to_review(options, [case.id for case in made])
    if options.json:
        output.data([{"id": case.id, "status": case.status, "entry": entries.get(case.id)} for case in made])
    else:
        for case in made:
            place = f" {output.flat(after[case.id].where)}" if case.id in after else ""
            output.line(
                f"added {case.id}{place}{' (draft)' if case.status == 'draft' else ''}{taken_back(entries.get(case.id))}"
            )
    broken = [fault for case in made if case.id in after for fault in of_case(after[case.id], snapshot.policy)]
    output.warned((*map(str, broken), *unapproved_told(options, {case.id for case in made})))
    return 0


def _read(data: bytes, name: str, snapshot: Snapshot) -> tuple[list[Case], list[Fault]]:
    """Read cases as a file of this casebook is read, and find those whose id is taken."""
    from casebook.faults import Fault
    from casebook.stores.case_file import read
    from casebook.stores.elements import Reading
    from casebook.stores.splitting import SplitError

    try:
        file = read(data, Reading(name, "", snapshot.policy.timezone, snapshot.policy.fields))
    except SplitError as error:
        return [], [Fault(name, error.message, error.line, error.column, suggestion=error.suggestion)]
    faults = sorted((*file.faults(), *_taken(file, snapshot)), key=lambda fault: (fault.line or 0, fault.column or 0))
    return [element.loaded.case for element in file.elements if element.loaded is not None], faults


def _taken(file: CaseFile, snapshot: Snapshot) -> list[Fault]:
    """Find ids that stand twice, or that a case here has already."""
    from casebook.faults import Fault

    here = {fault.case: replace(fault, case=None, field=None).where for fault in snapshot.faults if fault.case}
    here |= {name: each.where for name, each in snapshot.cases.items()}
    found, seen = [], set()
    for element in file.elements:
        if element.id is None:
            continue
        place = here.get(element.id)
        if place is not None:
            message, cure = (
                f"expected an id of its own, got that of the case at {place}",
                f"casebook edit {as_argument(element.id)} changes it",
            )
        elif element.id in seen:
            message, cure = f'expected an id of its own, got "{element.id}" again', None
        else:
            seen.add(element.id)
            continue
        found.append(Fault(file.path, message, element.line, file.column(element), element.id, "id", cure))
    return found


def _refuse_into(options: Namespace, name: str) -> None:
    """Raise UsageError where `--into` names no file below long_term/ of the casebook's own."""
    path = PurePosixPath(name.replace("\\", "/"))
    odd = path.is_absolute() or ".." in path.parts or any(part.startswith(".") for part in path.parts)
    if odd or path.suffix != ".json" or not name.isprintable():
        raise UsageError(f"add: --into {name}: expected the name of a .json file below long_term/")
    root = roots(options)[0].path
    parts = path.parts[1:] if path.parts[0] == "long_term" else path.parts
    folder = root.joinpath("long_term", *parts).parent
    if not Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(root)):
        raise UsageError(f"add: --into {name}: a link leads it out of the casebook, and nothing is written there")


def _draft(case: Case) -> Case:
    return type(case).from_json({**case.to_json(), "status": "draft"})
