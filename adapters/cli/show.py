"""`casebook show`: one case, or one memory, whole."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser
from casebook.adapters.cli.place import store_of
from casebook.faults import NotFoundError, nearest

if TYPE_CHECKING:
    from datetime import datetime

    from casebook.case import LoadedCase
    from casebook.stores.protocol import Snapshot

EPILOG = """\
With --json it prints the case, or the memory, as its file has it, for `casebook edit ID --file`."""


def arguments(parser: Parser) -> None:
    """Add the id."""
    parser.add_argument("id", metavar="ID", help="the case, or the memory")


def run(options: Namespace) -> int:
    """Show the case; one that does not serve is shown by its faults, with code 1."""
    snapshot = store_of(options).snapshot()
    loaded = snapshot.cases.get(options.id)
    faults = [fault for fault in snapshot.faults if fault.case == options.id]
    if loaded is None and not faults:
        return _memory(options, snapshot)
    if loaded is not None:
        if options.json:
            output.data(loaded.case.to_json())
        else:
            for line in _sheet(loaded):
                output.line(line)
    else:
        output.words(f"{options.id} does not serve:")
    output.several(faults, "`casebook check` tells all")
    return 0 if loaded is not None else 1


def _memory(options: Namespace, snapshot: Snapshot) -> int:
    """Show a memory, where the id is one's."""
    from casebook.adapters.cli.memory_desk import faults_of, memory_ids, memory_json, memory_of, sheet

    placed = memory_of(options, options.id)
    if placed is None and faults_of(options, options.id):
        return 1  # told as what does not serve
    if placed is None:
        raise not_found(options.id, snapshot, memory_ids(options))
    if options.json:
        output.data(memory_json(placed))
    else:
        for line in sheet(placed, options):
            output.line(line)
    return 0


def not_found(case_id: str, snapshot: Snapshot, memories: Iterable[str] = ()) -> NotFoundError:
    """Give the error for an id that is not here, with the nearest one that is; of memories, where they are told."""
    known = {*snapshot.cases, *memories, *(fault.case for fault in snapshot.faults if fault.case)}
    near = nearest(case_id, known)
    what = "case or memory" if memories else "case"
    return NotFoundError(f"there is no {what} {case_id!r} here" + (f"; did you mean {near}?" if near else ""))


def _sheet(loaded: LoadedCase) -> Iterator[str]:
    """Give the lines for a person: a head, then what is said, a name and its value each."""
    case = loaded.case
    yield f"{case.id}: {case.type}, {case.effect}, priority {case.priority}, {case.status}"
    conditions = [
        each if isinstance(each, str) else json.dumps(each, ensure_ascii=False) for each in case.trigger_conditions
    ]
    rows = {
        "where": output.flat(loaded.where),
        "situation": case.situation,
        "conditions": "\n".join(conditions),
        "correction": case.correction + ("" if case.correction_by == "person" else f" (by: {case.correction_by})"),
        "judgment": case.judgment,
        "consequence": case.consequence,
        "on": ", ".join(case.on),
        "scope": ", ".join(f"{key} {name}" for key, name in case.scope.named.items()) or "everyone",
        "mode": case.mode or "",
        "zone": loaded.zone,
        "created": _instant(loaded.created, loaded.zone),
        "silent from": _instant(loaded.expires, loaded.zone),
        "cooldown": str(case.cooldown or ""),
        "max_fires": str(case.max_fires or ""),
        "supersedes": ", ".join(case.supersedes),
        "review after": case.review_after or "",
        "tags": ", ".join(case.tags),
        "examples": f"{len(case.examples.fires)} fire, {len(case.examples.silent)} silent" if case.examples else "",
        "version": loaded.version,
        **{name: json.dumps(value, ensure_ascii=False) for name, value in case.extra.items()},
    }
    margin = max(map(output.width, rows))
    for name, value in rows.items():
        if value:
            first, *rest = value.splitlines() or [""]
            yield f"  {name}{' ' * (margin - output.width(name))}  {first}"
            for line in rest:
                yield f"  {' ' * margin}  {line}"


def _instant(value: datetime | None, zone: str) -> str:
    """Give an instant as the clocks of its case's zone show it."""
    if value is None:
        return ""
    from casebook.runtime.answer.seen import instant_words

    return instant_words(value, zone)
