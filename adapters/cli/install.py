"""`casebook install HOST`: a host wired to the casebook; the change is shown first, and undone to the byte by `uninstall`."""

from __future__ import annotations

import os
import shlex
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

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
from casebook.faults import CasebookError

if TYPE_CHECKING:
    from casebook.adapters.wiring.protocol import Place, Wiring

EPILOG = """\
hosts: claude-code, codex, gemini, opencode, openclaw, and agents-md for all that read AGENTS.md

What is wired calls this very casebook by its whole path, for the tools that cases name. Nothing else in a host's settings is touched:
comments, order and blanks stay; settings that are no plain JSON are left alone, and what to put into them is told. A second time
changes nothing. With --dir the host is wired to that casebook; without, its hook finds the casebook of the folder that it works in.

examples:
  casebook install claude-code
  casebook install codex --dry-run
  casebook install agents-md --yes
  casebook install claude-code --project --dir memory
  casebook install openclaw --with-cron"""


def arguments(parser: Parser) -> None:
    """Add the hosts, and how they are wired."""
    parser.add_argument("host", metavar="HOST", nargs="+", help="the hosts")
    change_arguments(parser)
    wiring_arguments(parser)
    parser.add_argument("--force", action="store_true", help="replace what of ours was changed by hand")
    parser.add_argument(
        "--with-cron",
        action="store_true",
        help="openclaw: upkeep by a job of its gateway, which has to run, every hour",
    )


def run(options: Namespace) -> int:
    """Show what is to change, ask, and wire."""
    wirings = named_wirings("install", options.host)
    place = place_of(options)
    wanted = wanted_of(options, place)
    warn_of_casebooks(options, [each.name for each in wirings])
    has_job = options.with_cron
    if has_job and ("openclaw" not in options.host or options.project):
        raise UsageError("install: --with-cron is of openclaw alone, and without --project")
    plans = plans_of(wirings, lambda each: each.install(place, wanted))
    code = carried_out(
        plans, options, question="make these changes?", done="is wired", none="wired already; nothing was changed"
    )
    return _with_job(options, place) if has_job and code == 0 else code


def _with_job(options: Namespace, place: Place) -> int:
    """Add the job of upkeep, or say what would add it; 1 where it cannot be added now."""
    from casebook.adapters.openclaw.upkeep_job import EVERY, add, added_by

    named = [Path(each).expanduser() for each in options.dir or ()]
    if options.dry_run:
        output.words(f"would run: {shlex.join(added_by(place, named))}")
        return 0
    try:
        is_new = add(place, named)
    except CasebookError as error:
        output.words(f"the job of upkeep was not added: {error}")
        return 1
    output.words(f"OpenClaw runs upkeep every {EVERY}" if is_new else "OpenClaw runs upkeep already")
    return 0


def named_wirings(command: str, names: list[str]) -> tuple[Wiring, ...]:
    """Give the hosts that were named, each once. Raises UsageError where there is no such host, with all that is to be said of them."""
    from casebook.adapters.wiring.table import wiring_of

    wirings, refused = [], []
    for name in dict.fromkeys(names):
        try:
            wirings.append(wiring_of(name))
        except CasebookError as error:
            refused.append(f"{command}: {error}")
    for each in refused[:-1]:  # the last is told as every wrong usage is
        output.words(f"casebook: {each}")
    if refused:
        raise UsageError(refused[-1])
    return tuple(wirings)


def warn_of_casebooks(options: Namespace, hosts: Iterable[str]) -> None:
    """Say what of the casebooks where hosts work they will not be told, or that there is none yet.

    Args:
        options: `dir`, `project`.
        hosts: those that are wired, by name.

    Raises:
        UsageError: a folder that was named is none.
    """
    from casebook.adapters.cli.place import roots
    from casebook.adapters.wiring.place import found_at, workplace

    if options.dir or os.environ.get("CASEBOOK_DIR"):
        roots(options)
        return
    place = place_of(options)
    folders = {each: workplace(each, place) for each in hosts}
    for folder in dict.fromkeys(folders.values()):
        is_there, why = found_at(folder or Path.cwd(), place.home)
        if is_there:
            output.several(f"warning: {each}" for each in why)
        elif folder is None:
            output.words("warning: there is no casebook here yet; `casebook init` makes one")
        else:
            names = ", ".join(each for each, where in folders.items() if where == folder)
            output.words(f"warning: {no_casebook_of(names, folder)}")


def no_casebook_of(host: str, folder: Path) -> str:
    """Say that there is no casebook where a host works, and how to make one."""
    made = shlex.quote(str(folder / "memory"))
    return output.flat(f"there is no casebook where {host} works, in {folder}; `casebook init {made}` makes one")
