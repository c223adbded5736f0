"""`casebook purge`: what has been in the archive for longer than it is kept, taken out for good."""

from __future__ import annotations

from argparse import Namespace
from datetime import datetime
from typing import TYPE_CHECKING

from casebook.adapters.cli.arguments import Parser, UsageError
from casebook.adapters.cli.forget import told
from casebook.adapters.cli.place import opened

if TYPE_CHECKING:
    from casebook.runtime.upkeep.protocol import Desk

EPILOG = """\
Without --yes nothing is written: it counts what would go. The receipt in the audit log has counts and instants, and no content. The
job `archive` does the same once a month (`tiers.purge` of the policy, 365 days).

examples:
  casebook purge
  casebook purge --before 2026-01-01 --yes"""


def arguments(parser: Parser) -> None:
    """Add how old it must be."""
    parser.add_argument(
        "--before",
        metavar="ISO",
        help="what came into the archive before this date or instant (older than tiers.purge)",
    )
    parser.add_argument("--yes", action="store_true", help="do it; there is no way back")


def run(options: Namespace) -> int:
    """Purge, or say what would go."""
    from casebook.runtime.upkeep.forgetting import purge_now

    with opened(options) as runtime:
        receipts = [
            (each.layer, purge_now(each, _before(options, each), dry=not options.yes)) for each in runtime.desks()
        ]
    return told(options, receipts, done="purged", would="would purge")


def _before(options: Namespace, desk: Desk) -> datetime:
    from casebook.instants import instant
    from casebook.runtime.upkeep.archiving import purge_limit

    if options.before is None:
        return purge_limit(desk)
    try:
        at = instant(options.before, desk.policy.timezone)
    except ValueError as error:
        raise UsageError(f"purge: --before: {error}") from None
    if at > desk.now:
        raise UsageError(f"purge: --before: expected a time that has passed, got {options.before}")
    return at
