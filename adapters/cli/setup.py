"""`casebook setup`: the hosts on this machine found and wired, all changes shown, one question."""

from __future__ import annotations

from argparse import Namespace

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser
from casebook.adapters.cli.install import warn_of_casebooks
from casebook.adapters.cli.wiring_desk import (
    carried_out,
    change_arguments,
    place_of,
    plans_of,
    wanted_of,
    wiring_arguments,
)

EPILOG = """\
A host is found by its program or by the folder of its settings; AGENTS.md, CLAUDE.md and GEMINI.md where one of them is in the project.
`casebook install HOST` wires one that is not found, `casebook uninstall` undoes all of it, `casebook doctor` says how they stand.

examples:
  casebook setup
  casebook setup --dry-run
  casebook setup --yes --project"""


def arguments(parser: Parser) -> None:
    """Add how hosts are wired."""
    change_arguments(parser)
    wiring_arguments(parser)


def run(options: Namespace) -> int:
    """Find, show, ask, wire."""
    from casebook.adapters.wiring.table import MODULES, wiring_of

    place = place_of(options)
    found = {each: where for name in MODULES if (where := (each := wiring_of(name)).found(place))}
    for each, where in found.items():
        output.words(output.flat(f"found {each.title}: {where}"))
    if not found:
        output.words(f"found no host; `casebook install HOST` wires one of {', '.join(MODULES)}")
        return 0
    wanted = wanted_of(options, place)
    warn_of_casebooks(options, [each.name for each in found])
    plans = plans_of(found, lambda each: each.install(place, wanted))
    return carried_out(
        plans,
        options,
        question="make these changes?",
        done="is wired",
        none="all are wired already; nothing was changed",
        others="wired already",
    )
