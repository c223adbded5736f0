"""What `doctor` tells of hosts: which are here, what of them is wired, what they block."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from casebook.adapters.cli import output
from casebook.adapters.cli.findings import Finding
from casebook.adapters.cli.install import no_casebook_of
from casebook.adapters.cli.place import clock_of

if TYPE_CHECKING:
    from casebook.adapters.wiring.protocol import Place

Told = Mapping[str, Sequence[Mapping[str, Any]]]
"""By the host's name, how it stands at each level at which it is wired; once where it is at none."""


def hosts_told(options: Namespace) -> Told:
    """Give the hosts that are on this machine or wired; a casebook that cannot be read is told elsewhere.

    Args:
        options: `dir` and `now`.
    """
    from casebook.adapters.wiring.looking import standings
    from casebook.adapters.wiring.place import wanted_at

    place = _place()
    named = [Path(os.path.abspath(Path(each).expanduser())) for each in options.dir or ()]  # noqa: PTH100 - links stay
    found: dict[str, list[Mapping[str, Any]]] = {}
    for each in standings(place, wanted_at(place, named, clock_of(options, ()))):
        if each.found or each.files:
            told = {
                "found": each.found, "files": list(each.files), "wired": list(each.wired), "tools": list(each.tools),
                "troubles": list(each.troubles), "faults": list(each.faults), "casebooks": list(each.casebooks),
            }  # fmt: skip
            found.setdefault(each.host, []).append(told)
    return found


def _place() -> Place:
    from casebook.adapters.wiring.place import place_at

    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - Path.home() raises where there is no home
    return place_at(Path.cwd(), home, os.environ)


def hosts_lines(hosts: Told) -> dict[str, str]:
    """Give the same for people: a line for each that is wired, one for the others that are here."""
    wired = {name: [each for each in told if each["wired"]] for name, told in hosts.items()}
    lines = {name: "; ".join(map(_line, told)) for name, told in wired.items() if told}
    others = ", ".join(name for name, told in wired.items() if not told)
    return lines | ({"not wired": f"{others} (`casebook setup` wires what is found)"} if others else {})


def hosts_findings(hosts: Told, options: Namespace, missing: str) -> Iterator[Finding]:
    """Give what is to do about hosts.

    Args:
        hosts: how they stand.
        options: `dir`.
        missing: why there is no casebook for the folder in which the person stands; empty where there is one.
    """
    for name, told in hosts.items():
        for each in told:
            for trouble in each["troubles"]:
                yield Finding(name, f"{name}: {trouble}", is_fault=trouble in each["faults"])
    yield from _without_casebook(hosts, options, missing)


def _without_casebook(hosts: Told, options: Namespace, missing: str) -> Iterator[Finding]:
    """Say which hosts look for a casebook where they work and find none: what is wired does nothing then."""
    from casebook.adapters.wiring.place import found_at, workplace

    looking = [name for name, told in hosts.items() if any(each["wired"] and not each["casebooks"] for each in told)]
    place = _place()
    here = []
    for name in looking:
        folder = workplace(name, place)
        if folder is None:
            here.append(name)
            continue
        is_there, why = found_at(folder, place.home)
        if not is_there:
            yield Finding(name, f"{name}: {no_casebook_of(name, folder)}", is_fault=True)
        elif options.dir or folder.resolve() != Path.cwd().resolve():  # what is here is told with the casebook
            yield from (Finding(name, f"{name}: {each}") for each in why)
    if missing and here:
        yield Finding(
            "casebook", f"{', '.join(here)}: wired to the casebook of this folder, and {missing}", is_fault=True
        )
    elif missing and not any(each["wired"] for told in hosts.values() for each in told):
        yield Finding("casebook", missing)


def _line(each: Mapping[str, Any]) -> str:
    tools = f"; of the tools {', '.join(each['tools'])}" if each["tools"] else ""
    return f"{output.named(each['files'])}: {', '.join(each['wired'])}{tools}"
