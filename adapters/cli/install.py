"""`casebook install HOST`: a host wired to the casebook; the change is shown first, and undone to the byte by `uninstall`."""

from __future__ import annotations

from argparse import Namespace

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError
from casebook.adapters.cli.wiring_desk import (
    carried_out,
    change_arguments,
    place_of,
    plans_of,
    wanted_of,
    wiring_arguments,
)
from casebook.adapters.wiring.protocol import Wiring
from casebook.faults import CasebookError

EPILOG = """\
hosts: claude-code, codex, gemini, opencode, openclaw, and agents-md for all that read AGENTS.md

What is wired calls this very casebook by its whole path, for the tools that cases name. Nothing else in a host's settings is touched:
comments, order and blanks stay; settings that are no plain JSON are left alone, and what to put into them is told. A second time
changes nothing. With --dir the host is wired to that casebook; without, its hook finds the casebook of the folder that it works in.

examples:
  casebook install claude-code
  casebook install codex --dry-run
  casebook install agents-md --yes
  casebook install claude-code --project --dir memory"""


def arguments(parser: Parser) -> None:
    """Add the hosts, and how they are wired."""
    parser.add_argument("host", metavar="HOST", nargs="+", help="the hosts")
    change_arguments(parser)
    wiring_arguments(parser)
    parser.add_argument("--force", action="store_true", help="replace what of ours was changed by hand")


def run(options: Namespace) -> int:
    """Show what is to change, ask, and wire."""
    wirings = named_wirings("install", options.host)
    place = place_of(options)
    wanted = wanted_of(options, place)
    warn_of_casebooks(options)
    plans = plans_of(wirings, lambda each: each.install(place, wanted))
    return carried_out(
        plans, options, question="make these changes?", done="is wired", none="wired already; nothing was changed"
    )


def named_wirings(command: str, names: list[str]) -> tuple[Wiring, ...]:
    """Give the hosts that were named, each once. Raises UsageError, with the nearest name, where there is no such host."""
    from casebook.adapters.wiring.table import wiring_of

    try:
        return tuple(wiring_of(name) for name in dict.fromkeys(names))
    except CasebookError as error:
        raise UsageError(f"{command}: {error}") from None


def warn_of_casebooks(options: Namespace) -> None:
    """Say what of the casebooks here a host will not be told, or that there is none yet. Raises UsageError for a folder that is none."""
    from casebook.adapters.cli.place import roots
    from casebook.adapters.wiring.place import untrusted_at

    if options.dir:
        roots(options)
        return
    try:
        roots(options)
    except UsageError:
        output.words("warning: there is no casebook here yet; `casebook init` makes one")
        return
    output.several(f"warning: {each}" for each in untrusted_at(place_of(options)))
