"""`casebook uninstall`: what was wired is taken out, and a host's settings are left byte for byte as they were."""

from __future__ import annotations

import os
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser
from casebook.adapters.cli.install import named_wirings
from casebook.adapters.cli.wiring_desk import carried_out, change_arguments, place_of, plans_of
from casebook.faults import CasebookError
from casebook.user_state import state_folder

if TYPE_CHECKING:
    from casebook.adapters.wiring.protocol import Place

EPILOG = """\
Only what the casebook has put in goes; what you have written since stays. The casebook itself is not touched.

examples:
  casebook uninstall
  casebook uninstall claude-code
  casebook uninstall codex --project --dry-run"""


_STAYS = (
    "what stays: casebooks with all that is in them, and {state}, where what you trust, tokens and what hooks left for the next event "
    "are kept; delete them yourself where you want none of it"
)


def arguments(parser: Parser) -> None:
    """Add the hosts."""
    parser.add_argument("host", metavar="HOST", nargs="*", help="the hosts (all)")
    change_arguments(parser)
    parser.add_argument("--force", action="store_true", help="take out what of ours was changed by hand, too")


def run(options: Namespace) -> int:
    """Show what is to go, ask, and take it out."""
    from casebook.adapters.wiring.table import MODULES

    wirings = named_wirings("uninstall", options.host or list(MODULES))
    place = place_of(options)
    plans = plans_of(wirings, lambda each: each.uninstall(place, force=options.force))
    code = carried_out(
        plans,
        options,
        question="take this out?",
        done="is not wired any more",
        none="nothing is wired; nothing was changed",
        stays=output.flat(_STAYS.format(state=_shown(state_folder()))),
    )
    if code == 0 and any(each.name == "openclaw" for each in wirings):
        code = _without_job(options, place)
    other = replace(place, level="user" if place.level == "project" else "project")
    elsewhere = plans_of(wirings, lambda each: each.uninstall(other, force=options.force))
    paths = [
        str(change.path) for each in elsewhere for change in each.planned.changes if each.wiring.name != "agents-md"
    ]
    if paths:
        option = "with --project" if other.level == "project" else "without --project"
        output.words(output.flat(f"still wired in {output.named(paths)}; `casebook uninstall` {option} takes it out"))
    return code


def _shown(folder: Path) -> str:
    """Give a path as a person writes it."""
    home = os.path.expanduser("~")  # noqa: PTH111 - Path.home() raises where there is no home
    return f"~/{folder.relative_to(home)}" if folder.is_relative_to(home) else str(folder)


def _without_job(options: Namespace, place: Place) -> int:
    """Take out the job of upkeep that `install openclaw --with-cron` has added; 1 where it is there still."""
    from casebook.adapters.openclaw.upkeep_job import KEY, is_noted, remove

    if place.level == "project" or not is_noted():
        return 0
    if options.dry_run:
        output.words(f"would take the job {KEY} out of OpenClaw's cron")
        return 0
    try:
        remove(place)
    except CasebookError as error:
        output.words(
            f"the job {KEY} is in OpenClaw's cron still: {error}; while the gateway runs, this command takes it out"
        )
        return 1
    output.words(f"the job {KEY} is out of OpenClaw's cron")
    return 0
