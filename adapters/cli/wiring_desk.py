"""What `install`, `uninstall` and `setup` have in common: the changes of all hosts shown, one question, then made."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, number
from casebook.adapters.cli.asking import agreed
from casebook.adapters.cli.place import clock_of
from casebook.faults import CasebookError

if TYPE_CHECKING:
    from casebook.adapters.wiring.change import Change
    from casebook.adapters.wiring.protocol import Place, Planned, Wanted, Wiring

    Plan = Callable[[Wiring], Planned]


@dataclass(frozen=True, slots=True)
class HostPlan:
    """What is to become of one host.

    Attributes:
        wiring: of the host.
        planned: the changes; none where it was refused.
        refused: why it is left as it is; empty where it is not.
        snippet: what a person puts in by hand instead.
    """

    wiring: Wiring
    planned: Planned
    refused: str = ""
    snippet: str = ""


def change_arguments(parser: Parser) -> None:
    """Add whose settings are meant, and whether to ask."""
    parser.add_argument(
        "--project", action="store_true", help="the settings in the folder of the project, not those of this user"
    )
    parser.add_argument("--yes", action="store_true", help="show the changes, and make them without asking")
    parser.add_argument("--dry-run", action="store_true", help="show the changes, and make none")


def wiring_arguments(parser: Parser) -> None:
    """Add what is wired."""
    parser.add_argument(
        "--all-tools", action="store_true",
        help="tell of every tool call, not only of the tools that cases name (and the shell, edits, writes)",
    )  # fmt: skip
    parser.add_argument(
        "--chars", metavar="N", type=number, help="characters of the block in AGENTS.md at most (2,000)"
    )


def place_of(options: Namespace) -> Place:
    """Give where hosts are looked for."""
    from casebook.adapters.wiring.place import place_at

    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - Path.home() raises where there is no home
    return place_at(Path.cwd(), home, os.environ, "project" if options.project else "user")


def wanted_of(options: Namespace, place: Place) -> Wanted:
    """Give what is to be wired."""
    from casebook.adapters.wiring.place import wanted_at

    named = [Path(os.path.abspath(Path(each).expanduser())) for each in options.dir or ()]  # noqa: PTH100 - links stay
    return wanted_at(
        place, named, clock_of(options, ()), budget=options.chars, every_tool=options.all_tools,
        force=getattr(options, "force", False),
    )  # fmt: skip


def plans_of(wirings: Iterable[Wiring], plan: Plan) -> tuple[HostPlan, ...]:
    """Plan for each host; one that is refused holds none of the others up."""
    return tuple(_planned(each, plan) for each in wirings)


def _planned(wiring: Wiring, plan: Plan) -> HostPlan:
    from casebook.adapters.wiring.protocol import Planned

    try:
        return HostPlan(wiring, plan(wiring))
    except CasebookError as error:
        return HostPlan(wiring, Planned(), str(error), getattr(error, "snippet", ""))


def carried_out(
    plans: tuple[HostPlan, ...],
    options: Namespace,
    *,
    question: str,
    done: str,
    none: str,
    others: str = "",
    stays: str = "",
) -> int:
    """Show the changes, ask once, and make them.

    Args:
        plans: of the hosts.
        options: `yes`, `dry_run`, `json`.
        question: what is asked.
        done: what is said of a file, such as `wired`.
        none: what is said where nothing is to change.
        others: what is said of the hosts that need no change where others were refused, such as `wired already`; empty for nothing.
        stays: what is said of what is left where all was made; empty for nothing.

    Returns:
        0 where nothing is left to do; 1 where a host was refused, or the person said no.
    """
    changes = [change for each in plans for change in each.planned.changes]
    if not options.json:
        _show(plans)
    _refusals(plans)
    refused = int(any(each.refused for each in plans))
    if not changes or options.dry_run:
        if options.json:
            output.data(_report(plans, made=False))
        elif not changes and not refused:
            output.words(none)
        elif not changes and others:
            output.words(_closing(plans, others))
        return refused
    is_agreed = options.yes or agreed(question, nobody=f"nothing was changed, and nobody can be asked here: {_CURE}")
    if is_agreed:
        failed = _make(plans, done, quiet=options.json)
        if stays and not failed:
            output.words(stays)
    else:
        output.words("nothing was changed")
    if options.json:
        output.data(_report(plans, made=is_agreed))
    return int(not is_agreed or failed or refused)


_CURE = "--dry-run shows the changes, --yes makes them"


def _show(plans: tuple[HostPlan, ...]) -> None:
    """Show the changes, below a line that names the files."""
    from casebook.adapters.wiring.change import diff_of

    files = {each.wiring.title: [str(change.path) for change in each.planned.changes] for each in plans}
    named = [f"{title}: {', '.join(paths)}" for title, paths in files.items() if paths]
    if named:
        count = output.counted(sum(map(len, files.values())), "file")
        output.words(output.flat(f"{count} to change: {'; '.join(named)}"))
    for each in plans:
        for change in each.planned.changes:
            for line in diff_of(change):
                output.line(line)
    output.flush()  # what is said of the changes stands below them


def _refusals(plans: tuple[HostPlan, ...]) -> None:
    for each in plans:
        if each.refused:
            output.words(output.flat(f"casebook: {each.wiring.name}: {each.refused}"))
            if each.snippet:
                output.words(each.snippet)


def _closing(plans: tuple[HostPlan, ...], others: str) -> str:
    """Give how hosts stand where some were refused and nothing is to change: `4 wired already, 1 by hand: openclaw`."""
    names = {
        "by hand": [each.wiring.name for each in plans if each.snippet],
        "left as it is": [each.wiring.name for each in plans if each.refused and not each.snippet],
    }
    parts = [f"{len(plans) - sum(map(len, names.values()))} {others}"]
    parts += [f"{len(found)} {how}: {', '.join(found)}" for how, found in names.items() if found]
    return "; ".join(parts) if len(parts) > 2 else ", ".join(parts)


def _make(plans: tuple[HostPlan, ...], done: str, *, quiet: bool) -> bool:
    """Make the changes; give whether one could not be made."""
    from casebook.adapters.wiring.change import carry_out

    failed = False
    for each in plans:
        made: list[Change] = []
        for change in each.planned.changes:
            try:
                carry_out(change)
            except CasebookError as error:
                failed = True
                output.words(output.flat(f"casebook: {each.wiring.name}: {error}"))
            else:
                made.append(change)
        if made and not quiet:
            output.words(output.flat(f"{each.wiring.title} {done}: {', '.join(str(change.path) for change in made)}"))
        for note in each.planned.notes if made else ():
            output.words(output.flat(f"  {note}"))
    return failed


def _report(plans: tuple[HostPlan, ...], *, made: bool) -> dict[str, Any]:
    from casebook.adapters.wiring.change import diff_of

    return {
        "made": made,
        "hosts": [
            {
                "host": each.wiring.name,
                "changes": [
                    {"path": str(change.path), "diff": "\n".join(diff_of(change))} for change in each.planned.changes
                ],
                "notes": list(each.planned.notes),
                "refused": each.refused or None,
                "snippet": each.snippet or None,
            }
            for each in plans
        ],
    }
