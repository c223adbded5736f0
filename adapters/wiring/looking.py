"""How hosts stand, as `doctor` tells it."""

from __future__ import annotations

from collections.abc import Iterator

from casebook.adapters.wiring.protocol import Place, Standing, Wanted
from casebook.adapters.wiring.table import MODULES, wiring_of
from casebook.faults import CasebookError


def wired(host: str, place: Place, wanted: Wanted) -> tuple[Standing, ...]:
    """Give how a host stands, at each level at which it is wired; once where it is at none.

    Args:
        host: its name.
        place: where to look; its level counts for nothing.
        wanted: what would be wired now.

    Raises:
        CasebookError: there is no such host; the nearest is named.
    """
    wiring = wiring_of(host)
    try:
        return tuple(wiring.standing(place, wanted))
    except CasebookError as error:  # such as of a casebook that cannot be read
        return (Standing(host, wiring.found(place), troubles=(str(error),)),)


def standings(place: Place, wanted: Wanted) -> Iterator[Standing]:
    """Give how every host stands, in the order of the table; the same arguments."""
    for host in MODULES:
        yield from wired(host, place, wanted)
