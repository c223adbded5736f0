"""What `doctor` tells of trust: how a folder stands where a host finds it, and what of it waits for approval."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Collection

    from casebook.adapters.cli.place import Root
    from casebook.adapters.trust.standing import FoundPlace
    from casebook.clock import Clock
    from casebook.faults import Fault
    from casebook.stores.protocol import Snapshot


def trust_told(root: Root, snapshot: Snapshot, clock: Clock) -> tuple[str, tuple[str, ...]]:
    """Give how a casebook stands where a host finds it unasked, and what deserves a look about that and about whom its cases are for.

    Args:
        root: its folder.
        snapshot: what its files hold.
        clock: gives the present instant, aware.

    Returns:
        `own`, `trusted` or `untrusted`; and a sentence for each reason and each thing that waits.
    """
    from casebook.adapters.other_projects import other_projects_told
    from casebook.adapters.trust.opening import home_folder
    from casebook.adapters.trust.passed_over import passed_over
    from casebook.adapters.trust.standing import place_of
    from casebook.adapters.trust.waiting import sentence_of
    from casebook.runtime.answer.harmless import harmless

    place = place_of(root.path, home_folder())
    told: tuple[str, ...] = (f"where a host finds it: {place.why}",) if place.why else ()
    withheld = _withheld(root, place, snapshot, clock)
    if withheld is not None:
        told = tuple(map(sentence_of, withheld))
    over = (f"where a host finds it: {harmless(each.path)}: {each.message}" for each in passed_over(place))
    others = other_projects_told(root.path, snapshot.cases.values())
    return place.standing, (*told, *over, *((others,) if others else ()))


def unapproved_told(options: Namespace, ids: Collection[str]) -> tuple[str, ...]:
    """Say of cases that were just written which of them do less than they say, where a host finds them, until a person approves them.

    Args:
        options: which casebooks.
        ids: of the cases.
    """
    from casebook.adapters.cli.place import clock_of, folder_store, roots
    from casebook.adapters.trust.opening import home_folder
    from casebook.adapters.trust.standing import place_of
    from casebook.adapters.trust.waiting import sentence_of

    places = roots(options)
    clock = clock_of(options, places)
    told: list[str] = []
    for root in places:
        place = place_of(root.path, home_folder())
        if place.standing != "trusted":  # the files of one of which nothing waits are not read again
            continue
        withheld = _withheld(root, place, folder_store(root, clock).snapshot(), clock)
        told += [f"where a host finds it: {sentence_of(each)}" for each in withheld or () if each.case in ids]
    return tuple(told)


def _withheld(root: Root, place: FoundPlace, snapshot: Snapshot, clock: Clock) -> tuple[Fault, ...] | None:
    """Give what of a trusted folder serves as less than it says; None of one that is not trusted, where nothing is approved."""
    from casebook.adapters.trust import approvals
    from casebook.adapters.trust.opening import snapshots_behind
    from casebook.adapters.trust.waiting import withheld_of

    real = root.path.resolve()
    approval = approvals.read(str(real)) if place.standing == "trusted" else None
    return None if approval is None else withheld_of(snapshot, approval, snapshots_behind(real, clock))
