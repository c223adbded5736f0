"""What `doctor` tells of hosts: which are here, what of them is wired, what they block."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from casebook.adapters.cli import output
from casebook.adapters.cli.place import clock_of

Told = Mapping[str, Sequence[Mapping[str, Any]]]
"""By the host's name, how it stands at each level at which it is wired."""


def hosts_told(options: Namespace) -> Told:
    """Give the hosts that are on this machine or wired; a casebook that cannot be read is told elsewhere.

    Args:
        options: `dir` and `now`.
    """
    from casebook.adapters.wiring.looking import standings
    from casebook.adapters.wiring.place import place_at, wanted_at

    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - Path.home() raises where there is no home
    place = place_at(Path.cwd(), home, os.environ)
    named = [Path(os.path.abspath(Path(each).expanduser())) for each in options.dir or ()]  # noqa: PTH100 - links stay
    found: dict[str, list[Mapping[str, Any]]] = {}
    for each in standings(place, wanted_at(place, named, clock_of(options, ()))):
        if each.found or each.files:
            told = {
                "found": each.found, "files": list(each.files), "wired": list(each.wired), "tools": list(each.tools),
                "troubles": list(each.troubles),
            }  # fmt: skip
            found.setdefault(each.host, []).append(told)
    return found


def hosts_lines(hosts: Told) -> dict[str, str]:
    """Give the same for people, a line each."""
    return {name: "; ".join(_line(name, each) for each in told) for name, told in hosts.items()}


def hosts_troubles(hosts: Told) -> Iterator[str]:
    """Give what deserves a look."""
    for name, told in hosts.items():
        for each in told:
            yield from (f"{name}: {trouble}" for trouble in each["troubles"])


def _line(name: str, each: Mapping[str, Any]) -> str:
    if not each["wired"]:
        return f"found {each['found']}; not wired: `casebook install {name}` wires it"
    tools = f"; of the tools {', '.join(each['tools'])}" if each["tools"] else ""
    return f"{output.named(each['files'])}: {', '.join(each['wired'])}{tools}"
